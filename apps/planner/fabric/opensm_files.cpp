#include "planner/fabric/opensm_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace cubefold::planner {

namespace {

constexpr int most_axes = 3;
constexpr std::array<char, most_axes> axis_letters{'x', 'y', 'z'};
constexpr std::size_t usual_port_group = 16;  ///< the largest one that torus-2QoS expects by default

void require_axes(const Grid& grid) {
  if (grid.axis_count() == 2 || grid.axis_count() == most_axes) return;
  const std::string_view rule =
      grid.axis_count() > most_axes ? "; if rings of 4 are meant, name them with --grid torus:4x4x4" : "";
  throw std::invalid_argument(
      fmt::format("torus-2QoS routes tori and meshes of 2 or 3 axes, not {}{}", to_string(grid), rule));
}

bool has_cable(const Fabric& fabric, std::uint32_t one, std::uint32_t other) {
  return fabric.cables.contains({std::min(one, other), std::max(one, other)});
}

/// Returns the line that says which way a cable of the seed leads. Returns nothing if the cable is missing.
std::optional<std::string> seed_line(const Fabric& fabric, const FabricGrid& found, std::uint32_t seed,
                                     int axis, Direction direction) {
  const auto there = switch_along(found, seed, axis, direction);
  if (!there || !has_cable(fabric, seed, *there)) return std::nullopt;
  return fmt::format("{}{}_link 0x{:x} 0x{:x}\n", axis_letters.at(static_cast<std::size_t>(axis)),
                     direction == Direction::positive ? 'p' : 'm', fabric.switch_guids[seed],
                     fabric.switch_guids[*there]);
}

/// Returns the lines of a switch as a seed, or nothing if it cannot be one. A ring of 4 needs both of its directions.
std::optional<std::string> seed_lines(const Fabric& fabric, const FabricGrid& found, std::uint32_t seed) {
  std::string lines;
  for (int axis = 0; axis < found.grid.axis_count(); ++axis) {
    const bool is_ring = found.grid.has_wrap_link(axis);
    if (!is_ring && found.grid.coordinate(found.node_of_switch[seed], axis) != 0) return std::nullopt;
    const auto up = seed_line(fabric, found, seed, axis, Direction::positive);
    const bool needs_both = is_ring && found.grid.extent(axis) == 4;
    const auto down = needs_both ? seed_line(fabric, found, seed, axis, Direction::negative) : "";
    if (!up || !down) return std::nullopt;
    lines += *up + *down;
  }
  return lines;
}

std::string seed_of(const Fabric& fabric, const FabricGrid& found) {
  for (const std::uint32_t seed : found.switch_of_node)
    if (const auto lines = seed_lines(fabric, found, seed)) return *lines;
  throw std::invalid_argument(
      "torus-2QoS needs a switch with a cable upwards on each axis, and there is none");
}

std::string extents_text(const Grid& grid) {
  std::string text;
  for (int axis = 0; axis < grid.axis_count(); ++axis)
    text += fmt::format(" {}{}", grid.extent(axis), grid.has_wrap_link(axis) ? 't' : 'm');
  return grid.axis_count() < most_axes ? text + " 1m" : text;
}

/// Returns the number of ports of the largest group: parallel cables, or the hosts of a switch and its own port 0.
std::size_t largest_port_group(const Fabric& fabric) {
  std::size_t most = 0;
  for (const auto& [cable, number] : fabric.cables) most = std::max(most, number);
  for (const auto& ports : fabric.ports) {
    const auto hosts = std::ranges::count_if(ports, [](const auto& port) { return port.second.is_host; });
    most = std::max(most, static_cast<std::size_t>(hosts) + 1);
  }
  return most;
}

}  // namespace

std::string port_order_text(const Fabric& fabric, const FabricGrid& found) {
  std::string text =
      fmt::format("# {}: ports in the order of the axes, for opensm -R dor -O FILE\n", to_string(found.grid));
  const PortOrder order = ports_by_axis(fabric, found);
  for (std::size_t i = 0; i < order.size(); ++i)
    text += fmt::format("0x{:016x} {}\n", fabric.switch_guids[i], fmt::join(order[i], " "));
  return text;
}

std::string torus_2qos_text(const Fabric& fabric, const FabricGrid& found) {
  require_axes(found.grid);
  std::string text = fmt::format("# {}, for opensm -Q -R torus-2QoS --torus_config FILE\ntorus{}\n{}",
                                 to_string(found.grid), extents_text(found.grid), seed_of(fabric, found));
  const std::size_t group = largest_port_group(fabric);
  return group > usual_port_group ? text + fmt::format("portgroup_max_ports {}\n", group) : text;
}

}  // namespace cubefold::planner
