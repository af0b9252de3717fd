#include "planner/verification/edge_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/topology/route_table.hpp"
#include "planner/verification/messages.hpp"

namespace cubefold::planner {

EdgeBlocks::EdgeBlocks(const std::vector<EdgeClaim>& edges) : edges_(edges) {
  for (const EdgeClaim& edge : edges) holders_.push_back(edge.source);
}

std::optional<std::string> EdgeBlocks::why_not_sent(std::size_t chunk, std::size_t from) const {
  const std::size_t holder = holders_[chunk];
  if (!edges_[chunk].exists) return fmt::format("chunk {} has no edge", chunk);
  if (holder == under_way) return fmt::format("chunk {} is sent a second time in the step", chunk);
  if (holder != from) return fmt::format("chunk {} is on node {}, not on {}", chunk, holder, from);
  if (holder == edges_[chunk].destination) return fmt::format("chunk {} leaves its destination", chunk);
  return std::nullopt;
}

std::optional<std::string> EdgeBlocks::send(std::size_t /*index*/, const MessageClaim& message) {
  std::optional<std::string> fault;
  for (const std::size_t chunk : message.chunks) {
    if (!fault) fault = why_not_sent(chunk, message.from);
    holders_[chunk] = under_way;
  }
  if (!fault && message.reduces) return "a message reduces, but blocks of neighbours are not reduced";
  return fault;
}

std::optional<std::string> EdgeBlocks::arrive(std::size_t /*index*/, const MessageClaim& message) {
  for (const std::size_t chunk : message.chunks) holders_[chunk] = message.to;
  return std::nullopt;
}

std::optional<std::string> EdgeBlocks::missing() const {
  std::optional<std::size_t> first;
  std::size_t count = 0;
  for (std::size_t chunk = 0; chunk < edges_.size(); ++chunk) {
    if (!edges_[chunk].exists || holders_[chunk] == edges_[chunk].destination) continue;
    if (!first) first = chunk;
    ++count;
  }
  if (!first) return std::nullopt;
  return fmt::format("chunk {} for node {} is on node {} at the end; not at their destinations are {}",
                     *first, edges_[*first].destination, holders_[*first], count);
}

namespace {

using Pair = std::pair<std::size_t, std::size_t>;

/// Returns the least hops of a block by any route.
std::size_t least_hops(const Network& network, const EdgeClaim& edge) {
  const RouteTable* table = network.grid().route_table();
  if (table == nullptr) return network.hops(edge.source, edge.destination);
  std::vector<std::size_t> reached{edge.source};
  std::vector<bool> is_met(table->vertex_count());
  is_met[edge.source] = true;
  for (std::size_t hops = 0; !reached.empty(); ++hops) {
    if (is_met[edge.destination]) return hops;
    std::vector<std::size_t> next;
    for (const std::size_t vertex : reached) {
      for (std::size_t link = table->first_link(vertex); link < table->first_link(vertex + 1); ++link) {
        const std::size_t to = table->links()[link].to;
        if (!is_met[to]) next.push_back(to);
        is_met[to] = true;
      }
    }
    reached = std::move(next);
  }
  return 0;
}

/// Returns the rates of the links out of every vertex.
std::vector<double> rates_out(const Network& network) {
  const RouteTable* table = network.grid().route_table();
  if (table == nullptr) {
    const auto counts = network.link_counts();
    return {counts.begin(), counts.end()};
  }
  std::vector<double> rates(table->vertex_count());
  for (const TableLink& link : table->links()) rates[link.from] += link.rate;
  return rates;
}

}  // namespace

std::optional<std::string> wrong_edge(const Network& network, const ScheduleClaims& claims) {
  const Placement placement(network.grid(), parse_placement(claims.placement));
  const PhaseClaim phase{claims.phase, 1, 0, std::nullopt, std::nullopt};
  if (messages_at_most(phase, placement.rank_count()) > most_messages)
    return fmt::format("the phase has more than {} messages", most_messages);
  std::map<Pair, double> lacking;  // blocks of the phase less those of the edges
  const auto node_of = [&](std::size_t rank) {
    return static_cast<std::size_t>(placement.node_of(Rank{static_cast<std::uint32_t>(rank)}));
  };
  for (const SentMessages& each : messages_of(phase, placement.rank_count()))
    lacking[{node_of(each.from), node_of(each.to)}] += each.messages;
  for (const EdgeClaim& edge : claims.edges)
    if (edge.exists && edge.source != edge.destination) lacking[{edge.source, edge.destination}] -= 1;
  const auto wrong = std::ranges::find_if(lacking, [](const auto& each) { return each.second != 0; });
  if (wrong == lacking.end()) return std::nullopt;
  const auto& [ends, blocks] = *wrong;
  return fmt::format("from node {} to node {} are {} blocks {} than in the phase", ends.first, ends.second,
                     blocks > 0 ? blocks : -blocks, blocks > 0 ? "fewer" : "more");
}

double proven_edge_times(const Network& network, const ScheduleClaims& claims) {
  const std::vector<double> rates = rates_out(network);
  double all_rates = 0;
  for (const double rate : rates) all_rates += rate;
  std::vector<double> sent(rates.size());
  double hops = 0;
  for (const EdgeClaim& edge : claims.edges) {
    if (!edge.exists || edge.source == edge.destination) continue;
    ++sent[edge.source];
    hops += static_cast<double>(least_hops(network, edge));
  }
  double most = hops > 0 ? hops / all_rates : 0;
  for (std::size_t node = 0; node < rates.size(); ++node)
    if (sent[node] > 0) most = std::max(most, sent[node] / (claims.ports == "one" ? 1 : rates[node]));
  return most;
}

}  // namespace cubefold::planner
