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

/// Holds the positions of the nodes of a grid in a picture. Axis 0 goes to the right, axis 1 goes down, and axis 2 goes
/// into the depth. A single ring is drawn as a circle. If more than three axes have more than one node, consecutive
/// pairs of axes of extent 2 are drawn as one ring of 4, which is the same network. Lengths are in pixels.
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
  /// has two short strokes, one out of its first node and one into its last node.
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
  double stub_length_ = 22;  ///< length of each stroke of a link across the edge
  std::vector<Point> nodes_;
  Point least_{};
  Point greatest_{};
};

}  // namespace cubefold::planner
