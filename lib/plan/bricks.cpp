#include "cubefold/plan/bricks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "phase_text.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

using Extents = std::vector<std::uint32_t>;

constexpr std::size_t most_long_axes = 6;  ///< of a grid whose bricks are all compared
constexpr std::size_t most_sorts = 8;

std::size_t product(const Extents& extents) {
  return std::accumulate(extents.begin(), extents.end(), std::size_t{1}, std::multiplies<>());
}

/// Returns the extents that a text `2x3x4` names. Throws std::invalid_argument that quotes the whole text.
Extents extents_in(std::string_view text, std::string_view whole) {
  const auto fail = [&](const std::string& rule) {
    throw std::invalid_argument(fmt::format("'{}': {}", whole, rule));
  };
  Extents extents;
  std::vector<Axis> axes;
  for (const std::string_view word : split(text, 'x')) {
    const auto extent = whole_number(word);
    if (!extent) fail(fmt::format("'{}' is no number of ranks", word));
    extents.push_back(*extent);
    axes.push_back({*extent, Ends::open});
  }
  if (axes.size() > most_axes) fail(fmt::format("{} axes are more than {}", axes.size(), most_axes));
  if (const auto problem = Grid::problem_of(axes)) fail(*problem);
  return extents;
}

/// Returns the number of a place in a grid whose last axis counts fastest.
std::size_t number_at(const Extents& place, const Extents& extents) {
  std::size_t number = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) number = number * extents[axis] + place[axis];
  return number;
}

/// Goes to the next place of the grid, the last axis fastest.
void advance(Extents& place, const Extents& extents) {
  for (std::size_t axis = extents.size(); axis-- > 0;) {
    if (++place[axis] < extents[axis]) return;
    place[axis] = 0;
  }
}

/// Returns a number that is proportional to the messages that leave a brick in a halo exchange.
double surface(const Bricks& bricks) {
  double sum = 0;
  for (std::size_t axis = 0; axis < bricks.ranks.size(); ++axis) {
    if (bricks.brick[axis] != bricks.ranks[axis]) sum += 1.0 / bricks.brick[axis];
  }
  return sum;
}

/// Appends all bricks of `size` ranks that begin with these extents.
void append_bricks(Bricks begun, std::size_t size, std::vector<Bricks>& all) {
  const std::size_t axis = begun.brick.size();
  if (axis == begun.ranks.size()) {
    if (size == 1) all.push_back(std::move(begun));
    return;
  }
  const std::uint32_t extent = begun.ranks[axis];
  begun.brick.push_back(1);
  for (std::uint32_t part = 1; part <= std::min<std::size_t>(extent, size); ++part) {
    if (extent % part != 0 || size % part != 0) continue;
    begun.brick.back() = part;
    append_bricks(begun, size / part, all);
  }
}

/// Returns the sorts of bricks that are worth a search: those with the smallest surfaces.
std::vector<Bricks> good_bricks(const Extents& ranks, std::size_t size) {
  const auto long_axes = std::ranges::count_if(ranks, [](std::uint32_t extent) { return extent > 1; });
  std::vector<Bricks> all;
  if (size == 1 || static_cast<std::size_t>(long_axes) > most_long_axes) return all;
  append_bricks({ranks, {}}, size, all);
  std::ranges::stable_sort(all, {}, surface);
  all.resize(std::min(all.size(), most_sorts));
  return all;
}

}  // namespace

std::vector<std::uint32_t> parse_ranks(std::string_view text) {
  return extents_in(text, text);
}

Bricks parse_bricks(std::string_view text) {
  const auto parts = split(text, '/');
  if (parts.size() != 2)
    throw std::invalid_argument(fmt::format("'{}' is not RANKS/BRICK, as in 16x12x8/1x2x2", text));
  Bricks bricks{extents_in(parts[0], text), extents_in(parts[1], text)};
  if (bricks.brick.size() != bricks.ranks.size()) {
    throw std::invalid_argument(fmt::format("'{}': the ranks have {} axes and the brick has {}", text,
                                            bricks.ranks.size(), bricks.brick.size()));
  }
  for (std::size_t axis = 0; axis < bricks.ranks.size(); ++axis) {
    if (bricks.ranks[axis] % bricks.brick[axis] == 0) continue;
    throw std::invalid_argument(
        fmt::format("'{}': {} does not divide {}", text, bricks.brick[axis], bricks.ranks[axis]));
  }
  return bricks;
}

std::string to_string(const Bricks& bricks) {
  return fmt::format("{}/{}", fmt::join(bricks.ranks, "x"), fmt::join(bricks.brick, "x"));
}

std::size_t brick_size(const Bricks& bricks) {
  return product(bricks.brick);
}

std::vector<Rank> numbers_by_bricks(const Bricks& bricks) {
  Extents bricks_on_axis(bricks.ranks.size());
  std::ranges::transform(bricks.ranks, bricks.brick, bricks_on_axis.begin(), std::divides<>());
  const std::size_t size = brick_size(bricks);
  Extents place(bricks.ranks.size());
  Extents brick(place.size());
  Extents inside(place.size());
  std::vector<Rank> numbers(product(bricks.ranks));
  for (Rank& number : numbers) {
    std::ranges::transform(place, bricks.brick, brick.begin(), std::divides<>());
    std::ranges::transform(place, bricks.brick, inside.begin(), std::modulus<>());
    number = static_cast<Rank>(number_at(brick, bricks_on_axis) * size + number_at(inside, bricks.brick));
    advance(place, bricks.ranks);
  }
  return numbers;
}

std::vector<Phase> numbered_by_bricks(std::span<const Phase> phases, const Bricks& bricks) {
  const auto numbers = numbers_by_bricks(bricks);
  const auto number_of = [&](Rank rank) {
    if (label(rank) < numbers.size()) return numbers[label(rank)];
    throw std::invalid_argument(
        fmt::format("there is no rank {} in a grid of {} ranks", label(rank), numbers.size()));
  };
  std::vector<Phase> result(phases.begin(), phases.end());
  for (Phase& phase : result) {
    for (Traffic& sent : phase.traffic) sent = {number_of(sent.from), number_of(sent.to), sent.messages};
  }
  return result;
}

Mapping choose_placement(const Grid& grid, std::span<const Phase> phases, const Bricks& bricks,
                         MappingOptions options) {
  if (brick_size(bricks) != options.per_node) {
    throw std::invalid_argument(fmt::format("choose_placement: bricks of {} are not of {} ranks",
                                            fmt::join(bricks.brick, "x"), options.per_node));
  }
  Mapping mapping = choose_placement(grid, numbered_by_bricks(phases, bricks), options);
  std::vector<GridNode> node_of_rank;
  for (const Rank number : numbers_by_bricks(bricks))
    node_of_rank.push_back(mapping.node_of_rank.at(label(number)));
  mapping.node_of_rank = std::move(node_of_rank);
  return mapping;
}

BrickMapping choose_bricks(const Grid& grid, std::span<const Phase> phases, const Extents& ranks,
                           MappingOptions options) {
  const std::size_t count = grid.node_count() * options.per_node;
  if (product(ranks) != count) {
    throw std::invalid_argument(
        fmt::format("choose_bricks: a grid of {} has not {} ranks", fmt::join(ranks, "x"), count));
  }
  const auto sorts = good_bricks(ranks, options.per_node);
  options.effort /= sorts.size() + 1;
  BrickMapping best{{}, choose_placement(grid, phases, options)};
  options.starts.clear();
  for (const Bricks& bricks : sorts) {
    Mapping mapping = choose_placement(grid, phases, bricks, options);
    if (is_better(mapping.values, best.mapping.values)) best = {bricks, std::move(mapping)};
  }
  return best;
}

}  // namespace cubefold
