#include "cubefold/schedule/step_sync.hpp"

#include <algorithm>

namespace cubefold {

std::string_view to_string(StepSync sync) {
  switch (sync) {
    case StepSync::data:
      return "data";
    case StepSync::clock:
      break;
  }
  return "clock";
}

namespace {

double wait_count(const StepGroup& group) {
  switch (group.waits) {
    case Waits::none:
      return 0;
    case Waits::first:
      return 1;
    case Waits::each:
      break;
  }
  return static_cast<double>(group.steps);
}

double seconds_of_round(const StepTimes& times, std::size_t piece_bytes) {
  double seconds = 0;
  for (const StepGroup& group : times.groups) {
    seconds += static_cast<double>(group.steps) * times.step_seconds(group, piece_bytes) +
               wait_count(group) * times.wait_seconds();
  }
  return seconds;
}

}  // namespace

double StepTimes::step_seconds(const StepGroup& group, std::size_t block_bytes) const {
  const double bytes = group.block_times() * static_cast<double>(block_bytes);
  return static_cast<double>(group.startups) * gap_seconds + bytes * tau_seconds_per_byte;
}

double StepTimes::seconds(std::size_t block_bytes, std::size_t piece_bytes) const {
  if (piece_bytes == 0 || piece_bytes >= block_bytes) return seconds_of_round(*this, block_bytes);
  const std::size_t rest = block_bytes % piece_bytes;
  const std::size_t whole_pieces = block_bytes / piece_bytes;
  return static_cast<double>(whole_pieces) * seconds_of_round(*this, piece_bytes) +
         (rest == 0 ? 0 : seconds_of_round(*this, rest));
}

StepSlots::StepSlots(const StepTimes& times, std::size_t block_bytes, std::size_t piece_bytes)
    : times_(&times),
      block_bytes_(block_bytes),
      piece_bytes_(piece_bytes == 0 ? block_bytes : std::min(piece_bytes, block_bytes)) {}

std::size_t StepSlots::bytes_of_round() const {
  return std::min(piece_bytes_, block_bytes_ - std::min(block_bytes_, round_ * piece_bytes_));
}

void StepSlots::enter_next_group() {
  const StepGroup& left = times_->groups[group_];
  const double waits_within = left.waits == Waits::each ? wait_count(left) - 1 : 0;
  first_begin_ += static_cast<double>(left.steps) * times_->step_seconds(left, bytes_of_round()) +
                  waits_within * times_->wait_seconds();
  first_step_ += left.steps;
  if (++group_ == times_->groups.size()) {
    group_ = first_step_ = 0;
    ++round_;
  }
  if (times_->groups[group_].waits != Waits::none) first_begin_ += times_->wait_seconds();
}

void StepSlots::go_to(std::size_t round, std::size_t step) {
  if (!times_->slots.empty()) {
    begin_ = times_->slots[step].begin_seconds;
    length_ = times_->slots[step].length_seconds;
    return;
  }
  const auto& groups = times_->groups;
  if (groups.empty()) return;
  const auto lies_behind = [&] {
    return round_ < round || (group_ + 1 < groups.size() && step >= first_step_ + groups[group_].steps);
  };
  while (lies_behind()) enter_next_group();
  const StepGroup& group = groups[group_];
  length_ = times_->step_seconds(group, bytes_of_round());
  const double apart = length_ + (group.waits == Waits::each ? times_->wait_seconds() : 0);
  begin_ = first_begin_ + static_cast<double>(step - first_step_) * apart;
}

}  // namespace cubefold
