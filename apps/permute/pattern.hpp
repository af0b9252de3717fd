#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "cubefold/embedding/rank.hpp"

/// The permutation of p ranks that a pattern names: entry r is the rank to which rank r sends. A pattern is `shift:K`
/// (rank r sends to r + K modulo p) or the name of one phase as parse_phase() reads it, `bit-reversal`, `transpose:AxB`
/// or `cube:K` among them.
///
/// Throws std::invalid_argument that quotes the pattern and names the rule it breaks: of parse_phase(), K < p, one
/// phase, and one message from and to every rank. O(p).
std::vector<cubefold::Rank> destinations(std::string_view pattern, std::size_t rank_count);
