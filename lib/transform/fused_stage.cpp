#include "fused_stage.hpp"

#include <algorithm>
#include <utility>

namespace cubefold::fft {

namespace {

std::vector<std::size_t> sorted_places(const Offsets& offsets) {
  std::vector<std::size_t> places(offsets.count());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = offsets(i);
  std::sort(places.begin(), places.end());
  return places;
}

const StridedView& side_of(const FusedStage& stage, bool is_read) {
  return is_read ? stage.from : stage.to;
}

/// Returns the number of neighbours in memory that are read or written at once by a stage that processes `columns` rows
/// at once.
double neighbour_count(const FusedStage& stage, const StridedView& side, double columns) {
  double best = 1;
  if (stage.row) best = static_cast<double>(side.dimensions[*stage.row].row_length());
  for (std::size_t d = 0; d < side.dimensions.size(); ++d) {
    if (d == stage.row) continue;
    const auto in_a_row = static_cast<double>(side.dimensions[d].row_length());
    best = std::max(best, std::min(stage.row ? columns : 1e9, in_a_row));
  }
  return best;
}

double side_cost(const FusedStage& stage, bool is_read) {
  constexpr double typical_columns = 16;
  return (is_read ? 1 : 1.5) * (1 + 12 / neighbour_count(stage, side_of(stage, is_read), typical_columns));
}

bool is_outermost(const StridedView& side, std::size_t dimension) {
  std::size_t left = side.dimensions[dimension].stride();
  for (std::size_t d = 0; d < side.dimensions.size(); ++d) {
    if (d == dimension) continue;
    if (side.dimensions[d].count() == 0 || side.dimensions[d].last() >= left) return false;
    left -= side.dimensions[d].last();
  }
  return true;
}

}  // namespace

FusedStage copy_between(StridedView from, StridedView to, Kind kind) {
  const auto longest = [](const StridedView& view) {
    std::size_t best = 1;
    for (std::size_t d = 2; d < view.dimensions.size(); ++d)
      if (view.dimensions[d].row_length() >= view.dimensions[best].row_length()) best = d;
    return best;
  };
  FusedStage copy;
  copy.kind = kind;
  if (kind == Kind::complex && from.dimensions.size() > 1 && longest(from) != longest(to))
    copy.row = longest(to);
  copy.from = std::move(from);
  copy.to = std::move(to);
  return copy;
}

FusedStage fused_transform(const TransformStage& stage, const Layout::Members& members,
                           const StridedView& from, StridedView to) {
  FusedStage fused;
  fused.to = std::move(to);
  fused.from = {from.base, {from.dimensions[0]}};
  for (const std::size_t source : stage.sources) fused.from.dimensions.push_back(from.dimensions[source + 1]);
  fused.row = stage.frequency() + 1;
  fused.kind = stage.kind;
  fused.transform = stage.transform;
  fused.line = stage.line;
  fused.of_pairs = stage.of_pairs;
  fused.length = stage.length();
  fused.factor = stage.factor;
  if (!stage.twiddle) return fused;
  const std::size_t d = stage.twiddle->dimension;
  fused.twiddled_with = d + 1;
  fused.twiddle_order = stage.twiddle->order;
  for (std::size_t i = 0; i < stage.after.dimension_count(d, members); ++i)
    fused.twiddle_values.push_back(stage.after.dimension_at(d, i, members));
  return fused;
}

namespace {

/// Returns whether each row of real numbers begins where its half spectrum begins, as in FFTW's padded rows.
bool rows_begin_together(const FusedStage& stage) {
  const StridedView& reals = side_of(stage, stage.transform == Transform::forward);
  const StridedView& terms = side_of(stage, stage.transform == Transform::inverse);
  if (reals.base != 2 * terms.base) return false;
  for (std::size_t d = 0; d < reals.dimensions.size(); ++d) {
    const Offsets& real = reals.dimensions[d];
    const Offsets& term = terms.dimensions[d];
    if (d == stage.row) {
      if (!real.is_row() || !term.is_row()) return false;
    } else if (!real.is_even() || !term.is_even() ||
               (real.count() > 1 && real.stride() != 2 * term.stride())) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool can_be_in_place(const FusedStage& stage) {
  if (stage.row && stage.kind == Kind::real) return rows_begin_together(stage);
  if (!stage.row || stage.kind != Kind::complex || stage.from.base != stage.to.base) return false;
  for (std::size_t d = 0; d < stage.from.dimensions.size(); ++d) {
    const Offsets& from = stage.from.dimensions[d];
    const Offsets& to = stage.to.dimensions[d];
    if (from == to || (d == stage.row && sorted_places(from) == sorted_places(to))) continue;
    return false;
  }
  return true;
}

double memory_cost(const FusedStage& stage) {
  return side_cost(stage, true) + side_cost(stage, false);
}

std::optional<Slices> block_slices(const FusedStage& stage, std::size_t block_count, bool is_read) {
  const auto& dimensions = side_of(stage, is_read).dimensions;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const Offsets& offsets = dimensions[d];
    if (d != stage.row && offsets.count() > 1 && offsets.is_even() &&
        offsets.stride() * offsets.count() == block_count)
      return Slices{d, offsets.count(), offsets.stride()};
  }
  return std::nullopt;
}

std::optional<Slices> array_slices(const FusedStage& stage, bool is_read) {
  const StridedView& side = side_of(stage, is_read);
  for (std::size_t d = 0; d < side.dimensions.size(); ++d) {
    const Offsets& offsets = side.dimensions[d];
    if (d != stage.row && offsets.count() > 1 && offsets.is_even() && is_outermost(side, d))
      return Slices{d, offsets.count(), offsets.stride()};
  }
  return std::nullopt;
}

}  // namespace cubefold::fft
