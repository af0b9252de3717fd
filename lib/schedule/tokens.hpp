#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Holds the tokens that one rank sends and awaits, beside its messages, so that no two messages of different steps are
/// on one link, or at one receiver that has a single port, at the same time. A token has no content. The tokens between
/// two ranks are given and awaited in the same order. The messages that a rank sends are numbered from 0 in the order
/// of the schedule, and so are the messages that it receives.
struct TokenProgram {
  struct Awaited {
    std::uint32_t send;  ///< number of the send that must not begin before the token has arrived
    Rank from;

    bool operator==(const Awaited&) const = default;
  };
  struct Given {
    std::uint32_t receive;  ///< the token leaves when this receive and all before it are over
    Rank to;

    bool operator==(const Given&) const = default;
  };
  std::vector<Awaited> awaited;  ///< in the order of sends
  std::vector<Given> given;      ///< in the order of receives

  bool operator==(const TokenProgram&) const = default;
};

/// Follows a schedule step by step and finds the tokens of one rank. A message awaits tokens from the receivers of the
/// last messages of earlier steps that use a link of its route or, with Ports::one, go to its receiver. Chains of such
/// tokens order the older messages. A token is left out if the rank awaits one earlier from the same rank that implies
/// it. No rank sends a token to itself, because a shortest route into a node and one out of it share no link.
class CUBEFOLD_API TokenSearch {
 public:
  TokenSearch(const Placement& placement, Ports ports, Tie tie, Rank rank);

  /// Adds the next step, with the messages of all ranks. Costs O(hops of its messages).
  void add(const Step& step);

  /// Returns the tokens of the steps so far.
  TokenProgram finish() const;

 private:
  /// Holds the receiver of a message that used a resource, and the number of that message among those that it receives.
  struct User {
    Rank rank;
    std::uint32_t receive;
  };
  struct LastUsers {
    std::size_t step = 0;
    std::vector<User> last;
  };

  std::vector<std::size_t> resources_of(const Message& message) const;
  void await_users(const Message& message);
  void await(Rank sender, const User& user);
  void use(const Message& message);

  const Placement* placement_;
  Ports ports_;
  Tie tie_;
  Rank rank_;
  std::size_t step_ = 0;
  std::vector<LastUsers> users_;  ///< by link_index(), then by receiving rank
  std::vector<std::uint32_t> send_count_;
  std::vector<std::uint32_t> receive_count_;
  /// Counts, by rank, the receives of that rank that this rank knows to be over.
  std::unordered_map<std::uint32_t, std::uint32_t> heard_from_;
  /// Counts, by rank, the receives of this rank that that rank knows to be over.
  std::unordered_map<std::uint32_t, std::uint32_t> told_;
  TokenProgram tokens_;
};

/// Returns one rank's tokens of a whole schedule. Costs O(hops of all messages), and memory O(nodes * axes).
CUBEFOLD_API TokenProgram token_program(const Schedule& schedule, const Placement& placement, Ports ports,
                                        Tie tie, Rank rank);

}  // namespace cubefold
