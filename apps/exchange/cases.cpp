#include "exchange/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "mpi/job_files.hpp"
#include "program/values.hpp"
#include "text/known_names.hpp"

namespace {

using cubefold::ExchangeCandidate;
using cubefold::StepSync;

void add_once(std::vector<OurAlgorithm>& algorithms, OurAlgorithm algorithm) {
  const auto same = [&](const OurAlgorithm& other) { return other.name == algorithm.name; };
  if (std::none_of(algorithms.begin(), algorithms.end(), same)) algorithms.push_back(std::move(algorithm));
}

OurAlgorithm one_of(const cubefold::ExchangeMethod& method) {
  return {to_string(method), {method}};
}

}  // namespace

std::vector<OurAlgorithm> our_algorithms(const std::vector<std::string>& names, const cubefold::Grid& grid) {
  std::vector<OurAlgorithm> algorithms;
  for (const std::string& name : names) {
    if (name == "plan") {
      add_once(algorithms, {name, {}});
    } else if (name == "alltoall") {
      add_once(algorithms, {library_name, {}});
    } else if (name == "all") {
      for (const auto& method : exchange_methods(grid)) add_once(algorithms, one_of(method));
    } else {
      add_once(algorithms, one_of(cubefold::parse_exchange_method(name)));
    }
  }
  return algorithms;
}

std::vector<std::string> known_algorithms(const std::vector<std::string>& names) {
  constexpr std::array<std::string_view, 3> sets{"plan", "alltoall", "all"};
  std::vector<std::string_view> known(sets.begin(), sets.end());
  for (const auto& algorithm : cubefold::exchange_algorithms()) known.push_back(algorithm.name);
  for (const std::string& text : names) {
    const std::string name = text.substr(0, text.find(':'));
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw std::invalid_argument(cubefold::unknown_name("algorithm", name, known));
    if (std::find(sets.begin(), sets.end(), text) == sets.end()) cubefold::parse_exchange_method(text);
  }
  return names;
}

std::optional<StepSync> read_step_sync(std::string_view text) {
  std::vector<std::pair<std::string_view, std::optional<StepSync>>> names{{"auto", std::nullopt}};
  for (const StepSync sync : cubefold::all_step_syncs) names.emplace_back(to_string(sync), sync);
  return cubefold::program::value_named("synchronisation", text, names);
}

PlannedExchange planned_exchange(const cubefold::ExchangePlan& plan, std::optional<StepSync> forced) {
  const ExchangeCandidate& choice = plan.choice();
  const StepSync sync = forced.value_or(choice.sync);
  const auto start_seconds = [&](StepSync of) {
    return of == StepSync::clock ? plan.model.barrier_seconds : 0;
  };
  return {cubefold::setup_of(plan, forced),
          choice.seconds - start_seconds(choice.sync) + start_seconds(sync)};
}

namespace {

void require_known(const std::string& name) {
  std::vector<std::string_view> known{"all", "none"};
  for (const Baseline& baseline : all_baselines) known.emplace_back(baseline.option);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw std::invalid_argument(cubefold::unknown_name("baseline", name, known));
}

}  // namespace

bool has_algorithm(std::string_view mpi_library, const ForcedAlgorithm& algorithm) {
  if (mpi_library.starts_with("Open MPI")) return algorithm.open_mpi != 0;
  return mpi_library.starts_with("MPICH") && algorithm.mpich != nullptr;
}

std::vector<Baseline> baselines_named(const std::vector<std::string>& names) {
  const auto named = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : names) require_known(name);
  const std::string library = cubefold::mpi::library_name();
  const auto is_in_all = [&](const Baseline& baseline) {
    return !baseline.forced.is_any() || has_algorithm(library, baseline.forced);
  };
  std::vector<Baseline> baselines;
  for (const Baseline& baseline : all_baselines) {
    if (named(baseline.option) || (named("all") && is_in_all(baseline))) baselines.push_back(baseline);
  }
  return baselines;
}

std::vector<ExchangeCase> cases_of(const Selection& selection, const cubefold::Placement& placement,
                                   const cubefold::ExchangeModel& model) {
  std::vector<ExchangeCase> cases;
  for (const std::size_t block_bytes : selection.block_sizes) {
    for (const OurAlgorithm& algorithm : selection.ours) {
      const auto plan = plan_exchange(placement, block_bytes, model, {.methods = algorithm.methods});
      cases.push_back({block_bytes, algorithm.name, plan.bound.seconds(), std::nullopt});
      if (algorithm.name != library_name) cases.back().ours = planned_exchange(plan, selection.sync);
    }
    const double bound_seconds = cases.back().bound_seconds;
    for (const Baseline& baseline : selection.baselines)
      cases.push_back({block_bytes, baseline.algorithm, bound_seconds, std::nullopt});
  }
  return cases;
}
