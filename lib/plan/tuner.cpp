#include "tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace cubefold {

namespace {

std::string name_of(const AlltoallCandidate& candidate, CallKind kind) {
  return kind == CallKind::vector && !candidate.vector_method ? "MPI's own function" : to_string(candidate);
}

std::vector<TuningCandidate> tuning_candidates(const std::vector<AlltoallCandidate>& candidates,
                                               CallKind kind) {
  std::vector<TuningCandidate> result;
  result.reserve(candidates.size());
  for (const AlltoallCandidate& candidate : candidates) {
    result.push_back({name_of(candidate, kind), candidate.predicted_seconds, candidate.load,
                      candidate.slot_tau_seconds.has_value()});
  }
  return result;
}

}  // namespace

Tuner::Tuner(CallKind kind, Decision decision)
    : kind_(kind),
      candidates_(std::move(decision.candidates)),
      tuning_(tuning_candidates(candidates_, kind), std::max<std::size_t>(decision.round_count, 1)),
      has_rule_(decision.round_count == 0),
      reason_(std::move(decision.reason)),
      searches_(candidates_.size()) {
  if (has_rule_) tuning_.choose(candidates_.size() - 1);
}

void Tuner::note_size(std::uint64_t bytes) {
  if (measured_bytes_ == 0) measured_bytes_ = bytes;
  others_ = bytes == measured_bytes_ ? 0 : others_ + 1;
  if (is_decided() || others_ < most_others) return;
  measured_bytes_ = bytes;
  others_ = 0;
  call_count_ = trial_count_ = 0;
  searches_.assign(searches_.size(), {});
  for (AlltoallCandidate& candidate : candidates_)
    if (candidate.slot_tau_seconds) candidate.slot_tau_seconds = 0;
  tuning_.restart();
}

/// Counts a call, and returns whether it may be measured.
bool Tuner::is_within_limit() {
  ++call_count_;
  if (!has_limit_ || call_count_ <= free_trials) return true;
  if ((trial_count_ + 1) * trial_share > call_count_) return false;
  ++trial_count_;
  return true;
}

/// Returns whether the next call is measured to check the choice.
bool Tuner::checks(std::uint64_t bytes) const {
  return compares_one_size() && bytes == measured_bytes_ && tuning_.can_check() &&
         (tuning_.is_doubtful() || std::has_single_bit(settled_count_ + 1));
}

bool Tuner::passes_unmeasured(std::uint64_t bytes) {
  if (!is_decided() || checks(bytes)) return false;
  if (bytes == measured_bytes_) ++settled_count_;
  return true;
}

Tuner::NextCall Tuner::next(std::uint64_t bytes) {
  if (compares_one_size()) note_size(bytes);
  if (is_decided()) {
    const std::size_t chosen = tuning_.best();
    return {chosen, !passes_unmeasured(bytes)};
  }
  if (!measures(bytes)) return {tuning_.best(), false};
  if (!is_within_limit()) return {tuning_.best(), false};
  measured_bytes_ = bytes;
  return {tuning_.next(), true};
}

void Tuner::record(double seconds) {
  if (!std::isfinite(seconds)) return;
  if (is_decided()) return check(seconds);
  const double most_bytes = std::ldexp(1.0, static_cast<int>(std::bit_width(measured_bytes_)));
  const double scale =
      compares_one_size() ? 1 : most_bytes / static_cast<double>(std::max<std::uint64_t>(measured_bytes_, 1));
  const std::size_t measured = tuning_.next();
  tuning_.record(seconds * scale);
  if (candidates_[measured].slot_tau_seconds) change_slots(measured, seconds);
  set_slots();
}

void Tuner::check(double seconds) {
  ++settled_count_;
  if (!tuning_.can_check()) return;
  const std::size_t checked = tuning_.best();
  tuning_.check(seconds);
  if (tuning_.best() != checked) settled_count_ = 0;
}

/// Returns when the slots of a candidate by the clock end, after their common start.
double Tuner::end_of_slots(const AlltoallCandidate& candidate) const {
  return candidate.slot_blocks * static_cast<double>(measured_bytes_) * *candidate.slot_tau_seconds;
}

/// Gives slots to the next candidate if it needs some. Those whose slots would be too short are left out.
void Tuner::set_slots() {
  while (!is_decided() && candidates_[tuning_.next()].has_no_slots_yet()) {
    const std::size_t next = tuning_.next();
    AlltoallCandidate& candidate = candidates_[next];
    const double seconds = first_slots * tuning_.shortest_of_all();
    if (!std::isfinite(seconds) || seconds < least_slot_seconds * candidate.slot_blocks) {
      tuning_.leave_out(next);
    } else {
      candidate.slot_tau_seconds = seconds / (candidate.slot_blocks * static_cast<double>(measured_bytes_));
    }
  }
}

/// Makes the slots of a candidate shorter after a call that has kept up with them. The first call that does not ends
/// the search: it takes the earlier slots again if a call with them was shorter.
void Tuner::change_slots(std::size_t candidate, double seconds) {
  SlotSearch& search = searches_[candidate];
  if (is_decided() || search.is_over || tuning_.is_left_out(candidate)) return;
  double& tau = *candidates_[candidate].slot_tau_seconds;
  const double end = end_of_slots(candidates_[candidate]);
  if (seconds > most_by_chance * end && !search.has_met_chance) {
    search.has_met_chance = true;
    return tuning_.replace_times(candidate, std::nullopt);
  }
  const bool has_lost = search.tau_seconds > 0 && seconds > search.call_seconds;
  if (seconds <= most_late * end) {
    search.tau_seconds = tau;
    search.call_seconds = seconds;
    tau *= shorter_slots;
    return tuning_.replace_times(candidate, std::nullopt);
  }
  search.is_over = true;
  if (!has_lost) return;
  tau = search.tau_seconds;
  tuning_.replace_times(candidate, search.call_seconds);
}

std::size_t Tuner::leave_out(std::size_t candidate) {
  tuning_.leave_out(candidate);
  set_slots();
  return tuning_.next();
}

void Tuner::choose(const AlltoallCandidate& candidate, const std::string& origin) {
  const auto found = std::ranges::find(candidates_, candidate);
  if (found == candidates_.end() || (found->slot_tau_seconds && !candidate.slot_tau_seconds)) return;
  if (found->slot_tau_seconds) found->slot_tau_seconds = candidate.slot_tau_seconds;
  tuning_.choose(static_cast<std::size_t>(found - candidates_.begin()));
  origin_ = origin;
}

std::optional<MedianSeconds> Tuner::medians() const {
  const auto first = tuning_.median_seconds(0);
  const auto chosen = tuning_.median_seconds(tuning_.best());
  if (!is_decided() || !first || !chosen) return std::nullopt;
  return MedianSeconds{*first, *chosen};
}

std::string Tuner::text() const {
  if (!reason_.empty()) return reason_;
  const bool names_size = compares_one_size() && measured_bytes_ > 0 && origin_.empty();
  const char* const sized = kind_ == CallKind::vector ? "vectors" : "blocks";
  return tuning_.text() + origin_ +
         (names_size ? fmt::format(" ({} of {} bytes)", sized, measured_bytes_) : "");
}

}  // namespace cubefold
