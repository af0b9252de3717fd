#include "process_axes.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "cubefold/embedding/node_sharing.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/mpi/owned_comm.hpp"
#include "mpi/agreement.hpp"
#include "mpi/job_files.hpp"
#include "mpi/job_nodes.hpp"
#include "mpi/processes.hpp"
#include "mpi/settings.hpp"
#include "transform/axis_network.hpp"

namespace cubefold::fft {

namespace {

/// Returns the number of a node in the grid of these axes, and a number for its coordinates on all other axes.
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

bool has_slot_axis(const mpi::VirtualComm& comm) {
  return comm.sharing() != nullptr && cubefold::has_slot_axis(*comm.sharing());
}

/// Returns the name of these axes of comm.grid(), of which the slots of nodes are no axis of the network.
std::string name_of(const mpi::VirtualComm& comm, const std::vector<int>& axes) {
  const int slot_axes = has_slot_axis(comm) ? 1 : 0;
  std::string numbers;
  for (const int axis : axes) {
    if (axis >= slot_axes) numbers += fmt::format("{}{}", numbers.empty() ? "" : "+", axis - slot_axes);
  }
  const bool has_slots = slot_axes == 1 && std::ranges::count(axes, 0) == 1;
  const std::string network = numbers.empty() && has_slots ? "" : fmt::format("network axis {} ", numbers);
  const std::string slots = !has_slots ? "" : network.empty() ? "slots " : "slots and ";
  return fmt::format("{}{}of {}", slots, network, nodes_text(comm));
}

/// Some processes of a job, and the placement that numbers them as the nodes of their part of the grid.
struct PartOfJob {
  mpi::JobNodes nodes;
  std::string placement = "identity";
};

/// Returns the processes that differ only in their coordinates on these axes of comm.grid(), in the order of the nodes
/// of these axes.
PartOfJob part_on(const mpi::VirtualComm& comm, const std::vector<int>& axes) {
  const auto part = [&](Grid network) {
    return PartOfJob{{std::move(network), {}, comm.knows_network(), comm.source()}};
  };
  const NodeSharing* sharing = comm.sharing();
  const bool has_slots = has_slot_axis(comm);
  if (sharing == nullptr || axes.empty() || (has_slots && axes.front() != 0))
    return part(grid_of_axes(comm.grid(), axes));
  if (!has_slots) {  // the grid is a line of all ranks in their order
    PartOfJob all = part(sharing->network());
    all.nodes.node_of_process = node_of_rank(*sharing);
    all.placement = to_string(sharing->groups().rule());
    return all;
  }
  std::vector<int> network_axes;
  for (const int axis : axes) {
    if (axis > 0) network_axes.push_back(axis - 1);
  }
  PartOfJob shared = part(grid_of_axes(sharing->network(), network_axes));
  auto& nodes = shared.nodes.node_of_process;
  for (std::uint32_t node = 0; node < shared.nodes.network.node_count(); ++node)
    nodes.insert(nodes.end(), sharing->largest_group(), GridNode{node});
  return shared;
}

/// Returns the key of an axis: its name and the environment variables that its exchanges depend on.
std::string key_of(const std::string& name) {
  std::string key = name;
  for (const char* name_of_variable : {"CUBEFOLD_MACHINE", "CUBEFOLD_ALLTOALL", "CUBEFOLD_TRIALS",
                                       "CUBEFOLD_TUNING", "CUBEFOLD_CHECK", "CUBEFOLD_TIMEOUT"})
    key.append(1, '|').append(mpi::own_variable(name_of_variable));
  return key;
}

/// Returns the axis that a plan on the handle already has, or one that make() makes. An axis is made again if any
/// process has none under its key or knows of a failed exchange on it. All processes must call this.
template <typename Make>
std::shared_ptr<ProcessAxis> shared_axis(const mpi::VirtualComm& comm, const std::string& name, Make make) {
  MPI_Comm all = comm.cart_comm();
  std::string key;
  std::shared_ptr<ProcessAxis> axis;
  mpi::agree_on_outcome(all, [&] {
    key = key_of(name);
    axis = std::static_pointer_cast<ProcessAxis>(comm.shared(key).lock());
  });
  int is_usable = axis && !mpi::failure_of([&] { axis->plans->context().throw_if_failed(); }) ? 1 : 0;
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &is_usable, 1, MPI_INT, MPI_MIN, all), "MPI_Allreduce");
  if (is_usable != 0) return axis;
  mpi::agree_on_outcome(all, [&] {
    axis = std::make_shared<ProcessAxis>();
    axis->name = name;
  });
  make(*axis);
  comm.shared(key) = axis;
  return axis;
}

/// Gives a line of the processes `all` its exchange plans. All processes must call this.
void add_plans(ProcessAxis& axis, const mpi::VirtualComm& comm, MPI_Comm all) {
  std::string name;
  mpi::agree_on_outcome(all, [&] { name = axis.name; });
  const auto store = mpi::TuningStore::from_environment(all, comm.grid(), comm.hints().get());
  mpi::agree_on_outcome_of_parts(
      all, [&] { axis.plans.emplace(*axis.comm, axis.machine, store, std::move(name)); });
}

/// Makes an axis of these network axes. All processes must call this. They agree on every error, also of calls by the
/// processes of one line alone, because the other lines would otherwise go on.
void make_axis(ProcessAxis& axis, const mpi::VirtualComm& comm, const std::optional<Machine>& machine,
               const std::vector<int>& axes) {
  const Grid& grid = comm.grid();
  MPI_Comm all = comm.cart_comm();
  const auto [member, line] = member_and_line(grid, comm.placement().node_of(comm.rank()), axes);
  axis.member = static_cast<std::size_t>(member);
  std::optional<PartOfJob> part_of_job;
  mpi::agree_on_outcome(all, [&] {
    axis.members = grid_of_axes(grid, axes).node_count();
    part_of_job = part_on(comm, axes);
  });
  MPI_Comm split = MPI_COMM_NULL;
  mpi::check(MPI_Comm_split(all, line, member, &split), "MPI_Comm_split");
  const auto part = mpi::OwnedComm::adopt(split);
  mpi::agree_on_outcome_of_parts(all, [&] {
    axis.comm.emplace(
        mpi::VirtualComm::of_job(part.get(), part_of_job->nodes, part_of_job->placement, comm.hints()));
  });
  const std::size_t hosts = most_hosts(part.get(), all);
  mpi::agree_on_outcome(all, [&] {
    if (machine && !axes.empty()) axis.machine = on_axes(*machine, axes, hosts);
  });
  add_plans(axis, comm, all);
}

/// Makes axis `number` of a grid of p0 rows of p1 ranks. All processes must call this.
void make_axis_of_ranks(ProcessAxis& axis, const mpi::VirtualComm& comm, std::array<std::size_t, 2> grid,
                        std::size_t number) {
  MPI_Comm all = comm.virtual_comm();
  const std::size_t rank = label(comm.rank());
  const std::array<std::size_t, 2> place{rank / grid[1], rank % grid[1]};
  axis.members = grid[number];
  axis.member = place[number];
  MPI_Comm split = MPI_COMM_NULL;
  mpi::check(
      MPI_Comm_split(all, static_cast<int>(place[1 - number]), static_cast<int>(place[number]), &split),
      "MPI_Comm_split");
  const auto part = mpi::OwnedComm::adopt(split);
  mpi::agree_on_outcome_of_parts(all, [&] {
    const mpi::JobNodes line{
        Grid({{static_cast<std::uint32_t>(axis.members), Ends::open}}), {}, false, comm.source()};
    axis.comm.emplace(mpi::VirtualComm::of_job(part.get(), line, "identity", comm.hints()));
  });
  add_plans(axis, comm, all);
}

/// Makes the axis of all processes. The ranks of the Cartesian communicator are the nodes. All processes must call
/// this.
void make_axis_of_all(ProcessAxis& axis, const mpi::VirtualComm& comm,
                      const std::optional<Machine>& machine) {
  std::string name;
  mpi::agree_on_outcome(comm.cart_comm(), [&] {
    axis.machine = machine;
    axis.members = comm.placement().rank_count();
    axis.member = label(comm.rank());
    name = axis.name;
  });
  axis.comm.emplace(comm.duplicate());
  axis.plans.emplace(*axis.comm, axis.machine,
                     mpi::TuningStore::from_environment(comm.cart_comm(), comm.grid(), comm.hints().get()),
                     std::move(name));
}

}  // namespace

Network network_of(const mpi::VirtualComm& comm) {
  MPI_Comm all = comm.virtual_comm();
  std::optional<Network> network;
  mpi::agree_on_outcome(all, [&] {
    network.emplace(Network{comm.placement(), {}, 1, nodes_text(comm)});
    network->has_several_axes = comm.knows_network() && is_of_several_axes(comm.network());
  });
  // The times of a machine are those of its axes, to which the slots of nodes are not counted.
  if (comm.sharing() == nullptr)
    network->machine = mpi::machine_from_environment(all, comm.grid(), comm.hints().get());
  network->host_count = network->machine ? network->machine->host_count : mpi::host_count(all);
  return *std::move(network);
}

ProcessAxes axis_of_all(const mpi::VirtualComm& comm, const std::optional<Machine>& machine) {
  ProcessAxes result;
  std::string name;
  mpi::agree_on_outcome(comm.cart_comm(), [&] {
    result.resize(1);
    name = fmt::format("all of {}", nodes_text(comm));
  });
  result[0] = shared_axis(comm, name, [&](ProcessAxis& axis) { make_axis_of_all(axis, comm, machine); });
  return result;
}

ProcessAxes axes_of_grid(const mpi::VirtualComm& comm, const std::vector<std::vector<int>>& axes,
                         const std::optional<Machine>& machine) {
  ProcessAxes result;
  std::vector<std::string> names;
  mpi::agree_on_outcome(comm.cart_comm(), [&] {
    result.resize(axes.size());
    for (const auto& part : axes) names.push_back(name_of(comm, part));
  });
  for (std::size_t i = 0; i < axes.size(); ++i) {
    result[i] =
        shared_axis(comm, names[i], [&](ProcessAxis& axis) { make_axis(axis, comm, machine, axes[i]); });
  }
  return result;
}

ProcessAxes axes_of_ranks(const mpi::VirtualComm& comm, std::size_t p0, std::size_t p1) {
  ProcessAxes result;
  std::vector<std::string> names;
  mpi::agree_on_outcome(comm.cart_comm(), [&] {
    result.resize(2);
    names = {fmt::format("columns of {}x{} ranks", p0, p1), fmt::format("rows of {}x{} ranks", p0, p1)};
  });
  for (std::size_t i = 0; i < 2; ++i) {
    result[i] = shared_axis(comm, names[i], [&](ProcessAxis& axis) {
      make_axis_of_ranks(axis, comm, {p0, p1}, i);
    });
  }
  return result;
}

}  // namespace cubefold::fft
