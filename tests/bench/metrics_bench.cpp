// The goal is that each metric of 2^20 nodes in all dimensions takes at most 2 s on one core, for any placement.

#include <benchmark/benchmark.h>

#include <string>

#include "cubefold/embedding/dilation.hpp"
#include "embedding/closed_form.hpp"
#include "embedding/cube_loads.hpp"

namespace {

using cubefold::Placement;
using cubefold::Tie;

Placement placement_of(const char* grid, const char* rule) {
  return {cubefold::parse_grid(grid), cubefold::parse_placement(rule)};
}

void spectrum(benchmark::State& state, const char* grid, const char* rule) {
  const Placement placement = placement_of(grid, rule);
  for (auto _ : state) benchmark::DoNotOptimize(cubefold::dilation_spectrum(placement));
}

void links(benchmark::State& state, const char* grid, const char* rule) {
  const Placement placement = placement_of(grid, rule);
  const auto dimensions = cubefold::all_dimensions(placement);
  for (auto _ : state) {
    benchmark::DoNotOptimize(cubefold::busiest_link(placement, dimensions, Tie::balanced));
  }
}

void time_of_cc_cube(benchmark::State& state, const char* grid, const char* rule) {
  const Placement placement = placement_of(grid, rule);
  for (auto _ : state) benchmark::DoNotOptimize(cubefold::cc_cube_time(placement, {1e-6, 1e-6}));
}

void by_formula(benchmark::State& state, const char* grid, const char* rule) {
  const Placement placement = placement_of(grid, rule);
  for (auto _ : state) {
    benchmark::DoNotOptimize(cubefold::closed_form::dilation_spectrum(placement));
    benchmark::DoNotOptimize(cubefold::closed_form::busiest_link(placement, Tie::balanced));
  }
}

void on_grid(const char* grid, const char* rule) {
  const auto add = [&](const char* what, void (*run)(benchmark::State&, const char*, const char*)) {
    const auto name = std::string(what) + '/' + grid + '/' + rule;
    benchmark::RegisterBenchmark(name.c_str(), run, grid, rule)->Unit(benchmark::kMillisecond);
  };
  add("spectrum", spectrum);
  add("links", links);
  add("cc_cube", time_of_cc_cube);
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* rule : {"xor", "by-weight"}) on_grid("torus:1024x1024", rule);
  on_grid("ring:1048576", "xor");
  on_grid("hypercube:20", "standard");
  benchmark::RegisterBenchmark("formulas/torus:1024x1024/xor", by_formula, "torus:1024x1024", "xor");
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
