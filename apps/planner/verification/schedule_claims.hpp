#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner/verification/json_value.hpp"

namespace cubefold::planner {

/// The claims of a schedule file about one message. Its numbers may be beyond the nodes of the grid.
struct MessageClaim {
  struct Block {
    std::size_t source;
    std::size_t destination;
  };

  std::size_t from;
  std::size_t to;
  std::vector<Block> blocks;        ///< of a complete exchange
  std::vector<std::size_t> chunks;  ///< of another collective
  bool has_chunks = false;
  bool reduces = false;  ///< whether the receiver reduces the chunks with its own

  std::size_t count() const { return has_chunks ? chunks.size() : blocks.size(); }
};

using StepClaim = std::vector<MessageClaim>;

/// The collective in which every node has blocks for its neighbours.
inline constexpr const char* neighbours_collective = "neighbours";

/// The nodes from which and to which a block of neighbours goes. Numbers of chunks may be left out.
struct EdgeClaim {
  bool exists;
  std::size_t source;
  std::size_t destination;
};

/// The contents of a schedule file. Only the form of the file has been checked.
struct ScheduleClaims {
  std::string collective;   ///< empty for a complete exchange
  std::size_t chunk_count;  ///< 0 for a complete exchange
  std::string grid;
  std::string ports;
  std::string tie;
  std::string placement;
  std::string algorithm;  ///< a label, which is not checked
  bool has_conflicts;  ///< whether messages of a step share ports or links; false if the file does not say it
  double bound_blocks;
  std::size_t bound_startups;
  std::vector<StepClaim> steps;
  std::string phase{};             ///< the messages of neighbours
  std::vector<EdgeClaim> edges{};  ///< of the chunks of neighbours
};

/// Takes the messages of a schedule out of its JSON while the JSON is read, so that at most one message is kept as
/// JSON.
class StepReader {
 public:
  static constexpr std::size_t most_steps = 20'000'000;

  explicit StepReader(const std::string& path) : path_(path) {}

  /// Returns whether the parser keeps the JSON value, as a program::JsonFilter does. Throws std::runtime_error with the
  /// path and the place for an invalid step or message.
  bool keeps(int depth, JsonValue::Json::parse_event_t event, const JsonValue::Json& value);

  /// Returns whether the file has steps. A file with steps is a schedule; other files are certificates.
  bool has_steps() const { return has_steps_; }

  std::vector<StepClaim>& steps() { return steps_; }

 private:
  bool keeps_in_steps(int depth, JsonValue::Json::parse_event_t event, const JsonValue::Json& value);

  const std::string& path_;
  bool is_in_steps_ = false;
  bool has_steps_ = false;
  std::vector<StepClaim> steps_;
};

/// Returns the claims of a schedule file with these steps, which a StepReader has read. Throws std::runtime_error with
/// the path and the place for a file of another form or with unknown keys.
ScheduleClaims read_schedule_claims(const nlohmann::ordered_json& file, const std::string& path,
                                    std::vector<StepClaim> steps);

}  // namespace cubefold::planner
