#include "cubefold/mpi/plan_cache.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cubefold/mpi/machine_file.hpp"
#include "support/message_of.hpp"
#include "support/numbered_blocks.hpp"
#include "support/spread_type.hpp"
#include "support/variable.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

constexpr const char* shared_memory = "MPI's own all-to-all: all processes share the memory of one host\n";

class PlanCacheTest : public testing::Test {
 protected:
  PlanCacheTest()
      : comm(MPI_COMM_WORLD, grids_of_world().back(), "identity"),
        rank(static_cast<int>(label(comm.rank()))),
        size(world_size()) {}

  std::vector<int> sent(int count) const { return sent_by(rank, size, count); }
  std::vector<int> expected(int count) const { return received_by(rank, size, count); }

  /// What for_blocks() gives for blocks of `count` numbers delivers.
  std::vector<int> exchanged(PlanCache& plans, int count) const {
    const auto send = sent(count);
    std::vector<int> receive(send.size());
    plans.for_blocks(sizeof(int) * static_cast<std::size_t>(count))
        ->run(send.data(), count, MPI_INT, receive.data(), count, MPI_INT);
    return receive;
  }

  VirtualComm comm;
  int rank;
  int size;
};

using PlanCacheOnOneHost = PlanCacheTest;

TEST_F(PlanCacheOnOneHost, leave_all_to_mpi) {
  PlanCache plans(comm);
  for (const std::size_t bytes : {0U, 8U, 100'000U}) {
    EXPECT_EQ(plans.explain(bytes), "blocks of " + std::to_string(bytes) + " bytes: " + shared_memory +
                                        "unequal blocks: direct; " +
                                        plans.for_unequal_blocks()->explain_unequal() + "\n");
    EXPECT_EQ(plans.for_blocks(bytes)->setup().backend, Backend::mpi);
  }
}

TEST_F(PlanCacheOnOneHost, say_that_mpi_moves_unequal_blocks) {
  PlanCache plans(comm);
  const auto exchange = plans.for_unequal_blocks();
  EXPECT_EQ(exchange->explain_unequal(), "MPI_Alltoallv up to 2 GiB of a process");
  const std::vector<int> counts(static_cast<std::size_t>(size), 3);
  std::vector<int> places(counts.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(3 * i);
  const auto send = sent(3);
  std::vector<int> receive(send.size());
  exchange->run({send.data(), counts, places, MPI_INT, receive.data(), counts, places, MPI_INT});
  EXPECT_EQ(receive, expected(3));
  EXPECT_EQ(exchange->explain_unequal().rfind("MPI_Alltoallv the last time", 0), 0U)
      << exchange->explain_unequal();
}

TEST_F(PlanCacheOnOneHost, deliver_blocks_of_all_sizes) {
  PlanCache plans(comm);
  for (const int count : {1, 3, 1000, 3}) EXPECT_EQ(exchanged(plans, count), expected(count)) << count;
}

TEST_F(PlanCacheOnOneHost, deliver_in_place) {
  PlanCache plans(comm);
  auto buffer = sent(3);
  plans.for_blocks(12)->run(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer.data(), 3, MPI_INT);
  EXPECT_EQ(buffer, expected(3));
}

TEST_F(PlanCacheOnOneHost, leave_the_gaps_of_types_alone) {
  PlanCache plans(comm);
  const SpreadType type(3);
  const auto send = spread_out(sent(3));
  std::vector<int> receive(send.size(), -2);
  plans.for_blocks(12)->run(send.data(), 1, type.get(), receive.data(), 1, type.get());
  EXPECT_EQ(receive, spread_out(expected(3)));
  std::vector<int> packed(send.size() / 2);
  plans.for_blocks(12)->run(send.data(), 1, type.get(), packed.data(), 3, MPI_INT);
  EXPECT_EQ(packed, expected(3));
  auto in_place = send;
  plans.for_blocks(12)->run(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in_place.data(), 1, type.get());
  EXPECT_EQ(in_place, spread_out(expected(3)));
}

TEST_F(PlanCacheOnOneHost, write_nothing_for_counts_of_0) {
  PlanCache plans(comm);
  std::vector<int> receive(static_cast<std::size_t>(size), 7);
  const auto untouched = receive;
  plans.for_blocks(0)->run(receive.data(), 0, MPI_INT, receive.data(), 0, MPI_INT);
  plans.for_blocks(0)->run(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT);
  EXPECT_EQ(receive, untouched);
}

TEST_F(PlanCacheOnOneHost, have_exchanges_of_several_sizes_under_way) {
  PlanCache plans(comm);
  const auto few = sent(2);
  const auto many = sent(500);
  std::vector<int> first(few.size());
  std::vector<int> second(many.size());
  auto a = plans.for_blocks(8)->start({few.data(), 2, MPI_INT, first.data(), 2, MPI_INT});
  auto b = plans.for_blocks(2000)->start({many.data(), 500, MPI_INT, second.data(), 500, MPI_INT});
  EXPECT_EQ(exchanged(plans, 3), expected(3)) << "MPI's all-to-all while others are under way";
  (rank % 2 == 0 ? a : b).wait();
  (rank % 2 == 0 ? b : a).wait();
  EXPECT_EQ(first, expected(2));
  EXPECT_EQ(second, expected(500));
}

TEST_F(PlanCacheOnOneHost, are_made_once_for_what_is_done_alike) {
  PlanCache plans(comm);
  const auto exchange = plans.for_blocks(8);
  EXPECT_EQ(plans.for_blocks(8), exchange);
  EXPECT_EQ(plans.for_blocks(80'000), exchange);
  EXPECT_EQ(plans.for_unequal_blocks(), plans.for_unequal_blocks());
}

TEST_F(PlanCacheTest, obey_the_request_for_a_method) {
  for (const std::string method : {"direct", "bruck:2", "axes", "axis-rotated", "linear"}) {
    const Variable request("CUBEFOLD_ALLTOALL", method);
    PlanCache plans(comm);
    for (const int count : {1, 3, 30'000}) EXPECT_EQ(exchanged(plans, count), expected(count)) << method;
    const auto text = "blocks of 12 bytes: " + method + ": CUBEFOLD_ALLTOALL says so\n";
    EXPECT_EQ(plans.explain(12).substr(0, text.size()), text);
    EXPECT_EQ(plans.for_blocks(12)->setup().backend, Backend::schedule);
  }
}

TEST_F(PlanCacheTest, leave_out_a_method_that_does_not_fit_and_say_so_once_in_each_explanation) {
  for (const auto& [method, largest] : {std::pair("cc-cube:3", 2), std::pair("bruck:17", 16)}) {
    if (size > largest && world_is_a_cube()) continue;
    const Variable request("CUBEFOLD_ALLTOALL", method);
    PlanCache plans(comm);
    for (const int count : {1, 1000}) EXPECT_EQ(exchanged(plans, count), expected(count)) << method;
    const auto text = plans.explain(12);
    const std::string refusal = std::string("CUBEFOLD_ALLTOALL '") + method + "' does not fit " +
                                std::to_string(size) + " processes: ";
    EXPECT_EQ(text.substr(0, refusal.size()), refusal);
    EXPECT_NE(text.find(std::string("\nblocks of 12 bytes: ") + shared_memory), std::string::npos) << text;
  }
}

// Without times there is no clock, so that rules differ by how far processes may be apart and by nothing else.
TEST_F(PlanCacheTest, run_sizes_by_their_own_rules_where_one_method_serves_both) {
  if (size < 4) GTEST_SKIP() << "so few processes need no rules";
  const Variable request("CUBEFOLD_ALLTOALL", "direct");
  PlanCache plans(comm);
  const AlltoallSetup of_short = plans.for_blocks(8)->setup();
  const AlltoallSetup of_long = plans.for_blocks(1 << 16)->setup();
  EXPECT_GT(of_short.steps_behind, of_long.steps_behind);
  EXPECT_EQ(of_short.pacing, of_long.pacing);
}

/// Long blocks have a plan of their own, which short blocks do not share.
class BoundedPlanCache : public PlanCacheTest {
 protected:
  void SetUp() override {
    if (size < 4) GTEST_SKIP() << "so few processes share one plan for all sizes";
  }

  static void use_all_sizes_but_long_ones(PlanCache& plans) {
    for (std::size_t bytes = 1; bytes <= PlanCache::most_sizes; ++bytes) plans.for_blocks(bytes);
  }

  static constexpr int long_count = 1 << 14;
  static constexpr std::size_t long_bytes = long_count * sizeof(int);
  const Variable request{"CUBEFOLD_ALLTOALL", "direct"};
};

TEST_F(BoundedPlanCache, are_freed_when_many_other_sizes_were_used_and_made_again) {
  PlanCache plans(comm);
  const std::weak_ptr<AlltoallPlan> first = plans.for_blocks(long_bytes);
  EXPECT_FALSE(first.expired());
  use_all_sizes_but_long_ones(plans);
  EXPECT_TRUE(first.expired());
  EXPECT_EQ(exchanged(plans, long_count), expected(long_count));
}

TEST_F(BoundedPlanCache, stay_while_their_size_is_used) {
  PlanCache plans(comm);
  const std::weak_ptr<AlltoallPlan> first = plans.for_blocks(long_bytes);
  for (std::size_t bytes = 1; bytes <= 2 * PlanCache::most_sizes; ++bytes) {
    plans.for_blocks(bytes);
    plans.for_blocks(long_bytes);
  }
  EXPECT_FALSE(first.expired());
}

TEST_F(BoundedPlanCache, stay_with_requests_that_need_them) {
  PlanCache plans(comm);
  const auto send = sent(long_count);
  std::vector<int> receive(send.size());
  std::vector<int> other(send.size());
  auto prepared = plans.for_blocks(long_bytes)
                      ->prepare({send.data(), long_count, MPI_INT, receive.data(), long_count, MPI_INT});
  auto running = plans.for_blocks(long_bytes)
                     ->start({send.data(), long_count, MPI_INT, other.data(), long_count, MPI_INT});
  use_all_sizes_but_long_ones(plans);
  prepared.start();
  running.wait();
  prepared.wait();
  EXPECT_EQ(receive, expected(long_count));
  EXPECT_EQ(other, expected(long_count));
}

TEST_F(PlanCacheTest, obey_the_request_for_mpi) {
  const Variable request("CUBEFOLD_ALLTOALL", "mpi");
  PlanCache plans(comm);
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  const std::string text = "blocks of 12 bytes: MPI's own all-to-all: CUBEFOLD_ALLTOALL says so\n";
  EXPECT_EQ(plans.explain(12).substr(0, text.size()), text);
}

TEST_F(PlanCacheTest, refuse_the_request_for_what_is_no_method_on_all_processes) {
  for (const char* text : {"x", "bruck", "direct:2", "MPI"}) {
    const Variable request("CUBEFOLD_ALLTOALL", text);
    const auto refusal = message_of([&] { parse_exchange_method(text); });
    EXPECT_EQ(message_of([&] { PlanCache{comm}; }), "CUBEFOLD_ALLTOALL: " + refusal + "; or 'mpi'");
    EXPECT_NE(refusal.find(text), std::string::npos);
    EXPECT_EQ(refusal.find('\n'), std::string::npos);
  }
}

TEST_F(PlanCacheTest, refuse_what_is_no_number_of_trials_on_all_processes) {
  for (const std::string text : {"x", "-1", "3x", " 3", "1001", "2147483647", "99999999999"}) {
    const Variable trials("CUBEFOLD_TRIALS", text);
    EXPECT_EQ(message_of([&] { PlanCache{comm}; }),
              "CUBEFOLD_TRIALS '" + text + "' is no number of trials from 0 to 1000");
  }
  const Variable trials("CUBEFOLD_TRIALS", "0");
  EXPECT_NO_THROW(PlanCache{comm});
}

TEST_F(PlanCacheTest, find_block_sizes_that_differ_before_they_plan) {
  if (size == 1) GTEST_SKIP() << "one process has one size";
  const Variable checked("CUBEFOLD_CHECK", "1");
  PlanCache plans(comm);
  const int odd = size - 1;
  EXPECT_EQ(message_of([&] { plans.for_blocks(rank == odd ? 8 : 16); }),
            "process " + std::to_string(odd) + " of " + std::to_string(size) +
                ": block size '8' differs from '16' of process 0");
  EXPECT_EQ(exchanged(plans, 4), expected(4)) << "the next exchange suffers";
  EXPECT_EQ(message_of([&] { plans.for_blocks(rank == 0 ? 16 : 8); }),
            "process 1 of " + std::to_string(size) + ": block size '8' differs from '16' of process 0")
      << "sizes that are known already";
}

/// Every process is on a host of its own while this lives.
struct HostForEachProcess {
  HostForEachProcess() { is_alive = true; }
  HostForEachProcess(const HostForEachProcess&) = delete;
  HostForEachProcess& operator=(const HostForEachProcess&) = delete;
  ~HostForEachProcess() { is_alive = false; }
  static inline bool is_alive = false;
};

TEST_F(PlanCacheTest, try_on_several_hosts_that_nothing_is_known_of) {
  if (size == 1) GTEST_SKIP() << "one process is on one host";
  const HostForEachProcess hosts;
  PlanCache plans(comm);
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  EXPECT_NE(plans.explain_equal(12).find(", fastest of "), std::string::npos) << plans.explain_equal(12);
  EXPECT_EQ(plans.explain_equal(12).find("CUBEFOLD_ALLTOALL"), std::string::npos);
}

TEST_F(PlanCacheTest, say_that_a_model_decides_where_trials_would_not_end_soon) {
  if (size == 1) GTEST_SKIP() << "one process is on one host";
  const HostForEachProcess hosts;
  PlanCache plans(comm);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1} << 30}) {
    const auto text = plans.explain_equal(bytes);
    EXPECT_NE(text.find(": a typical network's model says so, without trials\n"), std::string::npos) << text;
  }
}

TEST_F(PlanCacheTest, say_what_to_measure_where_trials_are_not_wanted) {
  if (size == 1) GTEST_SKIP() << "one process is on one host";
  const HostForEachProcess hosts;
  const Variable trials("CUBEFOLD_TRIALS", "0");
  PlanCache plans(comm);
  EXPECT_EQ(plans.explain_equal(12),
            "blocks of 12 bytes: MPI's own all-to-all: nothing is known of the network; cubefold-calibrate "
            "measures it, "
            "and CUBEFOLD_MACHINE names its file\n");
}

class PlanCacheOfMachine : public PlanCacheTest {
 protected:
  PlanCacheOfMachine() {
    int id = static_cast<int>(getpid());
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path = std::filesystem::temp_directory_path() / ("plans-" + std::to_string(id) + ".json");
    machine.grid = comm.grid();
    machine.alpha_seconds = 1e-4;
    machine.gap_seconds = 1e-5;
    machine.tau_seconds_per_byte = {1e-8};
    for (int axis = 0; axis < machine.grid.axis_count(); ++axis)
      machine.wraps.push_back(machine.grid.has_wrap_link(axis));
    machine.mpi_library = library_name();
  }
  ~PlanCacheOfMachine() override {
    if (world_rank() == 0) std::filesystem::remove(path);
  }

  void write() const {
    if (world_rank() == 0) std::ofstream(path) << to_json(machine);
  }

  Machine machine{parse_grid("line:1")};
  std::string path;
};

TEST_F(PlanCacheOfMachine, are_refused_if_it_was_measured_elsewhere) {
  if (size == 1) GTEST_SKIP() << "one process is on one host";
  machine.host_count = 2;
  write();
  const Variable file("CUBEFOLD_MACHINE", path);
  EXPECT_EQ(message_of([&] { PlanCache{comm}; }), "machine file " + path + ": made on 2 hosts, not on 1");
}

TEST_F(PlanCacheOfMachine, leave_all_to_mpi_on_one_host) {
  write();
  const Variable file("CUBEFOLD_MACHINE", path);
  PlanCache plans(comm);
  const std::string text = std::string("blocks of 8 bytes: ") + shared_memory;
  EXPECT_EQ(plans.explain(8).substr(0, text.size()), text);
}

TEST_F(PlanCacheOfMachine, try_what_blocks_of_a_size_are_exchanged_by) {
  machine.host_count = 2;
  PlanCache plans(comm, machine);
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  EXPECT_NE(plans.explain(12).find("fastest of"), std::string::npos);
  EXPECT_EQ(plans.explain(12).find("CUBEFOLD_ALLTOALL"), std::string::npos);
}

TEST_F(PlanCacheOfMachine, try_once_for_all_sizes_between_two_powers_of_two) {
  machine.host_count = 2;
  PlanCache plans(comm, machine);
  const auto tried_with = [&](std::size_t bytes) {
    const auto text = plans.explain_equal(bytes);
    const std::string before = " trials of blocks of ";
    const auto begin = text.find(before) + before.size();
    return text.substr(begin, text.find(' ', begin) - begin);
  };
  EXPECT_EQ(tried_with(12), "12");
  EXPECT_EQ(tried_with(15), "12");
  EXPECT_EQ(tried_with(8), "12");
  EXPECT_EQ(tried_with(16), "16");
  EXPECT_EQ(exchanged(plans, 2), expected(2));
}

TEST_F(PlanCacheOfMachine, try_nothing_of_more_than_2_gib) {
  machine.host_count = 2;
  PlanCache plans(comm, machine);
  EXPECT_EQ(plans.explain_equal(std::size_t{1} << 31).find("fastest of"), std::string::npos);
}

TEST_F(PlanCacheOfMachine, describe_the_plan_of_a_method_that_is_requested) {
  write();
  const Variable file("CUBEFOLD_MACHINE", path);
  const Variable request("CUBEFOLD_ALLTOALL", "direct");
  PlanCache plans(comm);
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  const ExchangePlan plan = plan_exchange(comm.placement(), 12, exchange_model(machine, Tie::balanced),
                                          {{{ExchangeAlgorithm::direct, {}}}});
  const auto text = "blocks of 12 bytes: " + describe(plan);
  EXPECT_EQ(plans.explain(12).substr(0, text.size()), text);
}

}  // namespace
}  // namespace cubefold::mpi

// MPI's profiling interface: this function stands before that of the library.
extern "C" int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  if (!cubefold::mpi::HostForEachProcess::is_alive) return PMPI_Comm_split_type(comm, type, key, info, part);
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return PMPI_Comm_split(comm, rank, key, part);
}
