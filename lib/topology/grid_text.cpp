#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <stdexcept>

#include "balanced_routes.hpp"
#include "cubefold/topology/grid.hpp"
#include "network_file.hpp"
#include "network_links.hpp"
#include "text/known_names.hpp"

namespace cubefold {

namespace {

std::string extents_text(const Grid& grid, bool mark_wrapped) {
  std::string text;
  for (const Axis& axis : grid.axes()) {
    if (!text.empty()) text += 'x';
    text += std::to_string(axis.extent);
    if (mark_wrapped && axis.ends == Ends::wrapped) text += 'w';
  }
  return text;
}

/// Reads a grid's text from left to right and throws std::invalid_argument that quotes it.
class GridReader {
 public:
  explicit GridReader(std::string_view text) : text_(text) {}

  Grid read() {
    Grid network = whole_network();
    while (!rest_.empty()) {
      if (skip(without)) {
        network = without_named_nodes(network);
      } else if (skip(hosts)) {
        network = with_numbers_of_hosts(network);
      } else {
        fail_at_end();
      }
    }
    return network;
  }

 private:
  static constexpr std::string_view without = ",without=";
  static constexpr std::string_view hosts = ",hosts=";

  Grid whole_network() {
    const auto colon = text_.find(':');
    if (colon == std::string_view::npos) fail("expected a kind and a colon, as in torus:8x8");
    const auto kind = text_.substr(0, colon);
    rest_ = text_.substr(colon + 1);

    if (kind == "file") return network_file();
    const Grid grid = grid_of(axes_of(kind));
    const bool is_twisted = kind == "torus" && skip("~");
    const std::uint32_t twist = is_twisted ? number() : 0;
    const auto cut = cut_cables();
    require_end_or_change();  // before routes are computed
    if (kind == "hyperx") return with_table(grid, "hyperx:" + extents_text(grid, false), hyperx_links, cut);
    if (is_twisted) return twisted(grid, twist, cut);
    return cut.empty() ? grid : with_table(grid, to_string(grid), grid_links, cut);
  }

  void require_end_or_change() const {
    if (!rest_.empty() && !rest_.starts_with(without) && !rest_.starts_with(hosts)) fail_at_end();
  }

  [[noreturn]] void fail_at_end() const { fail(fmt::format("unexpected '{}' at the end", rest_)); }

  [[noreturn]] void fail(const std::string& rule) const {
    throw std::invalid_argument(fmt::format("grid '{}': {}", text_, rule));
  }

  Grid grid_of(const std::vector<Axis>& axes) const {
    if (auto problem = Grid::problem_of(axes)) fail(*problem);
    return Grid(axes);
  }

  std::uint32_t number() {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error == std::errc::result_out_of_range) fail(fmt::format("'{}' is too large", rest_));
    if (error != std::errc{}) fail(fmt::format("expected a number at '{}'", rest_));
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  bool skip(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  std::vector<Axis> axes(Ends ends, bool each_axis_says) {
    std::vector<Axis> result;
    do {
      const auto extent = number();
      const bool wrapped = each_axis_says && skip("w");
      result.push_back({extent, wrapped ? Ends::wrapped : ends});
    } while (skip("x"));
    return result;
  }

  std::vector<Axis> hypercube() {
    const auto dimension_count = number();
    if (dimension_count > 31) fail(fmt::format("dimension {} is above 31", dimension_count));
    return std::vector<Axis>(dimension_count, {2, Ends::open});
  }

  std::vector<Axis> axes_of(std::string_view kind) {
    if (kind == "hypercube") return hypercube();
    if (kind == "ring") return {{number(), Ends::wrapped}};
    if (kind == "line") return {{number(), Ends::open}};
    if (kind == "torus") return axes(Ends::wrapped, false);
    if (kind == "mesh" || kind == "hyperx") return axes(Ends::open, false);
    if (kind == "grid") return axes(Ends::open, true);
    if (kind == "tofu") return axes_of_units();
    fail(unknown_name("kind", kind,
                      {"torus", "mesh", "ring", "line", "hypercube", "grid", "hyperx", "tofu", "file"}));
  }

  /// Reads the numbers of units on the axes x, y and z, and adds the axes of a unit of 2 x 3 x 2 nodes.
  std::vector<Axis> axes_of_units() {
    std::vector<Axis> result = axes(Ends::open, true);
    if (result.size() != 3) fail("tofu has three axes of units of 2x3x2 nodes");
    for (const Axis& axis : {Axis{2, Ends::open}, Axis{3, Ends::wrapped}, Axis{2, Ends::open}})
      result.push_back(axis);
    return result;
  }

  /// Reads `,cut=0-1,cut=4-5` and returns every cable once, in ascending order.
  std::set<Cable> cut_cables() {
    std::set<Cable> cables;
    while (skip(",cut=")) {
      const auto one = number();
      if (!skip("-")) fail("a cut names the two ends of a cable, as in cut=0-1");
      const auto other = number();
      cables.emplace(std::min(one, other), std::max(one, other));
    }
    return cables;
  }

  Grid network_file() {
    const std::string file(rest_.substr(0, std::min(rest_.find(without), rest_.find(hosts))));
    rest_.remove_prefix(file.size());
    try {
      return read_network(file);
    } catch (const std::invalid_argument& error) {
      fail(error.what());
    }
  }

  /// Reads one number or several, as in `3-7`.
  std::vector<std::uint32_t> numbers() {
    std::vector<std::uint32_t> result;
    do result.push_back(number());
    while (skip("-"));
    return result;
  }

  Grid without_named_nodes(const Grid& network) {
    std::vector<GridNode> missing;
    for (const std::uint32_t node : numbers()) missing.push_back(GridNode{node});
    try {
      return without_nodes(network, std::move(missing));
    } catch (const std::invalid_argument& error) {
      fail(error.what());
    }
  }

  /// Reads the number of hosts on every node, or one number that holds for all.
  Grid with_numbers_of_hosts(const Grid& network) {
    if (network.node_count() > RouteTable::most_nodes) {
      fail(fmt::format("{} nodes; the most with hosts is {}", network.node_count(), RouteTable::most_nodes));
    }
    auto host_count = numbers();
    if (host_count.size() == 1) host_count.assign(network.node_count(), host_count.front());
    try {
      return with_hosts(network, host_count);
    } catch (const std::invalid_argument& error) {
      fail(error.what());
    }
  }

  Grid twisted(const Grid& torus, std::uint32_t twist, const std::set<Cable>& cut) const {
    if (torus.axis_count() != 2) fail("a twisted torus has two axes");
    if (twist == 0 || twist >= torus.extent(1)) {
      fail(fmt::format("a twist of {} is not in 1 .. {}, below the extent of axis 1", twist,
                       torus.extent(1) - 1));
    }
    const auto links = [twist](const Grid& grid) { return twisted_links(grid, twist); };
    return with_table(torus, fmt::format("torus:{}~{}", extents_text(torus, false), twist), links, cut);
  }

  template <typename Links>
  Grid with_table(const Grid& grid, std::string name, Links links_of_grid, const std::set<Cable>& cut) const {
    if (grid.node_count() > RouteTable::most_nodes) {
      fail(fmt::format("{} nodes; the most with links of its own is {}", grid.node_count(),
                       RouteTable::most_nodes));
    }
    for (const auto& [one, other] : cut) name += fmt::format(",cut={}-{}", one, other);
    try {
      return {grid.axes(),
              balanced_routes(grid, without_cables(links_of_grid(grid), {cut.begin(), cut.end()})), name};
    } catch (const std::invalid_argument& error) {
      fail(error.what());
    }
  }

  std::string_view text_;
  std::string_view rest_;
};

}  // namespace

Grid parse_grid(std::string_view text) {
  return GridReader(text).read();
}

std::string to_string(const Grid& grid) {
  if (grid.route_table() != nullptr) return grid.name();
  const auto& axes = grid.axes();
  const auto all = [&](auto&& holds) { return std::all_of(axes.begin(), axes.end(), holds); };
  const bool all_open = all([](const Axis& a) { return a.ends == Ends::open; });
  const bool all_wrapped = all([](const Axis& a) { return a.ends == Ends::wrapped; });
  const bool all_two = all([](const Axis& a) { return a.extent == 2; });

  if (all_open && all_two) return fmt::format("hypercube:{}", axes.size());
  if (axes.size() == 1) return fmt::format("{}:{}", all_open ? "line" : "ring", axes[0].extent);
  if (all_open) return "mesh:" + extents_text(grid, false);
  if (all_wrapped) return "torus:" + extents_text(grid, false);
  return "grid:" + extents_text(grid, true);
}

}  // namespace cubefold
