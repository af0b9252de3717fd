#include "exchange/planned_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cubefold/mpi/run_rules.hpp"

namespace {

using cubefold::ExchangeCandidate;
using cubefold::Pacing;

void add_once(std::vector<OurAlgorithm>& algorithms, OurAlgorithm algorithm) {
  const auto same = [&](const OurAlgorithm& other) { return other.name == algorithm.name; };
  if (std::none_of(algorithms.begin(), algorithms.end(), same)) algorithms.push_back(std::move(algorithm));
}

OurAlgorithm one_of(const cubefold::ExchangeMethod& method) {
  return {to_string(method), {method}};
}

std::size_t barrier_count(const ExchangeCandidate& candidate, Pacing pacing) {
  switch (pacing) {
    case Pacing::data:
      return 0;
    case Pacing::clock:
    case Pacing::tokens:
      return 1;
    case Pacing::barriers:
      break;
  }
  return candidate.cost.step_count();
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

void require_algorithm_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name != "plan" && name != "all" && name != "alltoall") cubefold::parse_exchange_method(name);
  }
}

std::optional<Pacing> read_pacing(std::string_view text) {
  return text == "auto" ? std::nullopt : std::optional(cubefold::parse_pacing(text));
}

PlannedExchange planned_exchange(const cubefold::ExchangePlan& plan, std::optional<Pacing> forced) {
  const ExchangeCandidate& choice = plan.choice();
  const Pacing pacing = forced.value_or(choice.pacing);
  const auto barriers = [&](Pacing of) {
    return static_cast<double>(barrier_count(choice, of)) * plan.model.barrier_seconds;
  };
  return {choice.method, cubefold::mpi::run_rules(plan, forced),
          choice.seconds - barriers(choice.pacing) + barriers(pacing)};
}
