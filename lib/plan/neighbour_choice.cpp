#include "neighbour_choice.hpp"

#include <fmt/format.h>

#include <utility>

namespace cubefold {

namespace {

constexpr const char* by_mpi = "MPI's own function";

Decision left_to_mpi(const std::string& reason) {
  return {.candidates = {{.backend = Backend::mpi}}, .reason = fmt::format("{}: {}", by_mpi, reason)};
}

/// Returns the placement of ranks that are other ranks of a placement.
Placement renumbered(const Placement& placement, const std::vector<Rank>& ranks) {
  PlacementRule rule;
  for (const Rank rank : ranks) rule.nodes.push_back(placement.node_of(rank));
  return {placement.grid(), std::move(rule)};
}

}  // namespace

std::string reason_for_neighbours_of_mpi(const JobFacts& facts) {
  const RequestedNeighbours& requested = facts.requests.neighbours;
  if (requested.is_mpi) return fmt::format("{} says so", neighbours_variable);
  if (requested.method) return "";
  if (facts.host_count == 1) return "all processes share the memory of one host";
  if (!facts.knows_network) return facts.source;
  return facts.sharing ? "ranks share nodes" : "";
}

ExchangeModel neighbour_model(const JobFacts& facts) {
  if (facts.machine) return exchange_model(*facts.machine, Tie::balanced);
  ExchangeModel model = typical_network();
  model.network.ports = facts.ports;
  return model;
}

NeighbourChooser::NeighbourChooser(const JobFacts& facts, std::optional<NeighbourGrid> edges,
                                   const std::vector<Rank>& ranks)
    : facts_(facts),
      reason_of_mpi_(reason_for_neighbours_of_mpi(facts)),
      edges_(std::move(edges)),
      model_(neighbour_model(facts)) {
  if (edges_) placement_ = renumbered(facts.placement, ranks);
}

bool NeighbourChooser::leaves_all_to_mpi() const {
  if (!reason_of_mpi_.empty()) return true;
  return !edges_ && facts_.requests.neighbours.method != NeighbourMethod::direct;
}

/// Returns the predicted time if a message takes so many times the gap.
double NeighbourChooser::seconds(NeighbourMethod method, const std::vector<std::uint64_t>& edge_bytes,
                                 double gaps) const {
  return neighbour_cost(*edges_, method, *placement_, model_.network, edge_bytes)
      .seconds(model_.alpha_seconds, gaps * model_.gap_seconds, model_.slowest_tau(),
               model_.copy_seconds_per_byte);
}

bool NeighbourChooser::gains_by_combining(const std::vector<std::uint64_t>& edge_bytes) const {
  return edges_ && seconds(NeighbourMethod::combined, edge_bytes) * least_gain <=
                       seconds(NeighbourMethod::direct, edge_bytes);
}

Decision NeighbourChooser::decide(const std::vector<std::uint64_t>& edge_bytes) const {
  const auto& requested = facts_.requests.neighbours.method;
  if (!reason_of_mpi_.empty()) return left_to_mpi(reason_of_mpi_);
  if (!edges_ && requested != NeighbourMethod::direct)
    return left_to_mpi("no stencil is recognised whose messages could be combined");
  if (requested) {
    return {.candidates = {{.neighbour_method = requested}},
            .reason = fmt::format("{}: {} says so", to_string(*requested), neighbours_variable)};
  }
  const double direct = seconds(NeighbourMethod::direct, edge_bytes);
  const double combined = seconds(NeighbourMethod::combined, edge_bytes);
  const std::string times =
      fmt::format("combined messages are predicted to take {:.4g} ms, and direct ones {:.4g} ms",
                  combined * 1e3, direct * 1e3);
  const AlltoallCandidate ours{.predicted_seconds = facts_.machine ? combined : 0,
                               .neighbour_method = NeighbourMethod::combined};
  const std::size_t rounds = facts_.requests.round_count.value_or(least_rounds);
  if (rounds == 0 && gains_by_combining(edge_bytes))
    return {.candidates = {ours}, .reason = fmt::format("combined: {}", times)};
  const bool may_gain = seconds(NeighbourMethod::combined, edge_bytes, most_gap) <=
                        seconds(NeighbourMethod::direct, edge_bytes, most_gap);
  if (rounds == 0 || !may_gain) return left_to_mpi(times);
  return {.candidates = {{.backend = Backend::mpi}, ours}, .round_count = rounds};
}

NeighbourMethod NeighbourChooser::method_of_requests(const std::vector<std::uint64_t>& edge_bytes) const {
  const auto& requested = facts_.requests.neighbours.method;
  if (requested && (edges_ || requested == NeighbourMethod::direct)) return *requested;
  const bool combines = reason_of_mpi_.empty() && gains_by_combining(edge_bytes);
  return combines ? NeighbourMethod::combined : NeighbourMethod::direct;
}

}  // namespace cubefold
