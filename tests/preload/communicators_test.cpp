#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
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

/// Returns a number that says between which processes and in which call a block travels.
int block_of(int from, int to, int call) {
  return (from * 64 + to) * 8 + call;
}

/// Exchanges blocks three times, some by MPI_Alltoallv, and expects the right ones.
void expect_exchanged(MPI_Comm comm) {
  int p = 0;
  int own = 0;
  MPI_Comm_size(comm, &p);
  MPI_Comm_rank(comm, &own);
  const std::vector<int> ones(static_cast<std::size_t>(p), 1);
  std::vector<int> places(ones.size());
  for (int i = 0; i < p; ++i) places[static_cast<std::size_t>(i)] = i;
  for (int call = 0; call < 3; ++call) {
    std::vector<int> blocks(ones.size());
    for (int to = 0; to < p; ++to) blocks[static_cast<std::size_t>(to)] = block_of(own, to, call);
    if (call == 1) {
      MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_INT, blocks.data(), ones.data(), places.data(),
                    MPI_INT, comm);
    } else {
      MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, blocks.data(), 1, MPI_INT, comm);
    }
    for (int from = 0; from < p; ++from)
      ASSERT_EQ(blocks[static_cast<std::size_t>(from)], block_of(from, own, call));
  }
}

/// Calls of all-to-alls on a part of the world that is freed afterwards, as a program does.
void exchange_on_a_part(int color, int key) {
  MPI_Comm comm = MPI_COMM_NULL;
  PMPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
  if (comm == MPI_COMM_NULL) return;
  expect_exchanged(comm);
  PMPI_Comm_free(&comm);
}

/// Counts the communicators of the library: the program uses the profiling interface for its own.
class OwnCommunicators : public OnARing {
 protected:
  void SetUp() override {
    if (mpi::world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  }

  /// Forgets what was counted, and learns the environment of the test.
  void begin() {
    gather_world_anew();
    counted_.reset();
  }
  int made() const { return counted_.communicators_made; }
  int freed() const { return counted_.communicators_freed; }

 private:
  CountedCalls& counted_ = mpi::counted_calls();
};

TEST_F(OwnCommunicators, are_one_for_all_of_the_program_with_the_same_processes_in_the_same_order) {
  if (world().has_several_threads) GTEST_SKIP() << "threads may use two of them at a time";
  exchange_by("linear");
  begin();
  for (int again = 0; again < 5; ++again) exchange_on_a_part(0, 0);
  EXPECT_EQ(made(), 1);
  exchange_on_a_part(0, -mpi::world_rank());
  EXPECT_EQ(made(), 2);
  const Comm live = Comm::dup();  // which gathers the world, and so forgets what was shared
  begin();
  expect_exchanged(live.get());
  exchange_on_a_part(0, 0);
  expect_exchanged(live.get());
  EXPECT_EQ(made(), 1);
}

TEST_F(OwnCommunicators, of_parts_are_shared_among_the_communicators_of_a_part) {
  if (world().has_several_threads) GTEST_SKIP() << "threads may use two of them at a time";
  exchange_by("linear");
  begin();
  const int parts = mpi::world_size() / 2;
  for (int again = 0; again < 3; ++again) exchange_on_a_part(mpi::world_rank() % parts, 0);
  EXPECT_EQ(made(), 1);
  EXPECT_EQ(freed(), 0);
}

TEST_F(OwnCommunicators, are_none_where_mpis_own_exchange_is_the_choice) {
  exchange_by("mpi");
  begin();
  for (int again = 0; again < 2; ++again) exchange_on_a_part(0, 0);
  exchange_on_a_part(mpi::world_rank() % 2, 0);
  const mpi::OneHost host;
  exchange_by("");
  begin();
  for (int again = 0; again < 2; ++again) exchange_on_a_part(0, 0);
  exchange_on_a_part(mpi::world_rank() % 2, 0);
  EXPECT_EQ(made(), 0);
}

TEST_F(OwnCommunicators, are_none_where_nothing_is_known_of_the_network) {
  const Variable nothing("CUBEFOLD_GRID", "", everywhere);
  begin();
  for (int again = 0; again < 2; ++again) exchange_on_a_part(0, 0);
  exchange_on_a_part(mpi::world_rank() % 2, 0);
  EXPECT_EQ(made(), 0);
}

TEST_F(OwnCommunicators, are_none_if_a_process_can_make_none_and_calls_are_passed_on) {
  exchange_by("linear");
  const Comm comm = Comm::dup();
  MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_ARE_FATAL);
  begin();
  const Counted calls{report().Alltoall};
  const bool is_mine = mpi::world_rank() == mpi::world_size() - 1;
  mpi::failing_splits = is_mine ? 1 : 0;
  for (int again = 0; again < 2; ++again) expect_exchanged(comm.get());
  EXPECT_EQ(mpi::failing_splits, 0);
  EXPECT_TRUE(calls.are_passed_on(4));
  EXPECT_EQ(made(), 1);
  EXPECT_EQ(freed(), is_mine ? 0 : 1);
  const Comm next = Comm::dup();
  const Counted again{report().Alltoall};
  expect_exchanged(next.get());
  EXPECT_TRUE(again.are_ours(2));
}

// The processes of the parts forget the exchanges of the world, and the others keep them.
TEST_F(OwnCommunicators, are_made_anew_where_some_processes_have_used_many_other_groups_meanwhile) {
  constexpr int part = 5;
  if (mpi::world_size() <= part || world().has_several_threads)
    GTEST_SKIP() << "needs many orders of fewer processes than there are";
  exchange_by("linear");
  begin();
  exchange_on_a_part(0, 0);
  EXPECT_EQ(made(), 1);
  std::vector<int> order{0, 1, 2, 3, 4};
  const bool is_in_part = mpi::world_rank() < part;
  for (std::size_t groups = 0; groups <= most_groups; ++groups) {
    exchange_on_a_part(is_in_part ? 0 : MPI_UNDEFINED,
                       is_in_part ? order[static_cast<std::size_t>(mpi::world_rank())] : 0);
    std::ranges::next_permutation(order);
  }
  exchange_on_a_part(0, 0);
  EXPECT_EQ(made(), is_in_part ? static_cast<int>(most_groups) + 3 : 2);
  EXPECT_EQ(freed(), made() - (is_in_part ? static_cast<int>(most_groups) : 1));
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

}  // namespace
}  // namespace cubefold::preload
