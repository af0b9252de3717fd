#include "node_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "agreement.hpp"
#include "alltoall_plan.hpp"
#include "alltoall_request.hpp"
#include "cubefold/mpi/error.hpp"
#include "processes.hpp"
#include "request_set.hpp"

namespace cubefold::mpi {

namespace {

OwnedComm part_of_comm(MPI_Comm comm, int color, std::size_t key) {
  MPI_Comm part = MPI_COMM_NULL;
  check(MPI_Comm_split(comm, color, static_cast<int>(key), &part), "MPI_Comm_split");
  return part == MPI_COMM_NULL ? OwnedComm() : OwnedComm::adopt(part);
}

}  // namespace

NodeGroups::NodeGroups(std::shared_ptr<CommContext> context, const NodeSharing& sharing, Rank rank)
    : context_(std::move(context)),
      sharing_(std::make_shared<const NodeSharing>(sharing)),
      group_(sharing.group_of(rank)),
      slot_(sharing.slot_of(rank)) {}

bool NodeGroups::are_on_hosts(MPI_Comm comm, int own_group) {
  const OwnedComm members = part_of_comm(comm, own_group, 0);
  const OwnedComm here = comm_on_host(members.get());
  int is_whole = process_count(here.get()) == process_count(members.get()) ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, &is_whole, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  return is_whole != 0;
}

std::shared_ptr<NodeGroups> NodeGroups::make(const VirtualComm& comm, std::shared_ptr<CommContext> context) {
  MPI_Comm all = context->comm();
  context->drain();
  std::shared_ptr<NodeGroups> made;
  collective_try(all, [&] { made.reset(new NodeGroups(context, *comm.sharing(), comm.rank())); });
  made->members_ = part_of_comm(all, static_cast<int>(made->group_), made->slot_);
  collective_try(all, [&] {
    const std::size_t size = made->sharing_->group_size(made->group_);
    made->memory_.emplace(made->members_.get(), MeetingPlace::bytes(size) + 2 * most_bytes);
    made->meeting_place_.emplace(made->memory_->bytes(), size, made->slot_);
  });
  made->make_leaders();
  return made;
}

/// Collective: makes the leaders' communicator, whose ranks are the groups.
void NodeGroups::make_leaders() {
  const bool leads = slot_ == 0;
  const auto node = static_cast<std::size_t>(sharing_->node_of_group(group_));
  const OwnedComm part = part_of_comm(context_->comm(), leads ? 0 : MPI_UNDEFINED, node);
  collective_try(context_->comm(), [&] {
    if (!leads) return;
    const Placement& groups = sharing_->groups();
    leaders_.emplace(part.get(), to_string(groups.grid()), to_string(groups.rule()));
    leaders_context_ = CommContext::on(leaders_->virtual_comm());
  });
}

// After a failure other processes may wait in a call on these communicators, which must not be freed then.
NodeGroups::~NodeGroups() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0 || !context_->has_failed()) return;
  if (memory_) memory_->abandon();
  static_cast<void>(members_.release());
  if (leaders_context_) leaders_context_->fail({Status::mpi, "another process has failed"});
}

// MPI makes progress for other messages of this process when it is asked for notices of failures.
void NodeGroups::meet() {
  memory_->sync();
  meeting_place_->come([this] { context_->hear(); });
  memory_->sync();
}

NodeExchange::NodeExchange(std::shared_ptr<NodeGroups> groups) : groups_(std::move(groups)) {}

NodeExchange::~NodeExchange() = default;

std::unique_ptr<NodeExchange> NodeExchange::make(std::shared_ptr<NodeGroups> groups,
                                                 const AlltoallSetup& between) {
  std::unique_ptr<NodeExchange> made;
  MPI_Comm all = groups->context().comm();
  collective_try(all, [&] { made.reset(new NodeExchange(groups)); });
  collective_try(all, [&] {
    if (groups->leaders() == nullptr) return;
    made->between_ = AlltoallPlan::make(*groups->leaders(), groups->leaders_context(), between);
  });
  collective_try(all, [&] {
    if (!made->between_) return;
    made->request_ = std::make_unique<AlltoallRequest>(*made->between_);
    if (!groups->sharing().is_even() && made->between_->program().scratch_slots > 0)
      throw std::invalid_argument("a method that passes blocks on needs equally many ranks on all nodes");
  });
  return made;
}

void NodeExchange::run(const std::byte* send, std::byte* receive, std::size_t block_bytes) {
  try {
    groups_->context().drain();
    const std::size_t most = NodeGroups::most_piece_bytes(groups_->sharing());
    for (std::size_t offset = 0; offset < block_bytes; offset += most)
      exchange_piece(send, receive, block_bytes, offset, std::min(most, block_bytes - offset));
  } catch (...) {
    // The other leaders wait for this one on a context of their own.
    if (const auto& leaders = groups_->leaders_context()) leaders->fail(current_failure());
    // MPI may still use the memory of an exchange that is under way, so it is never freed.
    if (request_ && request_->is_running()) static_cast<void>(request_.release());
    throw;
  }
}

// In both memories the blocks between two groups are next to one another: those of the first sending rank, in the order
// of the receiving ranks, then those of the next one.
void NodeExchange::exchange_piece(const std::byte* send, std::byte* receive, std::size_t block_bytes,
                                  std::size_t offset, std::size_t piece_bytes) {
  const NodeSharing& sharing = groups_->sharing();
  const std::size_t own_size = sharing.group_size(groups_->group());
  const auto at = [&](std::span<std::byte> memory, std::size_t first_rank, std::size_t place) {
    return memory.data() + (own_size * first_rank + place) * piece_bytes;
  };
  for (std::size_t group = 0; group < sharing.group_count(); ++group) {
    const std::size_t first = sharing.first_rank(group);
    const std::size_t size = sharing.group_size(group);
    std::byte* to = at(groups_->outgoing(), first, groups_->slot() * size);
    for (std::size_t slot = 0; slot < size; ++slot)
      std::memcpy(to + slot * piece_bytes, send + (first + slot) * block_bytes + offset, piece_bytes);
  }
  groups_->meet();
  if (between_) exchange_between_leaders(piece_bytes);
  groups_->meet();
  for (std::size_t group = 0; group < sharing.group_count(); ++group) {
    const std::size_t first = sharing.first_rank(group);
    for (std::size_t slot = 0; slot < sharing.group_size(group); ++slot) {
      const std::byte* from = at(groups_->incoming(), first, slot * own_size + groups_->slot());
      std::memcpy(receive + (first + slot) * block_bytes + offset, from, piece_bytes);
    }
  }
}

void NodeExchange::exchange_between_leaders(std::size_t piece_bytes) {
  const NodeSharing& sharing = groups_->sharing();
  const std::size_t own_size = sharing.group_size(groups_->group());
  std::vector<int> counts;
  std::vector<int> displacements;
  for (std::size_t group = 0; group < sharing.group_count(); ++group) {
    counts.push_back(static_cast<int>(own_size * sharing.group_size(group) * piece_bytes));
    displacements.push_back(static_cast<int>(own_size * sharing.first_rank(group) * piece_bytes));
  }
  if (sharing.is_even()) {
    request_->bind(AlltoallBuffers{groups_->outgoing().data(), counts[0], MPI_BYTE,
                                   groups_->incoming().data(), counts[0], MPI_BYTE});
  } else {
    const std::size_t largest = sharing.largest_group() * sharing.largest_group() * piece_bytes;
    request_->bind(TypedBlocks(groups_->outgoing().data(), counts, displacements, MPI_BYTE),
                   TypedBlocks(groups_->incoming().data(), counts, displacements, MPI_BYTE), largest);
  }
  request_->start();
  // The leader of another group that has failed may not come here; its notice goes to all processes.
  BackOff back_off;
  while (!request_->test()) {
    groups_->context().hear();
    back_off.wait_after(false);
  }
}

}  // namespace cubefold::mpi
