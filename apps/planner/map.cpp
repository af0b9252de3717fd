#include "planner/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

#include "files/output.hpp"
#include "hosts/host_file.hpp"
#include "planner/launchers/launcher.hpp"
#include "planner/mapping/answer.hpp"
#include "planner/mapping/phases.hpp"
#include "planner/mapping/table.hpp"
#include "planner/options.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "program/progress.hpp"
#include "program/shown.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

constexpr std::size_t most_ranks = std::size_t{1} << 31;

constexpr const char* map_examples = R"(Examples:
  cubefold map torus:12x10 --phase halo:12wx10w
  cubefold map torus:4x4x4 --phase cube:0-2 --phase transpose:8x8 --json cg.json
  cubefold map torus:4x4x4 --phase matrix:traffic.mtx --per-node 2
  cubefold map torus:4x4x4 --phase halo:16x8x4 --per-node 8 --bricks 16x8x4
  cubefold map torus:8x8 --phase bit-reversal --emit rankfile --hosts hosts.txt --emit-to ranks.txt
  cubefold map torus:8x8 --phase cube --import slurm-hostfile theirs.txt --hosts hosts.txt
  cubefold map torus:64x64 --phase matrix:halo.mtx --placement-to placement.txt
  cubefold verify cg.json

matrix:FILE is a Matrix Market file whose row i, column j says what rank i-1 sends rank j-1; lcc:FILE is as for
cubefold lcc. Ranks r with equal r / K share a node, or those of a brick: without --bricks, if bricks of the grid of a
halo phase are better, and if there is no --placement-to. Coordinates in the files of launchers have axis 0 first, and
nodes are counted with axis 0 fastest; halo:SHAPE and RANKS/BRICK count ranks with the last axis fastest, as
MPI_Cart_create does.

JSON: grid, per_node, bricks (if these share nodes), routing, tie, objective, phases, placement, node_of_rank,
busiest_link (one for each phase), busiest_link_together, average_hops, hop_bytes, value, lower_bound, bound_source,
optimal (true, false or "unknown"), compared. cubefold verify computes all values again.)";

/// A launcher's file whose order of ranks is compared with the choice.
struct Import {
  const LauncherFormat* format;
  std::string path;
};

struct MapOptions {
  std::string grid;
  std::vector<std::string> phases;
  std::vector<std::size_t> per_node{
      1};  ///< one number for all nodes, or one for each; empty: the slots of hosts
  std::string bricks;
  std::string placement;
  MappingObjective objective = MappingObjective::busiest_links;
  Tie tie = Tie::balanced;
  std::uint64_t effort = MappingOptions{}.effort;
  const LauncherFormat* emit = nullptr;
  std::string emit_to = "-";
  std::optional<std::size_t> cores_per_node;
  std::vector<Import> imports;
  std::string hosts;
  std::string json;
  std::string placement_to;
};

MappingObjective objective_named(const std::string& text) {
  constexpr std::array<std::pair<const char*, MappingObjective>, 3> names{
      {{"busiest-links", MappingObjective::busiest_links},
       {"together", MappingObjective::busiest_link_together},
       {"hop-bytes", MappingObjective::hop_bytes}}};
  return program::value_named("objective", text, names);
}

std::vector<Import> imports_of(const std::vector<std::string>& words) {
  if (words.size() % 2 != 0) throw std::invalid_argument("it takes a format and a file");
  std::vector<Import> imports;
  for (std::size_t i = 0; i < words.size(); i += 2)
    imports.push_back({launcher_named(words[i]), words[i + 1]});
  return imports;
}

void warn(const std::optional<std::string>& doubt) {
  constexpr std::size_t most_bytes = 1000;
  if (doubt) fmt::print(stderr, "cubefold: warning: {}\n", program::shown(*doubt, most_bytes));
}

void require_shareable_cores(const MapOptions& options, const Allocation& allocation) {
  if (!options.emit->binds_to_cores) {
    throw std::invalid_argument("--cores-per-node: of all formats only rankfile binds ranks to cores");
  }
  if (*options.cores_per_node < allocation.per_node()) {
    throw std::invalid_argument(fmt::format("--cores-per-node: {} are fewer than the {} of a node",
                                            program::counted(*options.cores_per_node, "core"),
                                            program::counted(allocation.per_node(), "rank")));
  }
}

/// Reads the value of --per-node.
std::vector<std::size_t> per_node_in(const std::string& text) {
  if (text == "slots") return {};
  if (text.find_first_of(",(") != std::string::npos) return parse_counts(text);
  std::string number = text;
  const std::string refusal = program::whole_number(1, most_ranks)(number);
  if (!refusal.empty()) throw std::invalid_argument(refusal);
  return {std::stoull(number)};
}

/// Returns the slots of hosts, or 1 where they are not known.
std::vector<std::size_t> slots_of(const std::vector<JobHost>& hosts) {
  if (hosts.empty()) throw std::invalid_argument("--per-node: slots are those of --hosts, which is missing");
  std::vector<std::size_t> slots;
  for (const JobHost& host : hosts) slots.push_back(std::max<std::size_t>(host.slots, 1));
  return slots;
}

/// Returns the number of ranks on every node.
std::vector<std::size_t> ranks_on_nodes(const std::vector<std::size_t>& per_node, const Grid& grid) {
  const std::size_t nodes = grid.node_count();
  const auto is_too_many = [nodes](std::size_t count) { return count > most_ranks / nodes; };
  if (const auto large = std::ranges::find_if(per_node, is_too_many); large != per_node.end()) {
    throw std::invalid_argument(
        fmt::format("--per-node: {} on each of {} nodes is not between 1 and 2^31 ranks", *large, nodes));
  }
  if (per_node.size() == 1) return std::vector<std::size_t>(nodes, per_node.front());
  if (per_node.size() == nodes) return per_node;
  throw std::invalid_argument(fmt::format("--per-node: {} has {} numbers for {}", counts_text(per_node),
                                          per_node.size(), program::counted(nodes, "node")));
}

Allocation allocation_of(const MapOptions& options) {
  Allocation allocation{parse_grid(options.grid), {}, options.cores_per_node, {}};
  std::vector<JobHost> hosts;
  if (!options.hosts.empty()) {
    JobHosts job = read_hosts(options.hosts, allocation.grid);
    allocation.grid = std::move(job.grid);
    hosts = std::move(job.hosts);
  }
  allocation.ranks_on_node =
      ranks_on_nodes(options.per_node.empty() ? slots_of(hosts) : options.per_node, allocation.grid);
  try {
    require_slots(hosts, allocation.ranks_on_node);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("hosts file {}: {}", options.hosts, error.what()));
  }
  if (allocation.cores_per_node) require_shareable_cores(options, allocation);
  for (JobHost& host : hosts) allocation.hosts.push_back(std::move(host.name));
  if (!allocation.hosts.empty()) warn(doubt_about(allocation.hosts));
  return allocation;
}

std::vector<Candidate> imported(const MapOptions& options, const Allocation& allocation) {
  std::vector<Candidate> candidates;
  for (const auto& [format, path] : options.imports) {
    candidates.push_back({std::filesystem::path(path).filename().string(),
                          "",
                          read_launcher_file(*format, allocation, path),
                          {}});
  }
  return candidates;
}

void require_rank_count(const std::vector<std::uint32_t>& ranks, const Allocation& allocation) {
  std::size_t count = 1;
  for (const std::uint32_t extent : ranks) count *= extent;
  if (count == allocation.rank_count()) return;
  throw std::invalid_argument(fmt::format("--bricks: {} are {}, but there are {}", fmt::join(ranks, "x"),
                                          program::counted(count, "rank"), allocation.rank_count()));
}

/// Reads the value of --bricks into the question.
void read_bricks(const std::string& text, MapQuestion& question) {
  const Allocation& allocation = question.allocation;
  if (!allocation.is_even()) {
    throw std::invalid_argument(fmt::format("--bricks: all nodes need equally many ranks, and they have {}",
                                            counts_text(allocation.ranks_on_node)));
  }
  if (text.find('/') == std::string::npos) {
    question.ranks = parse_ranks(text);
    require_rank_count(question.ranks, allocation);
    if (question.placement.empty()) return;
    throw std::invalid_argument("--bricks: with --placement, name the brick, as in 16x12x8/1x2x2");
  }
  question.bricks = parse_bricks(text);
  require_rank_count(question.bricks->ranks, allocation);
  if (brick_size(*question.bricks) == allocation.per_node()) return;
  throw std::invalid_argument(fmt::format(
      "--bricks: a brick of {} has {}, but --per-node is {}", fmt::join(question.bricks->brick, "x"),
      program::counted(brick_size(*question.bricks), "rank"), allocation.per_node()));
}

MapQuestion question_of(const MapOptions& options) {
  Allocation allocation = allocation_of(options);
  auto defined = read_phases(options.phases, allocation.rank_count(), allocation.grid);
  auto others = imported(options, allocation);
  MapQuestion question{std::move(allocation),
                       std::move(defined),
                       options.objective,
                       options.tie,
                       options.effort,
                       options.placement,
                       std::nullopt,
                       {},
                       false,
                       std::move(others)};
  if (!options.bricks.empty()) read_bricks(options.bricks, question);
  // A file for programs has no bricks.
  question.tries_bricks_of_halos =
      question.allocation.is_even() && question.allocation.per_node() > 1 && options.placement_to.empty();
  return question;
}

bool emits_to_output(const MapOptions& options) {
  return options.emit && options.emit_to == "-";
}

/// Returns the options whose text goes to standard output in place of the table.
std::vector<std::string> written_to_output(const MapOptions& options) {
  std::vector<std::string> names;
  if (emits_to_output(options)) names.emplace_back("--emit");
  if (options.json == "-") names.emplace_back("--json");
  if (options.placement_to == "-") names.emplace_back("--placement-to");
  return names;
}

bool prints_table(const MapOptions& options) {
  return written_to_output(options).empty();
}

void require_one_text(const MapOptions& options) {
  const auto names = written_to_output(options);
  if (names.size() < 2) return;
  throw std::invalid_argument(
      fmt::format("map: {} and {} cannot both write to standard output", names[0], names[1]));
}

/// Throws if the format cannot describe placements on this grid. It is called before the search, which may take long.
void require_emittable(const MapOptions& options, const Allocation& allocation) {
  if (options.emit) launcher_text(*options.emit, allocation, nodes_under(allocation, "identity"));
}

void emit(const MapOptions& options, const MapAnswer& answer, files::Output& output) {
  const LauncherFormat& format = *options.emit;
  const Allocation& allocation = answer.question.allocation;
  const auto text = launcher_text(format, allocation, answer.choice.node_of_rank);
  warn(format.doubt(text, options.emit_to == "-" ? "" : options.emit_to));
  output.write(text);
  if (prints_table(options)) fmt::print("use: {}\n", format.usage(allocation, options.emit_to));
}

void run(const MapOptions& options) {
  require_one_text(options);
  MapQuestion question = question_of(options);
  require_emittable(options, question.allocation);
  auto json = files::open_output(options.json);
  auto placement = files::open_output(options.placement_to);
  auto emitted = files::open_output(options.emit ? options.emit_to : "");
  const MapAnswer answer =
      program::shown_if_long("searching for a placement", [&] { return answer_to(std::move(question)); });
  if (json) json->write(program::json_text(certificate_of(answer)));
  if (placement) placement->write(answer.choice.placement + '\n');
  if (prints_table(options)) fmt::print("{}", table_text(answer));
  if (emitted) emit(options, answer, *emitted);
}

void add_what_to_do(CLI::App& command, MapOptions& options) {
  add_phases(command, options.phases)->required();
  program::add_parsed(command, "--per-node", options.per_node, per_node_in,
                      "Ranks on each node: consecutive ones, or those of a brick (--bricks).\n"
                      "3(x2),2(x2) has a number for each node in their order; slots has those\n"
                      "of the hosts of --hosts")
      ->type_name("K")
      ->default_str("1");
  command
      .add_option("--bricks", options.bricks,
                  "Cut the Cartesian grid RANKS, such as 16x12x8, into bricks, such as 1x2x2,\n"
                  "whose ranks share a node; without /BRICK choose the best one, as is done\n"
                  "for halo phases without this option")
      ->type_name("RANKS[/BRICK]");
  command
      .add_option("--placement", options.placement,
                  "Evaluate this rule, as standard,order=0-3-1-4-2-5, and do not search")
      ->check(program::read_by(program::check_placement))
      ->type_name("RULE");
  program::add_parsed(command, "--objective", options.objective, objective_named,
                      "Value to minimise: busiest-links, the sum over phases of their busiest\n"
                      "link; together, the busiest link with all phases at once; or hop-bytes")
      ->type_name("OBJECTIVE")
      ->default_str(to_string(options.objective));
  add_tie(command, options.tie);
  command
      .add_option("--effort", options.effort,
                  "Operations of the search, about 1e9 a second, so that it takes about 4 s by\n"
                  "default")
      ->transform(program::positive_number())
      ->type_name("N")
      ->capture_default_str();
}

void add_files(CLI::App& command, MapOptions& options) {
  command
      .add_option("--hosts", options.hosts,
                  "Host file with the hosts of the nodes in their order, as for cubefold\n"
                  "discover --hostfile, or hosts.json of cubefold discover. A node without\n"
                  "a host, or with several, is treated as a switch")
      ->type_name("FILE");
  auto* emitted = program::add_parsed(command, "--emit", options.emit, launcher_named,
                                      "Make the launcher's file of that format:\n" + launcher_help())
                      ->type_name("FORMAT");
  command
      .add_option("--emit-to", options.emit_to, "File for --emit; - is standard output, without the table")
      ->type_name("FILE")
      ->capture_default_str()
      ->needs(emitted);
  command
      .add_option("--cores-per-node", options.cores_per_node,
                  "Cores of a node, which its ranks share equally in a rankfile. Without it\n"
                  "ranks are not bound to cores")
      ->transform(program::whole_number(1, most_ranks))
      ->type_name("N")
      ->needs(emitted);
  program::add_parsed<std::vector<std::string>>(
      command, "--import", options.imports, imports_of,
      "Compare with a launcher's file of that format, and search from it, so that\n"
      "the choice is no worse; may be given again")
      ->type_name("FORMAT FILE")
      ->expected(2)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_json(command, options.json);
  command
      .add_option("--placement-to", options.placement_to,
                  "Write the placement to this file, in the form that programs take; - is\n"
                  "standard output, without the table")
      ->type_name("FILE");
}

}  // namespace

void add_map(CLI::App& program) {
  auto* command =
      program.add_subcommand("map", "Finds the best placement of ranks for the phases of a program");
  const auto options = std::make_shared<MapOptions>();
  add_grid(*command, options->grid);
  add_what_to_do(*command, *options);
  add_files(*command, *options);
  command->footer(map_examples);
  command->callback([options] { run(*options); });
}

}  // namespace cubefold::planner
