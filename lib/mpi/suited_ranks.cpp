#include "suited_ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "cubefold/mpi/cart_create.hpp"
#include "cubefold/plan/bricks.hpp"
#include "cubefold/plan/mapping.hpp"

namespace cubefold::mpi {

namespace {

/// The search for a placement takes some tenths of a second at most.
constexpr std::uint64_t effort = 200'000'000;

/// Returns the phase of a halo exchange, such as `halo:12wx10`.
std::string halo_phase(const CartShape& shape) {
  std::string text = "halo:";
  for (std::size_t axis = 0; axis < shape.extents.size(); ++axis) {
    text +=
        fmt::format("{}{}{}", axis > 0 ? "x" : "", shape.extents[axis], shape.periodic[axis] != 0 ? "w" : "");
  }
  return text;
}

/// Returns the node of every virtual rank.
std::vector<GridNode> nodes_of(const VirtualComm& comm) {
  if (comm.sharing() != nullptr) return node_of_rank(*comm.sharing());
  return node_of_rank(comm.placement());
}

/// Returns the indices of the nodes in the order of the nodes, and those of one node in ascending order.
std::vector<std::size_t> by_node(std::span<const GridNode> nodes) {
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t index) { return nodes[index]; });
  return order;
}

/// Returns the new rank of every process: those on a node get the ranks that the mapping puts there, both in ascending
/// order.
std::vector<int> ranks_on_nodes(std::span<const GridNode> node_of_process,
                                std::span<const GridNode> node_of_rank) {
  const auto processes = by_node(node_of_process);
  const auto ranks = by_node(node_of_rank);
  std::vector<int> rank_of_process(processes.size());
  for (std::size_t i = 0; i < processes.size(); ++i)
    rank_of_process[processes[i]] = static_cast<int>(ranks[i]);
  return rank_of_process;
}

/// Returns whether another order of the ranks may be better: on a known network with equally many processes on all
/// nodes.
bool may_gain(const VirtualComm& comm) {
  return comm.knows_network() && (comm.sharing() == nullptr || comm.sharing()->is_even());
}

MappingOptions options_for(const VirtualComm& comm) {
  MappingOptions options;
  options.effort = effort;
  if (comm.sharing() != nullptr) options.per_node = comm.sharing()->largest_group();
  return options;
}

/// Returns the new rank of every process under a mapping, or nothing if the virtual ranks suit the phases as well.
std::optional<std::vector<int>> ranks_if_better(const VirtualComm& comm, const std::vector<Phase>& phases,
                                                const Mapping& mapping) {
  const std::vector<GridNode> node_of_process = nodes_of(comm);
  if (!is_better(mapping.values, evaluate(comm.network(), node_of_process, phases))) return std::nullopt;
  return ranks_on_nodes(node_of_process, mapping.node_of_rank);
}

void require_place_for_all(const CartShape& shape, std::size_t processes) {
  if (shape.extents.size() != shape.periodic.size()) {
    throw std::invalid_argument(fmt::format("{} extents, but {} axes are said to be periodic or not",
                                            shape.extents.size(), shape.periodic.size()));
  }
  if (has_place_for_all(shape, processes)) return;
  throw std::invalid_argument(fmt::format("a grid of {} has no place for exactly {} processes",
                                          fmt::join(shape.extents, "x"), processes));
}

}  // namespace

bool has_place_for_all(const CartShape& shape, std::size_t processes) {
  std::size_t places = 1;
  for (const int extent : shape.extents) {
    if (extent < 1 || static_cast<std::size_t>(extent) > processes / places) return false;
    places *= static_cast<std::size_t>(extent);
  }
  return places == processes && !shape.extents.empty();
}

std::optional<std::vector<int>> suited_ranks(const VirtualComm& comm, const std::vector<Phase>& phases) {
  if (!may_gain(comm) || phases.empty()) return std::nullopt;
  return ranks_if_better(comm, phases, choose_placement(comm.network(), phases, options_for(comm)));
}

std::optional<int> rank_for_halo(const VirtualComm& comm, const CartShape& shape) {
  if (!may_gain(comm)) return std::nullopt;
  const auto phases = parse_phases(halo_phase(shape), comm.placement().rank_count());
  const std::vector<std::uint32_t> extents(shape.extents.begin(), shape.extents.end());
  const auto chosen = choose_bricks(comm.network(), phases, extents, options_for(comm));
  const auto ranks = ranks_if_better(comm, phases, chosen.mapping);
  if (!ranks) return std::nullopt;
  return (*ranks)[label(comm.rank())];
}

OwnedComm cart_create(const VirtualComm& comm, std::span<const int> extents, std::span<const int> periodic) {
  const CartShape shape{extents, periodic};
  const auto text = agree_on_outcome(comm.virtual_comm(), [&] {
    require_place_for_all(shape, comm.placement().rank_count());
    return halo_phase(shape);
  });
  require_equal_everywhere(comm.virtual_comm(), "the grid", text);
  const int own = static_cast<int>(label(comm.rank()));
  const int rank =
      agree_on_outcome(comm.virtual_comm(), [&] { return rank_for_halo(comm, shape).value_or(own); });
  const OwnedComm ordered = OwnedComm::reordered(comm.virtual_comm(), rank);
  MPI_Comm cart = MPI_COMM_NULL;
  check(MPI_Cart_create(ordered.get(), static_cast<int>(extents.size()), extents.data(), periodic.data(), 0,
                        &cart),
        "MPI_Cart_create");
  return OwnedComm::adopt(cart);
}

}  // namespace cubefold::mpi
