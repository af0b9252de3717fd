#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "permute/measure.hpp"

/// Holds the settings and the results of a run.
struct Report {
  cubefold::Grid grid;
  bool knows_network;  ///< false if the network is unknown; the grid is then a line
  cubefold::timing::RunOptions options;
  std::vector<PlacedRound> rounds;
  std::vector<PermuteCase> cases;
  cubefold::timing::Measured measured;
};

/// Prints the table on standard output.
void print_table(const Report& report);

/// Returns the report as JSON, with times in seconds and sizes in bytes. `order` numbers the results in the order of
/// their runs, and `links` has the predicted bytes of each link in a round.
nlohmann::ordered_json as_json(const Report& report);
