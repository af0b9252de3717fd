#include "box_exchange.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace cubefold::fft {

std::size_t point_count(const LocalBox& box) {
  std::size_t count = 1;
  for (const std::size_t extent : box.extents) count *= extent;
  return count;
}

LocalBox with_dimension(LocalBox box, std::size_t extent, bool is_first) {
  box.extents.insert(is_first ? box.extents.begin() : box.extents.end(), extent);
  box.offsets.insert(is_first ? box.offsets.begin() : box.offsets.end(), 0);
  return box;
}

namespace {

bool is_empty(const LocalBox& box) {
  return std::ranges::find(box.extents, std::size_t{0}) != box.extents.end();
}

std::size_t end_of(const LocalBox& box, std::size_t dimension) {
  return box.offsets[dimension] + box.extents[dimension];
}

/// Returns the points that both boxes have, or nothing if there are none.
std::optional<LocalBox> intersection(const LocalBox& a, const LocalBox& b) {
  LocalBox both;
  for (std::size_t d = 0; d < a.extents.size(); ++d) {
    const std::size_t first = std::max(a.offsets[d], b.offsets[d]);
    const std::size_t end = std::min(end_of(a, d), end_of(b, d));
    if (first >= end) return std::nullopt;
    both.offsets.push_back(first);
    both.extents.push_back(end - first);
  }
  return both;
}

bool is_inside(const LocalBox& box, const std::vector<std::size_t>& lengths) {
  for (std::size_t d = 0; d < lengths.size(); ++d)
    if (box.offsets[d] > lengths[d] || box.extents[d] > lengths[d] - box.offsets[d]) return false;
  return true;
}

std::string point_text(const std::vector<std::size_t>& point) {
  return fmt::format("({})", fmt::join(point, ", "));
}

/// Returns the ranks whose boxes have points, by the first value of dimension 0.
std::vector<std::size_t> ranks_in_order(const std::vector<LocalBox>& boxes) {
  std::vector<std::size_t> ranks;
  for (std::size_t rank = 0; rank < boxes.size(); ++rank)
    if (!is_empty(boxes[rank])) ranks.push_back(rank);
  std::ranges::stable_sort(
      ranks, [&](std::size_t a, std::size_t b) { return boxes[a].offsets[0] < boxes[b].offsets[0]; });
  return ranks;
}

std::optional<std::string> overlap_of(const std::vector<LocalBox>& boxes,
                                      const std::vector<std::size_t>& ranks) {
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const LocalBox& box = boxes[ranks[i]];
    for (std::size_t j = i + 1; j < ranks.size() && boxes[ranks[j]].offsets[0] < end_of(box, 0); ++j) {
      const auto both = intersection(box, boxes[ranks[j]]);
      if (!both) continue;
      const auto [first, second] = std::minmax(ranks[i], ranks[j]);
      return fmt::format("the boxes of ranks {} and {} overlap: both have point {}", first, second,
                         point_text(both->offsets));
    }
  }
  return std::nullopt;
}

/// Returns the first point in row-major order that none of these boxes has, which do not overlap and of which at least
/// one point is missing. Where a box begins or ends, the slice of the array may have other boxes than before.
std::vector<std::size_t> first_missing(const std::vector<std::size_t>& lengths,
                                       std::vector<const LocalBox*> boxes) {
  std::vector<std::size_t> point;
  for (std::size_t d = 0; d < lengths.size(); ++d) {
    std::size_t slice = 1;
    for (std::size_t later = d + 1; later < lengths.size(); ++later) slice *= lengths[later];
    std::vector<std::size_t> places{0};
    for (const LocalBox* box : boxes) {
      places.push_back(box->offsets[d]);
      places.push_back(end_of(*box, d));
    }
    std::ranges::sort(places);
    for (const std::size_t place : places) {
      std::vector<const LocalBox*> there;
      std::size_t count = 0;
      for (const LocalBox* box : boxes) {
        if (place < box->offsets[d] || place >= end_of(*box, d)) continue;
        there.push_back(box);
        std::size_t points = 1;
        for (std::size_t later = d + 1; later < lengths.size(); ++later) points *= box->extents[later];
        count += points;
      }
      if (count == slice) continue;
      point.push_back(place);
      boxes = std::move(there);
      break;
    }
  }
  return point;
}

}  // namespace

std::optional<std::string> box_fault(const std::vector<std::size_t>& lengths,
                                     const std::vector<LocalBox>& boxes) {
  const std::vector<std::size_t> ranks = ranks_in_order(boxes);
  for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
    if (is_empty(boxes[rank]) || is_inside(boxes[rank], lengths)) continue;
    return fmt::format("the box of rank {}, {} points from {} on, is not inside the array of {}", rank,
                       fmt::join(boxes[rank].extents, "x"), point_text(boxes[rank].offsets),
                       fmt::join(lengths, "x"));
  }
  if (auto overlap = overlap_of(boxes, ranks)) return overlap;
  std::size_t count = 0;
  std::vector<const LocalBox*> all;
  for (const std::size_t rank : ranks) {
    count += point_count(boxes[rank]);
    all.push_back(&boxes[rank]);
  }
  if (count == point_count({lengths, {}})) return std::nullopt;
  return fmt::format("no box has point {}", point_text(first_missing(lengths, all)));
}

std::vector<BoxPart> common_parts(const LocalBox& own, const std::vector<LocalBox>& boxes) {
  std::vector<BoxPart> parts;
  for (std::size_t rank = 0; rank < boxes.size(); ++rank)
    if (auto both = intersection(own, boxes[rank])) parts.push_back({rank, *std::move(both)});
  return parts;
}

std::size_t round_count(const std::vector<LocalBox>& from, const std::vector<LocalBox>& to,
                        std::size_t number_bytes, std::size_t largest_bytes) {
  std::size_t most = 0;
  for (const auto* boxes : {&from, &to})
    for (const LocalBox& box : *boxes) most = std::max(most, point_count(box));
  const std::size_t numbers = std::max<std::size_t>(largest_bytes / number_bytes, 1);
  return std::max<std::size_t>((most + numbers - 1) / numbers, 1);
}

std::vector<std::size_t> row_major_strides(const LocalBox& box) {
  std::vector<std::size_t> strides(box.extents.size(), 1);
  for (std::size_t d = strides.size(); d-- > 1;) strides[d - 1] = strides[d] * box.extents[d];
  return strides;
}

std::size_t BoxSide::Rows::count() const {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{1}, std::multiplies<>());
}

bool BoxSide::Rows::is_contiguous() const {
  return counts.size() == 1 && strides[0] == 1;
}

BoxSide::Rows BoxSide::rows_of(const BoxMemory& memory, const BoxPart& part) {
  Rows rows{part.rank, 0, {1}, {1}};
  for (std::size_t d = part.box.extents.size(); d-- > 0;) {
    const std::size_t count = part.box.extents[d];
    const std::size_t stride = memory.strides[d];
    rows.first += (part.box.offsets[d] - memory.box.offsets[d]) * stride;
    if (count == 1) continue;
    if (rows.counts[0] == 1) {
      rows.counts[0] = count;
      rows.strides[0] = stride;
    } else if (stride == rows.counts[0] * rows.strides[0]) {
      rows.counts[0] *= count;
    } else {
      rows.counts.insert(rows.counts.begin(), count);
      rows.strides.insert(rows.strides.begin(), stride);
    }
  }
  return rows;
}

BoxSide::BoxSide(const BoxMemory& memory, const std::vector<BoxPart>& parts, std::size_t rank_count,
                 std::size_t rounds)
    : number_bytes_(memory.number_bytes) {
  bool fits = rounds == 1;
  for (const BoxPart& part : parts) {
    parts_.push_back(rows_of(memory, part));
    const Rows& rows = parts_.back();
    bytes_ += rows.count() * number_bytes_;
    fits = fits && rows.is_contiguous() &&
           (rows.first + rows.count()) * number_bytes_ <=
               static_cast<std::size_t>(std::numeric_limits<int>::max());
  }
  is_contiguous_ = fits;
  if (is_contiguous_) {
    lay_out_in_place(rank_count);
  } else {
    lay_out_packed(rank_count, rounds);
  }
}

void BoxSide::lay_out_in_place(std::size_t rank_count) {
  BoxRound round{0, std::vector<int>(rank_count), std::vector<int>(rank_count)};
  for (const Rows& rows : parts_) {
    round.counts[rows.rank] = static_cast<int>(rows.count() * number_bytes_);
    round.displacements[rows.rank] = static_cast<int>(rows.first * number_bytes_);
  }
  rounds_.push_back(std::move(round));
}

void BoxSide::lay_out_packed(std::size_t rank_count, std::size_t rounds) {
  std::size_t first = 0;
  for (std::size_t i = 0; i < rounds; ++i) {
    BoxRound round{first, std::vector<int>(rank_count), std::vector<int>(rank_count)};
    std::size_t bytes = 0;
    for (const Rows& rows : parts_) {
      const std::size_t count = rows.count() / rounds + (i < rows.count() % rounds ? 1 : 0);
      round.counts[rows.rank] = static_cast<int>(count * number_bytes_);
      round.displacements[rows.rank] = static_cast<int>(bytes);
      bytes += count * number_bytes_;
    }
    first += bytes;
    rounds_.push_back(std::move(round));
  }
}

/// Calls copy(place in the array, stride, place in packed memory, count) for all rows of all pieces, with places in
/// numbers.
template <typename Copy>
void BoxSide::copy_all(Copy copy) const {
  for (const Rows& rows : parts_) {
    std::vector<std::size_t> at(rows.counts.size(), 0);
    std::size_t place = rows.first;
    const std::size_t last = at.size() - 1;
    for (const BoxRound& round : rounds_) {
      std::size_t packed =
          (round.first + static_cast<std::size_t>(round.displacements[rows.rank])) / number_bytes_;
      std::size_t left = static_cast<std::size_t>(round.counts[rows.rank]) / number_bytes_;
      while (left > 0) {
        const std::size_t count = std::min(left, rows.counts[last] - at[last]);
        copy(place, rows.strides[last], packed, count);
        packed += count;
        left -= count;
        at[last] += count;
        place += count * rows.strides[last];
        for (std::size_t d = last; d > 0 && at[d] == rows.counts[d]; --d) {
          place += rows.strides[d - 1] - rows.counts[d] * rows.strides[d];
          at[d] = 0;
          ++at[d - 1];
        }
      }
    }
  }
}

namespace {

template <std::size_t bytes>
using NumberOf = std::array<std::byte, bytes>;

/// Calls work with a number of this size.
template <typename Work>
void with_number(std::size_t bytes, Work work) {
  if (bytes == sizeof(NumberOf<4>)) return work(NumberOf<4>{});
  if (bytes == sizeof(NumberOf<8>)) return work(NumberOf<8>{});
  work(NumberOf<16>{});
}

}  // namespace

void BoxSide::pack(const void* array, void* packed) const {
  with_number(number_bytes_, [&](auto number) {
    using Number = decltype(number);
    const auto* from = static_cast<const Number*>(array);
    auto* to = static_cast<Number*>(packed);
    copy_all([&](std::size_t place, std::size_t stride, std::size_t at, std::size_t count) {
      if (stride == 1) {
        std::memcpy(to + at, from + place, count * sizeof(Number));
      } else {
        for (std::size_t i = 0; i < count; ++i) to[at + i] = from[place + i * stride];
      }
    });
  });
}

void BoxSide::unpack(const void* packed, void* array) const {
  with_number(number_bytes_, [&](auto number) {
    using Number = decltype(number);
    const auto* from = static_cast<const Number*>(packed);
    auto* to = static_cast<Number*>(array);
    copy_all([&](std::size_t place, std::size_t stride, std::size_t at, std::size_t count) {
      if (stride == 1) {
        std::memcpy(to + place, from + at, count * sizeof(Number));
      } else {
        for (std::size_t i = 0; i < count; ++i) to[place + i * stride] = from[at + i];
      }
    });
  });
}

}  // namespace cubefold::fft
