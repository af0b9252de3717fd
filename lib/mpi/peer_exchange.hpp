#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "blocks.hpp"
#include "node_groups.hpp"
#include "plan/alltoall_setup.hpp"

namespace cubefold::mpi {

class AlltoallPlan;
class AlltoallRequest;

/// The processes that exchange with their peers: those with slot 0, or all, which needs groups of equal size.
enum class Peers : std::uint8_t { leaders, all };

/// The exchange between processes that have the same slot on all nodes, by a plan on their own context. Processes that
/// do not take part may only make it.
class PeerExchange {
 public:
  /// Collective on the groups' context: makes the exchange between the peers. Throws as AlltoallPlan::make().
  static PeerExchange make(const std::shared_ptr<NodeGroups>& groups, const AlltoallSetup& setup,
                           Peers peers);

  PeerExchange(PeerExchange&&) noexcept;
  ~PeerExchange();

  /// Returns whether this process takes part.
  bool takes_part() const { return plan_ != nullptr; }

  /// Returns whether the method forwards blocks. Requires that this process takes part.
  bool forwards_blocks() const;

  /// Throws std::invalid_argument with this reason, on this process alone, if its method forwards blocks, which only
  /// fits blocks of one size.
  void require_no_forwarding(const char* reason) const;

  /// Collective on the peers: exchanges blocks of up to largest_bytes on any process. Throws as
  /// AlltoallRequest::test(), and as CommContext::throw_if_peer_failed() if a process of the groups' context fails
  /// meanwhile.
  void run(Sides sides, std::size_t largest_bytes);

  /// Calls exchange(), which uses the groups' memory, while no other thread does. If it throws, gives up what is under
  /// way and tells the peers.
  template <typename Exchange>
  void with_lock(Exchange exchange) {
    const std::lock_guard lock(groups_->mutex());
    try {
      exchange();
    } catch (...) {
      fail();
      throw;
    }
  }

 private:
  explicit PeerExchange(std::shared_ptr<NodeGroups> groups);
  void fail();

  std::shared_ptr<NodeGroups> groups_;
  std::shared_ptr<AlltoallPlan> plan_;        ///< null unless this process takes part
  std::unique_ptr<AlltoallRequest> request_;  ///< null unless this process takes part
};

}  // namespace cubefold::mpi
