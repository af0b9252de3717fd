#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/schedule/step_group.hpp"

namespace cubefold {

/// How the processes of an exchange are kept in the same step.
enum class Pacing : std::uint8_t {
  data,  ///< a step begins when what it sends has arrived, for exchanges whose steps wait for one another anyway
  clock,   ///< a step begins at its time after a common start, or later if the process is late
  tokens,  ///< a message leaves when those that it would meet are known to have arrived: schedule/tokens.hpp
  barriers,  ///< nobody begins a step before all have ended the last one
};

inline constexpr std::array all_pacings{Pacing::data, Pacing::clock, Pacing::tokens, Pacing::barriers};

/// `data`, `clock`, `tokens`, `barriers`.
CUBEFOLD_API std::string_view to_string(Pacing pacing);

/// Inverse of to_string(). Throws std::invalid_argument that quotes the text and lists the names.
CUBEFOLD_API Pacing parse_pacing(std::string_view text);

/// How long the steps of an exchange take, and so when they begin. A step with s start-ups and L bytes on its busiest
/// link or port takes s gap + L tau, and every wait alpha - gap besides. A phase of n steps of one message therefore
/// takes alpha - gap + n (gap + L tau), and steps each of which waits for the one before take alpha + L tau.
struct StepTimes {
  std::vector<StepGroup> groups;
  double alpha_seconds = 0;
  double gap_seconds = 0;
  double tau_seconds_per_byte = 0;

  bool operator==(const StepTimes&) const = default;

  /// How long a step of the group takes, without a wait.
  CUBEFOLD_API double step_seconds(const StepGroup& group, std::size_t block_bytes) const;

  /// What a step that waits for those before it takes more.
  double wait_seconds() const { return alpha_seconds - gap_seconds; }

  /// All steps with their waits, once for each round of pieces; the last piece of a block may be shorter. Pieces of 0
  /// bytes: blocks travel whole.
  CUBEFOLD_API double seconds(std::size_t block_bytes, std::size_t piece_bytes) const;
};

/// When each step begins, for a clock: the times of StepTimes one after the other, the whole row once for every round.
/// The first step begins at 0; the last one ends wait_seconds() before StepTimes::seconds(), which is when its messages
/// arrive.
class CUBEFOLD_API StepSlots {
 public:
  /// Keeps a reference to the times. Pieces of 0 bytes: blocks travel whole.
  StepSlots(const StepTimes& times, std::size_t block_bytes, std::size_t piece_bytes);

  /// Goes to a step of a round, none before the one where it is. O(groups between them). Without groups every step
  /// begins at 0.
  void go_to(std::size_t round, std::size_t step);

  /// Seconds after the common start at which the step begins.
  double begin() const { return begin_; }

  /// How long it takes.
  double length() const { return length_; }

 private:
  std::size_t bytes_of_round() const;
  void enter_next_group();

  const StepTimes* times_;
  std::size_t block_bytes_;
  std::size_t piece_bytes_;
  std::size_t round_ = 0;
  std::size_t group_ = 0;
  std::size_t first_step_ = 0;  ///< of the group
  double first_begin_ = 0;      ///< when it begins
  double begin_ = 0;
  double length_ = 0;
};

}  // namespace cubefold
