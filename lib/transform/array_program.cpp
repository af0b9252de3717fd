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
  return scale_of(options, scaled_count(extents, options));
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

/// Returns whether neighbours of the last dimension are the real and imaginary parts of points in a transform between
/// real arrays. It needs an even length, and all values of that dimension on one process at both ends.
bool is_in_pairs(const Dimensions& extents, std::size_t axis_count, const PlanOptions& options) {
  const bool last_is_spread = options.transposed_output && axis_count + 1 == extents.size();
  return has_real_spectrum(options) && extents.back() % 2 == 0 && !last_is_spread;
}

/// Returns the layout of the real numbers of pairs.
Layout numbers_of_pairs(const Layout& pairs) {
  auto dimensions = pairs.dimensions();
  for (IndexDimension& dimension : dimensions) dimension.weight *= 2;
  dimensions.back().extent *= 2;
  dimensions.back().weight = 1;
  return {std::move(dimensions), pairs.axis_members()};
}

/// Adds the steps from real numbers to complex points and back.
void add_real_ends(std::vector<Stage>& stages, bool in_pairs) {
  const Layout before = layout_before(stages.front());
  const Layout after = layout_after(stages.back());
  stages.insert(stages.begin(), RealStage{in_pairs ? numbers_of_pairs(before) : before, before,
                                          in_pairs ? RealStep::paired : RealStep::widened});
  stages.emplace_back(RealStage{after, in_pairs ? numbers_of_pairs(after) : after,
                                in_pairs ? RealStep::unpaired : RealStep::narrowed});
}

/// Returns the stage of the transform. The last dimension is shorter in layouts of the spectrum of real points. The
/// transform of dimension 0, which is the last one forward, is where transposed output changes the order in memory.
Stage stage_of(const ForwardStage& stage, const Dimensions& extents, const Dimensions& axis_members,
               const PlanOptions& options) {
  const bool forward = options.transform == Transform::forward;
  const bool complex = options.kind == Kind::complex || has_real_spectrum(options);
  const bool in_pairs = is_in_pairs(extents, axis_members.size(), options);
  const auto layout = [&](const Dimensions& spread, bool is_time) {
    Dimensions shape = extents;
    if (!is_time) shape.back() = shape.back() / 2 + 1;
    if (in_pairs) shape.back() /= 2;
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
                      .factor = factor_of(stage, extents, options),
                      .line = line_transform_of(options, stage.dimension),
                      .of_pairs = in_pairs && stage.dimension + 1 == extents.size()};
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
  if (has_real_spectrum(options)) add_real_ends(stages, is_in_pairs(extents, axis_members.size(), options));
  Program program = program_of(std::move(stages));
  program.input_kind = kind_before(program.stages.front());
  program.output_kind = kind_after(program.stages.back());
  return program;
}

}  // namespace cubefold::fft
