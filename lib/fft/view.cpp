#include "view.hpp"

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

std::size_t View::room() const {
  std::size_t last = base + batch.last();
  for (const Offsets& digit : digits) {
    if (digit.count() == 0) return 0;
    last += digit.last();
  }
  return last + 1;
}

std::vector<std::size_t> digit_counts(const Layout& layout, const Layout::Members& members) {
  std::vector<std::size_t> counts;
  for (std::size_t d = 0; d < layout.digits().size(); ++d) counts.push_back(layout.digit_count(d, members));
  return counts;
}

View natural_view(const Layout& layout, const Layout::Members& members, std::size_t batch) {
  View view;
  for (std::size_t d = 0; d < layout.digits().size(); ++d)
    view.digits.emplace_back(layout.digit_count(d, members), layout.stride(d, members));
  view.batch = Offsets(batch, layout.local_count(members));
  return view;
}

namespace {

/// Offset of the point at a place, counted in the order of the view's digits.
std::size_t offset_at(const View& view, std::size_t place) {
  std::size_t offset = 0;
  for (auto digit = view.digits.rbegin(); digit != view.digits.rend(); ++digit) {
    offset += (*digit)(place % digit->count());
    place /= digit->count();
  }
  return offset;
}

/// Whether value i is at the sum of the places of i - i mod part and of i mod part.
bool splits_at(const Offsets& digit, std::size_t part) {
  if (digit.is_even()) return true;
  for (std::size_t i = 0; i < digit.count(); ++i)
    if (digit(i) != digit(i - i % part) + digit(i % part)) return false;
  return true;
}

/// Whether all digits of the view split where the strides of others are.
bool splits(const View& view, const std::vector<std::size_t>& strides) {
  std::size_t low = 1;
  for (auto digit = view.digits.rbegin(); digit != view.digits.rend(); ++digit) {
    const std::size_t high = low * digit->count();
    for (const std::size_t stride : strides) {
      if (stride <= low || stride >= high) continue;
      if (stride % low != 0 || high % stride != 0 || !splits_at(*digit, stride / low)) return false;
    }
    low = high;
  }
  return true;
}

}  // namespace

std::optional<View> recut(const View& view, const std::vector<std::size_t>& counts) {
  std::vector<std::size_t> strides(counts.size());
  std::size_t stride = 1;
  for (std::size_t d = counts.size(); d-- > 0; stride *= counts[d]) strides[d] = stride;
  if (stride != 0 && !splits(view, strides)) return std::nullopt;
  View result{view.base, {}, view.batch};
  for (std::size_t d = 0; d < counts.size(); ++d) {
    std::vector<std::size_t> places(counts[d]);
    if (stride != 0)
      for (std::size_t i = 0; i < counts[d]; ++i) places[i] = offset_at(view, i * strides[d]);
    result.digits.emplace_back(std::move(places));
  }
  return result;
}

}  // namespace cubefold::fft
