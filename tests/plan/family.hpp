#pragma once

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/topology/grid.hpp"

/// Enumerates all placements that the joint optimiser chooses from, without regard to speed.
namespace cubefold {

inline std::uint32_t coordinate_under(Embedding embedding, std::uint32_t label, int bits) {
  switch (embedding) {
    case Embedding::identity:
    case Embedding::standard:
    case Embedding::by_weight:
      return label;
    case Embedding::xor_:
      return bits < 2 ? label : label ^ (label >> (bits - 1) << (bits - 2));
    case Embedding::gray:
      std::uint32_t place = 0;
      for (auto rest = label; rest != 0; rest >>= 1) place ^= rest;
      return place;
  }
  return label;
}

inline std::vector<GridNode> family_nodes(const Grid& grid, const std::vector<Embedding>& embeddings,
                                          const std::vector<int>& order) {
  std::vector<GridNode> nodes;
  for (std::uint32_t rank = 0; rank < grid.node_count(); ++rank) {
    std::vector<std::uint32_t> coordinates;
    std::size_t new_bit = 0;
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      const int bits = std::countr_zero(grid.extent(axis));
      std::uint32_t part = 0;
      for (int k = 0; k < bits; ++k) part |= (rank >> order[new_bit++] & 1) << k;
      coordinates.push_back(coordinate_under(embeddings[static_cast<std::size_t>(axis)], part, bits));
    }
    nodes.push_back(grid.node_at(coordinates));
  }
  return nodes;
}

/// Calls visit(embeddings, order, nodes) for every choice of an embedding per axis and every order of the rank bits.
template <typename Visit>
void for_each_of_family(const Grid& grid, Visit visit) {
  constexpr Embedding all[] = {Embedding::standard, Embedding::xor_, Embedding::gray};
  std::vector<int> order(static_cast<std::size_t>(std::countr_zero(grid.node_count())));
  std::iota(order.begin(), order.end(), 0);
  const auto axes = static_cast<std::size_t>(grid.axis_count());
  do {
    std::vector<std::size_t> choice(axes);
    for (std::size_t axis = 0; axis < axes;) {
      std::vector<Embedding> embeddings;
      for (const auto c : choice) embeddings.push_back(all[c]);
      visit(embeddings, order, family_nodes(grid, embeddings, order));
      for (axis = 0; axis < axes && ++choice[axis] == std::size(all); ++axis) choice[axis] = 0;
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace cubefold
