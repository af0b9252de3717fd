#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <limits>
#include <string>

namespace cubefold::program {

/// Returns the members with which every JSON file of a command begins: format_version, cubefold (its version) and date.
nlohmann::ordered_json file_facts();

/// Returns the text of a JSON file of a command, for people and programs: file_facts(), then the members of an object.
/// Each key has a line. Each element of an array of arrays or objects has a line.
std::string json_text(const nlohmann::ordered_json& value);

/// Returns the text of a JSON object with other members before its own. `text` is an object with at least one member
/// that begins a line, as json_text() writes it.
std::string with_members(const nlohmann::ordered_json& members, const std::string& text);

/// Returns the name of a file for error messages: its path, or `standard input` for `-`.
std::string name_of(const std::string& path);

/// Returns the whole text of a file, or of standard input for `-`. Throws std::runtime_error with the path and the
/// reason if it cannot be read, or if it has more than `most_bytes`.
std::string read_text(const std::string& path,
                      std::size_t most_bytes = std::numeric_limits<std::size_t>::max());

/// Is a function that the parser calls for everything that it reads. Its arguments are the depth (0: the whole file),
/// the event that begins or ends there, and the key or the value. It returns false to leave the value out.
using JsonFilter =
    std::function<bool(int depth, nlohmann::ordered_json::parse_event_t, const nlohmann::ordered_json&)>;

/// Limits the size of a JSON file. Keys are limited because ordered_json compares each new key with all keys of its
/// object. The values that a filter keeps take less than 2 GB of memory.
struct JsonLimits {
  static constexpr std::size_t bytes = std::size_t{1} << 30;
  static constexpr int depth = 16;
  static constexpr std::size_t keys = 100;           ///< number of keys of one object
  static constexpr std::size_t values = 20'000'000;  ///< number of values that a filter keeps
};

/// Reads JSON from the text of a file. Throws as read_json() does.
nlohmann::ordered_json parse_json(const std::string& text, const std::string& path,
                                  const JsonFilter& keep = {});

/// Reads a JSON file, or standard input for `-`. Throws std::runtime_error with the path and the reason for text that
/// is no JSON, for a key that an object has twice, and for a file beyond the limits.
nlohmann::ordered_json read_json(const std::string& path, const JsonFilter& keep = {});

}  // namespace cubefold::program
