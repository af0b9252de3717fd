#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold::planner {

struct Point {
  double x;
  double y;

  bool operator==(const Point&) const = default;
};

/// A straight part of a link, which begins or ends at the rim of a node.
struct Stroke {
  Point from;
  Point to;
};

/// A text in a picture, whose baseline begins at a point.
struct PlaneName {
  Point at;
  std::string text;
};

/// Holds the positions of the nodes of a grid in a picture, and after them those of its switches. Axis 0 goes to the
/// right, axis 1 goes down, and axis 2 goes into the depth. From 125 nodes on, the planes along axis 2 are side by side
/// instead. A single ring is drawn as a circle. If more than three axes have more than one node, consecutive pairs of
/// axes of extent 2 are drawn as one ring of 4, which is the same network. Lengths are in pixels.
///
/// Nodes that were taken away from a network keep their places in it, as switches, and hosts are around their switches.
/// A grid with a route table is drawn along its axes if every link leads to a neighbour on an axis or over the edge of
/// one, or to a host. Otherwise all its nodes are on a circle.
class NodePositions {
 public:
  /// Places the nodes. Throws std::invalid_argument if more than three axes have to be drawn.
  explicit NodePositions(const Grid& grid);

  double node_radius() const { return node_radius_; }
  const std::vector<Point>& nodes() const { return nodes_; }

  /// Returns the upper left corner of a box that holds all nodes and strokes.
  Point least() const { return least_; }

  /// Returns the lower right corner of the box whose upper left corner is least().
  Point greatest() const { return greatest_; }

  /// Returns one stroke for a link between neighbours in the picture. A wrap-around link across the edge of the picture
  /// has two short strokes, one out of its first node and one into its last node. So has a link between planes.
  std::vector<Stroke> strokes(const Link& link) const;

  /// Returns the names of the planes, above their first nodes. There are none unless the planes are side by side.
  const std::vector<PlaneName>& plane_names() const { return plane_names_; }

 private:
  /// One or two grid axes that share a direction in the picture.
  struct DrawnAxis {
    std::vector<int> axes;
    int extent;
    Point step;
  };

  /// The axis of a link and the steps that it leads along it: 1 or -1 to a neighbour, or the way back from the edge.
  struct Move {
    const DrawnAxis* axis;
    int steps;
  };

  static std::vector<DrawnAxis> drawn_axes(const Grid& grid);
  bool is_ring() const;
  int coordinate(GridNode node, const DrawnAxis& axis) const;
  std::optional<Move> move_of(GridNode from, GridNode to) const;
  bool are_together(GridNode one, GridNode other) const;
  bool links_follow_axes() const;
  void place_on_circle();
  void place_on_axes();
  void place_planes_side_by_side();
  void place_hosts();
  void name_planes();
  void measure();

  Grid grid_;
  WholeNetwork whole_;  ///< its axes have the coordinates of nodes and switches
  std::vector<DrawnAxis> axes_;
  bool is_circle_ = false;
  bool has_planes_ = false;  ///< the planes along the third axis are side by side
  double node_radius_ = 15;
  double stub_length_ = 22;  ///< length of each stroke of a link across the edge
  std::vector<Point> nodes_;
  std::vector<PlaneName> plane_names_;
  Point least_{};
  Point greatest_{};
};

}  // namespace cubefold::planner
