#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "permute/measure.hpp"

/// Everything that a run is about.
struct Report {
  cubefold::Grid grid;
  cubefold::timing::RunOptions options;
  std::vector<PlacedRound> rounds;
  std::vector<PermuteCase> cases;
  cubefold::timing::Measured measured;
};

/// The table that people read, on standard output.
void print_table(const Report& report);

/// The same as data; times in seconds, sizes in bytes. `order` numbers the results in the order of their runs, and what
/// a round should put on each link is in `links`.
nlohmann::ordered_json as_json(const Report& report);
