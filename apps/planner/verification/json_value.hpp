#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cubefold::planner {

/// A value of a JSON file, with its place for errors. Errors are std::runtime_error with path, place and rule. No value
/// is converted to another type. The JSON, the path and the JsonValue that contains this one must outlive it.
class JsonValue {
 public:
  using Json = nlohmann::ordered_json;

  /// Refers to the value at a place of the file. An empty place is the whole file.
  JsonValue(const Json& json, const std::string& path, std::string place = "");

  bool has(const char* key) const;

  /// Returns the value of a key. Fails if this value is no object or has no such key.
  JsonValue at(const char* key) const;

  /// Fails if the value is no object or has keys that are not `known`.
  void require_no_keys_but(std::initializer_list<std::string_view> known) const;

  /// Fails if the file says that it has another format than 1. Files that people write need not say it.
  void require_format() const;

  bool is_text(std::string_view expected) const { return json_.is_string() && json_ == expected; }

  bool is_array() const { return json_.is_array(); }

  std::string text() const;
  double number() const;
  bool truth() const;

  /// Returns a whole number, which may be negative. Fails for any other value and for 2^63 or more.
  std::int64_t whole_number() const;
  std::size_t whole_number_from_0() const;

  /// Calls visit(JsonValue) for every element of an array. Fails if the value is no array.
  template <typename Visit>
  void for_each(Visit visit) const {
    if (!json_.is_array()) fail("is not an array");
    for (std::size_t i = 0; i < json_.size(); ++i) visit(JsonValue(json_[i], *this, nullptr, i));
  }

  std::vector<double> numbers() const;

  /// Returns the place of the value, such as `phases[2].weight`. It is empty for the whole file.
  std::string place() const;

  [[noreturn]] void fail(const std::string& rule) const;

 private:
  JsonValue(const Json& json, const JsonValue& in, const char* key, std::size_t index)
      : json_(json), path_(in.path_), in_(&in), key_(key), index_(index) {}

  const Json& json_;
  const std::string& path_;
  std::string place_;
  const JsonValue* in_ = nullptr;
  const char* key_ = nullptr;  ///< key of a value in an object
  std::size_t index_ = 0;      ///< index of a value in an array
};

}  // namespace cubefold::planner
