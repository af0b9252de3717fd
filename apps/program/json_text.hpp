#pragma once

#include <cstddef>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cubefold::program {

/// The value as text for people and programs: one key a line, and one element a line of arrays whose elements are
/// themselves arrays or objects.
std::string json_text(const nlohmann::ordered_json& value);

/// What complaints call a file that is read: its path, or standard input for `-`.
std::string name_of(const std::string& path);

/// The whole of a text file, or of standard input for `-`. Throws std::runtime_error with the path and the reason, also
/// for one of more bytes than that.
std::string read_text(const std::string& path,
                      std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace cubefold::program
