#pragma once

#include <cstddef>

#include "alltoall_candidate.hpp"
#include "exchange_setups.hpp"

namespace cubefold {

/// Returns the decision for blocks of one size by the machine file of the job, which has one, without measured calls.
///
/// Our methods are compared by their predicted times, in which messages take at least as long as those of `linear` in
/// the file. The fastest is chosen if it gains 5 % over the times that the file has of MPI's own all-to-all and of
/// `linear`, and else the faster one of these. If the file has no such times, MPI's own all-to-all is chosen unless the
/// prediction is at most 1.2 times the lower bound. On a lossless network the gain is that of lossless_gain(), with all
/// routers that the network may have.
Decision decision_by_machine(const ExchangeSetups& setups, std::size_t block_bytes);

}  // namespace cubefold
