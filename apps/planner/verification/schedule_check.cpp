#include "planner/verification/schedule_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/topology/route_table.hpp"
#include "planner/verification/chunk_values.hpp"
#include "planner/verification/edge_blocks.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/step_replay.hpp"
#include "program/shown.hpp"

namespace cubefold::planner {

namespace {

using program::shown;

class ScheduleCheck {
 public:
  explicit ScheduleCheck(const ScheduleClaims& claims) : claims_(claims) {}

  ScheduleFindings findings() {
    if (!read_words() || !read_grid() || !read_chunks() || !has_blocks_enough() || !read_placement())
      return findings_;
    replay();
    check_phase();
    check_conflicts();
    check_bound();
    return findings_;
  }

 private:
  bool is_one_port() const { return claims_.ports == "one"; }
  bool has_chunks() const { return !claims_.collective.empty(); }
  bool is_of_neighbours() const { return claims_.collective == neighbours_collective; }

  bool read_words() {
    if (claims_.ports != "one" && claims_.ports != "all") {
      faults().add("ports: '{}' is neither one nor all", shown(claims_.ports));
    }
    if (claims_.tie != "positive" && claims_.tie != "balanced") {
      faults().add("tie: '{}' is neither positive nor balanced", shown(claims_.tie));
    }
    return faults().count() == 0;
  }

  bool read_grid() {
    try {
      network_.emplace(claims_.grid, claims_.tie);
    } catch (const std::invalid_argument& error) {
      return faults().add("grid: {}", error.what());
    }
    return true;
  }

  /// Returns whether the collective is known and its chunks are as many as it can have and as a replay has memory for.
  bool read_chunks() {
    if (!has_chunks()) return true;
    if (is_of_neighbours()) return read_edges();
    const std::string& name = claims_.collective;
    const bool has_owners = name == "allgather" || name == "reduce-scatter";
    if (!has_owners && name != "allreduce") {
      return faults().add("collective: '{}' is not allreduce, reduce-scatter, allgather or neighbours",
                          shown(name));
    }
    const std::size_t nodes = network_->grid().node_count();
    const std::size_t chunks = claims_.chunk_count;
    if (chunks < 1 || chunks / 64 > nodes || chunks > 64 * nodes)
      return faults().add("chunks: {} are not 1 to 64 for each of {} nodes", chunks, nodes);
    if (has_owners && chunks % nodes != 0)
      return faults().add("chunks: {} nodes cannot have {} equally", nodes, chunks);
    if (ChunkValues::fit(nodes, chunks)) return true;
    return faults().add("chunks: the replay of {} on {} nodes takes more than 1 GiB", chunks, nodes);
  }

  /// Returns whether each chunk has an edge between nodes of the grid, or none.
  bool read_edges() {
    const std::size_t nodes = network_->grid().node_count();
    if (claims_.edges.size() != claims_.chunk_count) {
      return faults().add("edges: there are {} of {} chunks", claims_.edges.size(), claims_.chunk_count);
    }
    for (std::size_t chunk = 0; chunk < claims_.edges.size(); ++chunk) {
      const std::size_t largest = std::max(claims_.edges[chunk].source, claims_.edges[chunk].destination);
      if (largest >= nodes) return faults().add("edges[{}]: node {} is not below {}", chunk, largest, nodes);
    }
    return true;
  }

  bool read_placement() {
    try {
      (void)Placement(network_->grid(), parse_placement(claims_.placement));
    } catch (const std::invalid_argument& error) {
      return faults().add("placement: {}", error.what());
    }
    return true;
  }

  /// Compares the edges with the messages of the phase.
  void check_phase() {
    if (!is_of_neighbours()) return;
    try {
      if (const auto fault = wrong_edge(*network_, claims_)) faults().add("edges: {}", *fault);
    } catch (const std::invalid_argument& error) {
      faults().add("phase: {}", error.what());
    }
  }

  /// Returns whether the steps send at least half of the blocks or chunks that the collective has to send. This check
  /// precedes the replay, because a small file can name a grid whose nodes^2 blocks do not fit into memory.
  bool has_blocks_enough() {
    if (is_of_neighbours()) return true;  // the file has an edge for each block
    std::size_t moved = 0;
    for (const auto& step : claims_.steps) {
      for (const MessageClaim& message : step) moved += message.count();
    }
    const std::size_t nodes = network_->grid().node_count();
    const std::size_t least = (has_chunks() ? claims_.chunk_count : nodes) * (nodes - 1);
    if (moved >= least / 2) return true;
    return faults().add("steps: {} {} are sent, less than half of the {} of {}", moved,
                        has_chunks() ? "chunks" : "blocks", least,
                        has_chunks() ? claims_.collective : "a complete exchange");
  }

  void replay() {
    StepReplay replay(*network_, claims_);
    for (std::size_t step = 0; step < claims_.steps.size(); ++step) replay_step(step, replay);
    // An error in a message also misplaces blocks, so misplaced blocks are reported only if there is no other error.
    const auto undelivered = replay.undelivered();
    if (undelivered && faults().count() == 0) faults().add("steps: {}", *undelivered);
    findings_.busiest_link_blocks = replay.busiest_link_blocks();
  }

  void replay_step(std::size_t step, StepReplay& replay) {
    const StepClaim& messages = claims_.steps[step];
    replay.begin_step();
    std::size_t largest = 0;
    std::vector<bool> is_wrong(messages.size());
    const auto place_of = [&](std::size_t index) { return fmt::format("steps[{}][{}]", step, index); };
    for (std::size_t index = 0; index < messages.size(); ++index) {
      is_wrong[index] = add(place_of(index), replay.send(index, messages[index]));
      largest = std::max(largest, messages[index].count());
    }
    for (std::size_t index = 0; index < messages.size(); ++index) {
      const auto fault = replay.arrive(index, messages[index]);
      if (fault && !is_wrong[index]) faults().add("{}: {}", place_of(index), *fault);
    }
    findings_.message_count += messages.size();
    findings_.block_times += largest;
  }

  /// Adds at most one error of a message, and returns whether it has one. A conflict is no error if the file says that
  /// it has some.
  bool add(const std::string& place, const MessageFaults& message) {
    if (message.conflict && findings_.conflict_count++ == 0)
      findings_.first_conflict = fmt::format("{}: {}", place, *message.conflict);
    const auto& fault = message.conflict && !claims_.has_conflicts ? message.conflict : message.other;
    if (fault) faults().add("{}: {}", place, *fault);
    return fault.has_value();
  }

  void check_conflicts() {
    if (claims_.has_conflicts && findings_.conflict_count == 0)
      faults().add("has_conflicts: true is claimed, but no port and no link has two messages in a step");
  }

  double least_blocks() const {
    if (is_of_neighbours()) return proven_edge_times(*network_, claims_);
    return has_chunks() ? proven_chunk_times(*network_, claims_)
                        : proven_block_times(*network_, is_one_port());
  }

  std::size_t least_startups() const {
    if (!is_of_neighbours()) return proven_startups(*network_, is_one_port());
    const auto travels = [](const EdgeClaim& edge) { return edge.source != edge.destination; };
    return std::ranges::any_of(claims_.edges, travels) ? 1 : 0;
  }

  void check_bound() {
    faults().compare("bound.blocks", claims_.bound_blocks, least_blocks());
    const std::size_t startups = least_startups();
    if (claims_.bound_startups == startups) return;
    faults().add("bound.startups: {} is claimed, {} is right", claims_.bound_startups, startups);
  }

  Faults& faults() { return findings_.faults; }

  const ScheduleClaims& claims_;
  ScheduleFindings findings_;
  std::optional<Network> network_;
};

}  // namespace

ScheduleFindings findings_of(const ScheduleClaims& claims) {
  return ScheduleCheck(claims).findings();
}

namespace {

double by_cuts(const Grid& grid) {
  double most = 0;
  for (const Axis& axis : grid.axes()) {
    const std::size_t layer = grid.node_count() / axis.extent;
    const std::size_t sides = axis.ends == Ends::wrapped && axis.extent > 2 ? 2 : 1;
    for (std::size_t inside = layer; inside < grid.node_count(); inside += layer) {
      const double leaving = static_cast<double>(inside) * static_cast<double>(grid.node_count() - inside);
      most = std::max(most, leaving / static_cast<double>(sides * layer));
    }
  }
  return most;
}

/// Returns the hops between every two vertices of a grid with a route table, by any routes.
std::vector<std::vector<std::size_t>> distances(const RouteTable& table) {
  const std::size_t far = table.vertex_count();
  std::vector<std::vector<std::size_t>> hops(far, std::vector<std::size_t>(far, far));
  for (std::size_t node = 0; node < far; ++node) hops[node][node] = 0;
  for (const TableLink& link : table.links()) hops[link.from][link.to] = 1;
  for (std::size_t via = 0; via < far; ++via) {
    for (std::size_t from = 0; from < far; ++from) {
      for (std::size_t to = 0; to < far; ++to)
        hops[from][to] = std::min(hops[from][to], hops[from][via] + hops[via][to]);
    }
  }
  return hops;
}

/// Returns the messages of an all-to-all that leave a set of vertices, over the rates of the links that do.
template <typename IsInside>
double by_cut(const RouteTable& table, IsInside is_inside) {
  double inside = 0;
  double rates = 0;
  for (std::size_t node = 0; node < table.node_count(); ++node) inside += is_inside(node) ? 1 : 0;
  for (const TableLink& link : table.links())
    if (is_inside(link.from) && !is_inside(link.to)) rates += link.rate;
  const double outside = static_cast<double>(table.node_count()) - inside;
  return rates > 0 ? inside * outside / rates : 0;
}

/// Returns for every vertex the node whose coordinates it has in a cut: a switch is with its first neighbour.
std::vector<std::size_t> nodes_at(const RouteTable& table) {
  std::vector<std::size_t> nodes(table.vertex_count(), table.node_count());
  for (std::size_t node = 0; node < table.node_count(); ++node) nodes[node] = node;
  for (const TableLink& link : table.links())
    if (link.to >= table.node_count()) nodes[link.to] = std::min(nodes[link.to], std::size_t{link.from});
  for (std::size_t& node : nodes)
    if (node >= table.node_count()) node = 0;
  return nodes;
}

double by_table(const Grid& grid) {
  const RouteTable& table = *grid.route_table();
  const auto hops = distances(table);
  double sum = 0;
  double rates = 0;
  double most = 0;
  for (const TableLink& link : table.links()) rates += link.rate;
  for (std::size_t to = 0; to < table.node_count(); ++to) {
    std::size_t farthest = 0;
    for (std::size_t from = 0; from < table.node_count(); ++from) {
      sum += static_cast<double>(hops[from][to]);
      farthest = std::max(farthest, hops[from][to]);
    }
    for (std::size_t distance = 1; distance <= farthest; ++distance)
      most = std::max(most, by_cut(table, [&](std::size_t vertex) { return hops[vertex][to] >= distance; }));
  }
  std::size_t stride = 1;
  const auto node_at = nodes_at(table);
  for (const Axis& axis : grid.axes()) {
    for (std::size_t first = 1; first < axis.extent; ++first) {
      most = std::max(most, by_cut(table, [&](std::size_t vertex) {
                        return node_at[vertex] / stride % axis.extent >= first;
                      }));
    }
    stride *= axis.extent;
  }
  return std::max(most, rates > 0 ? sum / rates : 0);
}

/// Returns the rate at which the node with the slowest links sends over all of them.
double least_rate(const Network& network) {
  const RouteTable* table = network.grid().route_table();
  if (table == nullptr) return static_cast<double>(std::ranges::min(network.link_counts()));
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t node = 0; node < table->node_count(); ++node) {
    double rate = 0;
    for (std::size_t link = table->first_link(node); link < table->first_link(node + 1); ++link)
      rate += table->links()[link].rate;
    least = std::min(least, rate);
  }
  return least;
}

double by_ports(const Network& network, bool is_one_port) {
  const auto links = network.link_counts();
  const std::size_t fewest = is_one_port ? 1 : *std::ranges::min_element(links);
  return static_cast<double>(links.size() - 1) / static_cast<double>(std::max<std::size_t>(fewest, 1));
}

}  // namespace

double proven_block_times(const Network& network, bool is_one_port) {
  if (network.grid().route_table() != nullptr) {
    const double port_blocks = is_one_port ? static_cast<double>(network.grid().node_count() - 1) : 0;
    return std::max(by_table(network.grid()), port_blocks);
  }
  return std::max(by_cuts(network.grid()), by_ports(network, is_one_port));
}

double proven_chunk_times(const Network& network, const ScheduleClaims& claims) {
  const Grid& grid = network.grid();
  const double ways = claims.collective == "allreduce" ? 2 : 1;
  const auto nodes = static_cast<double>(grid.node_count());
  const auto share_of_others = [](double count) { return (count - 1) / count; };
  const double least = claims.ports == "one" ? 1 : least_rate(network);
  double most = share_of_others(nodes) / std::max(least, 1.0);
  if (grid.route_table() != nullptr) return ways * static_cast<double>(claims.chunk_count) * most;
  for (const Axis& axis : grid.axes()) {
    const double sides = axis.ends == Ends::wrapped && axis.extent > 2 ? 2 : 1;
    most = std::max(most, share_of_others(axis.extent) / (sides * nodes / axis.extent));
  }
  return ways * static_cast<double>(claims.chunk_count) * most;
}

std::size_t proven_startups(const Network& network, bool is_one_port) {
  const auto links = network.link_counts();
  const std::size_t passed_on_to = is_one_port ? 1 : *std::ranges::max_element(links);
  std::size_t startups = 0;
  for (std::size_t reached = 1; reached < links.size(); reached += reached * passed_on_to) ++startups;
  return startups;
}

}  // namespace cubefold::planner
