// How a handle finds its network and the nodes of its processes.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/topology/route.hpp"
#include "mpi/job_nodes.hpp"
#include "mpi/plan_cache.hpp"
#include "support/file_of_world.hpp"
#include "support/message_of.hpp"
#include "support/numbered_blocks.hpp"
#include "support/several_hosts.hpp"
#include "support/variable.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

constexpr auto everywhere = Variable::Where::everywhere;

/// The hosts of a job in an order of their own: process p is on host 2 - p % 3.
int own_host() {
  return 2 - world_rank() % 3;
}

/// A host map of the hosts n0, n1 and n2 at nodes 0, 1 and 3 of a ring of 4.
class HostMapFile {
 public:
  explicit HostMapFile(const std::string& slots = "") : file_("cubefold-hosts") {
    if (world_rank() == 0) {
      std::ofstream(file_.path)
          << R"({"format_version": 1, "network": "ring:4", "source": "the test", "hosts": [)"
          << R"({"name": "n0", "at": [0]}, {"name": "n1.cluster", "at": [1]}, {"name": "n2", "at": [3])"
          << slots << "}]}";
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  const std::string& path() const { return file_.path; }

 private:
  FileOfWorld file_;
};

/// Expects an exchange over the handle to bring every block, by every backend that CUBEFOLD_ALLTOALL can name.
void expect_exchanges(const VirtualComm& comm) {
  for (const char* request : {"mpi", "linear", "direct", "nodes:direct"}) {
    const Variable variable("CUBEFOLD_ALLTOALL", request, everywhere);
    PlanCache plans(comm);
    const auto rank = static_cast<int>(label(comm.rank()));
    const auto send = sent_by(rank, world_size(), 3);
    std::vector<int> receive(send.size());
    plans.for_blocks(12)->run({send.data(), 3, MPI_INT, receive.data(), 3, MPI_INT});
    EXPECT_EQ(receive, received_by(rank, world_size(), 3)) << request;
  }
}

TEST(JobNodes, are_those_of_the_host_map_that_the_environment_names) {
  const SeveralHosts hosts(own_host());
  const HostMapFile file;
  const Variable variable("CUBEFOLD_HOSTS", file.path());
  const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
  EXPECT_TRUE(comm.knows_network());
  EXPECT_EQ(comm.source(), "the file '" + file.path() + "' (the test)");
  if (world_size() >= 4) {
    ASSERT_NE(comm.sharing(), nullptr);
    EXPECT_EQ(comm.sharing()->group_count(), 3U);
    EXPECT_EQ(comm.sharing()->node_of(comm.rank()),
              comm.sharing()->node_of_group(static_cast<std::size_t>(own_host())));
  }
  expect_exchanges(comm);
}

TEST(JobNodes, do_without_packets_where_ranks_share_nodes) {
  if (world_size() < 4) GTEST_SKIP() << "needs more processes than hosts";
  const SeveralHosts hosts(own_host());
  const HostMapFile file;
  const Variable variable("CUBEFOLD_HOSTS", file.path());
  const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
  PlanCache plans(comm);
  EXPECT_FALSE(plans.for_blocks(1024)->suits_packets());
}

TEST(JobNodes, keep_the_links_of_missing_nodes_where_routes_may_use_them) {
  if (world_size() < 3) GTEST_SKIP() << "needs all three hosts";
  const SeveralHosts hosts(own_host());
  const HostMapFile file;
  const Variable variable("CUBEFOLD_HOSTS", file.path());
  const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
  EXPECT_EQ(to_string(comm.network()), "ring:4,without=2");
  EXPECT_EQ(distance_hops(comm.network(), GridNode{1}, GridNode{2}), 2U);
}

TEST(JobNodes, may_be_told_by_every_process_and_leave_nodes_out) {
  const auto own = static_cast<std::uint32_t>(4 + 2 * world_rank());
  const VirtualComm comm = VirtualComm::on_nodes(MPI_COMM_WORLD, parse_grid("torus:6x6"), GridNode{own});
  EXPECT_EQ(comm.network().node_count(), static_cast<std::size_t>(world_size()));
  EXPECT_EQ(comm.sharing(), nullptr);
  EXPECT_EQ(comm.rank(), static_cast<Rank>(world_rank()));
  expect_exchanges(comm);
}

TEST(JobNodes, count_as_unknown_links_where_a_large_network_has_nodes_without_processes) {
  const auto own = static_cast<std::uint32_t>(40 * world_rank());
  const VirtualComm comm = VirtualComm::on_nodes(MPI_COMM_WORLD, parse_grid("torus:40x40"), GridNode{own});
  EXPECT_FALSE(comm.knows_network());
  EXPECT_EQ(comm.source(), "torus:40x40 has nodes without processes, and more than 1024 nodes");
  expect_exchanges(comm);
}

TEST(JobNodes, name_the_host_that_is_not_in_the_map) {
  const SeveralHosts hosts(world_rank() == world_size() - 1 ? 7 : 0);
  const HostMapFile file;
  const Variable variable("CUBEFOLD_HOSTS", file.path());
  const std::string text = message_of([] { VirtualComm(MPI_COMM_WORLD, std::nullopt, std::nullopt); });
  EXPECT_NE(text.find("host 'n7' of the job is not in the file '" + file.path() + "' (the test)"),
            std::string::npos)
      << text;
}

TEST(JobNodes, name_the_host_that_has_too_few_slots) {
  if (world_size() < 2) GTEST_SKIP() << "needs two processes on a host";
  const SeveralHosts hosts(2);
  const HostMapFile file(R"(, "slots": 1)");
  const Variable variable("CUBEFOLD_HOSTS", file.path());
  const std::string text = message_of([] { VirtualComm(MPI_COMM_WORLD, std::nullopt, std::nullopt); });
  EXPECT_NE(text.find("host 'n2' on node 3 of ring:4 (the test) has 1 slots, but the job has " +
                      std::to_string(world_size()) + " processes there"),
            std::string::npos)
      << text;
}

TEST(JobNodes, name_the_map_that_cannot_be_read) {
  const Variable variable("CUBEFOLD_HOSTS", "nowhere/hosts.json");
  const std::string text = message_of([] { VirtualComm(MPI_COMM_WORLD, std::nullopt, std::nullopt); });
  EXPECT_NE(text.find("nowhere/hosts.json"), std::string::npos) << text;
}

TEST(JobNodes, of_a_named_grid_are_the_hosts_in_the_order_of_their_lowest_processes) {
  if (world_size() < 4) GTEST_SKIP() << "needs more processes than hosts";
  const SeveralHosts hosts(own_host());
  const VirtualComm comm(MPI_COMM_WORLD, "ring:3", std::nullopt);
  ASSERT_NE(comm.sharing(), nullptr);
  EXPECT_EQ(static_cast<int>(comm.sharing()->node_of(comm.rank())), world_rank() % 3);
  expect_exchanges(comm);
}

TEST(JobNodes, of_a_named_grid_are_refused_if_there_are_other_numbers_of_hosts) {
  if (world_size() != 8) GTEST_SKIP() << "written for 8 processes";
  const SeveralHosts hosts(own_host());
  EXPECT_NE(message_of([] {
              VirtualComm(MPI_COMM_WORLD, "ring:4", std::nullopt);
            }).find("grid 'ring:4' has 4 nodes, but there are 8 processes on 3 hosts"),
            std::string::npos);
}

TEST(JobNodes, with_unequal_numbers_of_processes_have_no_placement_for_phases) {
  if (world_size() != 4) GTEST_SKIP() << "written for 4 processes";
  const SeveralHosts hosts(world_rank() == 0 ? 0 : 1);
  for (const char* text : {"auto:cube", "auto:halo:2x2"}) {
    EXPECT_EQ(
        message_of([&] { VirtualComm(MPI_COMM_WORLD, "ring:2", text); }),
        std::string("placement '") + text +
            "': phases are placed by equal groups of ranks, but the nodes of ring:2 have 1 to 3 processes; "
            "name identity or another rule");
  }
  expect_exchanges(VirtualComm(MPI_COMM_WORLD, "ring:2", "identity"));
}

TEST(JobNodes, with_equal_numbers_of_processes_have_placements_for_phases_of_all_ranks) {
  if (world_size() != 4) GTEST_SKIP() << "written for 4 processes";
  const SeveralHosts hosts(world_rank() % 2);
  const VirtualComm comm(MPI_COMM_WORLD, "ring:2", "auto:halo:2x2");
  ASSERT_NE(comm.sharing(), nullptr);
  expect_exchanges(comm);
}

TEST(JobNodes, are_those_that_slurm_tells) {
  const SeveralHosts hosts(own_host());
  const std::string host = std::to_string(own_host());
  const Variable address("SLURM_TOPOLOGY_ADDR", "pod1:" + host + ":0.n" + host, everywhere);
  const Variable pattern("SLURM_TOPOLOGY_ADDR_PATTERN", "torus:x:y.node", everywhere);
  const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
  EXPECT_TRUE(comm.knows_network()) << comm.source();
  EXPECT_EQ(comm.source().find("SLURM_TOPOLOGY_ADDR"), 0U) << comm.source();
  expect_exchanges(comm);
}

/// Sets the variables of Slurm in a job on the ring r0 to this position of the process's host.
class SlurmRing {
 public:
  explicit SlurmRing(int position)
      : address_("SLURM_TOPOLOGY_ADDR", "r0:" + std::to_string(position) + ".n", everywhere),
        pattern_("SLURM_TOPOLOGY_ADDR_PATTERN", "ring:position.node", everywhere) {}

 private:
  Variable address_;
  Variable pattern_;
};

TEST(JobNodes, are_on_a_ring_if_slurms_topology_says_so) {
  const FileOfWorld folder("cubefold-slurm");
  if (world_rank() == 0) {
    std::filesystem::create_directory(folder.path);
    std::ofstream(folder.path + "/topology.yaml")
        << "- topology: t\n  ring:\n    rings:\n      - ring: r0\n        nodes: n[0-2]\n";
  }
  MPI_Barrier(MPI_COMM_WORLD);
  {
    const SeveralHosts hosts(own_host());
    const SlurmRing slurm(own_host());
    const Variable settings("SLURM_CONF", folder.path + "/slurm.conf", everywhere);
    const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
    EXPECT_EQ(comm.source(),
              "SLURM_TOPOLOGY_ADDR (SLURM_TOPOLOGY_ADDR on 'r0', extents by Slurm's topology)");
    if (world_size() >= 3) {
      EXPECT_EQ(to_string(comm.network()), "ring:3");
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) std::filesystem::remove(folder.path + "/topology.yaml");
}

TEST(JobNodes, are_unknown_and_name_the_host_that_has_no_address) {
  if (world_size() < 3) GTEST_SKIP() << "needs all three hosts";
  const SeveralHosts hosts(own_host());
  const std::string host = std::to_string(own_host());
  const Variable address("SLURM_TOPOLOGY_ADDR", own_host() == 1 ? "" : "r0:" + host + ".n" + host,
                         everywhere);
  const Variable pattern("SLURM_TOPOLOGY_ADDR_PATTERN", "ring:position.node", everywhere);
  const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
  EXPECT_FALSE(comm.knows_network());
  EXPECT_EQ(comm.source(),
            "Slurm: host 'n1' has no SLURM_TOPOLOGY_ADDR: the cluster has no topology plug-in, or the "
            "processes there were not started by srun");
}

TEST(JobNodes, of_a_file_that_contradicts_slurm_are_refused) {
  if (world_size() < 3) GTEST_SKIP() << "needs all three hosts";
  const SeveralHosts hosts(own_host());
  const HostMapFile file;
  const SlurmRing slurm(own_host());  // the file has n2 at 3
  const std::string reason = "host 'n2' is on node 3 (3) of ring:4, but SLURM_TOPOLOGY_ADDR says 'r0:2.n'";
  {
    const Variable variable("CUBEFOLD_HOSTS", file.path());
    EXPECT_EQ(message_of([] { VirtualComm(MPI_COMM_WORLD, std::nullopt, std::nullopt); }),
              "the file '" + file.path() + "' contradicts Slurm: " + reason +
                  "; write it anew with cubefold discover");
  }
  const JobNodes job = nodes_of_job(MPI_COMM_WORLD, std::nullopt, file.path().c_str());
  EXPECT_EQ(job.source.find("SLURM_TOPOLOGY_ADDR"), 0U) << job.source;
}

// The file serves without Slurm, and a user cannot mend what Slurm says.
TEST(JobNodes, of_a_file_stay_where_an_address_of_slurm_cannot_be_read_and_explain_says_so) {
  const SeveralHosts hosts(own_host());
  const HostMapFile file;
  const Variable garbled("SLURM_TOPOLOGY_ADDR", own_host() == 0 ? "r0:?.n" : "", everywhere);
  const Variable pattern("SLURM_TOPOLOGY_ADDR_PATTERN", "ring:position.node", everywhere);
  const std::string remark =
      "SLURM_TOPOLOGY_ADDR 'r0:?.n' of host 'n0' is ignored, as it does not follow the pattern "
      "'ring:position.node'";
  const std::string said = world_size() < 3 ? "" : remark;  // with fewer processes host n0 has none
  EXPECT_EQ(nodes_of_job(MPI_COMM_WORLD, std::nullopt, file.path().c_str()).remark, said);
  const Variable variable("CUBEFOLD_HOSTS", file.path());
  const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
  EXPECT_TRUE(comm.knows_network());
  EXPECT_EQ(comm.remark(), said);
  PlanCache plans(comm);
  EXPECT_EQ(plans.explain(64).find(remark) != std::string::npos, world_size() >= 3);
}

// Hosts n0 and n1 are on one switch and n2 on the next one. With two processes, n0 has none.
TEST(JobNodes, are_hosts_where_some_share_a_switch) {
  if (world_size() < 3) GTEST_SKIP() << "needs all three hosts";
  const SeveralHosts hosts(own_host());
  const FileOfWorld file("cubefold-hosts");
  if (world_rank() == 0) {
    std::ofstream(file.path)
        << R"({"format_version": 1, "network": "ring:5", "source": "the test", "hosts": [)"
        << R"({"name": "n0", "at": [4]}, {"name": "n2", "at": [1]}, {"name": "n1", "at": [4]}]})";
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const Variable variable("CUBEFOLD_HOSTS", file.path);
  const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
  EXPECT_TRUE(comm.knows_network());
  EXPECT_EQ(to_string(comm.network()), "line:3,hosts=2-0-1");
  // Process 0 is on n2, so n1, which has process 1, is the first host of its switch.
  const JobNodes job = nodes_of_job(MPI_COMM_WORLD, std::nullopt);
  for (std::size_t process = 0; process < job.node_of_process.size(); ++process) {
    const std::array<std::uint32_t, 3> node_of_host{1, 0, 2};
    EXPECT_EQ(job.node_of_process[process], GridNode{node_of_host[2 - process % 3]});
  }
  expect_exchanges(comm);
}

TEST(JobNodes, share_a_switch_where_a_network_of_all_hosts_would_be_too_large) {
  if (world_size() < 3) GTEST_SKIP() << "needs all three hosts";
  const SeveralHosts hosts(own_host());
  const JobNodes job =
      nodes_given(MPI_COMM_WORLD, parse_grid("ring:1022"), GridNode{own_host() == 2 ? 1U : 0U});
  EXPECT_EQ(job.network.node_count(), 2U);
  EXPECT_EQ(job.network.route_table()->switch_count(), 1020U);
}

TEST(JobNodes, are_those_of_the_sites_map_if_it_has_all_hosts) {
  const HostMapFile file;
  {
    const SeveralHosts hosts(own_host());
    const JobNodes job = nodes_of_job(MPI_COMM_WORLD, std::nullopt, file.path().c_str());
    EXPECT_TRUE(job.is_known);
    EXPECT_EQ(job.source, "the file '" + file.path() + "' (the test)");
  }
  const SeveralHosts hosts(world_rank() == world_size() - 1 ? 7 : 0);
  const JobNodes job = nodes_of_job(MPI_COMM_WORLD, std::nullopt, file.path().c_str());
  EXPECT_FALSE(job.is_known);
  EXPECT_EQ(job.source, "the file '" + file.path() + "' does not have all hosts of the job");
}

TEST(JobNodes, are_unknown_and_say_why_where_the_sites_map_cannot_be_read) {
  const FileOfWorld file("cubefold-hosts");
  if (world_rank() == 0) std::ofstream(file.path) << "{";
  MPI_Barrier(MPI_COMM_WORLD);
  const JobNodes job = nodes_of_job(MPI_COMM_WORLD, std::nullopt, file.path.c_str());
  EXPECT_FALSE(job.is_known);
  EXPECT_NE(job.source.find(file.path), std::string::npos) << job.source;
  EXPECT_EQ(nodes_of_job(MPI_COMM_WORLD, std::nullopt, "nowhere/hosts.json").source,
            "nothing is known of the network");
}

TEST(JobNodes, are_unknown_where_slurm_names_a_tree) {
  const SeveralHosts hosts(own_host());
  const std::string host = std::to_string(own_host());
  const Variable address("SLURM_TOPOLOGY_ADDR", "top.leaf" + host + ".n" + host, everywhere);
  const Variable pattern("SLURM_TOPOLOGY_ADDR_PATTERN", "switch.switch.node", everywhere);
  const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, std::nullopt);
  EXPECT_FALSE(comm.knows_network());
  PlanCache plans(comm);
  EXPECT_EQ(plans.for_blocks(64)->plan_in_use().setup().backend, Backend::mpi);
  expect_exchanges(comm);
}

}  // namespace
}  // namespace cubefold::mpi
