#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// One of several orders of a grid's axes and directions, so that collectives that run at once use different links: the
/// axes of more than one node follow one another from number first_axis on, and where it is mirrored, coordinates are
/// counted down instead of up.
struct AxisOrder {
  std::size_t first_axis = 0;
  bool is_mirrored = false;

  bool operator==(const AxisOrder&) const = default;
};

/// Returns the axes of more than one node in the order.
CUBEFOLD_API std::vector<int> axes_in(const AxisOrder& order, const Grid& grid);

/// A butterfly of 2^d ranks: in each of d steps every rank has a partner, whose partner it is. Any subset of the steps,
/// in their order, leads from a rank to another one, and every rank is reached by exactly one subset.
class CUBEFOLD_API Pairing {
 public:
  /// The partner in step k is the rank whose label differs in bit k. Reductions in ascending order of the steps keep
  /// the order of the ranks. Throws std::invalid_argument unless rank_count is a power of two.
  static Pairing cube(std::size_t rank_count);

  /// The partner in step k of an axis is the node whose coordinate differs in bit k; mirrored, the coordinate counted
  /// down. The steps go round the axes as those of swing(). Throws as swing() does.
  static Pairing cube_of_nodes(const Placement& placement, const AxisOrder& order = {});

  /// In step k of an axis, the partner of the node at an even coordinate is rho_k above it, and that of the node at an
  /// odd one rho_k below it, modulo the extent, with rho_k = (1 - (-2)^(k+1)) / 3 = 1, -1, 3, -5, 11, ... The steps go
  /// round the axes: step 0 of every axis, then step 1 of those that have one. The distances of a step are 1, 1, 3, 5,
  /// 11, ... links where those of the cube are 1, 2, 4, 8, 16. From extents of 8 on the order of the steps matters, so
  /// the pairing does not serve butterflies of transforms, sorts and scans, nor operations that do not commute. Throws
  /// std::invalid_argument if the grid has an extent that is no power of two. Source: De Sensi et al.,
  /// Swing, NSDI 2024.
  static Pairing swing(const Placement& placement, const AxisOrder& order = {});

  std::size_t rank_count() const { return rank_count_; }
  std::size_t step_count() const { return step_count_; }

  /// Costs O(axes).
  Rank partner(Rank rank, std::size_t step) const { return partner_(rank, step); }

  /// Returns the ranks that the steps from `step` on lead to from a rank, the rank itself first. Costs O(ranks
  /// returned).
  std::vector<Rank> destinations(Rank rank, std::size_t step) const;

  /// Returns the ranks from which the steps before `step` lead to a rank, the rank itself first. Costs O(ranks
  /// returned).
  std::vector<Rank> origins(Rank rank, std::size_t step) const;

 private:
  using Partner = std::function<Rank(Rank rank, std::size_t step)>;

  /// Returns the partner of a coordinate in a step of an axis of this extent.
  using CoordinatePartner = std::uint32_t (*)(std::uint32_t coordinate, std::uint32_t step,
                                              std::uint32_t extent);

  /// Returns the pairing whose steps go round the axes. Errors begin with the name.
  static Pairing by_axes(const Placement& placement, const AxisOrder& order, const char* name,
                         CoordinatePartner partner);

  Pairing(std::size_t rank_count, std::size_t step_count, Partner partner)
      : rank_count_(rank_count), step_count_(step_count), partner_(std::move(partner)) {}

  void add_partners(std::vector<Rank>& ranks, std::size_t step) const;

  std::size_t rank_count_;
  std::size_t step_count_;
  Partner partner_;
};

}  // namespace cubefold
