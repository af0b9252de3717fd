// The goals on one core are that the joint optimiser is exact on 256 nodes within 5 s, and within a stated gap on 4096
// nodes within 30 s, that a halo exchange on 12x8x8 is placed within 1 s, and that 4096 switches are recognised within
// 1 s.

#include <benchmark/benchmark.h>

#include <stdexcept>
#include <string>

#include "cubefold/plan/bricks.hpp"
#include "cubefold/plan/mapping.hpp"
#include "hosts/fabric_text.hpp"
#include "hosts/source.hpp"

namespace {

using cubefold::MappingObjective;

void report(benchmark::State& state, const cubefold::Mapping& mapping) {
  state.counters["objective"] = mapping.values.objective;
  state.counters["bound"] = mapping.bound.value;
}

void map(benchmark::State& state, const char* grid_text, const char* phases_text, bool is_exhaustive,
         MappingObjective objective = MappingObjective::busiest_links) {
  const auto grid = cubefold::parse_grid(grid_text);
  const auto phases = cubefold::parse_phases(phases_text, grid.node_count());
  cubefold::MappingOptions options;
  options.objective = objective;
  cubefold::Mapping mapping;
  for (auto _ : state) mapping = cubefold::choose_placement(grid, phases, options);
  report(state, mapping);
  if (mapping.searched.starts_with("exhaustive") != is_exhaustive)
    state.SkipWithError(mapping.searched.c_str());
}

/// Measures a halo exchange between ranks in the order of MPI_Cart_create, one on each node.
void halo(benchmark::State& state, const char* grid_text, const char* shape) {
  const auto grid = cubefold::parse_grid(grid_text);
  const auto phases = cubefold::parse_phases(std::string("halo:") + shape, grid.node_count());
  cubefold::Mapping mapping;
  for (auto _ : state) mapping = cubefold::choose_placement(grid, phases);
  report(state, mapping);
}

/// Measures the choice of bricks for a halo exchange between 16x16x16 ranks, 8 on each node.
void bricks(benchmark::State& state) {
  const auto grid = cubefold::parse_grid("torus:8x8x8");
  const auto phases = cubefold::parse_phases("halo:16x16x16", 4096);
  cubefold::MappingOptions options;
  options.per_node = 8;
  cubefold::BrickMapping chosen;
  for (auto _ : state) chosen = cubefold::choose_bricks(grid, phases, {16, 16, 16}, options);
  report(state, chosen.mapping);
}

/// Measures how long it takes to recognise the torus in the output of ibnetdiscover for 4096 switches with a host each.
void discover(benchmark::State& state) {
  cubefold::FabricText fabric(cubefold::parse_grid("torus:16x16x16"), {.seed = 1});
  const cubefold::SourceInput input{{{"fabric.txt", fabric.text()}}, {}, {}};
  std::string network;
  for (auto _ : state) network = to_string(cubefold::ibnetdiscover_source.map(input).network());
  if (network != "torus:16x16x16") state.SkipWithError(network.c_str());
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
  report(state, mapping);
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
BENCHMARK_CAPTURE(halo, torus_12x10, "torus:12x10", "12wx10w")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(halo, torus_16x12, "torus:16x12", "16wx12w")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(halo, torus_12x8x8, "torus:12x8x8", "12wx8wx8w")->Unit(benchmark::kMillisecond);
BENCHMARK(bricks)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(discover)->Unit(benchmark::kMillisecond);
BENCHMARK(scrambled_halo)->Arg(6)->Arg(12)->Arg(30)->Unit(benchmark::kMillisecond)->Iterations(1);
