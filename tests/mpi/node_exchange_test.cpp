// Several processes on a node: their ranks, and exchanges between nodes.

#include "mpi/mover.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "mpi/alltoall_plan.hpp"
#include "mpi/plan_cache.hpp"
#include "support/message_of.hpp"
#include "support/numbered_blocks.hpp"
#include "support/several_hosts.hpp"
#include "support/shared_nodes.hpp"
#include "support/spread_type.hpp"
#include "support/variable.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

/// Returns a setup in which the leaders, or the processes of every slot, use this method.
AlltoallSetup between_nodes(const ExchangeMethod& method, Backend backend) {
  AlltoallSetup setup{.method = {ExchangeAlgorithm::linear, {}}, .backend = backend};
  setup.between_nodes = {AlltoallSetup{.method = method}};
  return setup;
}

struct NodeExchange {
  explicit NodeExchange(const Job& job) : comm(job.comm()), context(CommContext::on(comm.virtual_comm())) {
    if (comm.sharing() != nullptr) groups = NodeGroups::make(comm, context);
  }

  std::shared_ptr<AlltoallPlan> by(const ExchangeMethod& method, Backend backend) const {
    return AlltoallPlan::make(comm, context, between_nodes(method, backend), groups);
  }

  /// Returns the backends that fit the nodes.
  std::vector<Backend> backends() const {
    if (!comm.sharing()->is_even()) return {Backend::nodes};
    return {Backend::nodes, Backend::slots};
  }

  /// Returns the methods that fit the leaders.
  std::vector<ExchangeMethod> methods() const {
    if (!comm.sharing()->is_even()) return {{ExchangeAlgorithm::direct, {}}, {ExchangeAlgorithm::linear, {}}};
    return compared_methods(comm.sharing()->groups().grid());
  }

  int rank() const { return static_cast<int>(label(comm.rank())); }

  VirtualComm comm;
  std::shared_ptr<CommContext> context;
  std::shared_ptr<NodeGroups> groups;
};

/// Calls visit(exchange, backend) for each job in which ranks share nodes, and each backend that fits it.
template <typename Visit>
void for_each_shared(Visit visit) {
  for (const Job& job : jobs_of_world()) {
    const NodeExchange exchange(job);
    if (exchange.comm.sharing() == nullptr) continue;
    for (const Backend backend : exchange.backends()) visit(exchange, backend);
  }
}

TEST(NodesOfAJob, have_the_ranks_that_the_sharing_gives_them) {
  for (const Job& job : jobs_of_world()) {
    const VirtualComm comm = job.comm();
    const GridNode own = job.own_node();
    int rank = 0;
    MPI_Comm_rank(comm.virtual_comm(), &rank);
    EXPECT_EQ(rank, static_cast<int>(label(comm.rank())));
    EXPECT_EQ(comm.to_virtual(comm.to_physical(rank)), rank);
    if (comm.sharing() == nullptr) {
      EXPECT_EQ(comm.placement().node_of(comm.rank()), own);
      continue;
    }
    EXPECT_EQ(comm.sharing()->node_of(comm.rank()), own);
    int seat = 0;
    MPI_Comm_rank(comm.cart_comm(), &seat);
    EXPECT_EQ(seat, comm.to_physical(rank));
  }
}

TEST(NodesOfAJob, are_blocks_of_consecutive_processes_on_a_single_host) {
  if (world_size() % 2 != 0 || world_size() < 4)
    GTEST_SKIP() << "needs two processes for each of several nodes";
  const std::string ring = "ring:" + std::to_string(world_size() / 2);
  const OneHost host;
  const VirtualComm comm(MPI_COMM_WORLD, ring, "identity");
  EXPECT_EQ(nodes_text(comm), "2 ranks on each node of " + ring);
  EXPECT_EQ(static_cast<int>(comm.sharing()->node_of(comm.rank())), world_rank() / 2);
  EXPECT_EQ(static_cast<int>(label(comm.rank())), world_rank());
}

TEST(NodesOfAJob, are_refused_where_the_network_does_not_have_them) {
  const auto beyond = static_cast<GridNode>(world_rank() == world_size() - 1 ? 3 : 0);
  EXPECT_NE(message_of([&] {
              VirtualComm::on_nodes(MPI_COMM_WORLD, parse_grid("line:3"), beyond);
            }).find("line:3 has no node 3"),
            std::string::npos);
}

TEST(NodesOfAJob, are_kept_by_a_duplicate) {
  for (const Job& job : jobs_of_world()) {
    const VirtualComm comm = job.comm();
    const VirtualComm copy = comm.duplicate();
    EXPECT_EQ(copy.rank(), comm.rank());
    EXPECT_EQ(nodes_text(copy), nodes_text(comm));
    int ranks = MPI_UNEQUAL;
    MPI_Comm_compare(copy.virtual_comm(), comm.virtual_comm(), &ranks);
    EXPECT_EQ(ranks, MPI_CONGRUENT);
    MPI_Comm_compare(copy.cart_comm(), comm.cart_comm(), &ranks);
    EXPECT_EQ(ranks, MPI_CONGRUENT);
  }
}

TEST(NodeExchange, brings_every_block_by_every_method_of_the_leaders) {
  for_each_shared([](const NodeExchange& exchange, Backend backend) {
    for (const ExchangeMethod& method : exchange.methods()) {
      const auto plan = exchange.by(method, backend);
      for (const int count : {1, 300}) {
        const auto send = sent_by(exchange.rank(), world_size(), count);
        std::vector<int> receive(send.size());
        plan->run({send.data(), count, MPI_INT, receive.data(), count, MPI_INT});
        EXPECT_EQ(receive, received_by(exchange.rank(), world_size(), count))
            << to_string(method) << ", " << nodes_text(exchange.comm);
      }
    }
  });
}

TEST(NodeExchange, cuts_blocks_into_pieces_that_fit_into_the_shared_memory) {
  for_each_shared([](const NodeExchange& exchange, Backend backend) {
    const std::size_t piece = most_piece_bytes(*exchange.comm.sharing());
    const auto bytes = static_cast<int>(2 * piece + 3);
    const auto p = static_cast<std::size_t>(world_size());
    std::vector<unsigned char> send(p * static_cast<std::size_t>(bytes));
    std::vector<unsigned char> receive(send.size());
    std::vector<unsigned char> expected(send.size());
    const auto byte = [&](std::size_t from, std::size_t to, std::size_t k) {
      return static_cast<unsigned char>(from * 31 + to * 7 + k % 251);
    };
    const auto own = static_cast<std::size_t>(exchange.rank());
    for (std::size_t i = 0; i < send.size(); ++i) {
      const std::size_t other = i / static_cast<std::size_t>(bytes);
      send[i] = byte(own, other, i % static_cast<std::size_t>(bytes));
      expected[i] = byte(other, own, i % static_cast<std::size_t>(bytes));
    }
    exchange.by({ExchangeAlgorithm::direct, {}}, backend)
        ->run({send.data(), bytes, MPI_BYTE, receive.data(), bytes, MPI_BYTE});
    EXPECT_TRUE(receive == expected) << nodes_text(exchange.comm);
  });
}

TEST(NodeExchange, takes_types_with_gaps_buffers_in_place_and_nothing) {
  for_each_shared([](const NodeExchange& exchange, Backend backend) {
    const auto plan = exchange.by({ExchangeAlgorithm::direct, {}}, backend);
    const SpreadType spread(5);
    const auto send = spread_out(sent_by(exchange.rank(), world_size(), 5));
    std::vector<int> receive(send.size(), -2);
    plan->run({send.data(), 1, spread.get(), receive.data(), 1, spread.get()});
    EXPECT_EQ(receive, spread_out(received_by(exchange.rank(), world_size(), 5)));
    auto both = sent_by(exchange.rank(), world_size(), 3);
    plan->run({MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, both.data(), 3, MPI_INT});
    EXPECT_EQ(both, received_by(exchange.rank(), world_size(), 3));
    plan->run({nullptr, 0, MPI_INT, both.data(), 0, MPI_INT});
    EXPECT_EQ(both, received_by(exchange.rank(), world_size(), 3));
  });
}

TEST(NodeExchange, keeps_calls_apart_that_follow_one_another_by_different_ways) {
  for (const Job& job : jobs_of_world()) {
    const NodeExchange exchange(job);
    if (exchange.comm.sharing() == nullptr) continue;
    std::vector<std::shared_ptr<AlltoallPlan>> plans;
    for (const Backend backend : exchange.backends())
      plans.push_back(exchange.by({ExchangeAlgorithm::direct, {}}, backend));
    for (int call = 0; call < 20; ++call) {
      const int count = 1 + call % 3;
      const auto send = sent_by(exchange.rank() + call, world_size(), count);
      std::vector<int> receive(send.size());
      const auto& plan = plans[static_cast<std::size_t>(call * call % 3) % plans.size()];
      plan->run({send.data(), count, MPI_INT, receive.data(), count, MPI_INT});
      std::vector<int> expected;
      for (int i = 0; i < world_size(); ++i)
        for (int k = 0; k < count; ++k) expected.push_back(number(i + call, exchange.rank(), k));
      EXPECT_EQ(receive, expected) << nodes_text(exchange.comm) << ", call " << call;
    }
  }
}

TEST(NodeExchange, ends_on_all_processes_if_one_fails) {
  if (world_size() == 1) GTEST_SKIP() << "needs two processes";
  for (const int odd : {0, world_size() - 1})
    for (const Backend backend : {Backend::nodes, Backend::slots})
      for (const Job& job : jobs_of_world()) {
        const NodeExchange exchange(job);
        const NodeSharing* sharing = exchange.comm.sharing();
        if (sharing == nullptr || (backend == Backend::slots && !sharing->is_even())) continue;
        const auto plan = exchange.by({ExchangeAlgorithm::direct, {}}, backend);
        std::vector<int> numbers(static_cast<std::size_t>(world_size()));
        const int count = world_rank() == odd ? -1 : 1;
        const std::string text = message_of([&] {
          plan->run({MPI_IN_PLACE, 0, MPI_INT, numbers.data(), count, MPI_INT});
        });
        EXPECT_NE(text.find("negative"), std::string::npos) << text;
        EXPECT_FALSE(text.starts_with("no exchange is possible")) << text;
      }
}

TEST(SlotExchange, is_refused_on_all_processes_if_nodes_have_different_numbers_of_ranks) {
  const Job job = jobs_of_world()[1];
  const NodeExchange exchange(job);
  if (exchange.comm.sharing() == nullptr || exchange.comm.sharing()->is_even())
    GTEST_SKIP() << "nodes have equally many ranks";
  const std::string text = message_of([&] {
    static_cast<void>(exchange.by({ExchangeAlgorithm::direct, {}}, Backend::slots));
  });
  EXPECT_NE(text.find("equally many ranks on all nodes"), std::string::npos) << text;
}

class PlanCacheOnNodes : public testing::TestWithParam<std::string> {};

TEST_P(PlanCacheOnNodes, exchanges_as_the_environment_says) {
  const std::string requested = GetParam() + ":direct";
  const Variable request("CUBEFOLD_ALLTOALL", requested, Variable::Where::everywhere);
  const OneHost host;
  for (const Job& job : jobs_of_world()) {
    const VirtualComm comm = job.comm();
    PlanCache plans(comm);
    const auto rank = static_cast<int>(label(comm.rank()));
    const auto send = sent_by(rank, world_size(), 4);
    std::vector<int> receive(send.size());
    plans.for_blocks(16)->run({send.data(), 4, MPI_INT, receive.data(), 4, MPI_INT});
    EXPECT_EQ(receive, received_by(rank, world_size(), 4));
    const NodeSharing* sharing = comm.sharing();
    const Backend between = GetParam() == "nodes" ? Backend::nodes : Backend::slots;
    const bool fits = sharing != nullptr && (sharing->is_even() || between == Backend::nodes);
    const AlltoallSetup& setup = plans.for_blocks(16)->plan_in_use().setup();
    EXPECT_EQ(setup.backend, fits ? between : Backend::mpi);
    for (const AlltoallSetup& senders : setup.between_nodes)
      EXPECT_EQ(senders.method, (ExchangeMethod{ExchangeAlgorithm::direct, {}}));
  }
}

INSTANTIATE_TEST_SUITE_P(Senders, PlanCacheOnNodes, testing::Values("nodes", "slots"));

TEST(PlanCache, measures_exchanges_of_leaders_and_of_all_slots) {
  for (const Job& job : jobs_of_world()) {
    const SeveralHosts host(static_cast<int>(job.own_node()));
    const VirtualComm comm = job.comm();
    if (comm.sharing() == nullptr || comm.network().node_count() == 1) continue;
    PlanCache plans(comm);
    const auto rank = static_cast<int>(label(comm.rank()));
    const auto send = sent_by(rank, world_size(), 4);
    const auto exchange = plans.for_blocks(16);
    do {
      std::vector<int> receive(send.size());
      exchange->run({send.data(), 4, MPI_INT, receive.data(), 4, MPI_INT});
      EXPECT_EQ(receive, received_by(rank, world_size(), 4));
    } while (exchange->is_measuring(CallKind::blocking));
    const auto& candidates = exchange->trials(CallKind::blocking)->tuner().candidates();
    const auto are_measured = [&](Backend backend) {
      return std::ranges::any_of(candidates, [&](const auto& each) { return each.backend == backend; });
    };
    EXPECT_TRUE(are_measured(Backend::nodes));
    EXPECT_EQ(are_measured(Backend::slots), comm.sharing()->is_even());
  }
}

TEST(PlanCache, leaves_exchanges_on_an_unknown_network_to_mpi) {
  const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
  ASSERT_FALSE(comm.knows_network());
  PlanCache plans(comm);
  EXPECT_EQ(plans.for_blocks(64)->plan_in_use().setup().backend, Backend::mpi);
}

}  // namespace
}  // namespace cubefold::mpi
