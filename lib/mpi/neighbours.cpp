#include "neighbours.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/error.hpp"
#include "processes.hpp"
#include "schedule/collective.hpp"

namespace cubefold::mpi {

namespace {

int topology_of(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  check(MPI_Topo_test(comm, &topology), "MPI_Topo_test");
  return topology;
}

struct CartesianShape {
  std::vector<int> extents;
  std::vector<int> periodic;
};

CartesianShape shape_of(MPI_Comm comm) {
  int axis_count = 0;
  check(MPI_Cartdim_get(comm, &axis_count), "MPI_Cartdim_get");
  const auto size = static_cast<std::size_t>(axis_count);
  CartesianShape shape{std::vector<int>(size), std::vector<int>(size)};
  std::vector<int> coordinates(size);
  check(MPI_Cart_get(comm, axis_count, shape.extents.data(), shape.periodic.data(), coordinates.data()),
        "MPI_Cart_get");
  return shape;
}

NeighbourLists cartesian_neighbours(MPI_Comm comm) {
  NeighbourLists lists;
  lists.is_cartesian = true;
  const auto axis_count = static_cast<int>(shape_of(comm).extents.size());
  for (int axis = 0; axis < axis_count; ++axis) {
    int below = MPI_PROC_NULL;
    int above = MPI_PROC_NULL;
    check(MPI_Cart_shift(comm, axis, 1, &below, &above), "MPI_Cart_shift");
    lists.sources.push_back(below);
    lists.sources.push_back(above);
  }
  lists.destinations = lists.sources;
  return lists;
}

NeighbourLists graph_neighbours(MPI_Comm comm) {
  const int own = rank_in(comm);
  int count = 0;
  check(MPI_Graph_neighbors_count(comm, own, &count), "MPI_Graph_neighbors_count");
  std::vector<int> neighbours(static_cast<std::size_t>(count));
  check(MPI_Graph_neighbors(comm, own, count, neighbours.data()), "MPI_Graph_neighbors");
  return {neighbours, neighbours};
}

NeighbourLists distributed_neighbours(MPI_Comm comm) {
  int source_count = 0;
  int destination_count = 0;
  int has_weights = 0;
  check(MPI_Dist_graph_neighbors_count(comm, &source_count, &destination_count, &has_weights),
        "MPI_Dist_graph_neighbors_count");
  NeighbourLists lists{std::vector<int>(static_cast<std::size_t>(source_count)),
                       std::vector<int>(static_cast<std::size_t>(destination_count))};
  std::vector<int> source_weights(lists.sources.size());
  std::vector<int> destination_weights(lists.destinations.size());
  check(MPI_Dist_graph_neighbors(comm, source_count, lists.sources.data(),
                                 has_weights != 0 ? source_weights.data() : MPI_UNWEIGHTED, destination_count,
                                 lists.destinations.data(),
                                 has_weights != 0 ? destination_weights.data() : MPI_UNWEIGHTED),
        "MPI_Dist_graph_neighbors");
  return lists;
}

/// Returns the order in which a process receives the blocks of its sources. Of several blocks from one process, that
/// which it sends first comes first. On a Cartesian axis on which both neighbours are one process, that is the block
/// which it sends downwards, and it comes from above.
std::vector<std::size_t> receive_order(const NeighbourLists& lists) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < lists.sources.size(); ++i) order.push_back(lists.is_cartesian ? i ^ 1 : i);
  return order;
}

/// Builds the messages of blocks that travel alone, and the copies of those that a process has for itself.
class DirectMessages {
 public:
  DirectMessages(const NeighbourLists& lists, int own, const std::vector<Rank>& ranks, std::size_t first_slot,
                 LocalProgram& program)
      : lists_(lists), own_(own), ranks_(ranks), first_slot_(first_slot), program_(program) {}

  void add() {
    const auto step = static_cast<std::uint32_t>(program_.step_count);
    std::vector<Slot> own_sent;
    for (std::size_t i = 0; i < lists_.destinations.size(); ++i) {
      const int to = lists_.destinations[i];
      if (to == own_) own_sent.push_back(slot(i));
      if (to != own_ && to != MPI_PROC_NULL) program_.sends.push_back(message(step, to, Area::send, i));
    }
    std::size_t own_received = 0;
    for (const std::size_t i : receive_order(lists_)) {
      const int from = lists_.sources[i];
      if (from == own_ && own_received < own_sent.size())
        program_.own.push_back({own_sent[own_received++], slot(i)});
      if (from != own_ && from != MPI_PROC_NULL)
        program_.receives.push_back(message(step, from, Area::receive, i));
    }
    ++program_.step_count;
  }

 private:
  Slot slot(std::size_t neighbour) const { return static_cast<Slot>(first_slot_ + neighbour); }

  LocalMessage message(std::uint32_t step, int peer, Area area, std::size_t neighbour) {
    const auto first_run = static_cast<std::uint32_t>(program_.runs.size());
    program_.runs.push_back({area, slot(neighbour), 1});
    return {step, ranks_[static_cast<std::size_t>(peer)], 1, first_run, 1, 0};
  }

  const NeighbourLists& lists_;
  int own_;
  const std::vector<Rank>& ranks_;
  std::size_t first_slot_;
  LocalProgram& program_;
};

/// Returns the edge of each neighbour, given a function that returns an edge's offset from its rank. Equal edges take
/// turns. A process has no edge for itself.
template <typename OffsetOf>
std::vector<std::optional<std::size_t>> edges_of(const std::vector<int>& neighbours, int own,
                                                 const NeighbourGrid& edges, OffsetOf offset_of) {
  std::map<int, std::size_t> counts;
  std::vector<std::optional<std::size_t>> result;
  for (const int neighbour : neighbours) {
    result.emplace_back();
    if (neighbour == own) continue;
    result.back() =
        edges.first_edge(offset_of(Rank{static_cast<std::uint32_t>(neighbour)})) + counts[neighbour]++;
  }
  return result;
}

std::size_t bytes_between(const std::byte* from, const std::byte* to) {
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): they may be in different arrays
  return reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
}

}  // namespace

std::optional<NeighbourLists> neighbours_of(MPI_Comm comm) {
  switch (topology_of(comm)) {
    case MPI_CART:
      return cartesian_neighbours(comm);
    case MPI_GRAPH:
      return graph_neighbours(comm);
    case MPI_DIST_GRAPH:
      return distributed_neighbours(comm);
    default:
      return std::nullopt;
  }
}

OwnedComm with_topology_of(MPI_Comm like, MPI_Comm comm) {
  MPI_Comm made = MPI_COMM_NULL;
  if (topology_of(like) == MPI_CART) {
    const CartesianShape shape = shape_of(like);
    check(MPI_Cart_create(comm, static_cast<int>(shape.extents.size()), shape.extents.data(),
                          shape.periodic.data(), 0, &made),
          "MPI_Cart_create");
  } else {
    const auto lists = neighbours_of(like);
    if (!lists) throw std::invalid_argument("the communicator has no topology");
    check(MPI_Dist_graph_create_adjacent(comm, static_cast<int>(lists->sources.size()), lists->sources.data(),
                                         MPI_UNWEIGHTED, static_cast<int>(lists->destinations.size()),
                                         lists->destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made),
          "MPI_Dist_graph_create_adjacent");
  }
  return OwnedComm::adopt(made);
}

std::optional<std::size_t> NeighbourCall::block_bytes() const {
  if (!has_one_size()) return std::nullopt;
  return static_cast<std::size_t>(std::max<MPI_Count>(received_.count(), 0)) * size_of(received_.type());
}

void NeighbourCall::require_valid(std::size_t destination_count, std::size_t source_count) {
  if (sent_.are_in_place() || received_.are_in_place())
    throw std::invalid_argument("MPI_IN_PLACE has no meaning for neighbours");
  sent_.require_valid(gathers() ? std::min<std::size_t>(destination_count, 1) : destination_count);
  received_.require_valid(source_count);
  if (!block_bytes() || destination_count == 0 || source_count == 0 || sent_.bytes(0) == received_.bytes(0))
    return;
  throw std::invalid_argument("blocks that are sent and received have different sizes");
}

int NeighbourCall::call_mpi(MPI_Comm comm) const {
#if MPI_VERSION >= 4
  if (have_large_counts())
    return pass_to<MPI_Count, MPI_Aint>(CUBEFOLD_NEIGHBOUR_FUNCTIONS(MPI_Neighbor_, _c), comm);
#endif
  return pass_to(CUBEFOLD_NEIGHBOUR_FUNCTIONS(MPI_Neighbor_, ), comm);
}

NeighbourSlots neighbour_slots(const NeighbourLists& lists, int own, const NeighbourGrid& edges) {
  const Rank rank{static_cast<std::uint32_t>(own)};
  return {edges.edge_count(), false,
          edges_of(lists.destinations, own, edges, [&](Rank to) { return edges.offset_between(rank, to); }),
          edges_of(lists.sources, own, edges, [&](Rank from) { return edges.offset_between(from, rank); })};
}

NeighbourProgram neighbour_program(const NeighbourLists& lists, int own, const std::vector<Rank>& ranks,
                                   const NeighbourGrid* edges) {
  NeighbourProgram made{{ranks.size(), 0, 0, {}, {}, {}, {}}, {}};
  made.slots.edge_of_destination.resize(lists.destinations.size());
  made.slots.edge_of_source.resize(lists.sources.size());
  if (edges != nullptr) {
    const Rank rank{static_cast<std::uint32_t>(own)};
    made.program = local_program(combined_neighbour_part(*edges, Ports::all, rank), rank,
                                 Collective::neighbour_exchange(*edges), ScratchSlots::of_one_chunk);
    made.program.own.clear();
    for (auto* messages : {&made.program.sends, &made.program.receives})
      for (LocalMessage& message : *messages) message.peer = ranks[label(message.peer)];
    made.slots = neighbour_slots(lists, own, *edges);
  }
  made.slots.lacks_sources = std::ranges::find(lists.sources, MPI_PROC_NULL) != lists.sources.end();
  DirectMessages(lists, own, ranks, made.slots.edge_count, made.program).add();
  return made;
}

NeighbourMemory::NeighbourMemory(const NeighbourSlots& slots, const LocalProgram& program,
                                 const std::vector<std::uint64_t>& edge_bytes, const Side& sent,
                                 const Side& received)
    : sent_side_(sent), received_side_(received) {
  std::size_t most_padded = 0;
  for (std::size_t edge = 0; edge < slots.edge_count; ++edge) {
    most_padded += 2 * edge_bytes[edge];
    largest_bytes_ = std::max<std::size_t>(largest_bytes_, edge_bytes[edge]);
  }
  const auto is_full = [&](const Side& side, const auto& edge_of_block) {
    for (std::size_t block = 0; block < edge_of_block.size(); ++block) {
      const auto& edge = edge_of_block[block];
      if (edge && side.table->sizes[std::min(block, side.table->sizes.size() - 1)] != edge_bytes[*edge])
        return false;
    }
    return true;
  };
  if (!is_full(sent, slots.edge_of_destination) || !is_full(received, slots.edge_of_source))
    padded_.reserve(most_padded);
  set(sent_, sent, slots.edge_of_destination, edge_bytes);
  set(received_, received, slots.edge_of_source, edge_bytes);
  std::size_t next = 0;
  const std::size_t edge_count = std::max<std::size_t>(slots.edge_count, 1);  // without edges nothing is kept
  for (const std::uint32_t chunk : program.scratch_chunks) {
    scratch_.add(next, edge_bytes[chunk % edge_count]);
    next += scratch_.sizes.back();
  }
  scratch_.table = {scratch_.offsets, scratch_.sizes};
}

/// Sets the slots of one side. Requires that padded_ has memory for those that are padded.
void NeighbourMemory::set(Slots& slots, const Side& side,
                          const std::vector<std::optional<std::size_t>>& edge_of_block,
                          const std::vector<std::uint64_t>& edge_bytes) {
  slots.offsets.assign(edge_bytes.size(), 0);
  slots.sizes.assign(edge_bytes.size(), 0);
  for (std::size_t block = 0; block < edge_of_block.size(); ++block) {
    const std::size_t place =
        std::min(block, side.table->sizes.size() - 1);  // a gathered block is there once
    const std::size_t bytes = side.table->sizes[place];
    const std::size_t offset = side.table->offsets[place];
    const auto& edge = edge_of_block[block];
    const bool is_combined = edge && bytes <= edge_bytes[*edge];
    slots.add(offset, is_combined ? 0 : bytes);
    if (!is_combined) largest_bytes_ = std::max(largest_bytes_, bytes);
    if (!edge) continue;
    slots.sizes[*edge] = edge_bytes[*edge];
    slots.offsets[*edge] = offset;
    if (bytes == edge_bytes[*edge]) continue;
    const std::size_t slot_offset = padded_.size();
    padded_.resize(slot_offset + edge_bytes[*edge]);
    slots.offsets[*edge] = bytes_between(side.memory, padded_.data() + slot_offset);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): offsets of blocks before the memory are negative numbers
    if (is_combined)
      slots.padded.push_back({side.memory + static_cast<std::ptrdiff_t>(offset), slot_offset, bytes});
  }
  slots.table = {slots.offsets, slots.sizes};
}

ExchangeMemory NeighbourMemory::memory() const {
  ExchangeMemory memory{sent_side_.memory, received_side_.memory, largest_bytes_, &sent_.table,
                        &received_.table,  &scratch_.table,       false};
  memory.is_posted_at_once = true;
  return memory;
}

void NeighbourMemory::pad() {
  for (const Padded& each : sent_.padded)
    if (each.bytes > 0) std::memcpy(padded_.data() + each.slot_offset, each.block, each.bytes);
}

void NeighbourMemory::take_padded() const {
  for (const Padded& each : received_.padded)
    if (each.bytes > 0) std::memcpy(each.block, padded_.data() + each.slot_offset, each.bytes);
}

}  // namespace cubefold::mpi
