#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collective.hpp"
#include "conflict.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Holds lower bounds of every schedule of the collective on the same grid with the same ports.
struct ScheduleBound {
  double blocks;           ///< time in units of one block or chunk on a link; fractions are possible
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
  Schedule schedule;                          ///< schedule for the ranks of the placement
  std::optional<Collective> collective = {};  ///< with numbered chunks; a complete exchange if there is none
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
/// The file of another collective than a complete exchange also has "collective", its name, and "chunks", their number,
/// before the steps, and its messages have "chunks": [number] in place of blocks. A message that reduces has "reduces":
/// true, and "left": true if it arrives left. All other numbers of a message are nodes, and where chunks have owners,
/// they are counted by the owners' nodes, so that a reader of the steps need not know the placement. Throws
/// std::invalid_argument for a schedule with another number of ranks than the placement, for a rank that does not
/// exist, and for a bound that is not finite. Costs O(blocks): 8 to 20 bytes of text per block and 30 to 40 more per
/// message.
CUBEFOLD_API std::string schedule_json(const ScheduleFile& file);

/// Reads what schedule_json() writes, with keys in any order. Ignores other keys at the top level. Checks the form
/// only, and not whether the schedule does what the collective asks for. Throws std::invalid_argument in one line, with
/// the place where there is one ("steps[3][1].from"), for text that is not JSON, a key that occurs twice, a key that is
/// missing or of another type, an unknown word or grid, a node that the grid does not have, and a chunk that the
/// collective does not have. Costs O(text), and memory for the schedule and one message.
CUBEFOLD_API ScheduleFile parse_schedule_json(std::string_view text);

/// Returns in one line why the file's schedule does not perform the collective without conflicts on its grid, or
/// nothing if it does. The line says that the schedule sends less than half of the blocks that it has to, which needs
/// no replay, or describes the first fault of first_delivery_fault(), or else the first conflict of first_conflict()
/// with the places of its two messages in the file. Ranks are those of the file's placement. Costs as much as both of
/// these functions.
CUBEFOLD_API std::optional<std::string> first_fault(const ScheduleFile& file);

}  // namespace cubefold
