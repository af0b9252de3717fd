#include "strided_view.hpp"

#include <algorithm>

namespace cubefold::fft {

Offsets::Offsets(std::vector<std::size_t> places) : count_(places.size()) {
  if (places.size() > 1) stride_ = places[1] - places[0];
  bool even = true;
  for (std::size_t i = 0; i < places.size() && even; ++i) even = places[i] == i * stride_;
  if (!even) list_ = std::make_shared<const std::vector<std::size_t>>(std::move(places));
}

std::size_t Offsets::last() const {
  if (list_) return *std::max_element(list_->begin(), list_->end());
  return count_ == 0 ? 0 : (count_ - 1) * stride_;
}

std::size_t Offsets::row_length() const {
  std::size_t length = std::min<std::size_t>(count_, 1);
  while (length < count_ && (*this)(length) == length) ++length;
  return length;
}

bool Offsets::operator==(const Offsets& other) const {
  if (count_ != other.count_ || is_even() != other.is_even()) return false;
  return list_ ? *list_ == *other.list_ : count_ <= 1 || stride_ == other.stride_;
}

std::vector<std::size_t> dimension_counts(const Layout& layout, const Layout::Members& members,
                                          std::size_t batch) {
  std::vector<std::size_t> counts{batch};
  for (std::size_t d = 0; d < layout.dimensions().size(); ++d)
    counts.push_back(layout.dimension_count(d, members));
  return counts;
}

StridedView natural_view(const Layout& layout, const Layout::Members& members, std::size_t batch,
                         bool is_interleaved) {
  StridedView view;
  const std::size_t step = is_interleaved ? batch : 1;
  view.dimensions.emplace_back(batch, is_interleaved ? 1 : layout.local_count(members));
  for (std::size_t d = 0; d < layout.dimensions().size(); ++d)
    view.dimensions.emplace_back(layout.dimension_count(d, members), layout.stride(d, members) * step);
  return view;
}

namespace {

/// Returns the offset of the point with this number, counted in the order of the view's dimensions.
std::size_t offset_at(const StridedView& view, std::size_t place) {
  std::size_t offset = 0;
  for (auto dimension = view.dimensions.rbegin(); dimension != view.dimensions.rend(); ++dimension) {
    offset += (*dimension)(place % dimension->count());
    place /= dimension->count();
  }
  return offset;
}

/// Returns whether the offset of value i is the sum of the offsets of i - i mod part and of i mod part.
bool splits_at(const Offsets& offsets, std::size_t part) {
  if (offsets.is_even()) return true;
  for (std::size_t i = 0; i < offsets.count(); ++i)
    if (offsets(i) != offsets(i - i % part) + offsets(i % part)) return false;
  return true;
}

/// Returns whether every dimension of the view can be split where the other dimensions have their strides.
bool splits(const StridedView& view, const std::vector<std::size_t>& strides) {
  std::size_t low = 1;
  for (auto dimension = view.dimensions.rbegin(); dimension != view.dimensions.rend(); ++dimension) {
    const std::size_t high = low * dimension->count();
    for (const std::size_t stride : strides) {
      if (stride <= low || stride >= high) continue;
      if (stride % low != 0 || high % stride != 0 || !splits_at(*dimension, stride / low)) return false;
    }
    low = high;
  }
  return true;
}

}  // namespace

std::optional<StridedView> recut(const StridedView& view, const std::vector<std::size_t>& counts) {
  std::vector<std::size_t> strides(counts.size());
  std::size_t stride = 1;
  for (std::size_t d = counts.size(); d-- > 0; stride *= counts[d]) strides[d] = stride;
  if (stride != 0 && !splits(view, strides)) return std::nullopt;
  StridedView result{view.base, {}};
  for (std::size_t d = 0; d < counts.size(); ++d) {
    std::vector<std::size_t> places(counts[d]);
    if (stride != 0)
      for (std::size_t i = 0; i < counts[d]; ++i) places[i] = offset_at(view, i * strides[d]);
    result.dimensions.emplace_back(std::move(places));
  }
  return result;
}

}  // namespace cubefold::fft
