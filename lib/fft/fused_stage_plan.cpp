#include "fused_stage_plan.hpp"

#include <algorithm>
#include <utility>

#include "transform/strided_view.hpp"

namespace cubefold::fft {

namespace {

/// The bytes of a processor's own cache that rows which are transformed together may take. Of a small array they take a
/// sixteenth, so that scratch memory stays small beside it.
constexpr std::size_t most_chunk_bytes = 512 << 10;
constexpr std::size_t chunks_of_array = 16;
constexpr std::size_t most_columns = 64;
constexpr std::size_t fewest_columns = 4;

/// Threads share a run of at least this many points; for fewer, waking them takes as long as the work.
constexpr std::size_t fewest_shared_points = 4096;

}  // namespace

template <typename Real>
FusedStagePlan<Real>::FusedStagePlan(FusedStage stage, Rigor rigor, std::shared_ptr<Workers> workers,
                                     std::shared_ptr<SharedScratch> scratch)
    : stage_(std::move(stage)), workers_(std::move(workers)), scratch_(std::move(scratch)) {
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
  std::size_t points_of_all = 1;
  for (const Offsets& offsets : stage_.to.dimensions) points_of_all *= offsets.count();
  const std::size_t fitting =
      std::min(most_chunk_bytes / sizeof(Complex), points_of_all / chunks_of_array) / distance_;
  const std::size_t count = std::max<std::size_t>(columns_to().count(), 1);
  group_ = rows_of_plan<Real>(stage_.length);
  chunk_ = std::min(std::clamp(fitting, fewest_columns, most_columns), count);
  chunk_ = (chunk_ + group_ - 1) / group_ * group_;
  scratch_->reserve(chunk_ * distance_ * thread_count(workers_) * sizeof(Complex));
  in_rows_ = group_ == 1 && stage_.kind == Kind::complex && can_be_in_place(stage_) && row_from().is_row() &&
             row_to().is_row();
  rows_ = std::make_unique<const RowTransforms<Real>>(
      Rows{stage_.length, group_, distance_, stage_.kind, stage_.transform, stage_.line, stage_.of_pairs},
      rigor);
}

template <typename Real>
void FusedStagePlan<Real>::run(const Complex* from, Complex* to) const {
  run(from, to, {column_, 0, columns_from().count()});
}

template <typename Real>
void FusedStagePlan<Real>::run(const Complex* from, Complex* to, const ValueRange& range) const {
  std::size_t points = 1;
  for (std::size_t d = 0; d < stage_.from.dimensions.size(); ++d) {
    const std::size_t count = stage_.from.dimensions[d].count();
    points *= d == range.dimension ? range.end - range.begin : count;
  }
  if (points == 0) return;
  const LoopStart start{stage_.from.base, stage_.to.base, 0};
  const ValueRange all = shared_range(range);
  auto* const scratch = reinterpret_cast<Complex*>(scratch_->get());
  if (!workers_ || points < fewest_shared_points) return go_over(0, start, {from, to, range, all, scratch});
  const std::size_t granule = share_granule(all.dimension);
  const std::size_t granules = (all.end - all.begin + granule - 1) / granule;
  const std::size_t threads = workers_->count();
  workers_->run([&](std::size_t i) {
    const ValueRange share{all.dimension, std::min(all.begin + granules * i / threads * granule, all.end),
                           std::min(all.begin + granules * (i + 1) / threads * granule, all.end)};
    if (share.begin < share.end)
      go_over(0, start, {from, to, range, share, scratch + i * chunk_ * distance_});
  });
}

/// Returns the values that threads share, which are those of the dimension with the most parts for them. The outermost
/// of several is taken.
template <typename Real>
auto FusedStagePlan<Real>::shared_range(const ValueRange& range) const -> ValueRange {
  ValueRange best{order_[0], 0, 0};
  for (const std::size_t d : order_) {
    const ValueRange all = d == range.dimension ? range : ValueRange{d, 0, stage_.from.dimensions[d].count()};
    if ((all.end - all.begin) / share_granule(d) > (best.end - best.begin) / share_granule(best.dimension))
      best = all;
  }
  if (best.end > best.begin) return best;
  return order_[0] == range.dimension ? range
                                      : ValueRange{order_[0], 0, stage_.from.dimensions[order_[0]].count()};
}

template <typename Real>
void FusedStagePlan<Real>::go_over(std::size_t depth, LoopStart start, const Part& part) const {
  const std::size_t d = order_[depth];
  const Offsets& from_offsets = stage_.from.dimensions[d];
  const Offsets& to_offsets = stage_.to.dimensions[d];
  std::size_t begin = 0;
  std::size_t end = from_offsets.count();
  for (const ValueRange& range : {part.range, part.share}) {
    if (range.dimension != d) continue;
    begin = std::max(begin, range.begin);
    end = std::min(end, range.end);
  }
  if (depth + 1 == order_.size()) return columns(start, part, begin, end);
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t twiddle = stage_.twiddled_with == d ? stage_.twiddle_values[i] : start.twiddle;
    go_over(depth + 1, {start.from + from_offsets(i), start.to + to_offsets(i), twiddle}, part);
  }
}

template <typename Real>
void FusedStagePlan<Real>::columns(LoopStart start, const Part& part, std::size_t begin,
                                   std::size_t end) const {
  if (stage_.moves_real_points()) {
    return copy_row(reinterpret_cast<const Real*>(part.from) + start.from, columns_from(),
                    reinterpret_cast<Real*>(part.to) + start.to, columns_to(), begin, end);
  }
  if (!stage_.row)
    return copy_row(part.from + start.from, columns_from(), part.to + start.to, columns_to(), begin, end);
  for (std::size_t c = begin; c < end; c += chunk_)
    transform_columns(start, part, c, std::min(c + chunk_, end));
}

template <typename Real>
void FusedStagePlan<Real>::transform_columns(LoopStart start, const Part& part, std::size_t begin,
                                             std::size_t end) const {
  if (transform_in_place(start, part, begin, end)) return;
  gather(part.from, start.from, part.scratch, begin, end);
  transform_rows(part.scratch, end - begin);
  multiply(part.scratch, distance_, start, begin, end);
  scatter(part.scratch, part.to, start.to, begin, end);
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
bool FusedStagePlan<Real>::transform_in_place(LoopStart start, const Part& part, std::size_t begin,
                                              std::size_t end) const {
  if (!in_rows_ || part.from != part.to) return false;
  const auto row = [&](std::size_t c) { return part.to + start.to + distance_of(columns_to()(c)); };
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
