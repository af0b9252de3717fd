#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace cubefold {

/// Which links of an axis are taken, one bit for each coordinate and direction.
class TakenLinks {
 public:
  explicit TakenLinks(std::uint32_t extent) : extent_(extent), taken_(std::size_t{2} * extent) {}

  /// Takes the links of a message, or none and says no.
  bool take(std::uint32_t from, std::int64_t steps) {
    if (!visit(from, steps, [&](std::size_t link) { return !taken_[link]; })) return false;
    visit(from, steps, [&](std::size_t link) { return taken_[link] = true; });
    return true;
  }

 private:
  template <typename Holds>
  bool visit(std::uint32_t from, std::int64_t steps, Holds holds) const {
    const std::int64_t direction = steps < 0 ? -1 : 1;
    std::int64_t at = from;
    for (std::int64_t hop = 0; hop < std::abs(steps); ++hop) {
      if (!holds(static_cast<std::size_t>(at) * 2 + (steps < 0 ? 1 : 0))) return false;
      at = (at + direction + extent_) % extent_;
    }
    return true;
  }

  std::int64_t extent_;
  std::vector<bool> taken_;
};

}  // namespace cubefold
