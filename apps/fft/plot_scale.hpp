#pragma once

#include <string>
#include <vector>

namespace cubefold::fft_program {

/// Magnitudes as places between 0 and 1: linear from 0 to the largest, or logarithmic over the decades that there are,
/// at most twelve.
class PlotScale {
 public:
  PlotScale(const std::vector<double>& magnitudes, bool logarithmic);

  /// 0 for what is below the scale.
  double place_of(double magnitude) const;

  struct Tick {
    double place;
    std::string text;
  };
  std::vector<Tick> ticks() const;

 private:
  bool logarithmic_;
  double low_ = 0;  ///< exponents of ten, where the scale is logarithmic
  double high_ = 1;
};

/// Round numbers from 0 to `last`, about `count` of them.
std::vector<double> round_steps(double last, int count);

}  // namespace cubefold::fft_program
