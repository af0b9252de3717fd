#include "node_groups.hpp"

#include <string>
#include <utility>

#include "agreement.hpp"
#include "alltoall_plan.hpp"
#include "cubefold/mpi/error.hpp"
#include "job_nodes.hpp"
#include "processes.hpp"

namespace cubefold::mpi {

NodeGroups::NodeGroups(std::shared_ptr<CommContext> context, const NodeSharing& sharing, Rank rank)
    : context_(std::move(context)),
      sharing_(std::make_shared<const NodeSharing>(sharing)),
      group_(sharing.group_of(rank)),
      slot_(sharing.slot_of(rank)) {}

bool NodeGroups::are_on_hosts(MPI_Comm comm, int own_group) {
  const OwnedComm members = agreed_split(comm, own_group, 0);
  const OwnedComm here = comm_on_host(members.get());
  int is_whole = process_count(here.get()) == process_count(members.get()) ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, &is_whole, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  return is_whole != 0;
}

std::shared_ptr<NodeGroups> NodeGroups::make(const VirtualComm& comm, std::shared_ptr<CommContext> context) {
  MPI_Comm all = context->comm();
  context->drain();
  std::shared_ptr<NodeGroups> made;
  agree_on_outcome(all, [&] { made.reset(new NodeGroups(context, *comm.sharing(), comm.rank())); });
  const OwnedComm members = agreed_split(all, static_cast<int>(made->group_), static_cast<int>(made->slot_));
  agree_on_outcome(all, [&] {
    made->memory_.emplace(members.get(),
                          NodeBarrier::bytes(made->own_size()) + made->size_bytes() + 2 * most_node_bytes);
    made->node_barrier_.emplace(made->memory_->bytes(), made->own_size(), made->slot_);
  });
  made->make_peers();
  return made;
}

/// Collective: makes the communicator of the peers, whose ranks are the groups.
void NodeGroups::make_peers() {
  const bool has_peers = slot_ == 0 || sharing_->is_even();
  OwnedComm part = agreed_split(context_->comm(), has_peers ? static_cast<int>(slot_) : MPI_UNDEFINED,
                                static_cast<int>(group_));
  agree_on_outcome(context_->comm(), [&] {
    if (!has_peers) return;
    const Placement& groups = sharing_->groups();
    peers_ = VirtualComm::of_process({groups.grid(), {}, true, "the nodes"}, to_string(groups.rule()),
                                     static_cast<std::size_t>(sharing_->node_of_group(group_)));
    peers_context_ =
        std::make_shared<CommContext>(std::move(part), context_->anywhere(), context_->time_limit());
  });
}

// After a failure other processes may wait in a call on these communicators, which must not be freed then.
NodeGroups::~NodeGroups() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0 || !context_->has_failed()) return;
  if (memory_) memory_->leak_to_mpi();
  if (peers_context_) peers_context_->fail({Status::mpi, "another process has failed"});
}

// MPI makes progress for other messages of this process when it is asked for notices of failures. The barrier's atomic
// operations and semaphores make visible what the processes wrote before.
void NodeGroups::node_barrier() {
  LimitedWait limited(context_->time_limit());
  node_barrier_->wait([&] {
    context_->throw_if_peer_failed();
    if (limited.is_over()) throw_timeout(context_->comm(), context_->time_limit(), {{}, " on the same node"});
  });
}

std::shared_ptr<AlltoallPlan> NodeGroups::plan_between_peers(const AlltoallSetup& setup, bool takes_part) {
  return agree_on_outcome(context_->comm(), [&] {
    auto plan = takes_part ? AlltoallPlan::make(*peers_, peers_context_, setup) : nullptr;
    if (plan) plan->look_while_waiting([this] { context_->throw_if_peer_failed(); });
    return plan;
  });
}

// A peer that has failed may not come here; its notice goes to all processes. It also goes to the peers alone, in words
// that only they understand, and may be there first.
void NodeGroups::exchange_with_peers(AlltoallPlan& plan, Sides sides, std::size_t largest_bytes) {
  sides.require_valid(sharing_->group_count(), group_);
  try {
    plan.run(sides, {largest_bytes, most_node_bytes, most_node_bytes});
  } catch (const Agreed& failure) {
    if (failure.known_by() == KnownBy::notice && !context_->has_failed()) context_->await_notice();
    throw;
  }
}

}  // namespace cubefold::mpi
