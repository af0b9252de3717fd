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
#include "planner/drawing/loads.hpp"
#include "planner/drawing/picture.hpp"
#include "planner/mapping/phases.hpp"
#include "planner/options.hpp"
#include "program/program.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

constexpr std::size_t most_drawn_nodes = 1024;

constexpr const char* draw_examples = R"(Examples:
  cubefold draw torus:8x8 --placement standard --placement xor --output before-after.svg
  cubefold draw hypercube:4 --matrix transpose --placement identity --placement standard,order=0-2-1-3 --output -
  cubefold draw torus:8x8 --phase bit-reversal --placement xor --placement auto:bit-reversal --output -
  cubefold simulate exchange torus:8x8 --placement xor --block 1KiB --json predicted.json
  cubefold draw torus:8x8 --loads predicted.json --loads measured.json --output both.svg

The picture has a panel for each loads file, or for each placement with the messages of all phases at once. Without
--phase these are the messages of all cube dimensions. A loads file is JSON with grid, links (from, to, and bytes or
messages) and optionally placement, which names the ranks on the nodes.)";

struct DrawOptions {
  std::string grid;
  std::vector<std::string> placements;
  std::vector<std::string> phases;
  std::string matrix;
  std::vector<std::string> loads;
  std::vector<std::string> titles;
  Tie tie = Tie::balanced;
  std::string output;
};

Grid drawable_grid(const std::string& text) {
  Grid grid = parse_grid(text);
  if (grid.node_count() > most_drawn_nodes) {
    throw std::invalid_argument(
        fmt::format("draw: {} has {} nodes; the most is {}", text, grid.node_count(), most_drawn_nodes));
  }
  return grid;
}

void require_fit(const DrawOptions& options) {
  const auto panels =
      options.loads.empty() ? std::max<std::size_t>(options.placements.size(), 1) : options.loads.size();
  if (options.placements.size() > 1 && options.placements.size() != panels) {
    throw std::invalid_argument(
        fmt::format("draw: {} placements for {} loads files; give one, or one for each",
                    options.placements.size(), panels));
  }
  if (!options.titles.empty() && options.titles.size() != panels) {
    throw std::invalid_argument(
        fmt::format("draw: {} titles for {} panels; give one for each", options.titles.size(), panels));
  }
}

/// Returns the placement that the user named for the panel. Without one, returns the placement of the panel's loads, or
/// identity if it is unknown.
Placement placement_of(const DrawOptions& options, const Grid& grid, std::size_t panel,
                       const std::string& of_loads) {
  if (options.placements.empty()) return place(grid, of_loads.empty() ? "identity" : of_loads);
  return place(grid, options.placements.at(options.placements.size() == 1 ? 0 : panel));
}

std::string what_is_sent(const std::vector<Phase>& phases) {
  if (phases.empty()) return "all ranks exchange in all cube dimensions";
  std::vector<std::string> names;
  names.reserve(phases.size());
  for (const Phase& phase : phases) {
    names.push_back(phase.weight == 1 ? phase.name : fmt::format("{}*{:g}", phase.name, phase.weight));
  }
  return fmt::format("{}{}", fmt::join(names, ", "), names.size() > 1 ? " at once" : "");
}

Picture of_placements(const DrawOptions& options, const Grid& grid) {
  Picture picture{grid, "messages", "", {}};
  const auto phases = read_phases(options.phases, grid.node_count(), grid).phases;
  if (phases.empty() && !std::has_single_bit(grid.node_count())) {
    throw std::invalid_argument(
        fmt::format("draw: {} has {} nodes, which is no power of two, so there are no cube "
                    "dimensions to draw: give a --phase",
                    to_string(grid), grid.node_count()));
  }
  for (std::size_t i = 0; i < std::max<std::size_t>(options.placements.size(), 1); ++i) {
    const Placement placement = placement_of(options, grid, i, "");
    const Loads loads = phases.empty() ? loads_of_all_dimensions(placement, options.tie)
                                       : loads_of_phases(placement, phases, options.tie);
    picture.panels.push_back({to_string(placement.rule()), rank_of_node(placement), loads.values});
  }
  const bool has_ties = grid.route_table() == nullptr;
  picture.caption = fmt::format("{}, ranks on their nodes; {}{}", to_string(grid), what_is_sent(phases),
                                has_ties ? fmt::format(", {} ties", to_string(options.tie)) : "");
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
  for (std::size_t i = 0; i < std::max<std::size_t>(options.placements.size(), 1); ++i) {
    const Placement placement = placement_of(options, grid, i, "");
    const Lcc lcc = between_nodes(lcc_named(options.matrix, grid), placement);
    picture.panels.push_back({to_string(placement.rule()), contention_note(grid, lcc), lcc});
  }
  return picture;
}

Picture of_loads(const DrawOptions& options, const Grid& grid) {
  Picture picture{grid, "", fmt::format("{}, ranks on their nodes", to_string(grid)), {}};
  for (std::size_t i = 0; i < options.loads.size(); ++i) {
    Loads loads = read_loads(options.loads[i], grid);
    if (i > 0 && loads.noun != picture.noun) {
      throw std::invalid_argument(fmt::format("draw: {} has {}, but {} has {}", options.loads[i], loads.noun,
                                              options.loads[0], picture.noun));
    }
    picture.noun = loads.noun;
    const std::string title = std::filesystem::path(options.loads[i]).stem().string();
    picture.panels.push_back(
        {title, rank_of_node(placement_of(options, grid, i, loads.placement)), std::move(loads.values)});
  }
  return picture;
}

template <typename AnyPicture>
std::string titled_svg(const DrawOptions& options, AnyPicture picture) {
  for (std::size_t i = 0; i < options.titles.size(); ++i) picture.panels[i].title = options.titles[i];
  return to_svg(picture);
}

std::string svg_of(const DrawOptions& options, const Grid& grid) {
  if (!options.matrix.empty()) return titled_svg(options, of_matrix(options, grid));
  if (!options.loads.empty()) return titled_svg(options, of_loads(options, grid));
  return titled_svg(options, of_placements(options, grid));
}

void run(const DrawOptions& options) {
  const Grid grid = drawable_grid(options.grid);
  require_fit(options);
  files::Output(options.output).write(svg_of(options, grid));
}

}  // namespace

void add_draw(CLI::App& program) {
  auto* command = program.add_subcommand("draw", "Draws a network, its ranks and the loads of its links");
  const auto options = std::make_shared<DrawOptions>();
  add_grid(*command, options->grid);
  command
      ->add_option(
          "--placement", options->placements,
          fmt::format(
              "{}, as elsewhere, identity if nothing is said;\nmay be given again, for one panel each",
              fmt::join(embedding_names(), ", ")))
      ->check(program::read_by(program::check_placement))
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
  command
      ->add_option("--matrix", options->matrix,
                   "Draw the matrix of a communication under each placement, in place of the\n"
                   "network: transpose:8x8, another pattern, or lcc:FILE")
      ->type_name("PATTERN")
      ->excludes(phases)
      ->excludes(loads);
  command->add_option("--title", options->titles, "Title of a panel; given once for each panel")
      ->type_name("TEXT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_tie(*command, options->tie);
  command->add_option("--output", options->output, "SVG file to write; - is standard output")
      ->type_name("FILE")
      ->required();
  command->footer(draw_examples);
  command->callback([options] { run(*options); });
}

}  // namespace cubefold::planner
