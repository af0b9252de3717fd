// The library knows the processes of a program that has sessions of MPI 4 and has not called MPI_Init. These
// tests need no sessions: communicators of MPI_COMM_WORLD stand for those that are made from groups of a session.

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "mpi/processes.hpp"
#include "preload/comm_state.hpp"
#include "preload/programs_calls.hpp"
#include "support/variable.hpp"
#include "support/world.hpp"

namespace cubefold::preload {
namespace {

using mpi::job_comm;
using mpi::Variable;
using mpi::world_rank;
using mpi::world_size;

class WorldOfSession : public OnARing {
 protected:
  void SetUp() override {
    if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
    exchange_by("linear");
    mpi::set_job_comm(MPI_COMM_NULL);
  }
  void TearDown() override {
    if (job_comm() != MPI_COMM_WORLD) free_world_of_session();
    gather_world_anew();
  }

  /// Makes a communicator as MPI_Comm_create_from_group does.
  static void make(Comm& comm, int color) {
    const InsideLibrary inside;
    MPI_Comm_split(MPI_COMM_WORLD, color, 0, comm.out());
    gather_world_of_session(comm.get(), false);
  }

  static std::size_t known_processes() { return mpi::process_count(job_comm()); }

  /// Exchanges blocks once and expects the right ones.
  static void exchange(const Comm& comm) {
    std::vector<int> blocks(comm.size());
    for (std::size_t to = 0; to < blocks.size(); ++to) blocks[to] = 100 * comm.rank() + static_cast<int>(to);
    MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, blocks.data(), 1, MPI_INT, comm.get());
    for (std::size_t from = 0; from < blocks.size(); ++from)
      EXPECT_EQ(blocks[from], 100 * static_cast<int>(from) + comm.rank());
  }
};

TEST_F(WorldOfSession, is_known_from_its_first_communicator_of_several_processes) {
  Comm alone;
  Comm all;
  Comm next;
  make(alone, world_rank());
  EXPECT_EQ(job_comm(), MPI_COMM_NULL);
  make(all, 0);
  EXPECT_EQ(known_processes(), all.size());
  EXPECT_EQ(world().reason, "");
  const MPI_Comm known = job_comm();
  make(next, 0);
  EXPECT_EQ(job_comm(), known);
  const Counted calls{report().Alltoall};
  exchange(all);
  exchange(next);
  EXPECT_TRUE(calls.are_ours(2));
}

TEST_F(WorldOfSession, is_none_where_one_process_knows_of_others) {
  if (world_size() != 4) GTEST_SKIP() << "written for 4 processes";
  const Variable grid("CUBEFOLD_GRID", "ring:2", everywhere);
  Comm pair;
  Comm triple;
  Comm all;
  make(pair, world_rank() < 2 ? 0 : world_rank());
  make(triple, world_rank() > 0 ? 0 : 1);
  EXPECT_EQ(job_comm() == MPI_COMM_NULL, world_rank() > 1);
  make(all, 0);
  EXPECT_EQ(job_comm() == MPI_COMM_NULL, world_rank() > 1);
  const Counted calls{report().Alltoall};
  exchange(triple);
  exchange(all);
  EXPECT_TRUE(calls.are_passed_on(2));
  EXPECT_EQ(state_of(pair.get()) == nullptr, world_rank() > 1);
  EXPECT_EQ(std::string(reason_for_strangers()), "processes that the first communicator of a session lacks");
}

TEST_F(WorldOfSession, is_made_again_by_the_processes_that_could_not_agree) {
  if (world_size() != 4) GTEST_SKIP() << "written for 4 processes";
  const Variable grid("CUBEFOLD_GRID", "ring:2", everywhere);
  Comm pair;
  Comm all;
  Comm pairs;
  make(pair, world_rank() < 2 ? 0 : world_rank());
  make(all, 0);
  make(pairs, world_rank() / 2);
  EXPECT_EQ(known_processes(), 2U);
  const Counted calls{report().Alltoall};
  exchange(pairs);
  EXPECT_TRUE(calls.are_ours(1));
  exchange(all);
  EXPECT_FALSE(calls.are_ours(2));
}

TEST_F(WorldOfSession, ends_with_the_last_session_and_may_be_known_again) {
  Comm all;
  make(all, 0);
  exchange(all);
  MPI_Comm_free(all.out());
  free_world_of_session();
  EXPECT_EQ(job_comm(), MPI_COMM_NULL);
  Comm next;
  make(next, 0);
  const Counted calls{report().Alltoall};
  exchange(next);
  EXPECT_TRUE(calls.are_ours(1));
}

}  // namespace
}  // namespace cubefold::preload
