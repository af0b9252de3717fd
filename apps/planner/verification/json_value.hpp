#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cubefold::planner {

/// A value of a file and its place there, for complaints: std::runtime_error with path, place and rule. Nothing is
/// converted from one type to another. The file, and the value that this one is in, outlive it.
class JsonValue {
 public:
  using Json = nlohmann::ordered_json;

  /// A value that stands at that place; none: the whole file.
  JsonValue(const Json& json, const std::string& path, std::string place = "");

  bool has(const char* key) const;

  /// Fails for a value that is no object, without that key.
  JsonValue at(const char* key) const;

  /// Fails for a value that is no object, or has others than these keys.
  void require_no_keys_but(std::initializer_list<std::string_view> known) const;

  bool is_text(std::string_view expected) const { return json_.is_string() && json_ == expected; }

  std::string text() const;
  double number() const;
  bool truth() const;

  /// Below 2^63.
  std::int64_t whole_number() const;
  std::size_t whole_number_from_0() const;

  /// Calls visit(JsonValue) for every element of an array.
  template <typename Visit>
  void for_each(Visit visit) const {
    if (!json_.is_array()) fail("is not an array");
    for (std::size_t i = 0; i < json_.size(); ++i) visit(JsonValue(json_[i], *this, nullptr, i));
  }

  std::vector<double> numbers() const;

  /// `phases[2].weight`; empty for the file.
  std::string place() const;

  [[noreturn]] void fail(const std::string& rule) const;

 private:
  JsonValue(const Json& json, const JsonValue& in, const char* key, std::size_t index)
      : json_(json), path_(in.path_), in_(&in), key_(key), index_(index) {}

  const Json& json_;
  const std::string& path_;
  std::string place_;
  const JsonValue* in_ = nullptr;
  const char* key_ = nullptr;  ///< in an object
  std::size_t index_ = 0;      ///< in an array
};

}  // namespace cubefold::planner
