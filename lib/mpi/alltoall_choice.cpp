#include "alltoall_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <utility>

#include "agreement.hpp"
#include "machine_file.hpp"

namespace cubefold::mpi {

namespace {

constexpr const char* variable = "CUBEFOLD_ALLTOALL";
constexpr const char* name_of_mpi = "mpi";
constexpr const char* trials_variable = "CUBEFOLD_TRIALS";

/// The number of candidates of each model that are measured, and the largest value of CUBEFOLD_TRIALS.
constexpr std::size_t candidates_of_a_model = 3;
constexpr int most_trials = 1000;

constexpr const char* unknown_network =
    "MPI's own all-to-all: nothing is known of the network; cubefold-calibrate measures it, and "
    "CUBEFOLD_MACHINE "
    "names its file\n";

std::string requested_by_environment(MPI_Comm comm) {
  std::string request = variable_of_root(variable, comm);
  collective_try(comm, [&] {
    try {
      if (!request.empty() && request != name_of_mpi) parse_exchange_method(request);
    } catch (const std::invalid_argument& refused) {
      throw std::invalid_argument(fmt::format("{}: {}; or '{}'", variable, refused.what(), name_of_mpi));
    }
  });
  return request;
}

std::size_t trials_from_environment(MPI_Comm comm) {
  const std::string text = variable_of_root(trials_variable, comm);
  int trials = 3;
  collective_try(comm, [&] {
    const char* end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, trials);
    if (!text.empty() && (error != std::errc() || read != end || trials < 0 || trials > most_trials)) {
      throw std::invalid_argument(
          fmt::format("{} '{}' is no number of trials from 0 to {}", trials_variable, text, most_trials));
    }
  });
  return static_cast<std::size_t>(trials);
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

}  // namespace

std::string to_string(const AlltoallCandidate& candidate) {
  return candidate.method ? to_string(*candidate.method) : "MPI's own all-to-all";
}

void AlltoallChooser::read_environment(MPI_Comm comm) {
  host_count_ = machine_ ? machine_->host_count : host_count(comm);
  requested_ = requested_by_environment(comm);
  round_count_ = trials_from_environment(comm);
}

ExchangeModel AlltoallChooser::model() const {
  return machine_ ? exchange_model(*machine_, Tie::balanced) : typical_network();
}

std::optional<AlltoallChoice> AlltoallChooser::decided(std::size_t block_bytes) {
  if (requested_ == name_of_mpi)
    return AlltoallChoice{setup_of_mpi(), fmt::format("MPI's own all-to-all: {} says so\n", variable)};
  if (auto choice = requested(block_bytes)) return choice;
  if (host_count_ == 1) {
    return AlltoallChoice{setup_of_mpi(),
                          "MPI's own all-to-all: all processes share the memory of one host\n"};
  }
  if (!machine_ && round_count_ == 0) return AlltoallChoice{setup_of_mpi(), unknown_network};
  const bool is_measurable = block_bytes > 0 && block_bytes <= std::numeric_limits<int>::max();
  if (round_count_ > 0 && is_measurable) return std::nullopt;
  return planned(block_bytes, {}, "a typical network's model says so, without measurements");
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

// The candidates are the best methods of the model, and its best ones if the gap equals alpha, which it does if
// processors instead of links limit the rate of messages.
std::vector<AlltoallCandidate> AlltoallChooser::candidates(std::size_t block_bytes) const {
  std::vector<AlltoallCandidate> result{{std::nullopt, 0},
                                        {ExchangeMethod{ExchangeAlgorithm::linear, {}}, 0}};
  ExchangeModel careful = model();
  careful.gap_seconds = careful.alpha_seconds;
  for (const ExchangeModel& each : {model(), careful}) {
    const ExchangePlan plan = plan_exchange(comm_->placement(), block_bytes, each);
    for (std::size_t i = 0; i < std::min(candidates_of_a_model, plan.candidates.size()); ++i) {
      const auto& next = plan.candidates[i];
      const auto same = [&](const AlltoallCandidate& other) { return other.method == next.method; };
      if (next.oversubscribes || std::any_of(result.begin(), result.end(), same)) continue;
      result.push_back({next.method, machine_ ? next.seconds : 0});
    }
  }
  return result;
}

AlltoallSetup AlltoallChooser::setup_of(const AlltoallCandidate& candidate, std::size_t block_bytes) const {
  return candidate.method ? planned(block_bytes, {{*candidate.method}}, "").setup : setup_of_mpi();
}

AlltoallChoice AlltoallChooser::planned(std::size_t block_bytes, const ExchangePlanOptions& options,
                                        std::string_view reason) const {
  const ExchangePlan plan = plan_exchange(comm_->placement(), block_bytes, model(), options);
  AlltoallSetup setup = mpi::setup_of(plan);
  if (machine_) return {std::move(setup), describe(plan)};
  // Without measured times the clock cannot be used. A small steps_behind keeps processes together as far as their data
  // dependences do.
  if (setup.sync == StepSync::clock) {
    setup.sync = StepSync::data;
    setup.steps_behind = AlltoallSetup{}.steps_behind;
  }
  return {std::move(setup), fmt::format("{}: {}\n", to_string(plan.choice().method), reason)};
}

UnequalSetup AlltoallChooser::choose_for_unequal_blocks() {
  constexpr std::size_t typical_bytes = 64 << 10;
  const auto choice = decided(typical_bytes);
  UnequalSetup setup{planned(typical_bytes, {{unpassing_method(comm_->grid())}}, "").setup};
  if (choice && choice->setup.backend == Backend::mpi) {
    setup.backends = {UnequalBackend::mpi};
    return setup;
  }
  if (!choice) {
    setup.backends = {UnequalBackend::mpi, UnequalBackend::narrow, UnequalBackend::wide};
    setup.round_count = round_count_;
  }
  // The times of a schedule by size are those of a machine file.
  if (machine_) setup.backends.push_back(UnequalBackend::by_size);
  return setup;
}

}  // namespace cubefold::mpi
