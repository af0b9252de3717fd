#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cubefold::planner {

/// What a certificate says of one phase. Its messages are those of the name, unless lines or a list define them.
struct PhaseClaim {
  std::string name;
  double weight;
  double messages;
  std::optional<std::vector<std::string>> lcc;
  std::optional<std::vector<std::vector<double>>> traffic;  ///< from, to, messages
};

/// What it says of one order of ranks: a rule, a table, or both.
struct OrderClaim {
  std::string where;  ///< in the certificate, ahead of a key
  std::string placement;
  std::optional<std::vector<std::int64_t>> node_of_rank;
  std::vector<double> busiest_link;
  double busiest_link_together;
  double average_hops;
  double hop_bytes;
  double value;
};

/// A certificate of `cubefold map` as it stands in its file, believed in nothing but its form.
struct Claims {
  std::string grid;
  std::int64_t per_node;
  std::string routing;
  std::string tie;
  std::string objective;
  std::vector<PhaseClaim> phases;
  OrderClaim choice;
  double lower_bound;
  std::string bound_source;
  std::optional<bool> optimal;
  std::vector<OrderClaim> compared;
};

/// Reads them. Throws std::runtime_error with the path and the place for a file of another form. That is also one with
/// other keys, and one in which the name of an order that is compared by its rule is another than the rule.
Claims read_claims(const nlohmann::ordered_json& file, const std::string& path);

}  // namespace cubefold::planner
