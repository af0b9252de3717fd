#include "planner/verification/schedule_claims.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace cubefold::planner {

namespace {

using Json = nlohmann::ordered_json;

/// A value of the file, and where it is for complaints.
class Value {
 public:
  Value(const Json& json, const std::string& path, std::string where)
      : json_(json), path_(path), where_(std::move(where)) {}

  Value at(const char* key) const {
    if (!json_.is_object()) fail("is not an object");
    if (!json_.contains(key)) fail(fmt::format("has no '{}'", key));
    return {json_.at(key), path_, where_.empty() ? key : fmt::format("{}.{}", where_, key)};
  }

  std::string text() const {
    if (!json_.is_string()) fail("is not a text");
    return json_.get<std::string>();
  }

  double number() const {
    if (!json_.is_number()) fail("is not a number");
    return json_.get<double>();
  }

  std::size_t whole_number() const {
    if (!json_.is_number_unsigned()) fail("is not a whole number from 0 up");
    return json_.get<std::size_t>();
  }

  std::vector<Value> elements() const {
    if (!json_.is_array()) fail("is not an array");
    std::vector<Value> result;
    for (const Json& element : json_) {
      result.emplace_back(element, path_, fmt::format("{}[{}]", where_, result.size()));
    }
    return result;
  }

  [[noreturn]] void fail(const std::string& rule) const {
    throw std::runtime_error(fmt::format("{}: {} {}", path_, where_.empty() ? "file" : where_, rule));
  }

 private:
  const Json& json_;
  const std::string& path_;
  std::string where_;
};

MessageClaim message_in(const Value& value) {
  MessageClaim message{value.at("from").whole_number(), value.at("to").whole_number(), {}};
  for (const Value& block : value.at("blocks").elements()) {
    const auto ends = block.elements();
    if (ends.size() != 2) block.fail("is not [source, destination]");
    message.blocks.push_back({ends[0].whole_number(), ends[1].whole_number()});
  }
  return message;
}

std::vector<MessageClaim> step_in(const Value& value) {
  std::vector<MessageClaim> step;
  for (const Value& message : value.elements()) step.push_back(message_in(message));
  return step;
}

}  // namespace

bool is_schedule(const Json& file) {
  return file.is_object() && file.contains("steps");
}

ScheduleClaims read_schedule_claims(const Json& json, const std::string& path) {
  const Value file(json, path, "");
  ScheduleClaims claims{file.at("grid").text(),
                        file.at("ports").text(),
                        file.at("tie").text(),
                        file.at("placement").text(),
                        file.at("algorithm").text(),
                        file.at("bound").at("blocks").number(),
                        file.at("bound").at("startups").whole_number(),
                        {}};
  for (const Value& step : file.at("steps").elements()) claims.steps.push_back(step_in(step));
  return claims;
}

}  // namespace cubefold::planner
