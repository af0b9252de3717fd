#include "transform/box_exchange.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>

namespace cubefold::fft {
namespace {

using Counts = std::vector<std::size_t>;
using Boxes = std::vector<LocalBox>;

class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t end) { return engine_() % end; }

 private:
  std::mt19937 engine_;
};

/// Cuts the box of one rank in two again and again, until there are `count` boxes, some of which may be empty.
Boxes random_bricks(const Counts& lengths, std::size_t count, RandomNumbers& random) {
  Boxes boxes{{lengths, Counts(lengths.size(), 0)}};
  while (boxes.size() < count) {
    LocalBox& whole = boxes[random.below(boxes.size())];
    const std::size_t d = random.below(lengths.size());
    const std::size_t cut = random.below(whole.extents[d] + 1);
    LocalBox rest = whole;
    whole.extents[d] = cut;
    rest.offsets[d] += cut;
    rest.extents[d] -= cut;
    boxes.push_back(rest);
  }
  for (std::size_t i = count; i > 1; --i) std::swap(boxes[i - 1], boxes[random.below(i)]);
  return boxes;
}

Counts point_of_index(const Counts& lengths, std::size_t index) {
  Counts point(lengths.size());
  for (std::size_t d = lengths.size(); d-- > 0; index /= lengths[d]) point[d] = index % lengths[d];
  return point;
}

bool has(const LocalBox& box, const Counts& point) {
  for (std::size_t d = 0; d < point.size(); ++d)
    if (point[d] < box.offsets[d] || point[d] - box.offsets[d] >= box.extents[d]) return false;
  return true;
}

std::size_t points_of(const Counts& lengths) {
  return point_count({lengths, {}});
}

/// The result of looking for every point in every box.
struct Cover {
  std::size_t found = 0;  ///< points of the array in boxes, with repetitions
  bool overlap = false;
  std::optional<Counts> first_missing;
};

Cover cover_of(const Counts& lengths, const Boxes& boxes) {
  Cover cover;
  for (std::size_t i = 0; i < points_of(lengths); ++i) {
    const Counts point = point_of_index(lengths, i);
    const auto owners = std::ranges::count_if(boxes, [&](const LocalBox& box) { return has(box, point); });
    cover.found += static_cast<std::size_t>(owners);
    cover.overlap = cover.overlap || owners > 1;
    if (owners == 0 && !cover.first_missing) cover.first_missing = point;
  }
  return cover;
}

/// Expects box_fault() to say what the slow definition says.
void expect_verdict(const Counts& lengths, const Boxes& boxes) {
  const auto fault = box_fault(lengths, boxes);
  const Cover cover = cover_of(lengths, boxes);
  std::size_t points = 0;
  for (const LocalBox& box : boxes) points += point_count(box);
  if (points != cover.found) {
    ASSERT_TRUE(fault);
    EXPECT_NE(fault->find("is not inside the array of"), std::string::npos) << *fault;
  } else if (cover.overlap) {
    ASSERT_TRUE(fault);
    std::size_t a = 0;
    std::size_t b = 0;
    int end = 0;
    ASSERT_EQ(std::sscanf(fault->c_str(), "the boxes of ranks %zu and %zu overlap: both have point %n", &a,
                          &b, &end),
              2)
        << *fault;
    EXPECT_LT(a, b);
    bool is_named = false;
    for (std::size_t i = 0; i < points_of(lengths) && !is_named; ++i) {
      const Counts point = point_of_index(lengths, i);
      is_named = has(boxes[a], point) && has(boxes[b], point) &&
                 fault->substr(static_cast<std::size_t>(end)) == fmt::format("({})", fmt::join(point, ", "));
    }
    EXPECT_TRUE(is_named) << *fault;
  } else if (cover.first_missing) {
    EXPECT_EQ(fault, fmt::format("no box has point ({})", fmt::join(*cover.first_missing, ", ")));
  } else {
    EXPECT_EQ(fault, std::nullopt);
  }
}

const std::vector<Counts> some_lengths{{7}, {1}, {4, 6}, {5, 3, 4}, {2, 3, 2, 3}};

TEST(BoxFault, accepts_random_bricks_with_empty_ones) {
  RandomNumbers random(1);
  for (const Counts& lengths : some_lengths) {
    for (std::size_t count = 1; count < 12; ++count) {
      for (int i = 0; i < 20; ++i) {
        const Boxes boxes = random_bricks(lengths, count, random);
        EXPECT_EQ(box_fault(lengths, boxes), std::nullopt);
        expect_verdict(lengths, boxes);
      }
    }
  }
}

TEST(BoxFault, finds_what_random_changes_break) {
  RandomNumbers random(2);
  for (const Counts& lengths : some_lengths) {
    for (int i = 0; i < 600; ++i) {
      Boxes boxes = random_bricks(lengths, 1 + random.below(8), random);
      for (std::size_t changes = 1 + random.below(2); changes > 0; --changes) {
        LocalBox& box = boxes[random.below(boxes.size())];
        auto& numbers = random.below(2) == 0 ? box.extents : box.offsets;
        numbers[random.below(lengths.size())] = random.below(6);
      }
      expect_verdict(lengths, boxes);
    }
  }
}

TEST(BoxFault, names_ranks_and_points) {
  const Counts lengths{4, 4};
  EXPECT_EQ(box_fault(lengths, {{{2, 4}, {0, 0}}, {{2, 4}, {2, 1}}}),
            "the box of rank 1, 2x4 points from (2, 1) on, is not inside the array of 4x4");
  EXPECT_EQ(box_fault(lengths, {{{2, 4}, {2, 0}}, {{0, 9}, {9, 9}}, {{3, 4}, {0, 0}}}),
            "the boxes of ranks 0 and 2 overlap: both have point (2, 0)");
  EXPECT_EQ(box_fault(lengths, {{{2, 4}, {0, 0}}, {{2, 3}, {2, 0}}}), "no box has point (2, 3)");
  EXPECT_EQ(box_fault(lengths, {{{0, 0}, {0, 0}}}), "no box has point (0, 0)");
  const auto most = static_cast<std::size_t>(-1);
  EXPECT_EQ(
      box_fault(lengths, {{{most, 4}, {2, 0}}, {{2, 4}, {0, 0}}}),
      fmt::format("the box of rank 0, {}x4 points from (2, 0) on, is not inside the array of 4x4", most));
}

/// The memory of all ranks for numbers of so many bytes, of which the first four tell the index of the point.
struct RankMemory {
  std::vector<BoxMemory> boxes;
  std::vector<std::vector<std::byte>> bytes;
};

/// Makes memory in which the dimensions are in another order and have padding.
RankMemory memory_of(const Boxes& boxes, std::size_t number_bytes, RandomNumbers& random) {
  RankMemory memory;
  for (const LocalBox& box : boxes) {
    Counts order(box.extents.size());
    std::iota(order.begin(), order.end(), 0);
    if (random.below(2) == 0) std::reverse(order.begin(), order.end());
    Counts strides(order.size());
    std::size_t places = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
      strides[order[i]] = places;
      places *= box.extents[order[i]] + random.below(2);
    }
    memory.boxes.push_back({box, strides, number_bytes});
    memory.bytes.emplace_back(places * number_bytes, std::byte{0xEE});
  }
  return memory;
}

std::byte* number_at(RankMemory& memory, std::size_t rank, const Counts& point) {
  const BoxMemory& box = memory.boxes[rank];
  std::size_t place = 0;
  for (std::size_t d = 0; d < point.size(); ++d) place += (point[d] - box.box.offsets[d]) * box.strides[d];
  return memory.bytes[rank].data() + place * box.number_bytes;
}

template <typename Visit>
void for_all_numbers(RankMemory& memory, const Counts& lengths, Visit visit) {
  for (std::size_t rank = 0; rank < memory.boxes.size(); ++rank) {
    for (std::size_t i = 0; i < points_of(lengths); ++i) {
      const Counts point = point_of_index(lengths, i);
      if (has(memory.boxes[rank].box, point))
        visit(number_at(memory, rank, point), static_cast<std::uint32_t>(i));
    }
  }
}

std::vector<BoxSide> sides_of(const RankMemory& memory, const Boxes& others, std::size_t rounds) {
  std::vector<BoxSide> sides;
  for (const BoxMemory& own : memory.boxes)
    sides.emplace_back(own, common_parts(own.box, others), others.size(), rounds);
  return sides;
}

/// Returns the memory of which the rounds of a rank are.
std::vector<std::vector<std::byte>> packed_memory(const std::vector<BoxSide>& sides,
                                                  const RankMemory& memory) {
  std::vector<std::vector<std::byte>> result;
  for (std::size_t rank = 0; rank < sides.size(); ++rank) {
    result.emplace_back(sides[rank].bytes());
    if (sides[rank].is_contiguous()) {
      result.back() = memory.bytes[rank];
    } else {
      sides[rank].pack(memory.bytes[rank].data(), result.back().data());
    }
  }
  return result;
}

/// Moves all numbers from memory to memory as MPI_Alltoallv does, round by round.
void exchange(const RankMemory& from, RankMemory& to, std::size_t rounds) {
  Boxes from_boxes;
  Boxes to_boxes;
  for (const auto& each : from.boxes) from_boxes.push_back(each.box);
  for (const auto& each : to.boxes) to_boxes.push_back(each.box);
  const auto sending = sides_of(from, to_boxes, rounds);
  const auto receiving = sides_of(to, from_boxes, rounds);
  const auto sent = packed_memory(sending, from);
  auto received = packed_memory(receiving, to);
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t a = 0; a < sending.size(); ++a) {
      for (std::size_t b = 0; b < receiving.size(); ++b) {
        const BoxRound& out = sending[a].rounds()[round];
        const BoxRound& in = receiving[b].rounds()[round];
        ASSERT_EQ(out.counts[b], in.counts[a]);
        if (out.counts[b] == 0) continue;
        std::memcpy(received[b].data() + in.first + in.displacements[a],
                    sent[a].data() + out.first + out.displacements[b],
                    static_cast<std::size_t>(out.counts[b]));
      }
    }
  }
  for (std::size_t rank = 0; rank < receiving.size(); ++rank) {
    if (receiving[rank].is_contiguous()) {
      to.bytes[rank] = received[rank];
    } else {
      receiving[rank].unpack(received[rank].data(), to.bytes[rank].data());
    }
  }
}

TEST(BoxSide, moves_every_number_between_random_bricks_in_any_number_of_rounds) {
  RandomNumbers random(3);
  for (const Counts& lengths : some_lengths) {
    for (const std::size_t number_bytes : {4U, 8U, 16U}) {
      for (int i = 0; i < 40; ++i) {
        const std::size_t ranks = 1 + random.below(8);
        RankMemory from = memory_of(random_bricks(lengths, ranks, random), number_bytes, random);
        RankMemory to = memory_of(random_bricks(lengths, ranks, random), number_bytes, random);
        for_all_numbers(from, lengths,
                        [&](std::byte* number, std::uint32_t index) { std::memcpy(number, &index, 4); });
        exchange(from, to, 1 + random.below(4));
        for_all_numbers(to, lengths, [&](const std::byte* number, std::uint32_t index) {
          EXPECT_EQ(std::memcmp(number, &index, 4), 0);
        });
      }
    }
  }
}

TEST(BoxSide, packs_nothing_that_is_contiguous) {
  const LocalBox slab{{2, 3, 4}, {2, 0, 0}};
  const BoxMemory memory{slab, row_major_strides(slab), 8};
  const Boxes planes{{{1, 3, 4}, {2, 0, 0}}, {{1, 3, 4}, {3, 0, 0}}};
  const BoxSide side(memory, common_parts(slab, planes), 2, 1);
  EXPECT_TRUE(side.is_contiguous());
  EXPECT_EQ(side.rounds()[0].displacements, (std::vector<int>{0, 96}));
  const Boxes columns{{{2, 3, 2}, {2, 0, 0}}, {{2, 3, 2}, {2, 0, 2}}};
  EXPECT_FALSE(BoxSide(memory, common_parts(slab, columns), 2, 1).is_contiguous());
  EXPECT_FALSE(BoxSide(memory, common_parts(slab, planes), 2, 2).is_contiguous());
}

TEST(RoundCount, keeps_the_bytes_of_every_process_within_the_limit) {
  const Boxes bricks{{{3, 5}, {0, 0}}, {{1, 5}, {3, 0}}};
  const Boxes whole{{{4, 5}, {0, 0}}, {{0, 0}, {0, 0}}};
  EXPECT_EQ(round_count(bricks, bricks, 8, 120), 1U);
  EXPECT_EQ(round_count(bricks, whole, 8, 120), 2U);
  EXPECT_EQ(round_count(bricks, bricks, 16, 16), 15U);
  const Boxes none{{{0}, {0}}};
  EXPECT_EQ(round_count(none, none, 8, 1), 1U);
}

}  // namespace
}  // namespace cubefold::fft
