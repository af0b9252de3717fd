#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "preload/programs_calls.hpp"
#include "support/counted_calls.hpp"
#include "support/several_hosts.hpp"
#include "support/spread_type.hpp"
#include "support/variable.hpp"
#include "support/world.hpp"

namespace cubefold::preload {
namespace {

using mpi::CountedCalls;
using mpi::Variable;

/// Calls MPI_Alltoall on a communicator that is freed afterwards, as a program does.
void exchange_on_a_communicator() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<int> blocks(static_cast<std::size_t>(mpi::world_size()));
  for (int call = 0; call < 3; ++call)
    MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, blocks.data(), 1, MPI_INT, comm);
  MPI_Comm_free(&comm);
}

class OwnCommunicators : public testing::Test {
 protected:
  void SetUp() override { counted_.reset(); }

  CountedCalls& counted_ = mpi::counted_calls();
};

TEST_F(OwnCommunicators, are_freed_with_the_programs_communicator) {
  if (mpi::world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  const Variable grid("CUBEFOLD_GRID", mpi::ring_of_world(), Variable::Where::everywhere);
  const Variable method("CUBEFOLD_ALLTOALL", "linear", Variable::Where::everywhere);
  exchange_on_a_communicator();
  EXPECT_GT(counted_.communicators_made, 2);
  EXPECT_EQ(counted_.communicators_freed, counted_.communicators_made + 1)
      << "MPI_Cart_create, the preloaded library's own, made one of them";
}

/// Makes communicators, exchanges blocks on each, and frees them in another order on each process, as garbage
/// collectors do.
void free_in_any_order() {
  constexpr std::size_t count = 6;
  std::vector<Comm> comms;
  for (std::size_t i = 0; i < count; ++i) {
    comms.push_back(Comm::dup());
    std::vector<int> blocks(comms.back().size(), comms.back().rank());
    ASSERT_EQ(MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, blocks.data(), 1, MPI_INT, comms.back().get()),
              MPI_SUCCESS);
    for (std::size_t from = 0; from < blocks.size(); ++from) EXPECT_EQ(blocks[from], static_cast<int>(from));
  }
  const auto own = static_cast<std::size_t>(mpi::world_rank());
  for (std::size_t i = 0; i < count; ++i) MPI_Comm_free(comms[(i + own) % count].out());
}

TEST_F(OnARing, communicators_are_freed_in_another_order_on_each_process) {
  exchange_by("linear");
  for (int again = 0; again < 3; ++again) free_in_any_order();
}

TEST(OnNodesOfTwo, communicators_are_freed_in_another_order_on_each_process) {
  const int p = mpi::world_size();
  if (p < 4 || p % 2 != 0) GTEST_SKIP() << "needs two nodes with two processes each";
  const mpi::SeveralHosts hosts(mpi::world_rank() / 2);
  const Variable grid("CUBEFOLD_GRID", "ring:" + std::to_string(p / 2), Variable::Where::everywhere);
  const Variable method("CUBEFOLD_ALLTOALL", "nodes:direct", Variable::Where::everywhere);
  for (int again = 0; again < 3; ++again) free_in_any_order();
}

/// The functions of the program that copy and delete an attribute. The first refuses.
struct Attribute {
  static inline int copies = 0;
  static inline int deletes = 0;

  template <typename Object>
  static int copy(Object, int, void*, void*, void*, int* is_copied) {
    ++copies;
    *is_copied = 0;
    return MPI_ERR_OTHER;
  }

  template <typename Object>
  static int remove(Object, int, void*, void*) {
    ++deletes;
    return MPI_SUCCESS;
  }
};

TEST_F(OnARing, attributes_of_the_program_are_neither_copied_nor_deleted_by_an_exchange) {
  const Comm comm = Comm::dup();
  int of_comm = MPI_KEYVAL_INVALID;
  int of_type = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(Attribute::copy<MPI_Comm>, Attribute::remove<MPI_Comm>, &of_comm, nullptr);
  MPI_Type_create_keyval(Attribute::copy<MPI_Datatype>, Attribute::remove<MPI_Datatype>, &of_type, nullptr);
  mpi::SpreadType type(2);
  MPI_Comm_set_attr(comm.get(), of_comm, nullptr);
  MPI_Type_set_attr(type.get(), of_type, nullptr);
  std::vector<int> blocks(comm.size() * 4);
  for (int call = 0; call < 40; ++call)
    ASSERT_EQ(MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, blocks.data(), 1, type.get(), comm.get()), MPI_SUCCESS);
  EXPECT_EQ(Attribute::copies, 0);
  EXPECT_EQ(Attribute::deletes, 0);
  MPI_Comm_delete_attr(comm.get(), of_comm);
  MPI_Type_delete_attr(type.get(), of_type);
  EXPECT_EQ(Attribute::deletes, 2);
  MPI_Comm_free_keyval(&of_comm);
  MPI_Type_free_keyval(&of_type);
}

TEST_F(OwnCommunicators, are_freed_at_once_where_calls_are_passed_on) {
  exchange_on_a_communicator();
  EXPECT_EQ(counted_.communicators_freed, counted_.communicators_made);
}

}  // namespace
}  // namespace cubefold::preload
