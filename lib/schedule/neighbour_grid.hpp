#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Describes a neighbour exchange whose edges are the same offsets on every rank of a grid: the rank at coordinates c
/// has a block for the rank at c + o, for each offset o. On a wrapped axis coordinates are taken modulo its extent. An
/// edge that leads over an open end does not exist. Offsets may repeat, and an offset of 0 is an edge to the rank
/// itself. Ranks are numbered with axis 0 fastest.
///
/// Edges are numbered by their offsets in ascending order, and equal offsets in the order of the blocks. The block of
/// edge e of rank r is chunk r * edge_count() + e.
class CUBEFOLD_API NeighbourGrid {
 public:
  /// One signed number of steps for each axis.
  using Offset = std::vector<std::int32_t>;

  /// Takes offsets in any order. On a wrapped axis of extent k they become numbers above -k/2 and up to k/2. Throws
  /// std::invalid_argument unless each offset has one number for each axis, and for 2^32 chunks and more.
  NeighbourGrid(Grid ranks, std::vector<Offset> offsets);

  const Grid& ranks() const { return ranks_; }
  std::size_t rank_count() const { return ranks_.node_count(); }
  std::size_t edge_count() const { return offsets_.size(); }
  const Offset& offset(std::size_t edge) const { return offsets_[edge]; }

  /// Returns the offset, as the constructor makes it, of the edges that lead from one rank to another. Costs O(axes).
  Offset offset_between(Rank from, Rank to) const;

  /// Returns the first edge with this offset, or edge_count() if there is none.
  std::size_t first_edge(const Offset& offset) const;

  /// Returns the rank to which an edge of this rank leads, or nothing if the edge does not exist. Costs O(axes).
  std::optional<Rank> destination(Rank rank, std::size_t edge) const;

  /// Returns the rank whose edge of this number leads to this rank, or nothing. Costs O(axes).
  std::optional<Rank> source(Rank rank, std::size_t edge) const;

  /// Returns the rank at this one's coordinates plus `sign` times the numbers of an offset on the axes first_axis ..
  /// end_axis - 1, or nothing beyond an open end. Costs O(axes).
  std::optional<Rank> moved(Rank rank, const Offset& offset, int first_axis, int end_axis,
                            int sign = 1) const;

  bool operator==(const NeighbourGrid&) const = default;

 private:
  std::int32_t shortest(int axis, std::int64_t steps) const;

  Grid ranks_;
  std::vector<Offset> offsets_;
};

}  // namespace cubefold
