#pragma once

#include <cstddef>
#include <vector>

#include "collective/reduction.hpp"
#include "cubefold/export.h"
#include "schedule/local_program.hpp"
#include "schedule/packing.hpp"
#include "vector_call.hpp"

namespace cubefold::mpi {

/// The chunks of a call by the slots of its program: where they are in the memory of this process, and the operation
/// that reduces them.
class CUBEFOLD_API VectorMemory {
 public:
  /// `received` tells where the received blocks of a gathering lie. The program must have ScratchSlots::of_one_chunk.
  /// Costs O(chunks).
  VectorMemory(const VectorCall& call, const VectorSteps& steps, const LocalProgram& program, Rank rank,
               const BlockTable& received);
  VectorMemory(const VectorMemory&) = delete;
  VectorMemory& operator=(const VectorMemory&) = delete;
  ~VectorMemory() = default;

  /// Returns the memory of a run with these buffers. It borrows this object.
  ExchangeMemory memory(const std::byte* send, std::byte* receive) const;

 private:
  /// Blocks of some bytes, one after the other or at given places.
  class Table {
   public:
    void add(std::size_t bytes) { add(bytes, next_); }
    void add(std::size_t bytes, std::size_t offset);
    BlockTable view() const { return {offsets_, sizes_}; }

   private:
    std::vector<std::size_t> offsets_;
    std::vector<std::size_t> sizes_;
    std::size_t next_ = 0;
  };

  Table sent_;
  Table received_;
  Table scratch_;
  BlockTable send_table_;
  BlockTable receive_table_;
  BlockTable scratch_table_;
  std::size_t longest_bytes_ = 0;
  bool is_tight_ = false;
  bool reduces_;
  std::vector<std::byte> right_operands_;  ///< of the reduction; none if no message arrives left
  Reduction reduction_;
};

}  // namespace cubefold::mpi
