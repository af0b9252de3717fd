#pragma once

#include <string>
#include <vector>

namespace cubefold::drawing {

/// Maps link loads between 0 and the largest load to levels of colour, and prints them in a common unit.
class LoadScale {
 public:
  static constexpr int level_count = 16;

  /// Requires the noun `messages` or `bytes`. Large numbers of bytes are printed in KiB, MiB or GiB.
  LoadScale(double largest, const std::string& noun);

  /// Returns the level of a load, from 0 to level_count - 1 for the largest load. Returns -1 for a load of 0.
  int level(double load) const;

  /// Returns the loads that the legend names, in ascending order. The largest load is always among them.
  std::vector<double> ticks() const;

  const std::string& unit() const { return unit_; }

  /// Returns the load as a number of unit(), without the unit.
  std::string text(double load) const;

  double largest() const { return largest_; }

 private:
  double largest_;
  double unit_size_ = 1;
  std::string unit_;
};

/// Returns the CSS of the classes `link level-0`, ... and `link idle`, for light and dark backgrounds. A larger load
/// has more contrast with the background. The colours are readable without distinguishing red and green.
std::string load_style();

}  // namespace cubefold::drawing
