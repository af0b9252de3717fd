// Transforms of jobs in which nodes have several processes.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "fft/whole_plan.hpp"
#include "support/several_hosts.hpp"
#include "support/shared_nodes.hpp"
#include "support/variable.hpp"
#include "transform/axis_network.hpp"

namespace cubefold::fft {
namespace {

PlanOptions options_of(Decomposition decomposition) {
  PlanOptions options;
  options.decomposition = decomposition;
  return options;
}

std::string explanation_of(const VirtualComm& comm, Decomposition decomposition) {
  return Plan<double>(comm, {16, 16, 16}, options_of(decomposition)).explain();
}

class PlanOnSharedNodes : public testing::Test, mpi::OneHost {
 protected:
  const mpi::Variable request{"CUBEFOLD_ALLTOALL", "nodes:direct", mpi::Variable::Where::everywhere};
};

TEST_F(PlanOnSharedNodes, computes_the_transform_in_every_decomposition) {
  for (const mpi::Job& job : mpi::jobs_of_world()) {
    const VirtualComm comm = job.comm();
    expect_transform<double>(comm, {60}, {});
    expect_transform<double>(comm, {12, 10}, {});
    expect_transform<double>(comm, {8, 9, 10}, options_of(Decomposition::slab));
    if (has_pencils(comm.grid()))
      expect_transform<double>(comm, {8, 9, 10}, options_of(Decomposition::pencil));
  }
}

TEST_F(PlanOnSharedNodes, exchanges_slabs_between_nodes) {
  for (const mpi::Job& job : mpi::jobs_of_world()) {
    const VirtualComm comm = job.comm();
    if (comm.sharing() == nullptr) continue;
    const std::string text = explanation_of(comm, Decomposition::slab);
    EXPECT_NE(text.find("direct between nodes (" + nodes_text(comm) + ")"), std::string::npos) << text;
  }
}

TEST_F(PlanOnSharedNodes, exchanges_the_pencils_between_nodes_of_which_all_processes_take_part) {
  if (world_size() != 16) GTEST_SKIP() << "needs two processes on each of eight nodes";
  const VirtualComm comm(MPI_COMM_WORLD, "grid:2x4w", "identity");
  ASSERT_NE(comm.sharing(), nullptr);
  const std::string text = explanation_of(comm, Decomposition::pencil);
  for (const std::string line : {"4 processes, slots and network axis 0 of 2 ranks on each node of grid:2x4w",
                                 "direct between nodes (2 ranks on each node of ",
                                 "4 processes, network axis 1 of 2 ranks on each node of grid:2x4w"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

TEST_F(PlanOnSharedNodes, leaves_exchanges_on_an_unknown_network_to_mpi) {
  const mpi::Variable none("CUBEFOLD_ALLTOALL", "", mpi::Variable::Where::everywhere);
  const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
  ASSERT_FALSE(comm.knows_network());
  const std::string text = explanation_of(comm, Decomposition::slab);
  if (world_size() > 1) {
    EXPECT_NE(text.find("network axis 0 of unknown network"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace cubefold::fft
