#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/simulation/steps.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// What cubefold-calibrate measures of a network whose nodes run one process each, and where it did.
///
/// Alone, a message of L bytes takes alpha + L tau from the call that sends it to the end of the one that receives it.
/// In a stream, where the next leaves without waiting for the last to arrive, messages of L bytes arrive every gap + L
/// tau: what is latency in alpha overlaps there, headers and the work per message do not.
struct Machine {
  Grid grid;
  double alpha_seconds = 0;  ///< one way, of a message of a byte between neighbours
  double gap_seconds = 0;    ///< per message of a stream, besides its bytes
  std::vector<double> tau_seconds_per_byte{
      0};                      ///< one for each axis, or one for all; headers of full packets included
  double barrier_seconds = 0;  ///< of MPI_Barrier on all processes
  Ports ports = Ports::one;
  std::vector<bool> wraps{};   ///< per axis: has a wrap link, and messages over it share no other link
  std::size_t host_count = 1;  ///< computers that the processes ran on
  std::string mpi_library{};   ///< name and version, as `Open MPI v4.1.4`
  std::string date{};          ///< ISO 8601, UTC
  std::string file{};          ///< where it was read from, for messages; not part of the JSON

  bool operator==(const Machine&) const = default;
};

/// The format of the JSON text that parse_machine() reads and to_json() writes.
inline constexpr int machine_format_version = 1;

/// Reads what to_json() writes; keys that it does not know it leaves aside. The file is its name in messages. Throws
/// std::invalid_argument in one line for what is no JSON, another format version, a key that is missing or of another
/// type, a time that is negative or not finite, taus that are neither one nor one per axis, a number of processes other
/// than that of nodes, and a wrap link where the grid has none.
CUBEFOLD_API Machine parse_machine(std::string_view json, std::string file = {});

/// One key a line. Numbers read back as the same. Throws std::invalid_argument for times that parse_machine() refuses.
CUBEFOLD_API std::string to_json(const Machine& machine);

/// parse_machine() of a file. Throws std::invalid_argument also if it cannot be read.
CUBEFOLD_API Machine read_machine(const std::string& file);

/// Where a program runs that wants to use a machine file.
struct MachineUse {
  Grid grid;
  std::size_t host_count;
  std::string mpi_library;
};

/// Why measurements from one place say nothing about another: they were made for another grid, on another number of
/// computers, or with another MPI library or major version of it. Nothing if they fit.
CUBEFOLD_API std::optional<std::string> misfit(const Machine& machine, const MachineUse& use);

/// Throws std::invalid_argument with the machine's file and the misfit(), if there is one:
/// "machine file FILE: made for torus:4x4, not mesh:4x4".
CUBEFOLD_API void require_fits(const Machine& machine, const MachineUse& use);

/// The machine of processes that differ in these axes only, one line or plane among others that work at the same time:
/// what was measured stays, for these axes. `host_count` is theirs. Throws std::invalid_argument for an axis that there
/// is not.
CUBEFOLD_API Machine on_axes(const Machine& machine, const std::vector<int>& axes, std::size_t host_count);

/// Steps on that machine, each of which begins when all messages of the one before it have arrived, without a barrier.
CUBEFOLD_API StepModel step_model(const Machine& machine, Tie tie);

}  // namespace cubefold
