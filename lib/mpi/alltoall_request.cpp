#include "alltoall_request.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

AlltoallRequest::AlltoallRequest(const AlltoallPlan& plan, std::shared_ptr<const AlltoallPlan> owner)
    : plan_(&plan), owner_(std::move(owner)) {}

AlltoallRequest::~AlltoallRequest() {
  if (run_) context().leave(*run_);
}

// Blocks must not be sent from memory into which others are received, so an exchange in place packs the sent blocks
// first.
void AlltoallRequest::bind(const Sides& sides, std::size_t largest_bytes, bool outlives_arguments) {
  received_.set(sides.received, {.outlives_arguments = outlives_arguments});
  sent_.set(sides.outgoing(), {sides.sent.are_in_place(), outlives_arguments});
  memory_ = {sent_.memory(), received_.memory(), largest_bytes};
  compares_sizes_ = sides.received.are_equal() && context().is_checked();
  if (sides.received.are_equal()) return;
  memory_.send_table = &sent_.table();
  memory_.receive_table = &received_.table();
}

void AlltoallRequest::bind(const PacketCalls& calls, std::size_t block_bytes) {
  if (!calls.produce || !calls.consume) throw std::invalid_argument("a call-back is missing");
  memory_ = {};
  memory_.block_bytes = block_bytes;
  memory_.calls = &calls;
  compares_sizes_ = context().is_checked();
}

void AlltoallRequest::reserve(const ExchangeMemory& memory) {
  if (!own_) own_ = std::make_unique<RunMemory>();  // after a failure
  auto& scratch = own_->scratch;
  scratch.resize(std::max(scratch.size(), RunSizes(*plan_, memory).scratch_bytes));
}

void AlltoallRequest::use(std::shared_ptr<const AlltoallPlan> plan, std::shared_ptr<double> seconds) {
  plan_ = plan.get();
  owner_ = std::move(plan);
  seconds_ = std::move(seconds);
}

void AlltoallRequest::start() {
  context().notify_on_failure([&] {
    if (run_)
      throw std::invalid_argument("the exchange is under way; wait for it before it is started again");
    reserve();
    if (memory_.calls == nullptr) sent_.pack(context().comm());
    run_.emplace(*plan_, memory_, context().next_tags(), own_->scratch.data(), compares_sizes_,
                 std::exchange(seconds_, nullptr));
    try {
      context().start(*run_);
    } catch (...) {
      run_.reset();
      throw;
    }
    context().advance();
  });
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
  if (failure && run_->has_begun()) {  // MPI may still send from it
    own_->packed = sent_.release();
    leak_to_mpi(std::move(own_));
  }
  run_.reset();
  if (failure) std::rethrow_exception(failure);
  if (memory_.calls == nullptr) received_.unpack(context().comm());
}

}  // namespace cubefold::mpi
