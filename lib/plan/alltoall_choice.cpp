#include "alltoall_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "machine_choice.hpp"
#include "measured_methods.hpp"
#include "node_pieces.hpp"
#include "unequal_choice.hpp"

namespace cubefold {

namespace {

/// The number of methods that measured_methods() takes from each model. Exchanges between slots send more messages than
/// those between leaders, so fewer of them are measured.
constexpr std::size_t methods_of_a_model = 3;
constexpr std::size_t slot_methods_of_a_model = 1;

constexpr const char* unmeasured_network =
    "MPI's own all-to-all: nothing is known of the network; cubefold-calibrate measures it, and "
    "CUBEFOLD_MACHINE "
    "names its file\n";

/// Returns the setup of MPI's own all-to-all. Non-blocking exchanges and packets use its schedule, which sends all
/// messages at once.
AlltoallSetup setup_of_mpi() {
  return {.method = linear_method, .backend = Backend::mpi};
}

}  // namespace

// Whether a method fits does not depend on the size of blocks.
AlltoallChooser::AlltoallChooser(JobFacts job) : setups_(std::move(job)) {
  if (!facts().requests.exchange.method) return;
  try {
    if (is_between_nodes(facts().requests.exchange.backend)) {
      requested_between_nodes(typical_bytes);
    } else {
      requested_ = setups_.plan_on(facts().placement, typical_bytes, {{*facts().requests.exchange.method}});
    }
  } catch (const std::invalid_argument& unfit) {
    refusal_ = fmt::format("{} '{}' does not fit {} processes: {}", exchange_variable,
                           facts().requests.exchange.text, facts().placement.rank_count(), unfit.what());
  }
}

/// Returns the choice of MPI's own all-to-all if that is the choice for blocks of all sizes.
std::optional<Decision> AlltoallChooser::mpi_for_all_sizes() const {
  if (facts().requests.exchange.backend == Backend::mpi) {
    return Decision::by_rule(mpi_candidate,
                             fmt::format("MPI's own all-to-all: {} says so\n", exchange_variable));
  }
  if (facts().requests.exchange.method && refusal_.empty()) return std::nullopt;
  if (facts().host_count == 1) {
    return Decision::by_rule(mpi_candidate,
                             "MPI's own all-to-all: all processes share the memory of one host\n");
  }
  if (!facts().knows_network) {
    return Decision::by_rule(
        mpi_candidate,
        fmt::format("MPI's own all-to-all: {}; `cubefold discover` writes a map of its hosts, which "
                    "CUBEFOLD_HOSTS names, or CUBEFOLD_GRID names its grid\n",
                    facts().source));
  }
  if (!facts().machine && facts().round_count() == 0)
    return Decision::by_rule(mpi_candidate, unmeasured_network);
  return std::nullopt;
}

bool AlltoallChooser::leaves_all_to_mpi() const {
  return mpi_for_all_sizes().has_value();
}

std::optional<Decision> AlltoallChooser::decided(std::size_t block_bytes) const {
  if (auto decision = mpi_for_all_sizes()) return decision;
  if (facts().requests.exchange.method && refusal_.empty()) return requested(block_bytes);
  const bool is_measurable = block_bytes > 0 && block_bytes <= std::numeric_limits<int>::max();
  if (facts().round_count() > 0 && is_measurable) return std::nullopt;
  if (!facts().sharing && facts().machine && is_measurable) return decision_by_machine(setups_, block_bytes);
  if (!facts().sharing) {
    return planned(setups_.plan_on(facts().placement, block_bytes, {}),
                   "a typical network's model says so, without measurements");
  }
  const auto candidates = between_nodes(block_bytes);
  if (!candidates.empty() && is_measurable) return between_nodes_by(candidates[0], block_bytes);
  return Decision::by_rule(mpi_candidate, "MPI's own all-to-all: several ranks share a node\n");
}

/// Returns the choice of the method that CUBEFOLD_ALLTOALL names, which fits.
Decision AlltoallChooser::requested(std::size_t block_bytes) const {
  if (!requested_) return requested_between_nodes(block_bytes);
  return planned(plan_for_size(*requested_, facts().placement, block_bytes),
                 fmt::format("{} says so", exchange_variable));
}

/// Returns this choice for a method between nodes. Throws std::invalid_argument if it does not fit.
Decision AlltoallChooser::requested_between_nodes(std::size_t block_bytes) const {
  const auto& requested = facts().requests.exchange;
  return between_nodes_by({requested.method, 0, requested.backend}, block_bytes);
}

/// Returns the choice of a method between nodes. Throws std::invalid_argument if it does not fit.
Decision AlltoallChooser::between_nodes_by(const AlltoallCandidate& candidate,
                                           std::size_t block_bytes) const {
  if (!facts().sharing) throw std::invalid_argument("no node has several of them");
  if (!facts().are_groups_on_hosts)
    throw std::invalid_argument("some nodes have several hosts, which share no memory");
  if (!bytes_between_nodes(block_bytes)) throw std::invalid_argument("a node has no memory for so many");
  const bool is_even = sharing().is_even();
  if (!is_even && candidate.backend == Backend::slots)
    throw std::invalid_argument("nodes have different numbers of them, and so of slots");
  if (!is_even && candidate.method != non_forwarding_method(groups().grid()) &&
      candidate.method->algorithm != ExchangeAlgorithm::linear)
    throw std::invalid_argument("nodes have different numbers of them, and only direct and linear fit these");
  const std::string reason = facts().requests.exchange.method ? fmt::format("{} says so", exchange_variable)
                                                              : "the planner's choice";
  AlltoallCandidate planned = candidate;
  planned.setup = setup_of(candidate, block_bytes);  // throws if the method does not fit
  return Decision::by_rule(planned,
                           fmt::format("{} ({}): {}\n", to_string(candidate), to_string(sharing()), reason));
}

std::vector<AlltoallCandidate> AlltoallChooser::best_methods(const Placement& placement,
                                                             std::size_t block_bytes,
                                                             std::size_t count_of_a_model) const {
  std::vector<AlltoallCandidate> result;
  for (const ExchangeCandidate& next :
       measured_methods(placement, block_bytes, setups_.model(), count_of_a_model)) {
    const double seconds = facts().machine ? next.seconds : 0;
    result.push_back({next.method, seconds});
    if (facts().sharing || facts().queues() == Queues::lossless || knows_no_times()) continue;
    if (next.method.algorithm != ExchangeAlgorithm::direct) continue;
    // The machine file does not say whether the queues of this network drop packets, so both ways are tried.
    const bool has_bursts = next.sync == StepSync::data || next.other_sync == StepSync::data;
    if (facts().queues() == Queues::unknown && !has_bursts)
      result.push_back({next.method, seconds, Backend::schedule, std::nullopt, unlimited_steps});
    // The clock needs the times of a machine file. Without one, a process is few steps ahead where the planner chooses
    // the clock, and more steps ahead where it chooses `data`.
    if (next.other_sync && (facts().machine || *next.other_sync == StepSync::data))
      result.push_back({next.method, seconds, Backend::schedule, next.other_sync});
  }
  return result;
}

/// Returns whether calls have to find out rate, ports and queues of the network.
bool AlltoallChooser::knows_no_times() const {
  return !facts().machine && !facts().sharing && facts().queues() == Queues::unknown;
}

/// Returns the ways to perform `direct` that calls have to try where nothing is known of rate, ports and queues: all
/// steps at once and by the clock, in the order of one port and of all ports.
std::vector<AlltoallCandidate> AlltoallChooser::direct_without_times(std::size_t block_bytes) const {
  const ExchangeMethod direct{ExchangeAlgorithm::direct, {}};
  if (!knows_no_times() || non_forwarding_method(facts().placement.grid()) != direct) return {};
  std::vector<std::optional<Ports>> orders{std::nullopt};
  if (setups_.load_of(direct, Ports::all) != setups_.load_of(direct, facts().ports))
    orders.emplace_back(Ports::all);
  const bool is_burst =
      setups_.plan_on(facts().placement, block_bytes, {{direct}}).choice().sync == StepSync::data;
  std::vector<AlltoallCandidate> result;
  for (const auto& ports : orders) {
    AlltoallCandidate at_once{direct};
    if (!is_burst || ports) at_once.window_steps = unlimited_steps;
    AlltoallCandidate by_clock{direct, 0, Backend::schedule, StepSync::clock};
    by_clock.slot_tau_seconds = 0;
    for (AlltoallCandidate candidate : {at_once, by_clock}) {
      candidate.ports = ports;
      candidate.load = setups_.load_of(direct, facts().ports);
      candidate.slot_blocks = setups_.load_of(direct, ports.value_or(facts().ports)).blocks;
      result.push_back(candidate);
    }
  }
  return result;
}

/// Returns the bytes that the largest groups exchange with each other at a time, or nothing if groups have so many
/// ranks that only small pieces of blocks would fit into their memory.
std::optional<std::size_t> AlltoallChooser::bytes_between_nodes(std::size_t block_bytes) const {
  constexpr std::size_t least_piece_bytes = 64;
  const std::size_t most = most_piece_bytes(sharing());
  if (most < least_piece_bytes) return std::nullopt;
  return sharing().largest_group() * sharing().largest_group() * std::min(block_bytes, most);
}

/// Returns the candidates between nodes. Groups of different sizes need methods that do not forward blocks.
std::vector<AlltoallCandidate> AlltoallChooser::between_nodes(std::size_t block_bytes) const {
  const auto bytes = bytes_between_nodes(block_bytes);
  if (!bytes || !facts().are_groups_on_hosts || sharing().largest_group() == 1) return {};
  if (!sharing().is_even()) return {{non_forwarding_method(groups().grid()), 0, Backend::nodes}};
  auto result = best_methods(groups(), *bytes, methods_of_a_model);
  for (AlltoallCandidate& candidate : result) candidate.backend = Backend::nodes;
  const std::size_t slots = sharing().largest_group();
  for (auto candidate : best_methods(groups(), *bytes / slots, slot_methods_of_a_model)) {
    candidate.backend = Backend::slots;
    candidate.predicted_seconds *= static_cast<double>(slots);  // the slots of a node share its links
    result.push_back(candidate);
  }
  return result;
}

std::vector<AlltoallCandidate> AlltoallChooser::candidates(std::size_t block_bytes, CallKind kind) const {
  const bool is_blocking = kind == CallKind::blocking;
  std::vector<AlltoallCandidate> result;
  if (is_blocking) result.push_back(mpi_candidate);
  const auto times = facts().machine && !facts().sharing ? plain_exchange_times(*facts().machine, block_bytes)
                                                         : std::nullopt;
  result.push_back({linear_method, times ? times->linear_seconds : 0});
  std::vector<AlltoallCandidate> others;
  if (!facts().sharing) others = best_methods(facts().placement, block_bytes, methods_of_a_model);
  if (facts().sharing && is_blocking) others = between_nodes(block_bytes);
  for (const AlltoallCandidate& other : others)
    if (is_between_nodes(other.backend) || other.method != linear_method) result.push_back(other);
  if (facts().machine || facts().sharing) return result;
  // MPI's algorithm is unknown. It gets the load of `linear`, which all have that do not forward blocks.
  for (AlltoallCandidate& each : result)
    each.load = setups_.load_of(each.method.value_or(linear_method), facts().ports);
  for (const AlltoallCandidate& each : direct_without_times(block_bytes))
    if (std::ranges::find(result, each) == result.end()) result.push_back(each);
  return result;
}

AlltoallSetup AlltoallChooser::setup_of(const AlltoallCandidate& candidate, std::size_t block_bytes) const {
  if (candidate.setup) return *candidate.setup;
  if (!candidate.method) return setup_of_mpi();
  if (!is_between_nodes(candidate.backend)) {
    return setups_.setup_of(
        setups_.plan_on(facts().placement, block_bytes, {{*candidate.method}}, candidate.ports), candidate);
  }
  AlltoallSetup setup = setup_of_mpi();
  setup.backend = candidate.backend;
  const std::size_t messages = candidate.backend == Backend::slots ? sharing().largest_group() : 1;
  const std::size_t bytes = *bytes_between_nodes(block_bytes) / messages;
  setup.between_nodes = {
      setups_.setup_of(setups_.plan_on(groups(), bytes, {{*candidate.method}}), AlltoallCandidate{})};
  return setup;
}

Decision AlltoallChooser::planned(const ExchangePlan& plan, std::string_view reason) const {
  const std::string method = to_string(plan.choice().method);
  return Decision::by_rule(setups_.candidate_of(plan), setups_.has_times(plan)
                                                           ? describe(plan)
                                                           : fmt::format("{}: {}\n", method, reason));
}

Decision AlltoallChooser::decide(CallKind kind, const ExchangeSizes& sizes) const {
  if (have_several_sizes(kind)) {
    Decision decision = for_several_sizes(kind);
    std::erase_if(decision.candidates,
                  [&](const auto& each) { return !fits(facts(), each, class_of(kind, sizes)); });
    if (decision.round_count == 0) decision.reason = rule_for(kind);
    return decision;
  }
  const std::size_t block_bytes = sizes.largest_bytes;
  if (auto decision = decided(block_bytes)) return *std::move(decision);
  return {candidates(block_bytes, kind), facts().round_count()};
}

std::string AlltoallChooser::rule_for(CallKind kind) const {
  const Decision decision = for_several_sizes(kind);
  if (decision.round_count == 0)
    return fmt::format("{} within its limits of size", to_string(decision.candidates.back()));
  std::vector<std::string> names;
  for (const AlltoallCandidate& candidate : decision.candidates) names.push_back(to_string(candidate));
  return fmt::format("measured calls choose between: {}", fmt::join(names, "; "));
}

Decision AlltoallChooser::for_several_sizes(CallKind kind) const {
  EqualBlocks equal{decided(typical_bytes)};
  if (facts().sharing && !equal.decision) equal.may_go_between_nodes = !between_nodes(typical_bytes).empty();
  return kind == CallKind::unequal ? unequal_decision(facts(), equal) : typed_decision(facts(), equal);
}

}  // namespace cubefold
