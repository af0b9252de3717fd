#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// How many messages a node can send, and how many receive, in one step: one in all, or one per link.
/// Messages that pass through a node do not count.
enum class Ports : std::uint8_t { one, all };

/// `one`, `all`.
CUBEFOLD_API std::string_view to_string(Ports ports);

/// Inverse of to_string(). Throws std::invalid_argument that quotes the text and lists the names.
CUBEFOLD_API Ports parse_ports(std::string_view text);

/// Two messages of one step that cannot travel at the same time.
struct Conflict {
  enum class Kind : std::uint8_t { send_port, receive_port, link };

  Kind kind;
  std::size_t step;
  std::size_t first_message;   ///< index within the step
  std::size_t second_message;  ///< index within the step
  Link link;                   ///< shared link; for ports only link.from, the node, has a meaning

  bool operator==(const Conflict&) const = default;
};

/// The first conflict of a schedule on the placement's grid, or nothing if every step is free of them.
/// Routes are dimension-ordered. Knows nothing of how the schedule was built. O(hops of all messages).
/// Throws std::invalid_argument for a rank that the placement does not have.
CUBEFOLD_API std::optional<Conflict> first_conflict(const Placement& placement, const Schedule& schedule,
                                                    Ports ports, Tie tie);

/// One line that names step, place and messages.
CUBEFOLD_API std::string describe(const Conflict& conflict, const Schedule& schedule);

}  // namespace cubefold
