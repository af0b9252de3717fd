#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"

/// These functions measure how far apart a placement puts the neighbours of a hypercube, by enumeration of all cube
/// links. Functions of a placement cost O(d 2^d axes) and throw std::invalid_argument if the number of ranks is no
/// power of two. Source: [Xor] section 4.
namespace cubefold {

/// Maps each dilation (hops between the two nodes of a cube link) to the number of undirected cube links that have it.
using DilationSpectrum = std::map<std::uint32_t, std::uint64_t>;

CUBEFOLD_API DilationSpectrum dilation_spectrum(const Placement& placement);

/// Returns the sum of the dilations of all cube links.
CUBEFOLD_API std::uint64_t total_dilation(const DilationSpectrum& spectrum);

/// Returns for each cube dimension the dilation that all its links share, or nothing for a dimension whose links
/// differ.
CUBEFOLD_API std::vector<std::optional<std::uint32_t>> constant_distances(const Placement& placement);

}  // namespace cubefold
