#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alltoall_candidate.hpp"
#include "cubefold/export.h"
#include "cubefold/simulation/machine.hpp"

namespace cubefold {

/// The exchanges for which one choice holds: the processes that exchange, the form of their calls, and all block sizes
/// with the same bit width.
struct TunedExchange {
  std::string processes;  ///< grid and placement, as `torus:4x4 xor`
  std::string form;       ///< as CallKind is named
  std::size_t bit_width;  ///< 3 for blocks of 4 to 7 bytes

  bool operator==(const TunedExchange&) const = default;
};

/// The fastest candidate for such exchanges, as measured calls of a program have found it.
struct TunedChoice {
  TunedExchange exchange;
  AlltoallCandidate candidate;
  double seconds;           ///< its median time
  std::size_t block_bytes;  ///< block size that was measured

  bool operator==(const TunedChoice&) const = default;
};

/// The choices of programs that ran at one place.
struct TuningTable {
  MachineUse place;  ///< grid and number of hosts of all processes, and the MPI library
  std::vector<TunedChoice> choices;

  /// Returns the choice for these exchanges, or null.
  CUBEFOLD_API const TunedChoice* find(const TunedExchange& exchange) const;

  /// Adds a choice, which replaces one for the same exchanges.
  CUBEFOLD_API void add(TunedChoice choice);
};

/// The format of the JSON text that parse_tuning() reads and to_json() writes. A candidate by the clock that has its
/// slots from calls has the member `slot_tau_seconds`, which other choices and older files lack.
inline constexpr int tuning_format_version = 2;

/// Returns the table as JSON text.
CUBEFOLD_API std::string to_json(const TuningTable& table);

/// Parses what to_json() writes. `file` names the text in error messages, which are one line. Throws
/// std::invalid_argument for a text that is not such JSON, for a table that another version of cubefold wrote or that
/// has another format, and for one that was made at another place: for another grid or other links and routes, on
/// another number of hosts, or with another MPI library.
CUBEFOLD_API TuningTable parse_tuning(std::string_view json, const MachineUse& place,
                                      const std::string& file);

/// Returns the table in a file as parse_tuning() does, or an empty one if there is no such file. Throws
/// std::invalid_argument also if the file cannot be read.
CUBEFOLD_API TuningTable read_tuning(const std::string& file, const MachineUse& place);

/// Writes the table to a file, which is replaced as a whole and is never incomplete. Throws std::invalid_argument if it
/// cannot be written.
CUBEFOLD_API void write_tuning(const std::string& file, const TuningTable& table);

/// Adds a choice to the table in a file, which it reads anew. Of two programs that do so at the same moment, one may
/// lose its choice. Throws std::invalid_argument as read_tuning() and write_tuning().
CUBEFOLD_API void add_to_file(const std::string& file, const MachineUse& place, const TunedChoice& choice);

}  // namespace cubefold
