#include "fabric_grid.hpp"

namespace cubefold {

namespace {

void add_ports(const Fabric& fabric, std::uint32_t from, std::uint32_t to,
               std::vector<std::uint32_t>& ports) {
  for (const auto& [port, peer] : fabric.ports[from])
    if (peer == PortPeer{false, to}) ports.push_back(port);
}

}  // namespace

PortOrder ports_by_axis(const Fabric& fabric, const FabricGrid& found) {
  PortOrder order(fabric.switches.size());
  for (std::uint32_t here = 0; here < order.size(); ++here) {
    for (int axis = 0; axis < found.grid.axis_count(); ++axis) {
      const bool is_even = found.grid.coordinate(found.node_of_switch[here], axis) % 2 == 0;
      const Direction first = is_even ? Direction::positive : Direction::negative;
      const Direction second = is_even ? Direction::negative : Direction::positive;
      for (const Direction direction : {first, second})
        if (const auto there = switch_along(found, here, axis, direction))
          add_ports(fabric, here, *there, order[here]);
    }
  }
  return order;
}

}  // namespace cubefold
