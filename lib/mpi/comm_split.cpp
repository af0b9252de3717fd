#include "cubefold/mpi/comm_split.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>

#include "agreement.hpp"
#include "cubefold/embedding/node_sharing.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/topology/grid.hpp"
#include "topology/network_resource.hpp"

namespace cubefold::mpi {

namespace {

/// Returns the node of the whole network on which a rank is.
GridNode node_of(const VirtualComm& comm, const WholeNetwork& whole, Rank rank) {
  const NodeSharing* sharing = comm.sharing();
  const GridNode node = sharing != nullptr ? sharing->node_of(rank) : comm.placement().node_of(rank);
  return whole.node_of_vertex[static_cast<std::size_t>(node)];
}

/// Returns the place of this process. Costs O(p).
NetworkPlace own_place(const VirtualComm& comm, const WholeNetwork& whole) {
  NetworkPlace place{node_of(comm, whole, comm.rank()), 0};
  for (std::uint32_t rank = 0; rank < label(comm.rank()); ++rank)
    if (node_of(comm, whole, Rank{rank}) == place.node) ++place.slot;
  return place;
}

}  // namespace

OwnedComm comm_split(const VirtualComm& comm, std::string_view resource) {
  int color = 0;
  int key = 0;
  agree_on_outcome(comm.virtual_comm(), [&] {
    if (!comm.knows_network())
      throw std::invalid_argument(fmt::format("resource '{}': {}", resource, comm.source()));
    const WholeNetwork whole = whole_network_of(comm.network());
    const NetworkPlace place = own_place(comm, whole);
    color = static_cast<int>(resource_number(whole.grid, place, resource));
    key = static_cast<int>(place.node);
  });
  require_equal_everywhere(comm.virtual_comm(), "resource", resource);
  MPI_Comm part = MPI_COMM_NULL;
  check(MPI_Comm_split(comm.virtual_comm(), color, key, &part), "MPI_Comm_split");
  return OwnedComm::adopt(part);
}

}  // namespace cubefold::mpi
