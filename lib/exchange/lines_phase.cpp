#include "lines_phase.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "closed_permutations.hpp"
#include "digit_phase.hpp"
#include "pattern_phase.hpp"

namespace cubefold {

std::vector<int> long_axes(const Grid& grid) {
  std::vector<int> axes;
  for (int axis = 0; axis < grid.axis_count(); ++axis)
    if (grid.extent(axis) > 1) axes.push_back(axis);
  return axes;
}

namespace {

/// Describes rounds that are alike: the axes that they have, with the number of classes on each of them.
struct RoundKind {
  std::vector<std::pair<std::size_t, std::uint32_t>> classes;
  std::size_t round_count;

  std::size_t step_count() const {
    std::size_t most = classes.size();
    for (const auto& [axis, class_count] : classes) most = std::max<std::size_t>(most, class_count);
    return most;
  }

  std::uint64_t blocks(const std::vector<std::uint64_t>& lengths) const {
    std::uint64_t longest = 0;
    for (const auto& [axis, class_count] : classes) longest = std::max(longest, lengths[axis]);
    return step_count() * longest;
  }
};

/// Returns the kind of round that a round of each kind make together, as often as there are rounds of both. Returns a
/// kind without rounds if both have permutations of one axis.
RoundKind joined(const RoundKind& a, const RoundKind& b) {
  RoundKind result{a.classes, std::min(a.round_count, b.round_count)};
  for (const auto& each : b.classes) {
    for (const auto& other : a.classes)
      if (each.first == other.first) result.round_count = 0;
    result.classes.push_back(each);
  }
  std::sort(result.classes.begin(), result.classes.end());
  return result;
}

/// Holds the blocks, and then the steps, that two rounds save if they are joined.
using Savings = std::pair<std::int64_t, std::int64_t>;

Savings savings_of(const RoundKind& a, const RoundKind& b, const RoundKind& together,
                   const std::vector<std::uint64_t>& lengths) {
  return {static_cast<std::int64_t>(a.blocks(lengths) + b.blocks(lengths)) -
              static_cast<std::int64_t>(together.blocks(lengths)),
          static_cast<std::int64_t>(a.step_count() + b.step_count()) -
              static_cast<std::int64_t>(together.step_count())};
}

/// Joins rounds of the two kinds that save the most, and returns whether any save something.
bool join_best(std::vector<RoundKind>& kinds, const std::vector<std::uint64_t>& lengths) {
  Savings most{0, 0};
  std::pair<std::size_t, std::size_t> best;
  for (std::size_t a = 0; a < kinds.size(); ++a) {
    for (std::size_t b = a + 1; b < kinds.size(); ++b) {
      const RoundKind together = joined(kinds[a], kinds[b]);
      if (together.round_count == 0) continue;
      const Savings savings = savings_of(kinds[a], kinds[b], together, lengths);
      if (savings <= most) continue;
      most = savings;
      best = {a, b};
    }
  }
  if (most == Savings{0, 0}) return false;
  RoundKind together = joined(kinds[best.first], kinds[best.second]);
  kinds[best.first].round_count -= together.round_count;
  kinds[best.second].round_count -= together.round_count;
  kinds.push_back(std::move(together));
  std::erase_if(kinds, [](const RoundKind& kind) { return kind.round_count == 0; });
  return true;
}

std::vector<RoundKind> kinds_of(const ClassCounts& counts, const std::vector<std::uint64_t>& lengths) {
  std::vector<RoundKind> kinds;
  for (std::size_t axis = 0; axis < counts.size(); ++axis) {
    std::map<std::uint32_t, std::size_t> numbers;  // of permutations, by the number of their classes
    for (const std::uint32_t count : counts[axis]) ++numbers[count];
    for (const auto& [class_count, number] : numbers) kinds.push_back({{{axis, class_count}}, number});
  }
  while (join_best(kinds, lengths)) {
  }
  return kinds;
}

/// Lets the axes of a round share its steps. Along axis number j of the round a node sends j steps before the one that
/// the sum of its classes names, so that it never sends along two axes in one step.
LinesRound round_of(const RoundKind& kind) {
  LinesRound round{0, kind.step_count(), {}, true};
  for (const auto& [axis, class_count] : kind.classes)
    round.along.push_back({axis, class_count, round.step_count - round.along.size()});
  return round;
}

}  // namespace

std::vector<LinesRound> shared_rounds(const ClassCounts& counts, const std::vector<std::uint64_t>& lengths) {
  std::vector<std::map<std::size_t, std::size_t>> next(counts.size());  // permutation, by number of classes
  for (std::size_t axis = 0; axis < counts.size(); ++axis)
    for (std::size_t k = counts[axis].size(); k-- > 0;) next[axis][counts[axis][k]] = k;
  std::vector<LinesRound> rounds;
  for (const RoundKind& kind : kinds_of(counts, lengths)) {
    for (std::size_t i = 0; i < kind.round_count; ++i) {
      LinesRound& round = rounds.emplace_back(round_of(kind));
      for (auto& along : round.along) along.permutation = next[along.axis][along.class_count]++;
    }
  }
  return rounds;
}

LinesRounds::LinesRounds(const Grid& grid, std::vector<std::uint64_t> lengths, Ports ports, Tie tie)
    : axes_(long_axes(grid)),
      lengths_(std::move(lengths)),
      counts_(axes_.size()),
      whole_steps_(axes_.size()) {
  constexpr std::uint32_t longest_axis_with_tables = 256;
  lengths_.resize(axes_.size(), 1);
  for (const int axis : axes_)
    if (grid.extent(axis) > longest_axis_with_tables) tables_ = Tables::no;
  if (ports == Ports::all) {
    add_all_at_once(grid, tie);
    return;
  }
  choose_axes_that_share(grid, tie);
  for (LinesRound& round : shared_rounds(counts_, lengths_)) add(std::move(round));
  for (std::size_t j = 0; j < axes_.size(); ++j)
    if (!shares(j)) add({0, whole_steps_[j], {{j, whole_steps_[j], 0}}, false});
}

/// Returns the blocks that the steps of a phase take if the axes with numbers of classes share steps.
std::uint64_t LinesRounds::blocks_of(const ClassCounts& counts) const {
  std::uint64_t blocks = 0;
  for (const RoundKind& kind : kinds_of(counts, lengths_)) blocks += kind.round_count * kind.blocks(lengths_);
  for (std::size_t j = 0; j < axes_.size(); ++j)
    if (counts[j].empty()) blocks += whole_steps_[j] * lengths_[j];
  return blocks;
}

/// Lets all axes share steps that can, and then takes out one after the other of those whose turn takes less.
void LinesRounds::choose_axes_that_share(const Grid& grid, Tie tie) {
  std::vector<bool> is_shorter_alone(axes_.size());
  for (std::size_t j = 0; j < axes_.size(); ++j) {
    const Axis& axis = grid.axes()[static_cast<std::size_t>(axes_[j])];
    if (axes_.size() > 1)
      counts_[j] = closed_class_counts(axis, tie, tables_).value_or(std::vector<std::uint32_t>{});
    const auto classes = std::accumulate(counts_[j].begin(), counts_[j].end(), std::size_t{0});
    if (shares(j) && classes <= least_steps(grid, {axes_[j]}, Ports::one, tie)) continue;
    whole_steps_[j] = digit_phase_steps(grid, whole_axis(grid, axes_[j]), Ports::one, tie);
    is_shorter_alone[j] = shares(j) && whole_steps_[j] < classes;
  }
  for (std::size_t j = 0; j < axes_.size(); ++j) {
    if (!is_shorter_alone[j]) continue;
    ClassCounts without = counts_;
    without[j].clear();
    if (blocks_of(without) < blocks_of(counts_)) counts_ = std::move(without);
  }
}

/// Adds one round with the whole phases of all axes at the same time.
void LinesRounds::add_all_at_once(const Grid& grid, Tie tie) {
  LinesRound round{0, 0, {}, false};
  for (std::size_t j = 0; j < axes_.size(); ++j) {
    const std::size_t steps = digit_phase_steps(grid, whole_axis(grid, axes_[j]), Ports::all, tie);
    round.along.push_back({j, steps, 0});
    round.step_count = std::max(round.step_count, steps);
  }
  add(std::move(round));
}

void LinesRounds::add(LinesRound round) {
  round.first_step = step_count_;
  step_count_ += round.step_count;
  rounds_.push_back(std::move(round));
}

LinesPhase::LinesPhase(const Grid& grid, Ports ports, Tie tie, std::vector<std::uint64_t> lengths)
    : grid_(grid), rounds_(std::make_shared<LinesRounds>(grid, std::move(lengths), ports, tie)) {
  for (std::size_t j = 0; j < rounds_->axes().size(); ++j) {
    const int axis = rounds_->axes()[j];
    permutations_.emplace_back();
    axis_phases_.emplace_back();
    if (rounds_->shares(j)) {
      permutations_.back() =
          closed_permutations(grid.axes()[static_cast<std::size_t>(axis)], tie, rounds_->tables()).value();
    } else {
      axis_phases_.back() = digit_phase(grid, whole_axis(grid, axis), ports, tie);
    }
  }
}

std::size_t LinesPhase::step_count() const {
  return rounds_->step_count();
}

Moves LinesPhase::moves_of(GridNode node) const {
  Moves moves;
  for (const LinesRound& round : rounds_->rounds()) {
    if (round.adds_classes) {
      add_shared_moves(round, node, moves);
    } else {
      add_whole_moves(round, node, moves);
    }
  }
  sort_by_step(moves);
  return moves;
}

void LinesPhase::add_shared_moves(const LinesRound& round, GridNode node, Moves& moves) const {
  const auto own = grid_.coordinates(node);
  const auto permutation_on = [&](const LinesRound::Along& along) -> const AxisPermutation& {
    return permutations_[along.axis][along.permutation];
  };
  const auto axis_of = [&](const LinesRound::Along& along) {
    return static_cast<std::size_t>(rounds_->axes()[along.axis]);
  };
  const auto step_of = [&](const LinesRound::Along& along, const auto& from) {
    std::size_t classes = 0;
    for (const auto& other : round.along) classes += permutation_on(other).class_of[from[axis_of(other)]];
    return round.first_step + round.step_of(along, classes);
  };
  for (const auto& along : round.along) {
    const std::size_t axis = axis_of(along);
    auto destination = own;
    auto source = own;
    destination[axis] = permutation_on(along).to[own[axis]];
    source[axis] = permutation_on(along).from[own[axis]];
    if (destination != own) moves.sends.push_back({step_of(along, own), grid_.node_at(destination)});
    if (source != own) moves.receives.push_back({step_of(along, source), grid_.node_at(source)});
  }
}

void LinesPhase::add_whole_moves(const LinesRound& round, GridNode node, Moves& moves) const {
  for (const auto& along : round.along) {
    const Moves of_axis = axis_phases_[along.axis].moves_of(node);
    const auto step_of = [&](std::size_t step) { return round.first_step + round.step_of(along, step); };
    for (const auto& [step, peer] : of_axis.sends) moves.sends.push_back({step_of(step), peer});
    for (const auto& [step, peer] : of_axis.receives) moves.receives.push_back({step_of(step), peer});
  }
}

}  // namespace cubefold
