#include "planner/verification/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace cubefold::planner {

namespace {

using Messages = std::vector<SentMessages>;

Messages turned_round(Messages messages) {
  for (SentMessages& sent : messages) std::swap(sent.from, sent.to);
  return messages;
}

Messages joined(Messages first, const Messages& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Messages with_weights(const std::vector<GroupPhase>& phases) {
  Messages result;
  for (const GroupPhase& phase : phases) {
    for (const SentMessages& sent : phase.messages) {
      result.push_back({sent.from, sent.to, sent.messages * phase.weight});
    }
  }
  return result;
}

/// The hops that remain if every sender has its partners as near as can be, the busiest nearest.
double least_hops_of_senders(const std::vector<std::size_t>& nearest, const Messages& messages) {
  std::map<std::size_t, std::map<std::size_t, double>> partners;
  for (const SentMessages& sent : messages) partners[sent.from][sent.to] += sent.messages;
  double hops = 0;
  for (const auto& [from, amounts] : partners) {
    std::vector<double> descending;
    for (const auto& [to, amount] : amounts) descending.push_back(amount);
    std::ranges::sort(descending, std::greater<>());
    for (std::size_t k = 0; k < descending.size(); ++k) {
      hops += descending[k] * static_cast<double>(nearest[k + 1]);
    }
  }
  return hops;
}

double least_hops(const std::vector<std::size_t>& nearest, const Messages& messages) {
  const Messages back = turned_round(messages);
  return std::max({least_hops_of_senders(nearest, messages), least_hops_of_senders(nearest, back),
                   least_hops_of_senders(nearest, joined(messages, back)) / 2});
}

double busiest_port_of_senders(const std::vector<std::size_t>& links_descending, const Messages& messages) {
  std::vector<double> sent(links_descending.size());
  for (const SentMessages& message : messages) sent[message.from] += message.messages;
  std::ranges::sort(sent, std::greater<>());
  double most = 0;
  for (std::size_t k = 0; k < sent.size() && sent[k] > 0; ++k) {
    most = std::max(most, sent[k] / static_cast<double>(links_descending[k]));
  }
  return most;
}

/// A link carries whole messages where all are of one size.
double whole(double load, const Messages& messages) {
  const double size = messages.empty() ? 0 : messages.front().messages;
  const bool is_one_size =
      std::ranges::all_of(messages, [&](const SentMessages& sent) { return sent.messages == size; });
  return is_one_size && size > 0 ? std::ceil(load / size - 1e-9) * size : load;
}

/// The dimension that all messages of a phase cross, and the size that all of them have: one from every node.
struct CubeDimension {
  std::size_t step;
  double size;
};

std::optional<CubeDimension> cube_dimension_of(const Messages& messages, std::size_t node_count) {
  if (messages.size() != node_count) return std::nullopt;
  const CubeDimension first{messages.front().from ^ messages.front().to, messages.front().messages};
  const bool crosses_one_bit = first.step > 0 && (first.step & (first.step - 1)) == 0;
  const bool are_alike = std::ranges::all_of(messages, [&](const SentMessages& sent) {
    return (sent.from ^ sent.to) == first.step && sent.messages == first.size;
  });
  return crosses_one_bit && are_alike ? std::optional(first) : std::nullopt;
}

/// What every node sends, at least, to each of its neighbours in the cube.
double messages_of_every_dimension(const std::vector<GroupPhase>& phases, std::size_t node_count) {
  std::map<std::size_t, double> sums;
  for (std::size_t step = 1; step < node_count; step *= 2) sums[step] = 0;
  for (const GroupPhase& phase : phases) {
    const auto dimension = cube_dimension_of(phase.messages, node_count);
    if (dimension) sums[dimension->step] += phase.weight * dimension->size;
  }
  double least = sums.empty() ? 0 : sums.begin()->second;
  for (const auto& [step, sum] : sums) least = std::min(least, sum);
  return least;
}

/// Most messages of a whole cube over a link out of the first nodes of an axis.
double busiest_cut_of_cube(const Grid& grid) {
  const auto node_count = grid.node_count();
  std::vector<double> most_pairs_among(node_count + 1);
  for (std::size_t m = 1; m <= node_count; ++m) {
    double ones = 0;
    for (std::size_t rest = m - 1; rest > 0; rest /= 2) ones += static_cast<double>(rest % 2);
    most_pairs_among[m] = most_pairs_among[m - 1] + ones;
  }
  double dimensions = 0;
  for (std::size_t step = 1; step < node_count; step *= 2) ++dimensions;
  double most = 0;
  for (const Axis& axis : grid.axes()) {
    const std::size_t layer = node_count / axis.extent;
    const std::size_t sides = axis.ends == Ends::wrapped && axis.extent > 2 ? 2 : 1;
    for (std::size_t m = layer; m < node_count; m += layer) {
      const double leaving = dimensions * static_cast<double>(m) - 2 * most_pairs_among[m];
      most = std::max(most, leaving / static_cast<double>(sides * layer));
    }
  }
  return most;
}

/// The reasons on one network.
class Reasons {
 public:
  explicit Reasons(const Network& network)
      : grid_(network.grid()), nearest_(network.hops_from_the_middle()), links_(network.link_counts()) {
    std::ranges::sort(links_, std::greater<>());
  }

  double all_hops(const Messages& messages) const { return least_hops(nearest_, messages); }

  double by_hops(const Messages& messages) const {
    if (messages.empty()) return 0;
    const auto link_count = std::accumulate(links_.begin(), links_.end(), std::size_t{0});
    return whole(all_hops(messages) / static_cast<double>(link_count), messages);
  }

  double by_ports(const Messages& messages) const {
    const double most = std::max(busiest_port_of_senders(links_, messages),
                                 busiest_port_of_senders(links_, turned_round(messages)));
    return whole(most, messages);
  }

  double by_cut(const std::vector<GroupPhase>& phases) const {
    const double common = messages_of_every_dimension(phases, grid_.node_count());
    return common > 0 ? whole(common * busiest_cut_of_cube(grid_), with_weights(phases)) : 0;
  }

 private:
  Grid grid_;
  std::vector<std::size_t> nearest_;
  std::vector<std::size_t> links_;
};

std::vector<ProvenBound> of_all_phases(const Reasons& reasons, const std::vector<GroupPhase>& phases) {
  const Messages all = with_weights(phases);
  return {{"hops of all phases", reasons.by_hops(all)},
          {"ports of all phases", reasons.by_ports(all)},
          {"cut of the cube", reasons.by_cut(phases)}};
}

std::vector<ProvenBound> of_sum(const Reasons& reasons, const std::vector<GroupPhase>& phases) {
  double ports = 0;
  double either = 0;
  for (const GroupPhase& phase : phases) {
    const double by_ports = reasons.by_ports(phase.messages);
    ports += phase.weight * by_ports;
    either += phase.weight * std::max(by_ports, reasons.by_hops(phase.messages));
  }
  // The busiest links of phases, added up, are no less than the busiest link of their sum.
  auto bounds = of_all_phases(reasons, phases);
  bounds.push_back({"ports of each phase", ports});
  bounds.push_back({"hops or ports of each phase", either});
  return bounds;
}

std::vector<ProvenBound> of_union(const Reasons& reasons, const std::vector<GroupPhase>& phases) {
  auto bounds = of_all_phases(reasons, phases);
  for (const GroupPhase& phase : phases) {
    bounds.push_back({"hops of phase " + phase.name, phase.weight * reasons.by_hops(phase.messages)});
    bounds.push_back({"ports of phase " + phase.name, phase.weight * reasons.by_ports(phase.messages)});
  }
  return bounds;
}

}  // namespace

GroupPhase between_groups(const std::string& name, double weight, const Messages& messages,
                          std::size_t per_node) {
  std::map<std::pair<std::size_t, std::size_t>, double> sums;
  for (const SentMessages& sent : messages) {
    const std::pair groups(sent.from / per_node, sent.to / per_node);
    if (groups.first != groups.second && sent.messages > 0) sums[groups] += sent.messages;
  }
  GroupPhase phase{name, weight, {}};
  for (const auto& [groups, amount] : sums) phase.messages.push_back({groups.first, groups.second, amount});
  return phase;
}

std::vector<ProvenBound> proven_bounds(const Network& network, const std::vector<GroupPhase>& phases,
                                       const std::string& objective) {
  const Reasons reasons(network);
  if (objective == "busiest-links") return of_sum(reasons, phases);
  if (objective == "together") return of_union(reasons, phases);
  return {{"hops", reasons.all_hops(with_weights(phases))}};
}

}  // namespace cubefold::planner
