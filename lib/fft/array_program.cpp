#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cubefold/fft/layouts.hpp"
#include "cubefold/fft/programs.hpp"
#include "line_program.hpp"

namespace cubefold::fft {

namespace {

using Dimensions = std::vector<std::size_t>;

/// Transforms over a dimension, or an exchange over an axis, which then spreads another dimension.
struct Act {
  bool exchange;
  std::size_t dimension;  ///< transformed
  int axis;
  Dimensions spread_before;
  Dimensions spread_after;
};

/// What the forward transform does; the inverse does it backwards.
class ForwardActs {
 public:
  ForwardActs(std::size_t dimension_count, const Dimensions& axis_members) : axis_members_(axis_members) {
    for (std::size_t axis = 0; axis < axis_members.size(); ++axis) spread_.push_back(axis);
    for (std::size_t dimension = dimension_count; dimension-- > axis_members.size();) transform(dimension);
    for (std::size_t axis = axis_members.size(); axis-- > 0;) {
      spread_over(axis, axis + 1);
      transform(axis);
    }
  }

  void spread_back() {
    for (std::size_t axis = 0; axis < spread_.size(); ++axis) spread_over(axis, axis);
  }

  const std::vector<Act>& acts() const { return acts_; }

 private:
  void transform(std::size_t dimension) { acts_.push_back({false, dimension, 0, spread_, spread_}); }

  void spread_over(std::size_t axis, std::size_t dimension) {
    const Dimensions before = spread_;
    spread_[axis] = dimension;
    if (axis_members_[axis] > 1) acts_.push_back({true, 0, static_cast<int>(axis), before, spread_});
  }

  const Dimensions& axis_members_;
  Dimensions spread_;
  std::vector<Act> acts_;
};

/// Makes stages of acts. The last dimension is shorter where the spectrum of real points is.
class ArrayStages {
 public:
  ArrayStages(Dimensions extents, Dimensions axis_members, const ArrayOptions& options)
      : extents_(std::move(extents)), axis_members_(std::move(axis_members)), options_(options) {}

  Stage forward(const Act& act) const { return stage_of(act, act.spread_before, act.spread_after); }
  Stage inverse(const Act& act) const { return stage_of(act, act.spread_after, act.spread_before); }

 private:
  bool halved(const Act& act) const {
    return !act.exchange && options_.kind == Kind::real && act.dimension + 1 == extents_.size();
  }

  Layout layout(const Dimensions& spread, bool time) const {
    Dimensions extents = extents_;
    if (!time) extents.back() = extents.back() / 2 + 1;
    return array_layout(extents, spread, axis_members_);
  }

  /// All of 1/n at once, before an exchange that packs what it multiplies.
  double factor_of(const Act& act) const {
    if (options_.transform == Transform::forward || act.dimension != 0) return 1;
    double factor = 1;
    for (const std::size_t extent : extents_) factor /= static_cast<double>(extent);
    return factor;
  }

  Stage stage_of(const Act& act, const Dimensions& before, const Dimensions& after) const {
    const bool complex = options_.kind == Kind::complex;
    if (act.exchange) return ExchangeStage{layout(before, complex), layout(after, complex), act.axis};
    const bool forward = options_.transform == Transform::forward;
    Dimensions sources(extents_.size());
    for (std::size_t i = 0; i < sources.size(); ++i) sources[i] = i;
    return TransformStage{.before = layout(before, complex || (halved(act) && forward)),
                          .after = layout(after, complex || (halved(act) && !forward)),
                          .dimension = act.dimension,
                          .sources = std::move(sources),
                          .transform = options_.transform,
                          .kind = halved(act) ? Kind::real : Kind::complex,
                          .twiddle = {},
                          .factor = factor_of(act)};
  }

  Dimensions extents_;
  Dimensions axis_members_;
  ArrayOptions options_;
};

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
                      const ArrayOptions& options) {
  check_array(extents, axis_members);
  ForwardActs forward(extents.size(), axis_members);
  if (!options.transposed) forward.spread_back();
  const ArrayStages builder(extents, axis_members, options);
  std::vector<Stage> stages;
  for (const Act& act : forward.acts()) {
    stages.push_back(options.transform == Transform::forward ? builder.forward(act) : builder.inverse(act));
  }
  if (options.transform == Transform::inverse) std::reverse(stages.begin(), stages.end());
  Program program = program_of(std::move(stages));
  program.input_element = element_before(program.stages.front());
  program.output_element = element_after(program.stages.back());
  return program;
}

}  // namespace cubefold::fft
