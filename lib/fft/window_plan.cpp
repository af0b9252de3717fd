#include "window_plan.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cubefold::fft {

namespace {

/// Returns the transforms of so many columns of the window, in place.
ArrayTransform columns_of(const SharedTransform& transform, std::size_t columns) {
  const StridedView view{0, {Offsets(1, 0), Offsets(transform.length, transform.pitch), Offsets(columns, 1)}};
  return {
      .from = view, .to = view, .rows = {1}, .lengths = {transform.length}, .transform = transform.transform};
}

}  // namespace

template <typename Real>
SharedTransformPlan<Real>::SharedTransformPlan(SharedTransform transform, Rigor rigor,
                                               std::shared_ptr<Workers> workers)
    : transform_(std::move(transform)), workers_(std::move(workers)) {
  for (std::size_t tile = 0; tile < transform_.tile_count(); ++tile) {
    for (std::size_t thread = 0; thread < thread_count(workers_); ++thread) {
      const Columns columns = columns_of_thread(transform_.tile(tile).columns(), thread);
      const std::size_t count = columns.end - columns.begin;
      if (count == 0 || plans_.contains(count)) continue;
      plans_[count] = std::make_unique<const ArrayTransformPlan<Real>>(
          columns_of(transform_, count), typename ArrayTransformPlan<Real>::Cut{2, count}, true, false,
          rigor);
    }
  }
  if (transform_.twiddle_order > 0) {
    roots_ = std::make_unique<const Roots<Real>>(transform_.twiddle_order, transform_.transform,
                                                 transform_.factor);
  }
}

/// Returns the columns of a tile of so many that a thread of this process transforms.
template <typename Real>
auto SharedTransformPlan<Real>::columns_of_thread(std::size_t columns, std::size_t thread) const -> Columns {
  const std::size_t threads = thread_count(workers_);
  const std::size_t part = transform_.member * threads + thread;
  const std::size_t parts = transform_.member_count * threads;
  return {SharedTransform::share_begin(columns, part, parts),
          SharedTransform::share_begin(columns, part + 1, parts)};
}

template <typename Real>
void SharedTransformPlan<Real>::write(std::size_t number, const Complex* array, Complex* window) const {
  const auto tile = transform_.tile(number);
  share(workers_, transform_.written.size(), 1,
        [&](std::size_t begin, std::size_t end) { write_rows(tile, begin, end, array, window); });
}

template <typename Real>
void SharedTransformPlan<Real>::write_rows(const SharedTransform::Tile& tile, std::size_t begin,
                                           std::size_t end, const Complex* array, Complex* window) const {
  if (begin == end) return;  // a process without points may have no array
  const std::size_t rows = transform_.written.size();
  for (std::size_t outer = 0; outer < tile.outer; ++outer) {
    const Complex* from =
        array + (tile.first_outer + outer) * rows * transform_.inner_count + tile.first_inner;
    for (std::size_t row = begin; row < end; ++row) {
      std::memcpy(
          static_cast<void*>(window + transform_.written[row] * transform_.pitch + outer * tile.inner),
          from + row * transform_.inner_count, tile.inner * sizeof(Complex));
    }
  }
}

template <typename Real>
void SharedTransformPlan<Real>::transform_share(std::size_t number, Complex* window) const {
  const auto tile = transform_.tile(number);
  share(workers_, thread_count(workers_), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t thread = begin; thread < end; ++thread)
      transform_columns(tile, columns_of_thread(tile.columns(), thread), window);
  });
}

template <typename Real>
void SharedTransformPlan<Real>::transform_columns(const SharedTransform::Tile& tile, Columns columns,
                                                  Complex* window) const {
  if (columns.begin == columns.end) return;
  plans_.at(columns.end - columns.begin)->run(window + columns.begin, window + columns.begin);
  if (roots_) multiply_by_twiddles(tile, columns, window);
}

template <typename Real>
void SharedTransformPlan<Real>::multiply_by_twiddles(const SharedTransform::Tile& tile, Columns columns,
                                                     Complex* window) const {
  for (std::size_t frequency = 0; frequency < transform_.length; ++frequency) {
    Complex* const row = window + frequency * transform_.pitch;
    for (std::size_t column = columns.begin; column < columns.end; ++column) {
      const std::size_t value = transform_.twiddle_values[tile.first_inner + column % tile.inner];
      row[column] = product_of(row[column], (*roots_)(frequency * value));
    }
  }
}

template <typename Real>
void SharedTransformPlan<Real>::take(std::size_t number, const Complex* window, Complex* array) const {
  const auto tile = transform_.tile(number);
  share(workers_, transform_.taken.size(), 1,
        [&](std::size_t begin, std::size_t end) { take_rows(tile, begin, end, window, array); });
}

template <typename Real>
void SharedTransformPlan<Real>::take_rows(const SharedTransform::Tile& tile, std::size_t begin,
                                          std::size_t end, const Complex* window, Complex* array) const {
  if (begin == end) return;
  const std::size_t rows = transform_.taken.size();
  const bool scales = !roots_ && transform_.factor != 1;
  const auto factor = static_cast<Real>(transform_.factor);
  for (std::size_t outer = 0; outer < tile.outer; ++outer) {
    Complex* const to = array + (tile.first_outer + outer) * rows * transform_.inner_count + tile.first_inner;
    for (std::size_t row = begin; row < end; ++row) {
      const Complex* from = window + transform_.taken[row] * transform_.pitch + outer * tile.inner;
      Complex* const target = to + row * transform_.inner_count;
      if (!scales) {
        std::memcpy(static_cast<void*>(target), from, tile.inner * sizeof(Complex));
        continue;
      }
      for (std::size_t i = 0; i < tile.inner; ++i) target[i] = from[i] * factor;
    }
  }
}

template <typename Real>
WindowExchangePlan<Real>::WindowExchangePlan(WindowExchange exchange, Rigor rigor,
                                             std::shared_ptr<Workers> workers,
                                             const std::shared_ptr<SharedScratch>& scratch)
    : exchange_(std::move(exchange)),
      workers_(std::move(workers)),
      written_(planned(exchange_.written, exchange_.written_cut, rigor, scratch)),
      taken_(planned(exchange_.taken, exchange_.taken_cut, rigor, scratch)) {
  if (!exchange_.transformed) return;
  transformed_ = std::make_unique<const ArrayTransformPlan<Real>>(
      *exchange_.transformed, cut_for_threads(exchange_.transformed_cut), true, false, rigor, workers_);
}

/// Cuts the values of a tile into as many ranges as there are threads, if these are equal.
template <typename Real>
auto WindowExchangePlan<Real>::cut_for_threads(std::size_t dimension) const ->
    typename ArrayTransformPlan<Real>::Cut {
  const std::size_t threads =
      exchange_.tile_values % thread_count(workers_) == 0 ? thread_count(workers_) : 1;
  return {dimension, exchange_.tile_values / threads};
}

template <typename Real>
void WindowExchangePlan<Real>::transform(std::size_t tile, Complex* window) const {
  if (!transformed_) return;
  const std::size_t begin = tile * exchange_.tile_values;
  const std::size_t count = exchange_.transformed->to.dimensions[exchange_.transformed_cut].count();
  const std::size_t end = std::min(begin + exchange_.tile_values, count);
  if (begin < end) transformed_->run(window, window, begin, end);
}

template <typename Real>
auto WindowExchangePlan<Real>::planned(const std::vector<WindowPass>& passes, std::size_t cut, Rigor rigor,
                                       const std::shared_ptr<SharedScratch>& scratch) const
    -> std::vector<Pass> {
  std::vector<Pass> result;
  for (const WindowPass& pass : passes) {
    Pass& made = result.emplace_back();
    if (const auto* stage = std::get_if<FusedStage>(&pass)) {
      made.fused = std::make_unique<const FusedStagePlan<Real>>(*stage, rigor, workers_, scratch);
      made.count = stage->from.dimensions[cut].count();
      continue;
    }
    const auto& transform = std::get<ArrayTransform>(pass);
    made.joined = std::make_unique<const ArrayTransformPlan<Real>>(
        transform, cut_for_threads(cut), false, transform.has_real_output(), rigor, workers_);
    made.count = transform.from.dimensions[cut].count();
  }
  return result;
}

/// Runs the passes for the values of a tile. Members begin with different parts, so that they do not all read or write
/// one part at once.
template <typename Real>
void WindowExchangePlan<Real>::run(const std::vector<Pass>& passes, std::size_t cut, std::size_t tile,
                                   const Complex* from, Complex* to) const {
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const Pass& pass = passes[(exchange_.member + i) % passes.size()];
    const std::size_t begin = tile * exchange_.tile_values;
    const std::size_t end = std::min(begin + exchange_.tile_values, pass.count);
    if (begin >= end) continue;
    if (pass.fused) {
      pass.fused->run(from, to, {cut, begin, end});
    } else {
      pass.joined->run(from, to, begin, end);
    }
  }
}

// The views of the window begin with the first value of the dimension that tiles cut, so a tile's memory takes the
// place of the tiles before it too.

template <typename Real>
void WindowExchangePlan<Real>::write(std::size_t tile, const Complex* array, Complex* window) const {
  Complex* const first = window - tile * exchange_.tile_values * exchange_.cut_stride;
  run(written_, exchange_.written_cut, tile, array, first);
  if (exchange_.cuts_before) transform(tile, first);
}

template <typename Real>
void WindowExchangePlan<Real>::take(std::size_t tile, Complex* window, Complex* array) const {
  Complex* const first = window - tile * exchange_.tile_values * exchange_.cut_stride;
  if (!exchange_.cuts_before) transform(tile, first);
  run(taken_, exchange_.taken_cut, tile, first, array);
}

template class SharedTransformPlan<float>;
template class SharedTransformPlan<double>;
template class WindowExchangePlan<float>;
template class WindowExchangePlan<double>;

}  // namespace cubefold::fft
