#include "by_weight.hpp"

#include <array>
#include <bit>

namespace cubefold {

namespace {

using Binomials = std::array<std::array<std::uint32_t, 32>, 32>;

constexpr Binomials pascal() {
  Binomials rows{};
  for (std::size_t n = 0; n < rows.size(); ++n) {
    rows[n][0] = 1;
    for (std::size_t k = 1; k <= n; ++k) rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
  }
  return rows;
}

constexpr Binomials binomials = pascal();

std::uint32_t choose(int n, int k) {
  return k < 0 || k > n ? 0 : binomials[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
}

}  // namespace

// Larger labels of equal weight come first. At each bit, from the top, a label with 0 here comes after all
// that have 1 here and the rest of their weight below.
std::uint32_t by_weight_place(std::uint32_t label, int bit_count) {
  const int weight = std::popcount(label);
  std::uint32_t place = 0;
  for (int lighter = 0; lighter < weight; ++lighter) place += choose(bit_count, lighter);
  int left = weight;
  for (int bit = bit_count - 1; bit >= 0; --bit) {
    if (((label >> bit) & 1) != 0) {
      --left;
    } else {
      place += choose(bit, left - 1);
    }
  }
  return place;
}

std::uint32_t by_weight_label(std::uint32_t place, int bit_count) {
  int left = 0;
  while (place >= choose(bit_count, left)) place -= choose(bit_count, left++);
  std::uint32_t label = 0;
  for (int bit = bit_count - 1; bit >= 0; --bit) {
    const auto with_one_here = choose(bit, left - 1);
    if (place < with_one_here) {
      label |= std::uint32_t{1} << bit;
      --left;
    } else {
      place -= with_one_here;
    }
  }
  return label;
}

}  // namespace cubefold
