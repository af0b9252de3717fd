#include "channel_steps.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "cubefold/topology/grid.hpp"
#include "exchange/pairing.hpp"
#include "folding.hpp"

namespace cubefold {

namespace {

std::vector<Rank> all_ranks(std::size_t count) {
  std::vector<Rank> ranks;
  ranks.reserve(count);
  for (std::uint32_t r = 0; r < count; ++r) ranks.push_back(Rank{r});
  return ranks;
}

/// Ranks fold onto those of a grid of powers of two, which send along a pairing. If the owners end with their chunks,
/// the folds are undone at the end.
class PairingSteps : public ChannelSteps {
 public:
  PairingSteps(Folding folding, Pairing pairing, std::size_t rank_count, bool ends_with_owners)
      : folding_(std::move(folding)),
        pairing_(std::move(pairing)),
        rank_count_(rank_count),
        ends_with_owners_(ends_with_owners) {}

  std::size_t count() const override { return end_of_pairs() + (ends_with_owners_ ? fold_count() : 0); }
  std::size_t fold_count() const override { return folding_.step_count(); }
  bool reduces(std::size_t step) const override { return step < end_of_pairs(); }

  std::optional<Rank> receiver(Rank from, std::size_t step) const override {
    if (step < fold_count()) return folding_.receiver(from, step);
    return is_pair(step) ? partner(from, step) : folding_.sender(from, undone_fold(step));
  }
  std::optional<Rank> sender(Rank to, std::size_t step) const override {
    if (step < fold_count()) return folding_.sender(to, step);
    return is_pair(step) ? partner(to, step) : folding_.receiver(to, undone_fold(step));
  }

  std::vector<Rank> owners(Rank from, std::size_t step) const override {
    if (step < fold_count()) return all_ranks(rank_count_);
    if (!is_pair(step)) return folding_.members(*receiver(from, step), undone_fold(step));
    std::vector<Rank> inner = destinations(from, step);
    if (fold_count() == 0) return inner;
    std::vector<Rank> owners;
    for (const Rank each : inner)
      std::ranges::copy(folding_.members(folding_.outer_rank(each), fold_count()),
                        std::back_inserter(owners));
    return owners;
  }

  std::vector<std::uint64_t> owner_counts(std::size_t step) const override {
    if (step < fold_count()) return std::vector<std::uint64_t>(rank_count_, rank_count_);
    if (fold_count() == 0) return std::vector<std::uint64_t>(rank_count_, rank_count_ >> (step + 1));
    std::vector<std::uint64_t> counts(rank_count_);
    if (is_pair(step)) {
      const std::vector<std::uint64_t> inner = led_to(step - fold_count() + 1);
      for (std::uint32_t r = 0; r < inner.size(); ++r)
        counts[label(folding_.outer_rank(pairing_.partner(Rank{r}, step - fold_count())))] = inner[r];
      return counts;
    }
    for (std::uint32_t r = 0; r < rank_count_; ++r)
      if (const auto to = receiver(Rank{r}, step)) counts[r] = folding_.member_count(*to, undone_fold(step));
    return counts;
  }

 private:
  std::size_t end_of_pairs() const { return fold_count() + pairing_.step_count(); }
  bool is_pair(std::size_t step) const { return step >= fold_count() && step < end_of_pairs(); }
  std::size_t undone_fold(std::size_t step) const { return fold_count() - 1 - (step - end_of_pairs()); }

  std::optional<Rank> partner(Rank rank, std::size_t step) const {
    const auto inner = folding_.inner_rank(rank);
    if (!inner) return std::nullopt;
    return folding_.outer_rank(pairing_.partner(*inner, step - fold_count()));
  }

  /// Returns the inner ranks to which the partner leads in later steps.
  std::vector<Rank> destinations(Rank from, std::size_t step) const {
    const std::size_t pair = step - fold_count();
    return pairing_.destinations(pairing_.partner(*folding_.inner_rank(from), pair), pair + 1);
  }

  /// Returns the number of ranks to which the pairs from one on lead, for each inner rank.
  std::vector<std::uint64_t> led_to(std::size_t pair) const {
    std::vector<std::uint64_t> counts;
    counts.reserve(pairing_.rank_count());
    for (std::uint32_t r = 0; r < pairing_.rank_count(); ++r)
      counts.push_back(folding_.member_count(folding_.outer_rank(Rank{r}), fold_count()));
    for (std::size_t k = pairing_.step_count(); k > pair; --k) {
      const std::vector<std::uint64_t> later = counts;
      for (std::uint32_t r = 0; r < counts.size(); ++r)
        counts[r] += later[label(pairing_.partner(Rank{r}, k - 1))];
    }
    return counts;
  }

  Folding folding_;
  Pairing pairing_;
  std::size_t rank_count_;
  bool ends_with_owners_;
};

/// Steps that serve one axis after the other.
class AxisSteps : public ChannelSteps {
 public:
  AxisSteps(const Placement& placement, const AxisOrder& order)
      : placement_(placement), axes_(axes_in(order, placement.grid())), up_(!order.is_mirrored) {
    for (std::size_t a = 0; a < axes_.size(); ++a)
      for (std::uint32_t s = 0; s + 1 < placement.grid().extent(axes_[a]); ++s) steps_.push_back({a, s});
  }

  std::size_t count() const override { return steps_.size(); }
  std::vector<std::uint64_t> owner_counts(std::size_t step) const override {
    std::uint64_t count = 1;
    for (std::size_t number = step_of(step).axis_number + 1; number < axes_.size(); ++number)
      count *= extent(number);
    return std::vector<std::uint64_t>(placement_.rank_count(), count);
  }

 protected:
  struct AxisStep {
    std::size_t axis_number;
    std::uint32_t step;
  };

  const AxisStep& step_of(std::size_t step) const { return steps_[step]; }
  GridNode node_of(Rank rank) const { return placement_.node_of(rank); }
  std::uint32_t extent(std::size_t axis_number) const { return placement_.grid().extent(axes_[axis_number]); }

  /// Returns the node so many places further on an axis in the direction of the channel.
  GridNode moved(GridNode node, std::size_t axis_number, std::int64_t places) const {
    const Grid& grid = placement_.grid();
    const int axis = axes_[axis_number];
    const std::int64_t extent = grid.extent(axis);
    const std::int64_t coordinate = grid.coordinate(node, axis);
    const std::int64_t to = ((coordinate + (up_ ? places : -places)) % extent + extent) % extent;
    const auto stride = static_cast<std::int64_t>(grid.stride(axis));
    return static_cast<GridNode>(static_cast<std::int64_t>(node) + (to - coordinate) * stride);
  }
  Rank rank_moved(Rank rank, std::size_t axis_number, std::int64_t places) const {
    return placement_.rank_of(moved(node_of(rank), axis_number, places));
  }

  /// Returns the ranks of all nodes that differ from this one only in axes after that of the number.
  std::vector<Rank> owners_after(GridNode node, std::size_t axis_number) const {
    std::vector<GridNode> nodes{node};
    for (std::size_t number = axis_number + 1; number < axes_.size(); ++number) {
      const std::size_t count = nodes.size();
      for (std::int64_t places = 1; places < extent(number); ++places)
        for (std::size_t i = 0; i < count; ++i) nodes.push_back(moved(nodes[i], number, places));
    }
    std::vector<Rank> owners;
    owners.reserve(nodes.size());
    for (const GridNode each : nodes) owners.push_back(placement_.rank_of(each));
    return owners;
  }

 private:
  Placement placement_;
  std::vector<int> axes_;
  bool up_;
  std::vector<AxisStep> steps_;
};

class BucketSteps : public AxisSteps {
 public:
  using AxisSteps::AxisSteps;

  /// In step s of an axis of extent k, the chunks of the coordinate 1 + s below the sender's go to the next node. Those
  /// of coordinate t begin at t + 1 and come round to t.
  std::optional<Rank> receiver(Rank from, std::size_t step) const override {
    return rank_moved(from, step_of(step).axis_number, 1);
  }
  std::optional<Rank> sender(Rank to, std::size_t step) const override {
    return rank_moved(to, step_of(step).axis_number, -1);
  }
  std::vector<Rank> owners(Rank from, std::size_t step) const override {
    const auto [number, s] = step_of(step);
    return owners_after(moved(node_of(from), number, -1 - static_cast<std::int64_t>(s)), number);
  }
};

class DirectSteps : public AxisSteps {
 public:
  /// Channels with other first places use other links in each step.
  DirectSteps(const Placement& placement, const AxisOrder& order, std::size_t first_place)
      : AxisSteps(placement, order), first_place_(first_place) {}

  std::optional<Rank> receiver(Rank from, std::size_t step) const override {
    return rank_moved(from, step_of(step).axis_number, places(step));
  }
  std::optional<Rank> sender(Rank to, std::size_t step) const override {
    return rank_moved(to, step_of(step).axis_number, -places(step));
  }
  std::vector<Rank> owners(Rank from, std::size_t step) const override {
    return owners_after(node_of(*receiver(from, step)), step_of(step).axis_number);
  }

 private:
  /// Returns how many places further the receiver is: each of 1 to k - 1 once on an axis of k nodes.
  std::int64_t places(std::size_t step) const {
    const auto [number, s] = step_of(step);
    return static_cast<std::int64_t>(1 + (s + first_place_) % (extent(number) - 1));
  }

  std::size_t first_place_;
};

AxisOrder order_of_channel(std::size_t channel, const Grid& grid) {
  const std::size_t axis_count = std::max<std::size_t>(axes_in({}, grid).size(), 1);
  return {channel % axis_count, channel / axis_count % 2 == 1};
}

std::shared_ptr<const ChannelSteps> pairing_steps(VectorAlgorithm algorithm, const Placement& placement,
                                                  const AxisOrder& order, bool ends_with_owners) {
  const std::size_t count = placement.rank_count();
  const bool in_order = keeps_order(algorithm);
  Folding folding = in_order ? Folding(Placement(Grid({static_cast<std::uint32_t>(count)}, Ends::open), {}))
                             : Folding(placement, order);
  const bool is_swing =
      algorithm == VectorAlgorithm::halving_swing || algorithm == VectorAlgorithm::whole_swing;
  Pairing pairing = in_order   ? Pairing::cube(folding.inner().rank_count())
                    : is_swing ? Pairing::swing(folding.inner(), order)
                               : Pairing::cube_of_nodes(folding.inner(), order);
  return std::make_shared<PairingSteps>(std::move(folding), std::move(pairing), count, ends_with_owners);
}

}  // namespace

Channels channels_of(VectorCollective collective, const VectorMethod& method, const Placement& placement) {
  Channels channels;
  for (std::size_t channel = 0; channel < method.channel_count; ++channel) {
    const AxisOrder order = order_of_channel(channel, placement.grid());
    if (method.algorithm == VectorAlgorithm::bucket) {
      channels.push_back(std::make_shared<BucketSteps>(placement, order));
    } else if (method.algorithm == VectorAlgorithm::direct) {
      const std::size_t axis_count = std::max<std::size_t>(axes_in({}, placement.grid()).size(), 1);
      channels.push_back(
          std::make_shared<DirectSteps>(placement, AxisOrder{order.first_axis, false}, channel / axis_count));
    } else {
      channels.push_back(
          pairing_steps(method.algorithm, placement, order, collective != VectorCollective::allreduce));
    }
  }
  return channels;
}

}  // namespace cubefold
