#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "drawing/svg.hpp"
#include "planner/advice/advice.hpp"
#include "program/network_times.hpp"
#include "program/program.hpp"

namespace cubefold::planner {

namespace {

using drawing::Element;
using drawing::line;
using drawing::number;
using drawing::text_at;

constexpr double width = 800;
constexpr double height = 480;
constexpr double left = 80;
constexpr double right = 580;
constexpr double top = 70;
constexpr double bottom = 420;

/// Colours of Okabe and Ito, which colour-blind readers can distinguish. The last two are cubefold and the bound.
constexpr std::array<std::string_view, 7> colours{"#0072b2", "#56b4e9", "#009e73", "#cc79a7",
                                                  "#e69f00", "#d55e00", "#777777"};

/// A curve of seconds, one for each block size.
struct Curve {
  std::string name;
  std::string_view colour;
  std::vector<double> seconds;
  bool is_bound = false;
};

std::vector<Curve> curves_of(const Advice& advice) {
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < advice.rows.front().mpi.size(); ++i) {
    Curve curve{advice.rows.front().mpi[i].algorithm, colours.at(i), {}};
    for (const AdviceRow& row : advice.rows) curve.seconds.push_back(row.mpi[i].seconds);
    const auto is_lower_bound = [i](const AdviceRow& row) { return row.mpi[i].is_lower_bound; };
    if (std::ranges::any_of(advice.rows, is_lower_bound)) curve.name += " (at least)";
    curves.push_back(std::move(curve));
  }
  Curve ours{"cubefold", colours[5], {}};
  Curve bound{"lower bound", colours[6], {}, true};
  for (const AdviceRow& row : advice.rows) {
    ours.seconds.push_back(row.ours.seconds);
    bound.seconds.push_back(row.bound_seconds);
  }
  curves.push_back(std::move(ours));
  curves.push_back(std::move(bound));
  return curves;
}

/// Maps values to a range of pixels on a logarithmic scale between whole powers of a base.
class LogScale {
 public:
  LogScale(double least, double most, double base, double begin, double end)
      : base_(base),
        first_(std::floor(log(least) + 1e-9)),
        last_(std::max(first_ + 1, std::ceil(log(most) - 1e-9))),
        begin_(begin),
        end_(end) {}

  double at(double value) const {
    return begin_ + (log(value) - first_) / (last_ - first_) * (end_ - begin_);
  }

  /// Returns the powers of the base in the range.
  std::vector<double> ticks() const {
    std::vector<double> powers(static_cast<std::size_t>(last_ - first_) + 1, std::pow(base_, first_));
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * base_;
    return powers;
  }

 private:
  double log(double value) const { return std::log(value) / std::log(base_); }

  double base_;
  double first_;
  double last_;
  double begin_;
  double end_;
};

std::string seconds_text(double seconds) {
  if (seconds < 0.9e-6) return fmt::format("{:g} ns", std::round(seconds * 1e9));
  if (seconds < 0.9e-3) return fmt::format("{:g} us", std::round(seconds * 1e6));
  if (seconds < 0.9) return fmt::format("{:g} ms", std::round(seconds * 1e3));
  return fmt::format("{:g} s", std::round(seconds));
}

void add_axes(Element& svg, const Advice& advice, const LogScale& x, const LogScale& y) {
  for (const double seconds : y.ticks()) {
    svg.children.push_back(line("tick", left, y.at(seconds), right, y.at(seconds)));
    svg.children.push_back(text_at(left - 8, y.at(seconds) + 4, seconds_text(seconds), "label end"));
  }
  for (const AdviceRow& row : advice.rows) {
    const double place = x.at(static_cast<double>(row.block_bytes));
    svg.children.push_back(line("tick", place, bottom, place, bottom + 5));
    svg.children.push_back(text_at(place, bottom + 20, program::size_text(row.block_bytes), "label middle"));
  }
  svg.children.push_back(text_at((left + right) / 2, bottom + 44, "block", "label middle"));
}

void add_curve(Element& svg, const Curve& curve, const std::vector<double>& places, const LogScale& y) {
  std::string points;
  for (std::size_t i = 0; i < places.size(); ++i)
    points += fmt::format("{}{},{}", i == 0 ? "" : " ", number(places[i]), number(y.at(curve.seconds[i])));
  svg.children.push_back({"polyline",
                          {{"points", points},
                           {"fill", "none"},
                           {"stroke", std::string(curve.colour)},
                           {"stroke-width", curve.name == "cubefold" ? "3" : "1.5"},
                           {"stroke-dasharray", curve.is_bound ? "4 4" : "none"}},
                          "",
                          {}});
}

void add_key(Element& svg, const std::vector<Curve>& curves) {
  double y = top + 10;
  for (const Curve& curve : curves) {
    Element sample = line("tick", right + 20, y - 4, right + 44, y - 4);
    sample.attributes.front() = {"stroke", std::string(curve.colour)};
    sample.attributes.emplace_back("stroke-width", curve.name == "cubefold" ? "3" : "1.5");
    if (curve.is_bound) sample.attributes.emplace_back("stroke-dasharray", "4 4");
    svg.children.push_back(std::move(sample));
    svg.children.push_back(text_at(right + 52, y, curve.name, "label"));
    y += 20;
  }
}

}  // namespace

std::string advice_svg(const Advice& advice) {
  const AdviceQuestion& question = advice.question;
  const std::string title = fmt::format("All-to-all of {} ranks on {}: predicted times",
                                        question.groups.group_size, to_string(question.groups.grid));
  Element svg =
      drawing::frame(width, height, title,
                     drawing::style_sheet(".title{font-size:16px}.label{font-size:12px}.end{text-anchor:end}"
                                          ".middle{text-anchor:middle}.tick{stroke:#d0d4d9}",
                                          ".tick{stroke:#3a4047}"));
  svg.children.push_back(text_at(16, 28, title, "title"));
  svg.children.push_back(text_at(16, 48,
                                 fmt::format("{}, {}-port", to_string(program::times_of(question.model)),
                                             to_string(question.model.network.ports)),
                                 "label"));
  const auto curves = curves_of(advice);
  std::vector<double> all;
  for (const Curve& curve : curves) all.insert(all.end(), curve.seconds.begin(), curve.seconds.end());
  const auto sizes = std::ranges::minmax(question.block_sizes);
  const LogScale x(static_cast<double>(sizes.min), static_cast<double>(sizes.max), 2, left + 20, right - 20);
  const LogScale y(std::ranges::min(all), std::ranges::max(all), 10, bottom, top);
  add_axes(svg, advice, x, y);
  std::vector<double> places;
  for (const std::size_t bytes : question.block_sizes) places.push_back(x.at(static_cast<double>(bytes)));
  for (const Curve& curve : curves) add_curve(svg, curve, places, y);
  add_key(svg, curves);
  return drawing::to_text(svg);
}

}  // namespace cubefold::planner
