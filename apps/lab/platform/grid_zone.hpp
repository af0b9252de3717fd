#pragma once

#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

/// The properties of a simulated network.
struct Network {
  cubefold::Grid grid;
  cubefold::Tie tie;
  cubefold::Ports ports;
  double bytes_per_second;  ///< rate of each link in each direction
  double latency_seconds;   ///< latency of each link; a message over h hops waits h times as long
};

/// The grid as a network zone of SimGrid. It has one host per node, named in the order of nodes, and one link in each
/// direction between neighbours. Messages take the routes of cubefold::route(). Nothing is stored per pair of nodes, so
/// the memory is proportional to the number of links. With one port, all messages that a node sends share one more link
/// of the same rate, and all that it receives share another; messages that pass through a node use neither.
///
/// SimGrid shares a link in inverse proportion to the latencies of its messages. For even shares, every route therefore
/// has the latency of one link, and the factor of the network model multiplies it by the number of links.
class GridZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  /// Makes hosts and links. SimGrid owns the object and deletes it at the end.
  explicit GridZone(Network network);

 private:
  using Link = simgrid::s4u::Link;
  using NetPoint = simgrid::kernel::routing::NetPoint;
  using Route = simgrid::kernel::routing::Route;

  /// Appends the links of the route. Costs O(hops).
  void get_local_route(const NetPoint* source, const NetPoint* destination, Route* into,
                       double* latency) override;
  Link* make_link(const std::string& name);
  void make_links();
  void make_ports();
  void multiply_latency_by_hops();

  Network network_;
  std::vector<Link*> links_;  ///< by link_index(); null if the grid has no such link
  std::vector<Link*> out_;    ///< by node; empty unless one-port
  std::vector<Link*> in_;
  Link* loopback_;
};
