#include "alltoall_plan.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "agreement.hpp"
#include "alltoall_request.hpp"
#include "cubefold/mpi/error.hpp"
#include "node_exchange.hpp"
#include "slot_exchange.hpp"

namespace cubefold::mpi {

namespace {

/// Returns the largest number of blocks of a message for which counts(message) is true.
template <typename Counts>
std::size_t most_blocks(const LocalProgram& program, Counts counts) {
  std::size_t most = 0;
  for (const auto* messages : {&program.sends, &program.receives}) {
    for (const LocalMessage& message : *messages) {
      if (counts(message)) most = std::max<std::size_t>(most, message.block_count);
    }
  }
  return most;
}

}  // namespace

std::size_t AlltoallBuffers::block_bytes() const {
  return static_cast<std::size_t>(std::max(receive_count, 0)) * size_of(receive_type);
}

AlltoallPlan::AlltoallPlan(std::shared_ptr<CommContext> context, Rank rank, LocalProgram program,
                           AlltoallSetup setup)
    : context_(std::move(context)),
      rank_(rank),
      setup_(std::move(setup)),
      program_(std::move(program)),
      most_packed_{
          most_blocks(program_, [](const LocalMessage&) { return true; }),
          most_blocks(program_, [](const LocalMessage& message) { return is_packed(message, true); }),
          most_blocks(program_, [](const LocalMessage& message) { return is_packed(message, false); })},
      blocking_(std::make_unique<AlltoallRequest>(*this)) {}

std::shared_ptr<AlltoallPlan> AlltoallPlan::make(const VirtualComm& comm,
                                                 std::shared_ptr<CommContext> context,
                                                 const AlltoallSetup& setup,
                                                 const std::shared_ptr<NodeGroups>& groups) {
  std::shared_ptr<AlltoallPlan> made;
  collective_try(context->comm(), [&] {
    const Schedule part = exchange_part(setup.method, comm.placement(), setup.network, comm.rank());
    made.reset(new AlltoallPlan(context, comm.rank(), local_program(part, comm.rank()), setup));
  });
  made->agree_on_most_blocks();
  if (setup.backend == Backend::nodes) made->nodes_ = NodeExchange::make(groups, setup.between_nodes.front());
  if (setup.backend == Backend::slots) made->slots_ = SlotExchange::make(groups, setup.between_nodes.front());
  return made;
}

std::shared_ptr<AlltoallPlan> AlltoallPlan::make(const VirtualComm& comm, const AlltoallSetup& setup) {
  return make(comm, CommContext::on(comm.virtual_comm()), setup);
}

std::shared_ptr<AlltoallPlan> AlltoallPlan::make(std::shared_ptr<CommContext> context, Rank rank,
                                                 const LocalProgram& program, const AlltoallSetup& setup) {
  std::shared_ptr<AlltoallPlan> made;
  collective_try(context->comm(), [&] { made.reset(new AlltoallPlan(context, rank, program, setup)); });
  made->agree_on_most_blocks();
  return made;
}

AlltoallPlan::~AlltoallPlan() = default;

/// Collective: finds the longest message of all processes, because all must cut blocks into the same pieces.
void AlltoallPlan::agree_on_most_blocks() {
  std::uint64_t most =
      most_packed_.if_called;  // the longest message of all, because call-backs need all packed
  check(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, context_->comm()), "MPI_Allreduce");
  message_bytes(most, 1);
  most_blocks_ = most;
}

std::size_t AlltoallPlan::piece_bytes(std::size_t block_bytes) const {
  const std::size_t piece = setup_.piece_bytes == 0 ? block_bytes : std::min(block_bytes, setup_.piece_bytes);
  if (most_blocks_ == 0) return piece;
  // Messages of several blocks are packed into staging buffers.
  const std::size_t limit = most_blocks_ > 1 ? BufferPool::most_bytes : std::numeric_limits<int>::max();
  return std::min(piece, std::max<std::size_t>(limit / most_blocks_, 1));
}

std::size_t AlltoallPlan::staging_bytes(const ExchangeMemory& memory) const {
  const std::size_t piece = piece_bytes(memory.block_bytes);
  const RoundMemory pieces(memory, nullptr, piece, 0);
  if (pieces.has_calls()) return piece * most_packed_.if_called;
  return piece * (pieces.joins_slots() ? most_packed_.if_joined : most_packed_.if_apart);
}

std::size_t AlltoallPlan::scratch_bytes(const ExchangeMemory& memory) const {
  return program_.scratch_slots * memory.block_bytes + 2 * BufferPool::memory_bytes(staging_bytes(memory));
}

void AlltoallPlan::run(const AlltoallBuffers& buffers) {
  context_->collectively([&] { run_here(buffers); });
}

void AlltoallPlan::run_here(const AlltoallBuffers& buffers) {
  if (nodes_) return run_packed_by(*nodes_, buffers);
  if (slots_) return run_packed_by(*slots_, buffers);
  // The schedule is used if block sizes have to be compared, or if MPI cannot count their bytes.
  const bool is_left_to_mpi = setup_.backend == Backend::mpi && !context_->is_checked();
  if (is_left_to_mpi && run_dense_by_mpi(buffers)) return;
  const bool mpi_can_run_it = is_left_to_mpi && buffers.block_bytes() <= std::numeric_limits<int>::max();
  try {
    blocking_->bind(buffers);
  } catch (const std::bad_alloc&) {
    if (!mpi_can_run_it) throw;
    return run_typed_by_mpi(buffers);
  }
  if (mpi_can_run_it) return run_packed_by_mpi();
  blocking_->start();
  blocking_->wait();
}

template <typename Exchange>
void AlltoallPlan::run_packed_by(Exchange& exchange, const AlltoallBuffers& buffers) {
  blocking_->bind(buffers);
  blocking_->run_packed([&](const std::byte* send, std::byte* receive, std::size_t block_bytes) {
    exchange.run(send, receive, block_bytes);
  });
}

void AlltoallPlan::run_packed_by_mpi() {
  blocking_->run_packed([&](const std::byte* send, std::byte* receive, std::size_t block_bytes) {
    const int bytes = message_bytes(1, block_bytes);
    check(MPI_Alltoall(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE, context_->comm()), "MPI_Alltoall");
  });
}

// If there is no memory to pack blocks, MPI gets the caller's types, because the other processes are about to call
// MPI_Alltoall.
void AlltoallPlan::run_typed_by_mpi(const AlltoallBuffers& buffers) {
  context_->drain();
  context_->meet();
  check(MPI_Alltoall(buffers.send, buffers.send_count, buffers.send_type, buffers.receive,
                     buffers.receive_count, buffers.receive_type, context_->comm()),
        "MPI_Alltoall");
}

// Dense blocks are exchanged as bytes. MPI then does not have to process datatypes, some of which Open MPI 4.1.4
// handles incorrectly.
bool AlltoallPlan::run_dense_by_mpi(const AlltoallBuffers& buffers) {
  if (buffers.send == MPI_IN_PLACE || buffers.send_count < 0 || buffers.receive_count < 0) return false;
  const TypeLayout sent = layout_of(buffers.send_type);
  const TypeLayout received = layout_of(buffers.receive_type);
  const std::size_t bytes = static_cast<std::size_t>(buffers.send_count) * sent.size_bytes;
  const bool fits = bytes == static_cast<std::size_t>(buffers.receive_count) * received.size_bytes &&
                    bytes <= std::numeric_limits<int>::max();
  if (!sent.dense || !received.dense || !fits || buffers.send == nullptr || buffers.receive == nullptr)
    return false;
  context_->drain();
  context_->meet();
  const auto count = static_cast<int>(bytes);
  check(MPI_Alltoall(buffers.send, count, MPI_BYTE, buffers.receive, count, MPI_BYTE, context_->comm()),
        "MPI_Alltoall");
  return true;
}

void AlltoallPlan::run_packets(std::size_t block_bytes, const PacketCalls& calls) {
  context_->collectively([&] {
    blocking_->bind(calls, block_bytes);
    blocking_->start();
    blocking_->wait();
  });
}

std::unique_ptr<AlltoallRequest> AlltoallPlan::start(const AlltoallBuffers& buffers) const {
  auto request = prepare(buffers);
  request->start();
  return request;
}

std::unique_ptr<AlltoallRequest> AlltoallPlan::prepare(const AlltoallBuffers& buffers) const {
  return context_->collectively([&] {
    auto request = std::make_unique<AlltoallRequest>(*this, shared_from_this());
    request->bind(buffers);
    return request;
  });
}

void AlltoallPlan::reserve(std::size_t block_bytes, const PacketCalls* calls) {
  ExchangeMemory memory{nullptr, nullptr, block_bytes};
  memory.calls = calls;
  blocking_->reserve(memory);
}

}  // namespace cubefold::mpi
