#include "process_axes.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <utility>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/mpi/machine_file.hpp"
#include "cubefold/mpi/owned_comm.hpp"

namespace cubefold::fft {

namespace {

/// Of a node: its place in the grid of these axes, and a number for all its other coordinates.
std::pair<int, int> member_and_line(const Grid& grid, GridNode node, const std::vector<int>& axes) {
  std::size_t member = 0;
  std::size_t line = 0;
  std::size_t members = 1;
  std::size_t lines = 1;
  for (const int axis : axes) {
    member += grid.coordinate(node, axis) * members;
    members *= grid.extent(axis);
  }
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) continue;
    line += grid.coordinate(node, axis) * lines;
    lines *= grid.extent(axis);
  }
  return {static_cast<int>(member), static_cast<int>(line)};
}

std::size_t most_hosts(MPI_Comm part, MPI_Comm all) {
  auto hosts = static_cast<unsigned long>(mpi::host_count(part));
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &hosts, 1, MPI_UNSIGNED_LONG, MPI_MAX, all), "MPI_Allreduce");
  return hosts;
}

std::string name_of(const Grid& grid, const std::vector<int>& axes) {
  std::string numbers;
  for (const int axis : axes) numbers += fmt::format("{}{}", numbers.empty() ? "" : "+", axis);
  return fmt::format("network axis {} of {}", numbers, to_string(grid));
}

/// What only the processes of one part communicate is agreed on by all, as the other parts would go on alone.
void make_axis(ProcessAxis& axis, const mpi::VirtualComm& comm, const std::optional<Machine>& machine,
               const std::vector<int>& axes) {
  const Grid& grid = comm.grid();
  MPI_Comm all = comm.cart_comm();
  const auto [member, line] = member_and_line(grid, comm.placement().node_of(comm.rank()), axes);
  axis.member = static_cast<std::size_t>(member);
  std::string grid_text;
  mpi::collective_try(all, [&] {
    const Grid own = grid_of_axes(grid, axes);
    axis.members = own.node_count();
    axis.name = name_of(grid, axes);
    grid_text = to_string(own);
  });
  MPI_Comm split = MPI_COMM_NULL;
  mpi::check(MPI_Comm_split(all, line, member, &split), "MPI_Comm_split");
  const auto part = mpi::OwnedComm::adopt(split);
  mpi::collective_try(all, [&] { axis.comm.emplace(part.get(), grid_text, "identity"); });
  const std::size_t hosts = most_hosts(part.get(), all);
  mpi::collective_try(all, [&] {
    if (machine && !axes.empty()) axis.machine = on_axes(*machine, axes, hosts);
  });
  mpi::collective_try(all, [&] { axis.plans.emplace(*axis.comm, axis.machine); });
}

}  // namespace

Grid grid_of_axes(const Grid& grid, const std::vector<int>& axes) {
  std::vector<Axis> kept;
  for (const int axis : axes) kept.push_back(grid.axes()[static_cast<std::size_t>(axis)]);
  if (kept.empty()) kept.push_back({1, Ends::open});
  return Grid(std::move(kept));
}

std::vector<ProcessAxis> axis_of_all(const mpi::VirtualComm& comm, const std::optional<Machine>& machine) {
  std::vector<ProcessAxis> result;
  std::string grid_text;
  std::string placement_text;
  mpi::collective_try(comm.cart_comm(), [&] {
    result = std::vector<ProcessAxis>(1);
    ProcessAxis& axis = result.front();
    axis.machine = machine;
    axis.members = comm.placement().rank_count();
    axis.member = label(comm.rank());
    axis.name = fmt::format("all of {}", to_string(comm.grid()));
    grid_text = to_string(comm.grid());
    placement_text = to_string(comm.placement().rule());
  });
  // Processes are nodes in the order of the Cartesian communicator.
  ProcessAxis& axis = result.front();
  axis.comm.emplace(comm.cart_comm(), grid_text, placement_text);
  axis.plans.emplace(*axis.comm, axis.machine);
  return result;
}

std::vector<ProcessAxis> axes_of_grid(const mpi::VirtualComm& comm, const std::vector<std::vector<int>>& axes,
                                      const std::optional<Machine>& machine) {
  std::vector<ProcessAxis> result;
  mpi::collective_try(comm.cart_comm(), [&] { result = std::vector<ProcessAxis>(axes.size()); });
  for (std::size_t i = 0; i < axes.size(); ++i) make_axis(result[i], comm, machine, axes[i]);
  return result;
}

GridNode node_of(const Grid& grid, const std::vector<std::vector<int>>& axes,
                 const Layout::Members& members) {
  std::vector<std::uint32_t> coordinates(static_cast<std::size_t>(grid.axis_count()));
  for (std::size_t part = 0; part < axes.size(); ++part) {
    std::size_t member = members[part];
    for (const int axis : axes[part]) {
      coordinates[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(member % grid.extent(axis));
      member /= grid.extent(axis);
    }
  }
  return grid.node_at(coordinates);
}

std::vector<std::vector<int>> two_parts(const Grid& grid) {
  std::vector<int> all;
  for (int axis = 0; axis < grid.axis_count(); ++axis) all.push_back(axis);
  std::size_t best = 0;
  std::size_t largest = grid.node_count();
  const auto sets = std::size_t{1} << std::min(all.size(), std::size_t{16});
  for (std::size_t set = 1; set + 1 < sets; ++set) {
    std::size_t first = 1;
    for (std::size_t a = 0; a < all.size(); ++a)
      if (((set >> a) & 1U) != 0) first *= grid.extent(static_cast<int>(a));
    if (first * first < grid.node_count() || first >= largest) continue;
    best = set;
    largest = first;
  }
  if (best == 0) return {all};
  std::vector<std::vector<int>> parts(2);
  for (std::size_t a = 0; a < all.size(); ++a)
    parts[((best >> a) & 1U) != 0 ? 0 : 1].push_back(static_cast<int>(a));
  return parts;
}

}  // namespace cubefold::fft
