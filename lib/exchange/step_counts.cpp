#include "step_counts.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "cubefold/exchange/lines_phase.hpp"

namespace cubefold {

namespace {

using Shapes = std::vector<PermutationShape>;

Shapes with_identity(std::initializer_list<std::uint32_t> class_counts) {
  Shapes shapes{{1, true}};
  for (const auto count : class_counts) shapes.push_back({std::max(count, 1U), false});
  return shapes;
}

Shapes ring_shapes(std::uint32_t radix, std::uint32_t stride, Tie tie) {
  const bool balanced = tie == Tie::balanced;
  if (radix == 2) return with_identity({balanced ? stride / 2 : stride});
  if (radix == 4) return with_identity({stride, balanced ? stride : 2 * stride, stride});
  Shapes shapes(radix, {radix / 8 * stride, false});
  if (!balanced) shapes[0].class_count = shapes[1].class_count = radix / 4 * stride;
  return shapes;
}

/// Of the digits that do not leave their axis out; nothing if there is one that has no such form.
std::optional<std::vector<Shapes>> shapes_of_axes(const Grid& grid, const std::vector<Digit>& digits,
                                                  Tie tie) {
  std::vector<Shapes> axes;
  for (std::size_t j = 0; j < digits.size(); ++j) {
    if (digits[j].radix == 1) continue;
    auto shapes = permutation_shapes(grid.axes()[j], digits[j], tie);
    if (!shapes) return std::nullopt;
    axes.push_back(std::move(*shapes));
  }
  return axes;
}

/// Every axis keeps its half or changes it, and either way its nodes are in the classes of the change.
std::size_t steps_of_halves(const std::vector<Shapes>& axes, Ports ports, ProductPhase::Sharing sharing) {
  std::size_t classes = 1;
  for (const auto& shapes : axes) classes = std::max<std::size_t>(classes, shapes[1].class_count);
  const std::size_t combinations = std::size_t{1} << axes.size();
  if (sharing == ProductPhase::Sharing::yes && (ports == Ports::all || classes >= 2))
    return combinations / 2 * classes;
  return (combinations - 1) * classes;
}

/// Every combination by itself, in as many steps as the permutation with the most classes has.
std::size_t steps_of_combinations(const std::vector<Shapes>& axes) {
  std::map<std::uint32_t, std::size_t> combinations{{1, 1}};
  std::size_t without_moves = 1;  // steps of the one that moves nobody, 0 if there is none
  for (const auto& shapes : axes) {
    std::map<std::uint32_t, std::size_t> longer;
    std::size_t staying = 0;
    for (const auto& shape : shapes) {
      // As link_sharing_groups() has it: what stays is in the classes of what moves.
      const auto own = shapes.size() == 2 ? shapes[1].class_count : shape.class_count;
      for (const auto& [classes, count] : combinations) longer[std::max(classes, own)] += count;
      if (shape.moves_nobody) staying = std::max<std::size_t>(without_moves, own);
    }
    without_moves = without_moves == 0 ? 0 : staying;
    combinations = std::move(longer);
  }
  std::size_t steps = 0;
  for (const auto& [classes, count] : combinations) steps += classes * count;
  return steps - without_moves;
}

}  // namespace

std::optional<Shapes> permutation_shapes(const Axis& axis, const Digit& digit, Tie tie) {
  if (!std::has_single_bit(axis.extent) || !std::has_single_bit(digit.period) ||
      !std::has_single_bit(digit.radix) || digit.period > axis.extent || digit.radix > digit.period)
    return std::nullopt;
  const bool is_ring = axis.ends == Ends::wrapped && digit.period == axis.extent && axis.extent > 2;
  if (digit.radix == 1) return with_identity({});
  if (is_ring) return ring_shapes(digit.radix, digit.stride(), tie);
  if (digit.radix == 2) return with_identity({digit.stride()});
  return Shapes(digit.radix, {digit.radix / 4 * digit.stride(), false});
}

std::size_t product_step_count(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                               ProductPhase::Sharing sharing) {
  const auto built = [&] { return ProductPhase(grid, digits, ports, tie, sharing).step_count(); };
  if (digits.size() != grid.axes().size()) return built();
  const auto axes = shapes_of_axes(grid, digits, tie);
  if (!axes) return built();
  if (axes->empty()) return 0;
  if (std::all_of(axes->begin(), axes->end(), [](const Shapes& shapes) { return shapes.size() == 2; }))
    return steps_of_halves(*axes, ports, sharing);
  // Groups of permutations share steps on extents up to 4 only, and only if they do on all axes.
  for (std::size_t j = 0; j < digits.size(); ++j) {
    if (digits[j].radix > 2 && grid.axes()[j].extent > 4) return steps_of_combinations(*axes);
  }
  return built();
}

std::size_t lines_step_count(const Grid& grid, Ports ports, Tie tie) {
  std::vector<Digit> digits;
  std::size_t round_count = 0;
  for (const Axis& axis : grid.axes()) {
    digits.push_back({axis.extent, axis.extent});
    round_count = std::max<std::size_t>(round_count, axis.extent);
  }
  const auto axes = shapes_of_axes(grid, digits, tie);
  if (!axes) return LinesPhase(grid, ports, tie).step_count();
  std::size_t steps = 0;
  for (std::size_t k = 0; k < round_count; ++k) {
    std::size_t most = 0;
    for (std::size_t j = 0; j < axes->size(); ++j) {
      const Shapes& shapes = (*axes)[j];
      if (k >= shapes.size() || shapes[k].moves_nobody) continue;
      most = std::max<std::size_t>({most, shapes[k].class_count, ports == Ports::one ? j + 1 : 0});
    }
    steps += most;
  }
  return steps;
}

}  // namespace cubefold
