#include "exchange/planned_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace {

using cubefold::ExchangeCandidate;
using cubefold::Pacing;

/// Steps that what one process is behind another may differ by. The clock keeps them closer than this, but for a process
/// that is held up.
constexpr std::size_t steps_behind_clock = 8;

/// Never reached, and may be added to a step without overflow.
constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max() / 2;

constexpr std::array pacings{Pacing::data, Pacing::clock, Pacing::barriers};

void add_once(std::vector<OurAlgorithm>& algorithms, OurAlgorithm algorithm) {
  const auto same = [&](const OurAlgorithm& other) { return other.name == algorithm.name; };
  if (std::none_of(algorithms.begin(), algorithms.end(), same)) algorithms.push_back(std::move(algorithm));
}

OurAlgorithm one_of(const cubefold::ExchangeMethod& method) {
  return {to_string(method), {method}};
}

/// Nothing that this process has to send waits for a step that others are in.
bool is_burst(const ExchangeCandidate& candidate) {
  return std::none_of(candidate.stretches.begin(), candidate.stretches.end(),
                      [](const cubefold::Stretch& stretch) { return stretch.chained; });
}

std::size_t steps_behind(const ExchangeCandidate& candidate, Pacing pacing) {
  switch (pacing) {
    case Pacing::data:
      return is_burst(candidate) ? unlimited : cubefold::mpi::RunRules{}.steps_behind;
    case Pacing::clock:
      return steps_behind_clock;
    case Pacing::barriers:
      return 1;
  }
  throw std::logic_error("steps_behind: unknown pacing");
}

std::size_t barrier_count(const ExchangeCandidate& candidate, Pacing pacing) {
  switch (pacing) {
    case Pacing::data:
      return 0;
    case Pacing::clock:
      return 1;
    case Pacing::barriers:
      return candidate.steps;
  }
  throw std::logic_error("barrier_count: unknown pacing");
}

}  // namespace

std::vector<OurAlgorithm> our_algorithms(const std::vector<std::string>& names, const cubefold::Grid& grid) {
  std::vector<OurAlgorithm> algorithms;
  for (const std::string& name : names) {
    if (name == "plan") {
      add_once(algorithms, {name, {}});
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
    if (name != "plan" && name != "all") cubefold::parse_exchange_method(name);
  }
}

std::string_view to_string(Pacing pacing) {
  switch (pacing) {
    case Pacing::data:
      return "data";
    case Pacing::clock:
      return "clock";
    case Pacing::barriers:
      return "barriers";
  }
  throw std::logic_error("to_string: unknown pacing");
}

std::optional<Pacing> parse_pacing(std::string_view text) {
  if (text == "auto") return std::nullopt;
  for (const Pacing pacing : pacings) {
    if (text == to_string(pacing)) return pacing;
  }
  throw std::invalid_argument(fmt::format("unknown pacing '{}'; known: auto, data, clock, barriers", text));
}

PlannedExchange planned_exchange(const cubefold::ExchangePlan& plan, std::optional<Pacing> forced) {
  const ExchangeCandidate& choice = plan.choice();
  const Pacing pacing = forced.value_or(choice.pacing);
  const auto barriers = [&](Pacing of) {
    return static_cast<double>(barrier_count(choice, of)) * plan.model.barrier_seconds;
  };
  return {choice.method,
          {.pacing = pacing,
           .times = plan.times(),
           .piece_bytes = plan.piece_bytes,
           .steps_behind = steps_behind(choice, pacing)},
          choice.seconds - barriers(choice.pacing) + barriers(pacing)};
}
