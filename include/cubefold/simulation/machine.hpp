#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/simulation/steps.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Holds the times of exchanges of blocks of one size among all processes that need no plan.
struct PlainExchangeTimes {
  std::size_t block_bytes;
  double alltoall_seconds;  ///< of MPI_Alltoall
  double linear_seconds;    ///< of `linear`, which sends all messages at once

  bool operator==(const PlainExchangeTimes&) const = default;
};

/// Holds the time of MPI_Allreduce of a vector of doubles among all processes.
struct PlainAllreduceTime {
  std::size_t vector_bytes;
  double seconds;

  bool operator==(const PlainAllreduceTime&) const = default;
};

/// What the queues of a network do when they are full: lossless networks (InfiniBand, Tofu, Slingshot) let senders
/// wait, lossy ones (Ethernet without flow control) drop packets, which costs timeouts.
enum class Queues : std::uint8_t { unknown, lossless, lossy };

/// Returns `unknown`, `lossless` or `lossy`.
CUBEFOLD_API std::string_view to_string(Queues queues);

/// Parses what to_string() writes. Throws std::invalid_argument for other texts.
CUBEFOLD_API Queues parse_queues(std::string_view text);

/// The time in which a processor copies a byte, where nobody has measured it: 20 GB/s.
inline constexpr double typical_copy_seconds_per_byte = 1 / 20e9;

/// Holds what cubefold-calibrate measures on a network whose nodes run one process each, and where it measured.
///
/// A single message of L bytes takes alpha + L tau, from the call that sends it to the end of the call that receives
/// it. In a stream, messages leave without waiting for earlier ones to arrive, and a message of L bytes arrives every
/// gap + L tau. A part of alpha is latency, which overlaps in a stream. The gap holds what does not overlap: headers
/// and the work per message.
struct Machine {
  Grid grid;
  double alpha_seconds = 0;  ///< one-way time of a message of one byte between neighbours
  double gap_seconds = 0;    ///< gap (LogGP g): time per message of a stream, besides its bytes
  /// One value for each axis, or one for all axes. It includes the headers of full packets.
  std::vector<double> tau_seconds_per_byte{0};
  double barrier_seconds = 0;                                    ///< time of MPI_Barrier on all processes
  double copy_seconds_per_byte = typical_copy_seconds_per_byte;  ///< of a copy in memory that no cache holds
  Ports ports = Ports::one;
  Queues queues = Queues::unknown;
  std::vector<bool> wraps{};  ///< per axis: it has a wrap link, and messages over it share no other link
  /// By ascending block_bytes; empty if none was measured.
  std::vector<PlainExchangeTimes> plain_exchanges{};
  std::vector<PlainAllreduceTime>
      plain_allreduces{};      ///< by ascending vector_bytes; empty if none was measured
  std::size_t host_count = 1;  ///< number of hosts that the processes ran on
  std::string mpi_library{};   ///< name and version, as `Open MPI v4.1.4`
  std::string date{};          ///< ISO 8601, UTC
  std::string file{};          ///< file that it was read from, for error messages; not in the JSON

  bool operator==(const Machine&) const = default;
};

/// The format of the JSON text that parse_machine() reads and to_json() writes.
inline constexpr int machine_format_version = 1;

/// Parses what to_json() writes, and ignores keys that it does not know. `file` names the text in error messages.
/// Throws std::invalid_argument with a message of one line for a text that is not JSON, another format version, a key
/// that is missing or has another type (`queues`, `copy_seconds_per_byte`, `plain_exchanges` and `plain_allreduces` may
/// be missing), a time that is negative or not finite, taus that are neither one nor one per axis, a number of
/// processes other than the number of nodes, a number of hosts that is 0 or above the number of processes, a wrap link
/// that the grid does not have, and plain exchanges or allreduces whose sizes do not ascend from above 0.
CUBEFOLD_API Machine parse_machine(std::string_view json, std::string file = {});

/// Returns the machine as JSON text with one key per line. Numbers read back as the same values. Throws
/// std::invalid_argument for a machine that parse_machine() refuses.
CUBEFOLD_API std::string to_json(const Machine& machine);

/// Parses a file with parse_machine(). Throws what parse_machine() throws, and std::invalid_argument if the file cannot
/// be read.
CUBEFOLD_API Machine read_machine(const std::string& file);

/// Describes where a program runs that wants to use a machine file.
struct MachineUse {
  Grid grid;
  std::size_t host_count;
  std::string mpi_library;
};

/// Returns why the measurements do not hold for this use: they were made for another grid, on another number of hosts,
/// or with another MPI library or another major version of it. Returns nothing if they hold.
CUBEFOLD_API std::optional<std::string> misfit(const Machine& machine, const MachineUse& use);

/// Throws std::invalid_argument with the machine's file and the misfit() if there is one: "machine file FILE: made for
/// torus:4x4, not mesh:4x4".
CUBEFOLD_API void require_fits(const Machine& machine, const MachineUse& use);

/// Returns the machine of processes that differ in these axes only: one line or plane among others that work at the
/// same time. It keeps the measurements of these axes and of the whole machine, but times of plain calls only if
/// the processes are those of the machine. `host_count` is the number of hosts of these processes. Throws
/// std::invalid_argument for an axis that the grid does not have.
CUBEFOLD_API Machine on_axes(const Machine& machine, const std::vector<int>& axes, std::size_t host_count);

/// Returns the times of plain exchanges for a block size. They are interpolated between the measured sizes, those of
/// the smallest size below it, and proportional to the size above the largest one. Returns nothing if none was
/// measured.
CUBEFOLD_API std::optional<PlainExchangeTimes> plain_exchange_times(const Machine& machine,
                                                                    std::size_t block_bytes);

/// Returns the time of MPI_Allreduce of a vector of doubles, interpolated between the measured sizes. Returns nothing
/// for shorter and longer vectors, because MPI libraries choose other algorithms for them.
CUBEFOLD_API std::optional<double> plain_allreduce_seconds(const Machine& machine, std::size_t vector_bytes);

/// Returns the StepModel of the machine, without barriers: a step begins when all messages of the step before it have
/// arrived.
CUBEFOLD_API StepModel step_model(const Machine& machine, Tie tie);

}  // namespace cubefold
