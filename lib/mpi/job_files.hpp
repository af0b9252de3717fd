#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cubefold/export.h"
#include "cubefold/simulation/machine.hpp"
#include "cubefold/topology/grid.hpp"
#include "plan/alltoall_candidate.hpp"
#include "plan/tuning_file.hpp"

namespace cubefold::mpi {

struct Hints;

/// Returns the name and version of the MPI library, as `Open MPI v4.1.4` or `MPICH v4.0.2`: the text of
/// MPI_Get_library_version up to the first comma or end of line. Does not communicate, and may be called before
/// MPI_Init.
CUBEFOLD_API std::string library_name();

/// Collective: returns the machine in the file that the hint `machine` names, or else the environment variable
/// CUBEFOLD_MACHINE on process 0, or nothing if there is neither. Only process 0 reads the file. Throws
/// std::invalid_argument on all processes if read_machine() does. Costs some broadcasts.
CUBEFOLD_API std::optional<Machine> machine_of_root(MPI_Comm comm, const Hints* hints = nullptr);

/// Collective: returns machine_of_root() for the processes of a grid. Throws std::invalid_argument on all processes if
/// require_fits() does, too. Costs host_count() more if there is a file.
CUBEFOLD_API std::optional<Machine> machine_from_environment(MPI_Comm comm, const Grid& grid,
                                                             const Hints* hints = nullptr);

/// The choices that earlier runs of a program have found, in the file that the hint `tuning` names, or else the
/// environment variable CUBEFOLD_TUNING on process 0. All processes hold all choices; only process 0 reads and writes
/// the file.
class CUBEFOLD_API TuningStore {
 public:
  /// Collective: returns the store, or null if no file is named. Makes the file if it does not exist.
  /// Throws std::invalid_argument on all processes if the file cannot be made, or if read_tuning() refuses it. Costs
  /// some broadcasts, and host_count() if there is a file and `hosts` does not tell the number.
  static std::shared_ptr<TuningStore> from_environment(MPI_Comm comm, const Grid& grid,
                                                       const Hints* hints = nullptr,
                                                       std::optional<std::size_t> hosts = std::nullopt);

  TuningStore(std::string file, TuningTable table, bool is_writer)
      : file_(std::move(file)), table_(std::move(table)), is_writer_(is_writer) {}

  /// Returns the choice for these exchanges, or null. Does not communicate.
  const TunedChoice* find(const TunedExchange& exchange) const { return table_.find(exchange); }

  /// Adds the fastest candidate for these exchanges, which process 0 writes to the file. A failure is kept for
  /// failure(), since the exchange itself is right. Does not communicate.
  void add(const TunedExchange& exchange, const AlltoallCandidate& candidate, double seconds,
           std::size_t block_bytes) noexcept;

  /// Returns why the last choice could not be written, on process 0, or an empty text.
  const std::string& failure() const { return failure_; }

 private:
  std::string file_;
  TuningTable table_;
  bool is_writer_;
  std::string failure_;
};

}  // namespace cubefold::mpi
