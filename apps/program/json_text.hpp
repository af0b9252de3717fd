#pragma once

#include <cstddef>
#include <limits>
#include <nlohmann/json_fwd.hpp>
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

}  // namespace cubefold::program
