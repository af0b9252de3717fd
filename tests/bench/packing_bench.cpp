// The goal is that packing the blocks of an exchange stage is as fast as one memcpy of as many bytes.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "comparison.hpp"
#include "cubefold/exchange/method.hpp"
#include "schedule/local_program.hpp"
#include "schedule/packing.hpp"

namespace {

using cubefold::ExchangeMemory;
using cubefold::LocalProgram;
using cubefold::PieceMemory;
using cubefold::Rank;

using cubefold::bench::Comparison;
using cubefold::bench::seconds_of;

/// Returns the program of a rank in the exchange of 2^dimension_count ranks.
LocalProgram program_of(int dimension_count) {
  constexpr Rank rank{5};
  const cubefold::Grid line({{std::uint32_t{1} << dimension_count, cubefold::Ends::open}});
  const cubefold::Placement placement(line, cubefold::parse_placement("standard"));
  return cubefold::local_program(
      cubefold::exchange_part({cubefold::ExchangeAlgorithm::cc_cube, {}}, placement, {}, rank), rank);
}

/// Describes the three areas of one exchange in one piece of memory.
struct Areas {
  Areas(const LocalProgram& program, std::byte* memory, std::size_t block_bytes)
      : exchange{memory, memory + program.rank_count * block_bytes, block_bytes},
        round(exchange, memory + 2 * program.rank_count * block_bytes, block_bytes, 0) {}

  ExchangeMemory exchange;
  PieceMemory round;
};

/// Holds the memories and packets of many exchanges, which are used in rotation. If there are enough, each has left the
/// cache before its next use.
class Workspace {
 public:
  Workspace(std::size_t memory_bytes, std::size_t packet_bytes, std::size_t copies)
      : memory_bytes_(memory_bytes),
        packet_bytes_(packet_bytes),
        copies_(copies),
        memories_(memory_bytes * copies, std::byte{1}),
        packets_(packet_bytes * copies, std::byte{2}) {}

  void next() { turn_ = turn_ + 1 == copies_ ? 0 : turn_ + 1; }
  std::byte* memory() { return memories_.data() + turn_ * memory_bytes_; }
  std::byte* packet() { return packets_.data() + turn_ * packet_bytes_; }

 private:
  std::size_t memory_bytes_;
  std::size_t packet_bytes_;
  std::size_t copies_;
  std::vector<std::byte> memories_;
  std::vector<std::byte> packets_;
  std::size_t turn_ = 0;
};

template <typename Copy>
double batch_seconds(std::size_t calls, Workspace& workspace, Copy copy) {
  return seconds_of([&] {
    for (std::size_t call = 0; call < calls; ++call) {
      copy(workspace.memory(), workspace.packet());
      benchmark::ClobberMemory();
      workspace.next();
    }
  });
}

/// Compares the times of two ways to pack. The arguments of `state` are the dimension count, the stage, the bytes of a
/// block, and the megabytes of memory that are used in rotation (0: the memory of one exchange).
template <typename Ours, typename Theirs>
void compare(benchmark::State& state, Ours ours, Theirs theirs) {
  const auto program = program_of(static_cast<int>(state.range(0)));
  const auto stage = static_cast<std::size_t>(state.range(1));
  const auto block_bytes = static_cast<std::size_t>(state.range(2));
  const std::size_t packet_bytes = program.sends[stage].block_count * block_bytes;
  const std::size_t memory_bytes = (2 * program.rank_count + program.scratch_slots) * block_bytes;
  const auto copies =
      std::max<std::size_t>(1, (static_cast<std::size_t>(state.range(3)) << 20) / memory_bytes);
  const auto calls = std::max<std::size_t>(1, (std::size_t{1} << 18) / packet_bytes);

  Workspace workspace(memory_bytes, packet_bytes, copies);
  Comparison comparison;
  for (auto _ : state) {
    comparison.run_pair(
        state,
        [&] {
          return batch_seconds(calls, workspace, [&](std::byte* memory, std::byte* packet) {
            ours(program, stage, Areas(program, memory, block_bytes).round, packet);
          });
        },
        [&] {
          return batch_seconds(calls, workspace, [&](std::byte* memory, std::byte* packet) {
            theirs(memory, packet, packet_bytes);
          });
        });
  }
  comparison.report_times(state, "packing", "memcpy", static_cast<double>(calls));
  comparison.report_rates(state, "packing", "memcpy", static_cast<double>(calls * packet_bytes));
}

void gather(benchmark::State& state) {
  compare(
      state,
      [](const LocalProgram& program, std::size_t stage, const PieceMemory& memory, std::byte* packet) {
        cubefold::pack(program, program.sends[stage], memory, packet);
      },
      [](const std::byte* memory, std::byte* packet, std::size_t bytes) {
        std::memcpy(packet, memory, bytes);
      });
}

void scatter(benchmark::State& state) {
  compare(
      state,
      [](const LocalProgram& program, std::size_t stage, const PieceMemory& memory, const std::byte* packet) {
        cubefold::unpack(program, program.receives[stage], packet, memory);
      },
      [](std::byte* memory, const std::byte* packet, std::size_t bytes) {
        std::memcpy(memory, packet, bytes);
      });
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"dimensions", "stage", "block", "megabytes"})->UseManualTime();
  benchmark->ArgsProduct({{6}, {0, 2, 5}, {8, 64, 1024, 65536}, {0}});
  benchmark->ArgsProduct({{6}, {0, 2, 5}, {64, 1024, 65536}, {256}});
}

}  // namespace

BENCHMARK(gather)->Apply(sizes);
BENCHMARK(scatter)->Apply(sizes);
