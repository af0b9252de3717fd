#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/simulation/machine.hpp"
#include "mpi/plan_cache.hpp"
#include "mpi/shared_window.hpp"
#include "transform/alternatives.hpp"

namespace cubefold::fft {

/// Returns the nodes of the processes and the known facts about the network between them. All processes must call this.
/// Throws on all processes if it throws on one.
Network network_of(const mpi::VirtualComm& comm);

/// A set of processes that exchange with one another. They differ only in their coordinates on some axes of the network
/// grid.
struct ProcessAxis {
  ProcessAxis() = default;
  ProcessAxis(const ProcessAxis&) = delete;  // `plans` refers to `comm`
  ProcessAxis& operator=(const ProcessAxis&) = delete;

  std::optional<mpi::VirtualComm> comm;  ///< member m is virtual rank m
  std::optional<mpi::PlanCache> plans;
  std::optional<Machine> machine;  ///< constants of these network axes alone

  /// Memory for exchanges in tiles, if plans have needed it and all members are on one host.
  std::shared_ptr<mpi::SharedWindow> window;
  std::string name;         ///< name, as `network axis 0 of torus:4x4` or `all of torus:4x4`
  std::size_t members = 1;  ///< number of members
  std::size_t member = 0;   ///< number of this process
};

/// The process axes of one plan. Plans that exist on one handle at the same time share them with their communicators
/// and exchange plans. The last of these plans frees them.
using ProcessAxes = std::vector<std::shared_ptr<ProcessAxis>>;

/// Returns one axis of all processes in the order of their virtual ranks. The machine is that of their grid. All
/// processes must call this. Throws on all processes if it throws on one.
ProcessAxes axis_of_all(const mpi::VirtualComm& comm, const std::optional<Machine>& machine);

/// Returns the two process axes of a grid of p0 rows of p1 virtual ranks: axis 0 has the ranks of a column, and axis 1
/// those of a row. Nothing is known of the links between them, so MPI makes their exchanges. All processes must call
/// this. Throws on all processes if it throws on one.
ProcessAxes axes_of_ranks(const mpi::VirtualComm& comm, std::size_t p0, std::size_t p1);

/// Returns process axes; process axis i consists of the axes axes[i] of comm.grid(). Its exchanges can go between nodes
/// if it has all processes of its nodes, and are left to MPI if the network is unknown. Its members are numbered as the
/// nodes of the grid of these axes. All processes must call this. Throws on all processes if it throws on one.
ProcessAxes axes_of_grid(const mpi::VirtualComm& comm, const std::vector<std::vector<int>>& axes,
                         const std::optional<Machine>& machine);

}  // namespace cubefold::fft
