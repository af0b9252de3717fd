#include "exchange_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace cubefold {
namespace {

constexpr double no_call = std::numeric_limits<double>::infinity();

/// Returns whether an exchange has fewer start-ups than another one and more blocks.
bool trades_startups(const ExchangeLoad& load, const ExchangeLoad& other) {
  return load.is_known() && load.startups < other.startups && load.blocks > other.blocks;
}

}  // namespace

ExchangeTuning::ExchangeTuning(std::vector<TuningCandidate> candidates, std::size_t least_rounds)
    : candidates_(std::move(candidates)),
      least_rounds_(least_rounds),
      times_(candidates_.size()),
      shortest_(candidates_.size(), no_call),
      call_counts_(candidates_.size()),
      is_left_(candidates_.size(), true) {
  if (candidates_.empty()) throw std::invalid_argument("ExchangeTuning: there are no candidates");
  if (least_rounds == 0) throw std::invalid_argument("ExchangeTuning: 0 rounds measure nothing");
  // A call of the baseline is counted before others are called once, so it may have one more than the others.
  for (auto& times : times_) times.reserve(std::max(least_rounds, most_rounds) + 1);
  if (left_count() == 1) chosen_ = 0;
}

std::optional<double> ExchangeTuning::median_seconds(std::size_t candidate) const {
  const auto& times = times_[candidate];
  if (times.empty()) return std::nullopt;
  return times[times.size() / 2];
}

double ExchangeTuning::shortest_of_all() const {
  double least = no_call;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (is_left_[i]) least = std::min(least, shortest_[i]);
  return least;
}

std::size_t ExchangeTuning::best() const {
  if (chosen_) return *chosen_;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (!is_left_[i] || times_[i].empty()) continue;
    const auto rank_of = [&](std::size_t each) {
      return std::pair(*median_seconds(each), -static_cast<double>(times_[each].size()));
    };
    if (!best || rank_of(i) < rank_of(*best)) best = i;
  }
  const auto first_left = std::find(is_left_.begin(), is_left_.end(), true) - is_left_.begin();
  return best.value_or(static_cast<std::size_t>(first_left));
}

std::size_t ExchangeTuning::left_count() const {
  return static_cast<std::size_t>(std::count(is_left_.begin(), is_left_.end(), true));
}

void ExchangeTuning::record(double seconds) {
  const std::size_t measured = next();
  const bool connects = call_counts_[measured] == 0 && call_count_ < 2;
  ++call_count_;
  ++call_counts_[measured];
  shortest_[measured] = std::min(shortest_[measured], seconds);
  if (!connects) {
    auto& times = times_[measured];
    times.insert(std::upper_bound(times.begin(), times.end(), seconds), seconds);
    total_seconds_ += seconds;
  }
  leave_out_slow();
  leave_out_uncalled();
  leave_out_by_spread();
  go_on();
}

/// Returns the candidate with the least median of those that are not chosen.
std::optional<std::size_t> ExchangeTuning::fastest_other() const {
  std::optional<std::size_t> fastest;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (i == chosen_ || times_[i].empty()) continue;
    if (!fastest || *median_seconds(i) < *median_seconds(*fastest)) fastest = i;
  }
  return fastest;
}

void ExchangeTuning::check(double seconds) {
  const std::size_t other = *fastest_other();
  if (seconds <= (1 + least_spread) * *median_seconds(other)) {
    slow_count_ = 0;
    return;
  }
  slow_seconds_[slow_count_++] = seconds;
  if (slow_count_ < checked_calls) return;
  slow_count_ = 0;
  std::ranges::sort(slow_seconds_);
  times_[*chosen_].assign(slow_seconds_.begin(), slow_seconds_.end());
  is_left_[other] = true;
  chosen_ = other;
}

void ExchangeTuning::replace_times(std::size_t candidate, std::optional<double> seconds) {
  times_[candidate].clear();
  shortest_[candidate] = seconds.value_or(no_call);
  call_counts_[candidate] = seconds ? 1 : 0;
  if (seconds) times_[candidate].push_back(*seconds);
  go_on();
}

/// A first call may be slow by chance if it made connections, which leaves it uncounted, or if the
/// fastest candidate moves no fewer blocks.
void ExchangeTuning::leave_out_slow() {
  const double least = median_seconds(best()).value_or(shortest_of_all());
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const bool is_uncounted_baseline = i == 0 && times_[0].empty();
    if (!is_left_[i] || !is_called(i) || is_uncounted_baseline) continue;
    const bool may_be_chance = call_counts_[i] == 1 && (times_[i].empty() || has_fewest_blocks(i));
    if (shortest_[i] > (may_be_chance ? most_longer_first : most_longer) * least) is_left_[i] = false;
  }
}

/// Returns the candidate with the shortest call of those whose load is known, or nothing.
std::optional<std::size_t> ExchangeTuning::fastest_with_load() const {
  std::optional<std::size_t> fastest;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (!is_left_[i] || !is_called(i) || !candidates_[i].load.is_known()) continue;
    if (!fastest || shortest_[i] < shortest_[*fastest]) fastest = i;
  }
  return fastest;
}

/// Returns whether the fastest candidate is known to move no fewer blocks.
bool ExchangeTuning::has_fewest_blocks(std::size_t candidate) const {
  const auto fastest = fastest_with_load();
  const ExchangeLoad& load = candidates_[candidate].load;
  return fastest && load.is_known() && load.blocks <= candidates_[*fastest].load.blocks;
}

/// Returns the longest time that a start-up may take, given the fastest candidate. Its time is that of its start-ups
/// and of its blocks. The longer start-ups take, the less time do others take that have fewer of them and more blocks,
/// so each of these that has been called tells how long start-ups take.
double ExchangeTuning::longest_startup(std::size_t fastest) const {
  const ExchangeLoad& known = candidates_[fastest].load;
  double longest = std::min(most_startup_seconds, shortest_[fastest] / known.startups);
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (!is_called(i) || !trades_startups(candidates_[i].load, known)) continue;
    const double ratio = candidates_[i].load.blocks / known.blocks;
    const double startup =
        (ratio * shortest_[fastest] - shortest_[i]) / (ratio * known.startups - candidates_[i].load.startups);
    longest = std::min(longest, std::max(startup, 0.0));
  }
  return longest;
}

void ExchangeTuning::leave_out_uncalled() {
  const double shortest = shortest_of_all();
  const auto fastest = fastest_with_load();
  for (std::size_t i = 1; i < candidates_.size(); ++i) {
    if (is_called(i)) continue;
    double least = candidates_[i].predicted_seconds / most_predicted;
    if (fastest && trades_startups(candidates_[i].load, candidates_[*fastest].load)) {
      const ExchangeLoad& load = candidates_[i].load;
      const ExchangeLoad& known = candidates_[*fastest].load;
      const double startup = longest_startup(*fastest);
      const double block = (shortest_[*fastest] - known.startups * startup) / known.blocks;
      least = std::max(least, (load.startups * startup + load.blocks * block) / most_by_load);
    }
    if (least > shortest) is_left_[i] = false;
  }
}

double ExchangeTuning::spread_of(std::size_t candidate) const {
  const double median = *median_seconds(candidate);
  return median > 0 ? (median - std::min(median, shortest_[candidate])) / median : 0;
}

void ExchangeTuning::leave_out_by_spread() {
  const std::size_t leader = best();
  if (times_[leader].size() < 2) return;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (i == leader || !is_left_[i] || times_[i].size() < 2) continue;
    const double spread = std::max({least_spread, spread_of(leader), spread_of(i)});
    if (shortest_[i] > (1 + spread) * *median_seconds(leader)) is_left_[i] = false;
  }
}

bool ExchangeTuning::has_enough_calls(std::size_t candidate) const {
  const std::size_t least =
      total_seconds_ >= enough_seconds ? least_rounds_ : std::max(least_rounds_, most_rounds);
  return times_[candidate].size() >= least;
}

bool ExchangeTuning::is_enough() const {
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (is_left_[i] && !has_enough_calls(i)) return false;
  return true;
}

/// Returns whether the next call is that of candidate a rather than b.
bool ExchangeTuning::comes_before(std::size_t a, std::size_t b) const {
  if (is_called(a) != is_called(b)) return is_called(b);
  if (is_called(a)) {
    const double far = most_near * median_seconds(best()).value_or(no_call);
    const auto rank_of = [&](std::size_t each) {
      return std::tuple(has_enough_calls(each), shortest_[each] > far, times_[each].size(), shortest_[each]);
    };
    return rank_of(a) < rank_of(b);
  }
  const auto rank_of = [](const TuningCandidate& each) {
    return std::tuple(each.needs_times, each.predicted_seconds, each.load.blocks);
  };
  return rank_of(candidates_[a]) < rank_of(candidates_[b]);
}

void ExchangeTuning::go_on() {
  if (chosen_) return;
  const bool is_alone = left_count() == 1 && median_seconds(best());
  if (is_alone || is_enough()) {
    chosen_ = best();
    return;
  }
  std::optional<std::size_t> next;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (is_left_[i] && (!next || comes_before(i, *next))) next = i;
  next_ = *next;
  // The first two calls make connections. The baseline is counted before anything else is tried.
  if (is_left_[0] && call_count_ == 2 && times_[0].empty()) next_ = 0;
  if (call_count_ == 0 && is_left_[0]) next_ = 0;
  if (call_count_ == 1 && left_count() > 1 && is_called(0)) next_ = first_left_after_baseline();
}

std::size_t ExchangeTuning::first_left_after_baseline() const {
  return static_cast<std::size_t>(std::find(is_left_.begin() + 1, is_left_.end(), true) - is_left_.begin());
}

void ExchangeTuning::leave_out(std::size_t candidate) {
  if (!is_left_[candidate] || (chosen_ && left_count() == 1))
    throw std::invalid_argument("ExchangeTuning: the candidate is left out already, or no other is left");
  if (left_count() > 1) {
    is_left_[candidate] = false;
    times_[candidate].clear();
  }
  if (left_count() == 1 || chosen_ == candidate) {
    chosen_.reset();
    chosen_ = best();
  } else {
    go_on();
  }
}

void ExchangeTuning::restart() {
  for (auto& times : times_) times.clear();
  is_left_.assign(is_left_.size(), true);
  call_counts_.assign(call_counts_.size(), 0);
  shortest_.assign(shortest_.size(), no_call);
  call_count_ = 0;
  next_ = 0;
  total_seconds_ = 0;
  slow_count_ = 0;
  chosen_.reset();
  if (left_count() == 1) chosen_ = 0;
}

std::string ExchangeTuning::text() const {
  std::string text = chosen_ ? candidates_[*chosen_].name
                             : fmt::format("measuring; the next call uses {}", candidates_[next()].name);
  std::size_t calls = 0;
  std::string medians;
  std::string others;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    calls = std::max(calls, times_[i].size());
    if (const auto median = median_seconds(i)) {
      medians += fmt::format("; {} {:.4g} ms", candidates_[i].name, *median * 1e3);
    } else if (!is_left_[i]) {
      others += fmt::format("{}{}", others.empty() ? "; left out: " : ", ", candidates_[i].name);
    }
  }
  if (calls > 0) {
    text += chosen_ ? fmt::format(", fastest of up to {} calls of each", calls)
                    : fmt::format("; up to {} calls of each so far", calls);
  }
  return text + medians + others;
}

}  // namespace cubefold
