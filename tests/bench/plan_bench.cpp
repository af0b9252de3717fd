// The goals on one core are 10 ms for planning an exchange of 64 nodes, and 1 s for 4096 nodes. One process's part of
// the direct exchange should take at most 50 ms for 4096 nodes.

#include <benchmark/benchmark.h>

#include "cubefold/exchange/method.hpp"
#include "cubefold/plan/exchange_plan.hpp"

namespace {

constexpr std::size_t block_bytes = 8192;

cubefold::Placement placement_on(const char* grid) {
  return cubefold::Placement(cubefold::parse_grid(grid), cubefold::parse_placement("identity"));
}

void plan(benchmark::State& state, const char* grid) {
  const auto placement = placement_on(grid);
  const cubefold::ExchangeModel model{1e-4, 1e-5, {1e-7}, 1e-3, {}};
  for (auto _ : state) benchmark::DoNotOptimize(cubefold::plan_exchange(placement, block_bytes, model));
}

/// Measures the part of the plan that every process makes for itself.
void part(benchmark::State& state, const char* grid, cubefold::Ports ports) {
  const auto placement = placement_on(grid);
  const auto method = cubefold::parse_exchange_method("direct");
  std::uint32_t rank = 0;
  for (auto _ : state) {
    rank = (rank + 1) % static_cast<std::uint32_t>(placement.rank_count());
    benchmark::DoNotOptimize(cubefold::exchange_part(method, placement, {ports}, cubefold::Rank{rank}));
  }
}

}  // namespace

BENCHMARK_CAPTURE(plan, mesh_8x8, "mesh:8x8")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, torus_4x4x4, "torus:4x4x4")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, torus_64x64, "torus:64x64")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, torus_16x16x16, "torus:16x16x16")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, ring_4096, "ring:4096")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan, torus_15x15x15, "torus:15x15x15")->Unit(benchmark::kMillisecond);

constexpr cubefold::Ports one = cubefold::Ports::one;
constexpr cubefold::Ports all = cubefold::Ports::all;
BENCHMARK_CAPTURE(part, mesh_8x8, "mesh:8x8", one)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(part, torus_16x16x16, "torus:16x16x16", one)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(part, torus_15x15x15, "torus:15x15x15", one)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(part, torus_7x7x7x7, "torus:7x7x7x7", all)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(part, torus_6x6x6, "torus:6x6x6", all)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(part, mesh_7x7x7, "mesh:7x7x7", one)->Unit(benchmark::kMillisecond);
