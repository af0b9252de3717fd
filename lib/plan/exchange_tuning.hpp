#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// The work of an exchange: the start-ups of a process, and the blocks on the busiest link or port, over its rate. Both
/// are 0 if nothing is known of it.
struct ExchangeLoad {
  double startups = 0;
  double blocks = 0;

  bool is_known() const { return startups > 0 && blocks > 0; }
  bool operator==(const ExchangeLoad&) const = default;
};

/// One way to perform an exchange.
struct TuningCandidate {
  std::string name;
  double predicted_seconds = 0;  ///< 0 if nothing reliable is known
  ExchangeLoad load = {};
  bool needs_times = false;  ///< its slots follow from the times of others, which are called before it
};

/// Chooses between candidates for exchanges of one kind while a program uses them: the calls of the program are the
/// trials. Candidate 0 is the baseline. The rules are:
/// - The baseline is called, then candidate 1, then the baseline again. The first calls of both make connections, so
///   they are in no median; they may be the shortest of a candidate. Then every candidate is called once, by ascending
///   prediction and blocks, and last those whose slots follow from the times of others. From then on the next call is
///   that of a candidate whose shortest call took at most most_near times the least median, as long as one of these
///   needs calls; of these it is the one with the fewest counted calls, and among equals that with the shortest call.
/// - A candidate is left out without a call if its prediction is above most_predicted times the shortest call so far.
///   So it is if it has fewer start-ups and more blocks than the fastest one, and would take more than most_by_load
///   times the shortest call even if start-ups take most_startup_seconds, or as long as the calls of others of its kind
///   show.
/// - A candidate is left out after a call if its shortest call took more than most_longer times the least median, or
///   more than most_longer_first times if the time of a first call may be chance: the call made connections, or the
///   fastest candidate moves no fewer blocks; and after its second counted call if its shortest call is above the least
///   median by more than the spread. The spread is the distance between median and shortest call, over the median, of
///   this candidate or of the one with the least median, whichever is larger, but at least least_spread. The baseline
///   stays until it has been counted, for those who compare with it.
/// - The candidate with the least median wins when all that are left have least_rounds counted calls and calls took
///   enough_seconds together, at the latest after the larger of least_rounds and most_rounds, and as soon as it is
///   alone and has been counted. Of equal medians, that of more calls is taken.
/// - Later calls of the chosen one are checked, because networks change, and so do connections after longer messages.
///   If checked_calls of them in a row took longer than the least median of another one by more than least_spread, they
///   become its times, and that other one is chosen.
/// All processes that pass the same times choose the same candidates. A tuning is a value and does not communicate. It
/// takes all its memory when it is made, so that no later call fails on one process alone; only text() takes more.
class CUBEFOLD_API ExchangeTuning {
 public:
  static constexpr double most_predicted = 1.5;
  static constexpr double most_by_load = 1.1;
  static constexpr double most_startup_seconds = 100e-6;  ///< more than the hosts of clusters take
  static constexpr double most_longer_first = 4;
  static constexpr double most_longer = 2;
  static constexpr double most_near = 1.25;
  static constexpr double least_spread = 0.03;
  static constexpr double enough_seconds = 0.25;
  static constexpr std::size_t most_rounds = 6;
  static constexpr std::size_t checked_calls = 3;

  /// A single candidate is chosen at once. Throws std::invalid_argument without candidates and for 0 rounds.
  ExchangeTuning(std::vector<TuningCandidate> candidates, std::size_t least_rounds);

  bool is_chosen() const { return chosen_.has_value(); }

  /// Returns the candidate of the next call that is measured, or the chosen one.
  std::size_t next() const { return chosen_.value_or(next_); }

  /// Returns the candidate for calls that are not measured: the chosen one, or the one with the least median so far, or
  /// the baseline before the first counted time.
  std::size_t best() const;

  /// Returns whether calls of a candidate are no longer measured because it is slow or cannot be used.
  bool is_left_out(std::size_t candidate) const { return !is_left_[candidate]; }

  /// Returns the number of candidates that are not left out.
  std::size_t left_count() const;

  /// Takes the time of a call of candidate next(). Requires that none is chosen.
  void record(double seconds);

  /// Returns whether calls of the chosen candidate can be checked, because calls of others have been measured.
  bool can_check() const { return chosen_ && fastest_other(); }

  /// Returns whether the last call that was checked took longer than another candidate would.
  bool is_doubtful() const { return slow_count_ > 0; }

  /// Takes the time of a call of the chosen candidate. Requires can_check().
  void check(double seconds);

  /// Forgets the calls of a candidate that is not what it was, except one that took so many seconds, if there is one.
  void replace_times(std::size_t candidate, std::optional<double> seconds);

  /// Leaves out a candidate that cannot be used. Another one is chosen if it was the chosen one. The last one that is
  /// left is chosen, and cannot be left out. Throws std::invalid_argument if it is chosen already.
  void leave_out(std::size_t candidate);

  /// Forgets all calls, for example because those that follow are of another kind.
  void restart();

  /// Chooses a candidate, for example one that an earlier run of the program has found.
  void choose(std::size_t candidate) { chosen_ = candidate; }

  /// Returns the median of the counted times of a candidate, or nothing if it has none.
  std::optional<double> median_seconds(std::size_t candidate) const;

  /// Returns the shortest call of the candidates that are left, or infinity.
  double shortest_of_all() const;

  const std::vector<TuningCandidate>& candidates() const { return candidates_; }

  /// Returns the state as a line: `measuring; the next call uses direct: ...` or `direct, fastest of 3 calls of each:
  /// ...`, followed by the medians so far and the candidates that are left out.
  std::string text() const;

 private:
  bool is_called(std::size_t candidate) const { return call_counts_[candidate] > 0; }
  bool comes_before(std::size_t a, std::size_t b) const;
  std::size_t first_left_after_baseline() const;
  std::optional<std::size_t> fastest_with_load() const;
  void leave_out_slow();
  bool has_fewest_blocks(std::size_t candidate) const;
  double longest_startup(std::size_t fastest) const;
  double spread_of(std::size_t candidate) const;
  void leave_out_uncalled();
  void leave_out_by_spread();
  std::optional<std::size_t> fastest_other() const;
  bool has_enough_calls(std::size_t candidate) const;
  bool is_enough() const;
  void go_on();

  std::vector<TuningCandidate> candidates_;
  std::size_t least_rounds_;
  std::vector<std::vector<double>> times_;  ///< counted times of each candidate, in ascending order
  std::vector<double> shortest_;            ///< of all calls of each candidate, the first one included
  std::vector<std::size_t> call_counts_;
  std::vector<bool> is_left_;
  std::size_t call_count_ = 0;
  std::size_t next_ = 0;
  double total_seconds_ = 0;
  std::optional<std::size_t> chosen_;
  std::array<double, checked_calls> slow_seconds_{};  ///< of the last checked calls, which took too long
  std::size_t slow_count_ = 0;
};

}  // namespace cubefold
