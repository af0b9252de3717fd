#pragma once

#include <string_view>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/topology/grid.hpp"

/// The permutation of the p ranks of a grid that a pattern names: entry r is the rank to which rank r sends. A pattern
/// is `shift:K` (rank r sends to r + K modulo p) or the name of one phase as parse_phase() reads it, `bit-reversal`,
/// `transpose:AxB` or `cube:K` among them.
///
/// Throws std::invalid_argument that quotes the pattern and names the rule it breaks: of parse_phase(), K < p, one
/// phase, and one message from and to every rank. O(p).
std::vector<cubefold::Rank> destinations(std::string_view pattern, const cubefold::Grid& grid);
