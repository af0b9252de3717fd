#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Throws the std::invalid_argument of parse_schedule_json() for one place of the file.
[[noreturn]] void refuse_schedule_json(const std::string& place, const std::string& rule);

/// Returns a wrong value as text for an error message. The text is one line, however large the value is.
std::string shown(const nlohmann::json& value);

/// Identifies the place of a message in the file. It becomes text only for an error message.
struct MessagePlace {
  std::size_t step;
  std::size_t message;

  std::string text() const;
  std::string member(const char* key) const;
  std::string block(std::size_t index) const;
  std::string block_end(std::size_t index, int end) const;  ///< end: 0 for the source, 1 for the destination
  std::string chunk(std::size_t index) const;
};

/// Takes messages out of the JSON while it is being read, so that the JSON never holds more than one of them.
class StepsReader {
 public:
  using Event = nlohmann::json::parse_event_t;

  /// Returns whether to keep what the parser has just read; the parser asks this for everything that it reads. Throws
  /// std::invalid_argument for a step or a message that is malformed.
  bool keep(int depth, Event event, const nlohmann::json& value);

  /// Returns the steps so far, with nodes in the place of ranks.
  std::vector<Step>& steps() { return steps_; }

  /// Returns the last message with "chunks", or with "blocks" alone.
  const std::optional<MessagePlace>& message_with(bool chunks) const {
    return chunks ? with_chunks_ : with_blocks_;
  }

 private:
  bool keep_in_steps(int depth, Event event, const nlohmann::json& value);
  bool keep_message(Event event, const nlohmann::json& value);

  std::vector<Step> steps_;
  std::optional<MessagePlace> with_chunks_;
  std::optional<MessagePlace> with_blocks_;
  bool is_steps_ = false;  ///< whether the current key at the top level is "steps"
};

}  // namespace cubefold
