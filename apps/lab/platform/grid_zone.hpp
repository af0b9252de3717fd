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
/// receives through another; both are without latency, and what passes through a node uses neither.
class GridZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  /// Makes hosts and links. SimGrid owns it and deletes it at the end.
  explicit GridZone(Network network);

 private:
  using Link = simgrid::s4u::Link;
  using NetPoint = simgrid::kernel::routing::NetPoint;
  using Route = simgrid::kernel::routing::Route;

  /// Appends the links of the route and adds their latency. O(hops).
  void get_local_route(const NetPoint* source, const NetPoint* destination, Route* into,
                       double* latency) override;
  Link* make_link(const std::string& name, double latency_seconds);
  void make_links();
  void make_ports();

  Network network_;
  std::vector<Link*> links_;  ///< by link_index(), null where the grid has none
  std::vector<Link*> out_;    ///< by node; empty unless one-port
  std::vector<Link*> in_;
  Link* loopback_;
};
