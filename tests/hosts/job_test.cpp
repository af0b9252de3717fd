#include "hosts/job.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

using Texts = std::map<std::string, std::string>;

JobSurroundings surroundings(const Texts& variables, const Texts& files = {}) {
  return {[variables](const char* name) {
            const auto found = variables.find(name);
            return found == variables.end() ? "" : found->second;
          },
          [files](const std::string& name) {
            const auto found = files.find(name);
            if (found == files.end()) throw std::system_error(ENOENT, std::generic_category());
            return found->second;
          }};
}

/// Returns the hosts of a job as `n0:2 n1:2`.
std::string hosts_of(const Texts& variables, const Texts& files = {}) {
  const auto job = job_of(surroundings(variables, files));
  if (!job) return "no job";
  std::string text;
  for (const auto& [name, slots] : job->hosts)
    text += (text.empty() ? "" : " ") + name + ":" + std::to_string(slots);
  return text;
}

std::string refusal_of(const Texts& variables, const Texts& files = {}) {
  return message_of([&] { job_of(surroundings(variables, files)); });
}

Texts in_slurm(Texts more) {
  more["SLURM_JOB_NODELIST"] = "n[0-3]";
  return more;
}

constexpr const char* four_each = "n0:4 n1:4 n2:4 n3:4";

TEST(JobOf, knows_no_job_without_variables) {
  EXPECT_EQ(hosts_of({}), "no job");
  EXPECT_EQ(hosts_of({{"SLURM_NTASKS", "4"}}), "no job");
}

TEST(JobOf, reads_every_variable_in_which_slurm_says_how_many_ranks_there_are) {
  EXPECT_EQ(hosts_of(in_slurm({{"SLURM_NTASKS_PER_NODE", "4"}})), four_each);
  EXPECT_EQ(hosts_of(in_slurm({{"SLURM_TASKS_PER_NODE", "4(x4)"}})), four_each);
  EXPECT_EQ(hosts_of(in_slurm({{"SLURM_NPROCS", "16"}})), four_each);
  EXPECT_EQ(hosts_of(in_slurm({{"SLURM_NTASKS", "16"}})), four_each);
  EXPECT_EQ(hosts_of(in_slurm({})), "n0:0 n1:0 n2:0 n3:0");
}

TEST(JobOf, takes_unequal_numbers) {
  EXPECT_EQ(hosts_of(in_slurm({{"SLURM_TASKS_PER_NODE", "3(x2),2(x2)"}, {"SLURM_NTASKS", "10"}})),
            "n0:3 n1:3 n2:2 n3:2");
  EXPECT_EQ(hosts_of(in_slurm({{"SLURM_NTASKS", "10"}, {"SLURM_NTASKS_PER_NODE", "4"}})),
            "n0:3 n1:3 n2:2 n3:2");
}

TEST(JobOf, names_both_variables_that_contradict_each_other) {
  EXPECT_EQ(refusal_of(in_slurm({{"SLURM_TASKS_PER_NODE", "4(x4)"}, {"SLURM_NTASKS", "8"}})),
            "SLURM_NTASKS=8 contradicts SLURM_TASKS_PER_NODE=4(x4)");
  EXPECT_EQ(refusal_of(in_slurm({{"SLURM_NTASKS", "16"}, {"SLURM_NPROCS", "8"}})),
            "SLURM_NPROCS=8 contradicts SLURM_NTASKS=16");
  EXPECT_EQ(refusal_of(in_slurm({{"SLURM_NTASKS", "16"}, {"SLURM_NTASKS_PER_NODE", "2"}})),
            "SLURM_NTASKS_PER_NODE=2 contradicts SLURM_NTASKS=16 (4(x4) on the hosts)");
  EXPECT_EQ(refusal_of(in_slurm({{"SLURM_TASKS_PER_NODE", "4(x3)"}})),
            "SLURM_TASKS_PER_NODE=4(x3) contradicts SLURM_JOB_NODELIST=n[0-3] (4 hosts)");
}

TEST(JobOf, leaves_the_numbers_of_a_step_on_some_hosts_out) {
  EXPECT_EQ(hosts_of(in_slurm({{"SLURM_STEP_NODELIST", "n0"},
                               {"SLURM_STEP_TASKS_PER_NODE", "1"},
                               {"SLURM_TASKS_PER_NODE", "1"},
                               {"SLURM_NTASKS", "1"}})),
            "n0:0 n1:0 n2:0 n3:0");
}

TEST(JobOf, reads_the_file_of_pbs) {
  const Texts pbs{{"PBS_NODEFILE", "/nodes"}};
  EXPECT_EQ(hosts_of(pbs, {{"/nodes", "a\na\nb\nb\n"}}), "a:2 b:2");
  EXPECT_EQ(hosts_of(pbs, {{"/nodes", "a\nb\n"}}), "a:1 b:1");
  EXPECT_EQ(hosts_of({{"PBS_NODEFILE", "/nodes"}, {"PBS_NP", "5"}}, {{"/nodes", "a\nb\n"}}), "a:3 b:2");
  EXPECT_EQ(refusal_of({{"PBS_NODEFILE", "/nodes"}, {"PBS_NP", "5"}}, {{"/nodes", "a\na\nb\nb\n"}}),
            "PBS_NP=5 contradicts PBS_NODEFILE=/nodes");
  EXPECT_EQ(refusal_of(pbs), "PBS_NODEFILE=/nodes: cannot read: No such file or directory");
}

TEST(JobOf, reads_the_hosts_of_lsf_in_each_form) {
  EXPECT_EQ(hosts_of({{"LSB_MCPU_HOSTS", "a 3 b 2"}, {"LSB_DJOB_NUMPROC", "5"}}), "a:3 b:2");
  EXPECT_EQ(hosts_of({{"LSB_DJOB_HOSTFILE", "/hosts"}}, {{"/hosts", "a\na\nb\n"}}), "a:2 b:1");
  EXPECT_EQ(hosts_of({{"LSB_HOSTS", "a a b"}}), "a:2 b:1");
  EXPECT_EQ(refusal_of({{"LSB_MCPU_HOSTS", "a 3 b 2"}, {"LSB_DJOB_NUMPROC", "4"}}),
            "LSB_DJOB_NUMPROC=4 contradicts LSB_MCPU_HOSTS=a 3 b 2");
  EXPECT_EQ(refusal_of({{"LSB_MCPU_HOSTS", "a 3 b"}}),
            "LSB_MCPU_HOSTS=a 3 b: it is not HOST COUNT HOST COUNT ...");
}

TEST(JobOf, reads_the_variables_of_fujitsu) {
  const Texts files{{"/nodes", "a\nb\n"}};
  EXPECT_EQ(hosts_of({{"PJM_O_NODEINF", "/nodes"}, {"PJM_PROC_BY_NODE", "4"}}, files), "a:4 b:4");
  EXPECT_EQ(hosts_of({{"PJM_O_NODEINF", "/nodes"}, {"PJM_MPI_PROC", "7"}, {"PJM_PROC_BY_NODE", "4"}}, files),
            "a:4 b:3");
  EXPECT_EQ(refusal_of({{"PJM_O_NODEINF", "/nodes"}, {"PJM_NODE", "3"}}, files),
            "PJM_NODE=3 contradicts PJM_O_NODEINF=/nodes (2 hosts)");
}

TEST(JobOf, names_a_variable_that_cannot_be_read) {
  EXPECT_EQ(refusal_of(in_slurm({{"SLURM_NTASKS", "many"}})),
            "SLURM_NTASKS=many is not a positive whole number");
  EXPECT_EQ(refusal_of(in_slurm({{"SLURM_TASKS_PER_NODE", "4x4"}})),
            "SLURM_TASKS_PER_NODE=4x4: '4x4' is not a list of counts such as 4 or 3(x2),2");
  EXPECT_EQ(refusal_of(in_slurm({{"SLURM_NTASKS", "3"}})), "SLURM_NTASKS=3: 3 ranks are fewer than 4 hosts");
}

TEST(JobOf, says_where_the_numbers_come_from) {
  EXPECT_EQ(job_of(surroundings(in_slurm({{"SLURM_NTASKS", "16"}})))->source,
            "Slurm: SLURM_JOB_NODELIST=n[0-3], SLURM_NTASKS=16");
}

std::string spread_over(std::size_t ranks, const std::vector<std::size_t>& slots) {
  std::vector<JobHost> hosts;
  for (const std::size_t count : slots) hosts.push_back({"n" + std::to_string(hosts.size()), count});
  spread(ranks, hosts);
  return slots_text(hosts);
}

TEST(Spread, gives_one_rank_to_each_host_in_turn_as_long_as_it_has_slots) {
  EXPECT_EQ(spread_over(6, {0, 0, 0, 0}), "2(x2),1(x2)");
  EXPECT_EQ(spread_over(9, {3, 3, 2, 2}), "3,2(x3)");
  EXPECT_EQ(spread_over(10, {3, 3, 2, 2}), "3(x2),2(x2)");
  EXPECT_EQ(spread_over(10, {1, 8, 0}), "1,5,4");
  EXPECT_EQ(spread_over(std::size_t{1} << 31, {0, 1}), "2147483647,1");
}

TEST(Spread, refuses_more_ranks_than_slots_and_fewer_than_hosts) {
  EXPECT_EQ(message_of([] {
              spread_over(11, {3, 3, 2, 2});
            }),
            "11 ranks are more than the slots of the hosts, 3(x2),2(x2)");
  EXPECT_EQ(message_of([] { spread_over(3, {0, 0, 0, 0}); }), "3 ranks are fewer than 4 hosts");
}

}  // namespace
}  // namespace cubefold
