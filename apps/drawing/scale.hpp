#pragma once

#include <string>
#include <vector>

namespace cubefold::drawing {

/// What the colours of links stand for: loads from 0 to the largest, in levels, with a unit to print.
class LoadScale {
 public:
  static constexpr int level_count = 16;

  /// The noun is `messages` or `bytes`; bytes are printed in KiB, MiB or GiB where they are many.
  LoadScale(double largest, const std::string& noun);

  /// 0 .. level_count - 1, the largest load being the last; -1 for no load at all.
  int level(double load) const;

  /// Loads to be named beside the colours, ascending, the largest always.
  std::vector<double> ticks() const;

  const std::string& unit() const { return unit_; }

  /// Without the unit.
  std::string text(double load) const;

  double largest() const { return largest_; }

 private:
  double largest_;
  double unit_size_ = 1;
  std::string unit_;
};

/// CSS of the classes `link level-0` ... and `link idle`, for light and for dark surroundings: the more load, the
/// further from the background. Readable without seeing red or green.
std::string load_style();

}  // namespace cubefold::drawing
