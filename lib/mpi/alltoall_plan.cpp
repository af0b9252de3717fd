#include "alltoall_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "agreement.hpp"
#include "alltoall_request.hpp"
#include "cubefold/mpi/error.hpp"
#include "mover.hpp"

namespace cubefold::mpi {

namespace {

/// Returns the largest number of blocks of a message for which counts(message) is true.
template <typename Counts>
std::size_t most_blocks_of(const LocalProgram& program, Counts counts) {
  std::size_t most = 0;
  for (const auto* messages : {&program.sends, &program.receives}) {
    for (const LocalMessage& message : *messages) {
      if (counts(message)) most = std::max<std::size_t>(most, message.block_count);
    }
  }
  return most;
}

}  // namespace

AlltoallPlan::AlltoallPlan(std::shared_ptr<CommContext> context, Rank rank, LocalProgram program,
                           AlltoallSetup setup, std::optional<LocalProgram> single_blocks)
    : context_(std::move(context)),
      rank_(rank),
      setup_(std::move(setup)),
      program_(std::move(program)),
      single_blocks_(std::move(single_blocks)),
      most_blocks_{
          most_blocks_of(program_, [](const LocalMessage&) { return true; }),
          most_blocks_of(program_, [](const LocalMessage& message) { return is_packed(message, true); }),
          most_blocks_of(program_, [](const LocalMessage& message) { return is_packed(message, false); })},
      blocking_(std::make_unique<AlltoallRequest>(*this)) {}

std::shared_ptr<AlltoallPlan> AlltoallPlan::make(const VirtualComm& comm,
                                                 std::shared_ptr<CommContext> context,
                                                 const AlltoallSetup& setup,
                                                 const std::shared_ptr<NodeGroups>& groups) {
  std::shared_ptr<AlltoallPlan> made;
  agree_on_outcome(context->comm(), [&] {
    const Schedule part = exchange_part(setup.method, comm.placement(), setup.network, comm.rank());
    std::optional<LocalProgram> single_blocks;
    if (setup.single_block_bytes != AlltoallSetup::never)
      single_blocks = local_program(in_single_blocks(part), comm.rank());
    made.reset(new AlltoallPlan(context, comm.rank(), local_program(part, comm.rank()), setup,
                                std::move(single_blocks)));
    if (setup.backend == Backend::mpi) made->mover_ = make_mpi_mover(context);
    if (setup.backend == Backend::by_size) made->mover_ = make_size_mover(comm, context, setup);
  });
  made->agree_on_most_blocks();
  if (setup.backend == Backend::nodes) made->mover_ = make_node_mover(groups, setup.between_nodes.front());
  if (setup.backend == Backend::slots) made->mover_ = make_slot_mover(groups, setup.between_nodes.front());
  return made;
}

std::shared_ptr<AlltoallPlan> AlltoallPlan::make(const VirtualComm& comm, const AlltoallSetup& setup) {
  return make(comm, CommContext::on(comm.virtual_comm()), setup);
}

std::shared_ptr<AlltoallPlan> AlltoallPlan::make(std::shared_ptr<CommContext> context, Rank rank,
                                                 const LocalProgram& program, const AlltoallSetup& setup,
                                                 std::optional<VectorSteps> vector_steps,
                                                 std::shared_ptr<const NeighbourSlots> neighbours) {
  std::shared_ptr<AlltoallPlan> made;
  agree_on_outcome(context->comm(),
                   [&] { made.reset(new AlltoallPlan(context, rank, program, setup, std::nullopt)); });
  made->vector_steps_ = vector_steps;
  made->neighbours_ = std::move(neighbours);
  made->agree_on_most_blocks();
  return made;
}

AlltoallPlan::~AlltoallPlan() = default;

bool AlltoallPlan::sends_single_blocks(const ExchangeMemory& memory) const {
  const bool are_equal = memory.send_table == nullptr && memory.receive_table == nullptr;
  return single_blocks_ && are_equal && memory.calls == nullptr &&
         memory.block_bytes >= setup_.single_block_bytes;
}

const LocalProgram& AlltoallPlan::program(const ExchangeMemory& memory) const {
  return sends_single_blocks(memory) ? *single_blocks_ : program_;
}

/// Collective: finds the longest message of all processes, because all must cut blocks into the same pieces.
void AlltoallPlan::agree_on_most_blocks() {
  std::uint64_t most =
      most_blocks_.if_called;  // the longest message of all, because call-backs need all packed
  check(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, context_->comm()), "MPI_Allreduce");
  message_bytes(most, 1);
  most_blocks_.anywhere = most;
}

/// Returns whether the mover may move such blocks. The schedule is used if their sizes have to be compared, or if MPI
/// cannot count their bytes.
bool AlltoallPlan::can_use_mover(const Sides& sides, const ExchangeSizes& sizes) const {
  if (!mover_ || setup_.backend != Backend::mpi) return mover_ != nullptr;
  if (sides.received.are_equal())
    return !context_->is_checked() && sizes.largest_bytes <= setup_.largest_message_bytes;
  if (sides.form() == BlockForm::typed) return true;
  return sizes.process_bytes <= setup_.largest_message_bytes;
}

void AlltoallPlan::run(Sides sides) {
  context_->notify_on_failure([&] {
    sides.require_valid(program_.rank_count, label(rank_));
    const std::uint64_t bytes = sides.received.bytes(0);
    exchange(sides, {bytes, bytes * program_.rank_count, bytes * program_.rank_count});
  });
}

void AlltoallPlan::run(const Sides& sides, const ExchangeSizes& sizes) {
  context_->notify_on_failure([&] {
    if (!sides.received.are_equal()) require_no_forwarding();
    exchange(sides, sizes);
  });
}

void AlltoallPlan::exchange(const Sides& sides, const ExchangeSizes& sizes) {
  if (can_use_mover(sides, sizes)) return mover_->run(sides, sizes);
  blocking_->bind(sides, sizes.largest_bytes);
  complete_bound();
}

void AlltoallPlan::run(const VectorCall& call) {
  context_->notify_on_failure([&] {
    if (vector_steps_) {
      blocking_->bind(call);
      return complete_bound();
    }
    context_->drain();
    context_->barrier_within_limit();
    check(call.arguments().pass_to(FunctionsOfMpi(), context_->comm()),
          name_of_mpi(call.arguments().function));
  });
}

void AlltoallPlan::run(const NeighbourCall& call, const std::vector<std::uint64_t>& edge_bytes) {
  context_->notify_on_failure([&] {
    blocking_->bind(call, edge_bytes);
    complete_bound();
  });
}

std::unique_ptr<AlltoallRequest> AlltoallPlan::prepare(const NeighbourCall& call,
                                                       const std::vector<std::uint64_t>& edge_bytes) const {
  return context_->notify_on_failure([&] {
    auto request = std::make_unique<AlltoallRequest>(*this, shared_from_this());
    request->bind(call, edge_bytes, true);
    return request;
  });
}

/// Runs the blocking request with the blocks that are bound to it.
void AlltoallPlan::complete_bound() {
  blocking_->start();
  try {
    blocking_->wait(look_);
  } catch (...) {
    if (blocking_->is_running()) leak_to_mpi(std::move(blocking_));  // MPI still uses its memory
    throw;
  }
}

bool AlltoallPlan::needs_memory(const Sides& sides) const {
  return mover_ && mover_->needs_memory(sides);
}

void AlltoallPlan::reserve(const Sides& sides) {
  if (mover_) mover_->reserve(sides);
}

void AlltoallPlan::run_packets(std::size_t block_bytes, const PacketCalls& calls) {
  context_->notify_on_failure([&] {
    blocking_->bind(calls, block_bytes);
    blocking_->start();
    blocking_->wait();
  });
}

std::unique_ptr<AlltoallRequest> AlltoallPlan::start(Sides sides) const {
  auto request = prepare(std::move(sides));
  request->start();
  return request;
}

std::unique_ptr<AlltoallRequest> AlltoallPlan::prepare(const VectorCall& call) const {
  return context_->notify_on_failure([&] {
    auto request = std::make_unique<AlltoallRequest>(*this, shared_from_this());
    request->bind(call, true);
    return request;
  });
}

std::unique_ptr<AlltoallRequest> AlltoallPlan::prepare(Sides sides) const {
  return context_->notify_on_failure([&] {
    sides.require_valid(program_.rank_count, label(rank_));
    if (!sides.received.are_equal()) require_no_forwarding();
    auto request = std::make_unique<AlltoallRequest>(*this, shared_from_this());
    // A process that has no block with bytes still takes part in the rounds of the others.
    const std::size_t least = sides.received.are_equal() ? 0 : 1;
    request->bind(sides, std::max(sides.largest_bytes(), least), true);
    return request;
  });
}

void AlltoallPlan::require_no_forwarding() const {
  if (!forwards_blocks()) return;
  throw std::invalid_argument(fmt::format("{} passes blocks on, which blocks of unequal sizes need not fit",
                                          to_string(setup_.method)));
}

void AlltoallPlan::reserve(std::size_t block_bytes, const PacketCalls* calls) {
  ExchangeMemory memory{nullptr, nullptr, block_bytes};
  memory.calls = calls;
  blocking_->reserve(memory);
}

}  // namespace cubefold::mpi
