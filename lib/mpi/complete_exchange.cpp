#include "cubefold/mpi/complete_exchange.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/error.hpp"
#include "datatype.hpp"

namespace cubefold::mpi {

namespace {

/// The p blocks of a buffer in the caller's terms.
struct Blocks {
  const std::byte* memory;
  int count;
  MPI_Datatype type;
  Layout layout;

  std::size_t block_bytes() const { return static_cast<std::size_t>(count) * layout.size_bytes; }
  MPI_Aint block_extent() const { return count * layout.extent_bytes; }
};

Blocks blocks_of(const void* memory, int count, MPI_Datatype type) {
  if (count < 0) throw std::invalid_argument(fmt::format("count {} is negative", count));
  const Layout layout = layout_of(type);
  if (memory == nullptr && count > 0 && layout.dense)
    throw std::invalid_argument("the buffer is a null pointer");
  return {static_cast<const std::byte*>(memory), count, type, layout};
}

void pack(const Blocks& blocks, std::size_t slot_count, std::byte* packed, MPI_Comm comm) {
  if (blocks.layout.dense) {
    std::memcpy(packed, blocks.memory, slot_count * blocks.block_bytes());
    return;
  }
  const int bytes = message_bytes(1, blocks.block_bytes());
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    const std::byte* block = blocks.memory + static_cast<MPI_Aint>(slot) * blocks.block_extent();
    int position = 0;
    check(MPI_Pack(block, blocks.count, blocks.type, packed, bytes, &position, comm), "MPI_Pack");
    packed += bytes;
  }
}

void unpack(const std::byte* packed, const Blocks& blocks, std::size_t slot_count, std::byte* memory,
            MPI_Comm comm) {
  const int bytes = message_bytes(1, blocks.block_bytes());
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    std::byte* block = memory + static_cast<MPI_Aint>(slot) * blocks.block_extent();
    int position = 0;
    check(MPI_Unpack(packed, bytes, &position, block, blocks.count, blocks.type, comm), "MPI_Unpack");
    packed += bytes;
  }
}

}  // namespace

CompleteExchange::CompleteExchange(const VirtualComm& comm, const ExchangeMethod& method, const NetworkRules& network,
                                   const RunRules& rules)
    : comm_(OwnedComm::duplicate(comm.virtual_comm())), rank_(comm.rank()) {
  together(comm_.get(), [&] {
    const Schedule part = exchange_part(method, comm.placement(), network, rank_);
    executor_.emplace(local_program(part, rank_), rules);
  });
}

// Dense blocks are sent from where they are and received where they belong. Others travel packed, so that the two ends may
// lay them out differently.
void CompleteExchange::run(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                           int receive_count, MPI_Datatype receive_type) {
  const Blocks received = blocks_of(receive, receive_count, receive_type);
  const bool in_place = send == MPI_IN_PLACE;
  const Blocks sent = in_place ? received : blocks_of(send, send_count, send_type);
  const std::size_t block_bytes = received.block_bytes();
  if (sent.block_bytes() != block_bytes) {
    throw std::invalid_argument(fmt::format("blocks of {} bytes are sent but blocks of {} bytes received",
                                            sent.block_bytes(), block_bytes));
  }
  require_block(block_bytes);
  if (block_bytes == 0) return;

  const std::size_t slot_count = executor_->program().rank_count;
  const std::byte* sent_from = sent.memory;
  if (in_place || !sent.layout.dense) {
    packed_send_.resize(slot_count * block_bytes);
    pack(sent, slot_count, packed_send_.data(), comm_.get());
    sent_from = packed_send_.data();
  }
  auto* memory = static_cast<std::byte*>(receive);
  if (!received.layout.dense) packed_receive_.resize(slot_count * block_bytes);
  std::byte* arrive_at = received.layout.dense ? memory : packed_receive_.data();
  executor_->run({sent_from, arrive_at, block_bytes}, rank_, comm_.get());
  if (!received.layout.dense) unpack(arrive_at, received, slot_count, memory, comm_.get());
}

}  // namespace cubefold::mpi
