#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace cubefold::program {

/// The value as text for people and programs: one key a line, and one element a line of arrays whose elements are
/// themselves arrays or objects.
std::string json_text(const nlohmann::ordered_json& value);

/// Reads a JSON file, or standard input for `-`. Throws std::runtime_error with the path and the reason.
nlohmann::ordered_json read_json(const std::string& path);

/// The whole of a text file, or of standard input for `-`. Throws std::runtime_error with the path and the reason.
std::string read_text(const std::string& path);

/// Writes the text to a file that appears whole, or to standard output for `-`. Throws what files::WholeFile does.
void write_text(const std::string& path, const std::string& text);

}  // namespace cubefold::program
