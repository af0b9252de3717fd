// Blocks of unequal sizes between nodes with several processes.

#include "mpi/mover.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "mpi/agreement.hpp"
#include "mpi/plan_cache.hpp"
#include "support/failing_mpi.hpp"
#include "support/message_of.hpp"
#include "support/numbered_blocks.hpp"
#include "support/several_hosts.hpp"
#include "support/shared_nodes.hpp"
#include "support/spread_type.hpp"
#include "support/unequal_exchange.hpp"
#include "support/unequal_side.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

/// Returns a setup in which all blocks travel between nodes.
AlltoallSetup by_nodes(const ExchangeMethod& method) {
  AlltoallSetup setup{.method = {ExchangeAlgorithm::linear, {}}, .backend = Backend::nodes};
  setup.between_nodes = {AlltoallSetup{.method = method}};
  return setup;
}

/// The exchange of blocks of unequal sizes of a job in which ranks share nodes.
struct UnequalExchange {
  explicit UnequalExchange(const Job& job, const ExchangeMethod& method = {ExchangeAlgorithm::direct, {}})
      : comm(job.comm()),
        context(CommContext::on(comm.virtual_comm())),
        rank(static_cast<int>(label(comm.rank()))) {
    if (comm.sharing() == nullptr) return;
    blocks = unequal_exchange(comm, context, {by_nodes(method)}, NodeGroups::make(comm, context));
  }

  template <typename Count>
  Side sent(Count count) const {
    return {world_size(), [&](int j) { return count(rank, j); },
            [&](int j, int k) { return number(rank, j, k); }};
  }
  template <typename Count>
  Side expected(Count count) const {
    return {world_size(), [&](int i) { return count(i, rank); },
            [&](int i, int k) { return number(i, rank, k); }};
  }

  /// Exchanges blocks of count(i, j) numbers from rank i to rank j.
  template <typename Count>
  void expect_exchanged(Count count) const {
    expect_exchanged_by(*blocks, count);
  }
  template <typename Count>
  void expect_exchanged_by(Exchange& by, Count count) const {
    const Side send = sent(count);
    const Side wanted = expected(count);
    std::vector<int> receive(wanted.numbers.size(), -1);
    by.run({send.numbers.data(), send.counts, send.displacements, MPI_INT, receive.data(), wanted.counts,
            wanted.displacements, MPI_INT});
    EXPECT_TRUE(receive == wanted.numbers) << nodes_text(comm) << ", rank " << rank;
  }

  VirtualComm comm;
  std::shared_ptr<CommContext> context;
  int rank;
  std::shared_ptr<Exchange> blocks;  ///< null if no ranks share a node
};

/// Calls visit(exchange) for each job in which ranks share nodes.
template <typename Visit>
void for_each_unequal(Visit visit) {
  for (const Job& job : jobs_of_world()) {
    const UnequalExchange exchange(job);
    if (exchange.blocks) visit(exchange);
  }
}

TEST(UnequalNodeExchange, brings_blocks_of_all_sizes_and_none) {
  for_each_unequal([](const UnequalExchange& exchange) {
    exchange.expect_exchanged([](int i, int j) { return 10 + (3 * i + 5 * j) % 7; });
    exchange.expect_exchanged([](int i, int j) { return (i + j) % 2 == 0 ? 25 : 0; });
    exchange.expect_exchanged([](int, int) { return 0; });
    exchange.expect_exchanged([](int i, int j) { return i == j ? 900 : 0; });
    exchange.expect_exchanged([](int i, int j) { return i == 0 && j == world_size() - 1 ? 900 : 0; });
    exchange.expect_exchanged([](int i, int j) { return i * j % 5; });
  });
}

TEST(UnequalNodeExchange, brings_blocks_by_the_burst_of_all_messages) {
  for (const Job& job : jobs_of_world()) {
    const UnequalExchange exchange(job, {ExchangeAlgorithm::linear, {}});
    if (exchange.blocks) exchange.expect_exchanged([](int i, int j) { return (i + 2 * j) % 11; });
  }
}

// The sizes of consecutive calls differ, and nothing but the exchange keeps processes together.
TEST(UnequalNodeExchange, keeps_calls_apart_that_follow_one_another) {
  for_each_unequal([](const UnequalExchange& exchange) {
    for (int call = 0; call < 20; ++call)
      exchange.expect_exchanged([&](int i, int j) { return (i + 2 * j + call) % 5 * (call % 3); });
  });
}

TEST(UnequalNodeExchange, cuts_blocks_into_pieces_where_those_of_a_node_do_not_fit_into_its_memory) {
  constexpr int most = static_cast<int>(most_node_bytes / sizeof(int));
  for_each_unequal([](const UnequalExchange& exchange) {
    exchange.expect_exchanged(
        [](int i, int j) { return i == 0 && j == world_size() - 1 ? 2 * most + 7 : 1 + i + j; });
    exchange.expect_exchanged(
        [](int i, int j) { return 2 * most / world_size() / world_size() + (i * 7 + j) % 13; });
  });
}

TEST(UnequalNodeExchange, takes_types_with_gaps_and_displacements_in_any_order) {
  for_each_unequal([&](const UnequalExchange& exchange) {
    for (const int longest : {1, 200, 3}) {
      expect_pairs_exchanged(*exchange.blocks, exchange.rank, world_size(),
                             [&](int i, int j) { return i == 0 && j == 1 ? longest : (i + j) % 3; });
    }
  });
}

TEST(UnequalNodeExchange, works_in_place_where_sizes_are_the_same_both_ways) {
  for_each_unequal([](const UnequalExchange& exchange) {
    for (const int longest : {0, 500}) {
      const auto count = [&](int i, int j) { return i + j == 1 ? 5 + longest : 2 + (i + j) % 3; };
      Side buffer = exchange.sent(count);
      exchange.blocks->run({MPI_IN_PLACE,
                            {},
                            {},
                            MPI_DATATYPE_NULL,
                            buffer.numbers.data(),
                            buffer.counts,
                            buffer.displacements,
                            MPI_INT});
      EXPECT_EQ(buffer.numbers, exchange.expected(count).numbers);
    }
  });
}

// The plan is known to another class of calls, which has taken memory for dense blocks only.
TEST(UnequalNodeExchange, takes_memory_on_all_processes_if_one_has_a_type_with_gaps) {
  const SpreadType pair(2);
  for_each_unequal([&](const UnequalExchange& exchange) {
    const auto plan =
        AlltoallPlan::make(exchange.comm, exchange.context, by_nodes({ExchangeAlgorithm::direct, {}}),
                           NodeGroups::make(exchange.comm, exchange.context));
    const AlltoallCandidate between_nodes = parse_candidate("direct between nodes");
    Exchange blocks(
        CallKind::unequal, std::nullopt, exchange.context,
        [&](CallKind kind, const ExchangeSizes&) {
          return std::make_shared<CandidateTrials>(exchange.context, Tuner(kind, {{between_nodes}}));
        },
        [&](const AlltoallCandidate&) { return plan; });
    exchange.expect_exchanged_by(blocks, [](int, int) { return 2; });
    const int size = world_size();
    const bool has_gaps = exchange.rank == 0;
    const int longest = 64;
    const std::vector<int> counts(static_cast<std::size_t>(size), has_gaps ? longest / 2 : longest);
    std::vector<int> places;
    for (int other = 0; other < size; ++other) places.push_back(other * counts.front());
    const auto sent = sent_by(exchange.rank, size, longest);
    const auto wanted = received_by(exchange.rank, size, longest);
    const auto send = has_gaps ? spread_out(sent) : sent;
    std::vector<int> receive(send.size(), -2);
    MPI_Datatype type = has_gaps ? pair.get() : MPI_INT;
    blocks.run({send.data(), counts, places, type, receive.data(), counts, places, type});
    EXPECT_EQ(receive, has_gaps ? spread_out(wanted) : wanted);
  });
}

// Processes of other nodes may have ended the exchange before they hear of the failure.
TEST(UnequalNodeExchange, ends_on_the_node_of_a_process_that_expects_another_size) {
  if (world_size() == 1) GTEST_SKIP() << "needs two processes";
  const int last = world_size() - 1;
  for (const int odd : {0, last})
    for_each_unequal([&](const UnequalExchange& exchange) {
      const Side send = exchange.sent([](int, int) { return 3; });
      Side wanted = exchange.expected([](int, int) { return 3; });
      if (exchange.rank == odd) ++wanted.counts[static_cast<std::size_t>(last - odd)];
      std::vector<int> receive(wanted.numbers.size(), -1);
      const auto run = [&] {
        exchange.blocks->run({send.numbers.data(), send.counts, send.displacements, MPI_INT, receive.data(),
                              wanted.counts, wanted.displacements, MPI_INT});
      };
      const auto failure = failure_of(run);
      const NodeSharing& nodes = *exchange.comm.sharing();
      if (nodes.group_of(static_cast<Rank>(odd)) == nodes.group_of(exchange.comm.rank())) {
        EXPECT_TRUE(failure) << nodes_text(exchange.comm);
      }
      // The text of another process names it among all processes, not among the leaders.
      if (failure && nodes.group_count() < nodes.rank_count()) {
        const std::string among_leaders = " of " + std::to_string(nodes.group_count()) + ": ";
        EXPECT_EQ(failure->text.find(among_leaders), std::string::npos) << failure->text;
        EXPECT_FALSE(failure->text.starts_with("no exchange is possible")) << failure->text;
      }
      exchange.context->agree_on_failures();
      EXPECT_TRUE(failure_of(run)) << "the exchange works after a failure";
    });
}

TEST(UnequalNodeExchange, is_refused_on_all_processes_for_a_method_that_passes_blocks_on) {
  if (world_size() < 8 || !world_is_a_cube()) GTEST_SKIP() << "nobody passes anything on";
  const Job job = job_with(2);
  const std::string text = message_of([&] {
    const UnequalExchange exchange(job, {ExchangeAlgorithm::cc_cube, {}});
    exchange.expect_exchanged([](int, int) { return 1; });
  });
  EXPECT_NE(text.find("a method that passes blocks on needs blocks of one size"), std::string::npos) << text;
}

TEST(PlanCache, exchanges_unequal_blocks_between_nodes_where_the_environment_says_so) {
  for (const std::string method : {"direct", "linear", "cc-cube"}) {
    const Variable request("CUBEFOLD_ALLTOALL", "nodes:" + method, Variable::Where::everywhere);
    for (const Job& job : jobs_of_world()) {
      const UnequalExchange exchange(job);
      if (!exchange.blocks) continue;
      PlanCache plans(exchange.comm);
      const auto unequal = plans.for_blocks(std::nullopt);
      exchange.expect_exchanged_by(*unequal, [](int i, int j) { return (i + 3 * j) % 9; });
      const bool fits = plans.for_blocks(64)->plan_in_use().setup().backend == Backend::nodes;
      EXPECT_TRUE(fits || method == "cc-cube");
      EXPECT_EQ(to_string(*unequal->last_candidate()),
                fits ? (method == "linear" ? "linear" : "direct") + std::string(" between nodes")
                     : "MPI's own all-to-all");
    }
  }
}

TEST(PlanCache, measures_whether_unequal_blocks_travel_between_nodes) {
  for (const Job& job : jobs_of_world()) {
    const SeveralHosts host(static_cast<int>(job.own_node()));
    const UnequalExchange exchange(job);
    if (!exchange.blocks || exchange.comm.network().node_count() == 1) continue;
    PlanCache plans(exchange.comm);
    const auto unequal = plans.for_blocks(std::nullopt);
    EXPECT_EQ(plans.text_for(*unequal),
              "unequal blocks: measured calls choose between: MPI's own all-to-all; direct between nodes\n");
    const auto count = [](int i, int j) { return (i + 3 * j) % 9; };
    for (int call = 0; call == 0 || unequal->is_measuring(CallKind::unequal); ++call)
      exchange.expect_exchanged_by(*unequal, count);
    exchange.expect_exchanged_by(*unequal, count);
  }
}

TEST(PlanCache, leaves_unequal_blocks_to_mpi_where_ranks_cannot_share_memory) {
  for (const Job& job : jobs_of_world()) {
    const SeveralHosts host(static_cast<int>(job.own_node()));
    const UnequalExchange exchange(job);
    if (!exchange.blocks || exchange.comm.network().node_count() == 1) continue;
    PlanCache plans(exchange.comm);
    const auto unequal = plans.for_blocks(std::nullopt);
    const FailingMpi without_shared_memory("shm_open", FailingMpi::always, MPI_ERR_NO_MEM);
    const auto count = [](int i, int j) { return (i + 3 * j) % 9; };
    for (int call = 0; call < 3; ++call) exchange.expect_exchanged_by(*unequal, count);
    EXPECT_EQ(unequal->last_candidate()->backend, Backend::mpi);
    EXPECT_FALSE(unequal->is_measuring(CallKind::unequal));
  }
}

}  // namespace
}  // namespace cubefold::mpi
