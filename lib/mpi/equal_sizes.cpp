#include "equal_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cubefold/mpi/agreement.hpp"

namespace cubefold::mpi {

EqualSizes::EqualSizes(std::size_t block_bytes, const RunSpace& space) : space_(space) {
  check(MPI_Comm_rank(space.comm, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(space.comm, &size_), "MPI_Comm_size");
  sizes_.resize(static_cast<std::size_t>(size_));
  sizes_.front() = block_bytes;
  if (known_ < size_) begin_turn();
}

void EqualSizes::begin_turn() {
  const int count = std::min(known_, size_ - known_);
  const int bytes = count * static_cast<int>(sizeof(std::uint64_t));
  messages_.receive({}, &sizes_[static_cast<std::size_t>(known_)], bytes, (rank_ + known_) % size_,
                    space_.barrier_tag(), space_.comm);
  messages_.send({}, sizes_.data(), bytes, (rank_ - known_ + size_) % size_, space_.barrier_tag(),
                 space_.comm);
}

bool EqualSizes::advance() {
  messages_.end_some([](Nothing, const MPI_Status&) {});
  if (!messages_.empty()) return false;
  known_ = std::min(2 * known_, size_);
  if (known_ < size_) {
    begin_turn();
    return false;
  }
  require_equal();
  return true;
}

void EqualSizes::require_equal() const {
  const auto size_of_rank = [&](int rank) {
    return sizes_[static_cast<std::size_t>((rank - rank_ + size_) % size_)];
  };
  for (int rank = 1; rank < size_; ++rank) {
    if (size_of_rank(rank) == size_of_rank(0)) continue;
    throw AgreedArgument(fmt::format("process {} of {}: block size '{}' differs from '{}' of process 0", rank,
                                     size_, size_of_rank(rank), size_of_rank(0)));
  }
}

}  // namespace cubefold::mpi
