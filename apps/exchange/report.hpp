#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "exchange/measure.hpp"
#include "exchange/model.hpp"

/// Describes the grid and the placement of an exchange, the model of its plans, and the distances that the stages of a
/// CC-cube cover.
struct Setting {
  std::string grid;   ///< name of the network
  std::string nodes;  ///< the nodes of the processes in a few words
  std::string placement;
  std::size_t process_count;
  int repetitions;
  std::uint64_t seed;
  SourcedModel model;
  std::vector<int>
      stage_hops;  ///< longest distance between neighbours in each cube dimension; empty if p is no power of two
};

/// Returns the setting of a run. Every process looks only at its own neighbours, so this costs O(log p). All processes
/// must call this.
Setting setting_of(const cubefold::mpi::VirtualComm& comm, const cubefold::timing::RunOptions& options,
                   const SourcedModel& model);

/// Says how results are printed.
enum class Format : std::uint8_t {
  table,  ///< for people
  osu,    ///< for each algorithm a table as those of the OSU micro-benchmarks: sizes, and latencies in us
  csv,    ///< a line for each result, after one with the names of columns
};

/// Returns the format of that name. Throws std::invalid_argument that lists the names.
Format parse_format(const std::string& text);

/// Prints the results on standard output.
void print_results(const Setting& setting, const Comparison& comparison, Format format);

/// Returns the data of the table as JSON, with times in seconds and sizes in bytes. `order` numbers the results in the
/// order of their runs. Results of cubefold also have `method`, `sync` and `predicted_seconds`, and `links` has the
/// predicted bytes of each link.
nlohmann::ordered_json as_json(const Setting& setting, const Comparison& comparison,
                               const cubefold::Placement& placement);
