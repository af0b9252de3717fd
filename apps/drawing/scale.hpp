#pragma once

#include <string>
#include <vector>

namespace cubefold::drawing {

/// Maps link loads to levels of colour, and prints them in a common unit. The levels go from the lower bound of the
/// busiest link to the largest load, or to twice the bound if that is more, so that a placement that meets the bound
/// has the first level only. Without a bound the levels begin at 0.
class LoadScale {
 public:
  static constexpr int level_count = 16;

  /// Large numbers of the noun `bytes` are printed in KiB, MiB or GiB. A bound of 0 is none.
  LoadScale(double largest, const std::string& noun, double bound = 0);

  /// Returns the level of a load, from 0 to level_count - 1 for end(). Returns -1 for a load of 0. Loads up to the
  /// bound have level 0.
  int level(double load) const;

  /// Returns where the load is in the bar of levels, between 0 and 1. The bound is at the end of level 0.
  double place_of(double load) const;

  /// Returns the loads that the legend names, in ascending order: from the bound, if there is one, to end().
  std::vector<double> ticks() const;

  const std::string& unit() const { return unit_; }

  /// Returns the load as a number of unit(), without the unit.
  std::string text(double load) const;

  double bound() const { return bound_; }

  /// Returns the load at which the levels end.
  double end() const { return end_; }

 private:
  double bound_;
  double end_;
  double unit_size_ = 1;
  std::string unit_;
};

/// Returns the CSS of the classes `link level-0`, ... and `link idle`, for light and dark backgrounds. A larger load
/// has more contrast with the background. The colours are readable without distinguishing red and green.
std::string load_style();

}  // namespace cubefold::drawing
