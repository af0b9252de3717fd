#include "cubefold/mpi/exchange_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>

#include "broadcast.hpp"
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

/// Above so many processes on a network that nothing is known of, trials may take long.
constexpr std::size_t most_unknown_processes = 64;

/// Of process 0, on all.
std::string from_environment(const char* name, MPI_Comm comm) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
  return broadcast_text(comm, value == nullptr ? "" : value, 0);
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
    if (!text.empty() && (error != std::errc() || read != end || trials < 0))
      throw std::invalid_argument(fmt::format("{} '{}' is no number of trials", trials_variable, text));
  });
  return trials;
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

/// Exchanges of setups with the same text are the same, but for blocks.
std::string key_of(const ExchangeSetup& setup) {
  return fmt::format("{} {} {} {}", to_string(setup.method), static_cast<int>(setup.rules.pacing),
                     setup.rules.piece_bytes, static_cast<int>(setup.mover));
}

}  // namespace

ExchangePlans::ExchangePlans(const VirtualComm& comm)
    : comm_(&comm),
      space_(std::make_shared<ExchangeSpace>(comm.virtual_comm())),
      machine_(machine_from_environment(space_->comm(), comm.grid())),
      host_count_(machine_ ? machine_->host_count : host_count(space_->comm())),
      wish_(wish_from_environment(space_->comm())),
      trials_(trials_from_environment(space_->comm())) {}

ExchangePlans::ExchangePlans(const VirtualComm& comm, std::optional<Machine> machine)
    : comm_(&comm),
      space_(std::make_shared<ExchangeSpace>(comm.virtual_comm())),
      machine_(std::move(machine)),
      host_count_(machine_ ? machine_->host_count : host_count(space_->comm())),
      wish_(wish_from_environment(space_->comm())),
      trials_(trials_from_environment(space_->comm())) {}

ExchangeModel ExchangePlans::model() const {
  return machine_ ? exchange_model(*machine_, Tie::balanced) : typical_network();
}

ExchangePlans::Choice ExchangePlans::choose(std::size_t block_bytes) {
  if (wish_ == of_mpi) return {library_setup(), fmt::format("MPI's own all-to-all: {} says so\n", variable)};
  if (!wish_.empty()) {
    Choice choice;
    together(space_->comm(), [&] { choice = planned(block_bytes, {{parse_exchange_method(wish_)}}); });
    return choice;
  }
  if (host_count_ == 1)
    return {library_setup(), "MPI's own all-to-all: all processes share the memory of one host\n"};
  if (!machine_ && (trials_ == 0 || comm_->placement().rank_count() > most_unknown_processes)) {
    return {library_setup(),
            "MPI's own all-to-all: nothing is known of the network; cubefold-calibrate measures it, and "
            "CUBEFOLD_MACHINE names its file\n"};
  }
  return trials_ > 0 && block_bytes > 0 ? tried(block_bytes) : planned(block_bytes, {});
}

/// The best as the model has it, and the best if messages of a stream cost as much as single ones, which is so where processors
/// rather than links are the limit.
std::vector<ExchangeCandidate> ExchangePlans::candidates(std::size_t block_bytes) const {
  ExchangeModel careful = model();
  careful.gap_seconds = careful.alpha_seconds;
  std::vector<ExchangeCandidate> result;
  for (const ExchangeModel& each : {model(), careful}) {
    const ExchangePlan plan = plan_exchange(comm_->placement(), block_bytes, each);
    for (std::size_t i = 0; i < std::min(candidates_of_a_model, plan.candidates.size()); ++i) {
      const auto& next = plan.candidates[i];
      const auto same = [&](const ExchangeCandidate& other) { return other.method == next.method; };
      if (!next.floods && std::none_of(result.begin(), result.end(), same)) result.push_back(next);
    }
  }
  return result;
}

// What all processes tell each other here they tell on the space, where nothing else is under way.
ExchangePlans::Choice ExchangePlans::tried(std::size_t block_bytes) {
  std::vector<Choice> choices{{library_setup(), "MPI's own all-to-all"}};
  double seconds = 0;
  for (const ExchangeCandidate& candidate : candidates(block_bytes)) {
    choices.push_back(planned(block_bytes, {{candidate.method}}));
    choices.back().text = to_string(candidate.method);
    seconds += candidate.seconds;
  }
  if (seconds * (trials_ + 1) > most_trial_seconds) return planned(block_bytes, {});

  space_->drain();
  std::vector<CompleteExchange*> exchanges;
  for (const Choice& choice : choices) exchanges.push_back(&exchange_of(choice.setup));
  const auto [times, trials] = trial_times(exchanges, block_bytes, {trials_}, space_->comm());
  const auto best = static_cast<std::size_t>(std::min_element(times.begin(), times.end()) - times.begin());
  std::string text =
      fmt::format("{}, fastest of {} trials of blocks of {} bytes:", choices[best].text, trials, block_bytes);
  for (std::size_t i = 0; i < times.size(); ++i)
    text += fmt::format(" {} {:.4g} ms;", choices[i].text, times[i] * 1e3);
  text.back() = '\n';
  return {choices[best].setup, text};
}

ExchangePlans::Choice ExchangePlans::planned(std::size_t block_bytes,
                                             const ExchangePlanOptions& options) const {
  const ExchangePlan plan = plan_exchange(comm_->placement(), block_bytes, model(), options);
  ExchangeSetup setup{plan.choice().method, plan.model.network, run_rules(plan)};
  if (machine_) return {std::move(setup), describe(plan)};
  // Without times there is no clock; few steps ahead keep processes together as far as data do.
  if (setup.rules.pacing == Pacing::clock) {
    setup.rules.pacing = Pacing::data;
    setup.rules.steps_behind = RunRules{}.steps_behind;
  }
  return {std::move(setup), fmt::format("{}: {} says so\n", to_string(plan.choice().method), variable)};
}

const ExchangePlans::Choice& ExchangePlans::choice_for(std::size_t block_bytes) {
  const auto found = choices_.find(block_bytes);
  return found != choices_.end() ? found->second
                                 : choices_.emplace(block_bytes, choose(block_bytes)).first->second;
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
  by_size_[block_bytes] = &exchange;
  return exchange;
}

CompleteExchange& ExchangePlans::exchange_of(const ExchangeSetup& setup) {
  const std::string key = key_of(setup);
  const auto found = equal_.find(key);
  if (found != equal_.end()) return found->second;
  space_->drain();
  return equal_.emplace(key, CompleteExchange(*comm_, space_, setup)).first->second;
}

UnequalExchange& ExchangePlans::for_unequal_blocks() {
  if (unequal_) return *unequal_;
  space_->drain();
  constexpr std::size_t typical_bytes = 64 << 10;
  const bool by_library = choice_for(typical_bytes).setup.mover == Mover::library;
  ExchangeSetup setup = planned(typical_bytes, {{unpassing_method(comm_->grid())}}).setup;
  if (by_library) setup.mover = Mover::library;
  return unequal_.emplace(*comm_, space_, setup);
}

std::string ExchangePlans::explain(std::size_t block_bytes) {
  return fmt::format("{}unequal blocks: {}; {}\n", explain_equal(block_bytes),
                     to_string(unpassing_method(comm_->grid())), for_unequal_blocks().explain());
}

std::string ExchangePlans::explain_equal(std::size_t block_bytes) {
  for_blocks(block_bytes);
  return fmt::format("blocks of {} bytes: {}", block_bytes, choice_for(block_bytes).text);
}

}  // namespace cubefold::mpi
