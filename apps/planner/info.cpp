#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cubefold/hosts/host_map.hpp"
#include "cubefold/simulation/machine.hpp"
#include "files/output.hpp"
#include "hosts/job.hpp"
#include "hosts/site_file.hpp"
#include "hosts/source.hpp"
#include "plan/job_summary.hpp"
#include "planner/commands.hpp"
#include "planner/discovery/environment.hpp"
#include "planner/discovery/report.hpp"
#include "planner/options.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "program/shown.hpp"

namespace cubefold::planner {

namespace {

constexpr const char* info_examples = R"(Examples:
  cubefold info
  CUBEFOLD_HOSTS=hosts.json CUBEFOLD_PLACEMENT=xor cubefold info --json -

It shows what a program would find that starts here: in the script of a job, or out of it. In a program,
CUBEFOLD_VERBOSE=1 shows the same.

JSON: network, part (null if the network is unknown), source, hosts (null outside of a job), ranks (null if nothing says
it), ranks_on_host, placement, machine and tuning (file and text; null if none is named).)";

std::string own_variable(const char* name) {
  return own_surroundings().variable(name);
}

/// The network that a program would find here, or why it would find none.
struct FoundNetwork {
  std::string whole = "unknown";
  std::string part;  ///< that the hosts of the job use; empty if the network is unknown
  std::string source;
};

FoundNetwork found_in(const HostMap& map, const std::optional<Job>& job, const std::string& source) {
  const Discovery discovery = discovery_of(job ? restricted(map, job->hosts) : map);
  return {to_string(map.network()), to_string(discovery.part.grid), source};
}

FoundNetwork found_in_file(const std::string& file, const std::optional<Job>& job) {
  const HostMap map = read_host_map(file);
  return found_in(map, job, fmt::format("the file '{}' ({})", file, map.source()));
}

/// Finds the network by the rules of the library: a name, a named file, the file of the site, and then Slurm.
FoundNetwork find_network(const std::optional<Job>& job) {
  if (const std::string grid = own_variable("CUBEFOLD_GRID"); !grid.empty() && grid != "auto") {
    const std::string name = to_string(parse_grid(grid));
    return {name, name, "CUBEFOLD_GRID"};
  }
  if (const std::string file = own_variable("CUBEFOLD_HOSTS"); !file.empty()) return found_in_file(file, job);
  std::error_code error;
  if (const std::string site = site_hosts_file(); std::filesystem::exists(site, error)) {
    try {
      return found_in_file(site, job);
    } catch (const std::invalid_argument&) {  // the library asks Slurm, too, if the file does not serve
      error.clear();
    }
  }
  std::vector<std::string> wanted;
  if (job)
    for (const JobHost& host : job->hosts) wanted.push_back(host.name);
  const HostMap map = map_of_environment(wanted);
  return found_in(map, job, map.source());
}

FoundNetwork network_or_reason(const std::optional<Job>& job) {
  FoundNetwork unknown;
  try {
    return find_network(job);
  } catch (const std::invalid_argument& error) {
    unknown.source = error.what();
  }
  return unknown;
}

/// Returns what describe(file) says of the file that a variable names, or why it cannot be read.
template <typename Describe>
std::string file_text(const std::string& file, Describe describe) {
  if (file.empty()) return "none";
  try {
    return describe(file);
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string tuning_summary(const std::string& file) {
  if (std::error_code error; !std::filesystem::exists(file, error))
    return fmt::format("{}, which the first job will make", file);
  const auto json = program::read_json(file);
  const bool fits =
      json.is_object() && json.contains("choices") && json.contains("grid") && json["grid"].is_string();
  if (!fits) return fmt::format("{} is no tuning file", file);
  return fmt::format("{}, {} for {}", file, program::counted(json["choices"].size(), "choice"),
                     program::shown(json["grid"].get<std::string>()));
}

nlohmann::ordered_json file_json(const std::string& file, const std::string& text) {
  if (file.empty()) return nullptr;
  return {{"file", file}, {"text", program::shown(text, text.size() + 1)}};
}

nlohmann::ordered_json hosts_json(const std::optional<Job>& job) {
  if (!job) return nullptr;
  auto hosts = nlohmann::ordered_json::array();
  for (const JobHost& host : job->hosts) hosts.push_back(host.name);
  return hosts;
}

nlohmann::ordered_json info_json(const std::optional<Job>& job, const FoundNetwork& network,
                                 const JobSummary& summary) {
  const std::size_t ranks = job ? rank_count(*job) : 0;
  auto on_host = nlohmann::ordered_json::array();
  if (ranks > 0)
    for (const JobHost& host : job->hosts) on_host.push_back(host.slots);
  const auto or_null = [](bool is_known, const auto& value) {
    return is_known ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  return {{"network", or_null(!network.part.empty(), network.whole)},
          {"part", or_null(!network.part.empty(), network.part)},
          {"source", program::shown(network.source, network.source.size() + 1)},
          {"hosts", hosts_json(job)},
          {"ranks", or_null(ranks > 0, ranks)},
          {"ranks_on_host", on_host},
          {"placement", summary.placement},
          {"machine", file_json(own_variable("CUBEFOLD_MACHINE"), summary.machine)},
          {"tuning", file_json(own_variable("CUBEFOLD_TUNING"), summary.tuning)}};
}

JobSummary summary_of(const std::optional<Job>& job, const FoundNetwork& network) {
  const std::string placement = own_variable("CUBEFOLD_PLACEMENT");
  const bool is_part = network.part != network.whole && !network.part.empty();
  return {is_part ? fmt::format("{} of {}", network.part, network.whole) : network.whole,
          network.source,
          hosts_text(job),
          ranks_text(job),
          placement.empty() ? "identity" : placement,
          file_text(own_variable("CUBEFOLD_MACHINE"),
                    [](const std::string& file) { return cubefold::summary_of(read_machine(file)); }),
          file_text(own_variable("CUBEFOLD_TUNING"), tuning_summary)};
}

void run(const std::string& json) {
  const auto job = job_of(own_surroundings());
  const FoundNetwork network = network_or_reason(job);
  const JobSummary summary = summary_of(job, network);
  auto output = files::open_output(json);
  if (output) output->write(program::json_text(info_json(job, network, summary)));
  if (json != "-") fmt::print("{}", to_string(summary));
}

}  // namespace

void add_info(CLI::App& program) {
  auto* command =
      program.add_subcommand("info", "Shows what a program that starts here finds: network, hosts, ranks");
  const auto json = std::make_shared<std::string>();
  add_json(*command, *json);
  command->footer(info_examples);
  command->callback([json] { run(*json); });
}

}  // namespace cubefold::planner
