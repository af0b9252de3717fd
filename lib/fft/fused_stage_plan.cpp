#include "fused_stage_plan.hpp"

#include <algorithm>
#include <utility>

#include "transform/strided_view.hpp"

namespace cubefold::fft {

namespace {

/// The bytes of a processor's own cache that rows which are transformed together may take.
constexpr std::size_t chunk_bytes = 512 << 10;
constexpr std::size_t most_columns = 64;
constexpr std::size_t fewest_columns = 4;

}  // namespace

template <typename Real>
FusedStagePlan<Real>::FusedStagePlan(FusedStage stage, Rigor rigor) : stage_(std::move(stage)) {
  choose_columns();
  if (stage_.twiddled_with)
    roots_ = std::make_unique<const Roots<Real>>(stage_.twiddle_order, stage_.transform, stage_.factor);
  if (stage_.row) plan_rows(rigor);
}

/// Chooses neighbours in memory as columns, so that reads and writes are of consecutive points.
template <typename Real>
void FusedStagePlan<Real>::choose_columns() {
  const auto rank = [&](std::size_t d) {
    const std::size_t in_a_row =
        std::max(stage_.to.dimensions[d].row_length(), stage_.from.dimensions[d].row_length());
    return std::pair(std::min(in_a_row, most_columns), d);
  };
  for (std::size_t d = 0; d < stage_.from.dimensions.size(); ++d)
    if (d != stage_.row) order_.push_back(d);
  column_ = *std::max_element(order_.begin(), order_.end(),
                              [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  std::erase(order_, column_);
  order_.push_back(column_);
}

template <typename Real>
void FusedStagePlan<Real>::plan_rows(Rigor rigor) {
  const std::size_t points = std::max(row_from().count(), row_to().count());
  const std::size_t longest = stage_.kind == Kind::complex ? points : stage_.length / 2 + 1;
  // Rows at a distance of a power of two would share few sets of the cache.
  constexpr std::size_t line = 64 / sizeof(Complex);
  distance_ = (longest + line - 1) / line * line + (longest >= 4 * line ? line : 0);
  const std::size_t fitting = chunk_bytes / (distance_ * sizeof(Complex));
  const std::size_t count = std::max<std::size_t>(columns_to().count(), 1);
  group_ = rows_of_plan<Real>(stage_.length);
  chunk_ = std::min(std::clamp(fitting, fewest_columns, most_columns), count);
  chunk_ = (chunk_ + group_ - 1) / group_ * group_;
  scratch_ = aligned_array<Complex>(chunk_ * distance_);
  in_rows_ = group_ == 1 && stage_.kind == Kind::complex && can_be_in_place(stage_) && row_from().is_row() &&
             row_to().is_row();
  rows_ = std::make_unique<const RowTransforms<Real>>(
      Rows{stage_.length, group_, distance_, stage_.kind, stage_.transform}, rigor);
}

template <typename Real>
void FusedStagePlan<Real>::run(const Complex* from, Complex* to) const {
  run(from, to, {column_, 0, columns_from().count()});
}

template <typename Real>
void FusedStagePlan<Real>::run(const Complex* from, Complex* to, const ValueRange& range) const {
  for (const std::size_t d : order_)
    if (stage_.from.dimensions[d].count() == 0) return;
  go_over(0, {stage_.from.base, stage_.to.base, 0}, from, to, range);
}

template <typename Real>
void FusedStagePlan<Real>::go_over(std::size_t depth, LoopStart start, const Complex* from, Complex* to,
                                   const ValueRange& range) const {
  const std::size_t d = order_[depth];
  const Offsets& from_offsets = stage_.from.dimensions[d];
  const Offsets& to_offsets = stage_.to.dimensions[d];
  const std::size_t begin = range.dimension == d ? range.begin : 0;
  const std::size_t end = range.dimension == d ? range.end : from_offsets.count();
  if (depth + 1 == order_.size()) return columns(start, from, to, begin, end);
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t twiddle = stage_.twiddled_with == d ? stage_.twiddle_values[i] : start.twiddle;
    go_over(depth + 1, {start.from + from_offsets(i), start.to + to_offsets(i), twiddle}, from, to, range);
  }
}

template <typename Real>
void FusedStagePlan<Real>::columns(LoopStart start, const Complex* from, Complex* to, std::size_t begin,
                                   std::size_t end) const {
  if (stage_.moves_real_points()) {
    return copy_row(reinterpret_cast<const Real*>(from) + start.from, columns_from(),
                    reinterpret_cast<Real*>(to) + start.to, columns_to(), begin, end);
  }
  if (!stage_.row)
    return copy_row(from + start.from, columns_from(), to + start.to, columns_to(), begin, end);
  for (std::size_t c = begin; c < end; c += chunk_)
    transform_columns(start, from, to, c, std::min(c + chunk_, end));
}

template <typename Real>
void FusedStagePlan<Real>::transform_columns(LoopStart start, const Complex* from, Complex* to,
                                             std::size_t begin, std::size_t end) const {
  if (transform_in_place(start, from, to, begin, end)) return;
  Complex* rows = scratch_.get();
  gather(from, start.from, rows, begin, end);
  transform_rows(rows, end - begin);
  multiply(rows, distance_, start, begin, end);
  scatter(rows, to, start.to, begin, end);
}

/// Transforms rows in groups of the size of the FFTW plan; zeros fill up the last group. Thus each row is computed by
/// the same operations wherever a chunk or a part ends.
template <typename Real>
void FusedStagePlan<Real>::transform_rows(Complex* rows, std::size_t count) const {
  const std::size_t whole = (count + group_ - 1) / group_ * group_;
  std::fill_n(rows + count * distance_, (whole - count) * distance_, Complex(0));
  for (std::size_t r = 0; r < count; r += group_) rows_->execute(rows + r * distance_);
}

/// Transforms rows in the array itself, without scratch. Returns false if this is not possible. It requires that input
/// and output are one array in which the points of a row are neighbours.
template <typename Real>
bool FusedStagePlan<Real>::transform_in_place(LoopStart start, const Complex* from, Complex* to,
                                              std::size_t begin, std::size_t end) const {
  if (!in_rows_ || from != to) return false;
  const auto row = [&](std::size_t c) { return to + start.to + distance_of(columns_to()(c)); };
  for (std::size_t c = begin; c < end; ++c)
    if (!rows_->can_execute(row(c))) return false;
  for (std::size_t c = begin; c < end; ++c) {
    rows_->execute(row(c));
    multiply(row(c), 0, start, c, c + 1);
  }
  return true;
}

// A place is counted in real numbers if that side of the stage has real points.

template <typename Real>
void FusedStagePlan<Real>::gather(const Complex* from, std::size_t start, Complex* rows, std::size_t begin,
                                  std::size_t end) const {
  if (stage_.has_real_input()) {
    gather_rows(reinterpret_cast<const Real*>(from) + start, row_from(), columns_from(), begin, end,
                reinterpret_cast<Real*>(rows), 2 * distance_);
  } else {
    gather_rows(from + start, row_from(), columns_from(), begin, end, rows, distance_);
  }
}

template <typename Real>
void FusedStagePlan<Real>::scatter(const Complex* rows, Complex* to, std::size_t start, std::size_t begin,
                                   std::size_t end) const {
  if (stage_.has_real_output()) {
    scatter_rows(reinterpret_cast<const Real*>(rows), 2 * distance_, row_to(), columns_to(), begin, end,
                 reinterpret_cast<Real*>(to) + start);
  } else {
    scatter_rows(rows, distance_, row_to(), columns_to(), begin, end, to + start);
  }
}

template <typename Real>
void FusedStagePlan<Real>::multiply(Complex* rows, std::size_t distance, LoopStart start, std::size_t begin,
                                    std::size_t end) const {
  const std::size_t count = row_to().count();
  if (roots_) {
    const bool by_column = stage_.twiddled_with == column_;
    for (std::size_t c = begin; c < end; ++c) {
      const std::size_t value = by_column ? stage_.twiddle_values[c] : start.twiddle;
      roots_->multiply(rows + (c - begin) * distance, count, value);
    }
  } else if (stage_.factor != 1) {
    const auto factor = static_cast<Real>(stage_.factor);
    for (std::size_t c = 0; c < end - begin; ++c) {
      auto* row = reinterpret_cast<Real*>(rows + c * distance);
      for (std::size_t i = 0; i < (stage_.has_real_output() ? count : 2 * count); ++i) row[i] *= factor;
    }
  }
}

template class FusedStagePlan<float>;
template class FusedStagePlan<double>;

}  // namespace cubefold::fft
