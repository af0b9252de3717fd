#include "calibrate/check/prediction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <utility>

#include "cubefold/topology/route.hpp"

namespace cubefold::map_check {

namespace {

using Set = std::vector<std::size_t>;

constexpr double no_overload = 1.01;
constexpr double sure_overload = 1.9;
constexpr double fast_below = 1.4;
constexpr double slow_above = 1.6;

/// Describes a stream on one link of its route.
struct Use {
  std::size_t link;
  std::size_t stream;
  double share;
  bool is_sure;
};

/// Returns the links of all streams, those of one link one after the other.
std::vector<Use> uses_of(Routes& routes, const NodeOfHost& nodes, const Round& round, TieRule tie) {
  std::vector<Use> uses;
  for (std::size_t i = 0; i < round.size(); ++i) {
    for (const auto& [link, share, is_sure] : routes.between(nodes[round[i].from], nodes[round[i].to], tie))
      uses.push_back({link, i, share, is_sure});
  }
  std::ranges::sort(uses, {}, [](const Use& use) { return std::pair(use.link, use.stream); });
  return uses;
}

/// Adds what the uses of one link predict.
void add_link(Prediction& prediction, std::span<const Use> uses) {
  double load = 0;
  double sure_load = 0;
  Set sure;
  for (const Use& use : uses) {
    load += use.share;
    if (!use.is_sure) continue;
    sure_load += use.share;
    sure.push_back(use.stream);
  }
  if (load <= no_overload) return;
  for (const Use& use : uses) prediction.meets_on_link[use.stream] = true;
  if (sure_load >= sure_overload) prediction.slow_sets.push_back(std::move(sure));
}

void mark_shared_ends(std::vector<bool>& shares, const Round& round, std::size_t HostStream::*end) {
  std::vector<std::pair<std::size_t, std::size_t>> ends;
  for (std::size_t i = 0; i < round.size(); ++i) ends.emplace_back(round[i].*end, i);
  std::ranges::sort(ends);
  for (std::size_t i = 1; i < ends.size(); ++i) {
    if (ends[i - 1].first != ends[i].first) continue;
    shares[ends[i - 1].second] = true;
    shares[ends[i].second] = true;
  }
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Returns the median over all repetitions of the factor of the slowest of some streams.
double slowest_factor(const Observation& observation, const Set& streams) {
  std::vector<double> slowest;
  for (std::size_t repetition = 0; repetition < observation.seconds.size(); ++repetition) {
    double greatest = 0;
    for (const std::size_t stream : streams)
      greatest = std::max(greatest, observation.factor(repetition, stream));
    slowest.push_back(greatest);
  }
  return median_of(std::move(slowest));
}

/// Returns whether one prediction says that some streams are slow of which the other says that all are alone.
bool excludes(const Prediction& slow, const Prediction& fast, Ports ports) {
  return std::ranges::any_of(slow.slow_sets, [&](const Set& streams) {
    return std::ranges::none_of(streams, [&](std::size_t stream) { return fast.may_be_slow(stream, ports); });
  });
}

std::vector<RouteLink> links_by_rule(const Grid& network, GridNode from, GridNode to, Tie tie) {
  const std::vector<Link> links = route(network, from, to, tie);
  double slowest = std::numeric_limits<double>::max();
  for (const Link& link : links) slowest = std::min(slowest, rate_of(network, link));
  std::vector<RouteLink> result;
  result.reserve(links.size());
  for (const Link& link : links)
    result.push_back({link_index(network, link), slowest / rate_of(network, link), true});
  return result;
}

/// Adds the links of some steps along an axis, and returns the node where they end.
GridNode add_steps(std::vector<RouteLink>& links, const Grid& network, Link step, std::uint64_t count,
                   bool is_sure) {
  for (; count > 0; --count) {
    links.push_back({link_index(network, step), 1, is_sure});
    step.from = end_of(network, step);
  }
  return step.from;
}

/// Returns the links of a dimension-order route, and those of both ways where they are equally short.
std::vector<RouteLink> links_by_axes(const Grid& network, GridNode here, GridNode to) {
  std::vector<RouteLink> links;
  for (int axis = 0; axis < network.axis_count(); ++axis) {
    const std::int64_t steps = axis_steps(network, axis, here, to, Tie::positive);
    const auto count = static_cast<std::uint64_t>(std::abs(steps));
    if (count == 0) continue;
    const bool is_tie = network.has_wrap_link(axis) && 2 * count == network.extent(axis);
    const Direction direction = steps > 0 ? Direction::positive : Direction::negative;
    if (is_tie) add_steps(links, network, {here, axis, Direction::negative}, count, false);
    here = add_steps(links, network, {here, axis, direction}, count, !is_tie);
  }
  return links;
}

}  // namespace

const std::vector<RouteLink>& Routes::between(GridNode from, GridNode to, TieRule tie) {
  auto& known = known_[tie ? 1 + static_cast<std::size_t>(*tie) : 0];
  const auto ends = (std::uint64_t{static_cast<std::uint32_t>(from)} << 32) | static_cast<std::uint32_t>(to);
  const auto [place, is_new] = known.try_emplace(ends);
  if (!is_new) return place->second;
  const bool is_sure = tie || network_->route_table() != nullptr;
  place->second = is_sure ? links_by_rule(*network_, from, to, tie.value_or(Tie::balanced))
                          : links_by_axes(*network_, from, to);
  return place->second;
}

Prediction predict(Routes& routes, const NodeOfHost& nodes, const Round& round, TieRule tie) {
  const std::vector<Use> uses = uses_of(routes, nodes, round, tie);
  Prediction prediction{{}, std::vector<bool>(round.size()), std::vector<bool>(round.size())};
  for (auto begin = uses.begin(); begin != uses.end();) {
    const auto end = std::find_if(begin, uses.end(), [&](const Use& use) { return use.link != begin->link; });
    add_link(prediction, {begin, end});
    begin = end;
  }
  std::ranges::sort(prediction.slow_sets);
  prediction.slow_sets.erase(std::unique(prediction.slow_sets.begin(), prediction.slow_sets.end()),
                             prediction.slow_sets.end());
  mark_shared_ends(prediction.meets_at_host, round, &HostStream::from);
  mark_shared_ends(prediction.meets_at_host, round, &HostStream::to);
  return prediction;
}

std::vector<Set> contradictions(const Prediction& prediction, Ports ports, const Observation& observation) {
  std::vector<Set> found;
  for (std::size_t i = 0; i < observation.round.size(); ++i) {
    if (!prediction.may_be_slow(i, ports) && slowest_factor(observation, {i}) > slow_above)
      found.push_back({i});
  }
  for (const Set& streams : prediction.slow_sets) {
    if (slowest_factor(observation, streams) < fast_below) found.push_back(streams);
  }
  return found;
}

bool exclude_each_other(const Prediction& one, const Prediction& other, Ports ports) {
  return excludes(one, other, ports) || excludes(other, one, ports);
}

}  // namespace cubefold::map_check
