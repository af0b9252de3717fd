#pragma once

#include <string_view>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// Returns the name of a host up to its first dot.
CUBEFOLD_API std::string_view short_host_name(std::string_view name);

/// Returns whether two names are the same without case, as in the domain name system.
CUBEFOLD_API bool is_same_host_name(std::string_view one, std::string_view other);

/// Returns the known name that is most similar to one that is none of them: one that begins with it, as `n0-ib0` does
/// with `n0`, or else the nearest, or else the first. Requires a known name.
CUBEFOLD_API std::string_view most_similar_host_name(std::string_view name,
                                                     const std::vector<std::string_view>& known);

/// Orders names of hosts without case.
struct HostNameOrder {
  using is_transparent = void;
  CUBEFOLD_API bool operator()(std::string_view one, std::string_view other) const;
};

}  // namespace cubefold
