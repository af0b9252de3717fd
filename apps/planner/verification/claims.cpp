#include "planner/verification/claims.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace cubefold::planner {

namespace {

using Json = nlohmann::ordered_json;

/// One object of the file, and where it is for complaints.
class Object {
 public:
  Object(const Json& json, std::string path, std::string where)
      : json_(json), path_(std::move(path)), where_(std::move(where)) {
    if (!json.is_object()) fail("not a JSON object");
  }

  bool has(const char* key) const { return json_.contains(key); }

  const Json& at(const char* key) const {
    if (!has(key)) fail(fmt::format("no '{}'", key));
    return json_.at(key);
  }

  /// The value as a type that JSON converts to; what it is says what it should be.
  template <typename Value>
  Value get(const char* key, const char* what) const {
    try {
      return at(key).get<Value>();
    } catch (const nlohmann::json::exception&) {
      fail(fmt::format("'{}' is not {}", key, what));
    }
  }

  std::string text(const char* key) const { return get<std::string>(key, "a text"); }
  double number(const char* key) const { return number_in(at(key), key); }

  std::int64_t whole_number(const char* key) const { return whole_number_in(at(key), key); }

  std::vector<double> numbers(const char* key) const {
    std::vector<double> result;
    for (const Json& element : list(key)) result.push_back(number_in(element, key));
    return result;
  }

  std::vector<std::int64_t> whole_numbers(const char* key) const {
    std::vector<std::int64_t> result;
    for (const Json& element : list(key)) result.push_back(whole_number_in(element, key));
    return result;
  }

  std::vector<Object> objects(const char* key) const {
    std::vector<Object> result;
    for (const Json& element : list(key)) {
      result.emplace_back(element, path_, fmt::format("{}{}[{}]: ", where_, key, result.size()));
    }
    return result;
  }

  const std::string& where() const { return where_; }

  [[noreturn]] void fail(const std::string& rule) const {
    throw std::runtime_error(fmt::format("{}: {}{}", path_, where_, rule));
  }

 private:
  const Json& list(const char* key) const {
    if (!at(key).is_array()) fail(fmt::format("'{}' is not an array", key));
    return at(key);
  }

  double number_in(const Json& value, const char* key) const {
    if (!value.is_number()) fail(fmt::format("{} in '{}' is not a number", value.dump(), key));
    return value.get<double>();
  }

  std::int64_t whole_number_in(const Json& value, const char* key) const {
    if (!value.is_number_integer()) fail(fmt::format("{} in '{}' is not a whole number", value.dump(), key));
    return value.get<std::int64_t>();
  }

  const Json& json_;
  std::string path_;
  std::string where_;
};

PhaseClaim phase_in(const Object& object) {
  PhaseClaim phase{object.text("name"), object.number("weight"), object.number("messages"), {}, {}};
  if (object.has("lcc")) {
    phase.lcc = object.get<std::vector<std::string>>("lcc", "an array of lines");
  }
  if (object.has("traffic")) {
    phase.traffic =
        object.get<std::vector<std::vector<double>>>("traffic", "an array of [from, to, messages]");
  }
  return phase;
}

OrderClaim order_in(const Object& object) {
  OrderClaim order{object.where(),
                   object.has("placement") ? object.text("placement") : "",
                   {},
                   object.numbers("busiest_link"),
                   object.number("busiest_link_together"),
                   object.number("average_hops"),
                   object.number("hop_bytes"),
                   object.number("value")};
  if (object.has("node_of_rank")) order.node_of_rank = object.whole_numbers("node_of_rank");
  if (order.placement.empty() && !order.node_of_rank) object.fail("no 'placement' and no 'node_of_rank'");
  return order;
}

std::optional<bool> optimality_in(const Object& object) {
  if (object.at("optimal") == "unknown") return std::nullopt;
  return object.get<bool>("optimal", "true, false or \"unknown\"");
}

}  // namespace

Claims read_claims(const Json& json, const std::string& path) {
  const Object file(json, path, "");
  Claims claims{file.text("grid"),
                file.whole_number("per_node"),
                file.text("routing"),
                file.text("tie"),
                file.text("objective"),
                {},
                order_in(file),
                file.number("lower_bound"),
                file.text("bound_source"),
                optimality_in(file),
                {}};
  file.at("node_of_rank");
  for (const Object& phase : file.objects("phases")) claims.phases.push_back(phase_in(phase));
  for (const Object& order : file.objects("compared")) claims.compared.push_back(order_in(order));
  return claims;
}

}  // namespace cubefold::planner
