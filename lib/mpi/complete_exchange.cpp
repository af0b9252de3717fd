#include "cubefold/mpi/complete_exchange.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include "bound_exchange.hpp"
#include "cubefold/mpi/error.hpp"
#include "datatype.hpp"

namespace cubefold::mpi {

namespace {

void bind(BoundExchange& exchange, const ExchangeBuffers& buffers, std::size_t rank_count) {
  std::optional<TypedBlocks> sent;
  TypedBlocks received(buffers.receive, buffers.receive_count, buffers.receive_type, rank_count);
  if (buffers.send != MPI_IN_PLACE)
    sent.emplace(buffers.send, buffers.send_count, buffers.send_type, rank_count);
  exchange.bind(std::move(sent), std::move(received));
}

std::unique_ptr<BoundExchange> bound(const Exchanger& exchanger, const ExchangeBuffers& buffers) {
  auto exchange = std::make_unique<BoundExchange>(exchanger);
  bind(*exchange, buffers, exchanger.executor->program().rank_count);
  return exchange;
}

}  // namespace

std::size_t ExchangeBuffers::block_bytes() const {
  return static_cast<std::size_t>(std::max(receive_count, 0)) * size_of(receive_type);
}

CompleteExchange::CompleteExchange(const VirtualComm& comm, const ExchangeMethod& method,
                                   const NetworkRules& network, const RunRules& rules)
    : CompleteExchange(comm, ExchangeSpace::on(comm.virtual_comm()), {method, network, rules}) {}

CompleteExchange::CompleteExchange(const VirtualComm& comm, std::shared_ptr<ExchangeSpace> space,
                                   const ExchangeSetup& setup)
    : exchanger_(make_exchanger(comm, std::move(space), setup)) {
  together(exchanger_.space->comm(), [&] { blocking_ = std::make_unique<BoundExchange>(exchanger_); });
}

CompleteExchange::CompleteExchange(CompleteExchange&&) noexcept = default;
CompleteExchange& CompleteExchange::operator=(CompleteExchange&&) noexcept = default;
CompleteExchange::~CompleteExchange() = default;

void CompleteExchange::run_bound() {
  blocking_->start();
  blocking_->wait();
}

void CompleteExchange::run(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                           int receive_count, MPI_Datatype receive_type) {
  run({send, send_count, send_type, receive, receive_count, receive_type});
}

void CompleteExchange::run(const ExchangeBuffers& buffers) {
  exchanger_.space->collectively([&] { run_here(buffers); });
}

void CompleteExchange::run_here(const ExchangeBuffers& buffers) {
  // Where block sizes are to be compared, and where MPI could not count them, the executor does it.
  const bool by_library = exchanger_.mover == Mover::library && !exchanger_.space->is_checked();
  if (by_library && run_dense(buffers)) return;
  const bool is_countable = buffers.block_bytes() <= std::numeric_limits<int>::max();
  try {
    bind(*blocking_, buffers, exchanger_.executor->program().rank_count);
  } catch (const std::bad_alloc&) {
    if (!by_library || !is_countable) throw;
    return run_with_types(buffers);
  }
  if (by_library && is_countable) return blocking_->run_library();
  run_bound();
}

// Without memory to pack blocks in, MPI has to do with the types: the other processes are on their way into
// MPI_Alltoall.
void CompleteExchange::run_with_types(const ExchangeBuffers& buffers) {
  exchanger_.space->drain();
  check(MPI_Alltoall(buffers.send, buffers.send_count, buffers.send_type, buffers.receive,
                     buffers.receive_count, buffers.receive_type, exchanger_.space->comm()),
        "MPI_Alltoall");
}

// Bytes need no datatypes: MPI then has nothing to look up, and Open MPI 4.1.4 nothing to get wrong.
bool CompleteExchange::run_dense(const ExchangeBuffers& buffers) {
  if (buffers.send == MPI_IN_PLACE || buffers.send_count < 0 || buffers.receive_count < 0) return false;
  const Layout sent = layout_of(buffers.send_type);
  const Layout received = layout_of(buffers.receive_type);
  const std::size_t bytes = static_cast<std::size_t>(buffers.send_count) * sent.size_bytes;
  const bool fits = bytes == static_cast<std::size_t>(buffers.receive_count) * received.size_bytes &&
                    bytes <= std::numeric_limits<int>::max();
  if (!sent.dense || !received.dense || !fits || buffers.send == nullptr || buffers.receive == nullptr)
    return false;
  exchanger_.space->drain();
  const auto count = static_cast<int>(bytes);
  check(
      MPI_Alltoall(buffers.send, count, MPI_BYTE, buffers.receive, count, MPI_BYTE, exchanger_.space->comm()),
      "MPI_Alltoall");
  return true;
}

void CompleteExchange::run_packets(std::size_t block_bytes, const PacketCalls& calls) {
  exchanger_.space->collectively([&] {
    blocking_->bind(calls, block_bytes);
    run_bound();
  });
}

ExchangeRequest CompleteExchange::start(const ExchangeBuffers& buffers) {
  ExchangeRequest request = prepare(buffers);
  request.start();
  return request;
}

ExchangeRequest CompleteExchange::prepare(const ExchangeBuffers& buffers) {
  return exchanger_.space->collectively([&] { return ExchangeRequest(bound(exchanger_, buffers)); });
}

void CompleteExchange::reserve(std::size_t block_bytes) {
  blocking_->reserve(block_bytes);
}

void CompleteExchange::require_block(std::size_t block_bytes) const {
  exchanger_.executor->require_countable(block_bytes);
}

}  // namespace cubefold::mpi
