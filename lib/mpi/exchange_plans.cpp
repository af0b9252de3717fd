#include "cubefold/mpi/exchange_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/machine_file.hpp"
#include "cubefold/mpi/run_rules.hpp"
#include "exchange_trials.hpp"

namespace cubefold::mpi {

namespace {

constexpr const char* variable = "CUBEFOLD_ALLTOALL";
constexpr const char* of_mpi = "mpi";
constexpr const char* trials_variable = "CUBEFOLD_TRIALS";

/// How many candidates of each model are tried, and all only where that is predicted to take no longer than this.
constexpr std::size_t candidates_of_a_model = 3;
constexpr double most_trial_seconds = 3;
constexpr int most_trials = 1000;

/// Above so many processes on a network that nothing is known of, trials may take long.
constexpr std::size_t most_unknown_processes = 64;

/// The value that process 0 has.
std::string from_environment(const char* name, MPI_Comm comm) {
  return text_of_first(comm, [&] {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
    return std::string(value == nullptr ? "" : value);
  });
}

std::string wish_from_environment(MPI_Comm comm) {
  std::string wish = from_environment(variable, comm);
  together(comm, [&] {
    try {
      if (!wish.empty() && wish != of_mpi) parse_exchange_method(wish);
    } catch (const std::invalid_argument& refused) {
      throw std::invalid_argument(fmt::format("{}: {}; or '{}'", variable, refused.what(), of_mpi));
    }
  });
  return wish;
}

int trials_from_environment(MPI_Comm comm) {
  const std::string text = from_environment(trials_variable, comm);
  int trials = 3;
  together(comm, [&] {
    const char* end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, trials);
    if (!text.empty() && (error != std::errc() || read != end || trials < 0 || trials > most_trials)) {
      throw std::invalid_argument(
          fmt::format("{} '{}' is no number of trials from 0 to {}", trials_variable, text, most_trials));
    }
  });
  return trials;
}

/// Collective: inserts on all processes or, where one has no memory, on none, so that all go on finding the same.
template <typename Value>
Value& insert_everywhere(std::map<std::size_t, Value>& map, std::size_t key, Value value, MPI_Comm comm) {
  std::map<std::size_t, Value> made;
  together(comm, [&] { made.emplace(key, std::move(value)); });
  map.merge(made);
  return map.at(key);
}

/// Blocks for MPI's own all-to-all; what cannot be waited for at once goes out at once too.
ExchangeSetup library_setup() {
  return {{ExchangeAlgorithm::linear, {}}, {}, {}, Mover::library};
}

/// One that passes no blocks on: direct, but where that takes long to plan.
ExchangeMethod unpassing_method(const Grid& grid) {
  const auto methods = exchange_methods(grid);
  const ExchangeMethod direct{ExchangeAlgorithm::direct, {}};
  const bool has_direct = std::find(methods.begin(), methods.end(), direct) != methods.end();
  return has_direct ? direct : ExchangeMethod{ExchangeAlgorithm::shifted, {}};
}

}  // namespace

ExchangePlans::ExchangePlans(const VirtualComm& comm)
    : comm_(&comm),
      space_(ExchangeSpace::on(comm.virtual_comm())),
      machine_(machine_from_environment(space_->comm(), comm.grid())) {
  read_environment();
}

ExchangePlans::ExchangePlans(const VirtualComm& comm, const std::optional<Machine>& machine)
    : comm_(&comm), space_(ExchangeSpace::on(comm.virtual_comm())) {
  together(space_->comm(), [&] { machine_ = machine; });
  read_environment();
}

void ExchangePlans::read_environment() {
  host_count_ = machine_ ? machine_->host_count : host_count(space_->comm());
  wish_ = wish_from_environment(space_->comm());
  trials_ = trials_from_environment(space_->comm());
}

ExchangeModel ExchangePlans::model() const {
  return machine_ ? exchange_model(*machine_, Tie::balanced) : typical_network();
}

ExchangePlans::Choice ExchangePlans::choose(std::size_t block_bytes) {
  std::vector<Choice> choices;
  together(space_->comm(), [&] { choices = alternatives(block_bytes); });
  if (choices.size() > 1) {
    if (auto best = fastest(std::span(choices).subspan(1), block_bytes)) return std::move(*best);
  }
  return std::move(choices.front());
}

/// What is done without trials; then, if they are to decide, what is tried. Every process finds the same, without the
/// others.
std::vector<ExchangePlans::Choice> ExchangePlans::alternatives(std::size_t block_bytes) {
  if (wish_ == of_mpi)
    return {{library_setup(), fmt::format("MPI's own all-to-all: {} says so\n", variable)}};
  if (auto choice = requested(block_bytes)) return {std::move(*choice)};
  if (host_count_ == 1)
    return {{library_setup(), "MPI's own all-to-all: all processes share the memory of one host\n"}};
  if (!machine_ && (trials_ == 0 || comm_->placement().rank_count() > most_unknown_processes)) {
    return {{library_setup(),
             "MPI's own all-to-all: nothing is known of the network; cubefold-calibrate measures it, and "
             "CUBEFOLD_MACHINE names its file\n"}};
  }
  std::vector<Choice> choices{planned(block_bytes, {}, "a typical network's model says so, without trials")};
  if (trials_ == 0 || block_bytes == 0) return choices;
  choices.push_back({library_setup(), "MPI's own all-to-all"});
  double seconds = 0;
  for (const ExchangeCandidate& candidate : candidates(block_bytes)) {
    choices.push_back(planned(block_bytes, {{candidate.method}}, ""));
    choices.back().text = to_string(candidate.method);
    seconds += candidate.seconds;
  }
  if (seconds * (trials_ + 1) > most_trial_seconds) choices.resize(1);
  return choices;
}

/// By the method that CUBEFOLD_ALLTOALL names, if it names one that fits.
std::optional<ExchangePlans::Choice> ExchangePlans::requested(std::size_t block_bytes) {
  if (wish_.empty() || !refusal_.empty()) return std::nullopt;
  try {
    return planned(block_bytes, {{parse_exchange_method(wish_)}}, fmt::format("{} says so", variable));
  } catch (const std::invalid_argument& unfit) {
    refusal_ = fmt::format("{} '{}' does not fit {} processes: {}", variable, wish_,
                           comm_->placement().rank_count(), unfit.what());
    return std::nullopt;
  }
}

/// The best as the model has it, and the best if messages of a stream cost as much as single ones, which is so where
/// processors rather than links are the limit.
std::vector<ExchangeCandidate> ExchangePlans::candidates(std::size_t block_bytes) const {
  ExchangeModel careful = model();
  careful.gap_seconds = careful.alpha_seconds;
  std::vector<ExchangeCandidate> result;
  for (const ExchangeModel& each : {model(), careful}) {
    const ExchangePlan plan = plan_exchange(comm_->placement(), block_bytes, each);
    for (std::size_t i = 0; i < std::min(candidates_of_a_model, plan.candidates.size()); ++i) {
      const auto& next = plan.candidates[i];
      const auto same = [&](const ExchangeCandidate& other) { return other.method == next.method; };
      if (!next.oversubscribes && std::none_of(result.begin(), result.end(), same)) result.push_back(next);
    }
  }
  return result;
}

/// Makes the exchanges and takes what they and their trials need; whether there is so much memory on all processes.
bool ExchangePlans::prepare(Trials& trials, std::span<const Choice> choices, std::size_t block_bytes) {
  try {
    together(space_->comm(), [&] { trials.exchanges.reserve(choices.size()); });
    for (const Choice& choice : choices) trials.exchanges.push_back(&exchange_of(choice.setup));
    together(space_->comm(), [&] { trials.take_memory(block_bytes, trials_); });
    return true;
  } catch (const AgreedError& failure) {
    if (failure.status() != Status::memory) throw;
    return false;
  }
}

/// Nothing where trials need more memory than there is on any process.
std::optional<ExchangePlans::Choice> ExchangePlans::fastest(std::span<const Choice> choices,
                                                            std::size_t block_bytes) {
  if (block_bytes > std::numeric_limits<int>::max()) return std::nullopt;
  space_->drain();
  Trials trials;
  if (!prepare(trials, choices, block_bytes)) return std::nullopt;
  trials.run(space_->comm());
  Choice best;
  together(space_->comm(), [&] {
    const auto times = trials.seconds();
    const Choice& choice =
        choices[static_cast<std::size_t>(std::min_element(times.begin(), times.end()) - times.begin())];
    best = {choice.setup, fmt::format("{}, fastest of {} trials of blocks of {} bytes:", choice.text,
                                      trials.count(), block_bytes)};
    for (std::size_t i = 0; i < times.size(); ++i)
      best.text += fmt::format(" {} {:.4g} ms;", choices[i].text, times[i] * 1e3);
    best.text.back() = '\n';
  });
  return best;
}

ExchangePlans::Choice ExchangePlans::planned(std::size_t block_bytes, const ExchangePlanOptions& options,
                                             std::string_view reason) const {
  const ExchangePlan plan = plan_exchange(comm_->placement(), block_bytes, model(), options);
  ExchangeSetup setup{plan.choice().method, plan.model.network, run_rules(plan)};
  if (machine_) return {std::move(setup), describe(plan)};
  // Without times there is no clock; few steps ahead keep processes together as far as data do.
  if (setup.rules.pacing == Pacing::clock) {
    setup.rules.pacing = Pacing::data;
    setup.rules.steps_behind = RunRules{}.steps_behind;
  }
  return {std::move(setup), fmt::format("{}: {}\n", to_string(plan.choice().method), reason)};
}

const ExchangePlans::Choice& ExchangePlans::choice_for(std::size_t block_bytes) {
  const auto found = choices_.find(block_bytes);
  if (found != choices_.end()) return found->second;
  Choice choice = choose(block_bytes);
  return insert_everywhere(choices_, block_bytes, std::move(choice), space_->comm());
}

CompleteExchange& ExchangePlans::for_blocks(std::size_t block_bytes) {
  // Different sizes may be planned differently, so that they have to be found before.
  if (space_->is_checked()) {
    space_->drain();
    require_equal_everywhere(space_->comm(), "block size", std::to_string(block_bytes));
  }
  const auto known = by_size_.find(block_bytes);
  if (known != by_size_.end()) return *known->second;
  CompleteExchange& exchange = exchange_of(choice_for(block_bytes).setup);
  return *insert_everywhere(by_size_, block_bytes, &exchange, space_->comm());
}

CompleteExchange& ExchangePlans::exchange_of(const ExchangeSetup& setup) {
  const auto found = std::find_if(equal_.begin(), equal_.end(),
                                  [&](const PlannedExchange& planned) { return planned.setup == setup; });
  if (found != equal_.end()) return found->exchange;
  space_->drain();
  CompleteExchange exchange(*comm_, space_, setup);
  std::list<PlannedExchange> made;
  together(space_->comm(), [&] { made.push_back({setup, std::move(exchange)}); });
  equal_.splice(equal_.end(), made);
  return equal_.back().exchange;
}

UnequalExchange& ExchangePlans::for_unequal_blocks() {
  if (unequal_) return *unequal_;
  space_->drain();
  constexpr std::size_t typical_bytes = 64 << 10;
  const bool by_library = choice_for(typical_bytes).setup.mover == Mover::library;
  ExchangeSetup setup;
  together(space_->comm(),
           [&] { setup = planned(typical_bytes, {{unpassing_method(comm_->grid())}}, "").setup; });
  if (by_library) setup.mover = Mover::library;
  return unequal_.emplace(*comm_, space_, setup);
}

std::string ExchangePlans::explain(std::size_t block_bytes) {
  for_blocks(block_bytes);
  const UnequalExchange& unequal = for_unequal_blocks();
  return fmt::format("{}unequal blocks: {}; {}\n", explain_equal(block_bytes),
                     to_string(unpassing_method(comm_->grid())), unequal.explain());
}

std::string ExchangePlans::explain_equal(std::size_t block_bytes) {
  for_blocks(block_bytes);
  const std::string refusal = refusal_.empty() ? "" : refusal_ + "\n";
  return fmt::format("{}blocks of {} bytes: {}", refusal, block_bytes, choice_for(block_bytes).text);
}

}  // namespace cubefold::mpi
