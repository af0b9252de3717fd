#include "step_synchroniser.hpp"

#include <algorithm>
#include <utility>

#include "leaked_memory.hpp"

namespace cubefold::mpi {

namespace {

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
  if (!messages_.empty()) leak_to_mpi(std::move(numbers_));
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
  messages_.receive(above, arriving, bytes, above, tags_.control_tag(), tags_.comm);
  messages_.send(below, own, bytes, below, tags_.control_tag(), tags_.comm);
}

bool Dissemination::advance() {
  const bool any = messages_.end_some([](int, const MPI_Status&) {});
  if (known_ >= size_ || !messages_.empty()) return any;
  known_ *= 2;
  if (known_ < size_) begin_round();
  return true;
}

StepSynchroniser::StepSynchroniser(const AlltoallSetup& setup, const RunLength& length, const TagRange& tags)
    : setup_(setup), length_(length), is_open_(setup.sync == StepSync::data || length.steps() == 0) {
  if (!is_open_) barrier_.emplace(tags);
}

bool StepSynchroniser::advance() {
  if (is_open_) return false;
  const bool joins = !std::exchange(has_joined_, true);
  if (joins) barrier_->begin();
  const bool any = barrier_->advance() || joins;
  if (!barrier_->is_passed()) return any;
  is_open_ = true;
  start_clock();
  return true;
}

void StepSynchroniser::start_clock() {
  slots_.emplace(setup_.times, length_.block_bytes, length_.piece_bytes);
  start_ = Clock::now();
}

bool StepSynchroniser::may_begin(std::size_t round, std::size_t step) {
  if (!is_open_) return false;
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
