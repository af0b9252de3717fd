#include "cubefold/exchange/direct.hpp"

#include <memory>

#include "cubefold/exchange/product_phase.hpp"
#include "grid_phases.hpp"

namespace cubefold {

namespace {

std::vector<GridPhase> direct_phase(const Grid& grid, Ports ports, Tie tie) {
  std::vector<Digit> whole;
  for (const Axis& axis : grid.axes()) whole.push_back({axis.extent, axis.extent});
  const auto product = std::make_shared<ProductPhase>(grid, whole, ports, tie);
  const auto load_of = [grid](GridNode from, GridNode to) {
    GridPhase::Load load;
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      load.sources.push_back({grid.coordinate(from, axis)});
      load.destinations.push_back({grid.coordinate(to, axis)});
    }
    return load;
  };
  return {{product->step_count(), [product](GridNode node) { return product->moves_of(node); }, load_of}};
}

}  // namespace

Schedule direct_exchange(const Placement& placement, Ports ports, Tie tie) {
  return schedule_of(placement, direct_phase(placement.grid(), ports, tie));
}

Schedule direct_exchange_part(const Placement& placement, Ports ports, Tie tie, Rank rank) {
  return part_of(placement, direct_phase(placement.grid(), ports, tie), rank);
}

}  // namespace cubefold
