#include "fft/plot_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cubefold::fft_program {

PlotScale::PlotScale(const std::vector<double>& magnitudes, bool logarithmic) : logarithmic_(logarithmic) {
  constexpr double most_decades = 12;
  double smallest = 0;
  double largest = 0;
  for (const double magnitude : magnitudes) {
    largest = std::max(largest, magnitude);
    if (magnitude > 0 && (smallest == 0 || magnitude < smallest)) smallest = magnitude;
  }
  if (largest == 0) return;
  if (!logarithmic_) {
    high_ = round_steps(largest, 5).back();
    return;
  }
  high_ = std::ceil(std::log10(largest));
  low_ = std::max(std::floor(std::log10(smallest)), high_ - most_decades);
  if (low_ == high_) low_ -= 1;
}

double PlotScale::place_of(double magnitude) const {
  if (logarithmic_ && magnitude <= 0) return 0;
  const double value = logarithmic_ ? std::log10(magnitude) : magnitude;
  return std::clamp((value - low_) / (high_ - low_), 0.0, 1.0);
}

std::vector<PlotScale::Tick> PlotScale::ticks() const {
  std::vector<Tick> ticks;
  if (!logarithmic_) {
    for (const double value : round_steps(high_, 5))
      ticks.push_back({value / high_, fmt::format("{:.4g}", value)});
    return ticks;
  }
  const double step = high_ - low_ > 6 ? 2 : 1;
  const auto last = static_cast<int>((high_ - low_) / step);
  for (int i = 0; i <= last; ++i) {
    const double exponent = high_ - i * step;
    ticks.push_back({(exponent - low_) / (high_ - low_), fmt::format("1e{:.0f}", exponent)});
  }
  return ticks;
}

std::vector<double> round_steps(double last, int count) {
  const double raw = last / count;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> result;
  for (int i = 0; (i - 1) * step < last * (1 - 1e-9); ++i) result.push_back(i * step);
  return result;
}

}  // namespace cubefold::fft_program
