#include "pass.hpp"

#include <algorithm>
#include <utility>

#include "copies.hpp"

namespace cubefold::fft {

namespace {

/// Rows that are transformed together take so much of a processor's own cache.
constexpr std::size_t chunk_bytes = 512 << 10;
constexpr std::size_t most_columns = 64;
constexpr std::size_t fewest_columns = 4;

/// A digit of one value that is there where a pass needs some digit.
PassDigit nothing() {
  return {Offsets(1, 0), Offsets(1, 0)};
}

std::vector<std::size_t> sorted_places(const Offsets& offsets) {
  std::vector<std::size_t> places(offsets.count());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = offsets(i);
  std::sort(places.begin(), places.end());
  return places;
}

/// Points of a row between whose two ends nothing else lies, on one side of a pass that moves `columns` together.
double row_points(const Offsets* row, const std::vector<Offsets>& others, double columns) {
  double best = 1;
  if (row != nullptr) best = static_cast<double>(row->row_length());
  for (const Offsets& other : others)
    best = std::max(best, std::min(row == nullptr ? 1e9 : columns, static_cast<double>(other.row_length())));
  return best;
}

double side_cost(const PassShape& shape, bool is_read) {
  std::vector<Offsets> others;
  for (const PassDigit& digit : shape.digits) others.push_back(is_read ? digit.from : digit.to);
  const Offsets* row = shape.row ? (is_read ? &shape.row->from : &shape.row->to) : nullptr;
  constexpr double typical_columns = 16;
  return (is_read ? 1 : 1.5) * (1 + 12 / row_points(row, others, typical_columns));
}

}  // namespace

bool can_be_in_place(const PassShape& shape) {
  if (!shape.row || shape.kind != RowKind::complex || shape.from_base != shape.to_base) return false;
  const bool same = std::all_of(shape.digits.begin(), shape.digits.end(),
                                [](const PassDigit& digit) { return digit.from == digit.to; });
  return same &&
         (shape.row->from == shape.row->to || sorted_places(shape.row->from) == sorted_places(shape.row->to));
}

double memory_cost(const PassShape& shape) {
  return side_cost(shape, true) + side_cost(shape, false);
}

std::optional<BlockParts> block_parts(const PassShape& shape, std::size_t block_count, bool is_read) {
  for (std::size_t d = 0; d < shape.digits.size(); ++d) {
    const Offsets& offsets = is_read ? shape.digits[d].from : shape.digits[d].to;
    if (offsets.count() > 1 && offsets.is_even() && offsets.stride() * offsets.count() == block_count)
      return BlockParts{d, offsets.stride()};
  }
  return std::nullopt;
}

std::optional<Slabs> slabs_of(const PassShape& shape, bool is_read) {
  const auto offsets = [&](std::size_t d) -> const Offsets& {
    const PassDigit& digit = d < shape.digits.size() ? shape.digits[d] : *shape.row;
    return is_read ? digit.from : digit.to;
  };
  const std::size_t digit_count = shape.digits.size() + (shape.row ? 1 : 0);
  for (std::size_t d = 0; d < shape.digits.size(); ++d) {
    if (offsets(d).count() < 2 || !offsets(d).is_even()) continue;
    bool is_outermost = true;
    std::size_t room = offsets(d).stride();
    for (std::size_t other = 0; other < digit_count && is_outermost; ++other) {
      if (other == d) continue;
      is_outermost = offsets(other).count() > 0 && offsets(other).last() < room;
      if (is_outermost) room -= offsets(other).last();
    }
    if (is_outermost)
      return Slabs{d, is_read ? shape.from_base : shape.to_base, offsets(d).count(), offsets(d).stride()};
  }
  return std::nullopt;
}

template <typename Real>
Pass<Real>::Pass(PassShape shape, Rigor rigor) : shape_(std::move(shape)) {
  if (shape_.digits.empty()) shape_.digits.push_back(nothing());
  choose_columns();
  if (shape_.twiddled_with) {
    roots_ = std::make_shared<const Roots<Real>>(shape_.twiddle_order, shape_.transform, shape_.factor);
  }
  if (shape_.row) plan_rows(rigor);
}

/// Neighbours in memory are columns, so that what is read or written at once is in a row.
template <typename Real>
void Pass<Real>::choose_columns() {
  const auto& digits = shape_.digits;
  const auto rank = [&](std::size_t d) {
    const std::size_t in_a_row = std::max(digits[d].to.row_length(), digits[d].from.row_length());
    return std::pair(std::min<std::size_t>(in_a_row, most_columns), d);
  };
  for (std::size_t d = 1; d < digits.size(); ++d)
    if (rank(d) > rank(column_)) column_ = d;
  for (std::size_t d = 0; d < digits.size(); ++d)
    if (d != column_) order_.push_back(d);
  order_.push_back(column_);
}

template <typename Real>
void Pass<Real>::plan_rows(Rigor rigor) {
  const std::size_t points = std::max(shape_.row->from.count(), shape_.row->to.count());
  const std::size_t longest = shape_.kind == RowKind::complex ? points : shape_.length / 2 + 1;
  // Rows a power of two apart would share few sets of the cache.
  constexpr std::size_t line = 64 / sizeof(Complex);
  distance_ = (longest + line - 1) / line * line + (longest >= 4 * line ? line : 0);
  const std::size_t fitting = chunk_bytes / (distance_ * sizeof(Complex));
  const std::size_t count = std::max<std::size_t>(shape_.digits[column_].to.count(), 1);
  group_ = rows_of_plan<Real>(shape_.length);
  const auto in_groups = [&](std::size_t columns) { return (columns + group_ - 1) / group_ * group_; };
  chunk_ = in_groups(std::min(std::clamp(fitting, fewest_columns, most_columns), count));
  scratch_ = aligned_array<Complex>(chunk_ * distance_);
  in_rows_ = group_ == 1 && can_be_in_place(shape_) && shape_.row->from.is_row() && shape_.row->to.is_row();
  rows_ = std::make_shared<const RowTransforms<Real>>(Rows{shape_.length, group_, distance_, shape_.kind},
                                                      shape_.transform, rigor);
}

template <typename Real>
void Pass<Real>::run(const Complex* from, Complex* to) const {
  run(from, to, {column_, 0, shape_.digits[column_].from.count()});
}

template <typename Real>
void Pass<Real>::run(const Complex* from, Complex* to, const PassPart& part) const {
  for (const PassDigit& digit : shape_.digits)
    if (digit.from.count() == 0) return;
  go_over(0, {shape_.from_base, shape_.to_base, 0}, from, to, part);
}

template <typename Real>
void Pass<Real>::go_over(std::size_t depth, Place place, const Complex* from, Complex* to,
                         const PassPart& part) const {
  const std::size_t d = order_[depth];
  const PassDigit& digit = shape_.digits[d];
  const std::size_t begin = part.digit == d ? part.begin : 0;
  const std::size_t end = part.digit == d ? part.end : digit.from.count();
  if (depth + 1 == order_.size()) return columns(place, from, to, begin, end);
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t twiddle = shape_.twiddled_with == d ? shape_.twiddle_values[i] : place.twiddle;
    go_over(depth + 1, {place.from + digit.from(i), place.to + digit.to(i), twiddle}, from, to, part);
  }
}

template <typename Real>
void Pass<Real>::columns(Place place, const Complex* from, Complex* to, std::size_t begin,
                         std::size_t end) const {
  if (!shape_.row) return copy_columns(place, from, to, begin, end);
  for (std::size_t c = begin; c < end; c += chunk_)
    transform_columns(place, from, to, c, std::min(c + chunk_, end));
}

template <typename Real>
void Pass<Real>::copy_columns(Place place, const Complex* from, Complex* to, std::size_t begin,
                              std::size_t end) const {
  const PassDigit& digit = shape_.digits[column_];
  copy_row(from + place.from, digit.from, to + place.to, digit.to, begin, end);
}

template <typename Real>
void Pass<Real>::transform_columns(Place place, const Complex* from, Complex* to, std::size_t begin,
                                   std::size_t end) const {
  if (transform_in_place(place, from, to, begin, end)) return;
  Complex* rows = scratch_.get();
  gather(shape_.kind == RowKind::real_to_complex
             ? reinterpret_cast<const Complex*>(reinterpret_cast<const Real*>(from) + place.from)
             : from + place.from,
         rows, begin, end);
  transform_rows(rows, end - begin);
  twiddle(rows, distance_, place, begin, end);
  scatter(rows,
          shape_.kind == RowKind::complex_to_real
              ? reinterpret_cast<Complex*>(reinterpret_cast<Real*>(to) + place.to)
              : to + place.to,
          begin, end);
}

/// In groups of one plan's, and the last filled up: by whatever columns a chunk or a part ends, each is computed alike.
template <typename Real>
void Pass<Real>::transform_rows(Complex* rows, std::size_t count) const {
  const std::size_t whole = (count + group_ - 1) / group_ * group_;
  std::fill_n(rows + count * distance_, (whole - count) * distance_, Complex(0));
  for (std::size_t r = 0; r < count; r += group_) rows_->execute(rows + r * distance_);
}

/// Rows that are in a row where they are and where they go, in one array, need no scratch.
template <typename Real>
bool Pass<Real>::transform_in_place(Place place, const Complex* from, Complex* to, std::size_t begin,
                                    std::size_t end) const {
  if (!in_rows_ || from != to) return false;
  const Offsets& columns = shape_.digits[column_].to;
  const auto row = [&](std::size_t c) { return to + place.to + distance_of(columns(c)); };
  for (std::size_t c = begin; c < end; ++c)
    if (!rows_->can_execute(row(c))) return false;
  for (std::size_t c = begin; c < end; ++c) {
    rows_->execute(row(c));
    twiddle(row(c), 0, place, c, c + 1);
  }
  return true;
}

template <typename Real>
void Pass<Real>::gather(const Complex* from, Complex* rows, std::size_t begin, std::size_t end) const {
  const Offsets& columns = shape_.digits[column_].from;
  if (shape_.kind == RowKind::real_to_complex) {
    gather_rows(reinterpret_cast<const Real*>(from), shape_.row->from, columns, begin, end,
                reinterpret_cast<Real*>(rows), 2 * distance_);
  } else {
    gather_rows(from, shape_.row->from, columns, begin, end, rows, distance_);
  }
}

template <typename Real>
void Pass<Real>::scatter(const Complex* rows, Complex* to, std::size_t begin, std::size_t end) const {
  const Offsets& columns = shape_.digits[column_].to;
  if (shape_.kind == RowKind::complex_to_real) {
    scatter_rows(reinterpret_cast<const Real*>(rows), 2 * distance_, shape_.row->to, columns, begin, end,
                 reinterpret_cast<Real*>(to));
  } else {
    scatter_rows(rows, distance_, shape_.row->to, columns, begin, end, to);
  }
}

template <typename Real>
void Pass<Real>::twiddle(Complex* rows, std::size_t distance, Place place, std::size_t begin,
                         std::size_t end) const {
  const std::size_t count = shape_.row->to.count();
  if (roots_) {
    const bool by_column = shape_.twiddled_with == column_;
    for (std::size_t c = begin; c < end; ++c) {
      const std::size_t value = by_column ? shape_.twiddle_values[c] : place.twiddle;
      roots_->multiply(rows + (c - begin) * distance, count, value);
    }
  } else if (shape_.factor != 1) {
    const auto factor = static_cast<Real>(shape_.factor);
    for (std::size_t c = 0; c < end - begin; ++c) {
      auto* row = reinterpret_cast<Real*>(rows + c * distance);
      for (std::size_t i = 0; i < (shape_.kind == RowKind::complex_to_real ? count : 2 * count); ++i)
        row[i] *= factor;
    }
  }
}

template class Pass<float>;
template class Pass<double>;

}  // namespace cubefold::fft
