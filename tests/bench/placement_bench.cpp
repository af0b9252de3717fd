// The goal is that node_of_rank() of 2^20 ranks takes at most 20 ms on one core, for standard and xor.

#include <benchmark/benchmark.h>

#include <cstdint>

#include "cubefold/embedding/placement.hpp"

namespace {

using cubefold::GridNode;
using cubefold::Placement;
using cubefold::Rank;

Placement placement_of(const char* rule) {
  return {cubefold::parse_grid("torus:1024x1024"), cubefold::parse_placement(rule)};
}

void all_ranks(benchmark::State& state, const char* rule) {
  const Placement placement = placement_of(rule);
  for (auto _ : state) benchmark::DoNotOptimize(cubefold::node_of_rank(placement).data());
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(placement.rank_count()));
}

void build(benchmark::State& state, const char* rule) {
  const auto grid = cubefold::parse_grid("torus:1024x1024");
  const auto parsed = cubefold::parse_placement(rule);
  for (auto _ : state) benchmark::DoNotOptimize(Placement(grid, parsed));
  state.SetItemsProcessed(state.iterations());
}

void single_node_of(benchmark::State& state, const char* rule) {
  const Placement placement = placement_of(rule);
  const auto last = static_cast<std::uint32_t>(placement.rank_count() - 1);
  std::uint32_t rank = 0;
  for (auto _ : state) benchmark::DoNotOptimize(placement.node_of(static_cast<Rank>(rank++ & last)));
  state.SetItemsProcessed(state.iterations());
}

void single_rank_of(benchmark::State& state, const char* rule) {
  const Placement placement = placement_of(rule);
  const auto last = static_cast<std::uint32_t>(placement.rank_count() - 1);
  std::uint32_t node = 0;
  for (auto _ : state) benchmark::DoNotOptimize(placement.rank_of(static_cast<GridNode>(node++ & last)));
  state.SetItemsProcessed(state.iterations());
}

}  // namespace

BENCHMARK_CAPTURE(all_ranks, standard, "standard")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(all_ranks, xor, "xor")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(all_ranks, xor_cyclic, "xor,bits=cyclic")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(all_ranks, gray, "gray")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(all_ranks, by_weight, "by-weight")->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(build, standard, "standard");
BENCHMARK_CAPTURE(build, xor_cyclic, "xor,bits=cyclic");

BENCHMARK_CAPTURE(single_node_of, xor, "xor");
BENCHMARK_CAPTURE(single_node_of, by_weight, "by-weight");
BENCHMARK_CAPTURE(single_rank_of, xor, "xor");
BENCHMARK_CAPTURE(single_rank_of, by_weight, "by-weight");
