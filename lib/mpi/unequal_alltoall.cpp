#include "unequal_alltoall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "schedule/timed_messages.hpp"

namespace cubefold::mpi {

namespace {

template <typename Number>
std::vector<Number> sizes_of(const Blocks& blocks) {
  std::vector<Number> sizes;
  for (std::size_t block = 0; block < blocks.block_count(); ++block)
    sizes.push_back(static_cast<Number>(blocks.bytes(block)));
  return sizes;
}

/// Returns a setup of the schedule in which a process may be so many steps ahead.
AlltoallSetup with_window(AlltoallSetup schedule, std::size_t steps) {
  // The clock has slots for equal blocks only.
  if (schedule.sync == StepSync::clock) schedule.sync = StepSync::data;
  schedule.send_window_steps = steps;
  return schedule;
}

/// Returns a setup that sends all blocks at once.
AlltoallSetup without_window(const AlltoallSetup& schedule) {
  return {.method = {ExchangeAlgorithm::linear, {}}, .network = schedule.network};
}

UnequalTuning tuning_of(const UnequalSetup& setup, std::size_t rank_count) {
  std::vector<UnequalTuning::NamedBackend> backends;
  backends.reserve(setup.backends.size());
  for (const UnequalBackend backend : setup.backends)
    backends.emplace_back(backend, name_of(backend, setup.schedule));
  return {std::move(backends), setup.round_count, rank_count};
}

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

}  // namespace

UnequalAlltoall::UnequalAlltoall(const VirtualComm& comm, std::shared_ptr<CommContext> context,
                                 UnequalSetup setup)
    : placement_(comm.placement()),
      rank_(comm.rank()),
      context_(std::move(context)),
      setup_(std::move(setup)),
      mpi_(context_),
      tuning_(tuning_of(setup_, comm.placement().rank_count())) {}

std::shared_ptr<UnequalAlltoall> UnequalAlltoall::make(const VirtualComm& comm,
                                                       std::shared_ptr<CommContext> context,
                                                       UnequalSetup setup,
                                                       const std::shared_ptr<NodeGroups>& groups) {
  std::array<AlltoallSetup, 3> steps;
  std::vector<AlltoallSetup> between_nodes;
  agree_on_outcome(context->comm(), [&] {
    steps = {with_window(setup.schedule, short_window_steps), with_window(setup.schedule, long_window_steps),
             without_window(setup.schedule)};
    for (const AlltoallSetup& each : setup.schedule.between_nodes)
      between_nodes.push_back(with_window(each, short_window_steps));
  });
  auto narrow = AlltoallPlan::make(comm, context, steps[0]);
  auto wide = AlltoallPlan::make(comm, context, steps[1]);
  auto linear = AlltoallPlan::make(comm, context, steps[2]);
  std::unique_ptr<NodeMover> nodes;
  if (!between_nodes.empty()) nodes = NodeMover::make(groups, between_nodes.front(), false);
  std::shared_ptr<UnequalAlltoall> made;
  agree_on_outcome(context->comm(), [&] {
    if (narrow->program().scratch_slots > 0) {
      throw std::invalid_argument(
          fmt::format("{} passes blocks on, which blocks of unequal sizes need not fit",
                      to_string(setup.schedule.method)));
    }
    made.reset(new UnequalAlltoall(comm, context, std::move(setup)));
    made->request_ = std::make_unique<AlltoallRequest>(*narrow, narrow);
    made->nodes_ = std::move(nodes);
    made->plans_ = {{UnequalBackend::narrow, narrow},
                    {UnequalBackend::wide, wide},
                    {UnequalBackend::linear, linear},
                    {UnequalBackend::by_size, nullptr}};
  });
  return made;
}

void UnequalAlltoall::run(Sides sides) {
  context_->notify_on_failure([&] { run_here(sides); });
}

void UnequalAlltoall::run_here(Sides& sides) {
  Sizes sizes{};
  const auto failure = failure_of([&] {
    sides.require_valid(placement_.rank_count(), label(rank_));
    sizes = own_sizes(sides);
  });
  agree_on_sizes(sizes, failure);
  if (context_->is_checked()) require_matching(sides);
  if (tuning_.needs_measurement(sizes))
    tuning_.add(agree_on_outcome(context_->comm(), [&] { return tuning_.new_measurements(sizes); }));
  last_sizes_ = sizes;
  const double start = MPI_Wtime();
  exchange(tuning_.begin(sizes), sides, sizes);
  tuning_.end(MPI_Wtime() - start);
}

/// Returns the sizes of this process alone.
UnequalAlltoall::Sizes UnequalAlltoall::own_sizes(const Sides& sides) const {
  const std::uint64_t sent_bytes = sides.outgoing().total_bytes();
  Sizes sizes{
      {0, std::max<std::uint64_t>(sent_bytes, sides.received.total_bytes()), sent_bytes}, false, false};
  const auto sent = sizes_of<std::uint64_t>(sides.outgoing());
  for (std::size_t rank = 0; rank < sent.size(); ++rank) {
    const std::uint64_t received = sides.received.bytes(rank);
    if (rank != label(rank_)) sizes.largest_bytes = std::max({sizes.largest_bytes, sent[rank], received});
  }
  sizes.are_packed = sides.need_copies();
  sizes.are_new = !std::equal(sent.begin(), sent.end(), sizes_by_size_.begin(), sizes_by_size_.end());
  return sizes;
}

/// Collective: replaces the sizes of this process by those of all, and passes the time of the last measured call, which
/// is that of its slowest process, to the tuning. If any process has a failure, all throw as agree() does.
void UnequalAlltoall::agree_on_sizes(Sizes& sizes, const std::optional<Failure>& failure) {
  std::array<double, 7> largest{static_cast<double>(sizes.largest_bytes),
                                static_cast<double>(sizes.process_bytes),
                                sizes.are_new ? 1.0 : 0.0,
                                failure ? 1.0 : 0.0,
                                tuning_.pending_seconds(),
                                sizes.are_packed ? 1.0 : 0.0,
                                static_cast<double>(sizes.sent_bytes)};
  static_assert(largest.size() <= CommContext::most_reduced);
  context_->reduce_to_largest(largest);
  if (largest[3] > 0) agree(context_->comm(), failure);
  tuning_.record_last_time(largest[4]);
  sizes = {{static_cast<std::uint64_t>(largest[0]), static_cast<std::uint64_t>(largest[1]),
            static_cast<std::uint64_t>(largest[6])},
           largest[2] > 0,
           largest[5] > 0};
}

/// Collective: every process tells every other one the size that it will send. All throw if a process expects another
/// size.
void UnequalAlltoall::require_matching(const Sides& sides) const {
  MPI_Comm comm = context_->comm();
  std::vector<std::uint64_t> sent;
  std::vector<std::uint64_t> expected;
  std::vector<std::uint64_t> announced;
  agree_on_outcome(comm, [&] {
    sent = sizes_of<std::uint64_t>(sides.outgoing());
    expected = sizes_of<std::uint64_t>(sides.received);
    announced.resize(sent.size());
  });
  check(MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, announced.data(), 1, MPI_UINT64_T, comm), "MPI_Alltoall");
  agree_on_outcome(comm, [&] {
    for (std::size_t rank = 0; rank < expected.size(); ++rank) {
      if (announced[rank] == expected[rank]) continue;
      throw std::invalid_argument(fmt::format("block size '{}' differs from '{}' that process {} sends",
                                              expected[rank], announced[rank], rank));
    }
  });
}

void UnequalAlltoall::exchange(UnequalBackend backend, const Sides& sides, const Sizes& sizes) {
  const bool needs_plan = backend == UnequalBackend::by_size && sizes.are_new;
  if (needs_plan && !has_memory_for([&] { plan_by_size(sides); })) backend = UnequalBackend::wide;
  if (backend == UnequalBackend::nodes && !has_memory_for_nodes(sides, sizes))
    backend = UnequalTuning::mpi_can_count(sizes) ? UnequalBackend::mpi : UnequalBackend::narrow;
  last_backend_ = backend;
  if (backend == UnequalBackend::nodes) return nodes_->run(sides, sizes);
  if (backend == UnequalBackend::mpi) return mpi_.run(sides, sizes);
  request_->use(plans_.at(backend), nullptr);
  request_->bind(sides, sizes.largest_bytes);
  request_->start();
  request_->wait();
}

/// Collective: takes the memory of an exchange between nodes, and returns whether all processes have it. Communicates
/// only if a process might need more memory than all have taken before.
bool UnequalAlltoall::has_memory_for_nodes(const Sides& sides, const Sizes& sizes) {
  if (!sizes.are_packed && all_have_tables_) return true;
  const bool all_have_memory =
      has_memory_for([&] { agree_on_outcome(context_->comm(), [&] { nodes_->reserve(sides); }); });
  all_have_tables_ = all_have_tables_ || all_have_memory;
  return all_have_memory;
}

/// Collective: gathers the sizes of all blocks and makes a plan that sends each block at its time.
void UnequalAlltoall::plan_by_size(const Sides& sides) {
  MPI_Comm comm = context_->comm();
  const std::size_t rank_count = placement_.rank_count();
  // Memory is taken only where all processes hear of a failure.
  std::vector<std::uint32_t> own;
  std::vector<std::uint32_t> all;
  agree_on_outcome(comm, [&] {
    own = sizes_of<std::uint32_t>(sides.outgoing());
    all.resize(rank_count * rank_count);
  });
  const auto count = static_cast<int>(rank_count);
  check(MPI_Allgather(own.data(), count, MPI_UINT32_T, all.data(), count, MPI_UINT32_T, comm),
        "MPI_Allgather");
  AlltoallSetup setup;
  LocalProgram program;
  agree_on_outcome(comm, [&] {
    setup = setup_.schedule;
    const NetworkRules& network = setup.network;
    const auto messages = schedule_by_size(placement_, network.ports, network.tie, all,
                                           setup.times.gap_seconds, setup.times.tau_seconds_per_byte);
    const TimedPart part = part_of(messages, rank_count, rank_);
    program = local_program(part.steps, rank_);
    setup.sync = StepSync::clock;
    setup.times.slots = slots_of(part);
    setup.send_window_steps = long_window_steps;
    setup.piece_bytes = 0;
  });
  plans_.at(UnequalBackend::by_size) = AlltoallPlan::make(context_, rank_, program, setup);
  sizes_by_size_ = std::move(own);
}

std::string UnequalAlltoall::explain() const {
  if (!last_sizes_) return tuning_.rule();
  return fmt::format("{} the last time, with blocks of up to {} bytes and up to {} bytes of a process; {}",
                     name_of(last_backend_, setup_.schedule), last_sizes_->largest_bytes,
                     last_sizes_->process_bytes, tuning_.text(*last_sizes_));
}

}  // namespace cubefold::mpi
