#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/lcc/lcc.hpp"

namespace cubefold {

/// Returns T_i for every dimension i: the number of messages on the busiest link of that dimension when all messages
/// are routed lowest dimension first on a hypercube (e-cube).
///
///     T_i = 0                                                     where y_i = x_i in every message, else
///     T_i = 2^(i - rank A[rows 0..i, columns 0..i-1])             for y = A x + b
///     T_i = 2^(n-1-i - rank A[rows i..n-1, columns i+1..n-1])     for x = A y + b
///
/// The formula for x = A y + b is that for y = A x + b with the bits counted from the other end, because the messages
/// of a scatter visit their dimensions in the opposite order to those of the gather that they reverse. Costs O(n^2)
/// word operations. Source: [Lcc] theorem 1, which has no formula for scatters.
CUBEFOLD_API std::vector<std::uint64_t> contention(const Lcc& lcc);

/// Returns for every dimension the number of messages of all phases together on the busiest link, with e-cube routes as
/// in contention(). It is at most the sum of the T_i of the phases, and less where their busiest links differ. The
/// result is exact for any number of bits: on a link of dimension i a phase has T_i messages or none, and the links
/// that it uses are an affine subspace over GF(2). Throws std::invalid_argument if there are no phases, if the phases
/// differ in their number of bits, and if a sum exceeds 2^64 - 1. Costs O(m n^3) word operations for m phases, and at
/// worst 2^m times as many, where many phases share links.
CUBEFOLD_API std::vector<std::uint64_t> contention_together(std::span<const Lcc> phases);

/// Names the quantity that an order of the bits is to minimise for a set of phases r. load_r is the load of one link in
/// phase r. Source: [Lcc] section 5.
///
/// | objective           | value                  | for phases that                                                |
/// |---------------------|------------------------|----------------------------------------------------------------|
/// | `worst`             | max_r max_i T_i        | run one at a time, each an unknown number of times             |
/// | `together`          | max_link sum_r load_r  | run at the same time                                           |
/// | `busiest_dimension` | max_i sum_r T_i        | run at the same time and may all meet on a link, as in [Lcc]   |
/// | `total`             | sum_i sum_r T_i        | run one after the other, dimension by dimension                |
enum class Objective : std::uint8_t { worst, together, busiest_dimension, total };

/// Returns the value of the objective for the bits in their present order. Throws std::invalid_argument if there are no
/// phases, if the phases differ in their number of bits, and if a sum exceeds 2^64 - 1.
CUBEFOLD_API std::uint64_t value_of(std::span<const Lcc> phases, Objective objective);

/// Returns an order (new bit k = old bit order[k]) that makes max_i T_i of the reordered communication as small as any
/// order can: 0 if every rank sends to itself, else 2^max(0, n-1 - rank A), which is 1 for every permutation. The order
/// is the identity if that is as good. Costs O(n^2) word operations. Source: [Lcc] theorems 3 and 4; the algorithm is
/// our own, see docs/papers.md.
CUBEFOLD_API std::vector<int> optimal_order(const Lcc& lcc);

/// Returns an order with the smallest value of the objective among all n! orders, and among those one with the smallest
/// sum of all T. The order is the identity if that is among the best. The result is exact, by dynamic programming over
/// the 2^n sets of bits that can come first. Costs O(2^n n^2 m) word operations and 2^(n+2) (m + 2) bytes for m phases.
/// `together` takes up to n times as many operations, and more where many phases share links. Throws
/// std::invalid_argument for more than 20 bits, for no phases, and if the phases differ in their number of bits.
/// Source: [Lcc] section 5.
CUBEFOLD_API std::vector<int> optimal_order(std::span<const Lcc> phases, Objective objective);

}  // namespace cubefold
