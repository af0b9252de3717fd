#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/cubefold.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "mpi/alltoall_request.hpp"
#include "mpi/neighbour_plans.hpp"
#include "support/counted_calls.hpp"
#include "support/full_stencil.hpp"
#include "support/message_of.hpp"
#include "support/slow_network.hpp"
#include "support/spread_type.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

using Function = NeighbourFunction;

constexpr std::array all_functions{Function::alltoall, Function::alltoallv, Function::alltoallw,
                                   Function::allgather, Function::allgatherv};

OwnedComm distributed_graph(const NeighbourLists& lists) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(lists.sources.size()), lists.sources.data(),
                                 MPI_UNWEIGHTED, static_cast<int>(lists.destinations.size()),
                                 lists.destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
  return OwnedComm::adopt(made);
}

OwnedComm cartesian(std::vector<int> extents, std::vector<int> periodic) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, static_cast<int>(extents.size()), extents.data(), periodic.data(), 0,
                  &made);
  return OwnedComm::adopt(made);
}

/// Returns the neighbours of this process in a stencil, in an order that differs between processes.
NeighbourLists lists_of(const NeighbourGrid& edges) {
  const auto own = static_cast<std::uint32_t>(world_rank());
  NeighbourLists lists;
  for (std::size_t edge = 0; edge < edges.edge_count(); ++edge) {
    if (const auto to = edges.destination(Rank{own}, edge))
      lists.destinations.push_back(static_cast<int>(label(*to)));
    if (const auto from = edges.source(Rank{own}, edge))
      lists.sources.push_back(static_cast<int>(label(*from)));
  }
  const std::size_t count = std::max<std::size_t>(lists.destinations.size(), 1);
  const auto first = lists.destinations.begin() + static_cast<std::ptrdiff_t>(own % count);
  std::rotate(lists.destinations.begin(), first, lists.destinations.end());
  if (own % 2 == 1) std::ranges::reverse(lists.sources);
  return lists;
}

/// Returns grids of all processes with 1 and 2 axes, wrapped and open.
std::vector<Grid> grids() {
  const auto p = static_cast<std::uint32_t>(world_size());
  std::vector<Grid> made;
  for (const Ends ends : {Ends::open, Ends::wrapped}) {
    made.emplace_back(std::vector<Axis>{{p, ends}});
    for (std::uint32_t extent = 1; extent <= p; ++extent) {
      if (p % extent == 0) made.emplace_back(std::vector<Axis>{{extent, ends}, {p / extent, Ends::wrapped}});
    }
    if (p % 4 == 0) made.emplace_back(std::vector<Axis>{{2, ends}, {2, Ends::wrapped}, {p / 4, ends}});
  }
  return made;
}

/// Returns the full stencil, and with it an edge twice and one of each process to itself.
std::vector<NeighbourGrid::Offset> offsets_on(const Grid& grid) {
  auto offsets = full_stencil(grid.axis_count());
  offsets.emplace_back(static_cast<std::size_t>(grid.axis_count()));
  offsets.push_back(offsets.front());
  return offsets;
}

JobFacts facts_with(const std::string& request) {
  const Grid line({static_cast<std::uint32_t>(world_size())}, Ends::open);
  JobFacts facts{.placement = Placement(line, {}), .host_count = 2};
  facts.requests.neighbours = parse_requested_neighbours(request);
  return facts;
}

/// The number of ints in the block from one process to another, whose edges between them are equally long.
int length_of(int from, int to, int round) {
  if (from < 0 || to < 0) return 1;  // MPI_PROC_NULL
  return (3 * from + 5 * to + 7 * round) % 4;
}

/// The arrays and buffers of one call on this process. The value of element k of the n-th block to a process says where
/// it comes from.
class Data {
 public:
  /// Blocks that may differ have other sizes in each round.
  Data(Function function, const NeighbourLists& lists, int round) : function_(function) {
    const bool has_one_size = function == Function::alltoall || function == Function::allgather;
    const int own = world_rank();
    for (const bool is_sent : {true, false}) {
      Side& side = is_sent ? sent_ : received_;
      side.memory.reserve(1);  // MPI refuses null pointers also where there are no neighbours
      side.counts.reserve(1);
      side.displacements.reserve(1);
      side.far.reserve(1);
      side.types.reserve(1);
      std::vector<int> neighbours = is_sent ? lists.destinations : lists.sources;
      for (const int neighbour : neighbours) {
        int count = has_one_size ? 2
                    : is_sent    ? length_of(own, neighbour, round)
                                 : length_of(neighbour, own, round);
        if (function == Function::allgatherv) count = 1 + (is_sent ? own : neighbour + 4) % 4;
        side.counts.push_back(count);
        side.displacements.push_back(static_cast<int>(side.memory.size()));
        side.far.push_back(static_cast<MPI_Aint>(side.memory.size() * sizeof(int)));
        side.types.push_back(side.counts.size() % 2 == 0 ? MPI_INT : spread_.get());
        if (function != Function::alltoallw) side.types.back() = MPI_INT;
        side.memory.resize(
            side.memory.size() + static_cast<std::size_t>(2 * count + 1 - (has_one_size ? count + 1 : 0)),
            -1);
      }
    }
    gathered_count_ = function == Function::allgather ? 2 : 1 + own % 4;
    if (gathers()) sent_.memory.resize(static_cast<std::size_t>(std::max(gathered_count_, 1)), -1);
    for (std::size_t i = 0; i < sent_.memory.size(); ++i)
      sent_.memory[i] = 10000 * (own + 1) + 1000 * round + static_cast<int>(i);
  }

  bool gathers() const { return function_ == Function::allgather || function_ == Function::allgatherv; }

  NeighbourCall call() {
    const Blocks equal_sent{sent_.memory.data(), gathers() ? gathered_count_ : 2, MPI_INT};
    const Blocks equal_received{received_.memory.data(), 2, MPI_INT};
    const Blocks unequal_received{received_.memory.data(), received_.counts, received_.displacements,
                                  MPI_INT};
    switch (function_) {
      case Function::alltoall:
      case Function::allgather:
        return {function_, equal_sent, equal_received};
      case Function::allgatherv:
        return {function_, equal_sent, unequal_received};
      case Function::alltoallv:
        return {function_, Blocks{sent_.memory.data(), sent_.counts, sent_.displacements, MPI_INT},
                unequal_received};
      case Function::alltoallw:
        break;
    }
    return {function_,
            Blocks{sent_.memory.data(), sent_.counts, std::span<const MPI_Aint>(sent_.far), sent_.types},
            Blocks{received_.memory.data(), received_.counts, std::span<const MPI_Aint>(received_.far),
                   received_.types}};
  }

  const std::vector<int>& received() const { return received_.memory; }
  void forget() { std::ranges::fill(received_.memory, -1); }

 private:
  struct Side {
    std::vector<int> counts;
    std::vector<int> displacements;
    std::vector<MPI_Aint> far;
    std::vector<MPI_Datatype> types;
    std::vector<int> memory;
  };

  Function function_;
  SpreadType spread_{1};
  Side sent_;
  Side received_;
  int gathered_count_ = 0;
};

/// Returns whether a process has the same neighbour twice. All processes must call this.
bool has_repeated_edges(const NeighbourLists& lists) {
  const auto repeats = [](std::vector<int> ranks) {
    std::ranges::sort(ranks);
    return std::ranges::adjacent_find(ranks) != ranks.end();
  };
  int has_any = repeats(lists.sources) || repeats(lists.destinations) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &has_any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  return has_any == 1;
}

/// Expects that several calls of every function, and requests, bring what MPI's own function brings.
void expect_as_mpi(MPI_Comm graph, const std::string& request, std::optional<bool> has_stencil = {}) {
  SCOPED_TRACE(request);
  const auto lists = neighbours_of(graph);
  ASSERT_TRUE(lists);
  // MPICH 4.0.2 reverses the blocks of repeated edges in some of its functions.
  if (runs_with_mpich() && has_repeated_edges(*lists)) return;
  NeighbourPlans plans(graph, CommContext::on(MPI_COMM_WORLD), facts_with(request));
  if (has_stencil) {
    EXPECT_EQ(plans.has_stencil(), *has_stencil);
  }
  for (const Function function : all_functions) {
    for (int round = 0; round < 3; ++round) {
      SCOPED_TRACE(std::to_string(static_cast<int>(function)) + " in round " + std::to_string(round));
      Data expected(function, *lists, round);
      expected.call().call_mpi(graph);
      Data data(function, *lists, round);
      plans.run(data.call());
      EXPECT_EQ(data.received(), expected.received());
      Data by_request(function, *lists, round);
      const auto started = plans.prepare(by_request.call());
      started->start();
      started->wait();
      EXPECT_EQ(by_request.received(), expected.received());
      Data persistent(function, *lists, round);
      const auto made = plans.prepare(persistent.call(), NeighbourPlans::Agreement::on_sizes);
      for (int start = 0; start < 2; ++start) {
        persistent.forget();
        made->start();
        made->wait();
        EXPECT_EQ(persistent.received(), expected.received());
      }
    }
  }
}

TEST(Neighbours, get_the_blocks_of_stencils_as_by_mpi_directly_and_combined) {
  for (const Grid& grid : grids()) {
    SCOPED_TRACE(to_string(grid));
    const NeighbourGrid edges(grid, offsets_on(grid));
    const OwnedComm graph = distributed_graph(lists_of(edges));
    for (const char* request : {"combined", "direct", "mpi", ""}) expect_as_mpi(graph.get(), request);
  }
}

TEST(Neighbours, of_the_full_stencil_are_recognised) {
  const auto p = static_cast<std::uint32_t>(world_size());
  if (p < 8 || p % 4 != 0) GTEST_SKIP() << "needs 4 rows of 2 or more processes";
  const Grid grid({{4, Ends::wrapped}, {p / 4, Ends::wrapped}});
  const OwnedComm graph = distributed_graph(lists_of(NeighbourGrid(grid, offsets_on(grid))));
  expect_as_mpi(graph.get(), "combined", true);
}

TEST(Neighbours, of_cartesian_communicators_get_their_blocks) {
  const int p = world_size();
  for (const int periodic : {0, 1}) {
    for (int extent = 1; extent <= p; ++extent) {
      if (p % extent != 0) continue;
      SCOPED_TRACE(std::to_string(extent) + (periodic == 1 ? " periodic" : ""));
      const bool repeats = periodic == 1 && (extent <= 2 || p / extent <= 2);
      if (repeats) continue;  // versions of MPI differ in which of two blocks is which
      const OwnedComm graph = cartesian({extent, p / extent}, {periodic, periodic});
      for (const char* request : {"direct", "combined", ""}) expect_as_mpi(graph.get(), request);
    }
  }
}

TEST(Neighbours, that_are_one_process_on_both_sides_of_a_cartesian_axis_get_the_block_of_the_other_side) {
  const int p = world_size();
  for (const int extent : {1, 2}) {
    if (p != extent) continue;
    const OwnedComm graph = cartesian({extent}, {1});
    NeighbourPlans plans(graph.get(), CommContext::on(MPI_COMM_WORLD), facts_with("direct"));
    const int other = (world_rank() + 1) % extent;
    const std::vector<int> sent{10 * world_rank(), 10 * world_rank() + 1};
    std::vector<int> received(2);
    plans.run({Function::alltoall, Blocks{sent.data(), 1, MPI_INT}, Blocks{received.data(), 1, MPI_INT}});
    EXPECT_EQ(received, (std::vector<int>{10 * other + 1, 10 * other}));
  }
}

TEST(Neighbours, of_graphs_that_are_no_stencil_go_directly) {
  const int own = world_rank();
  const int p = world_size();
  NeighbourLists star;  // process 0 and all others, and each to itself
  for (int r = own == 0 ? 1 : 0; r < (own == 0 ? p : 1); ++r) {
    star.sources.push_back(r);
    star.destinations.push_back(r);
  }
  star.sources.push_back(own);
  star.destinations.push_back(own);
  const OwnedComm graph = distributed_graph(star);
  for (const char* request : {"direct", "combined", ""}) expect_as_mpi(graph.get(), request);
  const OwnedComm none = distributed_graph({});
  for (const char* request : {"direct", "combined", ""}) expect_as_mpi(none.get(), request, false);
}

TEST(Neighbours, of_a_graph_of_mpi_1_get_their_blocks) {
  const int p = world_size();
  if (p < 2) GTEST_SKIP() << "needs two processes";
  std::vector<int> ends;
  std::vector<int> edges;
  for (int r = 0; r < p; ++r) {
    edges.push_back((r + 1) % p);
    if (p > 2) edges.push_back((r + p - 1) % p);
    ends.push_back(static_cast<int>(edges.size()));
  }
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Graph_create(MPI_COMM_WORLD, p, ends.data(), edges.data(), 0, &made);
  const OwnedComm graph = OwnedComm::adopt(made);
  for (const char* request : {"direct", "combined", ""}) expect_as_mpi(graph.get(), request);
  const OwnedComm like = with_topology_of(graph.get(), MPI_COMM_WORLD);
  EXPECT_EQ(neighbours_of(like.get()), neighbours_of(graph.get()));
}

TEST(Neighbours, send_one_message_for_each_direction_on_an_axis) {
  const auto p = static_cast<std::uint32_t>(world_size());
  if (p < 12 || p % 4 != 0) GTEST_SKIP() << "needs 4 rows of 3 or more processes";
  const Grid grid({{4, Ends::wrapped}, {p / 4, Ends::wrapped}});
  auto offsets = offsets_on(grid);
  offsets.pop_back();
  const OwnedComm graph = distributed_graph(lists_of(NeighbourGrid(grid, offsets)));
  NeighbourPlans plans(graph.get(), CommContext::on(MPI_COMM_WORLD), facts_with("combined"));
  Data first(Function::alltoall, *neighbours_of(graph.get()), 0);
  plans.run(first.call());
  counted_calls().reset();
  plans.run(first.call());
  EXPECT_EQ(counted_calls().messages, 4);
}

TEST(Neighbours, with_blocks_of_several_sizes_combine_requests_once_sizes_are_agreed_on) {
  const auto p = static_cast<std::uint32_t>(world_size());
  if (p < 12 || p % 4 != 0) GTEST_SKIP() << "needs 4 rows of 3 or more processes";
  const Grid grid({{4, Ends::wrapped}, {p / 4, Ends::wrapped}});
  const OwnedComm graph = distributed_graph(lists_of(NeighbourGrid(grid, full_stencil(2))));
  const auto lists = *neighbours_of(graph.get());
  for (const Function function : {Function::alltoallv, Function::alltoallw, Function::allgatherv}) {
    NeighbourPlans plans(graph.get(), CommContext::on(MPI_COMM_WORLD), facts_with("combined"));
    const auto messages_by = [&](NeighbourPlans::Agreement agreement) {
      Data data(function, lists, 0);
      plans.prepare(data.call(), agreement);  // which makes the plan
      const auto request = plans.prepare(data.call(), agreement);
      counted_calls().reset();
      request->start();
      request->wait();
      return counted_calls().messages.load();
    };
    const int alone = messages_by(NeighbourPlans::Agreement::none);
    EXPECT_GT(alone, 4) << "nothing is agreed on";
    EXPECT_EQ(messages_by(NeighbourPlans::Agreement::on_sizes), 4);
    EXPECT_EQ(messages_by(NeighbourPlans::Agreement::none), 4) << "the last agreement holds";
  }
}

TEST(Neighbours, refuse_what_breaks_a_rule) {
  const OwnedComm graph = distributed_graph({{world_rank()}, {world_rank()}, false});
  const auto text_of = [&](const NeighbourCall& call) {
    NeighbourPlans plans(graph.get(), CommContext::on(MPI_COMM_WORLD), facts_with("direct"));
    return message_of([&] { plans.run(call); });
  };
  int number = 0;
  EXPECT_EQ(text_of({Function::alltoall, Blocks{MPI_IN_PLACE, 1, MPI_INT}, Blocks{&number, 1, MPI_INT}}),
            "MPI_IN_PLACE has no meaning for neighbours");
  EXPECT_EQ(text_of({Function::alltoall, Blocks{&number, -1, MPI_INT}, Blocks{&number, -1, MPI_INT}}),
            "count -1 is negative");
  EXPECT_EQ(text_of({Function::alltoall, Blocks{&number, 2, MPI_INT}, Blocks{&number, 1, MPI_INT}}),
            "blocks that are sent and received have different sizes");
  EXPECT_EQ(
      message_of([] { NeighbourPlans(MPI_COMM_WORLD, CommContext::on(MPI_COMM_WORLD), facts_with("")); }),
      "the communicator has no topology, so processes have no neighbours");
}

TEST(Neighbours, of_a_handle_are_those_of_its_communicator_whatever_the_placement_is) {
  const auto p = static_cast<std::uint32_t>(world_size());
  const Grid ring({{p, Ends::wrapped}});
  const OwnedComm graph = distributed_graph(lists_of(NeighbourGrid(ring, {{1}, {2}, {-1}})));
  std::string rule = "nodes=";
  for (std::uint32_t r = 0; r < p; ++r) rule += (r == 0 ? "" : "-") + std::to_string(p - 1 - r);
  cubefold_comm comm = nullptr;
  ASSERT_EQ(
      cubefold_comm_create(graph.get(), to_string(Grid({p}, Ends::wrapped)).c_str(), rule.c_str(), &comm),
      CUBEFOLD_SUCCESS)
      << cubefold_last_error();
  const auto lists = *neighbours_of(graph.get());
  std::vector<int> sent(lists.destinations.size());
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = 100 * world_rank() + static_cast<int>(i);
  std::vector<int> expected(lists.sources.size());
  MPI_Neighbor_alltoall(sent.data(), 1, MPI_INT, expected.data(), 1, MPI_INT, graph.get());
  std::vector<int> received(expected.size());
  EXPECT_EQ(cubefold_neighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm),
            CUBEFOLD_SUCCESS);
  EXPECT_EQ(received, expected);
  std::ranges::fill(received, 0);
  cubefold_request request = nullptr;
  EXPECT_EQ(cubefold_ineighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm, &request),
            CUBEFOLD_SUCCESS);
  EXPECT_EQ(cubefold_wait(&request), CUBEFOLD_SUCCESS);
  EXPECT_EQ(received, expected);
  EXPECT_EQ(
      cubefold_neighbor_alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm, &request),
      CUBEFOLD_SUCCESS);
  for (int i = 0; i < 3; ++i) {
    std::ranges::fill(received, 0);
    EXPECT_EQ(cubefold_alltoall_start(request), CUBEFOLD_SUCCESS);
    EXPECT_EQ(cubefold_wait(&request), CUBEFOLD_SUCCESS);
    EXPECT_EQ(received, expected);
  }
  EXPECT_EQ(cubefold_alltoall_free(&request), CUBEFOLD_SUCCESS);
  EXPECT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS);
}

TEST(Neighbours, are_explained) {
  const auto p = static_cast<std::uint32_t>(world_size());
  if (p < 8 || p % 4 != 0) GTEST_SKIP() << "needs 4 rows of 2 or more processes";
  const Grid grid({{4, Ends::wrapped}, {p / 4, Ends::wrapped}});
  const OwnedComm graph = distributed_graph(lists_of(NeighbourGrid(grid, full_stencil(2))));
  const auto text_by = [&](const char* request, std::size_t bytes) {
    return NeighbourPlans(graph.get(), CommContext::on(MPI_COMM_WORLD), facts_with(request)).text_for(bytes);
  };
  EXPECT_EQ(text_by("combined", 8),
            "neighbours with blocks of 8 bytes: combined: CUBEFOLD_NEIGHBORS says so; requests: combined\n");
  EXPECT_EQ(text_by("mpi", 8),
            "neighbours with blocks of 8 bytes: MPI's own function: CUBEFOLD_NEIGHBORS says so; requests: "
            "direct\n");
  const std::string measured = text_by("", 8);
  EXPECT_NE(measured.find("combined"), std::string::npos) << measured;
  EXPECT_NE(
      text_by("", std::size_t{1} << 24).find("MPI's own function: combined messages are predicted to take"),
      std::string::npos);
  const OwnedComm cart = cartesian({world_size()}, {1});
  EXPECT_NE(NeighbourPlans(cart.get(), CommContext::on(MPI_COMM_WORLD), facts_with(""))
                .text_for(8)
                .find("no stencil is recognised"),
            std::string::npos);
  NeighbourPlans plans(graph.get(), CommContext::on(MPI_COMM_WORLD), facts_with("direct"));
  Data data(Function::alltoallv, *neighbours_of(graph.get()), 0);
  plans.run(data.call());
  const std::string unequal = plans.text_for(8);
  EXPECT_NE(unequal.find("neighbours with blocks of several sizes the last time, with "), std::string::npos)
      << unequal;
}

/// Returns a graph of all processes in 4 rows. Requires that 4 divides their number.
OwnedComm full_stencil_in_4_rows() {
  const Grid grid({{4, Ends::wrapped}, {static_cast<std::uint32_t>(world_size()) / 4, Ends::wrapped}});
  return distributed_graph(lists_of(NeighbourGrid(grid, full_stencil(2))));
}

// A program computes between its calls, here for longer after those of combined messages.
TEST(Neighbours, are_measured_without_what_the_program_does_between_calls) {
  if (world_size() < 8 || world_size() % 4 != 0) GTEST_SKIP() << "needs 4 rows of 2 or more processes";
  const OwnedComm graph = full_stencil_in_4_rows();
  const SlowNetwork network;
  SlowNetwork::neighbour_seconds = 10;
  SlowNetwork::message_seconds = 1e-3;
  NeighbourPlans plans(graph.get(), CommContext::on(MPI_COMM_WORLD), facts_with(""));
  for (int call = 0; call < 128; ++call) {
    Data data(Function::alltoallv, *neighbours_of(graph.get()), 0);
    counted_calls().reset();
    plans.run(data.call());
    if (counted_calls().messages > 0) SlowNetwork::now_seconds += 1000;
  }
  const std::string text = plans.text_for(8);
  EXPECT_NE(text.find("combined, fastest of "), std::string::npos) << text;
}

TEST(Neighbours, of_mpis_own_function_are_passed_on_once_it_is_chosen_but_where_processes_agree) {
  if (world_size() < 8 || world_size() % 4 != 0) GTEST_SKIP() << "needs 4 rows of 2 or more processes";
  const OwnedComm graph = full_stencil_in_4_rows();
  const SlowNetwork network;
  SlowNetwork::neighbour_seconds = 1e-3;
  SlowNetwork::message_seconds = 1;
  for (const Function function : {Function::alltoallv, Function::alltoall}) {
    NeighbourPlans plans(graph.get(), CommContext::on(MPI_COMM_WORLD), facts_with(""));
    Data data(function, *neighbours_of(graph.get()), 0);
    std::vector<int> ours;
    constexpr int call_count = 600;
    for (int number = 1; number <= call_count; ++number) {
      const NeighbourCall call = data.call();
      const auto bytes = call.block_bytes();
      if (bytes ? plans.leaves_next_to_mpi(*bytes) : plans.leaves_next_to_mpi()) continue;
      ours.push_back(number);
      plans.run(call);
    }
    EXPECT_LT(ours.size(), 150U) << "most calls come after the choice";
    if (function != Function::alltoallv) continue;
    EXPECT_EQ(std::vector<int>(ours.end() - 2, ours.end()), (std::vector{256, 512}))
        << "processes agree on sizes";
  }
}

TEST(Neighbours, of_a_handle_with_a_topology_are_part_of_its_explanation) {
  const OwnedComm cart = cartesian({world_size()}, {1});
  cubefold_comm comm = nullptr;
  ASSERT_EQ(cubefold_comm_create(cart.get(), nullptr, nullptr, &comm), CUBEFOLD_SUCCESS);
  const char* text = nullptr;
  ASSERT_EQ(cubefold_explain(comm, 8, &text), CUBEFOLD_SUCCESS);
  EXPECT_NE(std::string(text).find("\nneighbours with blocks of 8 bytes: MPI's own function: "),
            std::string::npos)
      << text;
  EXPECT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS);
}

TEST(Neighbours, are_refused_on_a_handle_without_a_topology) {
  cubefold_comm comm = nullptr;
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, nullptr, nullptr, &comm), CUBEFOLD_SUCCESS);
  EXPECT_EQ(cubefold_neighbor_allgather(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, comm),
            CUBEFOLD_ERROR_ARGUMENT);
  EXPECT_EQ(
      std::string(cubefold_last_error()),
      "cubefold_neighbor_allgather: the handle was made of a communicator without a topology, so it has no "
      "neighbours");
  EXPECT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS);
}

}  // namespace
}  // namespace cubefold::mpi
