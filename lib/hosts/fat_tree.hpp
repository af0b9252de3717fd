#pragma once

#include <cstddef>
#include <optional>

#include "fabric.hpp"

namespace cubefold {

/// The switches of a fat tree.
struct FatTree {
  std::size_t leaves;  ///< with hosts
  std::size_t above;   ///< without
};

/// Returns the fabric as a fat tree: the leaves have at least `least` hosts each, and are at least as many as the
/// switches of every level above them, and every cable leads from one level to the next. Returns nothing if it is no
/// fat tree, or if all switches are leaves. Costs O(switches + hosts + cables).
std::optional<FatTree> as_fat_tree(const Fabric& fabric, std::size_t least);

/// Returns the largest number of hosts of a switch, of which those on several switches count on each.
std::size_t most_hosts_on_a_switch(const Fabric& fabric);

}  // namespace cubefold
