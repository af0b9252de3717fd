#include "planner/verification/bounds.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace cubefold::planner {

namespace {

using Messages = std::vector<GroupMessages>;

bool is_of_one_pair(const GroupMessages& a, const GroupMessages& b) {
  return a.from == b.from && a.to == b.to;
}

/// Sorts the messages by sender. Messages of one sender are sorted by receiver.
void sort_by_sender(Messages& messages) {
  std::ranges::sort(messages, [](const GroupMessages& a, const GroupMessages& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
}

void turn_round(GroupMessages& sent) {
  std::swap(sent.from, sent.to);
}

Messages turned_round(Messages messages) {
  std::ranges::for_each(messages, turn_round);
  return messages;
}

Messages of_all(const std::vector<GroupPhase>& phases) {
  Messages result;
  for (const GroupPhase& phase : phases) {
    result.insert(result.end(), phase.messages.begin(), phase.messages.end());
  }
  return result;
}

Whole at_least(Whole amount, Whole parts) {
  return amount / parts + (amount % parts == 0 ? 0 : 1);
}

/// Returns the hops of all messages if every sender has its partners on the nearest nodes, with busier partners nearer.
/// Sorts the messages.
Whole least_hops_of_senders(const std::vector<std::size_t>& nearest, Messages& messages) {
  sort_by_sender(messages);
  Whole hops = 0;
  for (std::size_t i = 0; i < messages.size();) {
    const std::size_t first = i;
    std::vector<Whole> of_partners;
    for (; i < messages.size() && messages[i].from == messages[first].from; ++i) {
      if (i == first || !is_of_one_pair(messages[i - 1], messages[i])) of_partners.push_back(0);
      of_partners.back() += messages[i].amount;
    }
    std::ranges::sort(of_partners, std::greater<>());
    for (std::size_t k = 0; k < of_partners.size(); ++k) hops += of_partners[k] * nearest[k + 1];
  }
  return hops;
}

/// Returns the largest of three lower bounds of the hops of all messages. They count messages at their senders, at
/// their receivers, or at both ends. The last sum is halved.
Whole least_hops(const std::vector<std::size_t>& nearest, Messages messages) {
  const std::size_t count = messages.size();
  messages.reserve(2 * count);
  const Whole sent = least_hops_of_senders(nearest, messages);
  std::ranges::for_each(messages, turn_round);
  const Whole received = least_hops_of_senders(nearest, messages);
  for (std::size_t i = 0; i < count; ++i) {
    messages.push_back(messages[i]);
    turn_round(messages.back());
  }
  const Whole both = least_hops_of_senders(nearest, messages);
  return std::max({sent, received, at_least(both, 2)});
}

/// Returns a lower bound of the load of the busiest link: the largest ceil(messages of the k-th busiest sender / k-th
/// largest number of links of a node). Senders without messages do not contribute, so the cost depends on the messages
/// only.
Whole busiest_port_of_senders(const std::vector<std::size_t>& links_descending, Messages messages) {
  sort_by_sender(messages);
  std::vector<Whole> sent;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (i == 0 || messages[i].from != messages[i - 1].from) sent.push_back(0);
    sent.back() += messages[i].amount;
  }
  std::ranges::sort(sent, std::greater<>());
  Whole most = 0;
  for (std::size_t k = 0; k < sent.size(); ++k) most = std::max(most, at_least(sent[k], links_descending[k]));
  return most;
}

/// Rounds a load up to a multiple of the greatest common divisor of all messages, because the load of a link is such a
/// multiple.
Whole whole(Whole load, const Messages& messages) {
  Whole measure = 0;
  for (const GroupMessages& sent : messages) {
    Whole rest = sent.amount;
    while (rest != 0) std::tie(measure, rest) = std::pair(rest, measure == 0 ? 0 : measure % rest);
  }
  return measure == 0 ? load : at_least(load, measure) * measure;
}

/// Recognises phases in which all nodes send equally many messages over one cube dimension. Returns 2^dimension and the
/// number of messages of a node. The number of messages is 0 for any other phase.
std::pair<std::size_t, Whole> cube_dimension_of(const Messages& messages, std::size_t node_count) {
  if (messages.size() != node_count) return {0, 0};
  const std::size_t step = messages.front().from ^ messages.front().to;
  const Whole amount = messages.front().amount;
  const bool crosses_one_bit = step > 0 && (step & (step - 1)) == 0;
  const bool are_alike = std::ranges::all_of(messages, [&](const GroupMessages& sent) {
    return (sent.from ^ sent.to) == step && sent.amount == amount;
  });
  return {step, crosses_one_bit && are_alike ? amount : 0};
}

/// Returns a lower bound of the messages that every node sends to each of its neighbours in the cube.
Whole messages_of_every_dimension(const std::vector<GroupPhase>& phases, std::size_t node_count) {
  std::map<std::size_t, Whole> sums;
  for (std::size_t step = 1; step < node_count; step *= 2) sums[step] = 0;
  for (const GroupPhase& phase : phases) {
    const auto [step, amount] = cube_dimension_of(phase.messages, node_count);
    if (amount > 0) sums[step] += amount;
  }
  Whole least = sums.empty() ? 0 : sums.begin()->second;
  for (const auto& [step, sum] : sums) least = std::min(least, sum);
  return least;
}

/// Returns a lower bound of the load of the busiest link if every node sends at least `common` messages to each of its
/// neighbours in the cube. It is the largest bound over all cuts that separate the first nodes of an axis from the
/// others.
Whole busiest_cut_of_cube(const Grid& grid, Whole common) {
  const auto node_count = grid.node_count();
  std::vector<std::size_t> most_pairs_among(node_count + 1);
  for (std::size_t m = 1; m <= node_count; ++m) {
    std::size_t ones = 0;
    for (std::size_t rest = m - 1; rest > 0; rest /= 2) ones += rest % 2;
    most_pairs_among[m] = most_pairs_among[m - 1] + ones;
  }
  std::size_t dimensions = 0;
  for (std::size_t step = 1; step < node_count; step *= 2) ++dimensions;
  Whole most = 0;
  for (const Axis& axis : grid.axes()) {
    const std::size_t layer = node_count / axis.extent;
    const std::size_t sides = axis.ends == Ends::wrapped && axis.extent > 2 ? 2 : 1;
    for (std::size_t m = layer; m < node_count; m += layer) {
      const std::size_t leaving = dimensions * m - 2 * most_pairs_among[m];
      most = std::max(most, at_least(common * leaving, Whole{sides} * layer));
    }
  }
  return most;
}

/// Computes the lower bounds of every kind for one network.
class Reasons {
 public:
  explicit Reasons(const Network& network)
      : grid_(network.grid()), nearest_(network.hops_from_the_middle()), links_(network.link_counts()) {
    std::ranges::sort(links_, std::greater<>());
  }

  Whole all_hops(const Messages& messages) const { return whole(least_hops(nearest_, messages), messages); }

  Whole by_hops(const Messages& messages) const {
    if (messages.empty()) return 0;
    const auto link_count = std::accumulate(links_.begin(), links_.end(), std::size_t{0});
    return whole(at_least(least_hops(nearest_, messages), link_count), messages);
  }

  Whole by_ports(const Messages& messages) const {
    const Whole most = std::max(busiest_port_of_senders(links_, messages),
                                busiest_port_of_senders(links_, turned_round(messages)));
    return whole(most, messages);
  }

  Whole by_cut(const std::vector<GroupPhase>& phases) const {
    const Whole common = messages_of_every_dimension(phases, grid_.node_count());
    return common > 0 ? whole(busiest_cut_of_cube(grid_, common), of_all(phases)) : 0;
  }

 private:
  Grid grid_;
  std::vector<std::size_t> nearest_;
  std::vector<std::size_t> links_;
};

std::vector<ProvenBound> of_all_phases(const Reasons& reasons, const std::vector<GroupPhase>& phases) {
  const Messages all = of_all(phases);
  return {{"hops of all phases", reasons.by_hops(all)},
          {"ports of all phases", reasons.by_ports(all)},
          {"cut of the cube", reasons.by_cut(phases)}};
}

std::vector<ProvenBound> of_sum(const Reasons& reasons, const std::vector<GroupPhase>& phases) {
  Whole ports = 0;
  Whole either = 0;
  for (const GroupPhase& phase : phases) {
    const Whole by_ports = reasons.by_ports(phase.messages);
    ports += by_ports;
    either += std::max(by_ports, reasons.by_hops(phase.messages));
  }
  // The sum of the busiest loads of all phases is at least the busiest load of all phases together.
  auto bounds = of_all_phases(reasons, phases);
  bounds.push_back({"ports of each phase", ports});
  bounds.push_back({"hops or ports of each phase", either});
  return bounds;
}

std::vector<ProvenBound> of_union(const Reasons& reasons, const std::vector<GroupPhase>& phases) {
  auto bounds = of_all_phases(reasons, phases);
  for (const GroupPhase& phase : phases) {
    bounds.push_back({"hops of phase " + phase.name, reasons.by_hops(phase.messages)});
    bounds.push_back({"ports of phase " + phase.name, reasons.by_ports(phase.messages)});
  }
  return bounds;
}

}  // namespace

GroupPhase between_groups(const std::string& name, const CheckedPhase& phase, const Units& units,
                          std::size_t per_node) {
  Messages all;
  GroupMessages group{};
  double last = 0;
  for (const SentMessages& sent : phase.messages) {
    if (sent.messages != last) group.amount = units.of(phase.weight, sent.messages);
    last = sent.messages;
    group.from = sent.from / per_node;
    group.to = sent.to / per_node;
    if (group.from != group.to && sent.messages > 0 && phase.weight > 0) all.push_back(group);
  }
  sort_by_sender(all);
  Messages pairs;
  for (const GroupMessages& sent : all) {
    if (pairs.empty() || !is_of_one_pair(pairs.back(), sent)) {
      pairs.push_back(sent);
    } else {
      pairs.back().amount += sent.amount;
    }
  }
  return {name, std::move(pairs)};
}

std::vector<ProvenBound> proven_bounds(const Network& network, const std::vector<GroupPhase>& phases,
                                       const std::string& objective) {
  const Reasons reasons(network);
  if (objective == "busiest-links") return of_sum(reasons, phases);
  if (objective == "together") return of_union(reasons, phases);
  return {{"hops", reasons.all_hops(of_all(phases))}};
}

}  // namespace cubefold::planner
