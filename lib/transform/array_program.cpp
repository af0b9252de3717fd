#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "layouts.hpp"
#include "programs.hpp"

namespace cubefold::fft {

namespace {

using Dimensions = std::vector<std::size_t>;

/// Either transforms over a dimension, or an exchange over an axis that spreads another dimension over it.
struct ForwardStage {
  bool exchange;
  std::size_t dimension;  ///< dimension that is transformed
  int axis;
  Dimensions spread_before;
  Dimensions spread_after;
};

/// Returns the stages of the forward transform. The inverse transform has them in reverse order and direction.
std::vector<ForwardStage> forward_stages(std::size_t dimension_count, const Dimensions& axis_members,
                                         bool spread_back) {
  std::vector<ForwardStage> stages;
  Dimensions spread(axis_members.size());
  std::iota(spread.begin(), spread.end(), 0);
  const auto transform = [&](std::size_t dimension) {
    stages.push_back({false, dimension, 0, spread, spread});
  };
  const auto spread_over = [&](std::size_t axis, std::size_t dimension) {
    const Dimensions before = spread;
    spread[axis] = dimension;
    if (axis_members[axis] > 1) stages.push_back({true, 0, static_cast<int>(axis), before, spread});
  };
  for (std::size_t dimension = dimension_count; dimension-- > axis_members.size();) transform(dimension);
  for (std::size_t axis = axis_members.size(); axis-- > 0;) {
    spread_over(axis, axis + 1);
    transform(axis);
  }
  for (std::size_t axis = 0; spread_back && axis < spread.size(); ++axis) spread_over(axis, axis);
  return stages;
}

/// Returns the factor of the transforms of the stage. The transforms of dimension 0 have the whole scale, because they
/// are beside an exchange and pack or unpack its blocks anyway.
double factor_of(const ForwardStage& stage, const Dimensions& extents, const PlanOptions& options) {
  if (stage.dimension != 0) return 1;
  std::size_t points = 1;
  for (const std::size_t extent : extents) points *= extent;
  return scale_of(options, points);
}

/// Returns the layout with dimension 1 before dimension 0 in memory.
Layout transposed(const Layout& layout) {
  auto dimensions = layout.dimensions();
  std::swap(dimensions[0], dimensions[1]);
  return {std::move(dimensions), layout.axis_members()};
}

TransformStage with_transposed_spectrum(TransformStage stage) {
  std::swap(stage.sources[0], stage.sources[1]);
  if (stage.transform == Transform::forward) {
    stage.after = transposed(stage.after);
  } else {
    stage.before = transposed(stage.before);
    stage.dimension = 1;
  }
  return stage;
}

/// Returns the stage of the transform. The last dimension is shorter in layouts of the spectrum of real points. The
/// transform of dimension 0, which is the last one forward, is where transposed output changes the order in memory.
Stage stage_of(const ForwardStage& stage, const Dimensions& extents, const Dimensions& axis_members,
               const PlanOptions& options) {
  const bool forward = options.transform == Transform::forward;
  const bool complex = options.kind == Kind::complex;
  const auto layout = [&](const Dimensions& spread, bool is_time) {
    Dimensions shape = extents;
    if (!is_time) shape.back() = shape.back() / 2 + 1;
    const Layout rows = array_layout(shape, spread, axis_members);
    return is_time && options.padded_rows ? rows.with_row_places(2 * (shape.back() / 2 + 1)) : rows;
  };
  const Dimensions& before = forward ? stage.spread_before : stage.spread_after;
  const Dimensions& after = forward ? stage.spread_after : stage.spread_before;
  if (stage.exchange) return ExchangeStage{layout(before, complex), layout(after, complex), stage.axis};
  const bool halved = !complex && stage.dimension + 1 == extents.size();
  Dimensions sources(extents.size());
  std::iota(sources.begin(), sources.end(), 0);
  TransformStage made{.before = layout(before, complex || (halved && forward)),
                      .after = layout(after, complex || (halved && !forward)),
                      .dimension = stage.dimension,
                      .sources = std::move(sources),
                      .transform = options.transform,
                      .kind = halved ? Kind::real : Kind::complex,
                      .twiddle = {},
                      .factor = factor_of(stage, extents, options)};
  const bool transposes = options.transposed_output && stage.dimension == 0;
  return transposes ? with_transposed_spectrum(std::move(made)) : made;
}

void check_array(const Dimensions& extents, const Dimensions& axis_members) {
  if (std::find(extents.begin(), extents.end(), 0U) != extents.end()) {
    throw std::invalid_argument("a transform of an array with an extent of 0");
  }
  if (axis_members.empty() || axis_members.size() > 2) {
    throw std::invalid_argument(fmt::format(
        "{} process axes: arrays are cut into slabs over one or pencils over two", axis_members.size()));
  }
  if (extents.size() < axis_members.size() + 1) {
    throw std::invalid_argument(
        fmt::format("{} dimensions over {} process axes: one more than axes is needed", extents.size(),
                    axis_members.size()));
  }
}

}  // namespace

Program array_program(const std::vector<std::size_t>& extents, const std::vector<std::size_t>& axis_members,
                      const PlanOptions& options) {
  check_array(extents, axis_members);
  std::vector<Stage> stages;
  for (const ForwardStage& stage : forward_stages(extents.size(), axis_members, !options.transposed_output))
    stages.push_back(stage_of(stage, extents, axis_members, options));
  if (options.transform == Transform::inverse) std::reverse(stages.begin(), stages.end());
  Program program = program_of(std::move(stages));
  program.input_kind = kind_before(program.stages.front());
  program.output_kind = kind_after(program.stages.back());
  return program;
}

}  // namespace cubefold::fft
