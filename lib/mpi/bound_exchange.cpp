#include "bound_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

BoundExchange::~BoundExchange() {
  if (run_) exchanger_.space->leave(*run_);
}

// Blocks may not be sent from where others arrive, so what is exchanged in place is packed first.
void BoundExchange::set_buffers(std::optional<TypedBlocks> sent, TypedBlocks received) {
  const Held held = sent ? Held::in_place : Held::packed;
  received_.set(std::move(received), Held::in_place);
  sent_.set(sent ? std::move(*sent) : received_.blocks(), held);
}

void BoundExchange::bind(std::optional<TypedBlocks> sent, TypedBlocks received) {
  const std::size_t block_bytes = received.block_bytes(0);
  if (sent && sent->block_bytes(0) != block_bytes) {
    throw std::invalid_argument(fmt::format("blocks of {} bytes are sent but blocks of {} bytes received",
                                            sent->block_bytes(0), block_bytes));
  }
  exchanger_.executor->require_countable(block_bytes);
  set_buffers(std::move(sent), std::move(received));
  memory_ = {sent_.memory(), received_.memory(), block_bytes};
  size_check_ = exchanger_.space->is_checked() ? SizeCheck::equal : SizeCheck::none;
}

void BoundExchange::bind_unequal(std::optional<TypedBlocks> sent, TypedBlocks received,
                                 std::size_t largest_bytes) {
  set_buffers(std::move(sent), std::move(received));
  memory_ = {sent_.memory(), received_.memory(), largest_bytes, &sent_.table(), &received_.table()};
  size_check_ = SizeCheck::none;
}

void BoundExchange::bind(const PacketCalls& calls, std::size_t block_bytes) {
  if (!calls.produce || !calls.consume) throw std::invalid_argument("a call-back is missing");
  exchanger_.executor->require_countable(block_bytes);
  memory_ = {};
  memory_.block_bytes = block_bytes;
  memory_.calls = &calls;
  size_check_ = exchanger_.space->is_checked() ? SizeCheck::equal : SizeCheck::none;
}

void BoundExchange::reserve(std::size_t block_bytes) {
  exchanger_.executor->require_countable(block_bytes);
  auto& scratch = own_->scratch;
  scratch.resize(std::max(scratch.size(), exchanger_.executor->scratch_bytes(block_bytes)));
}

void BoundExchange::start() {
  if (run_) throw std::invalid_argument("the exchange is under way; wait for it before it is started again");
  ExchangeSpace& space = *exchanger_.space;
  auto& scratch = own_->scratch;
  scratch.resize(std::max(scratch.size(), exchanger_.executor->scratch_bytes(memory_)));
  if (memory_.calls == nullptr) sent_.pack(space.comm());
  const std::uint64_t number = space.next_number();
  run_.emplace(*exchanger_.executor, memory_, exchanger_.rank,
               RunSpace{space.comm(), space.first_tag(number), number}, scratch.data(), size_check_);
  try {
    space.start(*run_);
  } catch (...) {
    run_.reset();
    throw;
  }
  space.advance();
}

void BoundExchange::keep_memory() noexcept {
  own_->packed = sent_.release();
  exchanger_.space->keep(std::move(own_));
}

void BoundExchange::run_library() {
  ExchangeSpace& space = *exchanger_.space;
  space.drain();
  sent_.pack(space.comm());
  const int bytes = message_bytes(1, memory_.block_bytes);
  check(MPI_Alltoall(sent_.memory(), bytes, MPI_BYTE, received_.memory(), bytes, MPI_BYTE, space.comm()),
        "MPI_Alltoall");
  received_.unpack(space.comm());
}

void BoundExchange::require_running() const {
  if (!run_) throw std::invalid_argument("the exchange has not been started");
}

bool BoundExchange::test() {
  require_running();
  const bool is_over = exchanger_.space->test(*run_);
  if (is_over) finish();
  return is_over;
}

void BoundExchange::wait() {
  require_running();
  exchanger_.space->wait(*run_);
  finish();
}

void BoundExchange::finish() {
  exchanger_.space->leave(*run_);
  const auto failure = run_->failure();
  if (failure && run_->has_begun()) keep_memory();
  run_.reset();
  if (failure) std::rethrow_exception(failure);
  if (memory_.calls == nullptr) received_.unpack(exchanger_.space->comm());
}

}  // namespace cubefold::mpi
