// One allocation fails on one process during an exchange or its planning. All processes learn of the failure, and none
// waits forever.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "mpi/plan_cache.hpp"
#include "mpi/request_set.hpp"
#include "support/failing_on_one.hpp"
#include "support/spread_type.hpp"
#include "support/unequal_exchange.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

// No memory was reserved for the requests, so the vectors of the set grow in turn.
TEST(RequestSetLackOfMemory, leaves_a_set_that_can_be_destroyed) {
  sweep_allocations([](int odd, std::uint64_t number) {
    const auto post = [] {
      RequestSet<int> set;
      for (int i = 0; i < 20; ++i) set.receive(i, nullptr, 0, 0, 0, MPI_COMM_SELF);
    };
    const Outcome outcome = outcome_of(post, odd, number);
    if (world_rank() == odd) {
      EXPECT_EQ(outcome.text.empty(), !outcome.has_failed);
    }
    return outcome;
  });
}

class UnequalLackOfMemory : public testing::TestWithParam<const char*>, protected ExchangeWorld {
 protected:
  UnequalLackOfMemory() : ExchangeWorld(ring_of_world(), "identity") {}

  void expect_all_hear();
};

void UnequalLackOfMemory::expect_all_hear() {
  constexpr int count = 100;  // enough for an exchange by size
  const std::vector<int> counts(static_cast<std::size_t>(size), count);
  std::vector<int> places;
  for (int i = 0; i < size; ++i) places.push_back(count * i);
  const auto send = sent(count);
  expect_ends_whatever_fails([&](int odd, std::uint64_t number) {
    const auto exchange = unequal_exchange(comm, CommContext::on(comm.virtual_comm()),
                                           {setup_for(parse_candidate(GetParam()))});
    std::vector<int> receive(send.size(), -2);
    const auto run = [&] {
      exchange->run({send.data(), counts, places, MPI_INT, receive.data(), counts, places, MPI_INT});
    };
    const Outcome outcome = outcome_of(run, odd, number);
    if (outcome.text.empty()) {
      EXPECT_EQ(receive, expected(count));
    }
    // The next call works or fails with the first text, and no process waits in it.
    if (const auto text = text_of(run); text.empty()) {
      EXPECT_EQ(receive, expected(count));
    } else {
      EXPECT_NE(text.find("out of memory"), std::string::npos) << text;
    }
    return outcome;
  });
}

TEST_P(UnequalLackOfMemory, of_one_process_is_thrown_by_all) {
  expect_all_hear();
}

// The third call does not agree.
TEST_P(UnequalLackOfMemory, of_one_process_is_thrown_by_all_where_blocks_have_several_datatypes) {
  const AlltoallSetup setup = setup_for(parse_candidate(GetParam()));
  if (setup.backend != Backend::schedule) GTEST_SKIP() << "others wait in MPI's own function";
  const SpreadType pair(2);
  const std::vector<int> counts(static_cast<std::size_t>(size), 1);
  const std::vector<MPI_Datatype> types(counts.size(), pair.get());
  std::vector<int> places;
  for (int i = 0; i < size; ++i) places.push_back(4 * i * static_cast<int>(sizeof(int)));
  const auto send = spread_out(sent(2));
  expect_ends_whatever_fails([&](int odd, std::uint64_t number) {
    const auto exchange =
        unequal_exchange(comm, CommContext::on(comm.virtual_comm()), {setup}, nullptr, CallKind::typed);
    std::vector<int> receive(send.size(), -2);
    const auto run = [&] {
      for (int call = 0; call < 3; ++call)
        exchange->run({send.data(), counts, places, types, receive.data(), counts, places, types});
    };
    const Outcome outcome = outcome_of(run, odd, number);
    if (outcome.text.empty()) {
      EXPECT_EQ(receive, spread_out(expected(2)));
    }
    return outcome;
  });
}

TEST_P(UnequalLackOfMemory, of_one_process_is_thrown_by_all_where_sizes_are_compared) {
  const Variable check("CUBEFOLD_CHECK", "1");
  expect_all_hear();
}

INSTANTIATE_TEST_SUITE_P(Candidates, UnequalLackOfMemory,
                         testing::Values("MPI's own all-to-all", "direct", "direct by size"));

/// Tests exchanges between nodes, of which the first has two processes.
class LackOfMemoryBetweenNodes : public testing::Test {
 protected:
  void SetUp() override {
    if (size == 1) GTEST_SKIP() << "a process alone shares no node";
  }

  std::shared_ptr<Exchange> made(const std::shared_ptr<CommContext>& context) const {
    AlltoallSetup nodes = setup_with({ExchangeAlgorithm::linear, {}}, StepSync::data);
    nodes.between_nodes = {setup_with({ExchangeAlgorithm::direct, {}}, StepSync::data)};
    AlltoallSetup mpi = nodes;
    nodes.backend = Backend::nodes;
    mpi.backend = Backend::mpi;
    return unequal_exchange(comm, context, {mpi, nodes}, NodeGroups::make(comm, context));
  }

  /// Exchanges blocks while one allocation of the exchange fails.
  Outcome outcome_of_run(Exchange& exchange, int odd, std::uint64_t number, std::size_t least_bytes) {
    std::fill(receive.begin(), receive.end(), -2);
    const auto run = [&] {
      exchange.run({send.data(), counts, places, type.get(), receive.data(), counts, places, type.get()});
    };
    const Outcome outcome = outcome_of(run, odd, number, least_bytes);
    if (outcome.text.empty()) {
      EXPECT_EQ(receive, spread_out(received_by(rank, size, count)));
    }
    return outcome;
  }

  void expect_dense_blocks_to_pass(Exchange& exchange) const {
    const auto sent = sent_by(rank, size, 1);
    std::vector<int> received(sent.size());
    exchange.run({sent.data(), counts, places, MPI_INT, received.data(), counts, places, MPI_INT});
    EXPECT_EQ(received, received_by(rank, size, 1));
  }

  static std::vector<int> numbered_places(int size) {
    std::vector<int> places(static_cast<std::size_t>(size));
    std::iota(places.begin(), places.end(), 0);
    return places;
  }

  static constexpr int count = 1000;
  const SpreadType type{count};
  const int size = world_size();
  const VirtualComm comm =
      VirtualComm::on_nodes(MPI_COMM_WORLD, parse_grid("line:" + std::to_string((size + 1) / 2)),
                            static_cast<GridNode>(world_rank() / 2));
  const int rank = static_cast<int>(label(comm.rank()));
  const std::vector<int> counts = std::vector<int>(static_cast<std::size_t>(size), 1);
  const std::vector<int> places = numbered_places(size);
  const std::vector<int> send = spread_out(sent_by(rank, size, count));
  std::vector<int> receive = std::vector<int>(send.size());
};

TEST_F(LackOfMemoryBetweenNodes, for_packed_copies_leaves_the_exchange_to_mpi) {
  expect_ends_whatever_fails([&](int odd, std::uint64_t number) {
    const auto exchange = made(CommContext::on(comm.virtual_comm()));
    const Outcome outcome = outcome_of_run(*exchange, odd, number, count * sizeof(int));
    EXPECT_EQ(outcome.text, "");
    EXPECT_EQ(exchange->last_candidate()->backend == Backend::mpi, outcome.has_failed);
    expect_dense_blocks_to_pass(*exchange);
    EXPECT_EQ(exchange->last_candidate()->backend, Backend::nodes) << "another class of calls";
    outcome_of_run(*exchange, odd, FailingAllocation::never, 0);
    EXPECT_EQ(exchange->last_candidate()->backend == Backend::mpi, outcome.has_failed);
    return outcome;
  });
}

TEST_F(LackOfMemoryBetweenNodes, of_one_process_ends_the_exchange_on_all_that_wait) {
  expect_ends_whatever_fails(
      [&](int odd, std::uint64_t number) {
        const auto context = CommContext::on(comm.virtual_comm());
        const auto exchange = made(context);
        return outcome_of_run(*exchange, odd, number, 0);
      },
      Sweep::sample);
}

// The names of the grid and of the placement are too long for the memory that strings have inside.
TEST(LackOfMemory, of_one_process_is_thrown_by_all_where_ranks_are_put_on_nodes) {
  const int size = world_size();
  const std::string nodes = std::to_string((size + 1) / 2);
  const Grid network = parse_grid("mesh:" + nodes + "x1x1x1x1x1");
  const auto node = static_cast<GridNode>(world_rank() / 2);
  const std::string placement = "gray/xor/gray/xor/gray/xor";
  const auto put = [&] { return VirtualComm::on_nodes(MPI_COMM_WORLD, network, node, placement); };
  expect_ends_whatever_fails([&](int odd, std::uint64_t number) { return outcome_of(put, odd, number); });
  const VirtualComm comm = put();
  if (size == 1) return;
  EXPECT_GT(to_string(comm.sharing()->groups().grid()).size(), 15U);
  EXPECT_GT(to_string(comm.sharing()->groups().rule()).size(), 15U);
  const auto context = CommContext::on(comm.virtual_comm());
  expect_ends_whatever_fails([&](int odd, std::uint64_t number) {
    auto shared = context;
    return outcome_of([&] { NodeGroups::make(comm, std::move(shared)); }, odd, number);
  });
}

TEST(LackOfMemory, for_the_text_of_a_call_back_ends_an_exchange_on_all_that_wait) {
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  const std::string long_text(2000, 'x');
  sweep_allocations([&](int odd, std::uint64_t number) {
    const auto exchange = AlltoallPlan::make(comm, {.method = {ExchangeAlgorithm::direct, {}}});
    const PacketCalls calls{[&](Rank, std::size_t, std::span<std::byte>) {
                              if (world_rank() == odd) throw std::runtime_error(long_text);
                            },
                            [](Rank, std::size_t, std::span<const std::byte>) {}};
    const Outcome outcome = outcome_of([&] { exchange->run_packets(8, calls); }, odd, number);
    expect_out_of_memory_or("xxx", outcome);
    return outcome;
  });
}

// A failure that is agreed on has the same status everywhere, or processes that do without the memory go separate ways.
TEST(LackOfMemory, for_the_text_of_an_agreed_failure_keeps_its_kind) {
  for (const Status kind : {Status::memory, Status::argument, Status::internal}) {
    std::optional<Failure> failure;
    if (world_rank() == 0) failure = Failure{kind, std::string(500, 'x')};
    Outcome outcome;
    for (std::uint64_t number = 1; outcome.has_failed; number = next_position(number, 5)) {
      Status status = Status::success;
      const auto try_to_agree = [&] {
        try {
          agree(MPI_COMM_WORLD, failure);
        } catch (const Agreed& agreed) {
          status = agreed.agreed_status();
        }
      };
      outcome = outcome_of(try_to_agree, 0, number);
      EXPECT_EQ(status, kind);
    }
  }
}

/// Tests plans whose machine has two hosts, so that exchanges are tried.
class PlansOfTwoHosts : public testing::Test, protected ExchangeWorld {
 protected:
  PlansOfTwoHosts() : ExchangeWorld(grids_of_world().back(), "identity") {
    machine->grid = comm.grid();
    machine->alpha_seconds = 1e-4;
    machine->gap_seconds = 1e-5;
    machine->tau_seconds_per_byte = {1e-8};
    machine->host_count = 2;
  }

  std::optional<Machine> machine{Machine{parse_grid("line:1")}};
};

// The calls are those of the first rounds, in which every candidate takes its memory.
TEST_F(PlansOfTwoHosts, do_without_candidates_for_which_there_is_no_memory) {
  constexpr int count = 5000;
  const auto send = sent(count);
  expect_ends_whatever_fails([&](int odd, std::uint64_t number) {
    PlanCache plans(comm, machine);
    std::vector<int> receive(send.size());
    const auto exchange = [&] {
      for (int call = 0; call < 12; ++call)
        plans.for_blocks(count * sizeof(int))
            ->run({send.data(), count, MPI_INT, receive.data(), count, MPI_INT});
    };
    const Outcome outcome = outcome_of(exchange, odd, number, count * sizeof(int));
    EXPECT_EQ(outcome.text, "");
    EXPECT_EQ(receive, expected(count));
    return outcome;
  });
}

// Each attempt makes a handle and runs its first exchange. There are many allocations, so a sample of them is tested.
TEST_F(PlansOfTwoHosts, are_made_on_all_processes_or_on_none) {
  const auto send = sent(3);
  const auto grid = to_string(comm.grid());
  const auto attempt = [&](int odd, std::uint64_t number) {
    std::vector<int> receive(send.size());
    const auto exchange = [&] {
      const VirtualComm own(MPI_COMM_WORLD, grid, "identity");
      PlanCache plans(own, machine);
      plans.for_blocks(12)->run({send.data(), 3, MPI_INT, receive.data(), 3, MPI_INT});
    };
    const Outcome outcome = outcome_of(exchange, odd, number);
    if (outcome.text.empty()) {
      EXPECT_EQ(receive, expected(3));
    }
    return outcome;
  };
  expect_ends_whatever_fails(attempt, Sweep::sample);
}

// A process without memory for the text throws alone, at a point where no other process waits for it.
TEST_F(PlansOfTwoHosts, are_explained_without_waiting_for_a_process_that_throws) {
  const auto attempt = [&](int odd, std::uint64_t number) {
    PlanCache plans(comm, machine);
    return outcome_of([&] { plans.explain(12); }, odd, number);
  };
  expect_ends_whatever_fails(attempt, Sweep::sample);
}

}  // namespace
}  // namespace cubefold::mpi
