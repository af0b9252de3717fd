#include "mover.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "alltoall_plan.hpp"
#include "alltoall_request.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/mpi/error.hpp"
#include "schedule/timed_messages.hpp"

namespace cubefold::mpi {

namespace {

/// Returns the slots of a rank's steps. The steps of empty blocks come last and share the slot of the last message.
std::vector<StepSlot> slots_of(const TimedPart& part) {
  const auto seconds = [](std::chrono::nanoseconds time) {
    return std::chrono::duration<double>(time).count();
  };
  std::vector<StepSlot> slots;
  for (const TimedMessage& message : part.messages)
    slots.push_back({seconds(message.begin), seconds(message.length)});
  slots.resize(part.steps.steps.size(), slots.empty() ? StepSlot{0, 0} : slots.back());
  return slots;
}

class SizeMover : public Mover {
 public:
  /// Takes the network and the times of `setup`.
  SizeMover(Placement placement, Rank rank, std::shared_ptr<CommContext> context, AlltoallSetup setup);
  ~SizeMover() override;

  bool needs_memory(const Sides& sides) const override;
  void reserve(const Sides& sides) override;
  void run(const Sides& sides, const ExchangeSizes& sizes) override;

 private:
  Placement placement_;
  Rank rank_;
  std::shared_ptr<CommContext> context_;
  AlltoallSetup setup_;
  std::vector<std::uint32_t> sizes_;  ///< of the blocks that this process sent in the last exchange
  std::shared_ptr<AlltoallPlan> plan_;
};

}  // namespace

SizeMover::SizeMover(Placement placement, Rank rank, std::shared_ptr<CommContext> context,
                     AlltoallSetup setup)
    : placement_(std::move(placement)), rank_(rank), context_(std::move(context)), setup_(std::move(setup)) {
  setup_.backend = Backend::schedule;
  setup_.sync = StepSync::clock;
  setup_.piece_bytes = 0;
}

SizeMover::~SizeMover() = default;

bool SizeMover::needs_memory(const Sides& sides) const {
  const Blocks& sent = sides.outgoing();
  if (sizes_.size() != sent.block_count()) return true;
  for (std::size_t rank = 0; rank < sizes_.size(); ++rank)
    if (sizes_[rank] != sent.bytes(rank)) return true;
  return false;
}

/// Collective: gathers the sizes of all blocks and makes a plan that sends each block at its time.
void SizeMover::reserve(const Sides& sides) {
  MPI_Comm comm = context_->comm();
  const std::size_t rank_count = placement_.rank_count();
  // Memory is taken only where all processes learn of a failure.
  std::vector<std::uint32_t> own;
  std::vector<std::uint32_t> all;
  agree_on_outcome(comm, [&] {
    for (std::size_t rank = 0; rank < rank_count; ++rank)
      own.push_back(static_cast<std::uint32_t>(sides.outgoing().bytes(rank)));
    all.resize(rank_count * rank_count);
  });
  const auto count = static_cast<int>(rank_count);
  check(MPI_Allgather(own.data(), count, MPI_UINT32_T, all.data(), count, MPI_UINT32_T, comm),
        "MPI_Allgather");
  AlltoallSetup setup;
  LocalProgram program;
  agree_on_outcome(comm, [&] {
    setup = setup_;
    const auto messages = schedule_by_size(placement_, setup.network.ports, setup.network.tie, all,
                                           setup.times.gap_seconds, setup.times.tau_seconds_per_byte);
    const TimedPart part = part_of(messages, rank_count, rank_);
    program = local_program(part.steps, rank_);
    setup.times.slots = slots_of(part);
  });
  plan_ = AlltoallPlan::make(context_, rank_, program, setup);
  sizes_ = std::move(own);
}

void SizeMover::run(const Sides& sides, const ExchangeSizes& sizes) {
  plan_->run(sides, sizes);
}

std::unique_ptr<Mover> make_size_mover(const VirtualComm& comm, std::shared_ptr<CommContext> context,
                                       AlltoallSetup setup) {
  return std::make_unique<SizeMover>(comm.placement(), comm.rank(), std::move(context), std::move(setup));
}

}  // namespace cubefold::mpi
