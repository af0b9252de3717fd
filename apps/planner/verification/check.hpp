#pragma once

#include <string>
#include <vector>

#include "planner/verification/claims.hpp"

namespace cubefold::planner {

/// Returns the errors of a certificate, a line each, or nothing if all claims are right. Slow and obvious code of this
/// folder computes messages, routes, loads and bounds again. Only the table of a placement's rule comes from the
/// Placement that programs use. Sums are exact, and a placement is called optimal only if its value is exactly the
/// bound. Throws std::runtime_error for more than LinkCount::most_hops. Costs O(messages (hops + log messages)) for at
/// most most_messages, with 100 bytes for each message and 64 for each link.
std::vector<std::string> faults_of(const Claims& claims);

}  // namespace cubefold::planner
