// These tests check the injectors of failures, because an injector without effect would let every other test pass.

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/topology/grid.hpp"
#include "mpi/agreement.hpp"
#include "support/failing_allocations.hpp"
#include "support/failing_mpi.hpp"
#include "support/world.hpp"

namespace cubefold {
namespace {

constexpr std::align_val_t line{256};

/// Checks that the second call of `allocate` fails. It calls the operators by name, because a compiler may remove a
/// new-expression.
template <typename Allocate, typename Free>
void expect_the_second_fails(Allocate allocate, Free free, bool throws) {
  const FailingAllocation second(2);
  free(allocate());
  EXPECT_EQ(second.count(), 1U);
  EXPECT_FALSE(second.has_failed());
  if (throws) {
    EXPECT_THROW(allocate(), std::bad_alloc);
  } else {
    EXPECT_EQ(allocate(), nullptr);
  }
  EXPECT_TRUE(second.has_failed());
  void* const memory = allocate();
  EXPECT_NE(memory, nullptr);
  free(memory);
}

TEST(FailingAllocation, fails_every_form_of_new_once) {
  const auto free = [](void* memory) { ::operator delete(memory); };
  const auto free_array = [](void* memory) { ::operator delete[](memory); };
  const auto free_wide = [](void* memory) { ::operator delete(memory, line); };
  const auto free_wide_array = [](void* memory) { ::operator delete[](memory, line); };
  expect_the_second_fails([] { return ::operator new(8); }, free, true);
  expect_the_second_fails([] { return ::operator new[](8); }, free_array, true);
  expect_the_second_fails([] { return ::operator new(8, line); }, free_wide, true);
  expect_the_second_fails([] { return ::operator new[](8, line); }, free_wide_array, true);
  expect_the_second_fails([] { return ::operator new(8, std::nothrow); }, free, false);
  expect_the_second_fails([] { return ::operator new[](8, std::nothrow); }, free_array, false);
  expect_the_second_fails([] { return ::operator new(8, line, std::nothrow); }, free_wide, false);
  expect_the_second_fails([] { return ::operator new[](8, line, std::nothrow); }, free_wide_array, false);
}

/// Tests write the addresses of allocations into this variable. The compiler has to take them for used, and so cannot
/// remove the allocations.
const void* volatile seen = nullptr;

struct alignas(256) Wide {
  std::array<char, 300> bytes;
};

TEST(FailingAllocation, fails_containers_and_keeps_alignment) {
  const FailingAllocation first(1);
  EXPECT_THROW(seen = std::vector<int>(5).data(), std::bad_alloc);
  const auto wide = std::make_unique<Wide>();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.get()) % alignof(Wide), 0U);
}

TEST(FailingAllocation, counts_only_what_is_large_enough) {
  const FailingAllocation second(2, 1000);
  std::vector<char> small(999);
  std::vector<char> large(1000);
  seen = small.data();
  seen = large.data();
  small = std::vector<char>(500);
  EXPECT_EQ(second.count(), 1U);
  EXPECT_THROW(seen = std::vector<char>(5000).data(), std::bad_alloc);
}

TEST(FailingAllocation, is_over_with_the_object) {
  { const FailingAllocation first(1); }
  std::vector<int> numbers(5);
  EXPECT_EQ(numbers.size(), 5U);
}

TEST(FailingAllocation, fails_the_allocations_of_the_libraries) {
  const std::string text = "torus:4x4x4";
  std::uint64_t number = 1;
  for (bool has_failed = true; has_failed; ++number) {
    FailingAllocation allocation(number);
    std::string outcome;
    try {
      parse_grid(text);
    } catch (const std::bad_alloc&) {
      outcome = "no memory";
    }
    has_failed = allocation.has_failed();
    EXPECT_EQ(outcome, has_failed ? "no memory" : "");
  }
  EXPECT_GT(number, 2U);
}

TEST(FailingAllocation, reaches_what_one_process_does_in_an_agreement) {
  const int last = mpi::world_size() - 1;
  const FailingAllocation first(mpi::world_rank() == last ? 1 : FailingAllocation::never);
  const auto failure =
      mpi::failure_of([] { mpi::agree_on_outcome(MPI_COMM_WORLD, [] { std::vector<int>(100); }); });
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->status, mpi::Status::memory);
}

TEST(FailingMpi, fails_the_call_with_the_number_and_does_not_make_it) {
  int value = 1;
  const FailingMpi second("MPI_Bcast", 2, MPI_ERR_COUNT);
  EXPECT_EQ(MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_FALSE(second.has_failed());
  EXPECT_EQ(MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF), MPI_ERR_COUNT);
  EXPECT_TRUE(second.has_failed());
  EXPECT_EQ(MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(MPI_Barrier(MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(second.count(), 3U);
}

TEST(FailingMpi, counts_all_functions_together_without_a_name) {
  int sum = 1;
  const FailingMpi second("", 2);
  EXPECT_EQ(MPI_Barrier(MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF), MPI_ERR_OTHER);
}

TEST(FailingMpi, is_over_with_the_object) {
  { const FailingMpi first("", 1); }
  EXPECT_EQ(MPI_Barrier(MPI_COMM_SELF), MPI_SUCCESS);
}

TEST(FailingMpi, fails_the_calls_of_the_libraries) {
  const FailingMpi first("MPI_Comm_split", 1, MPI_ERR_COMM);
  const auto failure = mpi::failure_of([] { mpi::OwnedComm::duplicate(MPI_COMM_SELF); });
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->text.substr(0, 15), "MPI_Comm_split:");
}

}  // namespace
}  // namespace cubefold
