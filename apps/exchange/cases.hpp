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
  double bound_seconds;                 ///< of any exchange, in the plan's model
  std::optional<PlannedExchange> ours;  ///< nothing: one of MPI's
};

/// Who takes part in a comparison, with which blocks. One of ours at least.
struct Contest {
  std::vector<OurAlgorithm> ours;
  std::vector<Rival> rivals;
  std::vector<std::size_t> block_sizes;
  std::optional<cubefold::Pacing> pacing;  ///< nothing: as planned
};

/// In the order of block sizes, then ours, then rivals. Throws std::invalid_argument for methods that do not fit the
/// grid. Plans once for each of ours at each block size.
std::vector<ExchangeCase> cases_of(const Contest& contest, const cubefold::Placement& placement,
                                   const cubefold::ExchangeModel& model);
