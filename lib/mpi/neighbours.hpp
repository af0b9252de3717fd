#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "blocks.hpp"
#include "collective/neighbour_steps.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "schedule/local_program.hpp"
#include "schedule/neighbour_grid.hpp"
#include "schedule/packing.hpp"

namespace cubefold::mpi {

/// The neighbours of this process by the topology of a communicator: ranks of it, or MPI_PROC_NULL.
struct NeighbourLists {
  std::vector<int> sources{};       ///< in the order of the received blocks
  std::vector<int> destinations{};  ///< in the order of the sent blocks
  bool is_cartesian = false;

  bool operator==(const NeighbourLists&) const = default;
};

/// Returns the neighbours on a communicator with a Cartesian, graph or distributed-graph topology, as MPI's neighbour
/// collectives order them, or nothing if it has none. Does not communicate.
CUBEFOLD_API std::optional<NeighbourLists> neighbours_of(MPI_Comm comm);

/// Collective: returns a communicator of the processes of `comm` with the topology of `like`, which has the same
/// processes in the same order. A graph becomes a distributed graph with the same neighbours. No attributes are copied.
CUBEFOLD_API OwnedComm with_topology_of(MPI_Comm like, MPI_Comm comm);

/// The functions of MPI that exchange blocks with neighbours.
enum class NeighbourFunction : std::uint8_t { alltoall, alltoallv, alltoallw, allgather, allgatherv };

/// The arguments of such a function. They borrow the caller's memory, arrays and datatypes.
class CUBEFOLD_API NeighbourCall {
 public:
  NeighbourCall(NeighbourFunction function, Blocks sent, Blocks received)
      : function_(function), sent_(std::move(sent)), received_(std::move(received)) {}

  NeighbourFunction function() const { return function_; }
  const Blocks& sent() const { return sent_; }
  const Blocks& received() const { return received_; }

  /// Returns whether the same block goes to all neighbours.
  bool gathers() const {
    return function_ == NeighbourFunction::allgather || function_ == NeighbourFunction::allgatherv;
  }

  /// Returns whether MPI demands that all blocks of all processes have one size.
  bool has_one_size() const {
    return function_ == NeighbourFunction::alltoall || function_ == NeighbourFunction::allgather;
  }

  /// Returns the bytes of a block if MPI demands that all blocks of all processes have one size, or nothing. Throws
  /// std::invalid_argument for a null type.
  std::optional<std::size_t> block_bytes() const;

  /// Checks the arguments of a process with so many neighbours. Throws std::invalid_argument as
  /// Blocks::require_valid(), and for MPI_IN_PLACE, which neighbour collectives do not have.
  void require_valid(std::size_t destination_count, std::size_t source_count);

  /// Returns whether the arguments are those of a function with large counts, as MPI_Neighbor_alltoall_c.
  bool have_large_counts() const { return received_.have_large_counts(); }

  /// Calls the function of MPI among the members of `functions`, which are named as those of NeighbourFunctions, with
  /// these arguments and then `others`. Returns what it returns. Count and Place are the types of counts and
  /// displacements, which are those of the arguments.
  template <typename Count = int, typename Place = int, typename Functions, typename... Others>
  int pass_to(const Functions& functions, Others... others) const {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the caller has passed it as void*
    void* const receive = const_cast<void*>(received_.memory());
    const auto send_count = static_cast<Count>(sent_.count());
    const auto receive_count = static_cast<Count>(received_.count());
    const auto* send_counts = sent_.counts().template as<Count>();
    const auto* receive_counts = received_.counts().template as<Count>();
    switch (function_) {
      case NeighbourFunction::alltoall:
        return functions.Neighbor_alltoall(sent_.memory(), send_count, sent_.type(), receive, receive_count,
                                           received_.type(), others...);
      case NeighbourFunction::alltoallv:
        return functions.Neighbor_alltoallv(
            sent_.memory(), send_counts, sent_.displacements().template as<Place>(), sent_.type(), receive,
            receive_counts, received_.displacements().template as<Place>(), received_.type(), others...);
      case NeighbourFunction::alltoallw:
        return functions.Neighbor_alltoallw(
            sent_.memory(), send_counts, sent_.displacements().as<MPI_Aint>(), sent_.types().data(), receive,
            receive_counts, received_.displacements().as<MPI_Aint>(), received_.types().data(), others...);
      case NeighbourFunction::allgather:
        return functions.Neighbor_allgather(sent_.memory(), send_count, sent_.type(), receive, receive_count,
                                            received_.type(), others...);
      case NeighbourFunction::allgatherv:
        break;
    }
    return functions.Neighbor_allgatherv(sent_.memory(), send_count, sent_.type(), receive, receive_counts,
                                         received_.displacements().template as<Place>(), received_.type(),
                                         others...);
  }

  /// Calls MPI's blocking function on a communicator, and returns what it returns.
  int call_mpi(MPI_Comm comm) const;

 private:
  NeighbourFunction function_;
  Blocks sent_;
  Blocks received_;
};

/// Functions of MPI for NeighbourCall::pass_to(): the blocking, the non-blocking or the persistent ones.
template <typename Alltoall, typename Alltoallv, typename Alltoallw, typename Allgather, typename Allgatherv>
struct NeighbourFunctions {
  Alltoall Neighbor_alltoall;
  Alltoallv Neighbor_alltoallv;
  Alltoallw Neighbor_alltoallw;
  Allgather Neighbor_allgather;
  Allgatherv Neighbor_allgatherv;
};

// clang 14 does not deduce the arguments of aggregates.
template <typename Alltoall, typename Alltoallv, typename Alltoallw, typename Allgather, typename Allgatherv>
NeighbourFunctions(Alltoall, Alltoallv, Alltoallw, Allgather, Allgatherv)
    -> NeighbourFunctions<Alltoall, Alltoallv, Alltoallw, Allgather, Allgatherv>;

/// NeighbourFunctions of those whose names are `prefix`, the name of a NeighbourFunction and `suffix`.
#define CUBEFOLD_NEIGHBOUR_FUNCTIONS(prefix, suffix)                                \
  cubefold::mpi::NeighbourFunctions {                                               \
    prefix##alltoall##suffix, prefix##alltoallv##suffix, prefix##alltoallw##suffix, \
        prefix##allgather##suffix, prefix##allgatherv##suffix                       \
  }

/// Says where the blocks of neighbours are in the slots of a program. The send area and the receive area each begin
/// with a slot for each edge of the stencil, whose blocks are combined, and go on with one for each neighbour, whose
/// block is a message. Every block has both; the slot that does not carry it is empty, or has bytes that nobody reads.
struct NeighbourSlots {
  std::size_t edge_count = 0;  ///< of the stencil, or 0 if no blocks are combined
  bool lacks_sources = false;  ///< some blocks come from MPI_PROC_NULL, so their memory must not change
  /// These hold the edge by which the block of each destination, or of each source, is combined with others. They hold
  /// nothing for a block that is a message of its own.
  std::vector<std::optional<std::size_t>> edge_of_destination;
  std::vector<std::optional<std::size_t>> edge_of_source;
};

/// One process's messages and the slots of their blocks.
struct NeighbourProgram {
  LocalProgram program;
  NeighbourSlots slots;
};

/// Returns the edges of the destinations and of the sources of process `own` of the lists. A process has no edge for
/// itself: its own blocks are copied. Requires has_edges().
CUBEFOLD_API NeighbourSlots neighbour_slots(const NeighbourLists& lists, int own, const NeighbourGrid& edges);

/// Returns the program of a process by direct messages, in the order of its neighbours, or by those of
/// combined_neighbour_part() if `edges` are given. These must have the lists as has_edges() says, and `own` is this
/// process there. Blocks that are too long for their slots travel as direct messages after them. ranks[r] is the rank
/// of process r of the lists on the context, of which there are rank_count.
CUBEFOLD_API NeighbourProgram neighbour_program(const NeighbourLists& lists, int own,
                                                const std::vector<Rank>& ranks, const NeighbourGrid* edges);

/// The blocks of a call of neighbours by the slots of a program. A slot of an edge has the same bytes on all processes,
/// so that a process knows how long a block of others is that it passes on. A shorter block is padded there, which
/// copies it; one that is longer travels as a message of its own. Both ends of an edge know the size of its block, so
/// they decide alike.
class CUBEFOLD_API NeighbourMemory {
 public:
  /// The blocks of one side in packed form, in the order of the neighbours, or the single one that is gathered.
  struct Side {
    std::byte* memory;
    const BlockTable* table;
  };

  /// `edge_bytes` has the bytes of the slot of each edge.
  NeighbourMemory(const NeighbourSlots& slots, const LocalProgram& program,
                  const std::vector<std::uint64_t>& edge_bytes, const Side& sent, const Side& received);
  NeighbourMemory(const NeighbourMemory&) = delete;
  NeighbourMemory& operator=(const NeighbourMemory&) = delete;
  ~NeighbourMemory() = default;

  /// Returns the memory of a run. It borrows this object.
  ExchangeMemory memory() const;

  /// Copies the blocks that are padded to their slots.
  void pad();

  /// Copies those that have arrived in padded slots to their places.
  void take_padded() const;

  /// Returns the padded slots and gives up their ownership.
  std::vector<std::byte> release() { return std::move(padded_); }

 private:
  /// A block that is copied to or from a padded slot.
  struct Padded {
    std::byte* block;
    std::size_t slot_offset;  ///< within padded_
    std::size_t bytes;
  };

  struct Slots {
    std::vector<std::size_t> offsets;
    std::vector<std::size_t> sizes;
    std::vector<Padded> padded;
    BlockTable table;

    void add(std::size_t offset, std::size_t bytes) {
      offsets.push_back(offset);
      sizes.push_back(bytes);
    }
  };

  void set(Slots& slots, const Side& side, const std::vector<std::optional<std::size_t>>& edge_of_block,
           const std::vector<std::uint64_t>& edge_bytes);

  Side sent_side_;
  Side received_side_;
  std::vector<std::byte> padded_;
  Slots sent_;
  Slots received_;
  Slots scratch_;
  std::size_t largest_bytes_ = 0;
};

}  // namespace cubefold::mpi
