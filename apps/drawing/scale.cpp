#include "drawing/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace cubefold::drawing {

namespace {

using Colors = std::array<const char*, LoadScale::level_count>;

// The colours are those of the viridis map of van der Walt and Smith (CC0). The end of the map that is close to the
// background is left out.
constexpr Colors on_light{"#d2e21b", "#a8db34", "#81d34d", "#5cc863", "#3dbc74", "#28ae80",
                          "#1fa088", "#20928c", "#26828e", "#2b748e", "#32658e", "#39558c",
                          "#414487", "#46327e", "#481d6f", "#46085c"};
constexpr Colors on_dark{"#3e4989", "#38588c", "#32658e", "#2c728e", "#277f8e", "#228b8d",
                         "#1f988b", "#20a486", "#2ab07f", "#3fbc73", "#58c765", "#75d054",
                         "#98d83e", "#bade28", "#dde318", "#fde725"};

std::string colors_style(const Colors& colors, const char* idle) {
  std::string style = fmt::format(".idle{{fill:{}}}", idle);
  for (std::size_t level = 0; level < colors.size(); ++level) {
    style += fmt::format(".level-{}{{fill:{}}}", level, colors[level]);
  }
  return style;
}

/// Returns the smallest of 1, 2, 5, 10, 20, 50, ... times a power of ten that is at least the value.
double round_above(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= value) return factor * power;
  }
  return 10 * power;
}

}  // namespace

LoadScale::LoadScale(double largest, const std::string& noun, double bound)
    : bound_(bound), end_(std::max(largest, 2 * bound)), unit_(noun) {
  if (noun != "bytes") return;
  constexpr double kib = 1024;
  for (const char* name : {"KiB", "MiB", "GiB"}) {
    if (end_ / unit_size_ < 4 * kib) break;
    unit_size_ *= kib;
    unit_ = name;
  }
}

double LoadScale::place_of(double load) const {
  if (end_ <= 0) return 0;
  if (bound_ <= 0) return load / end_;
  constexpr double first = 1.0 / level_count;
  if (load <= bound_) return first * load / bound_;
  return first + (1 - first) * (load - bound_) / (end_ - bound_);
}

int LoadScale::level(double load) const {
  if (load <= 0) return -1;
  constexpr double rounding = 1e-9;  // sums of loads may be a little above a bound that they meet
  return std::max(static_cast<int>(std::ceil(level_count * place_of(load) - rounding)) - 1, 0);
}

std::vector<double> LoadScale::ticks() const {
  constexpr double most_ticks = 5;
  constexpr double too_close = 0.07;
  if (end_ <= 0) return {0};
  double step = round_above((end_ - bound_) / unit_size_ / most_ticks) * unit_size_;
  if (unit_ == "messages" || unit_ == "blocks") step = std::max(step, 1.0);
  std::vector<double> result{bound_};
  const double first = std::floor(bound_ / step) + 1;
  for (int i = 0; (first + i) * step < end_; ++i) {
    const double load = (first + i) * step;
    if (place_of(load) - place_of(bound_) > too_close && 1 - place_of(load) > too_close)
      result.push_back(load);
  }
  result.push_back(end_);
  return result;
}

std::string LoadScale::text(double load) const {
  return fmt::format("{:.4g}", load / unit_size_);
}

std::string load_style() {
  return colors_style(on_light, "#d5d8dd") +
         fmt::format("@media (prefers-color-scheme:dark){{{}}}", colors_style(on_dark, "#3a3f47"));
}

}  // namespace cubefold::drawing
