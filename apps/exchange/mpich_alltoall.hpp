#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

// These are the all-to-alls of MPICH, written from their description. MPICH uses Bruck's for blocks of at most 256
// bytes on at least 8 processes, the scattered one up to 32 KiB, and the pairwise one above. Each process copies its
// own block, which MPICH's scattered one sends. All processes must call these functions with blocks of the same size.
// Sources: Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in MPICH, IJHPCA 19
// (2005); MPICH's descriptions of its variables MPIR_CVAR_ALLTOALL_SHORT_MSG_SIZE, _MEDIUM_MSG_SIZE and _THROTTLE.

/// Exchanges blocks by Bruck's algorithm in base 2: ceil(log2 p) messages of at most p / 2 blocks. The memory for
/// blocks on their way is kept from one run to the next.
class MpichBruck {
 public:
  explicit MpichBruck(MPI_Comm comm);

  /// Exchanges blocks of this size. Throws std::invalid_argument on all processes if all blocks together have more than
  /// 2^31 - 1 bytes.
  void run(const std::byte* send, std::byte* receive, int block_bytes);

 private:
  void prepare(std::size_t block_bytes);
  /// Sends the blocks with this bit in their numbers as many ranks up.
  void send_to(std::size_t distance);

  /// Returns the bytes of the message.
  std::size_t pack(std::size_t distance);
  void unpack(std::size_t distance);

  MPI_Comm comm_;
  std::size_t rank_;
  std::size_t process_count_;
  std::size_t block_bytes_ = 0;
  std::vector<std::byte> blocks_;  ///< block i travels i ranks up, one power of two at a time
  std::vector<std::byte> outgoing_;
  std::vector<std::byte> incoming_;
};

/// Sends and receives 32 blocks at once, then the next 32, until all are exchanged.
void mpich_scattered(const std::byte* send, std::byte* receive, int block_bytes, MPI_Comm comm);

/// Exchanges blocks in p - 1 steps of one message each. In step k the partner of a rank is rank xor k if p is a power
/// of two. Otherwise it sends to rank + k and receives from rank - k.
void mpich_pairwise(const std::byte* send, std::byte* receive, int block_bytes, MPI_Comm comm);
