#include "alltoall_request.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

AlltoallRequest::AlltoallRequest(const AlltoallPlan& plan, std::shared_ptr<const AlltoallPlan> owner)
    : plan_(&plan), owner_(std::move(owner)) {}

AlltoallRequest::~AlltoallRequest() {
  if (under_way_ == nullptr) return;
  context().leave(*under_way_);
  if (mpi_run_) leak_to_mpi(std::move(call_of_mpi_));
}

// Blocks must not be sent from memory into which others are received, so an exchange in place packs the sent blocks
// first.
void AlltoallRequest::bind(const Sides& sides, std::size_t largest_bytes, bool outlives_arguments) {
  const std::size_t most_bytes = plan_->setup().largest_message_bytes;
  received_.set(sides.received, {.outlives_arguments = outlives_arguments, .most_bytes = most_bytes});
  sent_.set(sides.outgoing(), {sides.sent.are_in_place(), outlives_arguments, most_bytes});
  memory_ = {sent_.memory(), received_.memory(), largest_bytes};
  compares_sizes_ = sides.received.are_equal() && context().is_checked();
  if (sides.received.are_equal()) return;
  memory_.send_table = &sent_.table();
  memory_.receive_table = &received_.table();
  memory_.is_posted_at_once =
      are_mostly_empty(memory_.send_table->sizes.size(),
                       std::max(memory_.send_table->filled_count(), memory_.receive_table->filled_count()));
}

void AlltoallRequest::bind(const VectorCall& call, bool outlives_arguments) {
  memory_ = {};
  compares_sizes_ = false;
  if (!plan_->vector_steps()) {
    call_of_mpi_ = std::make_unique<MpiArguments>(call.arguments(), outlives_arguments);
    return;
  }
  received_.set(call.received(), {.outlives_arguments = outlives_arguments});
  sent_.set(call.sent(), {call.is_copied(), outlives_arguments});
  vector_.emplace(call, *plan_->vector_steps(), plan_->program(), plan_->rank(), received_.table());
  memory_ = vector_->memory(sent_.memory(), received_.memory());
}

void AlltoallRequest::bind(const NeighbourCall& call, const std::vector<std::uint64_t>& edge_bytes,
                           bool outlives_arguments) {
  const std::size_t most_bytes = plan_->setup().largest_message_bytes;
  received_.set(call.received(), {.outlives_arguments = outlives_arguments, .most_bytes = most_bytes});
  sent_.set(call.sent(), {.outlives_arguments = outlives_arguments, .most_bytes = most_bytes});
  compares_sizes_ = false;
  neighbours_.emplace(*plan_->neighbours(), plan_->program(), edge_bytes,
                      NeighbourMemory::Side{sent_.memory(), &sent_.table()},
                      NeighbourMemory::Side{received_.memory(), &received_.table()});
  memory_ = neighbours_->memory();
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
    if (is_running())
      throw std::invalid_argument("the exchange is under way; wait for it before it is started again");
    make_run();
    try {
      context().start(*under_way_);
    } catch (...) {
      end_run();
      throw;
    }
    context().advance();
  });
}

void AlltoallRequest::make_run() {
  if (call_of_mpi_) {
    mpi_run_ = std::make_unique<MpiRun>(call_of_mpi_->get(), context().next_tags());
    under_way_ = mpi_run_.get();
    return;
  }
  reserve();
  if (memory_.calls == nullptr) sent_.pack(context().comm());
  // Blocks that no message replaces in the copies are unpacked with the bytes that they had.
  if (neighbours_ && plan_->neighbours()->lacks_sources) received_.pack(context().comm());
  if (neighbours_) neighbours_->pad();
  under_way_ = &run_.emplace(*plan_, memory_, context().next_tags(), own_->scratch.data(), compares_sizes_,
                             std::exchange(seconds_, nullptr));
}

void AlltoallRequest::end_run() {
  under_way_ = nullptr;
  run_.reset();
  mpi_run_.reset();
}

void AlltoallRequest::require_running() const {
  if (!is_running()) throw std::invalid_argument("the exchange has not been started");
}

bool AlltoallRequest::has_ended() {
  require_running();
  return context().test(*under_way_);
}

bool AlltoallRequest::test() {
  const bool is_over = has_ended();
  if (is_over) finish();
  return is_over;
}

void AlltoallRequest::wait(const std::function<void()>& look) {
  require_running();
  context().wait(*under_way_, look);
  finish();
}

void AlltoallRequest::finish() {
  context().leave(*under_way_);
  const auto failure = under_way_->failure();
  if (failure && run_ && run_->has_begun()) {  // MPI may still send from it
    own_->packed = sent_.release();
    if (neighbours_) own_->packed_received = neighbours_->release();
    leak_to_mpi(std::move(own_));
  }
  if (failure && mpi_run_) leak_to_mpi(std::move(call_of_mpi_));
  const bool is_of_mpi = mpi_run_ != nullptr;
  end_run();
  if (failure) std::rethrow_exception(failure);
  if (neighbours_) neighbours_->take_padded();
  if (memory_.calls == nullptr && !is_of_mpi) received_.unpack(context().comm());
}

}  // namespace cubefold::mpi
