#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// One way to perform an exchange.
struct TuningCandidate {
  std::string name;
  double predicted_seconds = 0;  ///< 0 if nothing reliable is known
};

/// Chooses between candidates for exchanges of one kind while a program uses them: the calls of the program are the
/// trials. Candidate 0 is the baseline. The rules are:
/// - In each round, every candidate that is left performs one call. Each round begins with another candidate, so that
///   calls which differ with a period do not favour one. The first round warms up connections and caches, so its times
///   are in no median; they may be the shortest of a candidate.
/// - A candidate is left out without a call if its prediction is above most_predicted times the first call of the
///   baseline, after its first call if that took more than most_longer_first times the shortest call so far, and after
///   a later call if its shortest call took more than most_longer times the shortest of all. So a candidate that always
///   takes more than most_longer times the fastest is called twice at most. At the end of a round, those are left out
///   whose median is above most_slower times the least median, once least_rounds and least_medians have been counted.
/// - The candidate with the least median wins after least_rounds counted rounds if these took enough_seconds, at the
///   latest after the larger of least_rounds and most_rounds, and as soon as it is alone and has been counted.
/// All processes that pass the same times choose the same candidates. A tuning is a value and does not communicate. It
/// takes all its memory when it is made, so that no later call fails on one process alone; only text() takes more.
class CUBEFOLD_API ExchangeTuning {
 public:
  static constexpr double most_predicted = 2;
  static constexpr double most_longer_first = 4;  ///< larger, because a first call makes connections
  static constexpr double most_longer = 2;
  static constexpr double most_slower = 1.5;
  /// The median of fewer times may be that of a single slow call.
  static constexpr std::size_t least_medians = 3;
  static constexpr double enough_seconds = 0.25;
  static constexpr std::size_t most_rounds = 25;

  /// A single candidate is chosen at once. Throws std::invalid_argument without candidates and for 0 rounds.
  ExchangeTuning(std::vector<TuningCandidate> candidates, std::size_t least_rounds);

  bool is_chosen() const { return chosen_.has_value(); }

  /// Returns the candidate of the next call that is measured, or the chosen one.
  std::size_t next() const { return chosen_.value_or(candidate_at(position_)); }

  /// Returns the candidate for calls that are not measured: the chosen one, or the one with the least median so far, or
  /// the baseline before the first counted time.
  std::size_t best() const;

  /// Returns whether calls of a candidate are no longer measured because it is slow or cannot be used.
  bool is_left_out(std::size_t candidate) const { return !is_left_[candidate]; }

  /// Returns the number of candidates that are not left out.
  std::size_t left_count() const;

  /// Takes the time of a call of candidate next(). Requires that none is chosen.
  void record(double seconds);

  /// Leaves out a candidate that cannot be used. Another one is chosen if it was the chosen one. The last one that is
  /// left is chosen, and cannot be left out. Throws std::invalid_argument if it is chosen already.
  void leave_out(std::size_t candidate);

  /// Forgets all calls, for example because those that follow are of another kind.
  void restart();

  /// Chooses a candidate, for example one that an earlier run of the program has found.
  void choose(std::size_t candidate) { chosen_ = candidate; }

  /// Returns the median of the counted times of a candidate, or nothing if it has none.
  std::optional<double> median_seconds(std::size_t candidate) const;

  const std::vector<TuningCandidate>& candidates() const { return candidates_; }

  /// Returns the state as a line: `measuring; the next call uses direct: ...` or `direct, fastest of 3 calls of each:
  /// ...`, followed by the medians so far and the candidates that are left out.
  std::string text() const;

 private:
  double shortest_of_all() const;
  std::size_t candidate_at(std::size_t position) const { return (round_ + position) % candidates_.size(); }
  void leave_out_by_prediction(double seconds_of_baseline);
  void go_to(std::size_t position);
  void end_round();

  std::vector<TuningCandidate> candidates_;
  std::size_t least_rounds_;
  std::vector<std::vector<double>> times_;  ///< counted times of each candidate, in ascending order
  std::vector<double> shortest_;            ///< of all calls of each candidate, the first one included
  std::vector<bool> is_left_;
  std::size_t round_ = 0;     ///< 0 is the round that warms up
  std::size_t position_ = 0;  ///< of the next call in the round
  double total_seconds_ = 0;
  std::optional<std::size_t> chosen_;
};

}  // namespace cubefold
