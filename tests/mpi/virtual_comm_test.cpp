#include "cubefold/mpi/virtual_comm.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "cubefold/mpi/error.hpp"
#include "cubefold/plan/mapping.hpp"
#include "mpi/settings.hpp"
#include "support/message_of.hpp"
#include "support/variable.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

template <typename Visit>
void for_each_placement(Visit visit) {
  for (const auto& grid : grids_of_world()) {
    for (const auto& rule : rules_of_world()) {
      const VirtualComm comm(MPI_COMM_WORLD, grid, rule);
      visit(comm);
    }
  }
}

TEST(VirtualComm, ranks_processes_as_the_placement_says) {
  for_each_placement([](const VirtualComm& comm) {
    const auto expected = comm.placement().rank_of(static_cast<GridNode>(world_rank()));
    EXPECT_EQ(comm.rank(), expected);
    EXPECT_EQ(rank_in(comm.virtual_comm()), static_cast<int>(label(expected)));
  });
}

TEST(VirtualComm, takes_networks_with_route_tables) {
  for (const auto& network : other_networks_of_world()) {
    const VirtualComm comm(MPI_COMM_WORLD, network, "identity");
    EXPECT_EQ(to_string(comm.grid()), network);
    EXPECT_EQ(static_cast<int>(label(comm.rank())), world_rank());
  }
}

/// Writes a ring of all processes as a network file. The first cable is missing in that of process 1.
void write_ring(const std::filesystem::path& file) {
  std::string nodes;
  std::string cables;
  for (int node = 0; node < world_size(); ++node) {
    nodes += fmt::format("{}\"{}\"", node == 0 ? "" : ", ", node);
    if (world_rank() == 1 && node == 0) continue;
    cables += fmt::format("{}[\"{}\", \"{}\"]", cables.empty() ? "" : ", ", node, (node + 1) % world_size());
  }
  std::ofstream(file) << fmt::format("{{\"nodes\": [{}], \"cables\": [{}]}}", nodes, cables);
}

TEST(VirtualComm, refuses_network_files_of_one_name_that_differ) {
  if (world_size() < 3) GTEST_SKIP() << "two networks need at least 3 processes";
  const auto before = std::filesystem::current_path();
  const std::filesystem::path folder =
      testing::TempDir() + fmt::format("process-{}-{}", world_rank(), getpid());
  std::filesystem::create_directory(folder);
  write_ring(folder / "network.json");
  std::filesystem::current_path(folder);
  const auto message = message_of([] { VirtualComm(MPI_COMM_WORLD, "file:network.json", "identity"); });
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
  EXPECT_NE(message.find("file:network.json (links and routes "), std::string::npos) << message;
}

TEST(VirtualComm, keeps_the_given_order_on_the_grid) {
  for_each_placement([](const VirtualComm& comm) { EXPECT_EQ(rank_in(comm.cart_comm()), world_rank()); });
}

TEST(VirtualComm, has_cartesian_coordinates_that_are_ours_in_reverse) {
  for_each_placement([](const VirtualComm& comm) {
    const Grid& grid = comm.grid();
    const auto axis_count = static_cast<std::size_t>(grid.axis_count());
    std::vector<int> extents(axis_count + 1);
    std::vector<int> periodic(axis_count + 1);
    std::vector<int> coordinates(axis_count + 1);
    for (int node = 0; node < world_size(); ++node) {
      MPI_Cart_get(comm.cart_comm(), grid.axis_count(), extents.data(), periodic.data(), coordinates.data());
      MPI_Cart_coords(comm.cart_comm(), node, grid.axis_count(), coordinates.data());
      for (std::size_t axis = 0; axis < axis_count; ++axis) {
        const std::size_t theirs = axis_count - 1 - axis;
        EXPECT_EQ(extents[theirs], static_cast<int>(grid.axes()[axis].extent));
        EXPECT_EQ(periodic[theirs] != 0, grid.axes()[axis].ends == Ends::wrapped);
        EXPECT_EQ(coordinates[theirs],
                  static_cast<int>(grid.coordinate(static_cast<GridNode>(node), static_cast<int>(axis))));
      }
    }
  });
}

TEST(VirtualComm, translates_both_ways) {
  for_each_placement([](const VirtualComm& comm) {
    for (int node = 0; node < world_size(); ++node) EXPECT_EQ(comm.to_physical(comm.to_virtual(node)), node);
    EXPECT_EQ(comm.to_virtual(world_rank()), static_cast<int>(label(comm.rank())));
    const std::string end = std::to_string(world_size() - 1);
    EXPECT_EQ(message_of([&] { (void)comm.to_virtual(world_size()); }),
              "node " + std::to_string(world_size()) + " is not in 0 .. " + end);
    EXPECT_EQ(message_of([&] { (void)comm.to_physical(-1); }), "virtual rank -1 is not in 0 .. " + end);
  });
}

TEST(VirtualComm, works_over_a_communicator_in_another_order) {
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &reversed);
  {
    const VirtualComm comm(reversed, ring_of_world(), "identity");
    EXPECT_EQ(rank_in(comm.virtual_comm()), world_size() - 1 - world_rank());
  }
  MPI_Comm_free(&reversed);
}

TEST(VirtualComm, refuses_a_grid_of_another_size) {
  const std::string grid = "ring:" + std::to_string(world_size() + 1);
  const std::string there =
      world_size() == 1 ? "is 1 process" : "are " + std::to_string(world_size()) + " processes";
  EXPECT_EQ(message_of([&] { VirtualComm(MPI_COMM_WORLD, grid, "identity"); }),
            "grid '" + grid + "' has " + std::to_string(world_size() + 1) + " nodes, but there " + there);
}

TEST(VirtualComm, fails_on_all_processes_if_one_has_another_size_kind_or_rule) {
  if (world_size() == 1) GTEST_SKIP() << "needs two processes that can differ";
  const bool odd_one = world_rank() == world_size() - 1;
  const std::string who =
      "process " + std::to_string(world_size() - 1) + " of " + std::to_string(world_size()) + ": ";
  const std::string line = "line:" + std::to_string(world_size());
  EXPECT_EQ(
      message_of([&] { VirtualComm(MPI_COMM_WORLD, odd_one ? "ring:77" : ring_of_world(), "identity"); }),
      who + "grid 'ring:77' differs from '" + ring_of_world() + "' of process 0");
  EXPECT_EQ(message_of([&] { VirtualComm(MPI_COMM_WORLD, odd_one ? "" : ring_of_world(), "identity"); }),
            who + "grid '': expected a kind and a colon, as in torus:8x8");
  if (world_size() > 2) {
    EXPECT_EQ(message_of([&] { VirtualComm(MPI_COMM_WORLD, odd_one ? line : ring_of_world(), "identity"); }),
              who + "grid '" + line + "' differs from '" + ring_of_world() + "' of process 0");
  }
  if (world_is_a_cube()) {
    EXPECT_EQ(message_of([&] { VirtualComm(MPI_COMM_WORLD, ring_of_world(), odd_one ? "gray" : "xor"); }),
              who + "placement 'gray' differs from 'xor' of process 0");
  }
}

TEST(VirtualComm, places_ranks_for_phases_on_all_processes_alike) {
  if (!world_is_a_cube()) {
    EXPECT_EQ(message_of([] { VirtualComm(MPI_COMM_WORLD, ring_of_world(), "auto:cube"); }),
              "phase 'cube': " + std::to_string(world_size()) + " ranks are no power of two");
    return;
  }
  if (world_size() == 1) return;
  for (const auto& text : grids_of_world()) {
    const VirtualComm comm(MPI_COMM_WORLD, text, "auto:cube+bit-reversal*2");
    const Placement chosen = place(parse_grid(text), "auto:cube+bit-reversal*2");
    EXPECT_EQ(comm.placement().rule(), chosen.rule());
    EXPECT_EQ(rank_in(comm.virtual_comm()),
              static_cast<int>(label(chosen.rank_of(static_cast<GridNode>(world_rank())))));
  }
}

TEST(VirtualComm, takes_differently_written_texts_of_one_grid_as_equal) {
  if (world_size() != 4) GTEST_SKIP() << "written for 4 processes";
  EXPECT_NO_THROW(VirtualComm(MPI_COMM_WORLD, world_rank() == 0 ? "hypercube:2" : "mesh:2x2", "identity"));
}

/// Returns the rule that reverses the nodes: `nodes=2-1-0` for three processes.
std::string reversed_nodes() {
  std::string text = "nodes=";
  for (int node = world_size() - 1; node >= 0; --node) text += std::to_string(node) + (node > 0 ? "-" : "");
  return text;
}

TEST(VirtualComm, reads_the_environment_where_no_text_is_given) {
  const Variable grid("CUBEFOLD_GRID", "line:" + std::to_string(world_size()), Variable::Where::everywhere);
  const Variable placement("CUBEFOLD_PLACEMENT", reversed_nodes(), Variable::Where::everywhere);
  const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
  EXPECT_EQ(comm.grid(), parse_grid("line:" + std::to_string(world_size())));
  EXPECT_EQ(to_string(comm.placement().rule()), reversed_nodes());
  EXPECT_EQ(VirtualComm(MPI_COMM_WORLD, ring_of_world(), "identity").grid(), parse_grid(ring_of_world()));
}

TEST(VirtualComm, assumes_no_network_where_nothing_is_said) {
  const auto expect_line_in_place = [] {
    const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
    EXPECT_FALSE(comm.knows_network());
    EXPECT_EQ(nodes_text(comm), "unknown network");
    EXPECT_EQ(comm.grid(), parse_grid("line:" + std::to_string(world_size())));
    EXPECT_EQ(to_string(comm.placement().rule()), "identity");
  };
  {
    const Variable grid("CUBEFOLD_GRID", "", Variable::Where::everywhere);
    const Variable placement("CUBEFOLD_PLACEMENT", "", Variable::Where::everywhere);
    expect_line_in_place();
  }
  expect_line_in_place();  // the variables are unset now
}

TEST(VirtualComm, fails_on_all_processes_if_one_has_another_environment) {
  if (world_size() == 1) GTEST_SKIP() << "needs two processes that can differ";
  const std::string line = "line:" + std::to_string(world_size());
  const Variable grid("CUBEFOLD_GRID", line);
  EXPECT_NE(message_of([] {
              VirtualComm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
            }).find("grid 'auto' differs from '" + line + "' of process 0"),
            std::string::npos);
}

TEST(VirtualComm, refuses_what_is_no_intra_communicator) {
  EXPECT_EQ(message_of([] { VirtualComm(MPI_COMM_NULL, "ring:1", "identity"); }),
            "the communicator is MPI_COMM_NULL");
  if (world_size() == 1) return;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() == 0 ? 0 : 1, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, world_rank() == 0 ? 1 : 0, 0, &both);
  EXPECT_EQ(message_of([&] { VirtualComm(both, ring_of_world(), "identity"); }),
            "the communicator is an inter-communicator; an intra-communicator is needed");
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

TEST(VirtualComm, keeps_the_hints_that_it_was_made_with) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "grid", ring_of_world().c_str());
  MPI_Info_set(info, "trials", "7");
  MPI_Info_set(info, "ports", "all");
  MPI_Info_set(info, "no hint of cubefold", "ignored");
  const VirtualComm comm(MPI_COMM_WORLD, info);
  MPI_Info_free(&info);
  EXPECT_EQ(comm.grid(), parse_grid(ring_of_world()));
  EXPECT_EQ(to_string(*comm.hints()), "grid=" + ring_of_world() + " trials=7 ports=all");
  EXPECT_EQ(comm.duplicate().hints(), comm.hints());
}

}  // namespace
}  // namespace cubefold::mpi
