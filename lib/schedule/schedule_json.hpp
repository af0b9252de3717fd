#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// What no complete exchange goes below on the same grid with the same ports.
struct ScheduleBound {
  double blocks;           ///< times of one block on a link; halves are possible
  std::uint64_t startups;  ///< messages one after the other

  bool operator==(const ScheduleBound&) const = default;
};

/// A schedule with all that it takes to judge it.
struct ScheduleFile {
  Placement placement;
  Ports ports;
  Tie tie;
  std::string algorithm;  ///< what made it; any text
  ScheduleBound bound;
  Schedule schedule;  ///< of the placement's ranks
};

/// The file as JSON. One key a line, and one step a line:
///
/// | key              | value                                                                                     |
/// |------------------|-------------------------------------------------------------------------------------------|
/// | grid, placement  | as parse_grid() and parse_placement() read them                                           |
/// | ports, tie       | `one` or `all`; `positive` or `balanced`                                                  |
/// | algorithm        | text                                                                                      |
/// | bound            | object with blocks and startups                                                           |
/// | steps            | array of steps, each an array of messages {"from", "to", "blocks": [[source, destination]]} |
///
/// All four of a message are nodes, so that whoever reads the steps need not know the placement. Throws
/// std::invalid_argument for a schedule of another number of ranks than the placement's, with a rank that is none, or
/// with a bound that is not finite.
/// O(blocks), 8 to 20 bytes of text each and 30 to 40 more for each message.
CUBEFOLD_API std::string schedule_json(const ScheduleFile& file);

/// Inverse of schedule_json(), for keys in any order; others at the top are left out. Knows only the form: whether the
/// schedule is any good is another question. Throws std::invalid_argument in one line, with the place where there is
/// one ("steps[3][1].from"): not JSON, a key that stands twice, a key missing or of another type, a word or grid that
/// is none, a node that the grid does not have. O(text); memory for the schedule and one message.
CUBEFOLD_API ScheduleFile parse_schedule_json(std::string_view text);

/// What keeps the file's schedule from being a complete exchange without conflicts on its grid, in one line: the first
/// fault of first_delivery_fault(), or else the first of first_conflict() with the two messages' places in the file.
/// Nothing if it is one. Without a replay, that it sends less than half of the blocks. Ranks are those of the file's
/// placement. Cost of both.
CUBEFOLD_API std::optional<std::string> first_fault(const ScheduleFile& file);

/// parse_schedule_json() of what comes from outside and is going to be run. Throws what that does, and
/// std::invalid_argument with first_fault() if there is one.
CUBEFOLD_API ScheduleFile checked_schedule(std::string_view text);

}  // namespace cubefold
