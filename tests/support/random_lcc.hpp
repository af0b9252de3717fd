#pragma once

#include <random>

#include "cubefold/lcc/lcc.hpp"

namespace cubefold {

/// Returns a random matrix. All matrices are equally likely.
inline BitMatrix random_matrix(int size, std::mt19937_64& generator) {
  std::vector<std::uint64_t> columns(static_cast<std::size_t>(size));
  for (auto& column : columns) column = generator() & low_bits(size);
  return BitMatrix::of_columns(columns);
}

/// Returns a random communication of the given kind. The matrix of a gather or scatter can have any rank. Every third
/// communication has some bits that do not change.
inline Lcc random_lcc(int bits, LccKind wanted, std::mt19937_64& generator) {
  for (;;) {
    auto a = wanted == LccKind::permutation ? random_matrix(bits, generator)
                                            : random_matrix(bits, generator) * random_matrix(bits, generator);
    auto b = generator() & low_bits(bits);
    if (generator() % 3 == 0) {
      const auto still = generator() & low_bits(bits);
      BitMatrix with_still(bits);
      for (int i = 0; i < bits; ++i) {
        for (int j = 0; j < bits; ++j) {
          if (((still >> i) & 1) != 0 ? i == j : a.at(i, j)) with_still.set(i, j);
        }
      }
      a = with_still;
      b &= ~still;
    }
    const Lcc lcc(a, b, wanted == LccKind::scatter ? Gives::source : Gives::destination);
    if (kind(lcc) == wanted) return lcc;
  }
}

inline constexpr LccKind all_kinds[] = {LccKind::permutation, LccKind::gather, LccKind::scatter};

}  // namespace cubefold
