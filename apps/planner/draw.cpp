#include "planner/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "cubefold/lcc/contention.hpp"
#include "cubefold/plan/mapping.hpp"
#include "files/output.hpp"
#include "planner/drawing/drawn_files.hpp"
#include "planner/drawing/drawn_phases.hpp"
#include "planner/drawing/loads.hpp"
#include "planner/drawing/page.hpp"
#include "planner/drawing/picture.hpp"
#include "planner/mapping/answer.hpp"
#include "planner/mapping/phases.hpp"
#include "planner/options.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

constexpr std::size_t most_ranks_of_node = 1024;

constexpr const char* draw_examples = R"(Examples:
  cubefold draw torus:8x8 --placement standard --placement xor --output before-after.svg
  cubefold map torus:4x4x4 --phase cube:0-2 --json cg.json && cubefold draw cg.json --output cg.svg
  cubefold draw cg.json --html cg.html
  cubefold draw pairwise.json direct.json --html steps.html
  cubefold plan allreduce ring:8 --size 64KiB --json ring.json && cubefold draw ring.json --html ring.html
  cubefold draw hosts.json --phase halo:8x8 --per-node 4 --output job.svg
  cubefold draw hypercube:4 --matrix transpose --placement identity --placement standard,order=0-2-1-3 --output -
  cubefold simulate exchange torus:8x8 --placement xor --block 1KiB --json predicted.json
  cubefold draw torus:8x8 --loads predicted.json --loads measured.json --output both.svg

The picture has a panel for each loads file, for each schedule, for a certificate the first compared order and the
choice, or for each placement with the messages of all phases at once. Without --phase these are the messages of all
cube dimensions. Colours begin at the lower bound of all placements where it is known. The page of --html plays the
phases, or the steps of schedules, one by one. A loads file is JSON with grid, links (from, to, and bytes or messages)
and optionally placement, which names the ranks on the nodes.)";

struct DrawOptions {
  std::vector<std::string> subjects;
  std::vector<std::string> placements;
  std::vector<std::string> phases;
  std::size_t per_node = 1;
  std::string matrix;
  std::vector<std::string> loads;
  std::vector<std::string> titles;
  Tie tie = Tie::balanced;
  std::string output;
  std::string html;
};

/// A network that is drawn with the placements and phases of the options.
struct Machine {
  Grid grid;
  std::vector<std::string> hosts;
};

std::size_t panel_count(const DrawOptions& options) {
  return options.loads.empty() ? std::max<std::size_t>(options.placements.size(), 1) : options.loads.size();
}

void require_fit(const DrawOptions& options) {
  const std::size_t panels = panel_count(options);
  if (options.placements.size() > 1 && options.placements.size() != panels) {
    throw std::invalid_argument(
        fmt::format("draw: {} placements for {} loads files; give one, or one for each",
                    options.placements.size(), panels));
  }
}

/// Returns a placement from a rule, or from the file that `map --placement-to` wrote if there is no such rule.
std::string placement_text(const std::string& text) {
  try {
    program::check_placement(text);
    return text;
  } catch (const std::invalid_argument& error) {
    if (!std::filesystem::is_regular_file(text)) throw;
    std::string written = program::read_text(text);
    written.erase(written.find_last_not_of(" \n\r") + 1);
    try {
      program::check_placement(written);
    } catch (const std::invalid_argument& wrong) {
      throw std::invalid_argument(fmt::format("{}: {}", text, wrong.what()));
    }
    return written;
  }
}

/// Returns the placement that the user named for the panel. Without one, returns the placement of the panel's loads, or
/// identity if it is unknown.
Placement placement_of(const DrawOptions& options, const Grid& grid, std::size_t panel,
                       const std::string& of_loads) {
  if (options.placements.empty()) return place(grid, of_loads.empty() ? "identity" : of_loads);
  return place(grid, placement_text(options.placements.at(options.placements.size() == 1 ? 0 : panel)),
               options.per_node);
}

/// Returns the phases to draw. Without --phase they are the cube dimensions, or nothing for the hosts of a job whose
/// number is no power of two.
std::vector<Phase> phases_of(const DrawOptions& options, const Machine& machine) {
  const std::size_t rank_count = machine.grid.node_count() * options.per_node;
  if (!options.phases.empty()) return read_phases(options.phases, rank_count, machine.grid).phases;
  if (rank_count > 1 && std::has_single_bit(rank_count))
    return parse_phases("cube", rank_count, &machine.grid);
  if (!machine.hosts.empty() || rank_count == 1) return {};
  throw std::invalid_argument(fmt::format(
      "draw: {} has {}, which is no power of two, so there are no cube dimensions to draw: give a --phase",
      to_string(machine.grid), program::counted(rank_count, options.per_node == 1 ? "node" : "rank")));
}

Picture of_placements(const DrawOptions& options, const Machine& machine) {
  const Grid& grid = machine.grid;
  const auto phases = phases_of(options, machine);
  Picture picture{grid, noun_of(phases), caption_of(grid, phases, options.tie)};
  if (options.phases.empty() && !phases.empty()) {
    picture.caption =
        fmt::format("{}, ranks on their nodes; all ranks exchange in all cube dimensions{}", to_string(grid),
                    grid.route_table() ? "" : fmt::format(", {} ties", to_string(options.tie)));
  }
  picture.bound = bound_of(even_allocation(grid, options.per_node), phases, {});
  picture.tie = options.tie;
  picture.hosts = machine.hosts;
  for (std::size_t i = 0; i < panel_count(options); ++i) {
    const Placement placement = placement_of(options, grid, i, "");
    const auto rule = to_string(placement.rule());
    picture.panels.push_back(
        {placement_title(rule), nodes_under(even_allocation(grid, options.per_node), rule), {}, phases});
  }
  return picture;
}

/// Returns a note on the contention under e-cube routes. It is empty unless the grid is a hypercube.
std::string contention_note(const Grid& grid, const Lcc& lcc) {
  const bool is_cube = grid.route_table() == nullptr &&
                       std::ranges::all_of(grid.axes(), [](const Axis& axis) { return axis.extent == 2; });
  if (!is_cube) return "";
  return fmt::format("most messages on a link: {}", std::ranges::max(contention(lcc)));
}

MatrixPicture of_matrix(const DrawOptions& options, const Grid& grid) {
  MatrixPicture picture{
      fmt::format("{} as nodes of {} see it: A and b", options.matrix, to_string(grid)), {}, {}};
  for (const Axis& axis : grid.axes()) picture.axis_bits.push_back(std::countr_zero(axis.extent));
  for (std::size_t i = 0; i < panel_count(options); ++i) {
    const Placement placement = placement_of(options, grid, i, "");
    const Lcc lcc = between_nodes(lcc_named(options.matrix, grid), placement);
    picture.panels.push_back({placement_title(to_string(placement.rule())), contention_note(grid, lcc), lcc});
  }
  return picture;
}

Picture of_loads(const DrawOptions& options, const Grid& grid) {
  Picture picture{grid, "", fmt::format("{}, ranks on their nodes", to_string(grid))};
  for (std::size_t i = 0; i < options.loads.size(); ++i) {
    Loads loads = read_loads(options.loads[i], grid);
    if (i > 0 && loads.noun != picture.noun) {
      throw std::invalid_argument(fmt::format("draw: {} has {}, but {} has {}", options.loads[i], loads.noun,
                                              options.loads[0], picture.noun));
    }
    picture.noun = loads.noun;
    const std::string title = std::filesystem::path(options.loads[i]).stem().string();
    picture.panels.push_back(
        {title, node_of_rank(placement_of(options, grid, i, loads.placement)), std::move(loads.values)});
  }
  return picture;
}

/// Returns the files of the subjects, or nothing if the only subject is a network.
std::vector<DrawnFile> files_of(const DrawOptions& options) {
  if (options.subjects.size() == 1 && !names_a_file(options.subjects[0])) return {};
  std::vector<DrawnFile> files;
  for (const std::string& path : options.subjects) files.push_back(read_drawn_file(path));
  for (const DrawnFile& file : files) {
    if (files.size() == 1 || file.kind == DrawnKind::schedule) continue;
    throw std::invalid_argument(fmt::format("draw: {} is no schedule; only schedules are drawn side by side",
                                            program::name_of(file.path)));
  }
  return files;
}

/// Throws for options about what a file has already.
void require_file_alone(const DrawOptions& options, const std::string& path) {
  for (const auto& [given, name] : {std::pair{!options.phases.empty(), "--phase"},
                                    {!options.placements.empty(), "--placement"},
                                    {!options.loads.empty(), "--loads"},
                                    {!options.matrix.empty(), "--matrix"},
                                    {options.per_node > 1, "--per-node"}}) {
    if (given) {
      throw std::invalid_argument(
          fmt::format("draw: {} says this itself; leave out {}", program::name_of(path), name));
    }
  }
}

/// Returns the picture of a network. Loads that come from no file are counted.
Picture network_picture(const DrawOptions& options, const std::vector<DrawnFile>& files,
                        const Machine& machine) {
  Picture picture = [&] {
    if (files.empty() || files[0].kind == DrawnKind::hosts)
      return options.loads.empty() ? of_placements(options, machine) : of_loads(options, machine.grid);
    require_file_alone(options, files[0].path);
    return files[0].kind == DrawnKind::certificate ? picture_of_certificate(files[0])
                                                   : picture_of_schedules(files);
  }();
  for (Panel& panel : picture.panels) {
    if (panel.loads.empty())
      panel.loads = loads_of_phases(picture.grid, panel.node_of_rank, panel.steps, picture.tie);
  }
  return picture;
}

Machine machine_of(const DrawOptions& options, const std::vector<DrawnFile>& files) {
  if (files.empty()) return {parse_grid(options.subjects[0]), {}};
  if (files[0].kind != DrawnKind::hosts) return {Grid(std::vector<Axis>{}), {}};
  DrawnHosts hosts = hosts_in(files[0]);
  return {std::move(hosts.grid), std::move(hosts.names)};
}

template <typename AnyPicture>
AnyPicture titled(const DrawOptions& options, AnyPicture picture) {
  if (!options.titles.empty() && options.titles.size() != picture.panels.size()) {
    throw std::invalid_argument(fmt::format("draw: {} titles for {} panels; give one for each",
                                            options.titles.size(), picture.panels.size()));
  }
  for (std::size_t i = 0; i < options.titles.size(); ++i) picture.panels[i].title = options.titles[i];
  return picture;
}

void run(const DrawOptions& options) {
  if (options.output.empty() && options.html.empty())
    throw std::invalid_argument("draw: give --output FILE for a picture, or --html FILE for a page");
  if (options.output == "-" && options.html == "-")
    throw std::invalid_argument("draw: --output and --html cannot both write to standard output");
  const auto files = files_of(options);
  const Machine machine = machine_of(options, files);
  require_drawable(machine.grid);
  require_fit(options);
  auto svg = files::open_output(options.output);
  auto page = files::open_output(options.html);
  if (!options.matrix.empty() && (files.empty() || files[0].kind == DrawnKind::hosts)) {
    if (svg) svg->write(to_svg(titled(options, of_matrix(options, machine.grid))));
    return;
  }
  const Picture picture = titled(options, network_picture(options, files, machine));
  if (svg) svg->write(to_svg(picture));
  if (page) page->write(to_html(picture));
}

}  // namespace

void add_draw(CLI::App& program) {
  auto* command = program.add_subcommand("draw", "Draws a network, its ranks and the loads of its links");
  const auto options = std::make_shared<DrawOptions>();
  command
      ->add_option("WHAT", options->subjects,
                   "A network, such as torus:8x8 (see cubefold help grid), a certificate of\n"
                   "map --json, hosts.json of discover, or schedules of plan --json,\n"
                   "one panel each; - is standard input")
      ->check(program::read_by([](const std::string& text) {
        if (!names_a_file(text)) parse_grid(text);
      }))
      ->required();
  command
      ->add_option("--placement", options->placements,
                   program::placement_help() +
                       ",\nor a file of map --placement-to. Default: identity; may be given "
                       "again, for one panel each")
      ->check(program::read_by(placement_text))
      ->type_name("RULE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  auto* phases = add_phases(*command, options->phases);
  auto* loads =
      command->add_option("--loads", options->loads, "JSON file with the loads of links; may be given again")
          ->type_name("FILE")
          ->excludes(phases)
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  auto* per_node =
      command
          ->add_option("--per-node", options->per_node, "Ranks on each node; consecutive ranks share a node")
          ->transform(program::whole_number(1, most_ranks_of_node))
          ->type_name("K")
          ->capture_default_str()
          ->excludes(loads);
  auto* matrix = command
                     ->add_option("--matrix", options->matrix,
                                  "Draw the matrix of a communication under each placement, in place of the\n"
                                  "network: transpose:8x8, another pattern, or lcc:FILE")
                     ->type_name("PATTERN")
                     ->excludes(phases)
                     ->excludes(per_node)
                     ->excludes(loads);
  command->add_option("--title", options->titles, "Title of a panel; given once for each panel")
      ->type_name("TEXT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_tie(*command, options->tie);
  command->add_option("--output", options->output, "SVG file to write; - is standard output")
      ->type_name("FILE");
  command
      ->add_option("--html", options->html,
                   "Page to write that plays the phases or steps, with sorted loads and a\n"
                   "rank-by-rank map; it needs no network; - is standard output")
      ->type_name("FILE")
      ->excludes(matrix);
  command->footer(draw_examples);
  command->callback([options] { run(*options); });
}

}  // namespace cubefold::planner
