#include "peer_exchange.hpp"

#include <stdexcept>
#include <utility>

#include "agreement.hpp"
#include "alltoall_request.hpp"
#include "cubefold/mpi/error.hpp"
#include "leaked_memory.hpp"

namespace cubefold::mpi {

PeerExchange::PeerExchange(std::shared_ptr<NodeGroups> groups) : groups_(std::move(groups)) {}

PeerExchange::PeerExchange(PeerExchange&&) noexcept = default;

PeerExchange::~PeerExchange() = default;

PeerExchange PeerExchange::make(const std::shared_ptr<NodeGroups>& groups, const AlltoallSetup& setup,
                                Peers peers) {
  PeerExchange made(groups);
  MPI_Comm all = groups->context().comm();
  agree_on_outcome(all, [&] {
    if (peers == Peers::leaders && groups->slot() > 0) return;
    made.plan_ = AlltoallPlan::make(*groups->peers(), groups->peers_context(), setup);
  });
  agree_on_outcome(all, [&] {
    if (made.plan_) made.request_ = std::make_unique<AlltoallRequest>(*made.plan_);
  });
  return made;
}

void PeerExchange::require_no_forwarding(const char* reason) const {
  if (takes_part() && forwards_blocks()) throw std::invalid_argument(reason);
}

bool PeerExchange::forwards_blocks() const {
  return plan_->program().scratch_slots > 0;
}

// A peer that has failed may not come here; its notice goes to all processes. It also goes to the peers alone, in words
// that only they understand, and may be there first.
void PeerExchange::run(Sides sides, std::size_t largest_bytes) {
  CommContext& all = groups_->context();
  sides.require_valid(groups_->sharing().group_count(), groups_->group());
  request_->bind(sides, largest_bytes);
  try {
    request_->start();
    request_->wait([&] { all.throw_if_peer_failed(); });
  } catch (const Agreed& failure) {
    if (failure.known_by() == KnownBy::notice && !all.has_failed()) all.await_notice();
    throw;
  }
}

// Takes the exception that is being handled. The peers wait for this process on a context of their own. MPI may still
// use the memory of an exchange that is under way, so it is never freed.
void PeerExchange::fail() {
  if (!takes_part()) return;
  if (request_->is_running()) leak_to_mpi(std::move(request_));
  groups_->peers_context()->fail(current_failure());
}

}  // namespace cubefold::mpi
