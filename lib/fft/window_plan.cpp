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
SharedTransformPlan<Real>::SharedTransformPlan(SharedTransform transform, Rigor rigor)
    : transform_(std::move(transform)) {
  for (std::size_t tile = 0; tile < transform_.tile_count(); ++tile) {
    const std::size_t columns = transform_.tile(tile).columns();
    const std::size_t share = transform_.share_begin(columns, transform_.member + 1) -
                              transform_.share_begin(columns, transform_.member);
    if (share == 0 || plans_.contains(share)) continue;
    plans_[share] = std::make_unique<const ArrayTransformPlan<Real>>(
        columns_of(transform_, share), typename ArrayTransformPlan<Real>::Cut{2, share}, true, false, rigor);
  }
  if (transform_.twiddle_order > 0)
    roots_ = std::make_unique<const Roots<Real>>(transform_.twiddle_order, transform_.transform,
                                                 transform_.factor);
}

template <typename Real>
void SharedTransformPlan<Real>::write(std::size_t number, const Complex* array, Complex* window) const {
  const auto tile = transform_.tile(number);
  const std::size_t rows = transform_.written.size();
  for (std::size_t outer = 0; outer < tile.outer; ++outer) {
    const Complex* from =
        array + (tile.first_outer + outer) * rows * transform_.inner_count + tile.first_inner;
    for (std::size_t row = 0; row < rows; ++row) {
      std::memcpy(
          static_cast<void*>(window + transform_.written[row] * transform_.pitch + outer * tile.inner),
          from + row * transform_.inner_count, tile.inner * sizeof(Complex));
    }
  }
}

template <typename Real>
void SharedTransformPlan<Real>::transform_share(std::size_t number, Complex* window) const {
  const auto tile = transform_.tile(number);
  const std::size_t begin = transform_.share_begin(tile.columns(), transform_.member);
  const std::size_t end = transform_.share_begin(tile.columns(), transform_.member + 1);
  if (begin == end) return;
  plans_.at(end - begin)->run(window + begin, window + begin);
  if (roots_) multiply_by_twiddles(tile, begin, end, window);
}

template <typename Real>
void SharedTransformPlan<Real>::multiply_by_twiddles(const SharedTransform::Tile& tile, std::size_t begin,
                                                     std::size_t end, Complex* window) const {
  for (std::size_t frequency = 0; frequency < transform_.length; ++frequency) {
    Complex* const row = window + frequency * transform_.pitch;
    for (std::size_t column = begin; column < end; ++column) {
      const std::size_t value = transform_.twiddle_values[tile.first_inner + column % tile.inner];
      row[column] = product_of(row[column], (*roots_)(frequency * value));
    }
  }
}

template <typename Real>
void SharedTransformPlan<Real>::take(std::size_t number, const Complex* window, Complex* array) const {
  const auto tile = transform_.tile(number);
  const std::size_t rows = transform_.taken.size();
  const bool scales = !roots_ && transform_.factor != 1;
  const auto factor = static_cast<Real>(transform_.factor);
  for (std::size_t outer = 0; outer < tile.outer; ++outer) {
    Complex* const to = array + (tile.first_outer + outer) * rows * transform_.inner_count + tile.first_inner;
    for (std::size_t row = 0; row < rows; ++row) {
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
WindowExchangePlan<Real>::WindowExchangePlan(WindowExchange exchange, Rigor rigor)
    : exchange_(std::move(exchange)) {
  if (const auto* stage = std::get_if<FusedStage>(&exchange_.written)) {
    fused_ = std::make_unique<const FusedStagePlan<Real>>(*stage, rigor);
  } else {
    const auto& transform = std::get<ArrayTransform>(exchange_.written);
    joined_ = std::make_unique<const ArrayTransformPlan<Real>>(
        transform, typename ArrayTransformPlan<Real>::Cut{exchange_.written_cut, exchange_.tile_values},
        false, transform.has_real_output(), rigor);
  }
  for (const FusedStage& copy : exchange_.taken)
    copies_.push_back(std::make_unique<const FusedStagePlan<Real>>(copy, rigor));
}

// The views of the window begin with the first value of the dimension that tiles cut, so a tile's memory takes the
// place of the tiles before it too.

template <typename Real>
void WindowExchangePlan<Real>::write(std::size_t tile, const Complex* array, Complex* window) const {
  const std::size_t begin = tile * exchange_.tile_values;
  const auto count_of = [&](const StridedView& view) {
    return view.dimensions[exchange_.written_cut].count();
  };
  Complex* const to = window - begin * exchange_.cut_stride;
  if (fused_) {
    const std::size_t end = std::min(begin + exchange_.tile_values, count_of(fused_->stage().from));
    if (begin < end) fused_->run(array, to, {exchange_.written_cut, begin, end});
  } else {
    const std::size_t end =
        std::min(begin + exchange_.tile_values, count_of(std::get<ArrayTransform>(exchange_.written).from));
    if (begin < end) joined_->run(array, to, begin, end);
  }
}

template <typename Real>
void WindowExchangePlan<Real>::take(std::size_t tile, const Complex* window, Complex* array) const {
  const std::size_t begin = tile * exchange_.tile_values;
  const Complex* from = window - begin * exchange_.cut_stride;
  // Members begin with their own parts, so that they do not all read one part at once.
  for (std::size_t i = 0; i < copies_.size(); ++i) {
    const auto& copy = copies_[(exchange_.member + i) % copies_.size()];
    const std::size_t count = copy->stage().from.dimensions[exchange_.taken_cut].count();
    const std::size_t end = std::min(begin + exchange_.tile_values, count);
    if (begin < end) copy->run(from, array, {exchange_.taken_cut, begin, end});
  }
}

template class SharedTransformPlan<float>;
template class SharedTransformPlan<double>;
template class WindowExchangePlan<float>;
template class WindowExchangePlan<double>;

}  // namespace cubefold::fft
