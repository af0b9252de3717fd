#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cubefold/schedule/packing.hpp"
#include "typed_blocks.hpp"

namespace cubefold::mpi {

/// Where the executor finds blocks: in the caller's buffer as it is, or packed beside it.
enum class Held : std::uint8_t { in_place, packed };

/// One side's blocks as the executor takes them. Memory that was taken is kept for the next blocks.
class BlockBuffer {
 public:
  /// Takes memory for packed blocks.
  void set(TypedBlocks blocks, Held held);

  const TypedBlocks& blocks() const { return blocks_; }
  bool is_packed() const { return is_packed_; }
  std::byte* memory();

  /// Where each block is, counted from memory().
  const BlockTable& table();

  /// Gives away the memory of packed blocks.
  std::vector<std::byte> release() { return std::exchange(packed_, {}); }

  /// Does nothing for blocks that are not packed.
  void pack(MPI_Comm comm);
  void unpack(MPI_Comm comm) const;

 private:
  TypedBlocks blocks_;
  bool is_packed_ = false;
  std::vector<std::byte> packed_;
  std::vector<std::size_t> offsets_;
  std::vector<std::size_t> sizes_;
  BlockTable table_;
};

}  // namespace cubefold::mpi
