#include "fft/plot_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "drawing/scale.hpp"

using cubefold::drawing::Element;
using cubefold::drawing::line;
using cubefold::drawing::text_at;

namespace cubefold::fft_program {

namespace {

constexpr const char* light =
    ".curve{fill:#26828e}.grid{stroke:#d5d8dd;stroke-width:1}.axis{stroke:#5a6270;stroke-width:1.3;fill:none}"
    ".title{font-size:15px;font-weight:600}.small{font-size:12px}.label{font-size:11px}"
    ".middle{font-size:11px;text-anchor:middle}.end{font-size:11px;text-anchor:end}";
constexpr const char* dark = ".curve{fill:#58c765}.grid{stroke:#3a3f47}.axis{stroke:#a9b1bd}";

}  // namespace

Element path(const std::string& style_class, const std::string& d) {
  return {"path", {{"class", style_class}, {"d", d}}, "", {}};
}

Element picture(double width, double height, const PlotText& text) {
  Element svg =
      drawing::frame(width, height, text.title, drawing::load_style() + drawing::style_sheet(light, dark));
  svg.children.push_back(text_at(margin, margin + 15, text.title, "title"));
  svg.children.push_back(text_at(margin, margin + 34, text.note, "small"));
  return svg;
}

void add_column_labels(Element& svg, const Area& area, std::size_t column_count, const std::string& noun) {
  const auto count = static_cast<double>(column_count);
  for (const double value : round_steps(count, 6)) {
    if (value >= count) break;
    const double x = area.left + (value + 0.5) / count * area.width;
    svg.children.push_back(line("axis", x, area.bottom(), x, area.bottom() + 5));
    svg.children.push_back(text_at(x, area.bottom() + 18, fmt::format("{:.0f}", value), "middle"));
  }
  svg.children.push_back(text_at(area.left + area.width / 2, area.bottom() + 35, noun, "middle"));
}

void add_row_labels(Element& svg, const Area& area, std::size_t row_count) {
  const auto count = static_cast<double>(row_count);
  for (const double value : round_steps(count, 6)) {
    if (value >= count) break;
    const double y = area.top + (value + 0.5) / count * area.height;
    svg.children.push_back(line("axis", area.left - 5, y, area.left, y));
    svg.children.push_back(text_at(area.left - 8, y + 4, fmt::format("{:.0f}", value), "end"));
  }
}

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
