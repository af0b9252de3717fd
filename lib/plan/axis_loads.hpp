#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "cubefold/embedding/placement_rule.hpp"
#include "cubefold/plan/mapping.hpp"
#include "cubefold/plan/phase.hpp"
#include "line_loads.hpp"

namespace cubefold {

/// The labels of the two ends of a message, as vectors over GF(2).
struct MessageEnds {
  std::uint32_t from;
  std::uint32_t to;
};

/// Equal messages whose pairs of ends are the sums over GF(2) of `origin` and any subset of `basis`. Linear-complement
/// communications have this form, also between groups of ranks.
struct AffineTraffic {
  MessageEnds origin;
  std::vector<MessageEnds> basis;
  double messages;

  /// Returns whether every rank sends to its neighbour rank xor 2^i, with the same i for all ranks.
  bool is_cube_dimension(int bits) const;
};

/// Returns the traffic as an affine set, or nothing if it is not one. Pairs of equal ends in the set may be missing in
/// the traffic. Requires that no pair occurs twice. Costs O(traffic * bits).
std::optional<AffineTraffic> recognise_affine(std::span<const Traffic> traffic);

/// Returns the coordinate of the axis label of `count` bits in which only bit `position` is set. The coordinate of any
/// other label is the sum over GF(2) of those of its bits.
std::uint32_t coordinate_of_position(Embedding embedding, int position, int count);

/// The rank bits on an axis, lowest position first, with the embedding of the axis.
struct AxisBits {
  int axis;
  Embedding embedding;
  std::uint32_t before;  ///< mask of the rank bits on axes of lower number
  std::span<const int> bits;
};

/// The contribution of an axis to the objective and to hop-bytes.
struct AxisCost {
  /// The weighted cost of the components that load no other axis.
  double closed = 0;
  /// The load of the busiest link for each other component, without its weight.
  std::vector<double> open;
  double hops = 0;  ///< with weights
};

/// Computes the loads of the links of one axis for placements whose node bits are rank bits in some order, with an
/// embedding for each axis.
///
/// With dimension-order routing the loads depend on few data. On axis j a message travels between the coordinates of
/// its two ends on j. It travels on the line that its destination selects on the axes before j, and its source on the
/// axes behind j. The loads therefore depend on the set of bits on the axes before j, but not on the order of bits on
/// other axes. The pairs of coordinates of affine traffic on an axis are cosets of one subspace. The loads of each such
/// set are counted once and kept.
class AxisLoads {
 public:
  /// Takes phases between groups in which every pair occurs once. Requires extents that are powers of two. Keeps
  /// references to the grid and the phases.
  AxisLoads(const Grid& grid, std::span<const Phase> phases, MappingObjective objective, Tie tie);

  /// Returns the weights of the open components. The objective is the sum of AxisCost::closed over all axes, plus the
  /// sum over components of weight times the maximum of AxisCost::open over all axes.
  const std::vector<double>& weights() const { return weights_; }

  /// Returns roughly the nanoseconds of a call of cost() whose parts have been counted before.
  double work_of_cost() const { return work_of_cost_; }

  /// Returns roughly the nanoseconds of all calls of cost() so far, with the counting of their parts.
  double work() const { return work_; }

  void cost(const AxisBits& axis, AxisCost& result);

 private:
  /// The busiest link and the hops for messages of size 1.
  struct Unit {
    double busiest = 0;
    double hops = 0;
  };
  struct KeyHash {
    std::size_t operator()(const std::vector<std::uint64_t>& key) const;
  };
  struct Dimension {
    int bit;
    double weighted_messages;
  };
  struct Affine {
    AffineTraffic traffic;
    double weight;
  };

  void sort_out(const Phase& phase);
  void look_at(const AxisBits& axis);
  void add(AxisCost& result, double weight, double busiest, std::size_t& component) const;
  std::uint32_t coordinate(std::uint32_t rank) const;

  Unit of_affine(const AxisBits& axis, const AffineTraffic& affine);
  Unit of_cosets(std::span<const std::uint64_t> directions, std::span<const std::uint64_t> lines,
                 std::uint64_t origin);
  double add_listed(const AxisBits& axis, const Phase& phase, double factor);
  double busiest_listed();

  const Grid& grid_;
  MappingObjective objective_;
  Tie tie_;
  int bit_count_;
  std::vector<double> up_;  ///< differences of the loads of successive links; all 0 between uses
  std::vector<double> down_;
  std::vector<Dimension> dimensions_;
  std::vector<Affine> affine_;
  std::vector<const Phase*> listed_;
  std::vector<double> weights_;
  double work_of_cost_ = 0;
  double work_ = 0;

  // These belong to the axis of the last call of look_at().
  std::uint32_t mask_ = 0;
  Line line_;
  std::vector<std::uint32_t> coordinate_of_bit_;
  std::vector<std::uint32_t> coordinate_of_rank_;
  std::vector<std::uint32_t> rank_bits_at_;

  std::unordered_map<std::vector<std::uint64_t>, Unit, KeyHash> known_;
  std::vector<std::uint64_t> key_;
};

}  // namespace cubefold
