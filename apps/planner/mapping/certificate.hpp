#pragma once

#include <nlohmann/json_fwd.hpp>

#include "planner/mapping/answer.hpp"

namespace cubefold::planner {

/// Returns the answer with all data that `cubefold verify` needs to compute it again.
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
/// | lower_bound, bound_source                  | the lower bound of all placements, and its reason               |
/// | optimal                                    | true: value is exactly the bound; false: a compared order is    |
/// |                                            | better; or "unknown"                                            |
/// | compared                                   | the same values of other orders. `name` is the placement, or it |
/// |                                            | is a file, and node_of_rank has the table                       |
nlohmann::ordered_json certificate_of(const MapAnswer& answer);

}  // namespace cubefold::planner
