#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/plan/phase.hpp"

namespace cubefold::planner {

/// Reads the messages between so many ranks from a Matrix Market file: row i, column j is what rank i-1 sends rank j-1.
/// `matrix coordinate` or `matrix array`, `real`, `integer` or `pattern` (1 each), `general` or `symmetric` (the other
/// half is the same). Entries of 0 and those on the diagonal are left out. Throws std::runtime_error with file, line
/// and rule: for another header or size, an entry that is no amount, stands twice or is missing.
std::vector<Traffic> read_matrix_market(const std::string& path, std::size_t rank_count);

}  // namespace cubefold::planner
