#include "alltoall_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

void BlockBuffer::set(TypedBlocks blocks, BufferMode mode) {
  is_packed_ = mode == BufferMode::packed || !blocks.is_dense();
  blocks_ = std::move(blocks);
  if (is_packed_) packed_.resize(blocks_.total_bytes());
}

void BlockBuffer::reserve(const TypedBlocks& blocks, BufferMode mode) {
  if (mode == BufferMode::packed || !blocks.is_dense()) packed_.reserve(blocks.total_bytes());
  offsets_.reserve(blocks.block_count());
  sizes_.reserve(blocks.block_count());
}

std::byte* BlockBuffer::memory() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): a run does not write to what is sent
  return is_packed_ ? packed_.data() : const_cast<std::byte*>(blocks_.memory());
}

const BlockTable& BlockBuffer::table() {
  offsets_.clear();
  sizes_.clear();
  std::size_t next = 0;
  for (std::size_t block = 0; block < blocks_.block_count(); ++block) {
    offsets_.push_back(is_packed_ ? next : static_cast<std::size_t>(blocks_.offset(block)));
    sizes_.push_back(blocks_.block_bytes(block));
    next += sizes_.back();
  }
  table_ = {offsets_, sizes_};
  return table_;
}

void BlockBuffer::pack(MPI_Comm comm) {
  if (is_packed_) blocks_.pack(packed_.data(), comm);
}

void BlockBuffer::unpack(MPI_Comm comm) const {
  if (is_packed_) blocks_.unpack(packed_.data(), comm);
}

AlltoallRequest::AlltoallRequest(const AlltoallPlan& plan, std::shared_ptr<const AlltoallPlan> owner)
    : plan_(&plan), owner_(std::move(owner)) {}

AlltoallRequest::~AlltoallRequest() {
  if (run_) context().leave(*run_);
}

// Blocks must not be sent from memory into which others are received, so an exchange in place packs the sent blocks
// first.
void AlltoallRequest::set_buffers(std::optional<TypedBlocks> sent, TypedBlocks received) {
  const BufferMode mode = sent ? BufferMode::direct : BufferMode::packed;
  received_.set(std::move(received), BufferMode::direct);
  sent_.set(std::move(sent).value_or(received_.blocks()), mode);
}

void AlltoallRequest::bind(const AlltoallBuffers& buffers) {
  const std::size_t rank_count = plan_->program().rank_count;
  TypedBlocks received(buffers.receive, buffers.receive_count, buffers.receive_type, rank_count);
  std::optional<TypedBlocks> sent;
  if (buffers.send != MPI_IN_PLACE) {
    sent = buffers.send_type == buffers.receive_type
               ? received.elsewhere(buffers.send, buffers.send_count)
               : TypedBlocks(buffers.send, buffers.send_count, buffers.send_type, rank_count);
  }
  const std::size_t block_bytes = received.block_bytes(0);
  if (sent && sent->block_bytes(0) != block_bytes) {
    throw std::invalid_argument(fmt::format("blocks of {} bytes are sent but blocks of {} bytes received",
                                            sent->block_bytes(0), block_bytes));
  }
  set_buffers(std::move(sent), std::move(received));
  memory_ = {sent_.memory(), received_.memory(), block_bytes};
  compares_sizes_ = context().is_checked();
}

void AlltoallRequest::bind(std::optional<TypedBlocks> sent, TypedBlocks received, std::size_t largest_bytes) {
  set_buffers(std::move(sent), std::move(received));
  memory_ = {sent_.memory(), received_.memory(), largest_bytes, &sent_.table(), &received_.table()};
  compares_sizes_ = false;
}

void AlltoallRequest::bind(const PacketCalls& calls, std::size_t block_bytes) {
  if (!calls.produce || !calls.consume) throw std::invalid_argument("a call-back is missing");
  memory_ = {};
  memory_.block_bytes = block_bytes;
  memory_.calls = &calls;
  compares_sizes_ = context().is_checked();
}

void AlltoallRequest::reserve(const ExchangeMemory& memory) {
  if (!own_) own_ = std::make_unique<RunMemory>();  // after keep_memory()
  auto& scratch = own_->scratch;
  scratch.resize(std::max(scratch.size(), plan_->scratch_bytes(memory)));
}

void AlltoallRequest::use(std::shared_ptr<const AlltoallPlan> plan, std::shared_ptr<double> seconds) {
  plan_ = plan.get();
  owner_ = std::move(plan);
  seconds_ = std::move(seconds);
}

void AlltoallRequest::start() {
  context().collectively([&] { start_here(); });
}

void AlltoallRequest::start_here() {
  if (run_) throw std::invalid_argument("the exchange is under way; wait for it before it is started again");
  reserve();
  if (memory_.calls == nullptr) sent_.pack(context().comm());
  const std::uint64_t number = context().next_number();
  const TagRange tags{context().comm(), context().first_tag(number), number};
  run_.emplace(*plan_, memory_, tags, own_->scratch.data(), compares_sizes_,
               std::exchange(seconds_, nullptr));
  try {
    context().start(*run_);
  } catch (...) {
    run_.reset();
    throw;
  }
  context().advance();
}

void AlltoallRequest::keep_memory() noexcept {
  own_->packed = sent_.release();
  context().keep(std::move(own_));
}

void AlltoallRequest::require_running() const {
  if (!run_) throw std::invalid_argument("the exchange has not been started");
}

bool AlltoallRequest::has_ended() {
  require_running();
  return context().test(*run_);
}

bool AlltoallRequest::test() {
  const bool is_over = has_ended();
  if (is_over) finish();
  return is_over;
}

void AlltoallRequest::wait(const std::function<void()>& look) {
  require_running();
  context().wait(*run_, look);
  finish();
}

void AlltoallRequest::finish() {
  context().leave(*run_);
  const auto failure = run_->failure();
  if (failure && run_->has_begun()) keep_memory();
  run_.reset();
  if (failure) std::rethrow_exception(failure);
  if (memory_.calls == nullptr) received_.unpack(context().comm());
}

}  // namespace cubefold::mpi
