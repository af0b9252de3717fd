#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conflict.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Holds lower bounds of every complete exchange on the same grid with the same ports.
struct ScheduleBound {
  double blocks;           ///< time in units of one block on a link; halves are possible
  std::uint64_t startups;  ///< number of messages one after the other

  bool operator==(const ScheduleBound&) const = default;
};

/// Holds a schedule with everything that is needed to judge it.
struct ScheduleFile {
  Placement placement;
  Ports ports;
  Tie tie;
  std::string algorithm;  ///< name of what built the schedule; any text
  ScheduleBound bound;
  Schedule schedule;  ///< schedule for the ranks of the placement
};

/// Returns the file as JSON, with one key per line and one step per line:
///
/// | key              | value                                                                                     |
/// |------------------|-------------------------------------------------------------------------------------------|
/// | grid, placement  | as parse_grid() and parse_placement() read them                                           |
/// | ports, tie       | `one` or `all`; `positive` or `balanced`                                                  |
/// | algorithm        | text                                                                                      |
/// | bound            | object with blocks and startups                                                           |
/// | steps            | array of steps, each an array of messages {"from", "to", "blocks": [[source, destination]]} |
///
/// A message that reduces also has "reduces": true, and "left": true if it arrives left. All numbers of a message are
/// nodes, so that a reader of the steps need not know the placement. Throws std::invalid_argument for a schedule with another number of ranks than the
/// placement, for a rank that does not exist, and for a bound that is not finite. Costs O(blocks): 8 to 20 bytes of
/// text per block and 30 to 40 more per message.
CUBEFOLD_API std::string schedule_json(const ScheduleFile& file);

/// Reads what schedule_json() writes, with keys in any order. Ignores other keys at the top level. Checks the form
/// only, and not whether the schedule is a complete exchange. Throws std::invalid_argument in one line, with the place
/// where there is one ("steps[3][1].from"), for text that is not JSON, a key that occurs twice, a key that is missing
/// or of another type, an unknown word or grid, and a node that the grid does not have. Costs O(text), and memory for
/// the schedule and one message.
CUBEFOLD_API ScheduleFile parse_schedule_json(std::string_view text);

/// Returns in one line why the file's schedule is not a complete exchange without conflicts on its grid, or nothing if
/// it is one. The line says that the schedule sends less than half of the blocks of a complete exchange, which needs no
/// replay, or describes the first fault of first_delivery_fault(), or else the first conflict of first_conflict() with
/// the places of its two messages in the file. Ranks are those of the file's placement. Costs as much as both of these
/// functions.
CUBEFOLD_API std::optional<std::string> first_fault(const ScheduleFile& file);

}  // namespace cubefold
