#include "block_buffer.hpp"

#include <utility>

namespace cubefold::mpi {

void BlockBuffer::set(TypedBlocks blocks, Held held) {
  is_packed_ = held == Held::packed || !blocks.is_dense();
  blocks_ = std::move(blocks);
  if (is_packed_) packed_.resize(blocks_.total_bytes());
}

std::byte* BlockBuffer::memory() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the executor does not write to what is sent
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

}  // namespace cubefold::mpi
