#include "planner/verification/program_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "planner/verification/pattern_text.hpp"

namespace cubefold::planner {

namespace {

struct RankAxis {
  std::size_t extent;
  bool is_periodic;
};

/// A Cartesian grid of ranks, and on how many axes two ranks may differ that exchange.
struct HaloGrid {
  std::vector<RankAxis> axes;
  std::size_t most_steps = 1;
};

std::size_t most_steps_of(const std::string& stencil, std::size_t axis_count) {
  if (stencil == "faces") return 1;
  if (stencil == "edges") return 2;
  if (stencil == "full") return axis_count;
  throw std::invalid_argument(fmt::format("'{}' is none of faces, edges and full", stencil));
}

/// Returns the number of ways to take a step up or down on at least one axis and on at most `most_steps` of them.
double ways_to_neighbours(std::size_t axis_count, std::size_t most_steps) {
  const auto axes = static_cast<double>(axis_count);
  double ways = 0;
  double ways_of_so_many = 1;
  for (std::size_t steps = 1; steps <= std::min(most_steps, axis_count); ++steps) {
    const auto number = static_cast<double>(steps);
    ways_of_so_many *= 2 * (axes - number + 1) / number;
    ways += ways_of_so_many;
  }
  return ways;
}

HaloGrid halo_grid_named(const std::string& argument) {
  const auto words = parts_of(argument, ':');
  HaloGrid grid;
  if (words.size() > 2) throw std::invalid_argument("it takes a shape and a stencil only");
  const auto extents = parts_of(words[0], 'x');
  if (extents.size() > 64)
    throw std::invalid_argument(fmt::format("{} axes are more than 64", extents.size()));
  for (std::string extent : extents) {
    const bool is_periodic = extent.ends_with('w');
    if (is_periodic) extent.pop_back();
    grid.axes.push_back({number_of(extent), is_periodic});
  }
  if (words.size() == 2) grid.most_steps = most_steps_of(words[1], grid.axes.size());
  return grid;
}

using Place = std::vector<std::size_t>;

/// Returns the coordinates of a rank. The rank is the number whose digits they are, the last one least significant.
Place place_of(std::size_t rank, const HaloGrid& grid) {
  Place place(grid.axes.size());
  for (std::size_t axis = grid.axes.size(); axis-- > 0; rank /= grid.axes[axis].extent)
    place[axis] = rank % grid.axes[axis].extent;
  return place;
}

std::size_t rank_at(const Place& place, const HaloGrid& grid) {
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < place.size(); ++axis) rank = rank * grid.axes[axis].extent + place[axis];
  return rank;
}

enum class Step : std::uint8_t { none, up, down };

/// Moves the place by one step on an axis. Returns false at an open end.
bool move(std::size_t& x, const RankAxis& axis, Step step) {
  if (step == Step::up && x == axis.extent - 1) {
    x = 0;
    return axis.is_periodic;
  }
  if (step == Step::down && x == 0) {
    x = axis.extent - 1;
    return axis.is_periodic;
  }
  if (step == Step::up) ++x;
  if (step == Step::down) --x;
  return true;
}

/// Returns all steps on all axes, of which at least one is a step and at most `most` are.
std::vector<std::vector<Step>> steps_to_neighbours(std::size_t axis_count, std::size_t most) {
  std::vector<std::vector<Step>> all{{}};
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    std::vector<std::vector<Step>> longer;
    for (const auto& steps : all) {
      const auto taken = steps.size() - static_cast<std::size_t>(std::ranges::count(steps, Step::none));
      for (const Step step : {Step::none, Step::up, Step::down}) {
        if (step != Step::none && taken == most) continue;
        longer.push_back(steps);
        longer.back().push_back(step);
      }
    }
    all = std::move(longer);
  }
  all.erase(all.begin());
  return all;
}

std::vector<SentMessages> of_halo(const HaloGrid& grid, std::size_t rank_count) {
  std::size_t count = 1;
  for (const RankAxis& axis : grid.axes) count = count * axis.extent > rank_count ? 0 : count * axis.extent;
  if (count != rank_count)
    throw std::invalid_argument(fmt::format("its extents do not make {} ranks", rank_count));
  const auto neighbours = steps_to_neighbours(grid.axes.size(), grid.most_steps);
  std::vector<SentMessages> result;
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    for (const auto& steps : neighbours) {
      Place place = place_of(rank, grid);
      bool exists = true;
      for (std::size_t axis = 0; axis < place.size(); ++axis)
        exists = move(place[axis], grid.axes[axis], steps[axis]) && exists;
      const std::size_t to = rank_at(place, grid);
      if (exists && to != rank) result.push_back({rank, to, 1});
    }
  }
  return result;
}

/// A matrix of all ranks, row by row. The ranks of a column exchange, or else those of a row.
struct RankMatrix {
  std::size_t rows;
  std::size_t columns;
  bool has_columns;
};

RankMatrix rank_matrix_named(const std::optional<std::string>& argument, std::size_t rank_count) {
  if (!argument) return {1, rank_count, false};
  const auto words = parts_of(*argument, '=');
  if (words.size() != 2 || (words[0] != "rows" && words[0] != "columns")) {
    throw std::invalid_argument("it takes rows=AxB or columns=AxB");
  }
  const auto [rows, columns] = rows_and_columns(words[1]);
  if (rows * columns != rank_count)
    throw std::invalid_argument(fmt::format("{} x {} do not make {} ranks", rows, columns, rank_count));
  return {rows, columns, words[0] == "columns"};
}

std::vector<SentMessages> of_all_to_all(const RankMatrix& matrix) {
  std::vector<std::vector<std::size_t>> parts(matrix.has_columns ? matrix.columns : matrix.rows);
  for (std::size_t rank = 0; rank < matrix.rows * matrix.columns; ++rank)
    parts[matrix.has_columns ? rank % matrix.columns : rank / matrix.columns].push_back(rank);
  std::vector<SentMessages> result;
  for (const auto& ranks : parts) {
    for (const std::size_t from : ranks) {
      for (const std::size_t to : ranks) {
        if (from != to) result.push_back({from, to, 1});
      }
    }
  }
  return result;
}

std::vector<SentMessages> of_ring(std::size_t rank_count) {
  std::vector<SentMessages> result;
  for (std::size_t rank = 1; rank < rank_count; ++rank) result.push_back({rank - 1, rank, 1});
  if (rank_count > 1) result.push_back({rank_count - 1, 0, 1});
  return result;
}

/// The ranks that take part in recursive doubling. Of 2^n + m ranks with 0 < m < 2^n, the even ones below 2 m do not.
struct Doubling {
  std::size_t step_count = 0;  ///< n
  std::size_t power = 1;       ///< 2^n
  std::size_t extra = 0;       ///< m

  explicit Doubling(std::size_t rank_count) {
    for (; 2 * power <= rank_count; power *= 2) ++step_count;
    extra = rank_count - power;
  }

  std::size_t rank_of(std::size_t number) const { return number < extra ? 2 * number + 1 : number + extra; }
};

std::vector<SentMessages> of_allreduce(std::size_t step, std::size_t rank_count) {
  const Doubling doubling(rank_count);
  const std::size_t before = doubling.extra > 0 ? 1 : 0;
  const std::size_t step_count = doubling.step_count + 2 * before;
  if (step >= step_count) throw std::invalid_argument(fmt::format("it has {} steps", step_count));
  std::vector<SentMessages> result;
  if (step < before || step + before == step_count) {
    for (std::size_t rank = 0; rank < 2 * doubling.extra; rank += 2)
      result.push_back(step == 0 ? SentMessages{rank, rank + 1, 1} : SentMessages{rank + 1, rank, 1});
    return result;
  }
  const std::size_t distance = std::size_t{1} << (step - before);
  for (std::size_t number = 0; number < doubling.power; ++number) {
    const bool is_lower = number / distance % 2 == 0;
    const std::size_t other = is_lower ? number + distance : number - distance;
    result.push_back({doubling.rank_of(number), doubling.rank_of(other), 1});
  }
  return result;
}

/// Returns the messages of a step in which ranks send half of what they have left (reduce-scatter), or all that they
/// have so far (allgather).
std::vector<SentMessages> of_halves(bool gathers, std::size_t step, std::size_t rank_count) {
  const Doubling doubling(rank_count);
  if (doubling.extra > 0)
    throw std::invalid_argument(fmt::format("{} ranks are no power of two", rank_count));
  if (step >= doubling.step_count)
    throw std::invalid_argument(fmt::format("it has {} steps", doubling.step_count));
  const std::size_t distance = gathers ? std::size_t{1} << step : rank_count >> (step + 1);
  std::vector<SentMessages> result;
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    const bool is_lower = rank / distance % 2 == 0;
    result.push_back({rank, is_lower ? rank + distance : rank - distance,
                      static_cast<double>(distance) / static_cast<double>(rank_count)});
  }
  return result;
}

bool is_halving(const std::string& kind) {
  return kind == "reduce-scatter" || kind == "allgather";
}

std::size_t at_most(double messages) {
  return messages > static_cast<double>(most_messages) ? most_messages + 1
                                                       : static_cast<std::size_t>(messages);
}

}  // namespace

std::optional<std::size_t> program_messages_at_most(const std::string& name, std::size_t rank_count) {
  const auto [kind, argument] = name_and_argument(name);
  const auto ranks = static_cast<double>(rank_count);
  if (kind == "halo") {
    const HaloGrid grid = halo_grid_named(argument.value_or(""));
    return at_most(ranks * ways_to_neighbours(grid.axes.size(), grid.most_steps));
  }
  if (kind == "alltoall") {
    const RankMatrix matrix = rank_matrix_named(argument, rank_count);
    return at_most(ranks * static_cast<double>(matrix.has_columns ? matrix.rows : matrix.columns));
  }
  if (kind == "ring" || kind == "allreduce" || is_halving(kind)) return rank_count;
  return std::nullopt;
}

std::optional<std::vector<SentMessages>> program_messages_of(const std::string& name,
                                                             std::size_t rank_count) {
  const auto [kind, argument] = name_and_argument(name);
  if (kind == "halo") return of_halo(halo_grid_named(argument.value_or("")), rank_count);
  if (kind == "alltoall") return of_all_to_all(rank_matrix_named(argument, rank_count));
  if (kind == "ring" && argument) throw std::invalid_argument("it takes nothing after its name");
  if (kind == "ring") return of_ring(rank_count);
  if (kind == "allreduce") return of_allreduce(number_of(argument.value_or("")), rank_count);
  if (is_halving(kind)) return of_halves(kind == "allgather", number_of(argument.value_or("")), rank_count);
  return std::nullopt;
}

}  // namespace cubefold::planner
