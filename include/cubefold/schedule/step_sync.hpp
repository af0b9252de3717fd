#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// Says which steps of a group begin only when all steps before them are over.
enum class Waits : std::uint8_t {
  none,   ///< no step: the group continues the phase of the group before it
  first,  ///< the first step, with which a phase begins
  each,   ///< every step: each one sends on what arrived in the step before it
};

/// Describes consecutive steps that cost the same.
struct StepGroup {
  std::size_t steps;
  std::uint64_t blocks;        ///< blocks on the busiest link or port, in each of the steps
  std::uint64_t startups = 1;  ///< start-ups in each of the steps, as StepModel defines them
  Waits waits = Waits::none;
  double rate = 1;  ///< rate of the busiest link

  /// Returns the blocks that a link of rate 1 carries in the time of a step.
  double block_times() const { return static_cast<double>(blocks) / rate; }

  /// Makes a step take at least the time of so many blocks on a link of this rate.
  void raise_to(std::uint64_t link_blocks, double link_rate = 1) {
    if (static_cast<double>(link_blocks) / link_rate <= block_times()) return;
    blocks = link_blocks;
    rate = link_rate;
  }

  bool operator==(const StepGroup&) const = default;
};

/// Names how the processes of an exchange are kept in the same step.
enum class StepSync : std::uint8_t {
  /// A step begins when the blocks that it sends have arrived. This suits exchanges whose steps wait for one another
  /// anyway.
  data,
  /// A step begins at its time after a common start, or later if the process is late.
  clock,
};

inline constexpr std::array all_step_syncs{StepSync::data, StepSync::clock};

/// Returns `data` or `clock`.
CUBEFOLD_API std::string_view to_string(StepSync sync);

/// Says when a step begins after the common start, and how long it takes.
struct StepSlot {
  double begin_seconds;
  double length_seconds;

  bool operator==(const StepSlot&) const = default;
};

/// Holds how long the steps of an exchange take, and so when they begin. A step with s start-ups and L bytes on its
/// busiest link or port takes s gap + L tau, where gap is the LogGP g, and every wait adds alpha - gap. A phase of n
/// steps of one message therefore takes alpha - gap + n (gap + L tau). A step of one message that waits for the step
/// before it takes alpha + L tau.
struct StepTimes {
  std::vector<StepGroup> groups;
  double alpha_seconds = 0;
  double gap_seconds = 0;
  double tau_seconds_per_byte = 0;
  /// The slot of each step of this process, for schedules whose steps have times of their own. The other members do not
  /// count then, and blocks travel whole.
  std::vector<StepSlot> slots = {};

  bool operator==(const StepTimes&) const = default;

  /// Returns how long a step of the group takes, without a wait.
  CUBEFOLD_API double step_seconds(const StepGroup& group, std::size_t block_bytes) const;

  /// Returns how much longer a step takes if it waits for the steps before it.
  double wait_seconds() const { return alpha_seconds - gap_seconds; }

  /// Returns how long all steps take with their waits, once for each round of pieces. The last piece of a block may be
  /// shorter. With piece_bytes = 0, blocks travel whole. Requires that there are no slots.
  CUBEFOLD_API double seconds(std::size_t block_bytes, std::size_t piece_bytes) const;
};

/// Computes when each step begins for StepSync::clock. The begins are those of StepTimes::slots, if it has any.
/// Otherwise they are the times of its groups one after the other, all of them once for every round: the first step
/// begins at 0, and the last step ends wait_seconds() before StepTimes::seconds(), the time at which its messages
/// arrive.
class CUBEFOLD_API StepSlots {
 public:
  /// Keeps a reference to the times. With piece_bytes = 0, blocks travel whole.
  StepSlots(const StepTimes& times, std::size_t block_bytes, std::size_t piece_bytes);

  /// Goes to a step of a round, which must not lie before the present one. Costs O(groups between them). Without groups
  /// and slots every step begins at 0.
  void go_to(std::size_t round, std::size_t step);

  /// Returns the seconds after the common start at which the step begins.
  double begin() const { return begin_; }

  /// Returns how long the step takes, in seconds.
  double length() const { return length_; }

 private:
  std::size_t bytes_of_round() const;
  void enter_next_group();

  const StepTimes* times_;
  std::size_t block_bytes_;
  std::size_t piece_bytes_;
  std::size_t round_ = 0;
  std::size_t group_ = 0;
  std::size_t first_step_ = 0;  ///< number of the first step of the group
  double first_begin_ = 0;      ///< begin of the first step of the group
  double begin_ = 0;
  double length_ = 0;
};

}  // namespace cubefold
