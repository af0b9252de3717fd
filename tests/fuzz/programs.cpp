#include <algorithm>
#include <array>
#include <numeric>
#include <sstream>

#include "fuzz/parser.hpp"
#include "fuzz/text_in_file.hpp"
#include "npy/header.hpp"
#include "planner/drawing/loads.hpp"
#include "planner/launchers/launcher.hpp"

namespace cubefold::fuzz {

namespace {

/// Returns whether the reader of a format takes the file. If it does, every node has to have two ranks, and the file
/// that is written for this order has to give the same order.
void read_in_format(const planner::LauncherFormat& format, const planner::Allocation& allocation,
                    const std::string& path) {
  const auto nodes = planner::read_launcher_file(format, allocation, path);
  std::vector<std::size_t> ranks_on(allocation.grid.node_count());
  for (const GridNode node : nodes) ++ranks_on.at(static_cast<std::size_t>(node));
  require(ranks_on == std::vector<std::size_t>(ranks_on.size(), allocation.per_node()),
          "a node has not its number of ranks");
  const TextInFile again(planner::launcher_text(format, allocation, nodes));
  require(planner::read_launcher_file(format, allocation, again.path()) == nodes,
          "the file that is written for an order gives another order");
}

/// The first letter of the text chooses the format.
void read_launcher_files(std::string_view text) {
  if (text.empty()) return;
#define CUBEFOLD_FORMAT_ADDRESS(name) &planner::name##_format,
  static const std::array formats{CUBEFOLD_LAUNCHER_FORMATS(CUBEFOLD_FORMAT_ADDRESS)};
#undef CUBEFOLD_FORMAT_ADDRESS
  const auto choice = static_cast<unsigned char>(text.front());
  const planner::Allocation allocation{
      parse_grid("torus:2x2"), {2, 2, 2, 2}, 4, {"n0", "n1", "n2.site", "n3"}};
  const TextInFile file(text.substr(1));
  read_in_format(*formats[choice % formats.size()], allocation, file.path());
}

void read_link_loads(std::string_view text) {
  if (names_costly_network(text)) return;
  const TextInFile file(text);
  const planner::Loads loads = planner::read_loads(file.path(), parse_grid("torus:4x4"));
  for (const double load : loads.values) require(load >= 0, "a load is negative");
}

void read_npy_header(std::string_view text) {
  std::istringstream file{std::string(text)};
  const npy::Header header = npy::read_header(file);
  require(npy::point_count(header.shape) * npy::bytes_of(header.element) <= text.size(),
          "the file is shorter than its header says");
}

}  // namespace

const FuzzedParser launchers_parser{"launchers", read_launcher_files,
                                    Refusals::invalid_argument_or_runtime_error};
const FuzzedParser link_loads_parser{"link_loads", read_link_loads,
                                     Refusals::invalid_argument_or_runtime_error};
const FuzzedParser npy_header_parser{"npy_header", read_npy_header,
                                     Refusals::invalid_argument_or_runtime_error};

}  // namespace cubefold::fuzz
