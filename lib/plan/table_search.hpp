#pragma once

#include "contest.hpp"

namespace cubefold {

/// Enters tables of nodes that can be built at once, until one is as good as any can be: the grid in which ranks
/// communicate as neighbours, if there is one, folded on the machine in many ways; then connected ranks one behind the
/// other along the machine. Looks at none that would take more than a part of the effort.
void build_tables(Contest& contest);

/// Enters what local searches over swaps of two nodes find, from the best placement so far and from ranks that were put
/// near their partners one by one. Takes less than half of the effort.
void swap_nodes(Contest& contest);

}  // namespace cubefold
