#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/lcc/lcc.hpp"

namespace cubefold {

/// T_i for every dimension i: messages on the busiest link of that dimension when all are routed lowest dimension first
/// on a hypercube (e-cube).
///
///     T_i = 0                                                     where y_i = x_i in every message, else
///     T_i = 2^(i - rank A[rows 0..i, columns 0..i-1])             for y = A x + b
///     T_i = 2^(n-1-i - rank A[rows i..n-1, columns i+1..n-1])     for x = A y + b
///
/// The last line is the one before it with bits counted from the other end, because a scatter's messages visit their
/// dimensions in the opposite order to those of the gather that they turn round. O(n^2) word operations. Source: [Lcc]
/// theorem 1, which has no line for scatters.
CUBEFOLD_API std::vector<std::uint64_t> contention(const Lcc& lcc);

/// Messages of all phases together on the busiest link of every dimension, with the same routes. No more than the sum
/// of their T_i, and less where their busiest links are different ones. Exact for any number of bits: on a link of
/// dimension i a phase has T_i messages or none, and the links that it uses are an affine subspace over GF(2). Throws
/// std::invalid_argument if the phases differ in their number of bits, and if sums exceed 2^64 - 1. O(m n^3) word
/// operations for m phases, and 2^m times that at worst, where many of them share links.
CUBEFOLD_API std::vector<std::uint64_t> contention_together(std::span<const Lcc> phases);

/// What an order is to make small for a set of phases r, [Lcc] section 5; load_r is a link's.
///
/// | objective           | value                  | for phases that                                                |
/// |---------------------|------------------------|----------------------------------------------------------------|
/// | `worst`             | max_r max_i T_i        | run one at a time, nobody knows how often each one             |
/// | `together`          | max_link sum_r load_r  | run at the same time                                           |
/// | `busiest_dimension` | max_i sum_r T_i        | run at the same time and may all meet on a link, as in [Lcc]   |
/// | `total`             | sum_i sum_r T_i        | run one after the other, dimension by dimension                |
enum class Objective : std::uint8_t { worst, together, busiest_dimension, total };

/// Its value as the bits stand. Throws std::invalid_argument if the phases differ in their number of bits, and if a sum
/// does not fit: it must stay below 2^64.
CUBEFOLD_API std::uint64_t value_of(std::span<const Lcc> phases, Objective objective);

}  // namespace cubefold
