#pragma once

#include <string_view>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/topology/grid.hpp"

/// Returns the permutation of the p ranks of a grid that a pattern names: rank r sends to the rank in entry r. A
/// pattern is `shift:K`, where rank r sends to rank r + K modulo p, or the name of one phase as parse_phase() reads it,
/// such as `bit-reversal`, `transpose:AxB` or `cube:K`.
///
/// Throws std::invalid_argument with the pattern and the rule that it breaks. The rules are those of parse_phase(), K <
/// p, exactly one phase, and one message from and to every rank. Costs O(p).
std::vector<cubefold::Rank> destinations(std::string_view pattern, const cubefold::Grid& grid);
