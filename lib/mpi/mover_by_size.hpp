#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "alltoall_plan.hpp"
#include "alltoall_request.hpp"
#include "cubefold/embedding/placement.hpp"
#include "mover.hpp"

namespace cubefold::mpi {

/// Moves every block of unequal sizes at the time at which schedule_by_size() finds its links free. All processes need
/// all p^2 sizes, 4 bytes each, so blocks must be below 2^31 bytes. The sizes are gathered when any of them has changed
/// since the last exchange.
class SizeMover : public Mover {
 public:
  /// Takes the network and the times of `setup`.
  SizeMover(Placement placement, Rank rank, std::shared_ptr<CommContext> context, AlltoallSetup setup);
  ~SizeMover() override;

  bool needs_memory(const Sides& sides) const override;
  void reserve(const Sides& sides) override;
  void run(const Sides& sides, const ExchangeSizes& sizes) override;

 private:
  Placement placement_;
  Rank rank_;
  std::shared_ptr<CommContext> context_;
  AlltoallSetup setup_;
  std::vector<std::uint32_t> sizes_;  ///< of the blocks that this process sent in the last exchange
  std::shared_ptr<AlltoallPlan> plan_;
};

}  // namespace cubefold::mpi
