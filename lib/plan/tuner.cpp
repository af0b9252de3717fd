#include "tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace cubefold {

namespace {

std::vector<TuningCandidate> tuning_candidates(const std::vector<AlltoallCandidate>& candidates) {
  std::vector<TuningCandidate> result;
  result.reserve(candidates.size());
  for (const AlltoallCandidate& candidate : candidates)
    result.push_back({to_string(candidate), candidate.predicted_seconds});
  return result;
}

}  // namespace

Tuner::Tuner(CallKind kind, Decision decision)
    : kind_(kind),
      candidates_(std::move(decision.candidates)),
      tuning_(tuning_candidates(candidates_), std::max<std::size_t>(decision.round_count, 1)),
      has_rule_(decision.round_count == 0),
      reason_(std::move(decision.reason)) {
  if (has_rule_) tuning_.choose(candidates_.size() - 1);
}

void Tuner::note_size(std::uint64_t bytes) {
  if (measured_bytes_ == 0) measured_bytes_ = bytes;
  others_ = bytes == measured_bytes_ ? 0 : others_ + 1;
  if (is_decided() || others_ < most_others) return;
  measured_bytes_ = bytes;
  others_ = 0;
  tuning_.restart();
}

Tuner::NextCall Tuner::next(std::uint64_t bytes) {
  if (compares_one_size()) note_size(bytes);
  if (!measures(bytes)) return {tuning_.best(), false};
  measured_bytes_ = bytes;
  return {tuning_.next(), true};
}

void Tuner::record(double seconds) {
  if (is_decided() || !std::isfinite(seconds)) return;
  const double most_bytes = std::ldexp(1.0, static_cast<int>(std::bit_width(measured_bytes_)));
  const double scale =
      compares_one_size() ? 1 : most_bytes / static_cast<double>(std::max<std::uint64_t>(measured_bytes_, 1));
  tuning_.record(seconds * scale);
}

std::size_t Tuner::leave_out(std::size_t candidate) {
  tuning_.leave_out(candidate);
  return tuning_.next();
}

void Tuner::choose(const AlltoallCandidate& candidate, const std::string& origin) {
  const auto found = std::ranges::find(candidates_, candidate);
  if (found == candidates_.end()) return;
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
  return tuning_.text() + origin_ + (names_size ? fmt::format(" (blocks of {} bytes)", measured_bytes_) : "");
}

}  // namespace cubefold
