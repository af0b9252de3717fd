#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace cubefold::program {

/// The value as text for people and programs: one key a line, and one element a line of arrays whose elements are
/// themselves arrays or objects.
std::string json_text(const nlohmann::ordered_json& value);

/// What complaints call a file that is read: its path, or standard input for `-`.
std::string name_of(const std::string& path);

/// What the parser asks about everything that it reads: the depth (0: the whole file), what begins or ends there, and the
/// key or the value. False: leave the value out.
using JsonFilter =
    std::function<bool(int depth, nlohmann::ordered_json::parse_event_t, const nlohmann::ordered_json&)>;

/// What a JSON file may have at most.
struct JsonLimits {
  static constexpr std::size_t bytes = std::size_t{1} << 30;
  static constexpr int depth = 16;
  static constexpr std::size_t keys = 100;           ///< of one object; the parser looks at all for each
  static constexpr std::size_t values = 20'000'000;  ///< that a filter keeps; under 2 GB of memory
};

/// Reads a JSON file, or standard input for `-`. Throws std::runtime_error with the path and the reason: for what is no JSON,
/// a key that stands twice in an object, and a file beyond the limits.
nlohmann::ordered_json read_json(const std::string& path, const JsonFilter& keep = {});

/// The whole of a text file, or of standard input for `-`. Throws std::runtime_error with the path and the reason, also for
/// one of more bytes than that.
std::string read_text(const std::string& path,
                      std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace cubefold::program
