#include "grid_recognition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cubefold/topology/route.hpp"

namespace cubefold {

namespace {

/// The axis of an edge as seen from one of its ends, times two, plus one if the edge leads down.
using Label = int;
constexpr Label no_label = -1;

Label opposite(Label label) {
  return label ^ 1;
}

int axis_of(Label label) {
  return label / 2;
}

/// Is thrown inside this file when the graph turns out to be no grid.
struct Contradiction {
  NoGrid reason;
};

[[noreturn]] void reject(std::vector<GraphEdge> edges, std::string rule) {
  throw Contradiction{{std::move(edges), std::move(rule)}};
}

/// Finds the grid that a graph is. The functions throw Contradiction.
class Recogniser {
 public:
  explicit Recogniser(const Neighbours& neighbours)
      : neighbours_(neighbours), labels_(neighbours.size()), parents_(neighbours.size(), none) {
    for (std::size_t v = 0; v < neighbours.size(); ++v) labels_[v].assign(neighbours[v].size(), no_label);
  }

  RecognisedGrid result() {
    label_root();
    label_others();
    measure_axes();
    const Grid grid(axes_);
    place(grid);
    require_bijection(grid);
    require_links(grid);
    return {grid, std::move(nodes_)};
  }

 private:
  using Vertex = std::uint32_t;
  static constexpr Vertex none = ~Vertex{0};
  static constexpr Vertex root = 0;

  /// Returns the vertices other than u that are neighbours of v and of w.
  std::vector<Vertex> corners(Vertex u, Vertex v, Vertex w) const {
    std::vector<Vertex> common;
    std::ranges::set_intersection(neighbours_[v], neighbours_[w], std::back_inserter(common));
    std::erase(common, u);
    return common;
  }

  Label& label(Vertex from, Vertex to) {
    const auto place = std::ranges::lower_bound(neighbours_[from], to) - neighbours_[from].begin();
    return labels_[from][static_cast<std::size_t>(place)];
  }

  /// Returns the neighbour along a label, or `none`.
  Vertex along(Vertex from, Label wanted) const {
    const auto place = std::ranges::find(labels_[from], wanted) - labels_[from].begin();
    const auto index = static_cast<std::size_t>(place);
    return index < labels_[from].size() ? neighbours_[from][index] : none;
  }

  /// Gives the two edges of a line one axis and different directions.
  void label_root() {
    const auto& ends = neighbours_[root];
    for (std::size_t i = 0; i < ends.size(); ++i) {
      for (std::size_t j = i + 1; j < ends.size(); ++j) {
        const std::size_t squares = corners(root, ends[i], ends[j]).size();
        if (squares > 1)
          reject({{root, ends[i]}, {root, ends[j]}}, fmt::format("they are in {} squares, not one", squares));
        if (squares == 0) join(i, j);
      }
    }
    for (Label& label : labels_[root])
      if (label == no_label) label = 2 * axis_count_++;
  }

  void join(std::size_t i, std::size_t j) {
    auto& labels = labels_[root];
    if (labels[i] != no_label || labels[j] != no_label) {
      reject({{root, neighbours_[root][i]}, {root, neighbours_[root][j]}},
             "they are in no square, so they would be on one axis with a third cable");
    }
    labels[i] = 2 * axis_count_++;
    labels[j] = opposite(labels[i]);
  }

  void label_others() {
    parents_[root] = root;
    order_.push_back(root);
    for (std::size_t next = 0; next < order_.size(); ++next) {
      const Vertex here = order_[next];
      for (const Vertex there : neighbours_[here]) {
        if (parents_[there] != none) continue;
        parents_[there] = here;
        order_.push_back(there);
        label_from(here, there);
      }
    }
    if (order_.size() < neighbours_.size())
      reject({}, fmt::format("only {} of the {} switches are connected", order_.size(), neighbours_.size()));
  }

  /// Carries the labels of u over the edge to v: every other edge of u spans a square with it, and the edge of v that
  /// is in none of these squares goes on in the same direction.
  void label_from(Vertex u, Vertex v) {
    const Label step = label(u, v);
    label(v, u) = opposite(step);
    for (const Vertex w : neighbours_[u]) {
      const Label side = label(u, w);
      if (axis_of(side) == axis_of(step)) continue;
      const auto corner = corners(u, v, w);
      if (corner.size() != 1)
        reject({{u, v}, {u, w}}, fmt::format("they are on different axes, but in {} squares", corner.size()));
      Label& carried = label(v, corner.front());
      if (carried != no_label)
        reject({{u, w}, {v, corner.front()}}, "they are opposite in a square, but on different axes");
      carried = side;
    }
    label_straight(v, step);
  }

  void label_straight(Vertex v, Label step) {
    Vertex straight = none;
    for (const Vertex w : neighbours_[v]) {
      if (label(v, w) != no_label) continue;
      if (straight != none) reject({{v, straight}, {v, w}}, "both would go on along one line");
      straight = w;
      label(v, w) = step;
    }
  }

  /// Returns the number of steps that lead from the root in one direction. A ring leads back to the root.
  std::uint32_t steps_from_root(Label direction) const {
    std::uint32_t steps = 0;
    Vertex here = along(root, direction);
    while (here != none && here != root && steps < neighbours_.size()) {
      ++steps;
      here = along(here, direction);
    }
    if (here == none) return steps;
    if (here != root) reject({{root, along(root, direction)}}, "its line never ends");
    return steps + 1;
  }

  bool is_ring(Label up, std::uint32_t steps) const {
    Vertex here = root;
    for (std::uint32_t i = 0; i < steps; ++i) here = along(here, up);
    return steps > 0 && here == root;
  }

  /// Finds the extents, and puts the axes in ascending order. An open axis is turned so that the root is in its lower
  /// half.
  void measure_axes() {
    struct Line {
      Axis axis;
      Label up;
      std::uint32_t root_at;
    };
    std::vector<Line> lines;
    for (int axis = 0; axis < axis_count_; ++axis) {
      const Label up = 2 * axis;
      const std::uint32_t above = steps_from_root(up);
      if (is_ring(up, above)) {
        lines.push_back({{above, Ends::wrapped}, up, 0});
        continue;
      }
      const std::uint32_t below = steps_from_root(opposite(up));
      lines.push_back(
          {{above + below + 1, Ends::open}, below <= above ? up : opposite(up), std::min(above, below)});
    }
    std::ranges::stable_sort(lines, {},
                             [](const Line& line) { return std::pair(line.axis.extent, line.axis.ends); });
    position_of_axis_.resize(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      axes_.push_back(lines[i].axis);
      root_at_.push_back(lines[i].root_at);
      position_of_axis_[static_cast<std::size_t>(axis_of(lines[i].up))] = {i, lines[i].up};
    }
    if (auto problem = Grid::problem_of(axes_)) reject({}, *problem);
  }

  /// Gives every vertex the node that lies one step from that of its parent.
  void place(const Grid& grid) {
    nodes_.assign(neighbours_.size(), GridNode{0});
    nodes_[root] = grid.node_at(root_at_);
    for (const Vertex v : order_) {
      if (v == root) continue;
      const Vertex parent = parents_[v];
      const Label step = label(parent, v);
      const auto& [axis, up] = position_of_axis_[static_cast<std::size_t>(axis_of(step))];
      auto at = grid.coordinates(nodes_[parent]);
      const std::uint32_t extent = axes_[axis].extent;
      const bool is_over_the_end = step == up ? at[axis] + 1 == extent : at[axis] == 0;
      if (is_over_the_end && axes_[axis].ends == Ends::open)
        reject({{parent, v}}, "it leads over the end of the line, which is shorter elsewhere");
      at[axis] = (at[axis] + (step == up ? 1 : extent - 1)) % extent;
      nodes_[v] = grid.node_at(at);
    }
  }

  /// Rejects a graph whose lines and rings make a grid with more nodes. In a twisted torus, a ring comes back to its
  /// begin only after several times around.
  [[noreturn]] void reject_larger(const Grid& grid) const {
    std::string rule = fmt::format("the cables would be those of {} with {} nodes, but there are {} switches",
                                   to_string(grid), grid.node_count(), nodes_.size());
    if (std::ranges::all_of(
            axes_, [](const Axis& axis) { return axis.ends == Ends::wrapped || axis.extent == 2; })) {
      rule +=
          "; this is a twisted torus, or cables are plugged wrong; for a twisted torus, give the hosts with "
          "their coordinates, as lines HOST X Y, and --grid torus:AxB~T";
    }
    for (Vertex v = 0; v < nodes_.size(); ++v) {
      for (const Vertex w : neighbours_[v]) {
        if (w == root || distance_hops(grid, nodes_[v], nodes_[w]) == 1) continue;
        reject({{v, w}, {parents_[w], w}},
               "they lead to one switch from places that are no neighbours: " + rule);
      }
    }
    reject({}, rule);
  }

  void require_bijection(const Grid& grid) const {
    if (grid.node_count() > nodes_.size()) reject_larger(grid);
    std::vector<Vertex> vertex_at(grid.node_count(), none);
    for (Vertex v = 0; v < nodes_.size(); ++v) {
      Vertex& there = vertex_at[static_cast<std::size_t>(nodes_[v])];
      if (there != none) {
        reject({{parents_[there], there}, {parents_[v], v}},
               fmt::format("they lead to two switches at one place of {}", to_string(grid)));
      }
      there = v;
    }
  }

  void require_links(const Grid& grid) const {
    std::size_t edge_ends = 0;
    for (Vertex v = 0; v < nodes_.size(); ++v) {
      for (const Vertex w : neighbours_[v]) {
        ++edge_ends;
        if (distance_hops(grid, nodes_[v], nodes_[w]) == 1) continue;
        reject({{v, w}, {parents_[w], w}}, fmt::format("the first one is no link of {}", to_string(grid)));
      }
    }
    const std::size_t links = links_of(grid).size();
    if (edge_ends < links) {
      reject({},
             fmt::format("{} has {} cables, but there are {}", to_string(grid), links / 2, edge_ends / 2));
    }
  }

  const Neighbours& neighbours_;
  std::vector<std::vector<Label>> labels_;  ///< of the edges in neighbours_
  std::vector<Vertex> parents_;
  std::vector<Vertex> order_;  ///< breadth first from the root
  int axis_count_ = 0;
  std::vector<Axis> axes_;
  std::vector<std::uint32_t> root_at_;
  std::vector<std::pair<std::size_t, Label>>
      position_of_axis_;  ///< position in axes_, and the label that leads up
  std::vector<GridNode> nodes_;
};

}  // namespace

std::variant<RecognisedGrid, NoGrid> recognised_grid(const Neighbours& neighbours) {
  if (neighbours.empty()) return NoGrid{{}, "there are no switches"};
  try {
    return Recogniser(neighbours).result();
  } catch (Contradiction& contradiction) {
    return std::move(contradiction.reason);
  }
}

}  // namespace cubefold
