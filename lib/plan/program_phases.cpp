#include "program_phases.hpp"

#include <bit>
#include <cmath>
#include <optional>

namespace cubefold {

namespace {

/// Returns the largest number of axes on which a neighbour differs.
std::size_t most_moves(std::size_t axis_count, Stencil stencil) {
  switch (stencil) {
    case Stencil::faces:
      return 1;
    case Stencil::edges:
      return 2;
    case Stencil::full:
      return axis_count;
  }
  return axis_count;
}

class HaloExchange {
 public:
  HaloExchange(const std::vector<Axis>& shape, Stencil stencil)
      : shape_(shape), strides_(shape.size(), 1), most_moves_(most_moves(shape.size(), stencil)) {
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      strides_[axis] = rank_count_;
      rank_count_ *= shape[axis].extent;
    }
  }

  std::vector<Traffic> messages() {
    for (from_ = 0; from_ < rank_count_; ++from_) send(0, from_, 0);
    return std::move(messages_);
  }

 private:
  /// Sends to all neighbours that agree with `to` on the axes before `axis`, of which `moves` differ from the sender.
  void send(std::size_t axis, std::uint32_t to, std::size_t moves) {
    if (axis == shape_.size()) {
      if (to != from_) messages_.push_back({static_cast<Rank>(from_), static_cast<Rank>(to)});
      return;
    }
    send(axis + 1, to, moves);
    if (moves == most_moves_) return;
    for (const bool up : {false, true}) {
      if (const auto next = neighbour_on(axis, to, up)) send(axis + 1, *next, moves + 1);
    }
  }

  /// Returns the next rank on an axis, or nothing at an open end.
  std::optional<std::uint32_t> neighbour_on(std::size_t axis, std::uint32_t rank, bool up) const {
    const auto [extent, ends] = shape_[axis];
    const auto x = rank / strides_[axis] % extent;
    const bool is_last = up ? x + 1 == extent : x == 0;
    if (is_last && ends == Ends::open) return std::nullopt;
    const auto next = (x + (up ? 1 : extent - 1)) % extent;
    return rank - x * strides_[axis] + next * strides_[axis];
  }

  const std::vector<Axis>& shape_;
  std::vector<std::uint32_t> strides_;
  std::size_t most_moves_;
  std::uint32_t rank_count_ = 1;
  std::uint32_t from_ = 0;
  std::vector<Traffic> messages_;
};

/// Returns the ranks that take part in the recursive doubling proper, in ascending order.
std::vector<Rank> doubling_ranks(std::uint32_t rank_count) {
  const auto extra = rank_count - std::bit_floor(rank_count);
  std::vector<Rank> ranks;
  for (std::uint32_t r = 0; r < rank_count; ++r) {
    if (r >= 2 * extra || r % 2 == 1) ranks.push_back(static_cast<Rank>(r));
  }
  return ranks;
}

}  // namespace

double neighbour_count(std::size_t axis_count, Stencil stencil) {
  const auto axes = static_cast<double>(axis_count);
  switch (stencil) {
    case Stencil::faces:
      return 2 * axes;
    case Stencil::edges:
      return 2 * axes * axes;
    case Stencil::full:
      break;
  }
  return std::pow(3, axes) - 1;
}

std::vector<Traffic> halo_exchange(const std::vector<Axis>& shape, Stencil stencil) {
  return HaloExchange(shape, stencil).messages();
}

std::vector<Traffic> all_to_all_in_groups(std::uint32_t rank_count, std::uint32_t group_size,
                                          std::uint32_t stride) {
  std::vector<Traffic> messages;
  for (std::uint32_t from = 0; from < rank_count; ++from) {
    const auto first = from - from / stride % group_size * stride;
    for (std::uint32_t k = 0; k < group_size; ++k) {
      const auto to = first + k * stride;
      if (to != from) messages.push_back({static_cast<Rank>(from), static_cast<Rank>(to)});
    }
  }
  return messages;
}

std::vector<Traffic> ring_step(std::uint32_t rank_count) {
  std::vector<Traffic> messages;
  for (std::uint32_t r = 0; rank_count > 1 && r < rank_count; ++r) {
    messages.push_back({static_cast<Rank>(r), static_cast<Rank>((r + 1) % rank_count)});
  }
  return messages;
}

std::vector<std::vector<Traffic>> recursive_doubling(std::uint32_t rank_count) {
  const auto ranks = doubling_ranks(rank_count);
  std::vector<std::vector<Traffic>> steps;
  for (std::size_t distance = 1; distance < ranks.size(); distance *= 2) {
    auto& step = steps.emplace_back();
    for (std::size_t i = 0; i < ranks.size(); ++i) step.push_back({ranks[i], ranks[i ^ distance]});
  }
  if (ranks.size() == rank_count) return steps;
  std::vector<Traffic> before;
  std::vector<Traffic> after;
  for (std::uint32_t r = 0; r < 2 * (rank_count - ranks.size()); r += 2) {
    before.push_back({static_cast<Rank>(r), static_cast<Rank>(r + 1)});
    after.push_back({static_cast<Rank>(r + 1), static_cast<Rank>(r)});
  }
  steps.insert(steps.begin(), std::move(before));
  steps.push_back(std::move(after));
  return steps;
}

}  // namespace cubefold
