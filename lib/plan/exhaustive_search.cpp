#include "rule_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

namespace cubefold {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The largest number of partial rules that are kept for one set of bits.
constexpr std::size_t most_partial_rules = 4000;

/// The bits of one axis with their cost.
struct Segment {
  AxisCost cost;
  Embedding embedding;
  std::vector<int> bits;
};

bool is_no_worse(const AxisCost& a, const AxisCost& b) {
  if (a.closed > b.closed || a.hops > b.hops) return false;
  for (std::size_t r = 0; r < a.open.size(); ++r) {
    if (a.open[r] > b.open[r]) return false;
  }
  return true;
}

/// Adds an entry unless another one is no worse in every component, and erases those that are no better than it in any
/// component.
template <typename Entry>
void add_to_front(std::vector<Entry>& front, const AxisCost& cost, auto make_entry) {
  for (const Entry& entry : front) {
    if (is_no_worse(entry.cost, cost)) return;
  }
  std::erase_if(front, [&](const Entry& entry) { return is_no_worse(cost, entry.cost); });
  front.push_back(make_entry());
}

/// Calls visit(subset) for every subset of `of` with `count` bits.
template <typename Visit>
void for_each_subset(std::uint32_t of, int count, Visit visit) {
  std::vector<std::uint32_t> bits;
  for (; of != 0; of &= of - 1) bits.push_back(of & (~of + 1));
  std::vector<bool> is_in(bits.size());
  std::fill_n(is_in.begin(), count, true);
  do {
    std::uint32_t subset = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) subset |= is_in[i] ? bits[i] : 0;
    visit(subset);
  } while (std::prev_permutation(is_in.begin(), is_in.end()));
}

std::vector<int> numbers_of(std::uint32_t mask) {
  std::vector<int> bits;
  for (; mask != 0; mask &= mask - 1) bits.push_back(std::countr_zero(mask));
  return bits;
}

/// A rule for the first axes. It extends the partial rule `previous` of `before`, which has one axis less, by the
/// segment `last`.
struct Partial {
  AxisCost cost;
  const Segment* last;
  std::uint32_t before;
  std::size_t previous;
};

class ExhaustiveSearch {
 public:
  ExhaustiveSearch(const Grid& grid, AxisLoads& loads)
      : grid_(grid), loads_(loads), all_(static_cast<std::uint32_t>(grid.node_count() - 1)) {
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      if (bits_of(grid, axis).count > 0) axes_.push_back(axis);
    }
    least_.assign(grid.node_count(),
                  {infinity, std::vector<double>(loads.weights().size(), infinity), infinity});
    least_[all_] = {0, std::vector<double>(loads.weights().size(), 0), 0};
    for (auto layer = axes_.size(); layer-- > 0;) fill_layer(layer);
  }

  ExhaustiveResult run(JointValue limit) {
    ExhaustiveResult result;
    const double to_beat = limit.objective - tolerance_of(limit.objective);
    by_hops_ = false;
    const auto lower = put_together(to_beat);
    if (lower) limit.objective = lower->objective;
    by_hops_ = true;
    result.is_complete = !has_dropped_;
    // The second pass finds the rule with the fewest hops among those with the best objective.
    const auto best = put_together(limit.objective + tolerance_of(limit.objective));
    if (best && (lower || is_better(*best, limit))) {
      result.value = *best;
      result.rule = rule_;
    }
    return result;
  }

 private:
  using Fronts = std::unordered_map<std::uint32_t, std::vector<Segment>>;

  /// Computes the costs of an axis for every set of bits on the axes before it, and the least cost of this axis and
  /// those behind it.
  void fill_layer(std::size_t layer) {
    const auto [first, count] = bits_of(grid_, axes_[layer]);
    for_each_subset(all_, first, [&, axis = axes_[layer], count = count](std::uint32_t before) {
      for_each_subset(all_ & ~before, count, [&](std::uint32_t bits) {
        const auto& front = fronts_[layer][before][bits] = front_of(axis, before, bits);
        take_least(before, least_[before | bits], front);
      });
    });
  }

  std::vector<Segment> front_of(int axis, std::uint32_t before, std::uint32_t mask) {
    std::vector<Segment> front;
    AxisCost cost;
    auto bits = numbers_of(mask);
    do {
      for (const Embedding embedding : embeddings_of(grid_, axis)) {
        loads_.cost({axis, embedding, before, bits}, cost);
        add_to_front(front, cost, [&] { return Segment{cost, embedding, bits}; });
      }
    } while (std::next_permutation(bits.begin(), bits.end()));
    return front;
  }

  void take_least(std::uint32_t before, const AxisCost& behind, const std::vector<Segment>& front) {
    AxisCost& least = least_[before];
    for (const auto& [cost, embedding, bits] : front) {
      least.closed = std::min(least.closed, cost.closed + behind.closed);
      least.hops = std::min(least.hops, cost.hops + behind.hops);
      for (std::size_t r = 0; r < least.open.size(); ++r) {
        least.open[r] = std::min(least.open[r], std::max(cost.open[r], behind.open[r]));
      }
    }
  }

  double bound_of(const AxisCost& cost, std::uint32_t done) const {
    double bound = cost.closed + least_[done].closed;
    for (std::size_t r = 0; r < cost.open.size(); ++r) bound += loads_.weights()[r] * cost.open[r];
    return bound;
  }

  /// Returns the best value up to the limit, and puts its rule into rule_. Returns nothing if there is none.
  std::optional<JointValue> put_together(double limit) {
    std::vector<std::map<std::uint32_t, std::vector<Partial>>> layers(axes_.size() + 1);
    layers[0][0] = {Partial{{0, least_[0].open, 0}, nullptr, 0, 0}};
    for (std::size_t layer = 0; layer < axes_.size(); ++layer) {
      for (const auto& [before, partials] : layers[layer]) {
        for (const auto& [bits, front] : fronts_[layer][before]) {
          for (std::size_t i = 0; i < partials.size(); ++i)
            extend(layers[layer + 1][before | bits], partials[i].cost, front, {before, bits, i}, limit);
        }
      }
    }
    return best_of(layers);
  }

  struct From {
    std::uint32_t before;
    std::uint32_t bits;
    std::size_t previous;
  };

  void extend(std::vector<Partial>& partials, const AxisCost& so_far, const std::vector<Segment>& front,
              From from, double limit) {
    const auto done = from.before | from.bits;
    for (const Segment& segment : front) {
      AxisCost cost = so_far;
      cost.closed += segment.cost.closed;
      cost.hops = by_hops_ ? cost.hops + segment.cost.hops : 0;
      for (std::size_t r = 0; r < cost.open.size(); ++r) {
        // The axes behind have at least this load, so partial rules below it are equal.
        cost.open[r] = std::max({cost.open[r], segment.cost.open[r], least_[done].open[r]});
      }
      if (bound_of(cost, done) > limit) continue;
      if (partials.size() >= most_partial_rules) {
        has_dropped_ = true;
        return;
      }
      add_to_front(partials, cost, [&] { return Partial{cost, &segment, from.before, from.previous}; });
    }
  }

  std::optional<JointValue> best_of(std::vector<std::map<std::uint32_t, std::vector<Partial>>>& layers) {
    const auto& whole = layers.back()[all_];
    std::optional<JointValue> best;
    for (const Partial& partial : whole) {
      const JointValue value{bound_of(partial.cost, all_), partial.cost.hops};
      if (best && !is_better(value, *best)) continue;
      best = value;
      rule_ = rule_of(layers, partial);
    }
    return best;
  }

  JointRule rule_of(std::vector<std::map<std::uint32_t, std::vector<Partial>>>& layers,
                    const Partial& whole) const {
    JointRule rule{std::vector<Embedding>(grid_.axes().size(), Embedding::standard), {}};
    const Partial* partial = &whole;
    for (auto layer = axes_.size(); layer-- > 0;) {
      rule.order.insert(rule.order.begin(), partial->last->bits.begin(), partial->last->bits.end());
      rule.embeddings[static_cast<std::size_t>(axes_[layer])] = partial->last->embedding;
      partial = &layers[layer][partial->before][partial->previous];
    }
    return rule;
  }

  const Grid& grid_;
  AxisLoads& loads_;
  std::uint32_t all_;
  std::vector<int> axes_;
  std::map<std::size_t, std::map<std::uint32_t, std::map<std::uint32_t, std::vector<Segment>>>> fronts_;
  std::vector<AxisCost> least_;
  bool by_hops_ = false;
  bool has_dropped_ = false;
  JointRule rule_;
};

}  // namespace

double work_of_exhaustive_search(const Grid& grid, const AxisLoads& loads) {
  double costs = 0;
  double sets = 1;  // number of sets of bits on the axes before
  int left = std::countr_zero(grid.node_count());
  const int all = left;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const int count = bits_of(grid, axis).count;
    double orders = 1;
    for (int k = 0; k < count; ++k) orders *= left - k;
    costs += sets * orders * static_cast<double>(embeddings_of(grid, axis).size());
    left -= count;
    sets = std::round(std::exp(std::lgamma(all + 1) - std::lgamma(all - left + 1) - std::lgamma(left + 1)));
  }
  return costs * loads.work_of_cost();
}

ExhaustiveResult exhaustive_search(const Grid& grid, AxisLoads& loads, JointValue limit) {
  return ExhaustiveSearch(grid, loads).run(limit);
}

}  // namespace cubefold
