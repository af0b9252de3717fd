#include "axis_permutations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "link_permutations.hpp"
#include "taken_links.hpp"
#include "topology/route_segments.hpp"

namespace cubefold {

namespace {

/// Returns whether the digit's values go all round a ring.
bool is_whole_ring(const Axis& axis, const Digit& digit) {
  return axis.ends == Ends::wrapped && digit.period == axis.extent && axis.extent > 2;
}

Permutation permutation_for(std::uint32_t radix, bool is_ring, std::uint32_t k) {
  if (radix <= 2 || (is_ring && radix == 4))
    return std::has_single_bit(radix) ? xor_permutation(radix, k) : shift_permutation(radix, k);
  if (!is_ring) return radix % 4 == 0 ? line_permutation(radix, k) : shift_permutation(radix, k);
  if (radix % 8 == 0) return ring_permutation(radix, k);
  return radix % 2 == 0 ? counter_shift_permutation(radix, k) : shift_permutation(radix, k);
}

/// Divides one permutation into classes.
class Classifier {
 public:
  Classifier(const Axis& axis, const Digit& digit, Tie tie, AxisPermutation& permutation)
      : line_({axis}), digit_(digit), tie_(tie), permutation_(permutation) {}

  void run() {
    permutation_.class_of.assign(permutation_.to.size(), 0);
    const bool whole_cycles =
        crosses_by_cycles() ? by_crossing_cycles() : digit_.radix <= 4 && by_small_cycles();
    if (!whole_cycles) by_messages();
    permutation_.closed = is_closed();
  }

 private:
  using Coordinates = std::vector<std::uint32_t>;

  std::int64_t steps(std::uint32_t from) const {
    return steps_between(line_, 0, from, permutation_.to[from], tie_);
  }
  std::uint32_t extent() const { return line_.extent(0); }
  bool is_ring() const { return is_whole_ring(line_.axes().front(), digit_); }

  /// Returns whether all cycles of the permutation cross the middle of a line or go all round a ring.
  bool crosses_by_cycles() const { return is_ring() ? digit_.radix % 8 == 0 : digit_.radix % 4 == 0; }

  Coordinates cycle_from(std::uint32_t start) const {
    Coordinates cycle{start};
    while (permutation_.to[cycle.back()] != start) cycle.push_back(permutation_.to[cycle.back()]);
    return cycle;
  }

  /// Calls place(cycle) for every cycle until it returns false, and returns whether it never did. Cycles of one group
  /// of coordinates, which differ in the digit only, follow one another.
  template <typename Place>
  bool all_cycles(Place place) const {
    std::vector<bool> seen(extent());
    for (std::uint32_t i = 0; i < extent(); ++i) {
      const std::uint32_t within = i % digit_.period;
      const std::uint32_t x = i - within + within % digit_.radix * digit_.stride() + within / digit_.radix;
      if (seen[x]) continue;
      const auto cycle = cycle_from(x);
      for (const auto member : cycle) seen[member] = true;
      if (!place(cycle)) return false;
    }
    return true;
  }

  /// Gives every cycle that moves up a class that no other such cycle of its period has, and does the same for cycles
  /// that move down. Returns false if a cycle goes round a ring more than once.
  bool by_crossing_cycles() {
    std::vector<std::array<std::uint32_t, 2>> used(extent() / digit_.period);
    permutation_.class_count = 1;
    return all_cycles([&](const Coordinates& cycle) {
      std::array<std::int64_t, 2> hops{};
      for (const auto from : cycle) hops[steps(from) < 0 ? 1 : 0] += std::abs(steps(from));
      if (is_ring() && std::max(hops[0], hops[1]) > extent()) return false;

      auto& [up, down] = used[cycle.front() / digit_.period];
      const std::uint32_t own = std::max(hops[0] > 0 ? up : 0, hops[1] > 0 ? down : 0);
      for (const auto member : cycle) permutation_.class_of[member] = own;
      if (hops[0] > 0) up = own + 1;
      if (hops[1] > 0) down = own + 1;
      permutation_.class_count = std::max(permutation_.class_count, own + 1);
      return true;
    });
  }

  /// Assigns whole cycles to classes by first fit. The search begins a few classes before the last one that the cycle's
  /// period uses, since a free class is most often found there.
  bool by_small_cycles() {
    std::vector<TakenLinks> classes(1, TakenLinks(extent()));
    std::uint32_t period = 0;
    std::size_t last = 0;
    const bool all = all_cycles([&](const Coordinates& cycle) {
      if (std::exchange(period, cycle.front() / digit_.period) != cycle.front() / digit_.period) last = 0;
      for (std::size_t i = last - std::min<std::size_t>(last, 3); i < classes.size(); ++i) {
        if (!take(classes[i], cycle, static_cast<std::uint32_t>(i))) continue;
        last = std::max(last, i);
        return true;
      }
      last = classes.size();
      classes.emplace_back(extent());
      return take(classes.back(), cycle, static_cast<std::uint32_t>(last));
    });
    permutation_.class_count = static_cast<std::uint32_t>(classes.size());
    return all;
  }

  bool take(TakenLinks& links, const Coordinates& cycle, std::uint32_t own) {
    TakenLinks tried = links;
    for (const auto from : cycle) {
      if (!tried.take(from, steps(from))) return false;
    }
    links = std::move(tried);
    for (const auto member : cycle) permutation_.class_of[member] = own;
    return true;
  }

  /// Assigns single messages to classes by first fit, the longest messages first.
  void by_messages() {
    Coordinates order(extent());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return std::abs(steps(a)) > std::abs(steps(b)); });
    std::vector<TakenLinks> classes;
    for (const auto from : order) {
      const auto fits = std::find_if(classes.begin(), classes.end(),
                                     [&](TakenLinks& links) { return links.take(from, steps(from)); });
      permutation_.class_of[from] = static_cast<std::uint32_t>(fits - classes.begin());
      if (fits == classes.end()) classes.emplace_back(extent()).take(from, steps(from));
    }
    permutation_.class_count = static_cast<std::uint32_t>(classes.size());
  }

  bool is_closed() const {
    for (std::uint32_t x = 0; x < extent(); ++x) {
      if (permutation_.class_of[x] != permutation_.class_of[permutation_.to[x]]) return false;
    }
    return true;
  }

  Grid line_;
  Digit digit_;
  Tie tie_;
  AxisPermutation& permutation_;
};

AxisPermutation spread(const Permutation& targets, const Axis& axis, const Digit& digit) {
  AxisPermutation permutation{
      std::vector<std::uint32_t>(axis.extent), std::vector<std::uint32_t>(axis.extent), {}, 0, true};
  for (std::uint32_t x = 0; x < axis.extent; ++x) {
    const std::uint32_t value = digit.of(x);
    const std::uint32_t to = x + (targets[value] - value) * digit.stride();
    permutation.to[x] = to;
    permutation.from[to] = x;
  }
  return permutation;
}

void require_digit(const Axis& axis, const Digit& digit) {
  if (digit.radix != 0 && digit.period != 0 && axis.extent % digit.period == 0 &&
      digit.period % digit.radix == 0)
    return;
  throw std::invalid_argument(
      fmt::format("axis_permutations: a digit of radix {} and period {} does not divide an axis of extent {}",
                  digit.radix, digit.period, axis.extent));
}

/// Returns permutation `index` of axis_permutations() without building the others.
AxisPermutation axis_permutation(const Axis& axis, const Digit& digit, Tie tie, std::uint32_t index) {
  const auto targets = permutation_for(digit.radix, is_whole_ring(axis, digit), index);
  AxisPermutation permutation = spread(targets, axis, digit);
  if (digit.radix == 2 && index == 0) {
    // The permutation that moves nobody takes the classes of the other one, so that a node is in the same class in
    // both.
    const AxisPermutation moves = axis_permutation(axis, digit, tie, 1);
    permutation.class_of = moves.class_of;
    permutation.class_count = moves.class_count;
    return permutation;
  }
  Classifier(axis, digit, tie, permutation).run();
  return permutation;
}

PermutationShape shape_of(const AxisPermutation& permutation) {
  return {permutation.class_count, is_identity(permutation), permutation.closed};
}

/// Returns the shapes of permutations for extents that are powers of two. All of them are closed. With n = radix and s
/// = stride, the number of classes of a permutation that moves somebody is
///
///     lines n / 4 s, rings (period = extent) n / 8 s for n >= 8 and s for n = 4,
///     radix 2: s, all round a ring s / 2 with balanced ties; 1 at least.
///
/// With ties that all go up, the permutations of a ring that lead half way round have twice as many classes: two of
/// them for n >= 8, and one for n = 2 and 4.
std::vector<PermutationShape> shapes_of_powers_of_two(const Digit& digit, bool is_ring, Tie tie) {
  const std::uint32_t s = digit.stride();
  const std::uint32_t halfway = tie == Tie::balanced ? 1 : 2;
  if (digit.radix == 1) return {{1, true, true}};
  if (digit.radix == 2) {
    const std::uint32_t classes = is_ring ? std::max(s * halfway / 2, 1U) : s;
    return {{classes, true, true}, {classes, false, true}};
  }
  if (!is_ring) return std::vector<PermutationShape>(digit.radix, {digit.radix / 4 * s, false, true});
  if (digit.radix == 4)
    return {{1, true, true}, {s, false, true}, {s * halfway, false, true}, {s, false, true}};
  std::vector<PermutationShape> shapes(digit.radix, {digit.radix / 8 * s, false, true});
  shapes[0].class_count = shapes[1].class_count = digit.radix / 8 * s * halfway;
  return shapes;
}

}  // namespace

bool is_identity(const AxisPermutation& permutation) {
  return std::is_sorted(permutation.to.begin(), permutation.to.end());
}

std::vector<AxisPermutation> axis_permutations(const Axis& axis, const Digit& digit, Tie tie) {
  require_digit(axis, digit);
  std::vector<AxisPermutation> permutations;
  for (std::uint32_t k = 0; k < digit.radix; ++k)
    permutations.push_back(axis_permutation(axis, digit, tie, k));
  return permutations;
}

std::vector<PermutationShape> permutation_shapes(const Axis& axis, const Digit& digit, Tie tie) {
  require_digit(axis, digit);
  if (std::has_single_bit(axis.extent))
    return shapes_of_powers_of_two(digit, is_whole_ring(axis, digit), tie);
  std::vector<PermutationShape> shapes;
  for (std::uint32_t k = 0; k < digit.radix; ++k)
    shapes.push_back(shape_of(axis_permutation(axis, digit, tie, k)));
  return shapes;
}

}  // namespace cubefold
