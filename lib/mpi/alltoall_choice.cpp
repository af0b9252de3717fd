#include "alltoall_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "agreement.hpp"
#include "alltoall_trials.hpp"
#include "machine_file.hpp"

namespace cubefold::mpi {

namespace {

constexpr const char* variable = "CUBEFOLD_ALLTOALL";
constexpr const char* name_of_mpi = "mpi";
constexpr const char* trials_variable = "CUBEFOLD_TRIALS";

/// The number of candidates of each model that are tried, the longest predicted time of all trials, and the largest
/// value of CUBEFOLD_TRIALS.
constexpr std::size_t candidates_of_a_model = 3;
constexpr double most_trial_seconds = 3;
constexpr int most_trials = 1000;

/// The largest number of processes for which there are trials without a machine file. With more, trials may take long.
constexpr std::size_t most_unknown_processes = 64;

/// Collective: returns the value of an environment variable on process 0, or an empty text if it is unset.
std::string from_environment(const char* name, MPI_Comm comm) {
  return text_of_root(comm, [&] {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
    return std::string(value == nullptr ? "" : value);
  });
}

std::string requested_by_environment(MPI_Comm comm) {
  std::string request = from_environment(variable, comm);
  collective_try(comm, [&] {
    try {
      if (!request.empty() && request != name_of_mpi) parse_exchange_method(request);
    } catch (const std::invalid_argument& refused) {
      throw std::invalid_argument(fmt::format("{}: {}; or '{}'", variable, refused.what(), name_of_mpi));
    }
  });
  return request;
}

int trials_from_environment(MPI_Comm comm) {
  const std::string text = from_environment(trials_variable, comm);
  int trials = 3;
  collective_try(comm, [&] {
    const char* end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, trials);
    if (!text.empty() && (error != std::errc() || read != end || trials < 0 || trials > most_trials)) {
      throw std::invalid_argument(
          fmt::format("{} '{}' is no number of trials from 0 to {}", trials_variable, text, most_trials));
    }
  });
  return trials;
}

/// Returns the setup of MPI's own all-to-all. Non-blocking exchanges and packets use its schedule, which sends all
/// messages at once.
AlltoallSetup setup_of_mpi() {
  return {.method = {ExchangeAlgorithm::linear, {}}, .backend = Backend::mpi};
}

/// Returns a method that does not forward blocks: `direct`, or `shifted` if `direct` takes long to plan.
ExchangeMethod unpassing_method(const Grid& grid) {
  const auto methods = exchange_methods(grid);
  const ExchangeMethod direct{ExchangeAlgorithm::direct, {}};
  const bool has_direct = std::find(methods.begin(), methods.end(), direct) != methods.end();
  return has_direct ? direct : ExchangeMethod{ExchangeAlgorithm::shifted, {}};
}

/// Runs work(), and returns false if it throws an AgreedError because a process has no memory.
template <typename Work>
bool has_memory_for(Work work) {
  try {
    work();
    return true;
  } catch (const AgreedError& failure) {
    if (failure.status() != Status::memory) throw;
    return false;
  }
}

std::string result_of(const Trials& trials, std::span<const AlltoallChoice> choices, std::size_t winner,
                      std::span<const double> times, std::size_t block_bytes) {
  std::string text = fmt::format("{}, fastest of {} trials of blocks of {} bytes:", choices[winner].text,
                                 trials.count(), block_bytes);
  for (std::size_t i = 0; i < times.size(); ++i)
    text += fmt::format(" {} {:.4g} ms;", choices[i].text, times[i] * 1e3);
  text.back() = '\n';
  return text;
}

}  // namespace

void AlltoallChooser::read_environment() {
  host_count_ = machine_ ? machine_->host_count : host_count(context_->comm());
  requested_ = requested_by_environment(context_->comm());
  trial_count_ = trials_from_environment(context_->comm());
}

ExchangeModel AlltoallChooser::model() const {
  return machine_ ? exchange_model(*machine_, Tie::balanced) : typical_network();
}

AlltoallChoice AlltoallChooser::choose(std::size_t block_bytes) {
  std::vector<AlltoallChoice> choices;
  collective_try(context_->comm(), [&] { choices = alternatives(block_bytes); });
  if (choices.size() > 1) {
    if (auto best = fastest(std::span(choices).subspan(1), block_bytes)) return std::move(*best);
  }
  return std::move(choices.front());
}

/// Returns the choice without trials and, behind it, the choices that trials compare, if there are to be trials. All
/// processes get the same result without communication.
std::vector<AlltoallChoice> AlltoallChooser::alternatives(std::size_t block_bytes) {
  if (requested_ == name_of_mpi)
    return {{setup_of_mpi(), fmt::format("MPI's own all-to-all: {} says so\n", variable)}};
  if (auto choice = requested(block_bytes)) return {std::move(*choice)};
  if (host_count_ == 1)
    return {{setup_of_mpi(), "MPI's own all-to-all: all processes share the memory of one host\n"}};
  if (!machine_ && (trial_count_ == 0 || comm_->placement().rank_count() > most_unknown_processes)) {
    return {{setup_of_mpi(),
             "MPI's own all-to-all: nothing is known of the network; cubefold-calibrate measures it, and "
             "CUBEFOLD_MACHINE names its file\n"}};
  }
  if (const auto& tuned = tuned_[static_cast<std::size_t>(std::bit_width(block_bytes))]) {
    AlltoallSetup setup = tuned->setup;
    if (setup.backend == Backend::schedule) setup = planned(block_bytes, {{setup.method}}, "").setup;
    return {{std::move(setup), tuned->text}};
  }
  std::vector<AlltoallChoice> choices = to_try(block_bytes);
  choices.insert(choices.begin(),
                 planned(block_bytes, {}, "a typical network's model says so, without trials"));
  return choices;
}

/// Returns the choices that trials compare, or nothing if there are to be no trials.
std::vector<AlltoallChoice> AlltoallChooser::to_try(std::size_t block_bytes) const {
  if (trial_count_ == 0 || block_bytes == 0 || block_bytes > std::numeric_limits<int>::max()) return {};
  std::vector<AlltoallChoice> choices{{setup_of_mpi(), "MPI's own all-to-all"}};
  double seconds = 0;
  for (const ExchangeCandidate& candidate : candidates(block_bytes)) {
    choices.push_back({planned(block_bytes, {{candidate.method}}, "").setup, to_string(candidate.method)});
    seconds += candidate.seconds;
  }
  if (seconds * (trial_count_ + 1) > most_trial_seconds) choices.clear();
  return choices;
}

/// Returns the choice of the method that CUBEFOLD_ALLTOALL names, or nothing if it names none that fits.
std::optional<AlltoallChoice> AlltoallChooser::requested(std::size_t block_bytes) {
  if (requested_.empty() || !refusal_.empty()) return std::nullopt;
  try {
    return planned(block_bytes, {{parse_exchange_method(requested_)}}, fmt::format("{} says so", variable));
  } catch (const std::invalid_argument& unfit) {
    refusal_ = fmt::format("{} '{}' does not fit {} processes: {}", variable, requested_,
                           comm_->placement().rank_count(), unfit.what());
    return std::nullopt;
  }
}

/// Returns the best methods of the model, and the best ones if the gap equals alpha. The gap equals alpha if processors
/// instead of links limit the rate of messages.
std::vector<ExchangeCandidate> AlltoallChooser::candidates(std::size_t block_bytes) const {
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

/// Returns the winner of trials, or nothing if a process does not have the memory for them.
std::optional<AlltoallChoice> AlltoallChooser::fastest(std::span<const AlltoallChoice> choices,
                                                       std::size_t block_bytes) {
  MPI_Comm comm = context_->comm();
  Trials trials;
  const bool has_memory = has_memory_for([&] {
    collective_try(comm, [&] { trials.exchanges.reserve(choices.size()); });
    for (const AlltoallChoice& choice : choices)
      trials.exchanges.push_back(AlltoallPlan::make(*comm_, context_, choice.setup));
    collective_try(comm, [&] { trials.take_memory(block_bytes, trial_count_); });
  });
  if (!has_memory) return std::nullopt;
  trials.run(comm);
  AlltoallChoice best;
  AlltoallChoice kept;
  collective_try(comm, [&] {
    const auto times = trials.seconds();
    const auto winner =
        static_cast<std::size_t>(std::min_element(times.begin(), times.end()) - times.begin());
    best = {choices[winner].setup, result_of(trials, choices, winner, times, block_bytes)};
    kept = best;
  });
  tuned_[static_cast<std::size_t>(std::bit_width(block_bytes))] = std::move(kept);
  return best;
}

AlltoallChoice AlltoallChooser::planned(std::size_t block_bytes, const ExchangePlanOptions& options,
                                        std::string_view reason) const {
  const ExchangePlan plan = plan_exchange(comm_->placement(), block_bytes, model(), options);
  AlltoallSetup setup = setup_of(plan);
  if (machine_) return {std::move(setup), describe(plan)};
  // Without measured times the clock cannot be used. A small steps_behind keeps processes together as far as their data
  // dependences do.
  if (setup.sync == StepSync::clock) {
    setup.sync = StepSync::data;
    setup.steps_behind = AlltoallSetup{}.steps_behind;
  }
  return {std::move(setup), fmt::format("{}: {}\n", to_string(plan.choice().method), reason)};
}

AlltoallSetup AlltoallChooser::choose_for_unequal_blocks() {
  constexpr std::size_t typical_bytes = 64 << 10;
  const Backend backend = choose(typical_bytes).setup.backend;
  AlltoallSetup setup;
  collective_try(context_->comm(),
                 [&] { setup = planned(typical_bytes, {{unpassing_method(comm_->grid())}}, "").setup; });
  setup.backend = backend;
  return setup;
}

}  // namespace cubefold::mpi
