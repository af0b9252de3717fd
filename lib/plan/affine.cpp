#include "axis_loads.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace cubefold {

namespace {

/// A basis of words over GF(2), indexed by highest bit.
class WordBasis {
 public:
  std::uint64_t reduced(std::uint64_t word) const {
    while (word != 0 && by_top_[top(word)] != 0) word ^= by_top_[top(word)];
    return word;
  }

  bool add(std::uint64_t word) {
    word = reduced(word);
    if (word == 0) return false;
    by_top_[top(word)] = word;
    ++size_;
    return true;
  }

  int size() const { return size_; }

 private:
  static std::size_t top(std::uint64_t word) { return 63 - static_cast<std::size_t>(std::countl_zero(word)); }

  std::array<std::uint64_t, 64> by_top_{};
  int size_ = 0;
};

std::uint64_t word_of(Rank from, Rank to) {
  return std::uint64_t{label(from)} | std::uint64_t{label(to)} << 32;
}

MessageEnds ends_of(std::uint64_t word) {
  return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
}

std::uint32_t difference(MessageEnds ends) {
  return ends.from ^ ends.to;
}

/// Returns how many of the 2^k pairs have equal ends, where k is the size of the basis.
std::uint64_t count_of_equal_ends(const AffineTraffic& affine) {
  WordBasis differences;
  for (const MessageEnds ends : affine.basis) differences.add(difference(ends));
  if (differences.reduced(difference(affine.origin)) != 0) return 0;
  return std::uint64_t{1} << (static_cast<int>(affine.basis.size()) - differences.size());
}

}  // namespace

bool AffineTraffic::is_cube_dimension(int bits) const {
  return basis.size() == static_cast<std::size_t>(bits) && std::has_single_bit(difference(origin)) &&
         std::all_of(basis.begin(), basis.end(), [](MessageEnds ends) { return difference(ends) == 0; });
}

std::optional<AffineTraffic> recognise_affine(std::span<const Traffic> traffic) {
  if (traffic.empty()) return std::nullopt;
  const auto origin = word_of(traffic[0].from, traffic[0].to);
  AffineTraffic affine{ends_of(origin), {}, traffic[0].messages};
  WordBasis independent;
  for (const Traffic& sent : traffic) {
    if (sent.messages != affine.messages) return std::nullopt;
    const auto word = word_of(sent.from, sent.to) ^ origin;
    if (independent.add(word)) affine.basis.push_back(ends_of(word));
    if (affine.basis.size() > 40) return std::nullopt;
  }
  const auto pairs = std::uint64_t{1} << affine.basis.size();
  if (traffic.size() + count_of_equal_ends(affine) != pairs) return std::nullopt;
  return affine;
}

}  // namespace cubefold
