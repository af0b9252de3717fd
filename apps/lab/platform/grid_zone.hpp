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
  double bytes_per_second;  ///< rate of a link of rate 1 in each direction
  double latency_seconds;   ///< latency of each link; a message over h hops has h times this latency
};

/// The grid as a network zone of SimGrid. It has one host per node, named in the order of nodes, and one link in each
/// direction between neighbours. Switches have links and no host. Messages take the routes of cubefold::route(). On
/// meshes and tori no data is stored for pairs of nodes, so the memory is proportional to the number of links. With one
/// port, a node has two more links of the same rate. One carries all messages that the node sends, and the other
/// carries all messages that it receives. Messages that pass through the node use neither.
///
/// SimGrid shares a link in inverse proportion to the latencies of its messages. For even shares, every route therefore
/// has the latency of one link, and the factor of the network model multiplies it by the number of links.
class GridZone : public simgrid::kernel::routing::NetZoneImpl {
 public:
  /// Makes hosts and links. SimGrid owns the zone and deletes it at the end.
  explicit GridZone(Network network);

 private:
  using Link = simgrid::s4u::Link;
  using NetPoint = simgrid::kernel::routing::NetPoint;
  using Route = simgrid::kernel::routing::Route;

  /// Appends the links of the route to `into`, and adds the latency of one link to `latency`. Costs O(hops).
  void get_local_route(const NetPoint* source, const NetPoint* destination, Route* into,
                       double* latency) override;

  /// Makes a link of `rate` times the network's rate.
  Link* make_link(const std::string& name, double rate);
  void make_links();
  void make_ports();
  void multiply_latency_by_hops();

  Network network_;
  std::vector<Link*> links_;  ///< by link_index(); null if the grid has no such link
  std::vector<Link*> out_;    ///< sending port of each node; empty unless one-port
  std::vector<Link*> in_;     ///< receiving port of each node; empty unless one-port
  Link* loopback_;
};
