#include "rule_search.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

namespace cubefold {

namespace {

/// A rule with the costs of its axes. A change recounts only the costs of the axes that it affects.
class Climber {
 public:
  Climber(const Grid& grid, AxisLoads& loads, JointRule rule)
      : grid_(grid),
        loads_(loads),
        work_before_(loads.work()),
        rule_(std::move(rule)),
        costs_(grid.axes().size()) {
    count(0, grid.axis_count() - 1);
  }

  const JointRule& rule() const { return rule_; }
  const JointValue& value() const { return value_; }
  double work() const { return loads_.work() - work_before_; }

  /// Makes the first single change that improves the rule. Returns false if there is none.
  bool step() { return swap_some_bits() || change_some_embedding(); }

 private:
  void count(int first_axis, int last_axis) {
    for (int axis = first_axis; axis <= last_axis; ++axis)
      loads_.cost(axis_bits(grid_, rule_, axis), costs_[static_cast<std::size_t>(axis)]);
    value_ = value_of(costs_, loads_.weights());
  }

  int axis_of(int new_bit) const {
    int axis = grid_.axis_count() - 1;
    while (bits_of(grid_, axis).first > new_bit || bits_of(grid_, axis).count == 0) --axis;
    return axis;
  }

  /// Makes a change, and undoes it unless it improves the rule. Returns whether it does.
  bool try_change(int first_axis, int last_axis, auto change, auto take_back) {
    const auto costs = costs_;
    const auto value = value_;
    change();
    count(first_axis, last_axis);
    if (is_better(value_, value)) return true;
    take_back();
    costs_ = costs;
    value_ = value;
    return false;
  }

  bool swap_some_bits() {
    const int size = static_cast<int>(rule_.order.size());
    for (int i = 0; i < size; ++i) {
      for (int k = i + 1; k < size; ++k) {
        const auto swap = [&] {
          std::swap(rule_.order[static_cast<std::size_t>(i)], rule_.order[static_cast<std::size_t>(k)]);
        };
        if (try_change(axis_of(i), axis_of(k), swap, swap)) return true;
      }
    }
    return false;
  }

  bool change_some_embedding() {
    for (int axis = 0; axis < grid_.axis_count(); ++axis) {
      auto& embedding = rule_.embeddings[static_cast<std::size_t>(axis)];
      const auto before = embedding;
      for (const Embedding other : embeddings_of(grid_, axis)) {
        if (other == before) continue;
        if (try_change(
                axis, axis, [&] { embedding = other; }, [&] { embedding = before; }))
          return true;
      }
    }
    return false;
  }

  const Grid& grid_;
  AxisLoads& loads_;
  double work_before_;
  JointRule rule_;
  std::vector<AxisCost> costs_;
  JointValue value_;
};

/// Shuffles the order. The result of std::shuffle would depend on the standard library.
void shuffle(std::vector<int>& order, std::mt19937_64& generator) {
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[generator() % k]);
}

JointRule start(const Grid& grid, int number, std::mt19937_64& generator) {
  JointRule rule{{}, std::vector<int>(static_cast<std::size_t>(std::countr_zero(grid.node_count())))};
  std::iota(rule.order.begin(), rule.order.end(), 0);
  if (number > 1) shuffle(rule.order, generator);
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto choices = embeddings_of(grid, axis);
    const std::size_t choice = number > 1 ? generator() : static_cast<std::size_t>(number);
    rule.embeddings.push_back(choices[choice % choices.size()]);
  }
  return rule;
}

}  // namespace

BitSearchResult bit_search(const Grid& grid, AxisLoads& loads, double work_limit, int starts,
                           std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::optional<BitSearchResult> best;
  double work = 0;
  for (int number = 0; number < starts && (number == 0 || work < work_limit); ++number) {
    Climber climber(grid, loads, start(grid, number, generator));
    while (work + climber.work() < work_limit && climber.step()) {
    }
    work += climber.work();
    if (!best || is_better(climber.value(), best->value)) best = {climber.rule(), climber.value(), 0};
  }
  best->work = work;
  return *best;
}

}  // namespace cubefold
