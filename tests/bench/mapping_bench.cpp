// The goals on one core are that the joint optimiser is exact on 256 nodes within 5 s, and within a stated gap on 4096
// nodes within 30 s.

#include <benchmark/benchmark.h>

#include <stdexcept>
#include <string>

#include "cubefold/plan/mapping.hpp"

namespace {

using cubefold::MappingObjective;

void map(benchmark::State& state, const char* grid_text, const char* phases_text, bool is_exhaustive,
         MappingObjective objective = MappingObjective::busiest_links) {
  const auto grid = cubefold::parse_grid(grid_text);
  const auto phases = cubefold::parse_phases(phases_text, grid.node_count());
  cubefold::MappingOptions options;
  options.objective = objective;
  cubefold::Mapping mapping;
  for (auto _ : state) mapping = cubefold::choose_placement(grid, phases, options);
  state.counters["objective"] = mapping.values.objective;
  state.counters["bound"] = mapping.bound.value;
  if (mapping.searched.starts_with("exhaustive") != is_exhaustive)
    state.SkipWithError(mapping.searched.c_str());
}

/// Measures a halo exchange on a torus whose ranks are numbered in scrambled order. Only a table of nodes can place
/// them well.
void scrambled_halo(benchmark::State& state) {
  const auto side = static_cast<std::uint32_t>(state.range(0));
  const auto grid = cubefold::Grid({side, side}, cubefold::Ends::wrapped);
  cubefold::Phase halo{"halo", 1, {}};
  const auto name = [&](std::uint32_t n) { return static_cast<cubefold::Rank>(n * 7919 % (side * side)); };
  for (std::uint32_t n = 0; n < side * side; ++n) {
    const auto right = n / side * side + (n + 1) % side;
    const auto below = (n + side) % (side * side);
    for (const auto other : {right, below}) {
      halo.traffic.push_back({name(n), name(other)});
      halo.traffic.push_back({name(other), name(n)});
    }
  }
  cubefold::Mapping mapping;
  for (auto _ : state) mapping = cubefold::choose_placement(grid, std::vector{halo});
  state.counters["objective"] = mapping.values.objective;
  state.counters["average_hops"] = mapping.values.average_hops;
  state.counters["bound"] = mapping.bound.value;
}

constexpr const char* three = "cube+transpose+bit-reversal";

}  // namespace

BENCHMARK_CAPTURE(map, torus_16x16, "torus:16x16", three, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(map, torus_4x4x4x4, "torus:4x4x4x4", three, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(map, ring_256, "ring:256", three, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(map, hypercube_8, "hypercube:8", three, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(map, ring_256_together, "ring:256", three, true, MappingObjective::busiest_link_together)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(map, torus_16x16x16, "torus:16x16x16", three, true)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(map, torus_64x64, "torus:64x64", three, true)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(map, hypercube_12, "hypercube:12", three, true)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(map, torus_16x256, "torus:16x256", three, false)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(map, ring_4096, "ring:4096", three, false)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(scrambled_halo)->Arg(6)->Arg(12)->Arg(30)->Unit(benchmark::kMillisecond)->Iterations(1);
