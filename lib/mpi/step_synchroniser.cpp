#include "step_synchroniser.hpp"

#include <algorithm>
#include <utility>

#include "left_memory.hpp"

namespace cubefold::mpi {

namespace {

/// Returns the number of steps between two barriers. The clock needs one for a common start. Tokens need one for each
/// round, so that the tokens of one round do not match receives of the next.
std::size_t steps_between_barriers(StepSync sync, const RunLength& length) {
  switch (sync) {
    case StepSync::data:
      return 0;
    case StepSync::clock:
      return length.steps();
    case StepSync::tokens:
      return length.step_count;
    case StepSync::barriers:
      return 1;
  }
  return 0;
}

std::chrono::steady_clock::duration duration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

}  // namespace

Dissemination::Dissemination(const TagRange& tags, std::optional<std::uint64_t> number) : tags_(tags) {
  check(MPI_Comm_rank(tags.comm, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(tags.comm, &size_), "MPI_Comm_size");
  known_ = size_;
  if (!number) return;
  numbers_ = std::make_unique<std::vector<std::uint64_t>>(static_cast<std::size_t>(size_));
  numbers_->front() = *number;
}

Dissemination::~Dissemination() {
  if (!messages_.empty()) leave_to_mpi(std::move(numbers_));
}

void Dissemination::begin() {
  known_ = 1;
  if (known_ < size_) begin_round();
}

void Dissemination::begin_round() {
  const int above = (rank_ + known_) % size_;
  const int below = (rank_ - known_ + size_) % size_;
  const int count = numbers_ ? std::min(known_, size_ - known_) : 0;
  const int bytes = count * static_cast<int>(sizeof(std::uint64_t));
  std::uint64_t* own = numbers_ ? numbers_->data() : nullptr;
  std::uint64_t* arriving = numbers_ ? own + known_ : nullptr;
  messages_.receive(above, arriving, bytes, above, tags_.barrier_tag(), tags_.comm);
  messages_.send(below, own, bytes, below, tags_.barrier_tag(), tags_.comm);
}

bool Dissemination::advance() {
  const bool any = messages_.end_some([](int, const MPI_Status&) {});
  if (known_ >= size_ || !messages_.empty()) return any;
  known_ *= 2;
  if (known_ < size_) begin_round();
  return true;
}

bool TokenTraffic::advance(std::size_t send_limit, std::size_t receives_over) {
  while (!awaited_.all_begun() && tokens_.awaited[awaited_.begun()].send < send_limit) {
    const std::size_t index = awaited_.begin();
    const int from = static_cast<int>(label(tokens_.awaited[index].from));
    requests_.receive({false, index}, nullptr, 0, from, tags_.token_tag(), tags_.comm);
  }
  while (!given_.all_begun() && tokens_.given[given_.begun()].receive < receives_over) {
    const std::size_t index = given_.begin();
    const int to = static_cast<int>(label(tokens_.given[index].to));
    requests_.send({true, index}, nullptr, 0, to, tags_.token_tag(), tags_.comm);
  }
  return requests_.end_some(
      [&](const Token& token, const MPI_Status&) { (token.is_given ? given_ : awaited_).end(token.index); });
}

std::vector<int> TokenTraffic::awaited(std::size_t send) const {
  std::vector<int> ranks;
  for (const Token& token : requests_.under_way()) {
    if (token.is_given || tokens_.awaited[token.index].send > send) continue;
    ranks.push_back(static_cast<int>(label(tokens_.awaited[token.index].from)));
  }
  return ranks;
}

StepSynchroniser::StepSynchroniser(const AlltoallSetup& setup, const RunLength& length, const TagRange& tags)
    : setup_(setup), length_(length), steps_per_barrier_(steps_between_barriers(setup.sync, length)) {
  if (steps_per_barrier_ == 0) {
    open_steps_ = length.steps();
  } else {
    barrier_.emplace(tags);
  }
}

bool StepSynchroniser::advance(std::size_t first_open_step) {
  if (is_over() || (!has_joined_ && first_open_step < open_steps_)) return false;
  if (!has_joined_) barrier_->begin();
  const bool any = barrier_->advance() || !has_joined_;
  has_joined_ = !barrier_->is_passed();
  if (has_joined_) return any;
  if (setup_.sync == StepSync::clock) start_clock();
  open_steps_ += steps_per_barrier_;
  return true;
}

void StepSynchroniser::start_clock() {
  slots_.emplace(setup_.times, length_.block_bytes, length_.piece_bytes);
  start_ = Clock::now();
}

bool StepSynchroniser::may_begin(std::size_t round, std::size_t step) {
  if (round * length_.step_count + step >= open_steps_) return false;
  if (!slots_) return true;
  slots_->go_to(round, step);
  return Clock::now() >= start_ + duration(slots_->begin());
}

void StepSynchroniser::note_begin(std::size_t round, std::size_t step) {
  if (!slots_) return;
  slots_->go_to(round, step);
  const auto late = Clock::now() - start_ - duration(slots_->begin() + slots_->length());
  if (late > Clock::duration::zero()) start_ += late;
}

}  // namespace cubefold::mpi
