#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "calibrate/check/host_streams.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold::map_check {

/// Says which way messages go halfway round a ring, where both ways are equally short: by a rule, or unknown.
using TieRule = std::optional<Tie>;

/// Describes a link that a stream uses or, where the tie rule is unknown, may use.
struct RouteLink {
  std::size_t link;  ///< link_index()
  double share;      ///< rate of the slowest link of the route over the rate of this one
  bool is_sure;      ///< false if the stream may go the other way
};

/// Computes the routes of a network, and remembers them. The network has to outlive it.
class Routes {
 public:
  explicit Routes(const Grid& network) : network_(&network) {}

  const std::vector<RouteLink>& between(GridNode from, GridNode to, TieRule tie = {});

 private:
  const Grid* network_;
  std::array<std::unordered_map<std::uint64_t, std::vector<RouteLink>>, 3> known_;  ///< for each tie rule
};

/// Says which streams of a round slow each other.
struct Prediction {
  /// The streams of each link that they surely ask for at least 1.9 times its rate, in ascending order. Whatever the
  /// network does, one of them takes that much longer than alone. No set occurs twice.
  std::vector<std::vector<std::size_t>> slow_sets;
  std::vector<bool>
      meets_on_link;  ///< for each stream, whether it may use a link that may be asked for more than its rate
  std::vector<bool>
      meets_at_host;  ///< for each stream, whether another one has the same first host, or the same last

  /// Returns whether a stream may take longer than alone. Where hosts have one port, streams with a common end may slow
  /// each other.
  bool may_be_slow(std::size_t stream, Ports ports) const {
    return meets_on_link[stream] || (ports == Ports::one && meets_at_host[stream]);
  }
};

/// Predicts a round for hosts on these nodes. A stream asks each of its links for the rate of the slowest of them.
/// Costs O(h log h) for h hops of all streams.
Prediction predict(Routes& routes, const NodeOfHost& nodes, const Round& round, TieRule tie = {});

/// Returns the streams that contradict a prediction: one set for each stream that should be alone and takes longer, and
/// each set of streams of which one should take longer, and none does. Times count by their medians; factors between
/// 1.4 and 1.6 contradict nothing.
std::vector<std::vector<std::size_t>> contradictions(const Prediction& prediction, Ports ports,
                                                     const Observation& observation);

/// Returns whether two predictions cannot both be right.
bool exclude_each_other(const Prediction& one, const Prediction& other, Ports ports);

}  // namespace cubefold::map_check
