#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <limits>
#include <string>

namespace cubefold::program {

/// Returns the value as text for people and programs: one key a line. Arrays of arrays or objects have one element a
/// line.
std::string json_text(const nlohmann::ordered_json& value);

/// Returns the name of a file in errors: its path, or standard input for `-`.
std::string name_of(const std::string& path);

/// Returns the whole of a text file, or of standard input for `-`. Throws std::runtime_error with the path and the
/// reason, also if the file has more than `most_bytes`.
std::string read_text(const std::string& path,
                      std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

/// A function that the parser calls for everything that it reads, with the depth (0: the whole file), the event that
/// begins or ends there, and the key or the value. It returns false to leave the value out.
using JsonFilter =
    std::function<bool(int depth, nlohmann::ordered_json::parse_event_t, const nlohmann::ordered_json&)>;

/// The limits of a JSON file.
struct JsonLimits {
  static constexpr std::size_t bytes = std::size_t{1} << 30;
  static constexpr int depth = 16;
  static constexpr std::size_t keys = 100;  ///< keys of one object; each new one is compared with all
  static constexpr std::size_t values = 20'000'000;  ///< values that a filter keeps; under 2 GB of memory
};

/// Reads a JSON file, or standard input for `-`. Throws std::runtime_error with the path and the reason for text that
/// is no JSON, for a key that an object has twice, and for a file beyond the limits.
nlohmann::ordered_json read_json(const std::string& path, const JsonFilter& keep = {});

}  // namespace cubefold::program
