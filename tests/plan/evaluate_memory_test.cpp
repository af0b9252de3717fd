#include <gtest/gtest.h>

#include <string>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/mapping.hpp"
#include "support/failing_allocations.hpp"

namespace cubefold {
namespace {

/// Returns how many arrays with an entry for every link evaluate() allocates.
std::uint64_t arrays_of_links(const std::string& phase_text) {
  const Grid grid = parse_grid("torus:32x32");
  const auto nodes = node_of_rank(Placement(grid, parse_placement("xor")));
  const auto phases = parse_phases(phase_text, grid.node_count());
  const FailingAllocation counted(FailingAllocation::never, link_index_count(grid) * sizeof(std::uint64_t));
  evaluate(grid, nodes, phases);
  return counted.count();
}

// On a million nodes, new arrays for each phase take more time than all messages.
TEST(Evaluate, allocates_as_many_arrays_for_ten_phases_as_for_one) {
  EXPECT_GT(arrays_of_links("cube:0"), 0);
  EXPECT_EQ(arrays_of_links("cube"), arrays_of_links("cube:0"));
}

}  // namespace
}  // namespace cubefold
