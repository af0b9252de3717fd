#include "planner/verification/claims.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "planner/verification/json_value.hpp"

namespace cubefold::planner {

namespace {

std::vector<std::string> lines_in(const JsonValue& array) {
  std::vector<std::string> lines;
  array.for_each([&](const JsonValue& line) { lines.push_back(line.text()); });
  return lines;
}

std::vector<std::vector<double>> traffic_in(const JsonValue& array) {
  std::vector<std::vector<double>> list;
  array.for_each([&](const JsonValue& entry) { list.push_back(entry.numbers()); });
  return list;
}

PhaseClaim phase_in(const JsonValue& phase) {
  phase.require_no_keys_but({"name", "weight", "messages", "lcc", "traffic"});
  PhaseClaim claim{
      phase.at("name").text(), phase.at("weight").number(), phase.at("messages").number(), {}, {}};
  if (phase.has("lcc")) claim.lcc = lines_in(phase.at("lcc"));
  if (phase.has("traffic")) claim.traffic = traffic_in(phase.at("traffic"));
  return claim;
}

OrderClaim order_in(const JsonValue& order) {
  const std::string place = order.place();
  OrderClaim claim{place.empty() ? "" : place + ".",
                   order.has("placement") ? order.at("placement").text() : "",
                   {},
                   order.at("busiest_link").numbers(),
                   order.at("busiest_link_together").number(),
                   order.at("average_hops").number(),
                   order.at("hop_bytes").number(),
                   order.at("value").number()};
  if (!order.has("node_of_rank")) return claim;
  claim.node_of_rank.emplace();
  order.at("node_of_rank").for_each([&](const JsonValue& node) {
    claim.node_of_rank->push_back(node.whole_number());
  });
  return claim;
}

/// Reads a compared order, which has either a rule or a table. An order with a rule has the rule as its name. An order
/// with a table may have any name.
OrderClaim compared_in(const JsonValue& order) {
  order.require_no_keys_but({"name", "placement", "node_of_rank", "busiest_link", "busiest_link_together",
                             "average_hops", "hop_bytes", "value"});
  const std::string name = order.at("name").text();
  OrderClaim claim = order_in(order);
  if (order.has("placement") == order.has("node_of_rank")) {
    order.fail("has not one of 'placement' and 'node_of_rank'");
  }
  if (order.has("placement") && name != claim.placement) order.at("name").fail("is not the placement");
  return claim;
}

/// Reads the number of ranks on each node, or the list of them if they differ.
void read_per_node(const JsonValue& value, Claims& claims) {
  if (!value.is_array()) {
    claims.per_node = value.whole_number();
    return;
  }
  value.for_each([&](const JsonValue& count) { claims.ranks_on_node.push_back(count.whole_number()); });
  if (claims.ranks_on_node.empty()) value.fail("has no numbers");
  claims.per_node = std::ranges::max(claims.ranks_on_node);
}

std::optional<bool> optimality_in(const JsonValue& optimal) {
  if (optimal.is_text("unknown")) return std::nullopt;
  return optimal.truth();
}

}  // namespace

Claims read_claims(const nlohmann::ordered_json& json, const std::string& path) {
  const JsonValue file(json, path);
  file.require_format();
  file.require_no_keys_but({"format_version", "cubefold",
                            "date",           "grid",
                            "per_node",       "bricks",
                            "routing",        "tie",
                            "objective",      "phases",
                            "placement",      "node_of_rank",
                            "busiest_link",   "busiest_link_together",
                            "average_hops",   "hop_bytes",
                            "value",          "lower_bound",
                            "bound_source",   "optimal",
                            "compared"});
  file.at("placement");
  file.at("node_of_rank");
  Claims claims{file.at("grid").text(),
                0,
                {},
                file.at("routing").text(),
                file.at("tie").text(),
                file.at("objective").text(),
                {},
                order_in(file),
                file.at("lower_bound").number(),
                file.at("bound_source").text(),
                optimality_in(file.at("optimal")),
                {}};
  read_per_node(file.at("per_node"), claims);
  if (file.has("bricks")) claims.bricks = file.at("bricks").text();
  file.at("phases").for_each([&](const JsonValue& phase) { claims.phases.push_back(phase_in(phase)); });
  file.at("compared").for_each([&](const JsonValue& order) {
    claims.compared.push_back(compared_in(order));
  });
  return claims;
}

}  // namespace cubefold::planner
