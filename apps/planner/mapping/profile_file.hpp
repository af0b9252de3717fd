#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/plan/phase.hpp"

namespace cubefold::planner {

/// Reads the phases of a program from a file of `cubefold-run --profile`: JSON with the key `ranks` and the key
/// `sent`, an array of rows [phase, from, first, count, stride, messages, bytes]. A row says that rank `from` sends so
/// many bytes to each of the `count` ranks first, first + stride, and so on. The amounts of the phases are bytes,
/// their names begin with `profile:`, and each has the weight. Throws std::runtime_error with the path, the place and
/// the rule for a file of another form, for a rank that is not below rank_count, and if the file is of another number
/// of ranks. Costs O(messages).
std::vector<Phase> read_profile(const std::string& path, std::size_t rank_count, double weight);

}  // namespace cubefold::planner
