#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/topology/route.hpp"
#include "exchange/measure.hpp"

/// Where an exchange ran and what its stages have to bridge.
struct Setting {
  std::string grid;
  std::string placement;
  std::size_t process_count;
  int repetitions;
  std::uint64_t seed;
  std::vector<int> stage_hops;  ///< longest distance between neighbours in each cube dimension
};

/// Collective, O(log p): every process looks at its own neighbours only.
Setting setting_of(const cubefold::mpi::VirtualComm& comm, const cubefold::timing::RunOptions& options);

/// The table that people read, on standard output.
void print_table(const Setting& setting, const Comparison& comparison);

/// The same as the table as data; times in seconds, sizes in bytes. `order` numbers the results in the order of their
/// runs, and what our exchanges should put on each link is in `links`.
nlohmann::ordered_json as_json(const Setting& setting, const Comparison& comparison,
                               const cubefold::Placement& placement, cubefold::Tie tie);
