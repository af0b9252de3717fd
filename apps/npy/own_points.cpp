#include "npy/own_points.hpp"

#include <algorithm>
#include <utility>

using cubefold::fft::IndexDimension;
using cubefold::fft::Layout;
using cubefold::fft::Spread;
using cubefold::fft::ValueRun;

namespace cubefold::npy {

OwnPoints::OwnPoints(const Layout& layout, const Layout::Members& members) {
  for (std::size_t d = layout.dimensions().size(); d-- > 0;) {
    const IndexDimension& dimension = layout.dimensions()[d];
    const std::size_t own = layout.dimension_count(d, members);
    dimensions_.push_back({layout.runs(d, members), own, dimension.extent, dimension.weight, place_count_});
    place_count_ *= own;
  }
  if (dimensions_.empty()) dimensions_.push_back({{{0, 1, 1}}, 1, 1, 1, 1});
  std::sort(dimensions_.begin(), dimensions_.end(), [](const OwnDimension& a, const OwnDimension& b) {
    return std::pair(a.weight, a.extent) > std::pair(b.weight, b.extent);
  });
  count_ = count_below(layout.point_count());
}

std::size_t OwnPoints::value_of(const OwnDimension& dimension, std::size_t number) {
  for (const ValueRun& run : dimension.runs) {
    if (number < run.count) return run.first + number * run.step;
    number -= run.count;
  }
  return dimension.extent;
}

std::size_t OwnPoints::values_below(const OwnDimension& dimension, std::size_t value) {
  std::size_t below = 0;
  for (const ValueRun& run : dimension.runs) {
    if (value > run.first) below += std::min(run.count, (value - run.first + run.step - 1) / run.step);
  }
  return below;
}

std::size_t OwnPoints::count_below(std::size_t point) const {
  if (place_count_ == 0) return 0;
  std::size_t below = 0;
  std::size_t per_value = place_count_;
  for (const OwnDimension& dimension : dimensions_) {
    // A point after the last one of the layout has a value beyond the extent in the slowest dimension only.
    const std::size_t value = point / dimension.weight;
    point -= value * dimension.weight;
    per_value /= dimension.count;
    const std::size_t values = values_below(dimension, value);
    below += values * per_value;
    if (values == dimension.count || value_of(dimension, values) != value) break;
  }
  return below;
}

OwnPoints::Run OwnPoints::run_from(std::size_t number) const {
  const OwnDimension& fastest = dimensions_.back();
  std::size_t in_run = number % fastest.count;
  std::size_t rest = number / fastest.count;
  Run run{0, 0, in_run * fastest.stride, fastest.stride, 0};
  for (const ValueRun& values : fastest.runs) {
    if (in_run < values.count) {
      run.point = (values.first + in_run * values.step) * fastest.weight;
      run.step = values.step * fastest.weight;
      run.length = values.count - in_run;
      break;
    }
    in_run -= values.count;
  }
  for (std::size_t d = dimensions_.size() - 1; d-- > 0;) {
    const OwnDimension& dimension = dimensions_[d];
    run.point += value_of(dimension, rest % dimension.count) * dimension.weight;
    run.place += rest % dimension.count * dimension.stride;
    rest /= dimension.count;
  }
  return run;
}

Layout first_axis_fastest(const Layout& layout, const std::vector<std::size_t>& shape) {
  std::vector<IndexDimension> dimensions = layout.dimensions();
  for (IndexDimension& dimension : dimensions) {
    std::size_t last_fastest = 1;
    std::size_t axis = shape.size();
    while (axis-- > 1 && dimension.weight >= last_fastest * shape[axis]) last_fastest *= shape[axis];
    std::size_t first_fastest = 1;
    for (std::size_t a = 0; a < axis; ++a) first_fastest *= shape[a];
    dimension.weight = dimension.extent == 1 ? 1 : dimension.weight / last_fastest * first_fastest;
  }
  return {std::move(dimensions), layout.axis_members()};
}

std::size_t Owners::number_of(const Layout& layout, const Layout::Members& members) {
  std::size_t number = 0;
  for (std::size_t axis = 0; axis < members.size(); ++axis) {
    number = number * layout.axis_members()[axis] + members[axis];
  }
  return number;
}

Owners::Owners(const Layout& layout, std::vector<int> ranks) : layout_(layout), ranks_(std::move(ranks)) {
  const auto& axes = layout.axis_members();
  for (std::size_t d = 0; d < layout.dimensions().size(); ++d) {
    const IndexDimension& dimension = layout.dimensions()[d];
    if (dimension.spread == Spread::local || dimension.extent == 1) continue;
    const auto axis = static_cast<std::size_t>(dimension.axis);
    const std::size_t block =
        dimension.spread == Spread::block ? (dimension.extent + axes[axis] - 1) / axes[axis] : 1;
    std::size_t number = 1;
    for (std::size_t a = axis + 1; a < axes.size(); ++a) number *= axes[a];
    dimensions_.push_back({d, block, number});
  }
  std::sort(dimensions_.begin(), dimensions_.end(), [&](const SpreadDimension& a, const SpreadDimension& b) {
    return layout.dimensions()[a.dimension].weight < layout.dimensions()[b.dimension].weight;
  });
}

std::size_t Owners::value_of(const SpreadDimension& spread, std::size_t point) const {
  const IndexDimension& dimension = layout_.dimensions()[spread.dimension];
  return point / dimension.weight % dimension.extent;
}

std::size_t Owners::same_for(const SpreadDimension& spread, std::size_t point) const {
  const IndexDimension& dimension = layout_.dimensions()[spread.dimension];
  const std::size_t value = value_of(spread, point);
  const std::size_t values = std::min(spread.block - value % spread.block, dimension.extent - value);
  return values * dimension.weight - point % dimension.weight;
}

std::size_t Owners::part_of_number(const SpreadDimension& spread, std::size_t point) const {
  return layout_.dimension_owner(spread.dimension, value_of(spread, point)) * spread.number;
}

}  // namespace cubefold::npy
