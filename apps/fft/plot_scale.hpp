#pragma once

#include <string>
#include <vector>

namespace cubefold::fft_program {

/// Maps magnitudes to [0, 1]. The scale is linear from 0 to the largest magnitude, or logarithmic over the decades of
/// the data, at most twelve.
class PlotScale {
 public:
  PlotScale(const std::vector<double>& magnitudes, bool logarithmic);

  /// Returns the place of a magnitude. It is 0 for magnitudes below the scale.
  double place_of(double magnitude) const;

  struct Tick {
    double place;
    std::string text;
  };
  std::vector<Tick> ticks() const;

 private:
  bool logarithmic_;
  double low_ = 0;  ///< smallest exponent of ten on a logarithmic scale
  double high_ = 1;
};

/// Returns about `count` round numbers from 0 to `last`.
std::vector<double> round_steps(double last, int count);

}  // namespace cubefold::fft_program
