#include "alltoall_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "lossless_gain.hpp"
#include "lossless_times.hpp"
#include "measured_methods.hpp"
#include "node_pieces.hpp"

namespace cubefold {

namespace {

/// The number of methods that measured_methods() takes from each model. Exchanges between slots send more messages than
/// those between leaders, so fewer of them are measured.
constexpr std::size_t methods_of_a_model = 3;
constexpr std::size_t slot_methods_of_a_model = 1;

/// A choice that is predicted to take more than so many times the lower bound is not taken without a comparison.
constexpr double most_over_bound = 1.2;

constexpr const char* unmeasured_network =
    "MPI's own all-to-all: nothing is known of the network; cubefold-calibrate measures it, and "
    "CUBEFOLD_MACHINE "
    "names its file\n";

const ExchangeMethod linear_method{ExchangeAlgorithm::linear, {}};
const AlltoallCandidate mpi_candidate{std::nullopt, 0, Backend::mpi};

/// A method is chosen in place of one whose time was measured if it is predicted to gain so much.
constexpr double least_promised_gain = 1.05;

/// Returns the setup of MPI's own all-to-all. Non-blocking exchanges and packets use its schedule, which sends all
/// messages at once.
AlltoallSetup setup_of_mpi() {
  return {.method = linear_method, .backend = Backend::mpi};
}

/// Returns a method that does not forward blocks: `direct`, or `shifted` if `direct` takes long to plan.
ExchangeMethod non_forwarding_method(const Grid& grid) {
  const auto methods = compared_methods(grid);
  const ExchangeMethod direct{ExchangeAlgorithm::direct, {}};
  const bool has_direct = std::find(methods.begin(), methods.end(), direct) != methods.end();
  return has_direct ? direct : ExchangeMethod{ExchangeAlgorithm::shifted, {}};
}

}  // namespace

// Whether a method fits does not depend on the size of blocks.
AlltoallChooser::AlltoallChooser(JobFacts facts) : facts_(std::move(facts)) {
  if (!facts_.requests.exchange.method) return;
  try {
    if (is_between_nodes(facts_.requests.exchange.backend)) {
      requested_between_nodes(typical_bytes);
    } else {
      requested_ = plan_on(facts_.placement, typical_bytes, {{*facts_.requests.exchange.method}});
    }
  } catch (const std::invalid_argument& unfit) {
    refusal_ = fmt::format("{} '{}' does not fit {} processes: {}", exchange_variable,
                           facts_.requests.exchange.text, facts_.placement.rank_count(), unfit.what());
  }
}

ExchangeModel AlltoallChooser::model() const {
  if (!facts_.machine) return model_without_times();
  ExchangeModel model = exchange_model(*facts_.machine, Tie::balanced);
  model.queues = facts_.queues();
  return model;
}

ExchangeModel AlltoallChooser::model_without_times() const {
  ExchangeModel model = typical_network();
  model.network.ports = facts_.ports;
  return model;
}

/// Returns the choice of MPI's own all-to-all if that is the choice for blocks of all sizes.
std::optional<AlltoallChooser::Choice> AlltoallChooser::mpi_for_all_sizes() const {
  if (facts_.requests.exchange.backend == Backend::mpi) {
    return Choice{mpi_candidate, fmt::format("MPI's own all-to-all: {} says so\n", exchange_variable)};
  }
  if (facts_.requests.exchange.method && refusal_.empty()) return std::nullopt;
  if (facts_.host_count == 1) {
    return Choice{mpi_candidate, "MPI's own all-to-all: all processes share the memory of one host\n"};
  }
  if (!facts_.knows_network) {
    return Choice{
        mpi_candidate,
        fmt::format("MPI's own all-to-all: {}; `cubefold discover` writes a map of its hosts, which "
                    "CUBEFOLD_HOSTS names, or CUBEFOLD_GRID names its grid\n",
                    facts_.source)};
  }
  if (!facts_.machine && facts_.round_count() == 0) return Choice{mpi_candidate, unmeasured_network};
  return std::nullopt;
}

bool AlltoallChooser::leaves_all_to_mpi() const {
  return mpi_for_all_sizes().has_value();
}

std::optional<AlltoallChooser::Choice> AlltoallChooser::decided(std::size_t block_bytes) const {
  if (auto choice = mpi_for_all_sizes()) return choice;
  if (facts_.requests.exchange.method && refusal_.empty()) return requested(block_bytes);
  const bool is_measurable = block_bytes > 0 && block_bytes <= std::numeric_limits<int>::max();
  if (facts_.round_count() > 0 && is_measurable) return std::nullopt;
  if (!facts_.sharing && facts_.machine && is_measurable) return unmeasured(block_bytes);
  if (!facts_.sharing) {
    return planned(plan_on(facts_.placement, block_bytes, {}),
                   "a typical network's model says so, without measurements");
  }
  const auto candidates = between_nodes(block_bytes);
  if (!candidates.empty() && is_measurable) return between_nodes_by(candidates[0], block_bytes);
  return Choice{mpi_candidate, "MPI's own all-to-all: several ranks share a node\n"};
}

/// Returns the time in which a process sends and receives the messages of a method while all others do so, whatever
/// their blocks. It is that of `linear` with the shortest blocks of the machine file, less that of their bytes on
/// links, for as many messages: the file's gap is that of a single stream. Returns 0 if the file has no such time.
double AlltoallChooser::message_seconds(const ExchangeMethod& method) const {
  const auto& known = facts_.machine->plain_exchanges;
  if (known.empty()) return 0;
  const auto bytes = static_cast<double>(known.front().block_bytes);
  const double link_seconds =
      load_of(linear_method, model().network.ports).blocks * bytes * model().slowest_tau();
  const double all_seconds = std::max(known.front().linear_seconds - link_seconds, 0.0);
  return all_seconds * load_of(method, Ports::one).startups / load_of(linear_method, Ports::one).startups;
}

/// Returns the predicted time with message_seconds() in place of the start-ups where these take less.
double AlltoallChooser::seconds_with_messages(const ExchangeCandidate& candidate) const {
  const StepTimes times{candidate.cost.groups, model().alpha_seconds, model().gap_seconds, 0};
  const double startup_seconds = times.seconds(0, 0);
  return candidate.seconds + std::max(message_seconds(candidate.method) - startup_seconds, 0.0);
}

/// Returns the method of a plan with the least time.
ExchangeMethod AlltoallChooser::fastest_with_messages(const ExchangePlan& plan) const {
  const ExchangeCandidate* fastest = &plan.choice();
  double least_seconds = seconds_with_messages(*fastest);
  for (const ExchangeCandidate& next : plan.candidates) {
    if (next.seconds >= least_seconds || next.oversubscribes != fastest->oversubscribes) continue;
    const double seconds = seconds_with_messages(next);
    if (seconds >= least_seconds) continue;
    fastest = &next;
    least_seconds = seconds;
  }
  return fastest->method;
}

/// Returns the fastest of our methods, by fastest_with_messages() and if it gains least_promised_gain, and of MPI's own
/// all-to-all and `linear`, by the times of the machine file. If the file has no such times, and the prediction is
/// above most_over_bound times the lower bound, MPI's own all-to-all is returned.
AlltoallChooser::Choice AlltoallChooser::unmeasured(std::size_t block_bytes) const {
  ExchangePlan plan = plan_on(facts_.placement, block_bytes, {});
  if (facts_.queues() == Queues::lossless) return on_lossless_network(plan);
  const ExchangeMethod method = fastest_with_messages(plan);
  if (method != plan.choice().method) plan = plan_on(facts_.placement, block_bytes, {{method}});
  const double seconds = seconds_with_messages(plan.choice());
  const std::string name = to_string(method);
  const auto times = plain_exchange_times(*facts_.machine, block_bytes);
  if (!times && seconds > most_over_bound * plan.bound.seconds()) {
    return {mpi_candidate,
            fmt::format("MPI's own all-to-all: {} is predicted to take {:.3g} times the bound, and the "
                        "machine file has no times of MPI_Alltoall to compare with\n",
                        name, seconds / plan.bound.seconds())};
  }
  if (!times || seconds * least_promised_gain <= std::min(times->alltoall_seconds, times->linear_seconds))
    return {planned_candidate(plan), describe(plan)};
  const auto reason = [&](double measured) {
    return fmt::format("{:.4g} ms by the machine file; {} is predicted to take {:.4g} ms", measured * 1e3,
                       name, seconds * 1e3);
  };
  if (times->alltoall_seconds <= times->linear_seconds)
    return {mpi_candidate, fmt::format("MPI's own all-to-all: {}\n", reason(times->alltoall_seconds))};
  return {{linear_method}, fmt::format("linear: {}\n", reason(times->linear_seconds))};
}

/// Returns the choice on a lossless network: the fastest method of the plan if it is predicted to gain with all routers
/// that the network may have, and else the faster one of MPI's own all-to-all and `linear`.
AlltoallChooser::Choice AlltoallChooser::on_lossless_network(const ExchangePlan& plan) const {
  const LosslessGain gain = lossless_gain(plan, facts_.placement, *facts_.machine);
  const ExchangeMethod& best = plan.choice().method;
  const std::string gains = fmt::format("{} is predicted to be {:.2f} to {:.2f} times as fast; {}",
                                        to_string(best), gain.least, gain.most, plan.why);
  if (best != linear_method && gain.least >= least_promised_gain)
    return {planned_candidate(plan), describe(plan) + fmt::format("MPI: {}\n", gains)};
  if (gain.is_linear_fastest) return {{linear_method}, fmt::format("linear: {}\n", gains)};
  return {mpi_candidate, fmt::format("MPI's own all-to-all: {}\n", gains)};
}

/// Returns the choice of the method that CUBEFOLD_ALLTOALL names, which fits.
AlltoallChooser::Choice AlltoallChooser::requested(std::size_t block_bytes) const {
  if (!requested_) return requested_between_nodes(block_bytes);
  return planned(plan_for_size(*requested_, facts_.placement, block_bytes),
                 fmt::format("{} says so", exchange_variable));
}

/// Returns this choice for a method between nodes. Throws std::invalid_argument if it does not fit.
AlltoallChooser::Choice AlltoallChooser::requested_between_nodes(std::size_t block_bytes) const {
  const auto& requested = facts_.requests.exchange;
  return between_nodes_by({requested.method, 0, requested.backend}, block_bytes);
}

/// Returns the choice of a method between nodes. Throws std::invalid_argument if it does not fit.
AlltoallChooser::Choice AlltoallChooser::between_nodes_by(const AlltoallCandidate& candidate,
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
      facts_.requests.exchange.method ? fmt::format("{} says so", exchange_variable) : "the planner's choice";
  AlltoallCandidate planned = candidate;
  planned.setup = setup_of(candidate, block_bytes);  // throws if the method does not fit
  return {planned, fmt::format("{} ({}): {}\n", to_string(candidate), to_string(sharing()), reason)};
}

std::vector<AlltoallCandidate> AlltoallChooser::best_methods(const Placement& placement,
                                                             std::size_t block_bytes,
                                                             std::size_t count_of_a_model) const {
  std::vector<AlltoallCandidate> result;
  for (const ExchangeCandidate& next : measured_methods(placement, block_bytes, model(), count_of_a_model)) {
    const double seconds = facts_.machine ? next.seconds : 0;
    result.push_back({next.method, seconds});
    if (facts_.sharing || facts_.queues() == Queues::lossless || knows_no_times()) continue;
    if (next.method.algorithm != ExchangeAlgorithm::direct) continue;
    // The machine file does not say whether the queues of this network drop packets, so both ways are tried.
    const bool has_bursts = next.sync == StepSync::data || next.other_sync == StepSync::data;
    if (facts_.queues() == Queues::unknown && !has_bursts)
      result.push_back({next.method, seconds, Backend::schedule, std::nullopt, unlimited_steps});
    // The clock needs the times of a machine file. Without one, a process is few steps ahead where the planner chooses
    // the clock, and more steps ahead where it chooses `data`.
    if (next.other_sync && (facts_.machine || *next.other_sync == StepSync::data))
      result.push_back({next.method, seconds, Backend::schedule, next.other_sync});
  }
  return result;
}

ExchangeLoad AlltoallChooser::load_of(const ExchangeMethod& method, Ports ports) const {
  const ExchangeCost cost = exchange_cost(method, facts_.placement, {ports, model().network.tie});
  return {static_cast<double>(cost.startup_count()), cost.block_times()};
}

/// Returns whether calls have to find out rate, ports and queues of the network.
bool AlltoallChooser::knows_no_times() const {
  return !facts_.machine && !facts_.sharing && facts_.queues() == Queues::unknown;
}

/// Returns the ways to perform `direct` that calls have to try where nothing is known of rate, ports and queues: all
/// steps at once and by the clock, in the order of one port and of all ports.
std::vector<AlltoallCandidate> AlltoallChooser::direct_without_times(std::size_t block_bytes) const {
  const ExchangeMethod direct{ExchangeAlgorithm::direct, {}};
  if (!knows_no_times() || non_forwarding_method(facts_.placement.grid()) != direct) return {};
  std::vector<std::optional<Ports>> orders{std::nullopt};
  if (load_of(direct, Ports::all) != load_of(direct, facts_.ports)) orders.emplace_back(Ports::all);
  const bool is_burst = plan_on(facts_.placement, block_bytes, {{direct}}).choice().sync == StepSync::data;
  std::vector<AlltoallCandidate> result;
  for (const auto& ports : orders) {
    AlltoallCandidate at_once{direct};
    if (!is_burst || ports) at_once.window_steps = unlimited_steps;
    AlltoallCandidate by_clock{direct, 0, Backend::schedule, StepSync::clock};
    by_clock.slot_tau_seconds = 0;
    for (AlltoallCandidate candidate : {at_once, by_clock}) {
      candidate.ports = ports;
      candidate.load = load_of(direct, facts_.ports);
      candidate.slot_blocks = load_of(direct, ports.value_or(facts_.ports)).blocks;
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

std::vector<AlltoallCandidate> AlltoallChooser::candidates(std::size_t block_bytes, CallKind kind) const {
  const bool is_blocking = kind == CallKind::blocking;
  std::vector<AlltoallCandidate> result;
  if (is_blocking) result.push_back(mpi_candidate);
  const auto times =
      facts_.machine && !facts_.sharing ? plain_exchange_times(*facts_.machine, block_bytes) : std::nullopt;
  result.push_back({linear_method, times ? times->linear_seconds : 0});
  std::vector<AlltoallCandidate> others;
  if (!facts_.sharing) others = best_methods(facts_.placement, block_bytes, methods_of_a_model);
  if (facts_.sharing && is_blocking) others = between_nodes(block_bytes);
  for (const AlltoallCandidate& other : others)
    if (is_between_nodes(other.backend) || other.method != linear_method) result.push_back(other);
  if (facts_.machine || facts_.sharing) return result;
  // MPI's algorithm is unknown. It gets the load of `linear`, which all have that do not forward blocks.
  for (AlltoallCandidate& each : result)
    each.load = load_of(each.method.value_or(linear_method), facts_.ports);
  for (const AlltoallCandidate& each : direct_without_times(block_bytes))
    if (std::ranges::find(result, each) == result.end()) result.push_back(each);
  return result;
}

AlltoallSetup AlltoallChooser::setup_of(const AlltoallCandidate& candidate, std::size_t block_bytes) const {
  if (candidate.setup) return *candidate.setup;
  if (!candidate.method) return setup_of_mpi();
  if (!is_between_nodes(candidate.backend)) {
    return setup_of(plan_on(facts_.placement, block_bytes, {{*candidate.method}}, candidate.ports),
                    candidate);
  }
  AlltoallSetup setup = setup_of_mpi();
  setup.backend = candidate.backend;
  const std::size_t messages = candidate.backend == Backend::slots ? sharing().largest_group() : 1;
  const std::size_t bytes = *bytes_between_nodes(block_bytes) / messages;
  setup.between_nodes = {setup_of(plan_on(groups(), bytes, {{*candidate.method}}), AlltoallCandidate{})};
  return setup;
}

/// Returns a plan by the machine file, whose times are those of its axes, to which the slots of nodes are not counted.
/// On other axes and without a machine file, it is a plan by the model of a typical network. `ports` replaces those of
/// the model.
ExchangePlan AlltoallChooser::plan_on(const Placement& placement, std::size_t block_bytes,
                                      const ExchangePlanOptions& options, std::optional<Ports> ports) const {
  const bool has_times = facts_.machine && placement.grid() == facts_.network();
  ExchangeModel used = has_times ? model() : model_without_times();
  used.network.ports = ports.value_or(used.network.ports);
  return plan_exchange(placement, block_bytes, used, options);
}

AlltoallChooser::Choice AlltoallChooser::planned(const ExchangePlan& plan, std::string_view reason) const {
  const std::string method = to_string(plan.choice().method);
  return {planned_candidate(plan),
          has_times(plan) ? describe(plan) : fmt::format("{}: {}\n", method, reason)};
}

/// Returns the plan's choice with its setup.
AlltoallCandidate AlltoallChooser::planned_candidate(const ExchangePlan& plan) const {
  AlltoallCandidate candidate{plan.choice().method};
  candidate.setup = setup_of(plan, candidate);
  return candidate;
}

/// Returns whether a plan has the times of a machine file.
bool AlltoallChooser::has_times(const ExchangePlan& plan) const {
  return facts_.machine && plan.grid == facts_.network();
}

/// Returns the setup of a plan with one method. Without times the clock cannot be used: a small window keeps processes
/// together as far as their data dependences do. The times are those of the machine file or of the candidate, whose
/// slots have no part for start-ups. The slots of the clock are those of equal blocks. Where queues lose nothing, all
/// is posted at once in the order of the schedule, in whole blocks: a process that is late then delays only those that
/// need its blocks.
AlltoallSetup AlltoallChooser::setup_of(const ExchangePlan& plan, const AlltoallCandidate& candidate) const {
  AlltoallSetup setup = cubefold::setup_of(plan, candidate.sync);
  setup.backend = candidate.backend;
  const bool has_own_slots = candidate.slot_tau_seconds && !candidate.has_no_slots_yet();
  if (has_own_slots) {
    setup.times.alpha_seconds = setup.times.gap_seconds = 0;
    setup.times.tau_seconds_per_byte = *candidate.slot_tau_seconds;
  }
  const bool has_slots =
      has_own_slots || (has_times(plan) && !candidate.window_steps && candidate.backend != Backend::by_size);
  if (setup.sync == StepSync::clock && !has_slots) {
    setup.sync = StepSync::data;
    setup.send_window_steps = short_window_steps;
  }
  if (candidate.backend == Backend::by_size) setup.send_window_steps = long_window_steps;
  if (candidate.window_steps) {
    setup.send_window_steps = *candidate.window_steps;
    setup.piece_bytes = 0;
  }
  const bool is_lossless = facts_.queues() == Queues::lossless && candidate.backend == Backend::schedule;
  if (!is_lossless && candidate.window_steps != unlimited_steps) return setup;
  setup.sync = StepSync::data;
  setup.piece_bytes = 0;
  setup.send_window_steps = unlimited_steps;
  setup.bytes_in_flight = std::numeric_limits<std::size_t>::max();
  if (is_lossless)
    setup.single_block_bytes = facts_.machine ? single_block_bytes(model()) : least_single_block_bytes(0);
  return setup;
}

Decision AlltoallChooser::decide(CallKind kind, const ExchangeSizes& sizes) const {
  if (have_several_sizes(kind)) {
    Decision decision = for_several_sizes(kind);
    std::erase_if(decision.candidates, [&](const auto& each) { return !fits(each, class_of(kind, sizes)); });
    if (decision.round_count == 0) decision.reason = rule_for(kind);
    return decision;
  }
  const std::size_t block_bytes = sizes.largest_bytes;
  if (auto choice = decided(block_bytes))
    return {{std::move(choice->candidate)}, 0, std::move(choice->reason)};
  return {candidates(block_bytes, kind), facts_.round_count()};
}

std::string AlltoallChooser::rule_for(CallKind kind) const {
  const Decision decision = for_several_sizes(kind);
  if (decision.round_count == 0)
    return fmt::format("{} within its limits of size", to_string(decision.candidates.back()));
  std::vector<std::string> names;
  for (const AlltoallCandidate& candidate : decision.candidates) names.push_back(to_string(candidate));
  return fmt::format("measured calls choose between: {}", fmt::join(names, "; "));
}

/// Returns whether calls of a class with unequal blocks may use a candidate.
bool AlltoallChooser::fits(const AlltoallCandidate& candidate, const CallClass& calls) const {
  if (candidate.backend == Backend::schedule && candidate.method == linear_method)
    return calls.may_travel_at_once;
  if (candidate.backend != Backend::by_size) return true;
  constexpr std::size_t countable_width = std::numeric_limits<std::int32_t>::digits;
  const std::uint64_t rank_count = facts_.placement.rank_count();
  // All numbers of a bit width w are at least 2^(w - 1).
  const std::uint64_t least_bytes = 4 * sizeof(std::uint32_t) * rank_count * rank_count;
  return rank_count <= most_ranks_by_size && calls.largest_width <= countable_width &&
         calls.process_width > 0 && std::uint64_t{1} << (calls.process_width - 1) >= least_bytes;
}

/// Returns the decision where ranks share nodes. Blocks travel between nodes if the choice for equal blocks, which is
/// empty if it is measured, allows it.
Decision AlltoallChooser::for_unequal_blocks_on_shared_nodes(const std::optional<Choice>& choice) const {
  const bool is_chosen = choice && choice->candidate.backend == Backend::nodes;
  if (!is_chosen && (choice || between_nodes(typical_bytes).empty())) return {{mpi_candidate}};
  const bool is_linear = is_chosen && choice->candidate.method == linear_method;
  const AlltoallCandidate leaders{is_linear ? linear_method : non_forwarding_method(groups().grid()), 0,
                                  Backend::nodes};
  return {{mpi_candidate, leaders}, is_chosen ? 0 : facts_.round_count()};
}

/// Returns the decision for unequal blocks, with the candidates for all classes.
Decision AlltoallChooser::for_unequal_blocks() const {
  const auto choice = decided(typical_bytes);
  if (facts_.sharing) return for_unequal_blocks_on_shared_nodes(choice);
  if (choice && choice->candidate.backend == Backend::mpi) return {{mpi_candidate}};
  const ExchangeMethod method = non_forwarding_method(facts_.placement.grid());
  const auto with_window = [&](std::size_t steps) {
    return AlltoallCandidate{method, 0, Backend::schedule, std::nullopt, steps};
  };
  Decision decision{{with_window(short_window_steps)}};
  if (!choice) {
    decision.candidates = {mpi_candidate, {linear_method}};
    for (const std::size_t steps : {short_window_steps, long_window_steps, unlimited_steps}) {
      if (facts_.queues() == Queues::lossless && steps != unlimited_steps) continue;
      decision.candidates.push_back(with_window(steps));
    }
    decision.round_count = facts_.round_count();
  }
  // The times of a schedule by size are those of a machine file.
  if (facts_.machine) decision.candidates.push_back({method, 0, Backend::by_size});
  return decision;
}

Decision AlltoallChooser::for_several_sizes(CallKind kind) const {
  return kind == CallKind::unequal ? for_unequal_blocks() : for_typed_blocks();
}

/// Returns the decision for blocks of several datatypes: those candidates for unequal blocks that need not know the
/// sizes of all processes. Where ranks share nodes, all blocks travel at once in place of those between nodes.
Decision AlltoallChooser::for_typed_blocks() const {
  Decision decision = for_unequal_blocks();
  const auto needs_sizes = [](const AlltoallCandidate& each) {
    return is_between_nodes(each.backend) || each.backend == Backend::by_size ||
           (each.backend == Backend::schedule && !each.window_steps);
  };
  const bool is_mpi_alone = decision.is_mpi_alone();
  std::erase_if(decision.candidates, needs_sizes);
  if (facts_.sharing && !is_mpi_alone)
    decision.candidates.push_back({linear_method, 0, Backend::schedule, std::nullopt, unlimited_steps});
  return decision;
}

}  // namespace cubefold
