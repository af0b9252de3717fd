#pragma once

#include <mpi.h>

#include <bit>
#include <string>
#include <vector>

namespace cubefold::mpi {

inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// Returns whether the MPI library is MPICH, which the program may not know before it runs.
inline bool runs_with_mpich() {
  std::string name(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  MPI_Get_library_version(name.data(), &length);
  return name.starts_with("MPICH");
}

inline bool world_is_a_cube() {
  return std::has_single_bit(static_cast<unsigned>(world_size()));
}

inline std::string ring_of_world() {
  return "ring:" + std::to_string(world_size());
}

/// Returns grids with as many nodes as there are processes, of all kinds that are possible for this number.
inline std::vector<std::string> grids_of_world() {
  const std::string size = std::to_string(world_size());
  switch (world_size()) {
    case 4:
      return {"ring:4", "mesh:2x2", "torus:1x4", "hypercube:2"};
    case 6:
      return {"ring:6", "mesh:3x2", "grid:2x3w"};
    case 8:
      return {"ring:8", "mesh:4x2", "grid:4wx2", "torus:2x2x2", "hypercube:3"};
    case 12:
      return {"ring:12", "mesh:4x3", "torus:6x2", "grid:3wx2x2"};
    case 16:
      return {"line:16", "torus:4x4", "mesh:8x2", "grid:2x4wx2", "hypercube:4"};
    default:
      return {"ring:" + size, "line:" + size};
  }
}

/// Returns whether the last grid of grids_of_world() has pencils: two axes of several nodes, or a single node.
inline bool world_has_pencils() {
  return world_size() == 1 || grids_of_world().size() > 2;
}

/// Returns networks with a route table that have as many nodes as there are processes.
inline std::vector<std::string> other_networks_of_world() {
  const std::string size = std::to_string(world_size());
  std::vector<std::string> networks{"hyperx:" + size};
  if (world_size() > 2) networks.push_back("ring:" + size + ",cut=0-1");
  if (world_size() % 2 == 0 && world_size() > 4)
    networks.push_back("torus:2x" + std::to_string(world_size() / 2) + "~1");
  return networks;
}

/// Returns placement rules that fit all grids of grids_of_world().
inline std::vector<std::string> rules_of_world() {
  if (!world_is_a_cube()) return {"identity"};
  return {"identity", "standard", "xor", "xor,bits=cyclic", "by-weight", "gray"};
}

}  // namespace cubefold::mpi
