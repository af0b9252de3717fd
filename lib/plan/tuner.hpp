#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alltoall_candidate.hpp"
#include "cubefold/export.h"
#include "exchange_tuning.hpp"

namespace cubefold {

/// The medians of measured calls of the first candidate, which is MPI's own all-to-all for blocking calls, and of the
/// chosen one.
struct MedianSeconds {
  double first;
  double chosen;
};

/// Chooses between the candidates for the calls of one class: a rule has decided, or the calls are measured, as
/// ExchangeTuning describes.
///
/// Blocks of equal sizes are measured in calls with one size only: that of the first call, or another one after
/// most_others calls in a row with other sizes. Calls that are not measured use the best candidate so far. The times of
/// calls with unequal blocks are scaled to the most bytes of the class, because sizes may never come again.
///
/// All of the first free_trials calls may be measured, and of the calls after them at most one in trial_share calls so
/// far. The others use the best candidate so far, as do calls that are not measured for another reason. After a choice
/// by measurement, the 2^k-th calls with the measured size are measured to check the choice, and while these are slow
/// all calls.
///
/// A candidate by the clock that has no machine file gets its slots from the times of the others: they end when
/// first_slots of the shortest call are over. While calls keep up with them, they become shorter by the factor
/// shorter_slots. Slots below least_slot_seconds for a block are not tried, because the clocks of processes are too far
/// apart.
///
/// A tuner is a value and does not communicate: all processes that pass the same sizes and times get the same
/// candidates. Only the constructor and functions that return texts take memory.
class CUBEFOLD_API Tuner {
 public:
  static constexpr int most_others = 8;
  static constexpr std::size_t free_trials = 10;
  static constexpr std::size_t trial_share = 10;
  static constexpr double first_slots = 0.95;
  static constexpr double shorter_slots = 0.96;
  static constexpr double most_late = 1.1;       ///< of a call that keeps up with its slots, over their end
  static constexpr double most_by_chance = 1.5;  ///< a call that took more of their end is repeated once
  static constexpr double least_slot_seconds = 1e-3;

  /// If a rule has decided, calls use the last candidate, and the others only where processes have no memory for it.
  Tuner(CallKind kind, Decision decision);

  struct NextCall {
    std::size_t candidate;
    bool is_measured;
  };

  /// Returns the candidate of the next call, which exchanges so many bytes: of a block if blocks are equal, and of a
  /// process otherwise.
  NextCall next(std::uint64_t bytes);

  /// Takes the time of the last measured call, which is that of its slowest process, or infinity if the call failed.
  void record(double seconds);

  /// Leaves out a candidate for which a process has no memory, and returns the next one. Requires has_others().
  std::size_t leave_out(std::size_t candidate);

  /// Returns whether more than one candidate is left.
  bool has_others() const { return tuning_.left_count() > 1; }

  /// Counts a call whose candidate is chosen and that is not measured. Returns false, and counts none, for other calls.
  bool passes_unmeasured(std::uint64_t bytes);

  /// Lets every call be measured, for callers that make calls only to measure them or limit trials themselves.
  void measure_every_call() { has_limit_ = false; }

  /// Chooses a candidate that an earlier run has found, and whose text says so, if it is among the candidates. One by
  /// the clock needs slots.
  void choose(const AlltoallCandidate& candidate, const std::string& origin);

  /// Returns whether a rule has decided, so that no call is measured.
  bool has_rule() const { return has_rule_; }

  /// Returns whether a candidate is chosen. Calls are then measured only to check the choice.
  bool is_decided() const { return tuning_.is_chosen(); }
  std::size_t best() const { return tuning_.best(); }

  /// Returns whether calls with so many bytes are measured, as far as the limit of trials allows.
  bool measures(std::uint64_t bytes) const {
    return !is_decided() && (!compares_one_size() || measured_bytes_ == 0 || bytes == measured_bytes_);
  }

  /// Returns the medians of the measured calls, or nothing before the choice, or if the choice comes from elsewhere.
  std::optional<MedianSeconds> medians() const;

  const std::vector<AlltoallCandidate>& candidates() const { return candidates_; }
  const ExchangeTuning& tuning() const { return tuning_; }

  /// Returns the bytes of measured calls, or 0 before the first call.
  std::uint64_t measured_bytes() const { return measured_bytes_; }

  /// Returns the reason of the rule, or the state of the measurements, and where a choice comes from.
  std::string text() const;

 private:
  bool compares_one_size() const { return !have_several_sizes(kind_); }
  void note_size(std::uint64_t bytes);
  bool is_within_limit();
  bool checks(std::uint64_t bytes) const;
  void check(double seconds);
  void set_slots();
  double end_of_slots(const AlltoallCandidate& candidate) const;
  void change_slots(std::size_t candidate, double seconds);

  /// The search for the slots of a candidate by the clock.
  struct SlotSearch {
    double tau_seconds = 0;   ///< of the slots before they were made shorter, or 0
    double call_seconds = 0;  ///< time of a call with them
    bool has_met_chance = false;
    bool is_over = false;  ///< calls do not keep up with shorter slots
  };

  CallKind kind_;
  std::vector<AlltoallCandidate> candidates_;
  ExchangeTuning tuning_;
  bool has_rule_;
  std::string reason_;                ///< of a rule that has decided
  std::string origin_;                ///< of a choice that an earlier run has found
  std::uint64_t measured_bytes_ = 0;  ///< of the last measured call
  int others_ = 0;                    ///< calls with other sizes since the last call with that size
  bool has_limit_ = true;
  std::uint64_t call_count_ = 0;      ///< with the measured size
  std::uint64_t trial_count_ = 0;     ///< of these calls, without the first free_trials
  std::uint64_t settled_count_ = 0;   ///< calls since the choice
  std::vector<SlotSearch> searches_;  ///< of the candidates
};

}  // namespace cubefold
