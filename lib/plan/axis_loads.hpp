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

/// Two ends of a message as label bits, added bit by bit.
struct MessageEnds {
  std::uint32_t from;
  std::uint32_t to;
};

/// Equal messages whose pairs of ends are all sums of `origin` and some of `basis` over GF(2). Linear-complement
/// communications are such, and so is what remains of them when ranks are gathered in groups.
struct AffineTraffic {
  MessageEnds origin;
  std::vector<MessageEnds> basis;
  double messages;

  /// Every rank sends to one and the same neighbour, rank xor 2^i.
  bool is_cube_dimension(int bits) const;
};

/// The traffic between different ranks as such a set, if it is one but for pairs of equal ends. Requires no pair twice.
/// O(traffic * bits).
std::optional<AffineTraffic> recognise_affine(std::span<const Traffic> traffic);

/// Coordinate of the axis label with only that of `count` bits set. Of other labels it is the sum over GF(2).
std::uint32_t coordinate_of_position(Embedding embedding, int position, int count);

/// Rank bits on an axis, lowest position first, under an embedding.
struct AxisBits {
  int axis;
  Embedding embedding;
  std::uint32_t before;  ///< the rank bits on axes of lower number, as a mask
  std::span<const int> bits;
};

/// What an axis adds to the objective and to hop-bytes.
struct AxisCost {
  double closed = 0;         ///< of what loads no other axis, weights included
  std::vector<double> open;  ///< busiest link of each other component, weights not included
  double hops = 0;           ///< weights included
};

/// Loads of the links of one axis when node bits are rank bits in some order, under an embedding per axis.
///
/// Dimension-order routing makes them depend on little: a message travels on axis j between the coordinates that its
/// ends have there, on the line given by its destination on the axes before and its source on those behind. So the
/// order of bits on other axes is of no consequence, only which of them come before. And of affine traffic an axis sees
/// no more than the cosets of one subspace of pairs of coordinates; each such set is counted once and kept.
class AxisLoads {
 public:
  /// Of phases between groups, each pair once. Requires extents that are powers of two. Keeps references.
  AxisLoads(const Grid& grid, std::span<const Phase> phases, MappingObjective objective, Tie tie);

  /// Of the open components. Objective = sum over axes of closed + sum of weight * maximum over axes of open.
  const std::vector<double>& weights() const { return weights_; }

  /// The nanoseconds or so of a cost() whose parts have been counted before.
  double work_of_cost() const { return work_of_cost_; }

  /// The nanoseconds or so of all calls of cost() so far, with what was counted for them.
  double work() const { return work_; }

  void cost(const AxisBits& axis, AxisCost& result);

 private:
  /// Of messages of size 1.
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
  std::vector<double> up_;  ///< differences between links; all 0 between uses
  std::vector<double> down_;
  std::vector<Dimension> dimensions_;
  std::vector<Affine> affine_;
  std::vector<const Phase*> listed_;
  std::vector<double> weights_;
  double work_of_cost_ = 0;
  double work_ = 0;

  // Of the axis that is looked at.
  std::uint32_t mask_ = 0;
  Line line_;
  std::vector<std::uint32_t> coordinate_of_bit_;
  std::vector<std::uint32_t> coordinate_of_rank_;
  std::vector<std::uint32_t> rank_bits_at_;

  std::unordered_map<std::vector<std::uint64_t>, Unit, KeyHash> known_;
  std::vector<std::uint64_t> key_;
};

}  // namespace cubefold
