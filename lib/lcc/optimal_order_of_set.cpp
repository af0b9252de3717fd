#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "cubefold/lcc/contention.hpp"
#include "gf2/column_echelon.hpp"
#include "union_loads.hpp"

namespace cubefold {

namespace {

using BitSet = std::uint32_t;

constexpr int most_bits = 20;
constexpr auto out_of_reach = std::numeric_limits<std::uint64_t>::max();

/// Holds T of one phase for a bit that is placed directly after a set of other bits. T depends on that set only, not on
/// its order.
class PhaseTable {
 public:
  explicit PhaseTable(const Lcc& lcc)
      : gives_(lcc.gives()),
        all_(static_cast<BitSet>(low_bits(lcc.bit_count()))),
        still_(static_cast<BitSet>(lcc.still_bits())),
        blocks_(std::size_t{all_} + 1) {
    for (BitSet bits = 0; bits <= all_; ++bits) {
      const ColumnEchelon block(lcc.a(), bits);
      blocks_[bits] = {static_cast<BitSet>(block.dependent_columns()) & 0xffffff,
                       static_cast<BitSet>(block.nullity()) & 0xff};
    }
  }

  /// Returns T. The rank of the block does not change if a dependent column is left out, and falls by 1 if another one
  /// is.
  std::uint64_t contention(BitSet before, BitSet unit) const {
    if ((still_ & unit) != 0) return 0;
    const MatrixBlock block = blocks_[gives_ == Gives::destination ? before | unit : all_ & ~before];
    return std::uint64_t{1} << (block.nullity - ((block.dependent & unit) != 0 ? 1 : 0));
  }

 private:
  struct MatrixBlock {
    BitSet dependent : 24;
    BitSet nullity : 8;
  };

  Gives gives_;
  BitSet all_;
  BitSet still_;
  std::vector<MatrixBlock> blocks_;
};

/// Describes a step of the dynamic programme: one more bit takes its place.
struct NextBit {
  BitSet before;
  BitSet unit;
  std::uint64_t worst = 0;  ///< largest T of a phase in that place
  std::uint64_t sum = 0;    ///< sum of T over the phases
};

class SetProgramme {
 public:
  SetProgramme(std::span<const Lcc> phases, Objective objective)
      : bit_count_(phases.front().bit_count()),
        objective_(objective),
        tables_(phases.begin(), phases.end()),
        union_loads_(phases) {}

  std::vector<int> order() const {
    const auto limit = smallest_limit();
    return walk_back(smallest_sums(limit), limit);
  }

 private:
  BitSet all() const { return static_cast<BitSet>(low_bits(bit_count_)); }

  NextBit step(BitSet before, BitSet unit) const {
    NextBit result{before, unit};
    for (const PhaseTable& table : tables_) {
      const auto contention = table.contention(before, unit);
      result.worst = std::max(result.worst, contention);
      result.sum += contention;
    }
    return result;
  }

  /// Returns whether the value of the objective in one place is no more than the limit. The busiest link of all phases
  /// takes long to find, so its bounds are tried first: it has no fewer messages than that of one phase, and no more
  /// than those of all phases together.
  bool is_within(const NextBit& step, std::uint64_t limit) const {
    switch (objective_) {
      case Objective::worst:
        return step.worst <= limit;
      case Objective::busiest_dimension:
        return step.sum <= limit;
      case Objective::total:
        return true;
      case Objective::together:
        break;
    }
    if (step.sum <= limit || step.worst > limit) return step.sum <= limit;
    return union_loads_.busiest(step.before, std::countr_zero(step.unit)) <= limit;
  }

  /// Returns the smallest maximum of a member of NextBit, over all places, that any order has.
  std::uint64_t smallest_maximum(std::uint64_t NextBit::*part) const {
    std::vector<std::uint64_t> limits(std::size_t{all()} + 1, out_of_reach);
    limits[0] = 0;
    for (BitSet bits = 1; bits <= all(); ++bits) {
      for (BitSet rest = bits; rest != 0; rest &= rest - 1) {
        const BitSet unit = rest & -rest;
        const auto limit = std::max(limits[bits ^ unit], step(bits ^ unit, unit).*part);
        limits[bits] = std::min(limits[bits], limit);
      }
    }
    return limits[all()];
  }

  /// Returns the smallest limit that some order stays within in every place. A total has no limit.
  std::uint64_t smallest_limit() const {
    if (objective_ == Objective::total) return out_of_reach;
    if (objective_ == Objective::busiest_dimension) return smallest_maximum(&NextBit::sum);
    std::uint64_t low = smallest_maximum(&NextBit::worst);
    if (objective_ == Objective::worst) return low;
    std::uint64_t high = smallest_maximum(&NextBit::sum);
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (smallest_sums(middle)[all()] == out_of_reach) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /// Returns for every set of bits in the first places the smallest sum of all T in these places, among the orders
  /// within the limit.
  std::vector<std::uint64_t> smallest_sums(std::uint64_t limit) const {
    std::vector<std::uint64_t> sums(std::size_t{all()} + 1, out_of_reach);
    sums[0] = 0;
    for (BitSet bits = 1; bits <= all(); ++bits) {
      for (BitSet rest = bits; rest != 0; rest &= rest - 1) {
        const BitSet unit = rest & -rest;
        sums[bits] = std::min(sums[bits], sum_with(sums[bits ^ unit], step(bits ^ unit, unit), limit));
      }
    }
    return sums;
  }

  std::uint64_t sum_with(std::uint64_t sum, const NextBit& last, std::uint64_t limit) const {
    return sum == out_of_reach || !is_within(last, limit) ? out_of_reach : sum + last.sum;
  }

  /// Returns the best order. Among equally good bits the highest one goes last, which yields the identity if it is
  /// among the best.
  std::vector<int> walk_back(const std::vector<std::uint64_t>& sums, std::uint64_t limit) const {
    std::vector<int> order(static_cast<std::size_t>(bit_count_));
    BitSet bits = all();
    for (auto place = order.size(); place-- > 0;) {
      BitSet unit = std::bit_floor(bits);
      while (sum_with(sums[bits ^ unit], step(bits ^ unit, unit), limit) != sums[bits]) {
        unit = std::bit_floor(bits & (unit - 1));
      }
      order[place] = std::countr_zero(unit);
      bits ^= unit;
    }
    return order;
  }

  int bit_count_;
  Objective objective_;
  std::vector<PhaseTable> tables_;
  UnionLoads union_loads_;
};

}  // namespace

std::vector<int> optimal_order(std::span<const Lcc> phases, Objective objective) {
  const int n = same_bit_count("optimal_order", phases);
  if (n > most_bits) {
    throw std::invalid_argument(
        fmt::format("optimal_order: a set of phases may have up to {} bits, not {}", most_bits, n));
  }
  return SetProgramme(phases, objective).order();
}

}  // namespace cubefold
