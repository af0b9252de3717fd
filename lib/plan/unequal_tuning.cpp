#include "unequal_tuning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace cubefold {

namespace {

constexpr std::size_t countable_width = std::numeric_limits<std::int32_t>::digits;

}  // namespace

bool UnequalTuning::mpi_can_count(const SizeClass& size_class) {
  return size_class.process_width <= countable_width;
}

bool UnequalTuning::allows(UnequalBackend backend, const SizeClass& size_class) const {
  const auto [process_width, largest_width, may_travel_at_once] = size_class;
  switch (backend) {
    case UnequalBackend::mpi:
      return mpi_can_count(size_class);
    case UnequalBackend::linear:
      return may_travel_at_once;
    case UnequalBackend::narrow:
    case UnequalBackend::wide:
    case UnequalBackend::nodes:
      return true;
    case UnequalBackend::by_size:
      break;
  }
  // All numbers of a bit width w are at least 2^(w - 1).
  const std::uint64_t least_bytes = 4 * sizeof(std::uint32_t) * rank_count_ * rank_count_;
  return rank_count_ <= most_ranks_by_size && largest_width <= countable_width && process_width > 0 &&
         std::uint64_t{1} << (process_width - 1) >= least_bytes;
}

UnequalTuning::Measurements UnequalTuning::new_measurements(const UnequalSizes& sizes) const {
  const SizeClass size_class = class_of(sizes);
  std::vector<UnequalBackend> allowed;
  std::vector<TuningCandidate> candidates;
  for (const auto& [backend, name] : backends_) {
    if (!allows(backend, size_class)) continue;
    allowed.push_back(backend);
    candidates.push_back({name});
  }
  if (allowed.empty()) {
    allowed.push_back(UnequalBackend::narrow);
    candidates.push_back({"steps"});
  }
  ExchangeTuning tuning(std::move(candidates), std::max<std::size_t>(round_count_, 1));
  if (round_count_ == 0) tuning.choose(allowed.size() - 1);
  Measurements result;
  result.try_emplace(size_class, Measured{std::move(allowed), std::move(tuning)});
  return result;
}

UnequalBackend UnequalTuning::begin(const UnequalSizes& sizes) {
  const SizeClass size_class = class_of(sizes);
  Measured& measured = measured_.find(size_class)->second;
  if (!measured.tuning.is_chosen()) {
    pending_ = size_class;
    pending_seconds_ = std::numeric_limits<double>::infinity();
    const double most_bytes = std::ldexp(1.0, static_cast<int>(std::bit_width(sizes.process_bytes)));
    scale_ = most_bytes / static_cast<double>(std::max<std::uint64_t>(sizes.process_bytes, 1));
  }
  return measured.backends[measured.tuning.next()];
}

void UnequalTuning::end(double seconds) {
  if (pending_) pending_seconds_ = seconds;
}

void UnequalTuning::record_last_time(double seconds) {
  if (pending_ && std::isfinite(seconds)) measured_.find(*pending_)->second.tuning.record(seconds * scale_);
  pending_.reset();
  pending_seconds_ = 0;
}

bool UnequalTuning::is_measuring(const UnequalSizes& sizes) const {
  const auto found = measured_.find(class_of(sizes));
  return found == measured_.end() ? round_count_ > 0 : !found->second.tuning.is_chosen();
}

std::string UnequalTuning::text(const UnequalSizes& sizes) const {
  const auto found = measured_.find(class_of(sizes));
  return round_count_ == 0 || found == measured_.end() ? rule() : found->second.tuning.text();
}

std::string UnequalTuning::rule() const {
  std::vector<std::string> names;
  for (const auto& [backend, name] : backends_) names.push_back(name);
  if (round_count_ == 0) return fmt::format("{} within its limits of size", names.back());
  return fmt::format("measured calls choose between: {}", fmt::join(names, "; "));
}

}  // namespace cubefold
