#include "planner/verification/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "program/shown.hpp"

namespace cubefold::planner {

namespace {

Units units_of(const Network& network, std::span<const CheckedPhase> phases) {
  return {phases, static_cast<double>(std::max<std::size_t>(network.most_hops(), 1)), network.has_rates()};
}

/// Returns the load that a link of rate 1 would have if it took as long, rounded up.
Whole time_of(const Network& network, std::size_t link, Whole load) {
  const Whole rate = network.rate(link);
  const Whole product = load * network.rate_unit();
  return product / rate + (product % rate == 0 ? 0 : 1);
}

}  // namespace

LinkCount::LinkCount(const Network& network, const std::vector<CheckedPhase>& phases)
    : network_(network),
      phases_(phases),
      weighted_(units_of(network, phases)),
      loads_(network.link_numbers()) {
  for (const CheckedPhase& phase : phases) {
    const CheckedPhase alone{1, phase.messages};
    alone_.push_back(units_of(network, {&alone, 1}));
  }
}

double LinkCount::messages_of(std::size_t phase) const {
  Whole sum = 0;
  double last = 0;
  Whole amount = 0;
  for (const SentMessages& sent : phases_[phase].messages) {
    if (sent.messages != last) amount = alone_[phase].of(1, sent.messages);
    last = sent.messages;
    sum += amount;
  }
  return alone_[phase].number(sum);
}

CheckedValues LinkCount::values_of(const std::vector<std::size_t>& node_of_rank,
                                   const std::string& objective) {
  CheckedValues values;
  Whole sum_of_busiest = 0;
  Whole hops = 0;
  Whole messages = 0;
  require_few_hops(node_of_rank);
  for (std::size_t r = 0; r < phases_.size(); ++r) {
    const Sums sums = sums_of(r, node_of_rank);
    values.busiest_link.push_back(alone_[r].number(sums.busiest_messages));
    sum_of_busiest += sums.busiest_weighted;
    hops += sums.hops;
    messages += sums.messages;
  }
  const Whole busiest = take_busiest_together();
  values.together = weighted_.number(busiest);
  values.hop_bytes = weighted_.number(hops);
  values.average_hops = messages > 0 ? static_cast<double>(hops) / static_cast<double>(messages) : 0;
  values.exact_value = objective == "together" ? busiest : objective == "hop-bytes" ? hops : sum_of_busiest;
  values.value = weighted_.number(values.exact_value);
  return values;
}

void LinkCount::require_few_hops(const std::vector<std::size_t>& node_of_rank) {
  for (const CheckedPhase& phase : phases_) {
    for (const SentMessages& sent : phase.messages) {
      hops_ += network_.hops(node_of_rank[sent.from], node_of_rank[sent.to]);
    }
  }
  if (hops_ > most_hops)
    throw std::runtime_error(fmt::format("its messages take more than {} hops", most_hops));
}

LinkCount::Sums LinkCount::sums_of(std::size_t phase, const std::vector<std::size_t>& node_of_rank) {
  Sums sums;
  std::vector<std::size_t> used;
  double last = 0;
  Whole messages = 0;
  Whole weighted = 0;
  for (const SentMessages& sent : phases_[phase].messages) {
    const auto from = node_of_rank[sent.from];
    const auto to = node_of_rank[sent.to];
    if (from == to || sent.messages == 0) continue;
    if (sent.messages != last) {
      messages = alone_[phase].of(1, sent.messages);
      weighted = weighted_.of(phases_[phase].weight, sent.messages);
    }
    last = sent.messages;
    sums.messages += weighted;
    network_.walk(from, to, [&](std::size_t link) {
      if (loads_[link].messages == 0) used.push_back(link);
      loads_[link].messages += messages;
      loads_[link].weighted += weighted;
      sums.hops += weighted;
    });
  }
  for (const std::size_t link : used) {
    Load& load = loads_[link];
    sums.busiest_messages = std::max(sums.busiest_messages, time_of(network_, link, load.messages));
    sums.busiest_weighted = std::max(sums.busiest_weighted, time_of(network_, link, load.weighted));
    if (load.together == 0 && load.weighted > 0) used_links_.push_back(link);
    load = {0, 0, load.together + load.weighted};
  }
  return sums;
}

Whole LinkCount::take_busiest_together() {
  Whole busiest = 0;
  for (const std::size_t link : used_links_) {
    busiest = std::max(busiest, time_of(network_, link, loads_[link].together));
    loads_[link] = {};
  }
  used_links_.clear();
  return busiest;
}

bool are_equal(double a, double b) {
  return std::abs(a - b) <= 0x1p-50 * std::max(std::abs(a), std::abs(b));
}

void Faults::compare(const std::string& key, double claimed, double right) {
  if (!are_equal(claimed, right)) add("{}: {} is claimed, {} is right", key, claimed, right);
}

std::vector<std::string> Faults::lines() const {
  auto lines = lines_;
  if (count_ > lines_.size()) lines.push_back(fmt::format("and {} more", count_ - lines_.size()));
  return lines;
}

void Faults::keep(const std::string& line) {
  constexpr std::size_t most_bytes = 400;
  lines_.push_back(program::shown(line, most_bytes));
}

}  // namespace cubefold::planner
