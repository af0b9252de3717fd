#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cubefold::planner {

/// The claims of a certificate about one phase. The name defines the messages, unless `lcc` or `traffic` does.
struct PhaseClaim {
  std::string name;
  double weight;
  double messages;
  std::optional<std::vector<std::string>> lcc;
  std::optional<std::vector<std::vector<double>>> traffic;  ///< from, to, messages
};

/// The claims about one order of ranks. It has a rule, a table, or both.
struct OrderClaim {
  std::string where;  ///< place of the order in the certificate, as a prefix of keys
  std::string placement;
  std::optional<std::vector<std::int64_t>> node_of_rank;
  std::vector<double> busiest_link;
  double busiest_link_together;
  double average_hops;
  double hop_bytes;
  double value;
};

/// The contents of a certificate of `cubefold map`. Only the form of the file has been checked.
struct Claims {
  std::string grid;
  std::int64_t per_node;  ///< the largest of ranks_on_node if these are listed
  std::optional<std::string> bricks;
  std::string routing;
  std::string tie;
  std::string objective;
  std::vector<PhaseClaim> phases;
  OrderClaim choice;
  double lower_bound;
  std::string bound_source;
  std::optional<bool> optimal;
  std::vector<OrderClaim> compared;
  std::vector<std::int64_t> ranks_on_node{};  ///< listed if the numbers differ, and empty otherwise
};

/// Reads the claims of a certificate. Throws std::runtime_error with the path and the place if the file has another
/// form or unknown keys, or if a compared order with a rule has another name than the rule.
Claims read_claims(const nlohmann::ordered_json& file, const std::string& path);

}  // namespace cubefold::planner
