#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "cubefold/transform/layout.hpp"

namespace cubefold::fft {

/// The places in memory of the values of one dimension, relative to the first value. They are either `stride` apart or
/// listed.
class Offsets {
 public:
  Offsets(std::size_t count, std::size_t stride) : count_(count), stride_(stride) {}

  /// Takes the places in the order of the values; the first place is 0. No list is kept if the distances are equal.
  explicit Offsets(std::vector<std::size_t> places);

  std::size_t count() const { return count_; }
  std::size_t operator()(std::size_t i) const { return list_ ? (*list_)[i] : i * stride_; }
  bool is_even() const { return list_ == nullptr; }  ///< whether the distances are equal
  bool is_row() const { return is_even() && stride_ == 1; }
  std::size_t stride() const { return stride_; }  ///< requires is_even()
  const std::size_t* list() const { return list_ ? list_->data() : nullptr; }
  std::size_t last() const;        ///< largest place
  std::size_t row_length() const;  ///< number of values, from the first on, that are neighbours in memory

  bool operator==(const Offsets& other) const;

 private:
  std::size_t count_;
  std::size_t stride_ = 0;
  std::shared_ptr<const std::vector<std::size_t>> list_;
};

/// The places of a process's points in an array: `base` plus one offset for each dimension. Dimension 0 counts the
/// arrays of the batch; the others are the dimensions of a layout in its order.
struct StridedView {
  std::size_t base = 0;
  std::vector<Offsets> dimensions;

  bool operator==(const StridedView&) const = default;
};

/// Returns the places that the layout itself gives the points. The arrays of a batch lie one behind the other, or are
/// interleaved: place i of array b is then i * batch + b.
StridedView natural_view(const Layout& layout, const Layout::Members& members, std::size_t batch,
                         bool is_interleaved = false);

/// Returns a view with the same places whose points are counted by other dimensions: dimension i has counts[i] values,
/// and the last is fastest. Returns nothing if the places are not sums of one offset for each such dimension.
std::optional<StridedView> recut(const StridedView& view, const std::vector<std::size_t>& counts);

/// Returns the size of the batch, and then the number of values that the process has of each dimension.
std::vector<std::size_t> dimension_counts(const Layout& layout, const Layout::Members& members,
                                          std::size_t batch);

/// Returns an offset for pointers. Some offsets in Offsets wrap around; they become negative here.
inline std::ptrdiff_t distance_of(std::size_t offset) {
  return static_cast<std::ptrdiff_t>(offset);
}

/// Calls work(place), where place(i) is the offset of value i. There are separate instances for neighbours, equal
/// distances and lists, so that each gets its own loop.
template <typename Work>
void with_places(const Offsets& offsets, Work work) {
  if (offsets.is_row()) {
    work([](std::size_t i) { return distance_of(i); });
  } else if (offsets.is_even()) {
    work([stride = offsets.stride()](std::size_t i) { return distance_of(i * stride); });
  } else {
    work([list = offsets.list()](std::size_t i) { return distance_of(list[i]); });
  }
}

template <typename Value>
void copy_row(const Value* from, const Offsets& from_places, Value* to, const Offsets& to_places,
              std::size_t begin, std::size_t end) {
  if (from_places.is_row() && to_places.is_row()) {
    std::memcpy(to + begin, from + begin, (end - begin) * sizeof(Value));
    return;
  }
  with_places(from_places, [&](auto source) {
    with_places(to_places, [&](auto target) {
      for (std::size_t i = begin; i < end; ++i) to[target(i)] = from[source(i)];
    });
  });
}

/// Copies a value as bytes, so that the compiler uses one wide move if the processor has one.
template <typename Value>
void move_value(const Value* from, Value* to) {
  std::memcpy(static_cast<void*>(to), from, sizeof(Value));
}

/// The number of rows by which by_rows() prefetches ahead, and the number of rows that it processes together. The
/// latter fill cache lines of the other side.
constexpr std::size_t rows_ahead = 16;
constexpr std::size_t rows_together = 4;

/// Prefetches `count` values from `piece` on, because processors do not predict accesses that are far apart.
template <bool for_write, typename Value>
void fetch(const Value* piece, std::size_t count) {
  constexpr std::size_t line = 64 / sizeof(Value);
  for (std::size_t c = 0; c < count; c += line) __builtin_prefetch(piece + c, for_write ? 1 : 0);
}

/// Calls work(first row, number of rows) for all rows, rows_together at a time as long as that many are left.
/// Prefetches the rows that come later.
template <bool for_write, typename Value, typename Row, typename Work>
void by_rows(const Value* array, Row row, std::size_t row_count, std::size_t columns, Work work) {
  std::size_t i = 0;
  for (; i + rows_together <= row_count; i += rows_together) {
    for (std::size_t r = i + rows_ahead; r < std::min(i + rows_ahead + rows_together, row_count); ++r)
      fetch<for_write>(array + row(r), columns);
    work(i, std::integral_constant<std::size_t, rows_together>{});
  }
  for (; i < row_count; ++i) work(i, std::integral_constant<std::size_t, 1>{});
}

/// Copies the points of column c to row c - begin of the scratch, for c = begin .. end - 1.
template <typename Value>
void gather_rows(const Value* from, const Offsets& rows, const Offsets& columns, std::size_t begin,
                 std::size_t end, Value* scratch, std::size_t distance) {
  const std::size_t count = rows.count();
  if (columns.is_row() && !rows.is_row()) {
    with_places(rows, [&](auto row) {
      by_rows<false>(from + begin, row, count, end - begin, [&](std::size_t i, auto together) {
        for (std::size_t c = 0; c < end - begin; ++c) {
          for (std::size_t r = 0; r < together(); ++r)
            move_value(from + row(i + r) + begin + c, scratch + c * distance + i + r);
        }
      });
    });
    return;
  }
  with_places(rows, [&](auto row) {
    for (std::size_t c = begin; c < end; ++c) {
      const Value* column = from + distance_of(columns(c));
      Value* to = scratch + (c - begin) * distance;
      for (std::size_t i = 0; i < count; ++i) move_value(column + row(i), to + i);
    }
  });
}

/// Copies row c - begin of the scratch to the points of column c, for c = begin .. end - 1.
template <typename Value>
void scatter_rows(const Value* scratch, std::size_t distance, const Offsets& rows, const Offsets& columns,
                  std::size_t begin, std::size_t end, Value* to) {
  const std::size_t count = rows.count();
  if (columns.is_row() && !rows.is_row()) {
    with_places(rows, [&](auto row) {
      by_rows<true>(to + begin, row, count, end - begin, [&](std::size_t i, auto together) {
        for (std::size_t r = 0; r < together(); ++r) {
          for (std::size_t c = 0; c < end - begin; ++c)
            move_value(scratch + c * distance + i + r, to + row(i + r) + begin + c);
        }
      });
    });
    return;
  }
  with_places(rows, [&](auto row) {
    for (std::size_t c = begin; c < end; ++c) {
      Value* column = to + distance_of(columns(c));
      const Value* from = scratch + (c - begin) * distance;
      for (std::size_t i = 0; i < count; ++i) move_value(from + i, column + row(i));
    }
  });
}

}  // namespace cubefold::fft
