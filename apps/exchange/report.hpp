#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "exchange/measure.hpp"

/// Where an exchange ran and what its stages have to bridge.
struct Setting {
  std::string grid;
  std::string placement;
  std::size_t process_count;
  int repetitions;
  std::vector<int> stage_hops;  ///< longest distance between neighbours in each cube dimension
};

/// Collective, O(log p): every process looks at its own neighbours only.
Setting setting_of(const cubefold::mpi::VirtualComm& comm, int repetitions);

/// The table that people read, on standard output.
void print_table(const Setting& setting, const std::vector<Measurement>& measurements);

/// The same as data; times in seconds, sizes in bytes.
nlohmann::ordered_json as_json(const Setting& setting, const std::vector<Measurement>& measurements);
