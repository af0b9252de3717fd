#include "candidate_trials.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace cubefold::mpi {

CandidateTrials::CandidateTrials(std::shared_ptr<CommContext> context, Tuner tuner, TunedExchange exchange,
                                 std::shared_ptr<TuningStore> store)
    : context_(std::move(context)),
      tuner_(std::move(tuner)),
      exchange_(std::move(exchange)),
      store_(std::move(store)),
      pending_seconds_(std::make_shared<double>(0)) {
  const TunedChoice* known = store_ ? store_->find(exchange_) : nullptr;
  if (known == nullptr) return;
  tuner_.choose(known->candidate, fmt::format(", found by an earlier run with blocks of {} bytes: {:.4g} ms",
                                              known->block_bytes, known->seconds * 1e3));
}

// Processes that come to a measured call wait for one another here, where they also learn of a failure.
CandidateTrials::NextCall CandidateTrials::next(std::uint64_t bytes, bool have_agreed) {
  have_agreed = record_last_time() || have_agreed;
  const Tuner::NextCall call = tuner_.next(bytes);
  if (!call.is_measured) return {call.candidate, nullptr};
  *pending_seconds_ = std::numeric_limits<double>::infinity();
  is_pending_ = true;
  if (!have_agreed) context_->largest(0);
  return {call.candidate, pending_seconds_};
}

void CandidateTrials::record(double seconds) {
  is_pending_ = false;
  const bool was_decided = tuner_.is_decided();
  const std::size_t before = tuner_.best();
  tuner_.record(seconds);
  const std::size_t best = tuner_.best();
  if (!tuner_.is_decided() || !store_ || (was_decided && best == before)) return;
  if (const auto median = tuner_.tuning().median_seconds(best))
    store_->add(exchange_, tuner_.candidates()[best], *median, tuner_.measured_bytes());
}

// The exchanges that are under way are completed first, because one of them may be the measured one.
bool CandidateTrials::record_last_time() {
  if (!is_pending_) return false;
  context_->drain();
  record(context_->largest(*pending_seconds_));
  return true;
}

std::string CandidateTrials::text() const {
  const bool has_failed = store_ && !store_->failure().empty();
  return tuner_.text() + (has_failed ? fmt::format("; {}", store_->failure()) : "");
}

}  // namespace cubefold::mpi
