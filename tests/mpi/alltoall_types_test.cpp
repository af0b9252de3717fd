#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>

#include "cubefold/mpi/error.hpp"
#include "mpi/alltoall_plan.hpp"
#include "support/alltoall_plan_world.hpp"
#include "support/spread_type.hpp"

namespace cubefold::mpi {
namespace {

using ExchangeTypesTest = AlltoallPlanTest;

TEST_F(ExchangeTypesTest, leaves_the_gaps_of_a_type_alone) {
  const SpreadType type(3);
  std::vector<int> send(static_cast<std::size_t>(size) * 6, -1);
  std::vector<int> receive(send.size(), -2);
  for (std::size_t i = 0; i < send.size(); i += 2) send[i] = sent(3)[i / 2];
  exchange->run({send.data(), 1, type.get(), receive.data(), 1, type.get()});
  for (std::size_t i = 0; i < receive.size(); ++i)
    EXPECT_EQ(receive[i], i % 2 == 0 ? expected(3)[i / 2] : -2);
}

TEST_F(ExchangeTypesTest, works_in_place_on_a_type_with_gaps) {
  const SpreadType type(2);
  std::vector<int> buffer(static_cast<std::size_t>(size) * 4, -1);
  for (std::size_t i = 0; i < buffer.size(); i += 2) buffer[i] = sent(2)[i / 2];
  exchange->run({MPI_IN_PLACE, 1, MPI_INT, buffer.data(), 1, type.get()});
  for (std::size_t i = 0; i < buffer.size(); ++i) EXPECT_EQ(buffer[i], i % 2 == 0 ? expected(2)[i / 2] : -1);
}

// Open MPI 4.1.4 returns wrong results for small blocks of different type maps on 16 or more processes.
TEST_F(ExchangeTypesTest, converts_between_unlike_layouts_of_equal_signature) {
  const SpreadType spread(2);
  const auto send = sent(2);
  std::vector<int> receive(static_cast<std::size_t>(size) * 4, -2);
  exchange->run({send.data(), 2, MPI_INT, receive.data(), 1, spread.get()});
  for (std::size_t i = 0; i < receive.size(); ++i)
    EXPECT_EQ(receive[i], i % 2 == 0 ? expected(2)[i / 2] : -2);

  std::vector<int> spread_send(static_cast<std::size_t>(size) * 4, -1);
  std::vector<int> packed(static_cast<std::size_t>(size) * 2);
  for (std::size_t i = 0; i < spread_send.size(); i += 2) spread_send[i] = send[i / 2];
  exchange->run({spread_send.data(), 1, spread.get(), packed.data(), 2, MPI_INT});
  EXPECT_EQ(packed, expected(2));
}

TEST_F(ExchangeTypesTest, takes_types_whose_map_runs_backwards) {
  const int lengths[] = {1, 1};
  const MPI_Aint displacements[] = {sizeof(int), 0};
  const MPI_Datatype types[] = {MPI_INT, MPI_INT};
  MPI_Datatype backwards = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths, displacements, types, &backwards);
  MPI_Type_commit(&backwards);
  const auto send = sent(2);
  std::vector<int> receive(send.size());
  exchange->run({send.data(), 1, backwards, receive.data(), 2, MPI_INT});
  for (std::size_t i = 0; i < receive.size(); ++i) EXPECT_EQ(receive[i], expected(2)[i ^ 1]);
  MPI_Type_free(&backwards);
}

TEST_F(ExchangeTypesTest, takes_contiguous_types_and_pairs_with_padding) {
  MPI_Datatype three = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(3, MPI_INT, &three);
  MPI_Type_commit(&three);
  const auto send = sent(6);
  std::vector<int> receive(send.size());
  exchange->run({send.data(), 2, three, receive.data(), 2, three});
  EXPECT_EQ(receive, expected(6));
  MPI_Type_free(&three);

  struct Pair {
    double value;
    int index;
  };
  std::vector<Pair> pairs(static_cast<std::size_t>(size));
  for (int j = 0; j < size; ++j) pairs[static_cast<std::size_t>(j)] = {0.5 + rank, number(rank, j, 0)};
  std::vector<Pair> arrived(pairs.size());
  exchange->run({pairs.data(), 1, MPI_DOUBLE_INT, arrived.data(), 1, MPI_DOUBLE_INT});
  for (int i = 0; i < size; ++i) {
    EXPECT_EQ(arrived[static_cast<std::size_t>(i)].value, 0.5 + i);
    EXPECT_EQ(arrived[static_cast<std::size_t>(i)].index, number(i, rank, 0));
  }
}

// The blocks have an extent of 3 GiB and hold one int each, so every displacement but the first exceeds an int.
TEST_F(ExchangeTypesTest, reaches_blocks_beyond_4_gib) {
  constexpr MPI_Aint extent = MPI_Aint{3} << 30;
  MPI_Datatype spread = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, extent, &spread);
  MPI_Type_commit(&spread);
  const auto bytes = static_cast<std::size_t>(extent) * static_cast<std::size_t>(size);
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const auto at = [&](int j) { return reinterpret_cast<int*>(static_cast<std::byte*>(memory) + j * extent); };
  for (int j = 0; j < size; ++j) *at(j) = number(rank, j, 0);
  exchange->run({MPI_IN_PLACE, 1, spread, memory, 1, spread});
  for (int i = 0; i < size; ++i) EXPECT_EQ(*at(i), number(i, rank, 0));
  munmap(memory, bytes);
  MPI_Type_free(&spread);
}

TEST_F(ExchangeTypesTest, takes_types_that_fortran_asks_for_by_precision) {
  MPI_Datatype real = MPI_DATATYPE_NULL;
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &real);
  MPI_Type_contiguous(2, real, &pair);
  MPI_Type_commit(&pair);
  std::vector<double> numbers(static_cast<std::size_t>(size) * 2, rank);
  exchange->run({MPI_IN_PLACE, 1, pair, numbers.data(), 1, pair});
  for (int i = 0; i < size; ++i) EXPECT_EQ(numbers[static_cast<std::size_t>(2 * i)], i);
  MPI_Type_free(&pair);
}

}  // namespace
}  // namespace cubefold::mpi
