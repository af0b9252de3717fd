#include "planner/verification/json_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "cubefold/version.h"
#include "program/shown.hpp"

namespace cubefold::planner {

JsonValue::JsonValue(const Json& json, const std::string& path, std::string place)
    : json_(json), path_(path), place_(std::move(place)) {}

bool JsonValue::has(const char* key) const {
  return json_.is_object() && json_.contains(key);
}

JsonValue JsonValue::at(const char* key) const {
  if (!json_.is_object()) fail("is not an object");
  if (!json_.contains(key)) fail(fmt::format("has no '{}'", key));
  return {json_.at(key), *this, key, 0};
}

void JsonValue::require_no_keys_but(std::initializer_list<std::string_view> known) const {
  if (!json_.is_object()) fail("is not an object");
  for (const auto& [key, value] : json_.items()) {
    if (std::ranges::find(known, key) == known.end())
      fail(fmt::format("has an unknown key '{}'", program::shown(key)));
  }
}

void JsonValue::require_format() const {
  if (!has("format_version")) return;
  const JsonValue version = at("format_version");
  if (version.whole_number() == 1) return;
  version.fail(
      fmt::format("is {}; this is cubefold {}, which reads 1", version.whole_number(), CUBEFOLD_VERSION));
}

std::string JsonValue::text() const {
  if (!json_.is_string()) fail("is not a text");
  return json_.get<std::string>();
}

double JsonValue::number() const {
  if (!json_.is_number()) fail("is not a number");
  return json_.get<double>();
}

bool JsonValue::truth() const {
  if (!json_.is_boolean()) fail("is neither true nor false");
  return json_.get<bool>();
}

std::int64_t JsonValue::whole_number() const {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const bool is_too_large = json_.is_number_unsigned() && json_.get<std::uint64_t>() > most;
  if (!json_.is_number_integer() || is_too_large) fail("is not a whole number below 2^63");
  return json_.get<std::int64_t>();
}

std::size_t JsonValue::whole_number_from_0() const {
  if (!json_.is_number_unsigned()) fail("is not a whole number from 0 up");
  return json_.get<std::size_t>();
}

std::vector<double> JsonValue::numbers() const {
  std::vector<double> result;
  for_each([&](const JsonValue& element) { result.push_back(element.number()); });
  return result;
}

std::string JsonValue::place() const {
  if (in_ == nullptr) return place_;
  const std::string before = in_->place();
  if (key_ == nullptr) return fmt::format("{}[{}]", before, index_);
  return before.empty() ? key_ : fmt::format("{}.{}", before, key_);
}

void JsonValue::fail(const std::string& rule) const {
  const std::string where = place();
  throw std::runtime_error(fmt::format("{}: {} {}", path_, where.empty() ? "file" : where, rule));
}

}  // namespace cubefold::planner
