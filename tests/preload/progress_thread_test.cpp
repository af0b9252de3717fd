// Threads of the preloaded library make non-blocking exchanges. These tests need MPI_THREAD_MULTIPLE.

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "preload/comm_state.hpp"
#include "preload/programs_calls.hpp"
#include "support/counted_calls.hpp"
#include "support/persistent_exchanges.hpp"
#include "support/spread_type.hpp"

namespace cubefold::preload {
namespace {

using mpi::SpreadType;
using mpi::Variable;
using mpi::world_rank;
using mpi::world_size;

/// Blocks of three numbers between all pairs of processes, and the exchange that is to bring them.
class Blocks {
 public:
  explicit Blocks(const Comm& comm, int tag = 0)
      : comm_(comm), tag_(tag), sent_(count * comm.size()), received_(sent_.size(), -1) {
    for (std::size_t at = 0; at < sent_.size(); ++at)
      sent_[at] = number(comm.rank(), static_cast<int>(at / count), static_cast<int>(at % count));
  }

  MPI_Request* start() {
    MPI_Ialltoall(sent_.data(), count, MPI_INT, received_.data(), count, MPI_INT, comm_.get(), &request_);
    return &request_;
  }
  MPI_Request* start_in_place() {
    received_ = sent_;
    MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received_.data(), count, MPI_INT, comm_.get(),
                  &request_);
    return &request_;
  }
  MPI_Request* start_unequal() {
    counts_.assign(comm_.size(), count);
    for (std::size_t i = 0; i < comm_.size(); ++i) displacements_.push_back(static_cast<int>(i) * count);
    MPI_Ialltoallv(sent_.data(), counts_.data(), displacements_.data(), MPI_INT, received_.data(),
                   counts_.data(), displacements_.data(), MPI_INT, comm_.get(), &request_);
    return &request_;
  }

  /// Displacements are in bytes.
  MPI_Request* start_typed() {
    counts_.assign(comm_.size(), count);
    types_.assign(comm_.size(), MPI_INT);
    for (std::size_t i = 0; i < comm_.size(); ++i)
      displacements_.push_back(static_cast<int>(i * count * sizeof(int)));
    MPI_Ialltoallw(sent_.data(), counts_.data(), displacements_.data(), types_.data(), received_.data(),
                   counts_.data(), displacements_.data(), types_.data(), comm_.get(), &request_);
    return &request_;
  }

  /// Does what MPI forbids while an exchange is under way.
  void overwrite_arrays() {
    std::ranges::fill(types_, MPI_DATATYPE_NULL);
    for (auto* array : {&counts_, &displacements_}) std::ranges::fill(*array, 0x7f7f7f7f);
  }

  void exchange() {
    start();
    wait();
  }
  int wait() { return MPI_Wait(&request_, MPI_STATUS_IGNORE); }

  bool have_arrived() const { return have_arrived_at(comm_.rank()); }
  bool have_arrived_at(int rank) const {
    for (std::size_t at = 0; at < received_.size(); ++at) {
      const int from = static_cast<int>(at / count);
      if (received_[at] != number(from, rank, static_cast<int>(at % count))) return false;
    }
    return true;
  }

  /// Returns the last number, which the thread or MPI changes meanwhile.
  int last() { return std::atomic_ref(received_.back()).load(); }

 private:
  static constexpr int count = 3;

  int number(int from, int to, int place) const { return ((tag_ * 64 + from) * 64 + to) * 10 + place; }

  const Comm& comm_;
  int tag_;
  std::vector<int> sent_;
  std::vector<int> received_;
  std::vector<int> counts_;
  std::vector<int> displacements_;
  std::vector<MPI_Datatype> types_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Threads make the exchanges, by the `linear` method.
class ProgressThreads : public OnARing {
 protected:
  void SetUp() override {
    if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
    exchange_by("linear");
  }

 private:
  Variable wanted_{"CUBEFOLD_PROGRESS_THREAD", "1", everywhere};
};

TEST_F(ProgressThreads, bring_blocks_of_all_forms) {
  const Comm comm = Comm::dup();
  const Counted equal{report().Ialltoall};
  const Counted unequal{report().Ialltoallv};
  const Counted typed{report().Ialltoallw};
  Blocks blocks(comm);
  Blocks in_place(comm, 1);
  Blocks of_counts(comm, 2);
  blocks.start();
  in_place.start_in_place();
  of_counts.start_unequal();
  Blocks of_types(comm, 3);
  of_types.start_typed();
  EXPECT_EQ(of_types.wait(), MPI_SUCCESS);
  EXPECT_EQ(of_counts.wait(), MPI_SUCCESS);
  EXPECT_EQ(blocks.wait(), MPI_SUCCESS);
  EXPECT_EQ(in_place.wait(), MPI_SUCCESS);
  EXPECT_TRUE(blocks.have_arrived());
  EXPECT_TRUE(in_place.have_arrived());
  EXPECT_TRUE(of_counts.have_arrived());
  EXPECT_TRUE(of_types.have_arrived());
  EXPECT_TRUE(equal.are_ours(2));
  EXPECT_TRUE(unequal.are_ours(1));
  EXPECT_TRUE(typed.are_ours(1));
}

TEST_F(ProgressThreads, keep_exchanges_of_a_communicator_apart) {
  const Comm comm = Comm::dup();
  std::vector<std::unique_ptr<Blocks>> all;
  std::vector<MPI_Request> requests;
  for (int call = 0; call < 50; ++call) {
    all.push_back(std::make_unique<Blocks>(comm, call));
    requests.push_back(*all.back()->start());
    if (call % 10 == 0) {  // the program uses the communicator meanwhile
      MPI_Barrier(comm.get());
      MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, std::vector<int>(comm.size()).data(), 1, MPI_INT,
                   comm.get());
    }
  }
  EXPECT_EQ(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
            MPI_SUCCESS);
  EXPECT_TRUE(std::ranges::all_of(all, [](const auto& blocks) { return blocks->have_arrived(); }));
}

TEST_F(ProgressThreads, of_two_communicators_may_start_in_another_order_on_each_process) {
  const Comm first = Comm::dup();
  const Comm second = Comm::dup();
  for (const Comm* comm : {&first, &second}) Blocks(*comm).exchange();
  Blocks one(first, 1);
  Blocks two(second, 2);
  if (world_rank() % 2 == 0) one.start();
  two.start();
  if (world_rank() % 2 != 0) one.start();
  one.wait();
  two.wait();
  EXPECT_TRUE(one.have_arrived());
  EXPECT_TRUE(two.have_arrived());
}

/// Exchanges blocks by calls that begin one after the other: each process tells the next one that its own has returned.
void exchange_in_turn(Blocks& blocks, MPI_Comm comm) {
  int word = 0;
  if (world_rank() != 0) MPI_Recv(&word, 1, MPI_INT, world_rank() - 1, 0, comm, MPI_STATUS_IGNORE);
  blocks.start();
  if (world_rank() + 1 < world_size()) MPI_Send(&word, 1, MPI_INT, world_rank() + 1, 0, comm);
  blocks.wait();
}

TEST_F(ProgressThreads, do_not_let_the_second_call_wait_for_other_processes) {
  const Comm comm = Comm::dup();
  Blocks(comm).exchange();
  Blocks blocks(comm);
  exchange_in_turn(blocks, comm.get());
  EXPECT_TRUE(blocks.have_arrived());
}

/// Makes a communicator as a program does, so that it has no thread.
Comm without_thread() {
  gather_world_anew();
  Comm made;
  MPI_Comm_dup(MPI_COMM_WORLD, made.out());
  return made;
}

TEST_F(ProgressThreads, are_not_waited_for_by_the_first_non_blocking_call) {
  const Comm comm = without_thread();
  const Counted calls{report().Ialltoall};
  Blocks blocks(comm);
  exchange_in_turn(blocks, comm.get());
  EXPECT_TRUE(blocks.have_arrived());
  EXPECT_TRUE(calls.are_passed_on(1));
}

TEST_F(ProgressThreads, serve_a_communicator_after_its_first_blocking_call) {
  const Comm comm = without_thread();
  const Counted calls{report().Ialltoall};
  std::vector<int> numbers(comm.size());
  MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, numbers.data(), 1, MPI_INT, comm.get());
  Blocks blocks(comm);
  blocks.exchange();
  EXPECT_TRUE(blocks.have_arrived());
  EXPECT_TRUE(calls.are_ours(1));
}

TEST_F(OnARing, communicators_are_left_to_the_program_if_it_has_many) {
  if (world_size() == 1 || !world().has_several_threads)
    GTEST_SKIP() << "needs communicators that are not shared";
  exchange_by("linear");
  const Counted calls{report().Alltoall};
  const std::size_t left = Exchanges::most - Exchanges::count();
  std::vector<Comm> comms(left + 3);
  for (Comm& comm : comms) {
    MPI_Comm_dup(MPI_COMM_WORLD, comm.out());
    std::vector<int> blocks(comm.size(), comm.rank());
    MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, blocks.data(), 1, MPI_INT, comm.get());
    for (std::size_t from = 0; from < blocks.size(); ++from) ASSERT_EQ(blocks[from], static_cast<int>(from));
  }
  EXPECT_EQ(calls.count.ours, calls.ours + left);
  EXPECT_EQ(calls.count.passed_on, calls.passed_on + 3);
}

TEST_F(OnARing, a_communicator_gets_the_exchanges_of_one_that_was_freed) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  exchange_by("linear");
  const std::size_t before = Exchanges::count();
  for (int again = 0; again < 3; ++again) {
    Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, comm.out());
    std::vector<int> blocks(comm.size(), comm.rank());
    MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, blocks.data(), 1, MPI_INT, comm.get());
    for (std::size_t from = 0; from < blocks.size(); ++from) ASSERT_EQ(blocks[from], static_cast<int>(from));
  }
  EXPECT_EQ(Exchanges::count(), before + 1);
}

// The test fails by the time limit of all tests if nothing arrives.
TEST_F(ProgressThreads, make_progress_while_the_program_does_not_call_mpi) {
  const Comm comm = Comm::dup();
  Blocks blocks(comm);
  blocks.start();
  while (blocks.last() == -1) std::this_thread::yield();
  EXPECT_EQ(blocks.wait(), MPI_SUCCESS);
  EXPECT_TRUE(blocks.have_arrived());
}

TEST_F(ProgressThreads, need_no_datatype_after_the_call) {
  const Comm comm = Comm::dup();
  std::optional<SpreadType> spread(std::in_place, 3);
  std::vector<int> blocks(comm.size() * 6, -1);
  for (std::size_t at = 0; at < blocks.size(); at += 2) blocks[at] = world_rank();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, blocks.data(), 1, spread->get(), comm.get(), &request);
  spread.reset();
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (std::size_t at = 0; at < blocks.size(); ++at)
    EXPECT_EQ(blocks[at], at % 2 == 0 ? static_cast<int>(at / 6) : -1) << at;
}

TEST_F(ProgressThreads, read_arrays_of_counts_before_the_call_returns) {
  const Comm comm = Comm::dup();
  const Counted calls{report().Ialltoallv};
  const Counted with_types{report().Ialltoallw};
  for (int call = 0; call < 6; ++call) {
    Blocks blocks(comm, call);
    call % 2 == 0 ? blocks.start_unequal() : blocks.start_typed();
    blocks.overwrite_arrays();
    EXPECT_EQ(blocks.wait(), MPI_SUCCESS);
    EXPECT_TRUE(blocks.have_arrived());
  }
  EXPECT_TRUE(calls.are_ours(3));
  EXPECT_TRUE(with_types.are_ours(3));
}

TEST_F(ProgressThreads, leave_the_choice_to_measured_calls) {
  exchange_by("");
  const Comm comm = Comm::dup();
  const std::uint64_t before = report().Ialltoall.all();
  const std::uint64_t ours = report().Ialltoall.ours;
  for (int call = 0; call < 40; ++call) {
    Blocks blocks(comm, call);
    blocks.start();
    blocks.wait();
    ASSERT_TRUE(blocks.have_arrived()) << call;
  }
  EXPECT_EQ(report().Ialltoall.all(), before + 40);
  EXPECT_GT(report().Ialltoall.ours, ours);
}

TEST_F(ProgressThreads, pass_invalid_arguments_on_to_mpi) {
  const Comm comm = Comm::dup();
  MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_RETURN);
  const Counted calls{report().Ialltoall};
  std::vector<int> blocks(comm.size());
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_NE(MPI_Ialltoall(blocks.data(), -1, MPI_INT, blocks.data(), 1, MPI_INT, comm.get(), &request),
            MPI_SUCCESS);
  EXPECT_TRUE(calls.are_passed_on(1));
}

TEST_F(OnARing, non_blocking_exchanges_are_passed_on_unless_threads_are_asked_for) {
  exchange_by("linear");
  const Comm comm = Comm::dup();
  const Counted calls{report().Ialltoall};
  Blocks blocks(comm);
  blocks.start();
  blocks.wait();
  EXPECT_TRUE(blocks.have_arrived());
  EXPECT_TRUE(calls.are_passed_on(1));
}

TEST_F(ProgressThreads, leave_communicators_that_are_on_no_grid_to_mpi) {
  const Variable nothing("CUBEFOLD_GRID", "", everywhere);
  const Comm comm = Comm::dup();
  const Counted calls{report().Ialltoall};
  for (int call = 0; call < 2; ++call) {
    Blocks blocks(comm, call);
    blocks.exchange();
    EXPECT_TRUE(blocks.have_arrived());
  }
  EXPECT_TRUE(calls.are_passed_on(2));
}

TEST_F(ProgressThreads, end_exchanges_of_a_communicator_that_is_freed_meanwhile) {
  std::optional<Comm> comm(Comm::dup());
  Blocks blocks(*comm);
  const int rank = comm->rank();
  blocks.start();
  comm.reset();
  EXPECT_EQ(blocks.wait(), MPI_SUCCESS);
  EXPECT_TRUE(blocks.have_arrived_at(rank));
}

/// Persistent exchanges of one number between all pairs of processes.
class PersistentBlocks {
 public:
  explicit PersistentBlocks(const Comm& comm)
      : rank_(comm.rank()), sent_(comm.size()), received_(comm.size()) {}
  PersistentBlocks(const PersistentBlocks&) = delete;
  PersistentBlocks& operator=(const PersistentBlocks&) = delete;
  ~PersistentBlocks() { MPI_Request_free(&request_); }

  int make(MPI_Comm comm) {
    return MPI_Alltoall_init(sent_.data(), 1, MPI_INT, received_.data(), 1, MPI_INT, comm, MPI_INFO_NULL,
                             &request_);
  }
  int make_unequal(MPI_Comm comm) {
    counts_.assign(sent_.size(), 1);
    displacements_.resize(sent_.size());
    std::iota(displacements_.begin(), displacements_.end(), 0);
    return MPI_Alltoallv_init(sent_.data(), counts_.data(), displacements_.data(), MPI_INT, received_.data(),
                              counts_.data(), displacements_.data(), MPI_INT, comm, MPI_INFO_NULL, &request_);
  }
  int make_typed(MPI_Comm comm) {
    counts_.assign(sent_.size(), 1);
    types_.assign(sent_.size(), MPI_INT);
    for (std::size_t i = 0; i < sent_.size(); ++i)
      displacements_.push_back(static_cast<int>(i * sizeof(int)));
    return MPI_Alltoallw_init(sent_.data(), counts_.data(), displacements_.data(), types_.data(),
                              received_.data(), counts_.data(), displacements_.data(), types_.data(), comm,
                              MPI_INFO_NULL, &request_);
  }

  void fill(int start) {
    for (std::size_t to = 0; to < sent_.size(); ++to) sent_[to] = number(start, rank_, static_cast<int>(to));
    std::ranges::fill(received_, -1);
  }
  bool have_arrived(int start) const {
    for (std::size_t from = 0; from < received_.size(); ++from)
      if (received_[from] != number(start, static_cast<int>(from), rank_)) return false;
    return true;
  }
  MPI_Request* request() { return &request_; }

 private:
  static int number(int start, int from, int to) { return (start * 64 + from) * 64 + to; }

  int rank_;
  std::vector<int> sent_;
  std::vector<int> received_;
  std::vector<int> counts_;
  std::vector<int> displacements_;
  std::vector<MPI_Datatype> types_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

TEST_F(ProgressThreads, make_persistent_exchanges_at_each_start) {
  const Comm comm = Comm::dup();
  const Counted equal{report().Alltoall_init};
  const Counted unequal{report().Alltoallv_init};
  const Counted typed{report().Alltoallw_init};
  PersistentBlocks blocks(comm);
  PersistentBlocks of_counts(comm);
  PersistentBlocks of_types(comm);
  ASSERT_EQ(blocks.make(comm.get()), MPI_SUCCESS);
  ASSERT_EQ(of_counts.make_unequal(comm.get()), MPI_SUCCESS);
  ASSERT_EQ(of_types.make_typed(comm.get()), MPI_SUCCESS);
  for (int start = 0; start < 5; ++start) {
    for (PersistentBlocks* each : {&blocks, &of_counts, &of_types}) {
      each->fill(start);
      ASSERT_EQ(MPI_Start(each->request()), MPI_SUCCESS);
    }
    EXPECT_EQ(MPI_Wait(of_types.request(), MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(MPI_Wait(of_counts.request(), MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(MPI_Wait(blocks.request(), MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_TRUE(blocks.have_arrived(start));
    EXPECT_TRUE(of_counts.have_arrived(start));
    EXPECT_TRUE(of_types.have_arrived(start));
  }
  EXPECT_TRUE(equal.are_ours(5));
  EXPECT_TRUE(unequal.are_ours(5));
  EXPECT_TRUE(typed.are_ours(5));
}

TEST_F(ProgressThreads, start_persistent_exchanges_together_with_requests_of_the_program) {
  const Comm comm = Comm::dup();
  PersistentBlocks first(comm);
  PersistentBlocks second(comm);
  first.make(comm.get());
  second.make(comm.get());
  int sent = comm.rank();
  int received = -1;
  MPI_Request own[2];
  MPI_Recv_init(&received, 1, MPI_INT, comm.rank(), 0, comm.get(), &own[0]);
  MPI_Send_init(&sent, 1, MPI_INT, comm.rank(), 0, comm.get(), &own[1]);
  MPI_Request all[] = {*first.request(), own[0], *second.request(), own[1]};
  for (int start = 0; start < 3; ++start) {
    first.fill(start);
    second.fill(start + 100);
    ASSERT_EQ(MPI_Startall(4, all), MPI_SUCCESS);
    ASSERT_EQ(MPI_Waitall(4, all, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    EXPECT_TRUE(first.have_arrived(start));
    EXPECT_TRUE(second.have_arrived(start + 100));
    EXPECT_EQ(received, sent);
  }
  for (MPI_Request& request : own) MPI_Request_free(&request);
}

TEST_F(ProgressThreads, let_processes_start_persistent_exchanges_in_different_orders) {
  const Comm comm = Comm::dup();
  PersistentBlocks first(comm);
  PersistentBlocks second(comm);
  first.make(comm.get());
  second.make(comm.get());
  std::vector<PersistentBlocks*> both = {&first, &second};
  if (world_rank() % 2 != 0) std::ranges::reverse(both);
  for (int start = 0; start < 5; ++start) {
    first.fill(start);
    second.fill(start + 100);
    for (PersistentBlocks* each : both) MPI_Start(each->request());
    for (PersistentBlocks* each : both) EXPECT_EQ(MPI_Wait(each->request(), MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_TRUE(first.have_arrived(start));
    EXPECT_TRUE(second.have_arrived(start + 100));
  }
}

// Process 0 frees the request before the communicator, and the others free it afterwards.
TEST_F(ProgressThreads, let_processes_free_persistent_requests_at_different_times) {
  std::optional<Comm> comm(Comm::dup());
  std::optional<PersistentBlocks> blocks(*comm);
  blocks->make(comm->get());
  if (world_rank() == 0) blocks.reset();
  PersistentBlocks next(*comm);
  next.make(comm->get());
  next.fill(1);
  MPI_Start(next.request());
  EXPECT_EQ(MPI_Wait(next.request(), MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_TRUE(next.have_arrived(1));
  comm.reset();
}

// MPI may give the handle of a freed request to the next one.
TEST_F(ProgressThreads, know_a_persistent_exchange_until_its_request_is_freed) {
  const Comm comm = Comm::dup();
  const Counted calls{report().Alltoall_init};
  for (int use = 0; use < 10; ++use) {
    {
      PersistentBlocks blocks(comm);
      blocks.make(comm.get());
    }
    int received = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Recv_init(&received, 1, MPI_INT, comm.rank(), 0, comm.get(), &request);
    MPI_Start(&request);
    MPI_Send(&use, 1, MPI_INT, comm.rank(), 0, comm.get());
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    EXPECT_EQ(received, use);
  }
  EXPECT_TRUE(calls.are_ours(0)) << "nothing was started";
}

TEST_F(ProgressThreads, make_persistent_exchanges_of_a_communicator_that_is_freed) {
  std::optional<Comm> comm(Comm::dup());
  PersistentBlocks blocks(*comm);
  blocks.make(comm->get());
  comm.reset();
  for (int start = 0; start < 3; ++start) {
    blocks.fill(start);
    MPI_Start(blocks.request());
    EXPECT_EQ(MPI_Wait(blocks.request(), MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_TRUE(blocks.have_arrived(start));
  }
}

std::atomic<int> handled_errors = 0;

void count_error(MPI_Comm* /*comm*/, int* /*code*/, ...) {
  ++handled_errors;
}

TEST_F(ProgressThreads, tell_that_a_persistent_exchange_has_failed) {
  const Comm comm = Comm::dup();
  MPI_Errhandler counting = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(count_error, &counting);
  MPI_Comm_set_errhandler(comm.get(), counting);
  MPI_Errhandler_free(&counting);
  const int count = comm.rank() == 0 ? 2 : 1;  // which is wrong, but not on one process alone
  std::vector<int> sent(comm.size() * 2);
  std::vector<int> received(sent.size());
  MPI_Request request = MPI_REQUEST_NULL;
  ASSERT_EQ(MPI_Alltoall_init(sent.data(), count, MPI_INT, received.data(), count, MPI_INT, comm.get(),
                              MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  MPI_Start(&request);
  int error_class = MPI_SUCCESS;
  MPI_Error_class(MPI_Wait(&request, MPI_STATUS_IGNORE), &error_class);
  EXPECT_EQ(error_class, MPI_ERR_TRUNCATE);
  EXPECT_GT(handled_errors, 0) << "the error handler of the communicator was not called";
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);  // Open MPI has freed it
}

TEST_F(OnARing, persistent_exchanges_are_passed_on_unless_threads_are_asked_for) {
  const Comm comm = Comm::dup();
  const Counted calls{report().Alltoall_init};
  PersistentBlocks blocks(comm);
  ASSERT_EQ(blocks.make(comm.get()), MPI_SUCCESS);
  for (int start = 0; start < 2; ++start) {
    blocks.fill(start);
    MPI_Start(blocks.request());
    MPI_Wait(blocks.request(), MPI_STATUS_IGNORE);
    EXPECT_TRUE(blocks.have_arrived(start));
  }
  EXPECT_TRUE(calls.are_passed_on(1));
}

// The thread would make communicators beside the program, and Open MPI 4.1.4 may wait for ever then.
TEST(ProgressThreadsOnNodesOfTwo, make_no_communicators) {
  const int p = world_size();
  if (p < 4 || p % 2 != 0) GTEST_SKIP() << "needs two nodes with two processes each";
  const mpi::SeveralHosts hosts(world_rank() / 2);
  constexpr auto everywhere = Variable::Where::everywhere;
  const Variable grid("CUBEFOLD_GRID", "ring:" + std::to_string(p / 2), everywhere);
  const Variable method("CUBEFOLD_ALLTOALL", "nodes:direct", everywhere);
  const Variable wanted("CUBEFOLD_PROGRESS_THREAD", "1", everywhere);
  const Counted equal{report().Ialltoall};
  const Counted unequal{report().Ialltoallv};
  const Comm comm = Comm::dup();
  Blocks blocks(comm);
  Blocks of_counts(comm, 1);
  blocks.start();
  of_counts.start_unequal();
  blocks.wait();
  of_counts.wait();
  EXPECT_TRUE(blocks.have_arrived());
  EXPECT_TRUE(of_counts.have_arrived());
  EXPECT_TRUE(equal.are_ours(1));
  EXPECT_TRUE(unequal.are_ours(1));
  EXPECT_EQ(mpi::splits_by_other_threads, 0) << "the first call makes all communicators";
}

}  // namespace
}  // namespace cubefold::preload
