#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/alltoall_choice.hpp"
#include "support/exchange_methods.hpp"

namespace cubefold {

inline Placement placement_on(const std::string& grid, const std::string& rule = "identity") {
  return {parse_grid(grid), parse_placement(rule)};
}

/// Returns the facts about a job with one rank on each node of a grid, each node on a separate host.
inline JobFacts job_on(const std::string& grid) {
  JobFacts job{.placement = placement_on(grid), .source = "the test"};
  job.host_count = job.placement.rank_count();
  return job;
}

/// Returns the facts about a job with several ranks on nodes.
inline JobFacts job_with(const NodeSharing& sharing) {
  JobFacts job{.placement = slot_placement(sharing), .sharing = sharing, .source = "the test"};
  job.are_groups_on_hosts = true;
  job.host_count = sharing.group_count();
  return job;
}

inline JobFacts even_job(const std::string& grid, std::size_t per_node) {
  return job_with(NodeSharing(placement_on(grid), per_node));
}

/// Returns the facts about a job with two ranks on node 0 and one on each other node.
inline JobFacts uneven_job(const std::string& grid) {
  const Placement nodes = placement_on(grid);
  std::vector<GridNode> node_of_process{GridNode{0}};
  for (std::uint32_t node = 0; node < nodes.rank_count(); ++node) node_of_process.push_back(GridNode{node});
  return job_with(NodeSharing(nodes, node_of_process));
}

/// Returns the facts about jobs of 2, 3, 4, 8 and 64 ranks, on nodes of their own and on shared nodes.
inline std::vector<JobFacts> all_jobs() {
  std::vector<JobFacts> jobs;
  for (const char* grid : {"ring:2", "line:3", "hypercube:2", "torus:2x2x2", "mesh:8x8"})
    jobs.push_back(job_on(grid));
  for (const char* grid : {"ring:2", "ring:4", "torus:4x4"})
    for (const std::size_t per_node : {2U, 4U}) jobs.push_back(even_job(grid, per_node));
  for (const char* grid : {"ring:2", "torus:3x3"}) jobs.push_back(uneven_job(grid));
  return jobs;
}

inline JobFacts requesting(JobFacts job, const std::string& exchange) {
  job.requests.exchange = parse_requested_exchange(exchange);
  return job;
}

inline JobFacts measuring_nothing(JobFacts job) {
  job.requests.round_count = 0;
  return job;
}

inline JobFacts with_machine(JobFacts job) {
  Machine machine{job.network()};
  machine.alpha_seconds = 1e-4;
  machine.gap_seconds = 1e-5;
  machine.tau_seconds_per_byte = {1e-8};
  machine.host_count = job.host_count;
  job.machine = std::move(machine);
  return job;
}

/// The setup that a rule decides for, and its reason.
struct Ruled {
  AlltoallSetup setup;
  std::string text;
};

/// Returns what a rule decides for blocks of a size, or nothing if calls measure candidates.
inline std::optional<Ruled> decided(const AlltoallChooser& chooser, std::size_t block_bytes) {
  const Decision decision = chooser.decide(CallKind::blocking, {block_bytes, block_bytes, block_bytes});
  if (decision.round_count > 0) return std::nullopt;
  EXPECT_EQ(decision.candidates.size(), 1U);
  return Ruled{chooser.setup_of(decision.candidates.back(), block_bytes), decision.reason};
}

/// Returns the text of the rule that decides, or "measured" if none does.
inline std::string text_for(const JobFacts& job, std::size_t block_bytes) {
  const auto choice = decided(AlltoallChooser(job), block_bytes);
  return choice ? choice->text : "measured";
}

/// Returns the backend for blocks of a size. Requires a rule that decides.
inline Backend backend_for(const JobFacts& job, std::size_t block_bytes) {
  return decided(AlltoallChooser(job), block_bytes).value().setup.backend;
}

/// Returns the candidates that calls measure.
inline std::vector<AlltoallCandidate> candidates(const JobFacts& job, std::size_t block_bytes,
                                                 CallKind kind = CallKind::blocking) {
  return AlltoallChooser(job).decide(kind, {block_bytes, block_bytes, block_bytes}).candidates;
}

inline std::vector<std::string> names_of(const std::vector<AlltoallCandidate>& candidates) {
  std::vector<std::string> names;
  for (const AlltoallCandidate& candidate : candidates) names.push_back(to_string(candidate));
  return names;
}

/// Blocks of which a process sends one, and blocks of which it sends many.
inline constexpr ExchangeSizes one_block{1 << 20, 1 << 20, 1 << 20};
inline constexpr ExchangeSizes many_blocks{1 << 20, 1 << 28, 1 << 28};

/// Returns the names of the candidates for blocks of unequal sizes.
inline std::vector<std::string> names_for(const JobFacts& job, const ExchangeSizes& sizes = one_block) {
  return names_of(AlltoallChooser(job).decide(CallKind::unequal, sizes).candidates);
}

using Names = std::vector<std::string>;
inline const Names mpi_alone{"MPI's own all-to-all"};

inline bool names_contain(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

inline bool some_contain(const std::vector<std::string>& names, const std::string& part) {
  return std::ranges::any_of(names, [&](const auto& name) { return name.find(part) != std::string::npos; });
}

inline JobFacts with_queues(JobFacts job, Queues queues) {
  job.requests.queues = queues;
  return job;
}

}  // namespace cubefold
