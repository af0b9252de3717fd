#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/mpi/plan_cache.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/simulation/machine.hpp"
#include "transform/alternatives.hpp"

namespace cubefold::fft {

/// Collective. Returns what is known of the network between the processes. Throws alike on all processes.
Network network_of(const mpi::VirtualComm& comm);

/// The processes that exchange with one another: those that differ in some axes of the network grid only.
struct ProcessAxis {
  ProcessAxis() = default;
  ProcessAxis(const ProcessAxis&) = delete;  // the plans know where the communicator is
  ProcessAxis& operator=(const ProcessAxis&) = delete;

  std::optional<mpi::VirtualComm> comm;  ///< member m is virtual rank m
  std::optional<mpi::PlanCache> plans;
  std::optional<Machine> machine;  ///< of these axes alone
  std::string name;                ///< as `axis 0 of torus:4x4`
  std::size_t members = 1;
  std::size_t member = 0;  ///< this process
};

/// The axes of one plan. Plans on one handle that are there at the same time share them, with their communicators and
/// exchange plans; they are freed with the last of the plans.
using ProcessAxes = std::vector<std::shared_ptr<ProcessAxis>>;

/// Collective. Gives one axis: all processes, in the order of their virtual ranks. The machine is that of their grid.
/// Throws alike on all processes.
ProcessAxes axis_of_all(const mpi::VirtualComm& comm, const std::optional<Machine>& machine);

/// Collective. Process axis i are the network axes axes[i], in which members are counted as nodes of the grid of these
/// axes. Throws alike on all processes.
ProcessAxes axes_of_grid(const mpi::VirtualComm& comm, const std::vector<std::vector<int>>& axes,
                         const std::optional<Machine>& machine);

}  // namespace cubefold::fft
