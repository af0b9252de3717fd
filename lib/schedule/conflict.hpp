#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Describes two messages of one step that cannot travel at the same time.
struct Conflict {
  enum class Kind : std::uint8_t { send_port, receive_port, link };

  Kind kind;
  std::size_t step;
  std::size_t first_message;   ///< index within the step
  std::size_t second_message;  ///< index within the step
  Link link;                   ///< shared link; for ports only link.from, the node, has a meaning
  GridNode link_end{};         ///< node to which the link leads; for ports node 0

  bool operator==(const Conflict&) const = default;
};

/// Looks for conflicts on the grid of a placement in steps that come one after another, so that a schedule that is too
/// large for memory can be checked while it is built. Messages follow route(), and a link of rate r carries r messages
/// of a step, rounded down. The check does not depend on how
/// the steps were built. Memory: 24 bytes per link and port.
class CUBEFOLD_API ConflictCheck {
 public:
  ConflictCheck(Placement placement, Ports ports, Tie tie);

  /// Returns the first conflict of the next step, or nothing. Costs O(hops of its messages). Throws
  /// std::invalid_argument for a rank that the placement does not have.
  std::optional<Conflict> add(const Step& step);

 private:
  /// Remembers which message uses each resource of a numbered set in the current step.
  class Users {
   public:
    explicit Users(std::size_t resource_count) : uses_(resource_count) {}

    /// Returns the last message that uses the resource in this step if `capacity` messages use it already. Otherwise
    /// registers the given message as a user and returns nothing.
    std::optional<std::size_t> claim(std::size_t resource, std::size_t step, std::size_t message,
                                     std::size_t capacity = 1);

   private:
    struct Use {
      std::size_t steps_begun = 0;  ///< number of the last step of use, counted from 1; 0 if never used
      std::size_t message = 0;
      std::size_t message_count = 0;  ///< in that step
    };
    std::vector<Use> uses_;
  };

  std::optional<Conflict> add(std::size_t index, const Message& message);
  std::optional<Conflict> add_to_ports(std::size_t index, GridNode from, GridNode to);
  GridNode node_of(Rank rank) const;

  Placement placement_;
  Ports ports_;
  Tie tie_;
  std::size_t step_count_ = 0;
  Users senders_;
  Users receivers_;
  Users links_;
};

/// Returns the first conflict that ConflictCheck finds in the schedule, or nothing if every step is free of conflicts.
CUBEFOLD_API std::optional<Conflict> first_conflict(const Placement& placement, const Schedule& schedule,
                                                    Ports ports, Tie tie);

/// Returns one line that names the step, the place and the messages.
CUBEFOLD_API std::string describe(const Conflict& conflict, const Schedule& schedule);

}  // namespace cubefold
