#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "files/output.hpp"
#include "hosts/host_file.hpp"
#include "hosts/job.hpp"
#include "hosts/source.hpp"
#include "planner/commands.hpp"
#include "planner/discovery/environment.hpp"
#include "planner/discovery/report.hpp"
#include "planner/options.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

constexpr const char* discover_examples = R"(Examples:
  cubefold discover --output hosts.json
  ibnetdiscover > fabric.txt; cubefold discover --input fabric.txt --grid torus:4x4x4
  cubefold discover --pattern 'r%xi%yn%z' --hosts 'r[0-3]i[0-1]n[0-7]' --output hosts.json
  cubefold discover --input hosts.txt --grid torus:8x8
  cubefold discover --input hosts.json --hosts 'n[0-3,8-11]'
  cubefold map torus:4x4 --phase cube --emit rankfile --hosts hosts.json

Without --input and --pattern, it asks Slurm: scontrol show topoconf or topology, and SLURM_TOPOLOGY_ADDR. The part is
the network as far as messages between the hosts use it; nodes of it without a host are holes.

JSON: network, part, whole (whether there are no holes), source, hosts (name, at, in_part, slots), holes (in the part).
--output writes hosts.json, whose format docs/real-machines.md has.)";

constexpr std::size_t most_ranks = std::size_t{1} << 31;

struct DiscoverOptions {
  const HostSource* from = nullptr;
  std::vector<std::string> inputs;
  std::string grid;
  std::string pattern;
  std::string adapter;
  std::string hosts;
  std::string hostfile;
  bool job = false;
  std::optional<std::size_t> ranks;
  std::string output;
  std::string json;
};

std::string source_help() {
  std::string text = "Source of the hosts; by default it is recognised:";
  for (const HostSource* source : host_sources())
    text += fmt::format("\n{}: {}", source->name, source->reads);
  return text;
}

SourceInput input_of(const DiscoverOptions& options) {
  SourceInput input;
  for (const std::string& path : options.inputs)
    input.texts.push_back({program::name_of(path), program::read_text(path, most_input_bytes)});
  if (!options.grid.empty()) input.grid = parse_grid(options.grid);
  input.pattern = options.pattern;
  input.adapter = options.adapter;
  return input;
}

/// Returns the source that recognises one of the texts.
const HostSource* source_of(const SourceInput& input) {
  if (!input.pattern.empty()) return &pattern_source;
  for (const HostSource* source : host_sources()) {
    for (const SourceText& text : input.texts)
      if (source->recognises(text.text)) return source;
  }
  throw std::invalid_argument(
      fmt::format("{}: no source reads this text; name one with --from", input.texts.front().name));
}

void require_fabric(const HostSource* source, const std::string& adapter) {
  if (adapter.empty() || source == &ibnetdiscover_source) return;
  throw std::invalid_argument(fmt::format("--adapter is for the source ibnetdiscover, not {}", source->name));
}

std::vector<JobHost> hosts_of_file(const std::string& path) {
  try {
    return parse_host_file(program::read_text(path, most_input_bytes));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", program::name_of(path), error.what()));
  }
}

/// Returns the hosts of the job that the options name, with their ranks.
std::optional<std::vector<JobHost>> named_hosts(const DiscoverOptions& options) {
  if (!options.hosts.empty()) return parse_host_file(options.hosts);
  if (!options.hostfile.empty()) return hosts_of_file(options.hostfile);
  if (options.job) return job_here().hosts;
  return std::nullopt;
}

std::vector<std::string> names_of(const std::optional<std::vector<JobHost>>& hosts) {
  std::vector<std::string> names;
  if (hosts)
    for (const JobHost& host : *hosts) names.push_back(host.name);
  return names;
}

/// Returns the map with these hosts only, or with all. With --ranks, they have so many ranks together.
HostMap with_hosts_only(const HostMap& map, std::optional<std::vector<JobHost>> hosts,
                        const DiscoverOptions& options) {
  if (!hosts && !options.ranks) return map;
  if (!hosts) {
    hosts.emplace();
    for (const Host& host : map.hosts()) hosts->push_back({host.name, host.slots});
  }
  if (options.ranks) spread(*options.ranks, *hosts);
  return restricted(map, *hosts);
}

HostMap map_of_texts(const DiscoverOptions& options) {
  SourceInput input = input_of(options);
  const HostSource* source = options.from != nullptr ? options.from : source_of(input);
  require_fabric(source, options.adapter);
  auto hosts = named_hosts(options);
  input.hosts = names_of(hosts);
  if (source == &pattern_source && hosts) {
    std::string names;
    for (const std::string& host : input.hosts) names += host + '\n';
    input.texts.push_back({"the hosts", std::move(names)});
  }
  return with_hosts_only(source->map(input), std::move(hosts), options);
}

void require_same_grid(const HostMap& map, const std::string& grid) {
  if (grid.empty() || parse_grid(grid) == map.network()) return;
  throw std::invalid_argument(
      fmt::format("--grid is {}, but the network is {} ({})", grid, to_string(map.network()), map.source()));
}

HostMap map_here(const DiscoverOptions& options) {
  require_fabric(&slurm_source, options.adapter);
  auto hosts = named_hosts(options);
  if (!hosts)
    if (auto job = job_of(own_surroundings())) hosts = std::move(job->hosts);
  const HostMap map = map_of_environment(names_of(hosts));
  require_same_grid(map, options.grid);
  return with_hosts_only(map, std::move(hosts), options);
}

bool has_texts(const DiscoverOptions& options) {
  const bool asks_slurm = options.from == nullptr || options.from == &slurm_source;
  return !options.inputs.empty() || !options.pattern.empty() || !asks_slurm;
}

/// Returns the text of hosts.json with the version and the date of this program.
std::string hosts_file_text(const HostMap& map) {
  auto facts = program::file_facts();
  facts.erase("format_version");  // to_json() writes it
  return program::with_members(facts, to_json(map));
}

void run(const DiscoverOptions& options) {
  if (options.output == "-" && options.json == "-")
    throw std::invalid_argument("discover: --output and --json cannot both write to standard output");
  auto json = files::open_output(options.json);
  auto output = files::open_output(options.output);
  const Discovery discovery = discovery_of(has_texts(options) ? map_of_texts(options) : map_here(options));
  if (json) json->write(program::json_text(discovery_json(discovery)));
  if (output) output->write(hosts_file_text(discovery.map));
  if (options.json != "-" && options.output != "-") fmt::print("{}", discovery_text(discovery));
}

void add_hosts(CLI::App& command, DiscoverOptions& options) {
  auto* list = command
                   .add_option("--hosts", options.hosts,
                               "These hosts only, as node[000-511,600] or n0:4,n1:2 with their ranks")
                   ->type_name("LIST");
  auto* file = command
                   .add_option("--hostfile", options.hostfile,
                               "The hosts of this file only: a line HOST, HOST slots=N, HOST:N or a list;\n"
                               "repeated lines are slots")
                   ->type_name("FILE")
                   ->excludes(list);
  auto* job = command.add_flag("--job", options.job,
                               "The hosts of this job only, by the variables of Slurm, PBS, LSF or Fujitsu;\n"
                               "the default without --input and --pattern, inside a job");
  job->excludes(list)->excludes(file);
  command
      .add_option("--ranks", options.ranks,
                  "Number of ranks of the job, spread over its hosts as far as they have slots")
      ->transform(program::whole_number(1, most_ranks))
      ->type_name("N");
}

}  // namespace

void add_discover(CLI::App& program) {
  auto* command = program.add_subcommand("discover", "Finds which hosts sit on which nodes of a network");
  const auto options = std::make_shared<DiscoverOptions>();
  program::add_parsed(*command, "--from", options->from, host_source_named, source_help())
      ->type_name("SOURCE");
  command
      ->add_option("--input", options->inputs, "File of the source; - is standard input; may be given again")
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      ->add_option("--grid", options->grid,
                   "The network, where the source does not say it, or its usual name")
      ->check(program::read_by(parse_grid))
      ->type_name("GRID");
  command
      ->add_option("--pattern", options->pattern,
                   "Where host names have coordinates: %x, %y, %z, %a, %b, %c for axes 0 to 5,\n"
                   "%2x for two digits, or %n for the number of the node")
      ->type_name("PATTERN");
  command
      ->add_option("--adapter", options->adapter,
                   "In a fabric where hosts have adapters on several switches, as on several planes:\n"
                   "this adapter of each, as mlx5_0, or mlx5_0:1 for its port 1")
      ->type_name("ADAPTER");
  add_hosts(*command, *options);
  command
      ->add_option("--output", options->output,
                   "Write the map to this file, hosts.json; - is standard output")
      ->type_name("FILE");
  add_json(*command, options->json);
  command->footer(discover_examples);
  command->callback([options] { run(*options); });
}

}  // namespace cubefold::planner
