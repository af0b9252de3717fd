#pragma once

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

/// The positions of the nodes of a grid in a picture. Axis 0 goes to the right, axis 1 down, and axis 2 into the depth;
/// a ring is a circle. With more than three axes, neighbouring pairs of axes of extent 2 are drawn as one ring of 4,
/// which is the same network. Lengths are in pixels.
class Layout {
 public:
  /// Throws std::invalid_argument if more than three axes remain.
  explicit Layout(const Grid& grid);

  double node_radius() const { return node_radius_; }
  const std::vector<Point>& nodes() const { return nodes_; }

  /// Return the corners of a box that holds all nodes and strokes.
  Point least() const { return least_; }
  Point greatest() const { return greatest_; }

  /// Returns one stroke for a link between neighbours in the picture. A link over the edge has two short strokes, one
  /// out of its first node and one into its last.
  std::vector<Stroke> strokes(const Link& link) const;

 private:
  /// One or two grid axes that share a direction in the picture.
  struct DrawnAxis {
    std::vector<int> axes;
    int extent;
    Point step;
  };

  static std::vector<DrawnAxis> drawn_axes(const Grid& grid);
  int coordinate(GridNode node, const DrawnAxis& axis) const;
  bool is_circle() const;
  void place_on_circle();
  void place_on_axes();
  void measure();

  Grid grid_;
  std::vector<DrawnAxis> axes_;
  double node_radius_ = 15;
  double stub_length_ = 22;  ///< length of a stroke of a link over the edge
  std::vector<Point> nodes_;
  Point least_{};
  Point greatest_{};
};

}  // namespace cubefold::planner
