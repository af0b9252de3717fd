// The goals on one core are 50 us for the order of a permutation of 64 bits, and for the order of a set of two phases 1
// s for 16 bits and 30 s for 20 bits.

#include <benchmark/benchmark.h>

#include <vector>

#include "cubefold/lcc/contention.hpp"
#include "cubefold/lcc/pattern.hpp"
#include "support/random_lcc.hpp"

namespace {

using cubefold::Lcc;
using cubefold::LccKind;

void one_of(benchmark::State& state, LccKind kind) {
  std::mt19937_64 generator(1);
  std::vector<Lcc> phases;
  for (int i = 0; i < 16; ++i) {
    phases.push_back(cubefold::random_lcc(static_cast<int>(state.range(0)), kind, generator));
  }
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(cubefold::optimal_order(phases[next++ % phases.size()]));
}

void bit_reversal(benchmark::State& state) {
  const auto lcc = cubefold::parse_pattern("bit-reversal", static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(cubefold::optimal_order(lcc));
}

void contention(benchmark::State& state) {
  const auto lcc = cubefold::parse_pattern("bit-reversal", static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(cubefold::contention(lcc));
}

void set_of_two(benchmark::State& state, cubefold::Objective objective) {
  const auto bits = static_cast<int>(state.range(0));
  const std::vector<Lcc> phases{cubefold::parse_pattern("transpose", bits),
                                cubefold::parse_pattern("bit-reversal", bits)};
  for (auto _ : state) benchmark::DoNotOptimize(cubefold::optimal_order(phases, objective));
}

void random_set_of_two(benchmark::State& state) {
  std::mt19937_64 generator(2);
  const auto bits = static_cast<int>(state.range(0));
  const std::vector<Lcc> phases{cubefold::random_lcc(bits, LccKind::permutation, generator),
                                cubefold::random_lcc(bits, LccKind::scatter, generator)};
  for (auto _ : state) {
    benchmark::DoNotOptimize(cubefold::optimal_order(phases, cubefold::Objective::busiest_dimension));
  }
}

}  // namespace

BENCHMARK_CAPTURE(one_of, permutation, LccKind::permutation)->Arg(16)->Arg(64)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(one_of, gather, LccKind::gather)->Arg(16)->Arg(64)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(one_of, scatter, LccKind::scatter)->Arg(16)->Arg(64)->Unit(benchmark::kMicrosecond);
BENCHMARK(bit_reversal)->Arg(16)->Arg(64)->Unit(benchmark::kMicrosecond);
BENCHMARK(contention)->Arg(16)->Arg(64)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(set_of_two, worst, cubefold::Objective::worst)
    ->Arg(8)
    ->Arg(16)
    ->Arg(20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(set_of_two, total, cubefold::Objective::total)
    ->Arg(8)
    ->Arg(16)
    ->Arg(20)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(random_set_of_two)->Arg(8)->Arg(16)->Arg(20)->Unit(benchmark::kMillisecond);
