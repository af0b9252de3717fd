#include "unequal_alltoall.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "schedule/timed_messages.hpp"

namespace cubefold::mpi {

namespace {

constexpr std::size_t most_ranks_by_size = 128;
constexpr std::size_t wide_steps = 16;

constexpr std::uint64_t most_countable = std::numeric_limits<int>::max();

template <typename Number>
std::vector<Number> sizes_of(const TypedBlocks& blocks) {
  std::vector<Number> sizes;
  for (std::size_t block = 0; block < blocks.block_count(); ++block)
    sizes.push_back(static_cast<Number>(blocks.block_bytes(block)));
  return sizes;
}

/// A packed copy of blocks, with counts and displacements in bytes.
struct PackedBlocks {
  std::vector<std::byte> bytes;
  std::vector<int> counts;
  std::vector<int> displacements;

  explicit PackedBlocks(const TypedBlocks& blocks) : bytes(blocks.total_bytes()) {
    std::size_t next = 0;
    for (std::size_t block = 0; block < blocks.block_count(); ++block) {
      counts.push_back(message_bytes(1, blocks.block_bytes(block)));
      displacements.push_back(message_bytes(1, next));
      next += blocks.block_bytes(block);
    }
  }
};

struct PackedSides {
  PackedBlocks sent;
  PackedBlocks received;
};

/// Returns a setup of the schedule in which a process may be so many steps ahead.
AlltoallSetup ahead(AlltoallSetup schedule, std::size_t steps) {
  // The clock has slots for equal blocks only.
  if (schedule.sync == StepSync::clock) schedule.sync = StepSync::data;
  schedule.steps_behind = steps;
  return schedule;
}

/// Returns the slots of a rank's steps. The steps of empty blocks come last and need no time.
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

}  // namespace

UnequalAlltoall::UnequalAlltoall(const VirtualComm& comm, std::shared_ptr<CommContext> context,
                                 UnequalSetup setup)
    : placement_(comm.placement()),
      rank_(comm.rank()),
      context_(std::move(context)),
      setup_(std::move(setup)) {}

std::shared_ptr<UnequalAlltoall> UnequalAlltoall::make(const VirtualComm& comm,
                                                       std::shared_ptr<CommContext> context,
                                                       UnequalSetup setup) {
  const AlltoallSetup schedule = setup.schedule;
  auto narrow = AlltoallPlan::make(comm, context, ahead(schedule, AlltoallSetup{}.steps_behind));
  auto wide = AlltoallPlan::make(comm, context, ahead(schedule, wide_steps));
  std::shared_ptr<UnequalAlltoall> made;
  collective_try(context->comm(), [&] {
    if (narrow->program().scratch_slots > 0) {
      throw std::invalid_argument(fmt::format(
          "{} passes blocks on, which blocks of unequal sizes need not fit", to_string(schedule.method)));
    }
    made.reset(new UnequalAlltoall(comm, context, std::move(setup)));
    made->request_ = std::make_unique<AlltoallRequest>(*narrow, narrow);
    made->plans_ = {{UnequalWay::narrow, narrow}, {UnequalWay::wide, wide}, {UnequalWay::by_size, nullptr}};
  });
  return made;
}

void UnequalAlltoall::run(const AlltoallvBuffers& buffers) {
  context_->collectively([&] { run_here(buffers); });
}

void UnequalAlltoall::run_here(const AlltoallvBuffers& buffers) {
  context_->drain();
  std::optional<Sides> sides;
  Sizes sizes{};
  const auto failure = failure_of([&] {
    sides = sides_of(buffers);
    sizes = own_sizes(*sides);
  });
  double seconds = pending_seconds_;
  sizes = agree_on_sizes(sizes, seconds, failure);
  settle(seconds);
  if (context_->is_checked()) require_matching(*sides);
  last_way_ = next_way(sizes);
  last_sizes_ = sizes;
  const double start = MPI_Wtime();
  exchange(last_way_, buffers, std::move(*sides), sizes);
  if (pending_ != nullptr) pending_seconds_ = MPI_Wtime() - start;
}

UnequalAlltoall::Sides UnequalAlltoall::sides_of(const AlltoallvBuffers& buffers) const {
  Sides sides{std::nullopt, TypedBlocks(buffers.receive, buffers.receive_counts,
                                        buffers.receive_displacements, buffers.receive_type)};
  if (buffers.send == MPI_IN_PLACE) return sides;
  sides.sent.emplace(buffers.send, buffers.send_counts, buffers.send_displacements, buffers.send_type);
  const std::size_t own = label(rank_);
  if (sides.sent->block_bytes(own) != sides.received.block_bytes(own)) {
    throw std::invalid_argument(fmt::format("the process has {} bytes for itself where it expects {}",
                                            sides.sent->block_bytes(own), sides.received.block_bytes(own)));
  }
  return sides;
}

/// Returns the sizes of this process alone.
UnequalAlltoall::Sizes UnequalAlltoall::own_sizes(const Sides& sides) const {
  Sizes sizes{0, 0, std::max(sides.outgoing().total_bytes(), sides.received.total_bytes()), false};
  const auto sent = sizes_of<std::uint64_t>(sides.outgoing());
  for (std::size_t rank = 0; rank < sent.size(); ++rank) {
    if (rank == label(rank_)) continue;
    sizes.largest_bytes = std::max(sizes.largest_bytes, sent[rank]);
    sizes.total_bytes += sent[rank];
  }
  sizes.are_new = !std::equal(sent.begin(), sent.end(), sizes_by_size_.begin(), sizes_by_size_.end());
  return sizes;
}

/// Collective: returns the sizes over all processes, and replaces `seconds` by the largest of all processes, where
/// none is negative. If any process has a failure, all throw as agree() does. The two reductions run at the same time.
UnequalAlltoall::Sizes UnequalAlltoall::agree_on_sizes(Sizes sizes, double& seconds,
                                                       const std::optional<Failure>& failure) const {
  // The bits of numbers that are not negative have the order of the numbers.
  std::array<std::uint64_t, 5> largest{sizes.largest_bytes, sizes.process_bytes, failure ? 1U : 0U,
                                       std::bit_cast<std::uint64_t>(seconds), sizes.are_new ? 1U : 0U};
  std::array<MPI_Request, 2> requests{};
  check(MPI_Iallreduce(MPI_IN_PLACE, largest.data(), static_cast<int>(largest.size()), MPI_UINT64_T, MPI_MAX,
                       context_->comm(), &requests[0]),
        "MPI_Iallreduce");
  check(MPI_Iallreduce(MPI_IN_PLACE, &sizes.total_bytes, 1, MPI_UINT64_T, MPI_SUM, context_->comm(),
                       &requests[1]),
        "MPI_Iallreduce");
  check(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  if (largest[2] != 0) agree(context_->comm(), failure);
  seconds = std::bit_cast<double>(largest[3]);
  return {largest[0], sizes.total_bytes, largest[1], largest[4] != 0};
}

/// Collective: every process tells every other one the size that it will send. All throw if a process expects another
/// size.
void UnequalAlltoall::require_matching(const Sides& sides) const {
  MPI_Comm comm = context_->comm();
  std::vector<std::uint64_t> sent;
  std::vector<std::uint64_t> expected;
  std::vector<std::uint64_t> announced;
  collective_try(comm, [&] {
    sent = sizes_of<std::uint64_t>(sides.outgoing());
    expected = sizes_of<std::uint64_t>(sides.received);
    announced.resize(sent.size());
  });
  check(MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, announced.data(), 1, MPI_UINT64_T, comm), "MPI_Alltoall");
  collective_try(comm, [&] {
    for (std::size_t rank = 0; rank < expected.size(); ++rank) {
      if (announced[rank] == expected[rank]) continue;
      throw std::invalid_argument(fmt::format("block size '{}' differs from '{}' that process {} sends",
                                              expected[rank], announced[rank], rank));
    }
  });
}

/// Takes the time of the last measured call, which is the largest of all processes.
void UnequalAlltoall::settle(double seconds) {
  if (pending_ != nullptr && std::isfinite(seconds)) pending_->tuning.record(seconds * scale_);
  pending_ = nullptr;
  pending_seconds_ = 0;
}

bool UnequalAlltoall::allows(UnequalWay way, const SizeClass& size_class) const {
  const auto [process_width, largest_width] = size_class;
  const std::size_t rank_count = placement_.rank_count();
  const std::uint64_t bytes_of_sizes = sizeof(std::uint32_t) * rank_count * rank_count;
  switch (way) {
    case UnequalWay::mpi:
      return process_width <= std::bit_width(most_countable);
    case UnequalWay::narrow:
    case UnequalWay::wide:
      return true;
    case UnequalWay::by_size:
      break;
  }
  // The bytes of a process are at least half of the least number that is wider.
  return rank_count <= most_ranks_by_size && largest_width <= std::bit_width(most_countable) &&
         process_width > std::bit_width(4 * bytes_of_sizes - 1);
}

/// Returns the ways that calls of a class may use, of which there is at least one.
std::vector<UnequalWay> UnequalAlltoall::ways_of(const SizeClass& size_class) const {
  std::vector<UnequalWay> ways;
  for (const UnequalWay way : setup_.ways)
    if (allows(way, size_class)) ways.push_back(way);
  if (ways.empty()) ways.push_back(UnequalWay::narrow);
  return ways;
}

/// Collective: returns the way of the next call, which is measured if no way is chosen yet.
UnequalWay UnequalAlltoall::next_way(const Sizes& sizes) {
  const SizeClass size_class = class_of(sizes);
  auto found = measured_.find(size_class);
  if (found == measured_.end()) {
    std::map<SizeClass, Measured> added;
    collective_try(context_->comm(), [&] {
      std::vector<TuningCandidate> candidates;
      auto ways = ways_of(size_class);
      candidates.reserve(ways.size());
      for (const UnequalWay way : ways) candidates.push_back({name_of(way)});
      ExchangeTuning tuning(std::move(candidates), std::max<std::size_t>(setup_.round_count, 1));
      if (setup_.round_count == 0) tuning.choose(ways.size() - 1);
      added.try_emplace(size_class, Measured{std::move(ways), std::move(tuning)});
    });
    measured_.merge(added);
    found = measured_.find(size_class);
  }
  Measured& measured = found->second;
  if (!measured.tuning.is_chosen()) {
    pending_ = &measured;
    pending_seconds_ = std::numeric_limits<double>::infinity();
    const double most_bytes = std::ldexp(1.0, static_cast<int>(size_class.first));
    scale_ = most_bytes / static_cast<double>(std::max<std::uint64_t>(sizes.process_bytes, 1));
  }
  return measured.ways[measured.tuning.next()];
}

void UnequalAlltoall::exchange(UnequalWay way, const AlltoallvBuffers& buffers, Sides sides,
                               const Sizes& sizes) {
  if (way == UnequalWay::mpi) return run_by_mpi(buffers, sides);
  if (way == UnequalWay::by_size && sizes.are_new) plans_.at(way) = plan_by_size(sides);
  request_->use(plans_.at(way), nullptr);
  request_->bind(std::move(sides.sent), std::move(sides.received), sizes.largest_bytes);
  request_->start();
  request_->wait();
}

// Blocks are packed, because Open MPI 4.1.4 handles some pairs of different types incorrectly. If there is no memory to
// pack them, MPI gets the caller's types, because the other processes are about to call MPI_Alltoallv.
void UnequalAlltoall::run_by_mpi(const AlltoallvBuffers& buffers, const Sides& sides) const {
  MPI_Comm comm = context_->comm();
  std::optional<PackedSides> packed;
  try {
    packed.emplace(PackedSides{PackedBlocks(sides.outgoing()), PackedBlocks(sides.received)});
  } catch (const std::bad_alloc&) {
    check(MPI_Alltoallv(buffers.send, buffers.send_counts.data(), buffers.send_displacements.data(),
                        buffers.send_type, buffers.receive, buffers.receive_counts.data(),
                        buffers.receive_displacements.data(), buffers.receive_type, comm),
          "MPI_Alltoallv");
    return;
  }
  sides.outgoing().pack(packed->sent.bytes.data(), comm);
  check(MPI_Alltoallv(packed->sent.bytes.data(), packed->sent.counts.data(),
                      packed->sent.displacements.data(), MPI_BYTE, packed->received.bytes.data(),
                      packed->received.counts.data(), packed->received.displacements.data(), MPI_BYTE, comm),
        "MPI_Alltoallv");
  sides.received.unpack(packed->received.bytes.data(), comm);
}

/// Collective: gathers the sizes of all blocks and returns a plan that sends each block at its time.
std::shared_ptr<AlltoallPlan> UnequalAlltoall::plan_by_size(const Sides& sides) {
  MPI_Comm comm = context_->comm();
  const std::size_t rank_count = placement_.rank_count();
  // Memory is taken only where all processes hear of a failure.
  std::vector<std::uint32_t> all;
  collective_try(comm, [&] {
    sizes_by_size_ = sizes_of<std::uint32_t>(sides.outgoing());
    all.resize(rank_count * rank_count);
  });
  const auto count = static_cast<int>(rank_count);
  check(MPI_Allgather(sizes_by_size_.data(), count, MPI_UINT32_T, all.data(), count, MPI_UINT32_T, comm),
        "MPI_Allgather");
  AlltoallSetup setup;
  LocalProgram program;
  collective_try(comm, [&] {
    setup = setup_.schedule;
    const NetworkRules& network = setup.network;
    const auto messages = schedule_by_size(placement_, network.ports, network.tie, all,
                                           setup.times.gap_seconds, setup.times.tau_seconds_per_byte);
    const TimedPart part = part_of(messages, rank_count, rank_);
    program = local_program(part.steps, rank_);
    setup.sync = StepSync::clock;
    setup.times.slots = slots_of(part);
    setup.steps_behind = wide_steps;
    setup.piece_bytes = 0;
  });
  return AlltoallPlan::make(context_, rank_, program, setup);
}

std::string UnequalAlltoall::name_of(UnequalWay way) const {
  std::string method = to_string(setup_.schedule.method);
  switch (way) {
    case UnequalWay::mpi:
      return "MPI_Alltoallv";
    case UnequalWay::narrow:
      return method;
    case UnequalWay::wide:
      return fmt::format("{} with {} steps ahead", method, wide_steps);
    case UnequalWay::by_size:
      break;
  }
  return method + " by size";
}

std::string UnequalAlltoall::rule() const {
  std::vector<std::string> names;
  names.reserve(setup_.ways.size());
  for (const UnequalWay way : setup_.ways) names.push_back(name_of(way));
  if (setup_.round_count == 0) return fmt::format("{} where it can be used", names.back());
  return fmt::format("measured calls choose between: {}", fmt::join(names, "; "));
}

std::string UnequalAlltoall::explain() const {
  if (!last_sizes_) return rule();
  const auto p = static_cast<double>(placement_.rank_count());
  const double mean = p < 2 ? 0 : static_cast<double>(last_sizes_->total_bytes) / (p * (p - 1));
  const double ratio = mean > 0 ? static_cast<double>(last_sizes_->largest_bytes) / mean : 0.0;
  const auto measured = measured_.find(class_of(*last_sizes_));
  return fmt::format("{} the last time, when the largest block of {} bytes was {:.3g} times the mean; {}",
                     name_of(last_way_), last_sizes_->largest_bytes, ratio,
                     setup_.round_count == 0 ? rule() : measured->second.tuning.text());
}

}  // namespace cubefold::mpi
