#include "exchange/mpich_alltoall.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "cubefold/mpi/error.hpp"
#include "mpi/processes.hpp"

using cubefold::mpi::check;
using cubefold::mpi::message_bytes;
using cubefold::mpi::process_count;
using cubefold::mpi::rank_in;

namespace {

constexpr int tag = 0;
constexpr int messages_at_once = 32;

/// Returns the place of a rank's block.
template <typename Byte>
Byte* block(Byte* blocks, int rank, int block_bytes) {
  return blocks + static_cast<std::size_t>(rank) * static_cast<std::size_t>(block_bytes);
}

void copy_own(const std::byte* send, std::byte* receive, int block_bytes, int rank) {
  std::copy_n(block(send, rank, block_bytes), block_bytes, block(receive, rank, block_bytes));
}

}  // namespace

MpichBruck::MpichBruck(MPI_Comm comm)
    : comm_(comm), rank_(static_cast<std::size_t>(rank_in(comm))), process_count_(process_count(comm)) {}

void MpichBruck::prepare(std::size_t block_bytes) {
  blocks_.resize(static_cast<std::size_t>(message_bytes(process_count_, block_bytes)));
  outgoing_.resize(blocks_.size());
  incoming_.resize(blocks_.size());
  block_bytes_ = block_bytes;
}

void MpichBruck::run(const std::byte* send, std::byte* receive, int block_bytes) {
  prepare(static_cast<std::size_t>(block_bytes));
  const auto own = static_cast<std::ptrdiff_t>(rank_ * block_bytes_);
  std::rotate_copy(send, send + own, send + blocks_.size(), blocks_.data());
  for (std::size_t distance = 1; distance < process_count_; distance *= 2) send_to(distance);
  for (std::size_t i = 0; i < process_count_; ++i) {
    const std::size_t source = (rank_ + process_count_ - i) % process_count_;
    std::copy_n(blocks_.data() + i * block_bytes_, block_bytes_, receive + source * block_bytes_);
  }
}

std::size_t MpichBruck::pack(std::size_t distance) {
  std::byte* end = outgoing_.data();
  for (std::size_t i = distance; i < process_count_; ++i) {
    if ((i & distance) != 0) end = std::copy_n(blocks_.data() + i * block_bytes_, block_bytes_, end);
  }
  return static_cast<std::size_t>(end - outgoing_.data());
}

void MpichBruck::unpack(std::size_t distance) {
  const std::byte* next = incoming_.data();
  for (std::size_t i = distance; i < process_count_; ++i) {
    if ((i & distance) == 0) continue;
    std::copy_n(next, block_bytes_, blocks_.data() + i * block_bytes_);
    next += block_bytes_;
  }
}

void MpichBruck::send_to(std::size_t distance) {
  const int bytes = message_bytes(1, pack(distance));
  const auto to = static_cast<int>((rank_ + distance) % process_count_);
  const auto from = static_cast<int>((rank_ + process_count_ - distance) % process_count_);
  check(MPI_Sendrecv(outgoing_.data(), bytes, MPI_BYTE, to, tag, incoming_.data(), bytes, MPI_BYTE, from, tag,
                     comm_, MPI_STATUS_IGNORE),
        "MPI_Sendrecv");
  unpack(distance);
}

// Rank r receives from rank r + k and sends to rank r - k. Every message is therefore sent and received in the same
// group.
void mpich_scattered(const std::byte* send, std::byte* receive, int block_bytes, MPI_Comm comm) {
  const int rank = rank_in(comm);
  const auto ranks = static_cast<int>(process_count(comm));
  copy_own(send, receive, block_bytes, rank);
  for (int first = 1; first < ranks; first += messages_at_once) {
    const int end = first + std::min(messages_at_once, ranks - first);
    std::array<MPI_Request, std::size_t{2} * messages_at_once> requests{};
    MPI_Request* request = requests.data();
    for (int k = first; k < end; ++k) {
      const int from = (rank + k) % ranks;
      check(MPI_Irecv(block(receive, from, block_bytes), block_bytes, MPI_BYTE, from, tag, comm, request++),
            "MPI_Irecv");
    }
    for (int k = first; k < end; ++k) {
      const int to = (rank + ranks - k) % ranks;
      check(MPI_Isend(block(send, to, block_bytes), block_bytes, MPI_BYTE, to, tag, comm, request++),
            "MPI_Isend");
    }
    check(MPI_Waitall(2 * (end - first), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }
}

void mpich_pairwise(const std::byte* send, std::byte* receive, int block_bytes, MPI_Comm comm) {
  const int rank = rank_in(comm);
  const auto ranks = static_cast<int>(process_count(comm));
  const bool is_power_of_two = std::has_single_bit(static_cast<unsigned>(ranks));
  copy_own(send, receive, block_bytes, rank);
  for (int k = 1; k < ranks; ++k) {
    const int to = is_power_of_two ? rank ^ k : (rank + k) % ranks;
    const int from = is_power_of_two ? rank ^ k : (rank + ranks - k) % ranks;
    check(MPI_Sendrecv(block(send, to, block_bytes), block_bytes, MPI_BYTE, to, tag,
                       block(receive, from, block_bytes), block_bytes, MPI_BYTE, from, tag, comm,
                       MPI_STATUS_IGNORE),
          "MPI_Sendrecv");
  }
}
