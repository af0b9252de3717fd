#pragma once

#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <vector>

#include "cubefold/schedule/conflict.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

/// What a simulated network is like.
struct Network {
  cubefold::Grid grid;
  cubefold::Tie tie;
  cubefold::Ports ports;
  double bytes_per_second;  ///< of each link, each way
  double latency_seconds;   ///< of each link: a message of h hops waits h times as long
};

/// A grid as SimGrid sees it: one host per node, named in the order of nodes, and one link each way between
/// neighbours. Messages go where cubefold::route() says; nothing is stored per pair, so a grid costs memory for its
/// links only. With one port, all that a node sends goes through one more link of the same rate, and all that it
/// receives through another; what passes through a node uses neither.
///
/// SimGrid shares a link in inverse proportion to the latencies of its messages. That of every route is therefore given
/// as that of one link, for even shares, and the factor of the network model makes it that of all its links.
class GridZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  /// Makes hosts and links. SimGrid owns it and deletes it at the end.
  explicit GridZone(Network network);

 private:
  using Link = simgrid::s4u::Link;
  using NetPoint = simgrid::kernel::routing::NetPoint;
  using Route = simgrid::kernel::routing::Route;

  /// Appends the links of the route. O(hops).
  void get_local_route(const NetPoint* source, const NetPoint* destination, Route* into,
                       double* latency) override;
  Link* make_link(const std::string& name);
  void make_links();
  void make_ports();
  void multiply_latency_by_hops();

  Network network_;
  std::vector<Link*> links_;  ///< by link_index(), null where the grid has none
  std::vector<Link*> out_;    ///< by node; empty unless one-port
  std::vector<Link*> in_;
  Link* loopback_;
};
