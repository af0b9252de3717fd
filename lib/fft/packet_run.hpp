#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "cubefold/fft/plan.hpp"
#include "cubefold/mpi/alltoall_plan.hpp"
#include "pass.hpp"

namespace cubefold::fft {

/// An exchange of blocks of so many complex points.
struct BlockStep {
  std::shared_ptr<mpi::AlltoallPlan> exchange;
  std::size_t block_count;
  mutable std::vector<std::size_t>
      arrived_bytes;  ///< from each member, in a run in packets; kept from run to run
};

/// Whether blocks are not the library's to move.
bool travels_in_packets(const mpi::AlltoallPlan& exchange);

/// An exchange in packets between passes, if there are any, and the arrays that they go between.
template <typename Real>
struct PacketSteps {
  using Complex = std::complex<Real>;

  const Pass<Real>* before;
  const BlockStep* blocks;
  const Pass<Real>* behind;
  const Complex* source;   ///< what the first of these steps reads
  Complex* before_output;  ///< nothing without `before`
  Complex* received;
  Complex* behind_output;  ///< nothing without `behind`

  const Complex* sent() const { return before != nullptr ? before_output : source; }
};

/// Collective. The pass before is made as packets need it, and the one behind as packets arrive, if its output is not
/// what is still to be sent. Gives the number of steps that are done so: 0 where the pass before cannot be made part by
/// part; nothing is done then. Adds to the times of exchanges and of what they overlap.
template <typename Real>
std::size_t run_in_packets(const PacketSteps<Real>& steps, PhaseTimes& times);

extern template std::size_t run_in_packets(const PacketSteps<float>& steps, PhaseTimes& times);
extern template std::size_t run_in_packets(const PacketSteps<double>& steps, PhaseTimes& times);

}  // namespace cubefold::fft
