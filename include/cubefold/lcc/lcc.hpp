#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/gf2/bit_matrix.hpp"

namespace cubefold {

/// Which end of its messages A and b give: y = A x + b the destination y of source x, x = A y + b the source.
enum class Gives : std::uint8_t { destination, source };

/// Linear-complement communication between 2^n ranks: label bits of one end of every message are sums over GF(2) of
/// label bits of the other, some of them complemented. Source: [Lcc] section 2.2.
class CUBEFOLD_API Lcc {
 public:
  /// Throws std::invalid_argument if b has bits beyond the matrix.
  explicit Lcc(BitMatrix a, std::uint64_t b = 0, Gives gives = Gives::destination);

  /// n, in [0, 64].
  int bit_count() const { return a_.size(); }
  const BitMatrix& a() const { return a_; }
  std::uint64_t b() const { return b_; }
  Gives gives() const { return gives_; }

  /// A x + b, for a label of any width.
  std::uint64_t operator()(std::uint64_t label_bits) const { return (a_ * label_bits) ^ b_; }

  /// The bits i with y_i = x_i in every message. O(n).
  std::uint64_t still_bits() const;

  bool operator==(const Lcc&) const = default;

 private:
  BitMatrix a_;
  std::uint64_t b_;
  Gives gives_;
};

/// A nonsingular matrix makes a permutation whichever end it gives; a singular one makes several ranks send to one
/// (gather) or one rank send to several (scatter).
enum class LccKind : std::uint8_t { permutation, gather, scatter };

/// O(n^2) word operations.
CUBEFOLD_API LccKind kind(const Lcc& lcc);

/// Where a rank sends: one destination, but for a scatter 2^(n - rank A) or none, in no particular order. Costs O(n^2)
/// word operations for a scatter. Throws std::invalid_argument if the rank has bits beyond n.
CUBEFOLD_API std::vector<Rank> destinations(const Lcc& lcc, Rank source);

struct SourceAndDestination {
  Rank source;
  Rank destination;

  bool operator==(const SourceAndDestination&) const = default;
};

/// All 2^n messages, those from a rank to itself among them. Throws std::invalid_argument for n > 31. O(2^n).
CUBEFOLD_API std::vector<SourceAndDestination> messages(const Lcc& lcc);

/// The same communication after new bit k = old bit order[k]: Q A Q^-1 and Q b. This is what a placement with that
/// order makes of it. Throws std::invalid_argument unless the order is a permutation of 0 .. n-1. O(n^2) word
/// operations. Source: [Lcc] theorem 2.
CUBEFOLD_API Lcc reordered(const Lcc& lcc, std::span<const int> order);

/// The permutation that takes every message back; nothing for a gather or a scatter. O(n^2) word operations.
CUBEFOLD_API std::optional<Lcc> inverse(const Lcc& lcc);

/// The communication in which rank r sends to destinations[r], if it is one: a permutation or a gather. Throws
/// std::invalid_argument for a destination that is no rank. O(2^n).
CUBEFOLD_API std::optional<Lcc> recognise(std::span<const Rank> destinations);

/// The communication between so many ranks that has exactly these messages, in any order, those from a rank to itself
/// among them: a permutation or a gather if every rank sends once, a scatter if every rank receives once. Throws
/// std::invalid_argument for a message from or to what is no rank. O(messages).
CUBEFOLD_API std::optional<Lcc> recognise(std::span<const SourceAndDestination> messages,
                                          std::size_t rank_count);

}  // namespace cubefold
