#pragma once

#include <cstddef>
#include <cstring>

#include "view.hpp"

namespace cubefold::fft {

/// Places at equal distances, and listed ones, in loops of their own.
struct EvenPlaces {
  std::size_t stride;
  std::size_t operator()(std::size_t i) const { return i * stride; }
};
struct RowPlaces {
  std::size_t operator()(std::size_t i) const { return i; }
};
struct ListedPlaces {
  const std::size_t* list;
  std::size_t operator()(std::size_t i) const { return list[i]; }
};

template <typename Work>
void with_places(const Offsets& offsets, Work work) {
  if (offsets.is_row()) {
    work(RowPlaces{});
  } else if (offsets.is_even()) {
    work(EvenPlaces{offsets.stride()});
  } else {
    work(ListedPlaces{offsets.list()});
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

/// Row c - begin of the scratch becomes the points of column c.
template <typename Value>
void gather_rows(const Value* from, const Offsets& rows, const Offsets& columns, std::size_t begin,
                 std::size_t end, Value* scratch, std::size_t distance) {
  const std::size_t count = rows.count();
  const auto by_column = [&](auto row) {
    for (std::size_t c = begin; c < end; ++c) {
      const Value* column = from + columns(c);
      Value* to = scratch + (c - begin) * distance;
      for (std::size_t i = 0; i < count; ++i) to[i] = column[row(i)];
    }
  };
  if (columns.is_row() && !rows.is_row()) {
    with_places(rows, [&](auto row) {
      for (std::size_t i = 0; i < count; ++i) {
        const Value* neighbours = from + row(i) + begin;
        for (std::size_t c = 0; c < end - begin; ++c) scratch[c * distance + i] = neighbours[c];
      }
    });
  } else {
    with_places(rows, by_column);
  }
}

template <typename Value>
void scatter_rows(const Value* scratch, std::size_t distance, const Offsets& rows, const Offsets& columns,
                  std::size_t begin, std::size_t end, Value* to) {
  const std::size_t count = rows.count();
  const auto by_column = [&](auto row) {
    for (std::size_t c = begin; c < end; ++c) {
      Value* column = to + columns(c);
      const Value* from = scratch + (c - begin) * distance;
      for (std::size_t i = 0; i < count; ++i) column[row(i)] = from[i];
    }
  };
  if (columns.is_row() && !rows.is_row()) {
    with_places(rows, [&](auto row) {
      for (std::size_t i = 0; i < count; ++i) {
        Value* neighbours = to + row(i) + begin;
        for (std::size_t c = 0; c < end - begin; ++c) neighbours[c] = scratch[c * distance + i];
      }
    });
  } else {
    with_places(rows, by_column);
  }
}

}  // namespace cubefold::fft
