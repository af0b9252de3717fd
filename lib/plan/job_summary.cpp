#include "job_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace cubefold {

std::string to_string(const JobSummary& summary, std::string_view prefix) {
  std::string text;
  for (const auto& [name, value] :
       {std::pair{"network", &summary.network}, std::pair{"source", &summary.source},
        std::pair{"hosts", &summary.hosts}, std::pair{"ranks", &summary.ranks},
        std::pair{"placement", &summary.placement}, std::pair{"machine", &summary.machine},
        std::pair{"tuning", &summary.tuning}, std::pair{"MPI", &summary.mpi}}) {
    if (!value->empty()) text += fmt::format("{}{:<9}  {}\n", prefix, name, *value);
  }
  return text;
}

std::string summary_of(const Machine& machine) {
  return fmt::format("{}, for {} on {} host{} with {}", machine.file, to_string(machine.grid),
                     machine.host_count, machine.host_count == 1 ? "" : "s", machine.mpi_library);
}

std::string hosts_text(const std::optional<Job>& job) {
  constexpr std::size_t most_names = 8;
  if (!job) return "no job here";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(job->hosts.size(), most_names); ++i)
    names.push_back(job->hosts[i].name);
  return fmt::format("{}: {}{} ({})", job->hosts.size(), fmt::join(names, " "),
                     job->hosts.size() > most_names ? " ..." : "", job->source);
}

std::string ranks_text(const std::optional<Job>& job) {
  if (!job) return "";
  const std::size_t ranks = rank_count(*job);
  if (ranks == 0) return "nothing says how many";
  const auto& hosts = job->hosts;
  const bool is_even = std::ranges::adjacent_find(hosts, std::not_equal_to(), &JobHost::slots) == hosts.end();
  if (is_even) return fmt::format("{}, {} a host", ranks, hosts.front().slots);
  return fmt::format("{}, {} on the hosts", ranks, slots_text(hosts));
}

}  // namespace cubefold
