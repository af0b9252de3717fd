#include "planner/verification/bounds.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "planner/verification/cube_cut.hpp"

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
  return std::max({sent, received, ceil_quotient(both, 2)});
}

/// Returns a lower bound of the load of the busiest link: the largest ceil(messages of the k-th busiest sender / k-th
/// largest rate of all links of a node). Senders without messages do not contribute, so the cost depends on the
/// messages only.
Whole busiest_port_of_senders(const std::vector<std::uint64_t>& rates_descending, std::uint64_t rate_unit,
                              Messages messages) {
  sort_by_sender(messages);
  std::vector<Whole> sent;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (i == 0 || messages[i].from != messages[i - 1].from) sent.push_back(0);
    sent.back() += messages[i].amount;
  }
  std::ranges::sort(sent, std::greater<>());
  Whole most = 0;
  for (std::size_t k = 0; k < sent.size(); ++k)
    most = std::max(most, ceil_quotient(sent[k] * rate_unit, rates_descending[k]));
  return most;
}

/// Returns the most that one group sends another. Sorts the messages.
Whole largest_sum_of_a_pair(Messages messages) {
  sort_by_sender(messages);
  Whole most = 0;
  Whole sum = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (i == 0 || !is_of_one_pair(messages[i - 1], messages[i])) sum = 0;
    sum += messages[i].amount;
    most = std::max(most, sum);
  }
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
  return measure == 0 ? load : ceil_quotient(load, measure) * measure;
}

/// Returns whether every node sends equally many messages to every other node.
bool is_complete_exchange(const Messages& messages, std::size_t node_count) {
  if (node_count < 2 || messages.size() != node_count * (node_count - 1)) return false;
  return std::ranges::all_of(
      messages, [&](const GroupMessages& sent) { return sent.amount == messages.front().amount; });
}

/// Computes the lower bounds of every kind for one network.
class Reasons {
 public:
  explicit Reasons(const Network& network)
      : network_(network.with_balanced_ties()), nearest_(network.least_hops()), rates_(network.rates()) {
    std::ranges::sort(rates_.out, std::greater<>());
    std::ranges::sort(rates_.in, std::greater<>());
  }

  bool is_complete(const Messages& messages) const {
    return is_complete_exchange(messages, network_.grid().node_count());
  }

  Whole hops(const Messages& messages) const { return least_hops(nearest_, messages); }
  Whole all_hops(const Messages& messages) const { return whole(hops(messages), messages); }

  Whole by_hops(const Messages& messages) const {
    if (messages.empty()) return 0;
    return rounded(ceil_quotient(least_hops(nearest_, messages) * network_.rate_unit(), rates_.all),
                   messages);
  }

  Whole by_ports(const Messages& messages) const {
    const std::uint64_t unit = network_.rate_unit();
    const Whole most = std::max(busiest_port_of_senders(rates_.out, unit, messages),
                                busiest_port_of_senders(rates_.in, unit, turned_round(messages)));
    return rounded(most, messages);
  }

  Whole by_largest_message(const Messages& messages) const {
    if (messages.empty()) return 0;
    return ceil_quotient(largest_sum_of_a_pair(messages) * network_.rate_unit(), rates_.fastest);
  }

  /// Returns the load of the busiest link of a complete exchange, and 0 for other messages.
  Whole by_routes(const Messages& messages) const {
    Whole most = 0;
    if (!is_complete(messages)) return most;
    const auto pairs = pairs_on_links();
    for (std::size_t link = 0; link < pairs.size(); ++link) {
      const Whole load = messages.front().amount * pairs[link] * network_.rate_unit();
      if (load > 0) most = std::max(most, ceil_quotient(load, network_.rate(link)));
    }
    return most;
  }

  /// Returns the hops of a complete exchange.
  Whole hops_of_routes(const Messages& messages) const {
    const auto pairs = pairs_on_links();
    return messages.front().amount * std::accumulate(pairs.begin(), pairs.end(), std::uint64_t{0});
  }

  Whole by_cut(const std::vector<GroupPhase>& phases) const {
    return rounded(busiest_cut_of_cube(network_, phases), of_all(phases));
  }

 private:
  Whole rounded(Whole load, const Messages& messages) const {
    return network_.has_rates() ? load : whole(load, messages);
  }

  /// Returns the number of pairs of nodes whose route uses a link, for every link.
  std::vector<std::uint64_t> pairs_on_links() const {
    std::vector<std::uint64_t> pairs(network_.link_numbers());
    for (std::size_t from = 0; from < network_.grid().node_count(); ++from) {
      for (std::size_t to = 0; to < network_.grid().node_count(); ++to) {
        network_.walk(from, to, [&](std::size_t link) { ++pairs[link]; });
      }
    }
    return pairs;
  }

  Network network_;
  std::vector<std::size_t> nearest_;
  Network::Rates rates_;
};

std::vector<ProvenBound> of_all_phases(const Reasons& reasons, const std::vector<GroupPhase>& phases) {
  const Messages all = of_all(phases);
  return {{"hops of all phases", reasons.by_hops(all)},
          {"ports of all phases", reasons.by_ports(all)},
          {"largest message of all phases", reasons.by_largest_message(all)},
          {"cut of the cube", reasons.by_cut(phases)}};
}

/// Returns the bounds of one phase, each by one reason.
std::array<ProvenBound, 4> of_phase(const Reasons& reasons, const GroupPhase& phase) {
  return {{{"hops", reasons.by_hops(phase.messages)},
           {"largest message", reasons.by_largest_message(phase.messages)},
           {"ports", reasons.by_ports(phase.messages)},
           {"routes", reasons.by_routes(phase.messages)}}};
}

/// Returns the sum over phases of the largest bound by one of the reasons whose bits are in the set. The name lists
/// these reasons.
ProvenBound of_each_phase(const std::vector<std::array<ProvenBound, 4>>& phases, unsigned set) {
  Whole sum = 0;
  for (const auto& bounds : phases) {
    Whole most = 0;
    for (std::size_t i = 0; i < bounds.size(); ++i)
      if ((set >> i & 1U) != 0) most = std::max(most, bounds[i].value);
    sum += most;
  }
  std::string names;
  for (std::size_t i = 0; i < phases.front().size(); ++i) {
    if ((set >> i & 1U) == 0) continue;
    const bool is_last = set >> i == 1;
    names += (names.empty() ? "" : is_last ? " or " : ", ") + phases.front()[i].source;
  }
  return {names + " of each phase", sum};
}

std::vector<ProvenBound> of_sum(const Reasons& reasons, const std::vector<GroupPhase>& phases) {
  std::vector<std::array<ProvenBound, 4>> by_reason;
  for (const GroupPhase& phase : phases) by_reason.push_back(of_phase(reasons, phase));
  // The sum of the busiest loads of all phases is at least the busiest load of all phases together.
  auto bounds = of_all_phases(reasons, phases);
  for (unsigned set = 1; set < 16; ++set) bounds.push_back(of_each_phase(by_reason, set));
  return bounds;
}

std::vector<ProvenBound> of_union(const Reasons& reasons, const std::vector<GroupPhase>& phases) {
  auto bounds = of_all_phases(reasons, phases);
  for (const GroupPhase& phase : phases) {
    for (const ProvenBound& bound : of_phase(reasons, phase))
      bounds.push_back({bound.source + " of phase " + phase.name, bound.value});
  }
  return bounds;
}

/// Returns the bounds of hop-bytes. The hops of complete exchanges are known exactly, so if there are any, the bounds
/// of all phases are also added up.
std::vector<ProvenBound> of_hop_bytes(const Reasons& reasons, const std::vector<GroupPhase>& phases) {
  std::vector<ProvenBound> bounds{{"hops", reasons.all_hops(of_all(phases))}};
  Whole sum = 0;
  bool has_complete = false;
  for (const GroupPhase& phase : phases) {
    const bool is_complete = reasons.is_complete(phase.messages);
    has_complete = has_complete || is_complete;
    sum += is_complete ? reasons.hops_of_routes(phase.messages) : reasons.hops(phase.messages);
  }
  if (has_complete) bounds.push_back({"hops of each phase", sum});
  return bounds;
}

}  // namespace

GroupPhase between_groups(const std::string& name, const CheckedPhase& phase, const Units& units,
                          const std::vector<std::size_t>& group_of_rank) {
  Messages all;
  GroupMessages group{};
  double last = 0;
  for (const SentMessages& sent : phase.messages) {
    if (sent.messages != last) group.amount = units.of(phase.weight, sent.messages);
    last = sent.messages;
    group.from = group_of_rank[sent.from];
    group.to = group_of_rank[sent.to];
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
  return of_hop_bytes(reasons, phases);
}

}  // namespace cubefold::planner
