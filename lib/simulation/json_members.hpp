#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cubefold {

using Json = nlohmann::ordered_json;

/// Throws std::invalid_argument.
[[noreturn]] void refuse_json(const std::string& reason);

/// The text as JSON. Throws std::invalid_argument with the place of the first error.
Json parsed_json(std::string_view text);

/// The members of an object, each of the type that it must have; std::invalid_argument names the one that is missing or
/// of another. The object outlives this.
class JsonMembers {
 public:
  explicit JsonMembers(const Json& json);

  std::string text(const char* key) const;
  std::size_t count(const char* key) const;

  /// Seconds: finite and not negative.
  double time(const char* key) const;

  std::vector<double> times(const char* key) const;
  std::vector<bool> flags(const char* key) const;

 private:
  const Json& at(const char* key) const;
  const Json& list(const char* key) const;

  const Json& json_;
};

}  // namespace cubefold
