#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Throws what parse_schedule_json() does about one place of the file.
[[noreturn]] void refuse_schedule_json(const std::string& place, const std::string& rule);

/// A wrong value for a complaint, which stays one line however large it is.
std::string shown(const nlohmann::json& value);

/// Where a message stands in the file. Text only when there is something to complain of.
struct MessagePlace {
  std::size_t step;
  std::size_t message;

  std::string text() const;
  std::string member(const char* key) const;
  std::string block(std::size_t index) const;
  std::string block_end(std::size_t index, int end) const;  ///< end: 0 of the source, 1 of the destination
};

/// Takes messages out of the JSON while it is being read, so that it never holds more than one of them.
class StepsReader {
 public:
  using Event = nlohmann::json::parse_event_t;

  /// What the parser asks about everything that it reads: whether to keep it. Throws std::invalid_argument for what is
  /// no step and no message.
  bool keep(int depth, Event event, const nlohmann::json& value);

  /// The steps so far, with nodes in the place of ranks.
  std::vector<Step>& steps() { return steps_; }

 private:
  bool keep_in_steps(int depth, Event event, const nlohmann::json& value);
  bool keep_message(Event event, const nlohmann::json& value);

  std::vector<Step> steps_;
  bool is_steps_ = false;  ///< of the key at the top that is being read
};

}  // namespace cubefold
