#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/topology/route.hpp"
#include "drawing/scale.hpp"
#include "drawing/svg.hpp"
#include "planner/drawing/node_positions.hpp"
#include "planner/drawing/picture.hpp"

namespace cubefold::planner {

/// Draws the network of a picture, as SVG elements for pictures and pages. Keeps a reference to the picture.
class NetworkDrawing {
 public:
  static constexpr double letter_size = 15;

  /// Throws std::invalid_argument for a grid that cannot be drawn.
  explicit NetworkDrawing(const Picture& picture);

  const std::vector<Link>& links() const { return links_; }
  const drawing::LoadScale& scale() const { return scale_; }

  /// Returns the upper left corner of the box of network().
  Point corner() const { return positions_.least(); }
  double width() const { return positions_.greatest().x - positions_.least().x; }
  double height() const { return positions_.greatest().y - positions_.least().y; }

  /// Returns the links of a panel in the order of links(), then its nodes, and its switches.
  std::vector<drawing::Element> network(const Panel& panel) const;

  /// Returns the middle of a small text beside a link.
  Point mark(const Link& link) const;

  /// Returns the colours with their loads, and separately the colour of links without load, in a box whose corner is
  /// (0, 0).
  drawing::Element legend(double bar_height) const;
  double legend_width() const;
  static double legend_height(double bar_height);

  /// Returns the load of the panel's busiest link with its unit.
  std::string busiest_text(const Panel& panel) const;

  /// Returns the CSS of all elements for light and dark backgrounds.
  std::string style() const;

 private:
  bool has_switches() const { return positions_.nodes().size() > picture_.grid.node_count(); }
  std::string load_text(double load) const;
  std::string link_tip(const Panel& panel, const Link& link,
                       const std::vector<std::vector<Rank>>& ranks) const;
  drawing::Element link_path(const Panel& panel, const Link& link,
                             const std::vector<std::vector<Rank>>& ranks) const;
  std::vector<drawing::Element> node_circle(std::size_t node, const std::vector<Rank>& ranks) const;
  drawing::Element switch_circle(std::size_t vertex) const;
  drawing::Element host_name(std::size_t node) const;

  const Picture& picture_;
  NodePositions positions_;
  std::vector<Link> links_;
  drawing::LoadScale scale_;
};

/// Returns the ranks of every node, in ascending order.
std::vector<std::vector<Rank>> ranks_of_nodes(const std::vector<GridNode>& node_of_rank,
                                              std::size_t node_count);

/// Returns the runs of consecutive ranks in ascending ranks, as `0-7`. There are at most two texts: if there are more
/// runs, the second text is the number of the other ranks, as `+56`.
std::vector<std::string> short_list(const std::vector<Rank>& ranks);

}  // namespace cubefold::planner
