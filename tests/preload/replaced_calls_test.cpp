// The functions of the preloaded library replace those of MPI in this program, as they do in any program. Sends and
// receives show the right results.

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mpi/alltoall_plan.hpp"
#include "preload/next_mpi.hpp"
#include "preload/programs_calls.hpp"
#include "support/spread_type.hpp"

namespace cubefold::preload {
namespace {

using mpi::SpreadType;
using mpi::Variable;
using mpi::world_rank;
using mpi::world_size;

int number(int source, int destination, int place) {
  return source * 100000 + destination * 1000 + place;
}

/// Exchanges blocks of `count` ints, each `stride` ints after the one before, and expects every number at its place.
void expect_exchanged(const Comm& comm, int count, MPI_Datatype type, int stride, bool in_place) {
  const int p = static_cast<int>(comm.size());
  const auto at = [&](int block, int i) { return static_cast<std::size_t>((block * count + i) * stride); };
  std::vector<int> sent(static_cast<std::size_t>(p * count * stride) + 1, -1);
  for (int to = 0; to < p; ++to)
    for (int i = 0; i < count; ++i) sent[at(to, i)] = number(comm.rank(), to, i);
  std::vector<int> received = in_place ? sent : std::vector<int>(sent.size(), -1);
  const int elements = type == MPI_INT ? count : 1;
  ASSERT_EQ(MPI_Alltoall(in_place ? MPI_IN_PLACE : sent.data(), elements, type, received.data(), elements,
                         type, comm.get()),
            MPI_SUCCESS);
  std::vector<int> expected(sent.size(), -1);
  for (int from = 0; from < p; ++from)
    for (int i = 0; i < count; ++i) expected[at(from, i)] = number(from, comm.rank(), i);
  EXPECT_EQ(received, expected);
}

TEST_F(OnARing, blocks_of_all_sizes_and_types_arrive_where_mpi_brings_them) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  for (const std::string method : {"direct", "linear", ""}) {
    exchange_by(method);
    const Comm comm = Comm::dup();
    const Counted calls{report().Alltoall};
    for (const int count : {1, 3, 700}) {
      const SpreadType spread(count);
      for (const bool in_place : {false, true}) {
        expect_exchanged(comm, count, MPI_INT, 1, in_place);
        expect_exchanged(comm, count, spread.get(), 2, in_place);
      }
    }
    EXPECT_TRUE(calls.are_ours(12)) << method;
  }
}

TEST_F(OnARing, results_stay_right_while_candidates_are_measured_and_after_the_choice) {
  const Comm comm = Comm::dup();
  const std::uint64_t before = report().Alltoall.all();
  for (int call = 0; call < 300; ++call) expect_exchanged(comm, 5, MPI_INT, 1, call % 2 == 0);
  EXPECT_EQ(report().Alltoall.all(), before + 300) << "the library's own calls of MPI do not count";
}

TEST_F(OnARing, both_names_of_a_function_are_replaced) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  exchange_by("linear");
  const Comm comm = Comm::dup();
  const Counted calls{report().Alltoall};
  std::vector<int> blocks(comm.size());
  PMPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, blocks.data(), 1, MPI_INT, comm.get());
  MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, blocks.data(), 1, MPI_INT, comm.get());
  EXPECT_TRUE(calls.are_ours(2));
}

TEST_F(OnARing, calls_on_copies_of_communicators_are_replaced_however_they_are_made) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  exchange_by("linear");
  Comm with_info;
  Comm non_blocking;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, with_info.out());
  MPI_Comm_idup(MPI_COMM_WORLD, non_blocking.out(), &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  const Counted calls{report().Alltoall};
  expect_exchanged(with_info, 4, MPI_INT, 1, false);
  expect_exchanged(non_blocking, 4, MPI_INT, 1, false);
  Comm copy_of_copy;
  MPI_Comm_idup(non_blocking.get(), copy_of_copy.out(), &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_exchanged(copy_of_copy, 4, MPI_INT, 1, false);
  EXPECT_TRUE(calls.are_ours(3));
}

#if MPI_VERSION >= 4
TEST_F(OnARing, calls_on_copies_with_the_key_of_ordered_requests_are_replaced_like_others) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  exchange_by("linear");
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_assert_strict_persistent_collective_ordering", "true");
  Comm blocking;
  Comm non_blocking;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, blocking.out());
  MPI_Comm_idup_with_info(blocking.get(), info, non_blocking.out(), &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Info_free(&info);
  const Counted calls{report().Alltoall};
  expect_exchanged(blocking, 4, MPI_INT, 1, false);
  expect_exchanged(non_blocking, 4, MPI_INT, 1, false);
  EXPECT_TRUE(calls.are_ours(2));
}
#endif

TEST_F(OnARing, parts_of_the_world_keep_their_own_order) {
  exchange_by("linear");
  const Comm backwards = Comm::split(0, -world_rank());
  expect_exchanged(backwards, 4, MPI_INT, 1, false);
  const Comm part = Comm::split(world_rank() % 2, -world_rank());
  const Counted calls{report().Alltoall};
  expect_exchanged(part, 4, MPI_INT, 1, false);
  EXPECT_TRUE(part.size() > 1 ? calls.are_ours(1) : calls.are_passed_on(1));
}

/// Counts of every block, for which the seed says the same on all processes.
std::vector<std::vector<int>> random_counts(std::size_t p, unsigned seed, bool symmetric) {
  std::mt19937 random(seed);
  std::vector<std::vector<int>> counts(p, std::vector<int>(p));
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j < p; ++j)
      counts[i][j] = symmetric && j < i ? counts[j][i] : static_cast<int>(random() % 5) * 7;
  return counts;
}

/// Returns displacements that leave a gap of `gap` elements before each block.
std::vector<int> displacements_of(const std::vector<int>& counts, int gap) {
  std::vector<int> result;
  int next = gap;
  for (const int count : counts) {
    result.push_back(next);
    next += count + gap;
  }
  return result;
}

void expect_unequal_exchanged(const Comm& comm, unsigned seed, bool in_place) {
  const auto p = comm.size();
  const auto own = static_cast<std::size_t>(comm.rank());
  const auto counts = random_counts(p, seed, in_place);
  std::vector<int> receive_counts;
  for (const auto& row : counts) receive_counts.push_back(row[own]);
  const auto send_places = displacements_of(counts[own], in_place ? 3 : 2);
  const auto receive_places = displacements_of(receive_counts, 3);
  std::vector<int> sent(p * 40 + 40, -1);
  std::vector<int> expected(sent.size(), -1);
  for (std::size_t other = 0; other < p; ++other) {
    for (int i = 0; i < counts[own][other]; ++i)
      sent[static_cast<std::size_t>(send_places[other] + i)] =
          number(comm.rank(), static_cast<int>(other), i);
    for (int i = 0; i < receive_counts[other]; ++i)
      expected[static_cast<std::size_t>(receive_places[other] + i)] =
          number(static_cast<int>(other), comm.rank(), i);
  }
  std::vector<int> received = in_place ? sent : std::vector<int>(sent.size(), -1);
  ASSERT_EQ(
      MPI_Alltoallv(in_place ? MPI_IN_PLACE : sent.data(), counts[own].data(), send_places.data(), MPI_INT,
                    received.data(), receive_counts.data(), receive_places.data(), MPI_INT, comm.get()),
      MPI_SUCCESS);
  EXPECT_EQ(received, expected);
}

TEST_F(OnARing, blocks_of_unequal_sizes_arrive_where_mpi_brings_them) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  const Comm comm = Comm::dup();
  const Counted calls{report().Alltoallv};
  for (unsigned seed = 0; seed < 40; ++seed) expect_unequal_exchanged(comm, seed, seed % 3 == 0);
  EXPECT_TRUE(calls.are_ours(40));
}

/// Exchanges blocks of (i + j) % 3 numbers, which are spread out where they are sent and consecutive where they arrive,
/// by the given function, which gets the arguments of MPI_Alltoallw up to the communicator.
template <typename Function>
void expect_types_exchanged(const Comm& comm, Function function) {
  const auto p = comm.size();
  const mpi::SpreadType pair(2);
  std::vector<int> ones;
  std::vector<int> counts;
  std::vector<int> places;
  std::vector<MPI_Datatype> spread;
  const std::vector<MPI_Datatype> consecutive(p, MPI_INT);
  std::vector<int> sent(4 * p, -1);
  std::vector<int> expected(4 * p, -1);
  for (int other = 0; other < static_cast<int>(p); ++other) {
    const int ints = (comm.rank() + other) % 3;
    ones.push_back(std::min(ints, 1));
    counts.push_back(ints);
    places.push_back(4 * other * static_cast<int>(sizeof(int)));
    spread.push_back(ints == 2 ? pair.get() : MPI_INT);
    for (int k = 0; k < ints; ++k) {
      sent[static_cast<std::size_t>(4 * other + 2 * k)] = number(comm.rank(), other, k);
      expected[static_cast<std::size_t>(4 * other + k)] = number(other, comm.rank(), k);
    }
  }
  std::vector<int> received(4 * p, -1);
  ASSERT_EQ(function(sent.data(), ones.data(), places.data(), spread.data(), received.data(), counts.data(),
                     places.data(), consecutive.data(), comm.get()),
            MPI_SUCCESS);
  EXPECT_EQ(received, expected);
}

TEST_F(OnARing, blocks_of_several_datatypes_arrive_where_mpi_brings_them) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  exchange_by("direct");
  const Comm comm = Comm::dup();
  const Counted calls{report().Alltoallw};
  for (int call = 0; call < 6; ++call) expect_types_exchanged(comm, MPI_Alltoallw);
  expect_types_exchanged(comm, PMPI_Alltoallw);
  EXPECT_TRUE(calls.are_ours(7));
}

TEST_F(OnARing, blocks_of_several_datatypes_arrive_while_candidates_are_measured) {
  const Comm comm = Comm::dup();
  for (int call = 0; call < 40; ++call) expect_types_exchanged(comm, MPI_Alltoallw);
}

#if MPI_VERSION >= 4
TEST_F(OnARing, blocks_with_large_counts_arrive_where_mpi_brings_them) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  const auto p = static_cast<std::size_t>(world_size());
  const std::vector<MPI_Count> counts(p, 1);
  const std::vector<MPI_Datatype> types(p, MPI_INT);
  std::vector<MPI_Aint> places;
  std::vector<MPI_Aint> bytes;
  std::vector<int> expected;
  for (std::size_t other = 0; other < p; ++other) {
    places.push_back(static_cast<MPI_Aint>(other));
    bytes.push_back(static_cast<MPI_Aint>(other * sizeof(int)));
  }
  for (const std::string method : {"direct", "mpi"}) {
    exchange_by(method);
    const Comm comm = Comm::dup();
    const bool are_ours = method == "direct";
    const auto expect_exchanged = [&](CallCount& count, auto call) {
      const Counted calls{count};
      std::vector<int> sent;
      std::vector<int> received(p, -1);
      for (std::size_t other = 0; other < p; ++other)
        sent.push_back(number(comm.rank(), static_cast<int>(other), 0));
      ASSERT_EQ(call(sent.data(), received.data()), MPI_SUCCESS);
      for (std::size_t other = 0; other < p; ++other)
        EXPECT_EQ(received[other], number(static_cast<int>(other), comm.rank(), 0));
      EXPECT_TRUE(are_ours ? calls.are_ours(1) : calls.are_passed_on(1)) << count.function << method;
    };
    expect_exchanged(report().Alltoall_c, [&](const int* sent, int* received) {
      return MPI_Alltoall_c(sent, 1, MPI_INT, received, 1, MPI_INT, comm.get());
    });
    expect_exchanged(report().Alltoallv_c, [&](const int* sent, int* received) {
      return MPI_Alltoallv_c(sent, counts.data(), places.data(), MPI_INT, received, counts.data(),
                             places.data(), MPI_INT, comm.get());
    });
    expect_exchanged(report().Alltoallw_c, [&](const int* sent, int* received) {
      return MPI_Alltoallw_c(sent, counts.data(), bytes.data(), types.data(), received, counts.data(),
                             bytes.data(), types.data(), comm.get());
    });
  }
}
#endif

TEST_F(OnARing, blocks_of_several_datatypes_without_threads_arrive_by_mpi_if_the_call_does_not_wait) {
  exchange_by("direct");
  const Comm comm = Comm::dup();
  const Counted calls{report().Ialltoallw};
  expect_types_exchanged(comm, [](auto... arguments) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Ialltoallw(arguments..., &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return code;
  });
  EXPECT_TRUE(calls.are_passed_on(1));
}

/// The functions that exchange blocks, of this library or of MPI alone.
struct Functions {
  decltype(&MPI_Alltoall) alltoall = MPI_Alltoall;
  decltype(&MPI_Alltoallv) alltoallv = MPI_Alltoallv;
  decltype(&MPI_Alltoallw) alltoallw = MPI_Alltoallw;
  decltype(&MPI_Ialltoall) ialltoall = MPI_Ialltoall;
  decltype(&MPI_Ialltoallv) ialltoallv = MPI_Ialltoallv;
};

/// Wrong calls of all forms, each in this library and in MPI alone.
class WrongCalls {
 public:
  explicit WrongCalls(const Comm& comm)
      : comm_(comm), p_(comm.size()), blocks_(p_ * 2), others_(p_ * 2), one_(p_, 1), negative_(one_) {
    negative_.back() = -1;
    for (std::size_t i = 0; i < p_; ++i) places_.push_back(static_cast<int>(i));
    MPI_Type_contiguous(2, MPI_INT, &uncommitted_);
  }
  WrongCalls(const WrongCalls&) = delete;
  WrongCalls& operator=(const WrongCalls&) = delete;
  ~WrongCalls() { MPI_Type_free(&uncommitted_); }

  /// Calls check(name, call) with each call, which takes the functions to call.
  template <typename Check>
  void for_each(Check check) {
    equal(check, "a negative count", {others_.data(), -1, MPI_INT, blocks_.data(), -1, MPI_INT});
    equal(check, "a negative count in place", {MPI_IN_PLACE, 0, MPI_INT, blocks_.data(), -1, MPI_INT});
    equal(check, "a null type", {others_.data(), 1, MPI_DATATYPE_NULL, blocks_.data(), 1, MPI_DATATYPE_NULL});
    equal(check, "an uncommitted type", {others_.data(), 1, uncommitted_, blocks_.data(), 1, uncommitted_});
    equal(check, "an uncommitted type to receive",
          {MPI_IN_PLACE, 0, MPI_INT, blocks_.data(), 1, uncommitted_});
    equal(check, "MPI_IN_PLACE to receive", {others_.data(), 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT});
    // MPICH looks at sizes in its blocking functions only, and reads counts before it looks at their pointer.
    if (!mpi::runs_with_mpich())
      equal(check, "blocks of two sizes", {others_.data(), 2, MPI_INT, blocks_.data(), 1, MPI_INT});
    unequal(check, "a negative count", negative_.data(), MPI_INT, blocks_.data());
    if (!mpi::runs_with_mpich()) unequal(check, "no counts", nullptr, MPI_INT, blocks_.data());
    unequal(check, "a null type", one_.data(), MPI_DATATYPE_NULL, blocks_.data());
    unequal(check, "an uncommitted type", one_.data(), uncommitted_, blocks_.data());
    unequal(check, "MPI_IN_PLACE to receive", one_.data(), MPI_INT, MPI_IN_PLACE);
  }

 private:
  template <typename Check>
  void equal(Check check, const std::string& name, const mpi::Sides& b) {
    check("MPI_Alltoall: " + name, [&](const Functions& call) {
      return b.pass_to(call.alltoall, MPI_Alltoallv, MPI_Alltoallw, comm_.get());
    });
    check("MPI_Ialltoall: " + name, [&](const Functions& call) {
      MPI_Request request = MPI_REQUEST_NULL;
      return b.pass_to(call.ialltoall, MPI_Ialltoallv, MPI_Ialltoallw, comm_.get(), &request);
    });
  }

  template <typename Check>
  void unequal(Check check, const std::string& name, const int* counts, MPI_Datatype type, void* receive) {
    check("MPI_Alltoallv: " + name, [&](const Functions& call) {
      return call.alltoallv(others_.data(), counts, places_.data(), type, receive, counts, places_.data(),
                            type, comm_.get());
    });
    check("MPI_Ialltoallv: " + name, [&](const Functions& call) {
      MPI_Request request = MPI_REQUEST_NULL;
      return call.ialltoallv(others_.data(), counts, places_.data(), type, receive, counts, places_.data(),
                             type, comm_.get(), &request);
    });
    const std::vector<MPI_Datatype> types(p_, type);
    check("MPI_Alltoallw: " + name, [&, types](const Functions& call) {
      return call.alltoallw(others_.data(), counts, places_.data(), types.data(), receive, counts,
                            places_.data(), types.data(), comm_.get());
    });
    if (counts != nullptr &&
        !mpi::runs_with_mpich()) {  // which reads the types before it looks at their pointer
      check("MPI_Alltoallw without types: " + name, [&](const Functions& call) {
        return call.alltoallw(others_.data(), counts, places_.data(), nullptr, receive, counts,
                              places_.data(), nullptr, comm_.get());
      });
    }
  }

  const Comm& comm_;
  std::size_t p_;
  std::vector<int> blocks_;
  std::vector<int> others_;
  std::vector<int> one_;
  std::vector<int> negative_;
  std::vector<int> places_;
  MPI_Datatype uncommitted_ = MPI_DATATYPE_NULL;
};

int class_of(int code) {
  int error_class = MPI_SUCCESS;
  if (code != MPI_SUCCESS) MPI_Error_class(code, &error_class);
  return error_class;
}

/// How often the error handler of the program was called, and how often with another communicator than this one.
struct Handled {
  static inline MPI_Comm comm = MPI_COMM_NULL;
  static inline int calls = 0;
  static inline int others = 0;

  static void handle(MPI_Comm* with, int* /*code*/, ...) {  // NOLINT(cert-dcl50-cpp): MPI has it so
    ++calls;
    if (*with != comm) ++others;
  }
};

TEST_F(OnARing, wrong_arguments_get_the_error_class_of_mpi_and_as_many_calls_of_the_programs_handler) {
  exchange_by("linear");
  const Comm comm = Comm::dup();
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(Handled::handle, &handler);
  MPI_Comm_set_errhandler(comm.get(), handler);
  Handled::comm = comm.get();
  WrongCalls calls(comm);
  const NextMpi& mpi = next_mpi(Name::pmpi);
  // Open MPI 4 tells the handler of MPI_COMM_WORLD of some mistakes.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int again = 0; again < 2; ++again) {  // the first call on a communicator, and later ones
    calls.for_each([&](const std::string& name, auto call) {
      Handled::calls = 0;
      const int expected =
          class_of(call({mpi.Alltoall, mpi.Alltoallv, mpi.Alltoallw, mpi.Ialltoall, mpi.Ialltoallv}));
      const int expected_calls = std::exchange(Handled::calls, 0);
      EXPECT_EQ(class_of(call({})), expected) << name;
      EXPECT_NE(expected, MPI_SUCCESS) << name;
      EXPECT_EQ(Handled::calls, expected_calls) << name;
    });
    expect_exchanged(comm, 4, MPI_INT, 1, false);
  }
  EXPECT_EQ(Handled::others, 0);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
}

TEST_F(OnARing, blocks_at_absolute_addresses_arrive) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  exchange_by("linear");
  const Comm comm = Comm::dup();
  const int p = static_cast<int>(comm.size());
  std::vector<int> sent(comm.size());
  std::vector<int> received(comm.size(), -1);
  for (int to = 0; to < p; ++to) sent[static_cast<std::size_t>(to)] = number(comm.rank(), to, 0);
  const auto at = [](const std::vector<int>& memory) {
    MPI_Aint address = 0;
    MPI_Get_address(memory.data(), &address);
    MPI_Datatype placed = MPI_DATATYPE_NULL;
    const int one = 1;
    MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &placed);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(placed, 0, sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&placed);
    return type;
  };
  MPI_Datatype from = at(sent);
  MPI_Datatype to = at(received);
  const Counted calls{report().Alltoall};
  ASSERT_EQ(MPI_Alltoall(MPI_BOTTOM, 1, from, MPI_BOTTOM, 1, to, comm.get()), MPI_SUCCESS);
  EXPECT_TRUE(calls.are_ours(1));
  for (int other = 0; other < p; ++other)
    EXPECT_EQ(received[static_cast<std::size_t>(other)], number(other, comm.rank(), 0));
  MPI_Type_free(&from);
  MPI_Type_free(&to);
}

TEST_F(OnARing, inter_communicators_are_passed_on) {
  if (world_size() == 1) GTEST_SKIP() << "an inter-communicator has two groups";
  const int side = world_rank() % 2;
  const Comm local = Comm::split(side, 0);
  Comm inter;
  MPI_Intercomm_create(local.get(), 0, MPI_COMM_WORLD, 1 - side, 0, inter.out());
  int others = 0;
  MPI_Comm_remote_size(inter.get(), &others);
  const auto count = static_cast<std::size_t>(others);
  std::vector<int> sent(count, world_rank());
  std::vector<int> received(count, -1);
  const Counted calls{report().Alltoall};
  ASSERT_EQ(MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, inter.get()), MPI_SUCCESS);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(received[i], 2 * static_cast<int>(i) + 1 - side);
  EXPECT_TRUE(calls.are_passed_on(1));
}

TEST_F(OnARing, calls_of_one_process_are_passed_on) {
  const Counted calls{report().Alltoall};
  int block = 7;
  ASSERT_EQ(MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, &block, 1, MPI_INT, MPI_COMM_SELF), MPI_SUCCESS);
  EXPECT_TRUE(calls.are_passed_on(1));
}

TEST(Calls, are_passed_on_where_nothing_is_known_of_the_network) {
  const Comm comm = Comm::dup();
  const Counted calls{report().Alltoall};
  expect_exchanged(comm, 4, MPI_INT, 1, false);
  expect_exchanged(comm, 4, MPI_INT, 1, true);
  EXPECT_TRUE(calls.are_passed_on(2));
}

// The tests of this program start MPI for one thread.
TEST_F(OnARing, non_blocking_exchanges_are_passed_on_where_only_one_thread_may_call_mpi) {
  const Variable wanted("CUBEFOLD_PROGRESS_THREAD", "1", everywhere);
  int provided = 0;
  MPI_Query_thread(&provided);
  if (provided == MPI_THREAD_MULTIPLE) GTEST_SKIP() << "this MPI always lets several threads call it";
  const Comm comm = Comm::dup();
  const Counted calls{report().Ialltoall};
  std::vector<int> blocks(comm.size(), comm.rank());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, blocks.data(), 1, MPI_INT, comm.get(), &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (std::size_t from = 0; from < blocks.size(); ++from) EXPECT_EQ(blocks[from], static_cast<int>(from));
  EXPECT_TRUE(calls.are_passed_on(1));
}

TEST(Calls, are_passed_on_where_the_grid_does_not_fit) {
  const Variable grid("CUBEFOLD_GRID", "ring:77", Variable::Where::everywhere);
  const Comm comm = Comm::dup();
  const Counted calls{report().Alltoall};
  expect_exchanged(comm, 4, MPI_INT, 1, false);
  EXPECT_TRUE(calls.are_passed_on(1));
}

TEST(OnNodesOfTwo, blocks_arrive) {
  const int p = world_size();
  if (p < 4 || p % 2 != 0) GTEST_SKIP() << "needs two nodes with two processes each";
  const mpi::SeveralHosts hosts(world_rank() / 2);
  const Variable grid("CUBEFOLD_GRID", "ring:" + std::to_string(p / 2), Variable::Where::everywhere);
  const Variable method("CUBEFOLD_ALLTOALL", "nodes:direct", Variable::Where::everywhere);
  const Comm comm = Comm::dup();
  const Counted calls{report().Alltoall};
  for (const bool in_place : {false, true}) expect_exchanged(comm, 9, MPI_INT, 1, in_place);
  EXPECT_TRUE(calls.are_ours(2));
}

TEST(OnNodesOfTwo, calls_are_passed_on_if_the_ranks_of_a_node_are_not_consecutive) {
  const int p = world_size();
  if (p < 4 || p % 2 != 0) GTEST_SKIP() << "needs two nodes with two processes each";
  const mpi::SeveralHosts hosts(world_rank() % (p / 2));
  const Variable grid("CUBEFOLD_GRID", "ring:" + std::to_string(p / 2), Variable::Where::everywhere);
  const Comm comm = Comm::dup();
  const Counted calls{report().Alltoall};
  expect_exchanged(comm, 9, MPI_INT, 1, false);
  EXPECT_TRUE(calls.are_passed_on(1));
}

}  // namespace
}  // namespace cubefold::preload
