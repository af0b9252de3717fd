#include "packed_alltoallv.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "cubefold/mpi/error.hpp"
#include "left_memory.hpp"

namespace cubefold::mpi {

namespace {

/// A packed copy of blocks, with counts and displacements in bytes.
struct PackedBlocks {
  std::vector<std::byte> bytes;
  std::vector<int> counts;
  std::vector<int> displacements;

  explicit PackedBlocks(const TypedBlocks& blocks) : bytes(blocks.total_bytes()) {
    std::size_t next = 0;
    for (std::size_t block = 0; block < blocks.block_count(); ++block) {
      counts.push_back(message_bytes(1, blocks.block_bytes(block)));
      displacements.push_back(message_bytes(1, next));
      next += blocks.block_bytes(block);
    }
  }
};

struct PackedSides {
  PackedBlocks sent;
  PackedBlocks received;
};

}  // namespace

// Blocks are packed, because Open MPI 4.1.4 handles some pairs of different types incorrectly. If there is no memory to
// pack them, MPI gets the caller's types, because the other processes are about to call MPI_Alltoallv.
void alltoallv_by_mpi(MPI_Comm comm, const AlltoallvBuffers& buffers, const TypedBlocks& outgoing,
                      const TypedBlocks& received) {
  std::unique_ptr<PackedSides> packed;
  try {
    packed = std::make_unique<PackedSides>(PackedSides{PackedBlocks(outgoing), PackedBlocks(received)});
  } catch (const std::bad_alloc&) {
    check(MPI_Alltoallv(buffers.send, buffers.send_counts.data(), buffers.send_displacements.data(),
                        buffers.send_type, buffers.receive, buffers.receive_counts.data(),
                        buffers.receive_displacements.data(), buffers.receive_type, comm),
          "MPI_Alltoallv");
    return;
  }
  outgoing.pack(packed->sent.bytes.data(), comm);
  try {
    check(
        MPI_Alltoallv(packed->sent.bytes.data(), packed->sent.counts.data(),
                      packed->sent.displacements.data(), MPI_BYTE, packed->received.bytes.data(),
                      packed->received.counts.data(), packed->received.displacements.data(), MPI_BYTE, comm),
        "MPI_Alltoallv");
  } catch (...) {
    leave_to_mpi(std::move(packed));
    throw;
  }
  received.unpack(packed->received.bytes.data(), comm);
}

}  // namespace cubefold::mpi
