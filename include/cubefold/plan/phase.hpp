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

/// Whether a number can be a weight or a number of messages: 0, or between 1e-30 and 1e30, so that no sum overflows.
constexpr bool is_amount(double value) {
  return value == 0 || (value >= 1e-30 && value <= 1e30);
}

/// What complaints say of a number that cannot.
inline constexpr const char* no_amount = "neither 0 nor between 1e-30 and 1e30";

/// Messages, whole or not, that one rank sends another. What a rank sends itself costs nothing.
struct Traffic {
  Rank from;
  Rank to;
  double messages = 1;

  bool operator==(const Traffic&) const = default;
};

/// A communication that a program does as a whole, and how much it counts: how often it takes place, or how many bytes
/// its messages have.
struct Phase {
  std::string name;
  double weight = 1;
  std::vector<Traffic> traffic;
};

/// The messages of all ranks of a phase, without its weight, rounded once. Throws std::invalid_argument for weights and
/// messages that are no amounts, or too far apart for exact sums, as evaluate() does. O(messages).
CUBEFOLD_API double message_count(const Phase& phase);

/// A phase whose name parse_phase() does not know. The text ends with the list of names, for callers that know more to
/// add to it.
class CUBEFOLD_API UnknownPhase : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Reads the name of phases between so many ranks, `PHASE[*WEIGHT]`:
///
/// | name                       | phases                                                                   |
/// |----------------------------|--------------------------------------------------------------------------|
/// | `cube`                     | one per dimension, in which every rank sends to its neighbour there       |
/// | `cube:3`, `cube:0-2`       | those dimensions only, still one phase each                               |
/// | `transpose:AxB`            | rank i * B + j sends to j * A + i; A and B need not be powers of two      |
/// | `transpose`                | the same with A = B, or else with the extents of the two axes of the grid |
/// | `block-cyclic-to-block:S`  | parts of an FFT go from fft::BlockCyclic to consecutive points (1)         |
/// | `block-to-block-cyclic:S`  | and back                                                                 |
/// | another of pattern_names() | that linear-complement communication, as parse_pattern() reads it         |
///
/// (1) The parts are those of 2^(n+2S) points; a message is the share of a part.
///
/// Messages from a rank to itself are left out. Throws std::invalid_argument that quotes the text and names the rule it
/// breaks, UnknownPhase if that is the name; all but transposes need a power of two of ranks. A single rank sends
/// nothing, and has no dimensions: `cube` is no phase there. The grid that the ranks are on may be null. O(ranks) per
/// phase.
CUBEFOLD_API std::vector<Phase> parse_phase(std::string_view text, std::size_t rank_count,
                                            const Grid* grid = nullptr);

/// Several of them, joined by `+`, as `cube:0-2+transpose:8x8*2`.
CUBEFOLD_API std::vector<Phase> parse_phases(std::string_view text, std::size_t rank_count,
                                             const Grid* grid = nullptr);

/// Throws UnknownPhase for the first name in the text that parse_phases() does not know, and std::invalid_argument for
/// a weight that is none, whatever the number of ranks.
CUBEFOLD_API void require_phase_names(std::string_view text);

/// One message for each of the communication's, those from a rank to itself left out. Throws std::invalid_argument for
/// more than 31 bits. O(2^n).
CUBEFOLD_API Phase phase_of(const Lcc& lcc, std::string name, double weight = 1);

}  // namespace cubefold
