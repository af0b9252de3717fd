#include "alltoall_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "measured_methods.hpp"
#include "node_pieces.hpp"

namespace cubefold {

namespace {

/// The number of methods that measured_methods() takes from each model. Exchanges between slots send more messages than
/// those between leaders, so fewer of them are measured.
constexpr std::size_t methods_of_a_model = 3;
constexpr std::size_t slot_methods_of_a_model = 1;

/// The size of the blocks for which the exchange of blocks of unequal sizes is planned.
constexpr std::size_t typical_bytes = 64 << 10;

/// A choice that is predicted to take more than so many times the lower bound is not taken without a comparison.
constexpr double most_over_bound = 1.2;

constexpr const char* unmeasured_network =
    "MPI's own all-to-all: nothing is known of the network; cubefold-calibrate measures it, and "
    "CUBEFOLD_MACHINE "
    "names its file\n";

/// Returns the setup of MPI's own all-to-all. Non-blocking exchanges and packets use its schedule, which sends all
/// messages at once.
AlltoallSetup setup_of_mpi() {
  return {.method = {ExchangeAlgorithm::linear, {}}, .backend = Backend::mpi};
}

/// Returns a method that does not forward blocks: `direct`, or `shifted` if `direct` takes long to plan.
ExchangeMethod non_forwarding_method(const Grid& grid) {
  const auto methods = compared_methods(grid);
  const ExchangeMethod direct{ExchangeAlgorithm::direct, {}};
  const bool has_direct = std::find(methods.begin(), methods.end(), direct) != methods.end();
  return has_direct ? direct : ExchangeMethod{ExchangeAlgorithm::shifted, {}};
}

}  // namespace

std::string to_string(const AlltoallCandidate& candidate) {
  if (!candidate.method) return "MPI's own all-to-all";
  std::string method = to_string(*candidate.method);
  switch (candidate.backend) {
    case Backend::schedule:
    case Backend::mpi:
      if (candidate.sync) method += fmt::format(" by {}", to_string(*candidate.sync));
      break;
    case Backend::nodes:
      return method + " between nodes";
    case Backend::slots:
      return method + " between slots";
  }
  return method;
}

// Whether a method fits does not depend on the size of blocks.
AlltoallChooser::AlltoallChooser(JobFacts facts) : facts_(std::move(facts)) {
  if (!facts_.requested.method) return;
  try {
    requested(*facts_.requested.method, typical_bytes);
  } catch (const std::invalid_argument& unfit) {
    refusal_ = fmt::format("{} '{}' does not fit {} processes: {}", exchange_variable, facts_.requested.text,
                           facts_.placement.rank_count(), unfit.what());
  }
}

ExchangeModel AlltoallChooser::model() const {
  return facts_.machine ? exchange_model(*facts_.machine, Tie::balanced) : model_without_times();
}

ExchangeModel AlltoallChooser::model_without_times() const {
  ExchangeModel model = typical_network();
  model.network.ports = facts_.ports;
  return model;
}

std::optional<AlltoallChoice> AlltoallChooser::decided(std::size_t block_bytes) const {
  if (facts_.requested.backend == Backend::mpi) {
    return AlltoallChoice{setup_of_mpi(),
                          fmt::format("MPI's own all-to-all: {} says so\n", exchange_variable)};
  }
  if (facts_.requested.method && refusal_.empty()) return requested(*facts_.requested.method, block_bytes);
  if (facts_.host_count == 1) {
    return AlltoallChoice{setup_of_mpi(),
                          "MPI's own all-to-all: all processes share the memory of one host\n"};
  }
  if (!facts_.knows_network) {
    return AlltoallChoice{
        setup_of_mpi(),
        fmt::format("MPI's own all-to-all: {}; `cubefold discover` writes a map of its hosts, which "
                    "CUBEFOLD_HOSTS names, or CUBEFOLD_GRID names its grid\n",
                    facts_.source)};
  }
  if (!facts_.machine && facts_.round_count == 0) return AlltoallChoice{setup_of_mpi(), unmeasured_network};
  const bool is_measurable = block_bytes > 0 && block_bytes <= std::numeric_limits<int>::max();
  if (facts_.round_count > 0 && is_measurable) return std::nullopt;
  if (!facts_.sharing && facts_.machine && is_measurable) return unmeasured(block_bytes);
  if (!facts_.sharing)
    return planned(block_bytes, {}, "a typical network's model says so, without measurements");
  const auto candidates = between_nodes(block_bytes);
  if (!candidates.empty() && is_measurable) return between_nodes_by(candidates[0], block_bytes);
  return AlltoallChoice{setup_of_mpi(), "MPI's own all-to-all: several ranks share a node\n"};
}

/// Returns the fastest of the planner's choice, by its prediction, and of MPI's own all-to-all and `linear`, by the
/// times of the machine file. If the file has no such times, and the prediction is above most_over_bound times the
/// lower bound, MPI's own all-to-all is returned.
AlltoallChoice AlltoallChooser::unmeasured(std::size_t block_bytes) const {
  const ExchangePlan plan = plan_on(facts_.placement, block_bytes, {});
  const double seconds = plan.choice().seconds;
  const std::string name = to_string(plan.choice().method);
  const auto times = plain_exchange_times(*facts_.machine, block_bytes);
  if (!times && seconds > most_over_bound * plan.bound.seconds()) {
    return {setup_of_mpi(),
            fmt::format("MPI's own all-to-all: {} is predicted to take {:.3g} times the bound, and the "
                        "machine file has no times of MPI_Alltoall to compare with\n",
                        name, seconds / plan.bound.seconds())};
  }
  if (!times || seconds <= std::min(times->alltoall_seconds, times->linear_seconds))
    return choice_of(plan, "");
  const auto reason = [&](double measured) {
    return fmt::format("{:.4g} ms by the machine file; {} is predicted to take {:.4g} ms", measured * 1e3,
                       name, seconds * 1e3);
  };
  if (times->alltoall_seconds <= times->linear_seconds)
    return {setup_of_mpi(), fmt::format("MPI's own all-to-all: {}\n", reason(times->alltoall_seconds))};
  const ExchangePlan linear = plan_on(facts_.placement, block_bytes, {{{ExchangeAlgorithm::linear, {}}}});
  return {cubefold::setup_of(linear), fmt::format("linear: {}\n", reason(times->linear_seconds))};
}

/// Returns the choice of the method that CUBEFOLD_ALLTOALL names. Throws std::invalid_argument if it does not fit.
AlltoallChoice AlltoallChooser::requested(const ExchangeMethod& method, std::size_t block_bytes) const {
  if (is_between_nodes(facts_.requested.backend))
    return between_nodes_by({method, 0, facts_.requested.backend}, block_bytes);
  return planned(block_bytes, {{method}}, fmt::format("{} says so", exchange_variable));
}

/// Returns the choice of a method between nodes. Throws std::invalid_argument if it does not fit.
AlltoallChoice AlltoallChooser::between_nodes_by(const AlltoallCandidate& candidate,
                                                 std::size_t block_bytes) const {
  if (!facts_.sharing) throw std::invalid_argument("no node has several of them");
  if (!facts_.are_groups_on_hosts)
    throw std::invalid_argument("some nodes have several hosts, which share no memory");
  if (!bytes_between_nodes(block_bytes)) throw std::invalid_argument("a node has no memory for so many");
  const bool is_even = sharing().is_even();
  if (!is_even && candidate.backend == Backend::slots)
    throw std::invalid_argument("nodes have different numbers of them, and so of slots");
  if (!is_even && candidate.method != non_forwarding_method(groups().grid()) &&
      candidate.method->algorithm != ExchangeAlgorithm::linear)
    throw std::invalid_argument("nodes have different numbers of them, and only direct and linear fit these");
  const std::string reason =
      facts_.requested.method ? fmt::format("{} says so", exchange_variable) : "the planner's choice";
  return {setup_of(candidate, block_bytes),
          fmt::format("{} ({}): {}\n", to_string(candidate), to_string(sharing()), reason)};
}

std::vector<AlltoallCandidate> AlltoallChooser::best_methods(const Placement& placement,
                                                             std::size_t block_bytes,
                                                             std::size_t count_of_a_model) const {
  std::vector<AlltoallCandidate> result;
  for (const ExchangeCandidate& next : measured_methods(placement, block_bytes, model(), count_of_a_model)) {
    const double seconds = facts_.machine ? next.seconds : 0;
    result.push_back({next.method, seconds});
    if (facts_.sharing || next.method.algorithm != ExchangeAlgorithm::direct || !next.other_sync) continue;
    // The clock needs the times of a machine file. Without one, a process is few steps ahead where the planner chooses
    // the clock, and more steps ahead where it chooses `data`.
    if (facts_.machine || *next.other_sync == StepSync::data)
      result.push_back({next.method, seconds, Backend::schedule, next.other_sync});
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
  if (!bytes || !facts_.are_groups_on_hosts || sharing().largest_group() == 1) return {};
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

std::vector<AlltoallCandidate> AlltoallChooser::candidates(std::size_t block_bytes, CallKind form) const {
  const bool is_blocking = form == CallKind::blocking;
  std::vector<AlltoallCandidate> result;
  if (is_blocking) result.push_back({std::nullopt, 0, Backend::mpi});
  const ExchangeMethod linear{ExchangeAlgorithm::linear, {}};
  const auto times =
      facts_.machine && !facts_.sharing ? plain_exchange_times(*facts_.machine, block_bytes) : std::nullopt;
  result.push_back({linear, times ? times->linear_seconds : 0});
  std::vector<AlltoallCandidate> others;
  if (!facts_.sharing) others = best_methods(facts_.placement, block_bytes, methods_of_a_model);
  if (facts_.sharing && is_blocking) others = between_nodes(block_bytes);
  for (const AlltoallCandidate& other : others)
    if (is_between_nodes(other.backend) || other.method != linear) result.push_back(other);
  return result;
}

AlltoallSetup AlltoallChooser::setup_of(const AlltoallCandidate& candidate, std::size_t block_bytes) const {
  if (!candidate.method) return setup_of_mpi();
  if (!is_between_nodes(candidate.backend)) {
    const ExchangePlan plan = plan_on(facts_.placement, block_bytes, {{*candidate.method}});
    return choice_of(plan, "", candidate.sync).setup;
  }
  AlltoallSetup setup = setup_of_mpi();
  setup.backend = candidate.backend;
  const std::size_t messages = candidate.backend == Backend::slots ? sharing().largest_group() : 1;
  const std::size_t bytes = *bytes_between_nodes(block_bytes) / messages;
  setup.between_nodes = {choice_of(plan_on(groups(), bytes, {{*candidate.method}}), "").setup};
  return setup;
}

/// Returns a plan by the machine file, whose times are those of its axes, to which the slots of nodes are not counted.
/// On other axes and without a machine file, it is a plan by the model of a typical network.
ExchangePlan AlltoallChooser::plan_on(const Placement& placement, std::size_t block_bytes,
                                      const ExchangePlanOptions& options) const {
  const bool has_times = facts_.machine && placement.grid() == facts_.network();
  return plan_exchange(placement, block_bytes, has_times ? model() : model_without_times(), options);
}

AlltoallChoice AlltoallChooser::planned(std::size_t block_bytes, const ExchangePlanOptions& options,
                                        std::string_view reason) const {
  return choice_of(plan_on(facts_.placement, block_bytes, options), reason);
}

/// Returns the plan's choice. The text is the reason, or a description of the plan if it has the times of a machine.
AlltoallChoice AlltoallChooser::choice_of(const ExchangePlan& plan, std::string_view reason,
                                          std::optional<StepSync> sync) const {
  AlltoallSetup setup = cubefold::setup_of(plan, sync);
  if (facts_.machine && plan.grid == facts_.network()) return {std::move(setup), describe(plan)};
  // Without measured times the clock cannot be used. A small send_window_steps keeps processes together as far as their
  // data dependences do.
  if (setup.sync == StepSync::clock) {
    setup.sync = StepSync::data;
    setup.send_window_steps = AlltoallSetup{}.send_window_steps;
  }
  return {std::move(setup), fmt::format("{}: {}\n", to_string(plan.choice().method), reason)};
}

/// Returns a setup where ranks share nodes. Blocks travel between nodes if the choice for equal blocks, which is empty
/// if it is measured, allows it.
UnequalSetup AlltoallChooser::unequal_on_shared_nodes(const std::optional<AlltoallChoice>& choice) const {
  // The links of the grid of slots are not those of the network.
  const ExchangeMethod linear{ExchangeAlgorithm::linear, {}};
  UnequalSetup setup{planned(typical_bytes, {{linear}}, "").setup, {UnequalBackend::mpi}};
  const bool is_chosen = choice && choice->setup.backend == Backend::nodes;
  if (!is_chosen && (choice || between_nodes(typical_bytes).empty())) return setup;
  const bool is_linear = is_chosen && choice->setup.between_nodes.front().method == linear;
  const AlltoallCandidate leaders{is_linear ? linear : non_forwarding_method(groups().grid()), 0,
                                  Backend::nodes};
  setup.schedule.between_nodes = setup_of(leaders, typical_bytes).between_nodes;
  if (is_chosen) {
    setup.backends = {UnequalBackend::nodes};
  } else {
    setup.backends.push_back(UnequalBackend::nodes);
    setup.round_count = facts_.round_count;
  }
  return setup;
}

UnequalSetup AlltoallChooser::choose_for_unequal_blocks() const {
  const auto choice = decided(typical_bytes);
  if (facts_.sharing) return unequal_on_shared_nodes(choice);
  UnequalSetup setup{planned(typical_bytes, {{non_forwarding_method(facts_.placement.grid())}}, "").setup};
  if (choice && choice->setup.backend == Backend::mpi) {
    setup.backends = {UnequalBackend::mpi};
    return setup;
  }
  if (!choice) {
    setup.backends = {UnequalBackend::mpi, UnequalBackend::linear, UnequalBackend::narrow,
                      UnequalBackend::wide};
    setup.round_count = facts_.round_count;
  }
  // The times of a schedule by size are those of a machine file.
  if (facts_.machine) setup.backends.push_back(UnequalBackend::by_size);
  return setup;
}

}  // namespace cubefold
