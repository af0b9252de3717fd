#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// What one rank sends and awaits, beside its messages, so that no two messages of different steps are on one link, or
/// at one receiver that has a single port, at the same time. A token has no content; those between two ranks are given
/// and awaited in the same order. Messages are numbered from 0 among those that a rank sends, and among those that it
/// receives, in the order of the schedule.
struct TokenProgram {
  struct Awaited {
    std::uint32_t send;  ///< does not begin before the token is there
    Rank from;

    bool operator==(const Awaited&) const = default;
  };
  struct Given {
    std::uint32_t receive;  ///< the token leaves when it and all before it are over
    Rank to;

    bool operator==(const Given&) const = default;
  };
  std::vector<Awaited> awaited;  ///< in the order of sends
  std::vector<Given> given;      ///< in the order of receives

  bool operator==(const TokenProgram&) const = default;
};

/// Follows a schedule step by step and finds one rank's tokens. A message awaits those who receive the last messages of
/// earlier steps that use a link of its route or, with Ports::one, go to its receiver; older ones are ordered by chains
/// of such tokens. A token is left out where one that the rank awaits earlier from the same rank says more. None goes
/// from a rank to itself: a shortest route into a node and one out of it share no link.
class CUBEFOLD_API TokenSearch {
 public:
  TokenSearch(const Placement& placement, Ports ports, Tie tie, Rank rank);

  /// The next step, with the messages of all ranks. O(hops of its messages).
  void add(const Step& step);

  /// The tokens of the steps so far.
  TokenProgram finish() const;

 private:
  /// The receiver of a message that used a resource, and the message's number among those that it receives.
  struct User {
    Rank rank;
    std::uint32_t receive;
  };
  struct Users {
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
  std::vector<Users> users_;  ///< by link_index(), then by receiving rank
  std::vector<std::uint32_t> send_count_;
  std::vector<std::uint32_t> receive_count_;
  std::unordered_map<std::uint32_t, std::uint32_t>
      heard_from_;  ///< receives of that rank that this one knows to be over
  std::unordered_map<std::uint32_t, std::uint32_t>
      told_;  ///< receives of this rank that that one knows to be over
  TokenProgram tokens_;
};

/// One rank's tokens of a whole schedule. O(hops of all messages), and memory O(nodes * axes).
CUBEFOLD_API TokenProgram token_program(const Schedule& schedule, const Placement& placement, Ports ports,
                                        Tie tie, Rank rank);

}  // namespace cubefold
