#pragma once

#include <string>
#include <vector>

#include "planner/verification/claims.hpp"

namespace cubefold::planner {

/// What is wrong about a certificate, a line each; nothing if all of it is right. Messages, routes, loads and bounds
/// are computed anew by slow and obvious code of this folder; that the rule of a placement gives its table is asked of
/// the Placement that programs will use. Sums are exact, and no placement is called optimal whose value is not exactly
/// the bound. Throws std::runtime_error for more than LinkCount::most_hops. O(messages (hops + log messages)), with at
/// most most_messages; 100 bytes for each and 64 for each link.
std::vector<std::string> faults_of(const Claims& claims);

}  // namespace cubefold::planner
