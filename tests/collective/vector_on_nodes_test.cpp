#include "collective/vector_on_nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "schedule/delivery.hpp"
#include "schedule/local_program.hpp"
#include "support/program_replay.hpp"

namespace cubefold {
namespace {

/// Returns groups of these sizes on the nodes of a grid, over and over.
NodeSharing groups_of(const char* grid, const std::vector<std::size_t>& sizes) {
  const Placement groups(parse_grid(grid), {});
  std::vector<GridNode> node_of_process;
  for (std::size_t node = 0; node < groups.rank_count(); ++node)
    node_of_process.insert(node_of_process.end(), sizes[node % sizes.size()], static_cast<GridNode>(node));
  return {groups, node_of_process};
}

/// Calls look(sharing, collective, method) for all methods on nodes with equal and with unequal numbers of ranks.
template <typename Look>
void for_all_shared(Look look) {
  for (const char* grid : {"ring:1", "ring:2", "line:3", "ring:4", "torus:2x2", "torus:3x2", "torus:4x4"}) {
    for (const std::vector<std::size_t>& sizes :
         std::vector<std::vector<std::size_t>>{{1}, {2}, {3}, {4}, {6}, {8}, {1, 3}, {2, 5, 3}}) {
      const NodeSharing sharing = groups_of(grid, sizes);
      if (sharing.rank_count() > 64) continue;
      for (const VectorCollective collective : all_vector_collectives) {
        for (const VectorMethod& method : vector_methods(collective, sharing, Ports::all)) {
          SCOPED_TRACE(to_string(sharing) + ' ' + std::string(to_string(collective)) + ' ' +
                       to_string(method));
          look(sharing, collective, method);
        }
      }
    }
  }
}

TEST(VectorsOnNodes, deliver_every_contribution_of_every_rank_once) {
  for_all_shared([](const NodeSharing& sharing, VectorCollective collective, const VectorMethod& method) {
    const Schedule schedule = vector_parts(collective, method, sharing).whole();
    const auto fault = first_delivery_fault(schedule, collective_of(collective, method, sharing));
    EXPECT_FALSE(fault) << describe(*fault);
  });
}

TEST(VectorsOnNodes, give_all_ranks_the_same_bits_except_by_whole_swing) {
  for_all_shared([](const NodeSharing& sharing, VectorCollective collective, const VectorMethod& method) {
    if (method.algorithm == VectorAlgorithm::whole_swing) return;
    const auto fault = first_unequal_value(vector_parts(collective, method, sharing).whole(),
                                           collective_of(collective, method, sharing));
    EXPECT_FALSE(fault) << describe(*fault);
  });
}

// The replay finds what is left out, in each of the three parts of a schedule.
TEST(VectorsOnNodes, have_no_message_that_could_be_left_out) {
  const NodeSharing sharing = groups_of("ring:4", {3, 2});
  for (const VectorCollective collective : all_vector_collectives) {
    const VectorMethod method = parse_vector_method("bucket:2");
    const Schedule schedule = vector_parts(collective, method, sharing).whole();
    for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
      for (std::size_t message = 0; message < schedule.steps[step].size(); ++message) {
        Schedule broken = schedule;
        broken.steps[step].erase(broken.steps[step].begin() + static_cast<std::ptrdiff_t>(message));
        EXPECT_TRUE(first_delivery_fault(broken, collective_of(collective, method, sharing)))
            << to_string(collective) << ", step " << step;
      }
    }
  }
}

TEST(VectorsOnNodes, have_parts_that_are_those_of_the_whole) {
  for_all_shared([](const NodeSharing& sharing, VectorCollective collective, const VectorMethod& method) {
    const ExchangeParts parts = vector_parts(collective, method, sharing);
    const Schedule whole = parts.whole();
    EXPECT_EQ(whole.steps.size(), parts.step_count);
    for (const std::size_t rank : {std::size_t{0}, sharing.rank_count() - 1})
      EXPECT_EQ(parts.part(static_cast<Rank>(rank)), part_of(whole, static_cast<Rank>(rank)));
  });
}

TEST(VectorsOnNodes, have_programs_that_reduce_and_bring_all_chunks_in_any_order_that_needs_allow) {
  for_all_shared([](const NodeSharing& sharing, VectorCollective collective, const VectorMethod& method) {
    if (sharing.rank_count() > 12) return;
    const Schedule schedule = vector_parts(collective, method, sharing).whole();
    const Collective chunks = collective_of(collective, method, sharing);
    std::vector<LocalProgram> programs;
    for (std::uint32_t r = 0; r < sharing.rank_count(); ++r) {
      programs.push_back(
          local_program(part_of(schedule, Rank{r}), Rank{r}, chunks, ScratchSlots::of_one_chunk));
    }
    EXPECT_EQ(first_replay_fault(programs, chunks), std::nullopt);
  });
}

TEST(VectorsOnNodes, are_those_of_the_network_if_each_node_has_one_rank) {
  const Placement placement(parse_grid("torus:4x2"), {});
  const NodeSharing sharing(placement, 1);
  for (const VectorCollective collective : all_vector_collectives) {
    EXPECT_EQ(vector_methods(collective, sharing, Ports::all),
              vector_methods(collective, placement.grid(), Ports::all));
    for (const VectorMethod& method : vector_methods(collective, sharing, Ports::all)) {
      EXPECT_EQ(vector_parts(collective, method, sharing).whole(),
                vector_parts(collective, method, placement).whole());
      EXPECT_EQ(collective_of(collective, method, sharing), collective_of(collective, method, 8));
    }
  }
}

/// Returns the number of the node on which a message stays, or nothing.
bool stays_on_node(const NodeSharing& sharing, const Message& message) {
  return sharing.group_of(message.from) == sharing.group_of(message.to);
}

TEST(VectorsOnNodes, send_as_many_chunks_between_nodes_as_the_nodes_alone_would) {
  for_all_shared([](const NodeSharing& sharing, VectorCollective collective, const VectorMethod& method) {
    if (!sharing.is_even()) return;
    const auto chunks_between = [&](const Schedule& schedule, auto is_between) {
      std::size_t chunks = 0;
      for (const Step& step : schedule.steps)
        for (const Message& message : step) chunks += is_between(message) ? message.blocks.size() : 0;
      return chunks;
    };
    const std::size_t shared =
        chunks_between(vector_parts(collective, method, sharing).whole(),
                       [&](const auto& each) { return !stays_on_node(sharing, each); });
    const std::size_t alone = chunks_between(vector_parts(collective, method, sharing.groups()).whole(),
                                             [](const auto& /*each*/) { return true; });
    const bool is_divided = collective != VectorCollective::allreduce;
    EXPECT_EQ(shared, alone * (is_divided ? sharing.largest_group() : 1));
  });
}

TEST(VectorsOnNodes, let_every_rank_send_and_receive_one_message_in_a_step_on_its_node) {
  for_all_shared([](const NodeSharing& sharing, VectorCollective collective, const VectorMethod& method) {
    for (const Step& step : vector_parts(collective, method, sharing).whole().steps) {
      std::map<Rank, int> sent;
      std::map<Rank, int> received;
      for (const Message& message : step) {
        if (!stays_on_node(sharing, message)) continue;
        EXPECT_EQ(++sent[message.from], 1);
        EXPECT_EQ(++received[message.to], 1);
      }
    }
  });
}

// The ranks of a node that all carry a channel reduce equally much.
TEST(VectorsOnNodes, cost_what_is_counted_in_their_schedules) {
  for_all_shared([](const NodeSharing& sharing, VectorCollective collective, const VectorMethod& method) {
    if (!sharing.is_even()) return;
    const Schedule schedule = vector_parts(collective, method, sharing).whole();
    const auto chunks = static_cast<double>(collective_of(collective, method, sharing).chunk_count());
    std::size_t steps = 0;
    std::size_t copied = 0;
    std::size_t reduced = 0;
    for (const Step& step : schedule.steps) {
      std::size_t most = 0;
      bool reduces = false;
      for (const Message& message : step) {
        if (!stays_on_node(sharing, message)) continue;
        most = std::max(most, message.blocks.size());
        reduces = message.reduces;
      }
      steps += most > 0 ? 1 : 0;
      copied += most;
      reduced += reduces ? most : 0;
    }
    const NodeVectorCost cost = node_vector_cost(collective, method, sharing);
    EXPECT_EQ(cost.step_count, steps);
    EXPECT_NEAR(cost.copied_vectors, static_cast<double>(copied) / chunks, 1e-12);
    EXPECT_NEAR(cost.reduced_vectors, static_cast<double>(reduced) / chunks, 1e-12);
  });
  const NodeSharing sharing = groups_of("torus:4x4", {4});
  const auto reduced_by = [&](const char* method) {
    return node_vector_cost(VectorCollective::allreduce, parse_vector_method(method), sharing)
        .reduced_vectors;
  };
  EXPECT_DOUBLE_EQ(reduced_by("bucket:4"), 0.75);
  EXPECT_DOUBLE_EQ(reduced_by("bucket"), 2);
}

TEST(VectorsOnNodes, have_a_channel_for_every_rank_of_a_node_among_their_methods) {
  const auto names = [](const NodeSharing& sharing, Ports ports) {
    std::string text;
    for (const VectorMethod& method : vector_methods(VectorCollective::allgather, sharing, ports))
      if (method.algorithm == VectorAlgorithm::bucket) text += to_string(method) + ' ';
    return text;
  };
  EXPECT_EQ(names(groups_of("torus:3x3", {4}), Ports::one), "bucket bucket:4 ");
  EXPECT_EQ(names(groups_of("torus:3x3", {4}), Ports::all), "bucket bucket:4 ");
  EXPECT_EQ(names(groups_of("torus:3x3", {6}), Ports::all), "bucket bucket:4 bucket:6 bucket:8 ");
  EXPECT_EQ(names(groups_of("torus:3x3", {5, 2}), Ports::one), "bucket bucket:2 ");
  EXPECT_EQ(names(groups_of("torus:3x3", {100}), Ports::one), "bucket ");
}

}  // namespace
}  // namespace cubefold
