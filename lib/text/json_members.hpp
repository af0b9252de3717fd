#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cubefold {

using Json = nlohmann::ordered_json;

/// Throws std::invalid_argument with the reason.
[[noreturn]] void refuse_json(const std::string& reason);

/// The largest JSON text that the library parses. A text may come from a file that an environment variable names, and
/// its values take a multiple of its memory.
inline constexpr std::size_t most_json_bytes = std::size_t{64} << 20;

/// Parses a text as JSON. Throws std::invalid_argument with the place of the first error, or for a text of more than
/// most_json_bytes.
Json parsed_json(std::string_view text);

/// Returns the content of a file. If it has more than most_json_bytes, only as much is read as parsed_json() needs to
/// refuse it. Throws std::system_error with the reason if the file cannot be read.
std::string read_json_text(const std::string& file);

/// Reads the members of a JSON object, each with the type that it must have. Throws std::invalid_argument that names a
/// member which is missing or has another type. Keeps a reference to the object.
class JsonMembers {
 public:
  explicit JsonMembers(const Json& json);

  bool has(const char* key) const { return json_.contains(key); }
  std::string text(const char* key) const;
  std::size_t count(const char* key) const;

  /// Returns a time in seconds, which is finite and not negative.
  double time(const char* key) const;

  std::vector<double> times(const char* key) const;
  std::vector<bool> flags(const char* key) const;

  /// Returns a list of whole numbers, each in 0 .. 2^32 - 1.
  std::vector<std::uint32_t> coordinates(const char* key) const;

  JsonMembers object(const char* key) const;
  std::vector<JsonMembers> objects(const char* key) const;

  /// Returns a list of values of any type.
  const Json& list(const char* key) const;

 private:
  const Json& at(const char* key) const;

  const Json& json_;
};

}  // namespace cubefold
