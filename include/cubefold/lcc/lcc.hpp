#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/gf2/bit_matrix.hpp"

namespace cubefold {

/// Says which end of its messages A and b give: the destination y of source x by y = A x + b, or the source x of
/// destination y by x = A y + b.
enum class Gives : std::uint8_t { destination, source };

/// Describes a linear-complement communication between 2^n ranks: the label bits of one end of every message are sums
/// over GF(2) of label bits of the other end, and some of them are complemented. Source: [Lcc] section 2.2.
class CUBEFOLD_API Lcc {
 public:
  /// Throws std::invalid_argument if b has bits beyond the matrix.
  explicit Lcc(BitMatrix a, std::uint64_t b = 0, Gives gives = Gives::destination);

  /// Returns n, in [0, 64].
  int bit_count() const { return a_.size(); }
  const BitMatrix& a() const { return a_; }
  std::uint64_t b() const { return b_; }
  Gives gives() const { return gives_; }

  /// Returns A x + b for a label of n bits, which may be wider than a Rank.
  std::uint64_t operator()(std::uint64_t label_bits) const { return (a_ * label_bits) ^ b_; }

  /// Returns the bits i with y_i = x_i in every message. Costs O(n).
  std::uint64_t still_bits() const;

  bool operator==(const Lcc&) const = default;

 private:
  BitMatrix a_;
  std::uint64_t b_;
  Gives gives_;
};

/// Names the kind of a communication. A nonsingular matrix makes a permutation, whichever end it gives. A singular
/// matrix makes several ranks send to one (gather) or one rank send to several (scatter).
enum class LccKind : std::uint8_t { permutation, gather, scatter };

/// Returns the kind of the communication. Costs O(n^2) word operations.
CUBEFOLD_API LccKind kind(const Lcc& lcc);

/// Returns the ranks that a rank sends to: one destination, or for a scatter 2^(n - rank A) destinations or none, in no
/// particular order. Costs O(n^2) word operations for a scatter. Throws std::invalid_argument if the rank has bits
/// beyond n.
CUBEFOLD_API std::vector<Rank> destinations(const Lcc& lcc, Rank source);

struct SourceAndDestination {
  Rank source;
  Rank destination;

  bool operator==(const SourceAndDestination&) const = default;
};

/// Returns all 2^n messages, including those from a rank to itself. Throws std::invalid_argument for n > 31. Costs
/// O(2^n).
CUBEFOLD_API std::vector<SourceAndDestination> messages(const Lcc& lcc);

/// Returns the communication with reordered bits, new bit k = old bit order[k]: its matrix is Q A Q^-1 and its constant
/// is Q b. A placement with that order turns the communication into the returned one. Throws std::invalid_argument
/// unless the order is a permutation of 0 .. n-1. Costs O(n^2) word operations. Source: [Lcc] theorem 2.
CUBEFOLD_API Lcc reordered(const Lcc& lcc, std::span<const int> order);

/// Returns the permutation that takes every message back, or nothing for a gather or a scatter. Costs O(n^2) word
/// operations.
CUBEFOLD_API std::optional<Lcc> inverse(const Lcc& lcc);

/// Returns the permutation or gather in which rank r sends to destinations[r], or nothing if no linear-complement
/// communication does that. Throws std::invalid_argument for a destination that is no rank. Costs O(2^n).
CUBEFOLD_API std::optional<Lcc> recognise(std::span<const Rank> destinations);

/// Returns the linear-complement communication between rank_count ranks that has exactly these messages, in any order,
/// or nothing if there is none. The messages include those from a rank to itself. The result is a permutation or a
/// gather if every rank sends once, and a scatter if every rank receives once. Throws std::invalid_argument for a
/// message whose source or destination is no rank. Costs O(messages).
CUBEFOLD_API std::optional<Lcc> recognise(std::span<const SourceAndDestination> messages,
                                          std::size_t rank_count);

}  // namespace cubefold
