#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "exchange/planned_exchange.hpp"
#include "exchange/rival.hpp"

/// One algorithm at one block size.
struct ExchangeCase {
  std::size_t block_bytes;
  std::string algorithm;
  double bound_seconds;                 ///< lower bound of any exchange in the plan's model
  std::optional<PlannedExchange> ours;  ///< empty if the algorithm is one of MPI's
};

/// The algorithms and block sizes of a comparison. Requires at least one algorithm of cubefold.
struct Contest {
  std::vector<OurAlgorithm> ours;
  std::vector<Rival> rivals;
  std::vector<std::size_t> block_sizes;
  std::optional<cubefold::Pacing> pacing;  ///< empty: the plan's synchronisation
};

/// Returns the cases in the order of block sizes, each with the algorithms of cubefold before the baselines. Plans once
/// for each algorithm of cubefold at each block size. Throws std::invalid_argument for methods that do not fit the
/// grid.
std::vector<ExchangeCase> cases_of(const Contest& contest, const cubefold::Placement& placement,
                                   const cubefold::ExchangeModel& model);
