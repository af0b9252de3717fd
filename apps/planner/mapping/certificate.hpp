#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/mapping/answer.hpp"

namespace cubefold::planner {

/// The answer with all that `cubefold verify` needs to compute it anew.
///
/// | key                                        | value                                                           |
/// |--------------------------------------------|-----------------------------------------------------------------|
/// | grid, per_node                             | the machine: nodes, and ranks on each                           |
/// | routing, tie                               | `dimension-order`; positive or balanced                         |
/// | objective                                  | busiest-links, together or hop-bytes                            |
/// | phases                                     | name, weight, messages (their sum), and for phases from files   |
/// |                                            | lcc (the lines) or traffic (from, to, messages)                 |
/// | placement, node_of_rank                    | the choice: its rule, and its table                             |
/// | busiest_link, busiest_link_together,       | its values: messages per phase; messages times weights;         |
/// | average_hops, hop_bytes, value             | value is the objective's                                        |
/// | lower_bound, bound_source                  | what no placement goes below, and why                           |
/// | optimal                                    | true: value is exactly the bound; false: one compared is better; |
/// |                                            | or "unknown"                                                    |
/// | compared                                   | the same values of others, with name and placement, which are   |
/// |                                            | the same, or the name of a file and node_of_rank                |
nlohmann::ordered_json certificate_of(const MapAnswer& answer);

}  // namespace cubefold::planner
