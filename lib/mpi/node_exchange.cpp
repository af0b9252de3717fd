#include "node_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

#include "agreement.hpp"
#include "alltoall_plan.hpp"
#include "alltoall_request.hpp"
#include "cubefold/mpi/error.hpp"
#include "request_set.hpp"

namespace cubefold::mpi {

SharedMemory::SharedMemory(MPI_Comm comm, std::size_t bytes) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  void* own = nullptr;
  const auto own_bytes = static_cast<MPI_Aint>(rank == 0 ? bytes : 0);
  if (MPI_Win_allocate_shared(own_bytes, 1, MPI_INFO_NULL, comm, &own, &window_) != MPI_SUCCESS) {
    window_ = MPI_WIN_NULL;
    throw std::bad_alloc();
  }
  check(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  MPI_Aint size = 0;
  int unit = 0;
  void* first = nullptr;
  check(MPI_Win_shared_query(window_, 0, &size, &unit, static_cast<void*>(&first)), "MPI_Win_shared_query");
  bytes_ = {static_cast<std::byte*>(first), bytes};
}

SharedMemory::~SharedMemory() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (window_ == MPI_WIN_NULL || finalized != 0 || std::uncaught_exceptions() > 0) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

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
  MPI_Comm shared = MPI_COMM_NULL;
  check(MPI_Comm_split_type(members.get(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared),
        "MPI_Comm_split_type");
  const OwnedComm here = OwnedComm::adopt(shared);
  int group_size = 0;
  int here_size = 0;
  check(MPI_Comm_size(members.get(), &group_size), "MPI_Comm_size");
  check(MPI_Comm_size(here.get(), &here_size), "MPI_Comm_size");
  int is_whole = here_size == group_size ? 1 : 0;
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
    made->memory_.emplace(made->members_.get(), arrivals_bytes + 2 * most_bytes);
    std::byte* begin = made->memory_->bytes().data();
    made->arrivals_ =
        made->slot_ == 0 ? new (begin) Arrivals(0) : std::launder(reinterpret_cast<Arrivals*>(begin));
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
    const Placement groups = group_placement(*sharing_);
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

// A process that waits begins to sleep early and sleeps up to 4 ms, because it would otherwise take a core from the
// leaders. MPI makes progress for other messages of this process when it is asked for notices of failures.
void NodeGroups::meet() {
  constexpr unsigned looks_between_notices = 4;
  BackOff back_off(std::chrono::microseconds(100), std::chrono::milliseconds(4));
  expected_arrivals_ += static_cast<std::uint32_t>(sharing_->group_size(group_));
  memory_->sync();
  arrivals_->fetch_add(1);
  // The difference is right even after the counters have passed their largest value.
  for (unsigned looks = 1; static_cast<std::int32_t>(arrivals_->load() - expected_arrivals_) < 0; ++looks) {
    if (looks % looks_between_notices == 0) context_->hear();
    back_off.wait_after(false);
  }
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
