#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/hosts/slurm.hpp"

namespace cubefold {

/// The position of one host on a network that Slurm names.
struct SlurmPosition {
  std::string network;
  std::vector<std::uint32_t> at;
};

/// Returns whether the pattern of an address has coordinates, such as `torus:x:y:z.node` or `ring:position.node`.
bool has_coordinates(const SlurmAddress& address);

/// Reads an address such as `pod1:2:1:0.n6`. The name of the network and that of the node may have dots and colons of
/// their own: the coordinates are the last numbers between colons that end at a dot. Throws
/// std::invalid_argument that names the host if there is no address, or one without coordinates, and says what to do.
SlurmPosition position_of(const SlurmAddress& address);

/// Returns position_of(), or nothing where that throws std::invalid_argument.
std::optional<SlurmPosition> readable_position(const SlurmAddress& address);

}  // namespace cubefold
