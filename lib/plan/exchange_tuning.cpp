#include "exchange_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace cubefold {
namespace {

constexpr double no_call = std::numeric_limits<double>::infinity();

}  // namespace

ExchangeTuning::ExchangeTuning(std::vector<TuningCandidate> candidates, std::size_t least_rounds)
    : candidates_(std::move(candidates)),
      least_rounds_(least_rounds),
      times_(candidates_.size()),
      shortest_(candidates_.size(), no_call),
      is_left_(candidates_.size(), true) {
  if (candidates_.empty()) throw std::invalid_argument("ExchangeTuning: there are no candidates");
  if (least_rounds == 0) throw std::invalid_argument("ExchangeTuning: 0 rounds measure nothing");
  for (auto& times : times_) times.reserve(std::max(least_rounds, most_rounds));
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
    if (!best || median_seconds(i) < median_seconds(*best)) best = i;
  }
  const auto first_left = std::find(is_left_.begin(), is_left_.end(), true) - is_left_.begin();
  return best.value_or(static_cast<std::size_t>(first_left));
}

std::size_t ExchangeTuning::left_count() const {
  return static_cast<std::size_t>(std::count(is_left_.begin(), is_left_.end(), true));
}

void ExchangeTuning::record(double seconds) {
  const std::size_t measured = next();
  shortest_[measured] = std::min(shortest_[measured], seconds);
  if (round_ > 0) {
    auto& times = times_[measured];
    times.insert(std::upper_bound(times.begin(), times.end(), seconds), seconds);
    total_seconds_ += seconds;
  } else if (measured == 0) {
    leave_out_by_prediction(seconds);
  }
  const double most = round_ == 0 ? most_longer_first : most_longer;
  if (shortest_[measured] > most * shortest_of_all()) is_left_[measured] = false;
  go_to(position_ + 1);
}

void ExchangeTuning::leave_out_by_prediction(double seconds_of_baseline) {
  for (std::size_t i = 1; i < candidates_.size(); ++i)
    if (candidates_[i].predicted_seconds > most_predicted * seconds_of_baseline) is_left_[i] = false;
}

/// Goes to the first candidate from this position on that is left, or to the next round.
void ExchangeTuning::go_to(std::size_t position) {
  if (left_count() == 1 && median_seconds(best())) {
    chosen_ = best();
    return;
  }
  position_ = position;
  while (position_ < candidates_.size() && !is_left_[candidate_at(position_)]) ++position_;
  if (position_ == candidates_.size()) end_round();
}

void ExchangeTuning::end_round() {
  if (round_ >= std::max(least_rounds_, least_medians)) {
    const double most = most_slower * *median_seconds(best());
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (median_seconds(i) > most) is_left_[i] = false;
  }
  const bool is_enough = round_ >= least_rounds_ && total_seconds_ >= enough_seconds;
  if (is_enough || round_ >= std::max(least_rounds_, most_rounds)) {
    chosen_ = best();
    return;
  }
  ++round_;
  go_to(0);
}

void ExchangeTuning::leave_out(std::size_t candidate) {
  if (!is_left_[candidate] || (chosen_ && left_count() == 1))
    throw std::invalid_argument("ExchangeTuning: the candidate is left out already, or no other is left");
  if (left_count() > 1) is_left_[candidate] = false;
  if (left_count() == 1 || chosen_ == candidate) {
    chosen_.reset();
    chosen_ = best();
  } else if (!chosen_) {
    go_to(position_);
  }
}

void ExchangeTuning::restart() {
  for (auto& times : times_) times.clear();
  is_left_.assign(is_left_.size(), true);
  round_ = 0;
  position_ = 0;
  shortest_.assign(shortest_.size(), no_call);
  total_seconds_ = 0;
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
