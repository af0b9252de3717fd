#include "own_boxes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/error.hpp"
#include "mpi/agreement.hpp"

namespace cubefold::fft {

/// The boxes of all ranks.
struct BoxLists {
  std::vector<LocalBox> program;
  std::vector<LocalBox> plan;
  bool has_padding = false;  ///< of the plan's memory on any rank
};

namespace {

/// Collective: returns the boxes of all processes.
BoxLists gathered(MPI_Comm comm, const LocalBox& box, const PlanEnd& end) {
  const std::size_t dimensions = end.lengths.size();
  std::vector<std::uint64_t> own;
  std::vector<std::uint64_t> all;
  mpi::agree_on_outcome(comm, [&] {
    if (box.extents.size() != dimensions || box.offsets.size() != dimensions) {
      throw std::invalid_argument(
          fmt::format("fft::Plan: the {} box has {} extents and {} offsets for {} dimensions", end.name,
                      box.extents.size(), box.offsets.size(), dimensions));
    }
    for (const auto* numbers : {&box.extents, &box.offsets, &end.box.extents, &end.box.offsets})
      own.insert(own.end(), numbers->begin(), numbers->end());
    own.push_back(end.place_count);
    int size = 0;
    mpi::check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    all.resize(own.size() * static_cast<std::size_t>(size));
  });
  const auto count = static_cast<int>(own.size());
  mpi::check(MPI_Allgather(own.data(), count, MPI_UINT64_T, all.data(), count, MPI_UINT64_T, comm),
             "MPI_Allgather");
  return mpi::agree_on_outcome(comm, [&] {
    BoxLists lists;
    for (auto numbers = all.begin(); numbers != all.end();) {
      const auto next = [&] {
        const auto first = numbers;
        numbers += static_cast<std::ptrdiff_t>(dimensions);
        return std::vector<std::size_t>(first, numbers);
      };
      for (auto* boxes : {&lists.program, &lists.plan}) {
        auto extents = next();
        boxes->push_back({std::move(extents), next()});
      }
      if (*numbers++ != point_count(lists.plan.back())) lists.has_padding = true;
    }
    return lists;
  });
}

std::vector<std::size_t> in_order(const std::vector<std::size_t>& numbers,
                                  const std::vector<std::size_t>& order) {
  std::vector<std::size_t> result;
  result.reserve(order.size());
  for (const std::size_t d : order) result.push_back(numbers[d]);
  return result;
}

LocalBox in_order(const LocalBox& box, const std::vector<std::size_t>& order) {
  return {in_order(box.extents, order), in_order(box.offsets, order)};
}

/// Returns the boxes with the dimensions in the order of the plan's memory, and that of the batch.
std::vector<LocalBox> in_memory(const std::vector<LocalBox>& boxes, const PlanEnd& end) {
  std::vector<LocalBox> result;
  result.reserve(boxes.size());
  for (const LocalBox& box : boxes)
    result.push_back(with_dimension(in_order(box, end.memory_order), end.batch, !end.is_interleaved));
  return result;
}

BoxMemory memory_of(LocalBox box, const LocalStrides& strides, const PlanEnd& end) {
  BoxMemory memory{std::move(box), in_order(strides.dimensions, end.memory_order), end.number_bytes};
  memory.strides.insert(end.is_interleaved ? memory.strides.end() : memory.strides.begin(), strides.batch);
  return memory;
}

bool are_same(const LocalBox& a, const LocalBox& b) {
  return a == b || (point_count(a) == 0 && point_count(b) == 0);
}

/// Collective: returns a text about what the processes send to others.
std::string traffic_text(MPI_Comm comm, std::size_t rank, const BoxSide& from) {
  std::array<std::uint64_t, 2> most{};  // messages, bytes
  for (const BoxRound& round : from.rounds()) {
    for (std::size_t to = 0; to < round.counts.size(); ++to) {
      if (to == rank || round.counts[to] == 0) continue;
      ++most[0];
      most[1] += static_cast<std::uint64_t>(round.counts[to]);
    }
  }
  std::uint64_t all = most[1];
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_UINT64_T, MPI_SUM, comm), "MPI_Allreduce");
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, most.data(), 2, MPI_UINT64_T, MPI_MAX, comm), "MPI_Allreduce");
  return mpi::agree_on_outcome(comm, [&] {
    return fmt::format("{} bytes sent by all together, at most {} bytes and {} messages by one{}", all,
                       most[1], most[0],
                       from.rounds().size() > 1 ? fmt::format(", in {} rounds", from.rounds().size()) : "");
  });
}

}  // namespace

LocalStrides strides_of_box(const LocalBox& box, std::size_t batch, bool is_interleaved) {
  LocalStrides strides{row_major_strides(box), point_count(box)};
  if (!is_interleaved) return strides;
  for (std::size_t& stride : strides.dimensions) stride *= batch;
  strides.batch = 1;
  return strides;
}

OwnBoxes::OwnBoxes(MPI_Comm comm, std::shared_ptr<ProcessAxis> all, const LocalBox& box, const PlanEnd& end)
    : name_(end.name), all_(std::move(all)) {
  const BoxLists lists = gathered(comm, box, end);
  const bool are_of_plan = mpi::agree_on_outcome(comm, [&] {
    if (const auto fault = box_fault(end.lengths, lists.program)) {
      throw std::invalid_argument(
          fmt::format("fft::Plan: {} boxes have every point of the array once, but {}", name_, *fault));
    }
    return !lists.has_padding && std::ranges::is_sorted(end.memory_order) &&
           std::ranges::equal(lists.program, lists.plan, are_same);
  });
  if (!are_of_plan) plan_exchange(comm, lists, box, end);
}

/// Collective: plans the exchange in both directions.
void OwnBoxes::plan_exchange(MPI_Comm comm, const BoxLists& lists, const LocalBox& box, const PlanEnd& end) {
  mpi::agree_on_outcome(comm, [&] {
    const auto program = in_memory(lists.program, end);
    const auto plan = in_memory(lists.plan, end);
    const std::size_t rounds = round_count(program, plan, end.number_bytes, end.largest_round_bytes);
    const LocalBox& own = program[all_->member];
    const LocalBox& own_of_plan = plan[all_->member];
    program_.emplace(memory_of(own, strides_of_box(box, end.batch, end.is_interleaved), end),
                     common_parts(own, plan), plan.size(), rounds);
    plan_.emplace(memory_of(own_of_plan, end.strides, end), common_parts(own_of_plan, program),
                  program.size(), rounds);
    plan_bytes_ = end.place_count * end.batch * end.number_bytes;
    has_padding_ = plan_bytes_ > plan_->bytes();
  });
  traffic_ = traffic_text(comm, all_->member, *program_);
  mpi::agree_on_outcome_of_parts(comm, [&] { exchange_ = all_->plans->for_blocks(std::nullopt); });
}

std::size_t OwnBoxes::work_bytes() const {
  return are_of_plan() ? 0 : std::max(program_->bytes(), plan_bytes_);
}

/// Moves what `from` has, in its own memory if it is contiguous and else packed, to the memory or the packed memory of
/// the other side. All processes must call this.
void OwnBoxes::exchange(const BoxSide& from, const void* sent, const BoxSide& to, void* received) {
  const double start = MPI_Wtime();
  for (std::size_t i = 0; i < from.rounds().size(); ++i) {
    const BoxRound& out = from.rounds()[i];
    const BoxRound& in = to.rounds()[i];
    exchange_->run({static_cast<const std::byte*>(sent) + out.first, out.counts, out.displacements, MPI_BYTE,
                    static_cast<std::byte*>(received) + in.first, in.counts, in.displacements, MPI_BYTE});
  }
  exchange_seconds_ = MPI_Wtime() - start;
}

OwnBoxes::Work OwnBoxes::to_plan(const void* box, Work work) {
  const void* sent = box;
  if (!program_->is_contiguous()) {
    program_->pack(box, work.numbers);
    sent = work.numbers;
  }
  std::byte* const received = work.free;
  if (plan_->is_contiguous()) {
    if (has_padding_) std::memset(received, 0, plan_bytes_);
    exchange(*program_, sent, *plan_, received);
    return {work.free, work.numbers};
  }
  exchange(*program_, sent, *plan_, received);
  if (has_padding_) std::memset(work.numbers, 0, plan_bytes_);
  plan_->unpack(received, work.numbers);
  return work;
}

void OwnBoxes::to_program(Work work, void* box) {
  const std::byte* sent = work.numbers;
  std::byte* received = work.free;
  if (!plan_->is_contiguous()) {
    plan_->pack(work.numbers, work.free);
    std::swap(work.numbers, work.free);
    sent = work.numbers;
    received = work.free;
  }
  if (program_->is_contiguous()) return exchange(*plan_, sent, *program_, box);
  exchange(*plan_, sent, *program_, received);
  program_->unpack(received, box);
}

bool OwnBoxes::is_measuring() const {
  return !are_of_plan() && exchange_->is_measuring(CallKind::unequal);
}

std::string OwnBoxes::text() const {
  if (are_of_plan()) return fmt::format("{} boxes of the program: those of the plan\n", name_);
  return fmt::format("{} boxes of the program: {}\n  {}", name_, traffic_, all_->plans->text_for(*exchange_));
}

}  // namespace cubefold::fft
