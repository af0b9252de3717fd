#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "mover.hpp"

namespace cubefold::mpi {

/// Moves blocks by MPI_Alltoall or MPI_Alltoallv, as bytes: Open MPI 4.1.4 handles some datatypes, and some pairs of
/// different ones, incorrectly. Blocks and, where they are unequal, all blocks of a process must be below 2^31 bytes.
class MpiMover : public Mover {
 public:
  explicit MpiMover(std::shared_ptr<CommContext> context) : context_(std::move(context)) {}

  void run(const Sides& sides, const ExchangeSizes& sizes) override;

 private:
  struct Places {
    std::vector<int> counts;
    std::vector<int> displacements;
    void set(PackedBlocks& blocks);
  };

  bool have_memory_for(const Sides& sides) noexcept;
  void run_equal(std::size_t block_bytes);
  void run_unequal();
  void run_typed(const Sides& sides);

  std::shared_ptr<CommContext> context_;
  PackedSides packed_;
  std::unique_ptr<std::pair<Places, Places>>
      places_;  ///< of the sent and the received blocks if they are unequal
};

}  // namespace cubefold::mpi
