#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"

/// How far a placement puts the neighbours of a hypercube apart, by enumeration of all cube links. Functions of a
/// placement cost O(d 2^d axes) and throw std::invalid_argument if the ranks are no power of two. After [Xor] section
/// 4.
namespace cubefold {

/// Dilation (hops between the two nodes of a cube link) -> number of undirected cube links that have it.
using DilationSpectrum = std::map<std::uint32_t, std::uint64_t>;

CUBEFOLD_API DilationSpectrum dilation_spectrum(const Placement& placement);

/// 0 for an empty spectrum.
CUBEFOLD_API std::uint32_t longest_dilation(const DilationSpectrum& spectrum);

/// Sum over all cube links.
CUBEFOLD_API std::uint64_t total_dilation(const DilationSpectrum& spectrum);

/// Total over the number of cube links; 0 for an empty spectrum.
CUBEFOLD_API double average_dilation(const DilationSpectrum& spectrum);

/// Per cube dimension the dilation that all its links share; nothing for a dimension whose links differ.
CUBEFOLD_API std::vector<std::optional<std::uint32_t>> constant_distances(const Placement& placement);

}  // namespace cubefold
