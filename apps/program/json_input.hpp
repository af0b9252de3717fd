#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace cubefold::program {

/// What the parser asks about everything that it reads: the depth (0: the whole file), what begins or ends there, and
/// the key or the value. False: leave the value out.
using JsonFilter =
    std::function<bool(int depth, nlohmann::ordered_json::parse_event_t, const nlohmann::ordered_json&)>;

/// What a JSON file may have at most.
struct JsonLimits {
  static constexpr std::size_t bytes = std::size_t{1} << 30;
  static constexpr int depth = 16;
  static constexpr std::size_t keys = 100;           ///< of one object; the parser looks at all for each
  static constexpr std::size_t values = 20'000'000;  ///< that a filter keeps; under 2 GB of memory
};

/// Reads a JSON file, or standard input for `-`. Throws std::runtime_error with the path and the reason: for what is no
/// JSON, a key that stands twice in an object, and a file beyond the limits.
nlohmann::ordered_json read_json(const std::string& path, const JsonFilter& keep = {});

}  // namespace cubefold::program
