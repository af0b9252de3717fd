#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/lcc/lcc.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Returns whether a number can be a weight or a number of messages: 0, or between 1e-30 and 1e30, so that no sum
/// overflows.
constexpr bool is_amount(double value) {
  return value == 0 || (value >= 1e-30 && value <= 1e30);
}

/// Text in the messages of exceptions about a number for which is_amount() is false.
inline constexpr const char* no_amount = "neither 0 nor between 1e-30 and 1e30";

/// The number of messages that one rank sends to another; it need not be whole. Messages from a rank to itself cost
/// nothing.
struct Traffic {
  Rank from;
  Rank to;
  double messages = 1;

  bool operator==(const Traffic&) const = default;
};

/// A communication that a program performs as a whole, with a weight: the number of times that it takes place, or the
/// bytes of its messages.
struct Phase {
  std::string name;
  double weight = 1;
  std::vector<Traffic> traffic;
};

/// Returns the number of messages that all ranks of a phase send to other ranks, without its weight, rounded once.
/// Throws std::invalid_argument for messages that are not amounts or too far apart for exact sums, as evaluate() does.
/// Costs O(messages).
CUBEFOLD_API double message_count(const Phase& phase);

/// The exception for a phase whose name parse_phase() does not know. The text ends with the list of known names, so
/// that a caller that knows more names can append them.
class CUBEFOLD_API UnknownPhase : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Returns the phases between rank_count ranks that a text `PHASE[*WEIGHT]` names:
///
/// | name                         | phases                                                                   |
/// |------------------------------|--------------------------------------------------------------------------|
/// | `halo:12x10`, `halo:12wx10`  | the halo exchange of a Cartesian grid of ranks (1)                        |
/// | `halo:12x10:full`            | the same with the neighbours on diagonals: 9 points in 2D, 27 in 3D       |
/// | `halo:8x8x8:edges`           | the same without those on diagonals of cubes: 19 points in 3D             |
/// | `alltoall`                   | every rank sends to every other                                           |
/// | `alltoall:rows=RxC`          | rank i * C + j sends to the other ranks of its row i                      |
/// | `alltoall:columns=RxC`       | rank i * C + j sends to the other ranks of its column j                   |
/// | `ring`                       | rank r sends to rank r + 1, and the last rank to rank 0                   |
/// | `allreduce`                  | one per step of recursive doubling (2)                                    |
/// | `allreduce:3`, `..:0-2`      | only these steps, one phase each                                          |
/// | `cube`                       | one per dimension, in which every rank sends to its neighbour there       |
/// | `cube:3`, `cube:0-2`         | only these dimensions, one phase each                                     |
/// | `transpose:AxB`              | rank i * B + j sends to j * A + i; A and B need not be powers of two      |
/// | `transpose`                  | transpose:AxB with A = B, or else with the extents of the grid's two axes |
/// | `block-cyclic-to-block:S`    | the redistribution of an FFT from block-cyclic to block (3)               |
/// | `block-to-block-cyclic:S`    | the redistribution of an FFT from block to block-cyclic (3)               |
/// | another of pattern_names()   | the linear-complement communication that parse_pattern() reads            |
///
/// (1) Ranks are numbered as MPI_Cart_create numbers them, with the last axis fastest, and `w` marks a periodic axis.
/// Every rank sends one message to each neighbour: to those that differ by one on one axis, with `edges` to those that
/// differ by one on one or two axes, or with `full` to those that differ by at most one on every axis. On a periodic
/// axis of extent 2 both neighbours are one rank, which gets both messages.
///
/// (2) For 2^n ranks, step i is dimension i of the cube. For 2^n + m ranks there is a step before, in which each even
/// rank r < 2 m sends to rank r + 1 and leaves, and a step after, in which it gets the result back. The others are
/// numbered in ascending order in between. An allreduce by a ring has the messages of `ring` in all its steps.
///
/// (3) There are 2^(n+2S) points on 2^n ranks. A message counts as the fraction of a rank's points that it carries.
///
/// Every other message counts 1. Messages from a rank to itself are left out. A single rank has no dimensions and no
/// steps, so `cube` and `allreduce` are empty lists there. The grid is the one of the ranks, and may be null. Throws
/// UnknownPhase for an unknown name, and otherwise std::invalid_argument that quotes the text and names the rule that
/// it breaks. Phases from `cube` on, except transposes, require a power of two of ranks. Halo exchanges and all-to-alls
/// have at most 2^25 messages. Costs O(messages) per phase.
CUBEFOLD_API std::vector<Phase> parse_phase(std::string_view text, std::size_t rank_count,
                                            const Grid* grid = nullptr);

/// Returns the phases of a text that joins phases of parse_phase() by `+`, as `cube:0-2+transpose:8x8*2`. Throws as
/// parse_phase().
CUBEFOLD_API std::vector<Phase> parse_phases(std::string_view text, std::size_t rank_count,
                                             const Grid* grid = nullptr);

/// Throws UnknownPhase for the first name in the text that parse_phases() does not know, and std::invalid_argument for
/// a weight that is not an amount. The check does not depend on the number of ranks.
CUBEFOLD_API void require_phase_names(std::string_view text);

/// Returns the messages of a linear-complement communication as a phase, without those from a rank to itself. Throws
/// std::invalid_argument for more than 31 label bits. Costs O(2^n) for n bits.
CUBEFOLD_API Phase phase_of(const Lcc& lcc, std::string name, double weight = 1);

}  // namespace cubefold
