#include "grid_zone.hpp"

#include <fmt/format.h>

#include <simgrid/version.h>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <utility>

#if SIMGRID_VERSION < 40000
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#endif

using cubefold::GridNode;
using cubefold::Ports;
using simgrid::s4u::NetZone;

namespace {

/// The rate of messages from a process to itself, which therefore take practically no time.
constexpr double memory_bytes_per_second = 1e18;

/// The speed of every host. It does not matter, because only messages take time.
constexpr double flops_per_second = 1e9;

// SimGrid 4 has new names for what a zone consists of.
#if SIMGRID_VERSION < 40000
simgrid::s4u::Host* new_host(NetZone* zone, const std::string& name, double speed) {
  return zone->create_host(name, speed);
}

simgrid::s4u::Link* new_link(NetZone* zone, const std::string& name, double rate) {
  return zone->create_link(name, rate);
}

template <typename Factor>
void set_latency_factor(NetZone* zone, const Factor& factor) {
  zone->get_network_model()->set_lat_factor_cb(factor);
}
#else
simgrid::s4u::Host* new_host(NetZone* zone, const std::string& name, double speed) {
  return zone->add_host(name, speed);
}

simgrid::s4u::Link* new_link(NetZone* zone, const std::string& name, double rate) {
  return zone->add_link(name, rate);
}

template <typename Factor>
void set_latency_factor(NetZone* zone, const Factor& factor) {
  zone->set_latency_factor_cb(factor);
}
#endif

}  // namespace

GridZone::GridZone(Network network) : NetZoneImpl("grid"), network_(std::move(network)) {
  const auto node_count = network_.grid.node_count();
  // Names have leading zeros, because smpirun uses hosts in the order of their names.
  const auto digits = fmt::formatted_size("{}", node_count - 1);
  for (std::size_t node = 0; node < node_count; ++node) {
    new_host(get_iface(), fmt::format("node{:0{}}", node, digits), flops_per_second)->seal();
  }
  make_links();
  if (network_.ports == Ports::one) make_ports();
  loopback_ = new_link(get_iface(), "loopback", memory_bytes_per_second);
  loopback_->set_sharing_policy(Link::SharingPolicy::FATPIPE)->seal();
  multiply_latency_by_hops();
}

GridZone::Link* GridZone::make_link(const std::string& name, double rate) {
  Link* link = new_link(get_iface(), name, rate * network_.bytes_per_second);
  link->seal();
  return link;
}

void GridZone::make_links() {
  links_.resize(link_index_count(network_.grid));
  for (const cubefold::Link& link : cubefold::links_of(network_.grid)) {
    const std::string name = fmt::format("{}-{}", static_cast<std::uint32_t>(link.from),
                                         static_cast<std::uint32_t>(cubefold::end_of(network_.grid, link)));
    links_[link_index(network_.grid, link)] = make_link(name, cubefold::rate_of(network_.grid, link));
  }
}

void GridZone::make_ports() {
  for (std::size_t node = 0; node < network_.grid.node_count(); ++node) {
    out_.push_back(make_link(fmt::format("{}.out", node), 1));
    in_.push_back(make_link(fmt::format("{}.in", node), 1));
  }
}

void GridZone::multiply_latency_by_hops() {
  const std::size_t port_count = network_.ports == Ports::one ? 2 : 0;
  const auto hops = [port_count](double, const auto*, const auto*, const std::vector<Link*>& links,
                                 const auto&) { return static_cast<double>(links.size() - port_count); };
  set_latency_factor(get_iface(), hops);
}

void GridZone::get_local_route(const NetPoint* source, const NetPoint* destination, Route* into,
                               double* latency) {
  const auto add = [&](const Link* link) { into->link_list_.push_back(link->get_impl()); };
  if (source == destination) {
    add(loopback_);
    return;
  }
  if (latency != nullptr) *latency += network_.latency_seconds;
  if (!out_.empty()) add(out_[source->id()]);
  for (const auto& link : cubefold::route(network_.grid, static_cast<GridNode>(source->id()),
                                          static_cast<GridNode>(destination->id()), network_.tie)) {
    add(links_[link_index(network_.grid, link)]);
  }
  if (!in_.empty()) add(in_[destination->id()]);
}
