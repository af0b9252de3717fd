#include "json_members.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "json_limits.hpp"
#include "text_file.hpp"

namespace cubefold {

namespace {

double time_of(const Json& value, const char* key) {
  if (!value.is_number()) refuse_json(fmt::format("{} is not a number", key));
  const auto seconds = value.get<double>();
  if (!std::isfinite(seconds) || seconds < 0) refuse_json(fmt::format("{} {} is not a time", key, seconds));
  return seconds;
}

}  // namespace

void refuse_json(const std::string& reason) {
  throw std::invalid_argument(reason);
}

Json parsed_json(std::string_view text) {
  if (text.size() > most_json_bytes) {
    refuse_json(fmt::format("has more than {} bytes, the most for a JSON text", most_json_bytes));
  }
  JsonLimits<Json> limits;
  try {
    return Json::parse(text, [&](int depth, Json::parse_event_t event, const Json& value) {
      limits.see(depth, event, value);
      return true;
    });
  } catch (const nlohmann::json::parse_error& error) {
    refuse_json(fmt::format("not JSON at byte {}", error.byte));
  } catch (const nlohmann::json::out_of_range&) {
    refuse_json("not JSON that fits: a number is out of range");
  }
}

std::string read_json_text(const std::string& file) {
  return beginning_of_file(file, most_json_bytes + 1);
}

JsonMembers::JsonMembers(const Json& json) : json_(json) {
  if (!json.is_object()) refuse_json("not a JSON object");
}

std::string JsonMembers::text(const char* key) const {
  const Json& value = at(key);
  if (!value.is_string()) refuse_json(fmt::format("{} is not a text", key));
  return value.get<std::string>();
}

std::size_t JsonMembers::count(const char* key) const {
  const Json& value = at(key);
  if (!value.is_number_unsigned()) refuse_json(fmt::format("{} is not a count", key));
  return value.get<std::size_t>();
}

double JsonMembers::time(const char* key) const {
  return time_of(at(key), key);
}

std::vector<double> JsonMembers::times(const char* key) const {
  std::vector<double> result;
  for (const Json& value : list(key)) result.push_back(time_of(value, key));
  return result;
}

std::vector<bool> JsonMembers::flags(const char* key) const {
  std::vector<bool> result;
  for (const Json& value : list(key)) {
    if (!value.is_boolean()) refuse_json(fmt::format("{} is not a list of true and false", key));
    result.push_back(value.get<bool>());
  }
  return result;
}

std::vector<std::uint32_t> JsonMembers::coordinates(const char* key) const {
  std::vector<std::uint32_t> result;
  for (const Json& value : list(key)) {
    if (!value.is_number_unsigned() || value > std::numeric_limits<std::uint32_t>::max())
      refuse_json(fmt::format("{} is not a list of coordinates", key));
    result.push_back(value.get<std::uint32_t>());
  }
  return result;
}

JsonMembers JsonMembers::object(const char* key) const {
  return JsonMembers(at(key));
}

std::vector<JsonMembers> JsonMembers::objects(const char* key) const {
  const Json& values = list(key);
  return {values.begin(), values.end()};
}

const Json& JsonMembers::at(const char* key) const {
  const auto member = json_.find(key);
  if (member == json_.end()) refuse_json(fmt::format("{} is missing", key));
  return *member;
}

const Json& JsonMembers::list(const char* key) const {
  const Json& value = at(key);
  if (!value.is_array()) refuse_json(fmt::format("{} is not a list", key));
  return value;
}

}  // namespace cubefold
