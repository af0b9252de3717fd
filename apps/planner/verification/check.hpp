#pragma once

#include <string>
#include <vector>

#include "planner/verification/claims.hpp"

namespace cubefold::planner {

/// Returns the errors of a certificate, one line each. The result is empty if all claims are right. Slow and simple
/// code of this folder computes messages, routes, loads and bounds again. Only the table of a placement's rule comes
/// from Placement, which programs also use. Sums are exact, and a placement is optimal only if its value is exactly the
/// bound. Throws std::runtime_error for more than LinkCount::most_hops hops. Costs O(messages (hops + log messages))
/// for at most most_messages messages, with 100 bytes for each message and 64 bytes for each link.
std::vector<std::string> faults_of(const Claims& claims);

}  // namespace cubefold::planner
