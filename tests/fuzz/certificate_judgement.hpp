#pragma once

#include <vector>

#include "planner/verification/claims.hpp"

/// Judges certificates of `cubefold map` by the library, whose code `cubefold verify` does not share.
namespace cubefold {

/// A name of a proof that is none.
inline constexpr const char* no_proof = "nothing";

/// Returns the choice of a certificate and the orders that it is compared with.
std::vector<planner::OrderClaim*> orders_of(planner::Claims& claims);

/// Returns the claims with the numbers, the bound and the optimality that the library computes for their network, their
/// phases and their orders. Throws std::invalid_argument if the library refuses these.
planner::Claims corrected(planner::Claims claims);

/// Says whether all claims are those of the library, but for the name of the proof of the bound, which may be another
/// one that gives the same bound.
enum class Verdict { right, wrong, proof_of_another_name };

Verdict verdict_of_library(const planner::Claims& claims);

}  // namespace cubefold
