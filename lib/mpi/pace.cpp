#include "pace.hpp"

namespace cubefold::mpi {

namespace {

/// The clock needs a common start. Tokens are about one round, and nobody's may be taken for those of the next.
std::size_t steps_between_barriers(Pacing pacing, const RunLength& length) {
  switch (pacing) {
    case Pacing::data:
      return 0;
    case Pacing::clock:
      return length.steps();
    case Pacing::tokens:
      return length.step_count;
    case Pacing::barriers:
      return 1;
  }
  return 0;
}

}  // namespace

Pace::Pace(const RunRules& rules, const RunLength& length, const RunSpace& space)
    : rules_(rules),
      length_(length),
      steps_per_barrier_(steps_between_barriers(rules.pacing, length)),
      barrier_(space) {
  if (steps_per_barrier_ == 0) open_steps_ = length.steps();
}

bool Pace::advance(std::size_t first_open_step) {
  if (is_over() || (!has_joined_ && first_open_step < open_steps_)) return false;
  if (!has_joined_) barrier_.begin();
  const bool any = barrier_.advance() || !has_joined_;
  has_joined_ = !barrier_.is_passed();
  if (has_joined_) return any;
  if (rules_.pacing == Pacing::clock) clock_.emplace(rules_.times, length_.block_bytes, length_.piece_bytes);
  open_steps_ += steps_per_barrier_;
  return true;
}

bool Pace::may_begin(std::size_t round, std::size_t step) {
  if (round * length_.step_count + step >= open_steps_) return false;
  return !clock_ || clock_->is_time_for(round, step);
}

void Pace::begins(std::size_t round, std::size_t step) {
  if (clock_) clock_->begins(round, step);
}

}  // namespace cubefold::mpi
