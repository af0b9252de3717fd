#include "schedule_segments.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace cubefold {

std::uint32_t end_of(const std::vector<ScheduleSegment>& segments) {
  if (segments.empty()) return 0;
  return segments.back().begin +
         std::visit([](const auto& steps) { return steps.step_count(); }, segments.back().steps);
}

namespace {

using GroupsByAxis = std::vector<std::vector<DimensionGroup>>;

void append(std::vector<ScheduleSegment>& segments, std::variant<SlotFormula, SlotTable> steps) {
  segments.push_back({end_of(segments), std::move(steps)});
}

/// Returns the groups of each round, from the longest distances down. A round has at most one group per axis.
std::vector<std::vector<DimensionGroup>> rounds_of(const GroupsByAxis& axes) {
  std::vector<std::vector<DimensionGroup>> rounds;
  for (const auto& groups : axes) {
    for (std::size_t place = 0; place < groups.size(); ++place) {
      if (place == rounds.size()) rounds.emplace_back();
      rounds[place].push_back(groups[place]);
    }
  }
  return rounds;
}

/// Returns the groups of the rounds from `first` on, axis by axis and the highest of an axis first.
std::vector<DimensionGroup> groups_from(const std::vector<std::vector<DimensionGroup>>& rounds,
                                        std::size_t first) {
  std::vector<DimensionGroup> groups;
  for (std::size_t round = first; round < rounds.size(); ++round) {
    groups.insert(groups.end(), rounds[round].begin(), rounds[round].end());
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const DimensionGroup& a, const DimensionGroup& b) { return a.axis < b.axis; });
  return groups;
}

/// Returns a lower bound of the steps of every table of these groups. The groups of an axis share its links, and all
/// send slots of a node share its port.
std::uint32_t least_steps(const std::vector<DimensionGroup>& groups) {
  std::uint32_t slots = 0;
  std::uint32_t on_axis = 0;
  std::uint32_t most_on_axis = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    slots += groups[i].slot_count();
    const bool same_axis = i > 0 && groups[i].axis == groups[i - 1].axis;
    on_axis = groups[i].link_steps() + (same_axis ? on_axis : 0);
    most_on_axis = std::max(most_on_axis, on_axis);
  }
  return std::max(slots, most_on_axis);
}

/// Returns the segments of the first `round_count` rounds, each by its formula. Source: [Calmant] 4.2.
std::vector<ScheduleSegment> segments_of(const std::vector<std::vector<DimensionGroup>>& rounds,
                                         std::size_t round_count) {
  std::vector<ScheduleSegment> segments;
  for (std::size_t round = 0; round < round_count; ++round) append(segments, SlotFormula(rounds[round]));
  return segments;
}

/// Returns segments of `step_count` steps or fewer in which the last rounds share a table, or nothing if none are
/// found. Each round of short distances leaves links or ports idle, and a common table can fill these. As few rounds as
/// possible share the table.
std::optional<ScheduleSegments> with_last_rounds_together(
    const std::vector<std::vector<DimensionGroup>>& rounds, std::uint32_t step_count) {
  for (std::size_t kept = rounds.size(); kept-- > 0;) {
    auto segments = segments_of(rounds, kept);
    const auto groups = groups_from(rounds, kept);
    if (end_of(segments) + least_steps(groups) > step_count) continue;
    if (auto table = SlotTable::search(groups, step_count - end_of(segments))) {
      append(segments, std::move(*table));
      return ScheduleSegments{std::move(segments), TaskMethod::search};
    }
  }
  return std::nullopt;
}

/// Tries the bound, one step more, and then twice as many more each time, as long as the formulas take more steps.
ScheduleSegments find_one_port(const GroupsByAxis& axes, std::uint32_t bound) {
  const auto rounds = rounds_of(axes);
  ScheduleSegments by_rounds{segments_of(rounds, rounds.size()), TaskMethod::closed_form};
  const auto most = end_of(by_rounds.segments);
  for (std::uint32_t more = 0; bound + more < most; more = std::max(1U, 2 * more)) {
    if (auto found = with_last_rounds_together(rounds, bound + more)) return std::move(*found);
  }
  return by_rounds;
}

}  // namespace

ScheduleSegments find_segments(const GroupsByAxis& axes, Ports ports, std::uint32_t bound) {
  if (ports == Ports::one) return find_one_port(axes, bound);
  ScheduleSegments found{{}, TaskMethod::closed_form};
  append(found.segments, SlotTable::sequential(groups_from(rounds_of(axes), 0), ports));
  return found;
}

}  // namespace cubefold
