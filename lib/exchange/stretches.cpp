#include "cubefold/exchange/stretches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "cc_cube_message.hpp"
#include "cubefold/embedding/closed_form.hpp"
#include "cubefold/exchange/mixed_radix.hpp"
#include "cubefold/schedule/pipelining.hpp"
#include "cubefold/schedule/task_schedule.hpp"
#include "cubefold/topology/link_loads.hpp"
#include "modular.hpp"
#include "step_counts.hpp"

namespace cubefold {

namespace {

using enum ExchangeAlgorithm;

/// Messages on the busiest link if every rank sends one to `peer_of` it; with one port at least the one of the node.
template <typename PeerOf>
double busiest(const Placement& placement, const NetworkRules& rules, PeerOf peer_of) {
  LinkLoads loads(placement.grid(), rules.tie);
  for (std::uint32_t r = 0; r < placement.rank_count(); ++r)
    loads.add(placement.node_of(Rank{r}), placement.node_of(Rank{peer_of(r)}));
  return static_cast<double>(std::max<std::uint64_t>(loads.busiest(), 1));
}

/// Messages of every rank to the rank `offset` above it, mod their number. Where rank n sits on node n there is a formula,
/// without which a million nodes take minutes.
class Shifts {
 public:
  Shifts(const Placement& placement, const NetworkRules& rules) : placement_(placement), rules_(rules) {
    for (std::uint32_t r = 0; r < placement.rank_count() && in_order_; ++r)
      in_order_ = placement.node_of(Rank{r}) == GridNode{r};
  }

  /// Requires an offset from 1 to the number of ranks - 1.
  double busiest_link(std::uint64_t offset) const {
    if (in_order_)
      return static_cast<double>(closed_form::busiest_link_of_shift(placement_.grid(), offset, rules_.tie));
    const auto peer_of = [&](std::uint32_t r) {
      return static_cast<std::uint32_t>((r + offset) % placement_.rank_count());
    };
    return busiest(placement_, rules_, peer_of);
  }

 private:
  const Placement& placement_;
  const NetworkRules& rules_;
  bool in_order_ = true;
};

double rank_count(const Placement& placement) {
  return static_cast<double>(placement.rank_count());
}

std::vector<Stretch> cc_cube_stretches(const Placement& placement, const NetworkRules& rules) {
  std::vector<Stretch> stretches;
  for (int i = 0; i < dimension_count(placement); ++i) {
    const double messages = closed_form::applies_to(placement)
                                ? static_cast<double>(closed_form::busiest_link(placement, i, rules.tie))
                                : busiest(placement, rules, [&](std::uint32_t r) { return r ^ (1U << i); });
    stretches.push_back({1, messages * rank_count(placement) / 2, 1, true});
  }
  return stretches;
}

/// An iteration's steps wait for the iteration before, not for one another.
std::vector<Stretch> pipelined_stretches(const Placement& placement, const NetworkRules& rules,
                                         std::uint64_t packet_count) {
  const int d = dimension_count(placement);
  const auto block_count = require_packets_of_stage(d, packet_count);
  const auto blocks = static_cast<double>((block_count + packet_count - 1) / packet_count);
  std::vector<Stretch> stretches;
  for (const auto& [task, times] : pipeline_tasks(d, packet_count)) {
    const auto steps = TaskSchedule(placement, task, rules.ports, rules.tie).step_count();
    stretches.insert(stretches.end(), times, {steps, blocks});
  }
  return stretches;
}

std::vector<Stretch> digit_stretches(const Placement& placement, const NetworkRules& rules,
                                     const std::vector<RadixPhase>& phases) {
  std::vector<Stretch> stretches;
  for (const RadixPhase& phase : phases) {
    const auto steps =
        product_step_count(placement.grid(), phase.digits, rules.ports, rules.tie, phase.sharing);
    double groups = 1;
    for (const Digit& digit : phase.digits) groups *= digit.radix;
    stretches.push_back({steps, rank_count(placement) / groups});
  }
  return stretches;
}

/// The most blocks that a message along an axis may have: of the blocks that the coordinates on all other axes tell
/// apart, those whose coordinates add up to one remainder by the number of axes.
double largest_share(const std::vector<std::uint32_t>& extents, std::size_t along) {
  std::vector<double> with_remainder(extents.size(), 0);
  with_remainder[0] = 1;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (axis == along) continue;
    std::vector<double> next(extents.size(), 0);
    for (std::uint32_t x = 0; x < extents[axis]; ++x) {
      for (std::size_t r = 0; r < extents.size(); ++r) next[(r + x) % extents.size()] += with_remainder[r];
    }
    with_remainder = std::move(next);
  }
  return *std::max_element(with_remainder.begin(), with_remainder.end());
}

std::vector<Stretch> rotated_stretches(const Placement& placement, const NetworkRules& rules) {
  std::vector<std::uint32_t> extents;
  for (const Axis& axis : placement.grid().axes()) {
    if (axis.extent > 1) extents.push_back(axis.extent);
  }
  if (extents.empty()) return {};
  const auto steps = lines_step_count(placement.grid(), rules.ports, rules.tie);
  double blocks = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    blocks = std::max(blocks, largest_share(extents, axis));
  return std::vector<Stretch>(extents.size(), {steps, blocks});
}

/// Offsets below p whose digit of weight `weight` is `value`.
std::uint64_t offsets_with(std::uint64_t rank_count, std::uint64_t weight, std::uint64_t radix,
                           std::uint64_t value) {
  const std::uint64_t cycle = weight * radix;
  const std::uint64_t rest = rank_count % cycle;
  const std::uint64_t part = rest > value * weight ? std::min(rest - value * weight, weight) : 0;
  return rank_count / cycle * weight + part;
}

std::vector<Stretch> bruck_stretches(const Placement& placement, const NetworkRules& rules,
                                     std::uint32_t radix) {
  require_radix("exchange_stretches", placement.rank_count(), radix);
  const std::uint64_t count = placement.rank_count();
  const Shifts shifts(placement, rules);
  std::vector<Stretch> stretches;
  for (std::uint64_t weight = 1; weight < count; weight *= radix) {
    double blocks = 0;
    std::size_t messages = 0;
    for (std::uint64_t value = 1; value < radix && value * weight < count; ++value, ++messages) {
      blocks += shifts.busiest_link(value * weight) *
                static_cast<double>(offsets_with(count, weight, radix, value));
    }
    stretches.push_back({messages, blocks / static_cast<double>(messages)});
  }
  return stretches;
}

std::vector<Stretch> shifted_stretches(const Placement& placement, const NetworkRules& rules) {
  const auto count = static_cast<std::uint32_t>(placement.rank_count());
  const Shifts shifts(placement, rules);
  double blocks = 0;
  for (std::uint32_t k = 1; k < count; ++k) blocks += shifts.busiest_link(k);
  if (count == 1) return {};
  return {{count - 1, blocks / (count - 1)}};
}

/// The messages of all pairs on one line of the axis, for every line through which a route may pass it.
double all_pairs_on_busiest_link(const Grid& grid, int axis, Tie tie) {
  const std::uint64_t k = grid.extent(axis);
  const std::uint64_t below_half = (k - 1) / 2;
  // Round a ring every link is as busy as the next but one, by what goes less than half round and what goes half round.
  const std::uint64_t half_round = k % 2 != 0 ? 0 : tie == Tie::positive ? k / 2 : (k / 2 + 1) / 2;
  const std::uint64_t busiest =
      grid.has_wrap_link(axis) ? below_half * (below_half + 1) / 2 + half_round : k / 2 * (k - k / 2);
  return static_cast<double>(busiest) * static_cast<double>(grid.node_count() / k);
}

std::vector<Stretch> linear_stretches(const Placement& placement, const NetworkRules& rules) {
  if (placement.rank_count() == 1) return {};
  double blocks = rules.ports == Ports::one ? rank_count(placement) - 1 : 0;
  for (int axis = 0; axis < placement.grid().axis_count(); ++axis)
    blocks = std::max(blocks, all_pairs_on_busiest_link(placement.grid(), axis, rules.tie));
  return {{1, blocks, placement.rank_count() - 1}};
}

/// The table of store_and_forward.hpp.
Stretch store_and_forward_stretch(const Axis& axis, double rank_count, const NetworkRules& rules) {
  const auto k = static_cast<double>(axis.extent);
  const bool wrapped = axis.ends == Ends::wrapped && axis.extent > 2;
  const bool even = axis.extent % 2 == 0;
  double steps = k - 1;
  double units = k * (k - 1) / 2;
  if (rules.ports == Ports::all) {
    if (wrapped) steps = even ? k / 2 : (k - 1) / 2;
    if (wrapped) units = even ? k * (k + 2) / 8 : (k * k - 1) / 8;
  } else if (wrapped) {
    const bool positive = rules.tie == Tie::positive;
    steps = even ? k / 2 + (positive ? 1 : 0) : k - 1;
    units = even ? (positive ? k * (k + 2) / 4 : k * k / 4) : (k * k - 1) / 4;
  } else {
    steps = even ? k - 1 : k;
    units = (k - 1) * (k - 1) + (even ? 0 : 1);
  }
  return {static_cast<std::size_t>(steps), units / steps * rank_count / k, 1, true};
}

std::vector<Stretch> store_and_forward_stretches(const Placement& placement, const NetworkRules& rules) {
  std::vector<Stretch> stretches;
  for (const Axis& axis : placement.grid().axes()) {
    if (axis.extent > 1) stretches.push_back(store_and_forward_stretch(axis, rank_count(placement), rules));
  }
  return stretches;
}

/// Mean number of hops of a block along an axis, itself included.
double mean_hops(const Axis& axis) {
  const Grid line({axis});
  double hops = 0;
  for (std::uint32_t x = 0; x < axis.extent; ++x) hops += distance_hops(line, GridNode{0}, GridNode{x});
  if (axis.ends == Ends::wrapped) return hops / axis.extent;
  return (static_cast<double>(axis.extent) * axis.extent - 1) / (3.0 * axis.extent);
}

double sent_in_phases(const Placement& placement, const std::vector<RadixPhase>& phases) {
  double sent = 0;
  for (const RadixPhase& phase : phases) {
    double groups = 1;
    for (const Digit& digit : phase.digits) groups *= digit.radix;
    sent += rank_count(placement) * (groups - 1) / groups;
  }
  return sent;
}

double sent_along_axes(const Placement& placement) {
  return sent_in_phases(placement, axis_phases(placement.grid()));
}

double sent_hop_by_hop(const Placement& placement) {
  double hops = 0;
  for (const Axis& axis : placement.grid().axes()) hops += mean_hops(axis);
  return hops * rank_count(placement);
}

double sent_by_bruck(const Placement& placement, std::uint32_t radix) {
  require_radix("sent_blocks", placement.rank_count(), radix);
  double sent = 0;
  for (std::uint64_t weight = 1; weight < placement.rank_count(); weight *= radix)
    sent +=
        rank_count(placement) - static_cast<double>(offsets_with(placement.rank_count(), weight, radix, 0));
  return sent;
}

double sent_straight(const Placement& placement) {
  return rank_count(placement) - 1;
}

/// What an algorithm costs that is no row of phases among groups.
struct Costs {
  ExchangeAlgorithm algorithm;
  std::vector<Stretch> (*stretches)(const ExchangeMethod& method, const Placement& placement,
                                    const NetworkRules& rules);
  double (*sent)(const ExchangeMethod& method, const Placement& placement);
};

using M = const ExchangeMethod&;
using P = const Placement&;
using R = const NetworkRules&;

constexpr std::array costs_without_digits{
    Costs{cc_cube,
          [](M method, P placement, R rules) {
            return method.numbers.empty() ? cc_cube_stretches(placement, rules)
                                          : pipelined_stretches(placement, rules, method.numbers.front());
          },
          [](M, P placement) { return dimension_count(placement) * rank_count(placement) / 2; }},
    Costs{axis_rotated, [](M, P placement, R rules) { return rotated_stretches(placement, rules); },
          [](M, P placement) { return sent_along_axes(placement); }},
    Costs{store_and_forward,
          [](M, P placement, R rules) { return store_and_forward_stretches(placement, rules); },
          [](M, P placement) { return sent_hop_by_hop(placement); }},
    Costs{bruck,
          [](M method, P placement, R rules) {
            return bruck_stretches(placement, rules, method.numbers.at(0));
          },
          [](M method, P placement) { return sent_by_bruck(placement, method.numbers.at(0)); }},
    Costs{shifted, [](M, P placement, R rules) { return shifted_stretches(placement, rules); },
          [](M, P placement) { return sent_straight(placement); }},
    Costs{linear, [](M, P placement, R rules) { return linear_stretches(placement, rules); },
          [](M, P placement) { return sent_straight(placement); }},
};

/// Nothing for an algorithm that has digits.
const Costs* costs_of(ExchangeAlgorithm algorithm) {
  const auto* const row = std::find_if(costs_without_digits.begin(), costs_without_digits.end(),
                                       [&](const Costs& costs) { return costs.algorithm == algorithm; });
  return row == costs_without_digits.end() ? nullptr : row;
}

std::vector<Stretch> stretches_of(const ExchangeMethod& method, const Placement& placement,
                                  const NetworkRules& rules) {
  if (const Costs* costs = costs_of(method.algorithm)) return costs->stretches(method, placement, rules);
  return digit_stretches(placement, rules, radix_phases(method, placement.grid()));
}

}  // namespace

std::vector<Stretch> exchange_stretches(const ExchangeMethod& method, const Placement& placement,
                                        const NetworkRules& rules) {
  try {
    return stretches_of(method, placement, rules);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("exchange method '{}': {}", to_string(method), error.what()));
  }
}

double sent_blocks(const ExchangeMethod& method, const Placement& placement) {
  if (const Costs* costs = costs_of(method.algorithm)) return costs->sent(method, placement);
  return sent_in_phases(placement, radix_phases(method, placement.grid()));
}

}  // namespace cubefold
