#include "exchange_run.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace cubefold::mpi {

namespace {

RunLength length_of(const Executor& executor, const ExchangeMemory& memory) {
  const std::size_t piece = executor.piece_bytes(memory.block_bytes);
  const std::size_t rounds = piece == 0 ? 0 : (memory.block_bytes + piece - 1) / piece;
  return {rounds, executor.program().step_count, memory.block_bytes, piece};
}

}  // namespace

ExchangeRun::ExchangeRun(const Executor& executor, const ExchangeMemory& memory, Rank rank,
                         const RunSpace& space, std::byte* scratch, SizeCheck size_check)
    : executor_(executor),
      memory_(memory),
      rank_(rank),
      space_(space),
      scratch_(scratch),
      length_(length_of(executor, memory)),
      pace_(executor.rules(), length_, space) {
  executor.require_countable(memory.block_bytes);
  if (size_check == SizeCheck::equal) size_check_.emplace(memory.block_bytes, space);
}

void ExchangeRun::begin_round(std::size_t number) {
  round_number_ = number;
  const RoundMemory pieces(memory_, scratch_, length_.piece_bytes, number);
  if (pieces.has_calls()) pass_own_packet(pieces);
  round_.emplace(executor_, pieces, scratch_ + executor_.program().scratch_slots * memory_.block_bytes,
                 executor_.room_bytes(memory_), space_);
}

// Whole and once: where blocks have sizes of their own, this one may be longer than all that travel.
void ExchangeRun::copy_own_block() {
  const RoundMemory whole(memory_, scratch_, std::numeric_limits<std::size_t>::max(), 0);
  const Slot own = label(rank_);
  if (!whole.has_calls()) whole.read(Area::send, own, 1, whole.piece(Area::receive, own).data());
}

void ExchangeRun::pass_own_packet(const RoundMemory& pieces) {
  const Slot own = label(rank_);
  std::vector<std::byte> packet(pieces.piece_size(Area::send, own));
  pieces.read(Area::send, own, 1, packet.data());
  pieces.write(Area::receive, own, 1, packet.data());
}

bool ExchangeRun::is_checked() {
  if (size_check_ && size_check_->advance()) size_check_.reset();
  return !size_check_;
}

bool ExchangeRun::advance() {
  if (is_over_) return false;
  try {
    return is_checked() && move();
  } catch (...) {
    end_with(std::current_exception());
    return true;
  }
}

void ExchangeRun::end_with(std::exception_ptr failure) noexcept {
  failure_ = std::move(failure);
  is_over_ = true;
  round_.reset();
}

bool ExchangeRun::move() {
  if (!std::exchange(has_begun_, true)) copy_own_block();
  if (!round_ && round_number_ < length_.round_count) begin_round(round_number_);
  const std::size_t open_step = round_ ? round_->first_open_step() : 0;
  bool any = pace_.advance(round_number_ * length_.step_count + open_step);
  if (round_) any = round_->advance(pace_, round_number_) || any;
  if (round_ && round_->is_over()) {
    round_.reset();
    ++round_number_;
    any = true;
  }
  is_over_ = round_number_ >= length_.round_count && pace_.is_over();
  return any || is_over_;
}

}  // namespace cubefold::mpi
