#include "planner/verification/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cubefold::planner {

namespace {

Units units_of(const Network& network, std::span<const CheckedPhase> phases) {
  return {phases, static_cast<double>(std::max<std::size_t>(network.most_hops(), 1))};
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
  std::vector<Whole> together(network_.link_numbers());
  Whole sum_of_busiest = 0;
  Whole hops = 0;
  Whole messages = 0;
  require_few_hops(node_of_rank);
  for (std::size_t r = 0; r < phases_.size(); ++r) {
    const Sums sums = sums_of(r, node_of_rank, together);
    values.busiest_link.push_back(alone_[r].number(sums.busiest.messages));
    sum_of_busiest += sums.busiest.weighted;
    hops += sums.hops;
    messages += sums.messages;
  }
  const Whole busiest = together.empty() ? 0 : *std::ranges::max_element(together);
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

LinkCount::Sums LinkCount::sums_of(std::size_t phase, const std::vector<std::size_t>& node_of_rank,
                                   std::vector<Whole>& together) {
  Sums sums;
  std::vector<std::size_t> used;
  const double weight = phases_[phase].weight;
  double last = 0;
  Load load;
  for (const SentMessages& sent : phases_[phase].messages) {
    const auto from = node_of_rank[sent.from];
    const auto to = node_of_rank[sent.to];
    if (from == to || sent.messages == 0) continue;
    if (sent.messages != last)
      load = {alone_[phase].of(1, sent.messages), weighted_.of(weight, sent.messages)};
    last = sent.messages;
    sums.messages += load.weighted;
    network_.walk(from, to, [&](std::size_t link) {
      if (loads_[link].messages == 0) used.push_back(link);
      loads_[link].messages += load.messages;
      loads_[link].weighted += load.weighted;
      sums.hops += load.weighted;
    });
  }
  for (const std::size_t link : used) {
    sums.busiest.messages = std::max(sums.busiest.messages, loads_[link].messages);
    sums.busiest.weighted = std::max(sums.busiest.weighted, loads_[link].weighted);
    together[link] += loads_[link].weighted;
    loads_[link] = {};
  }
  return sums;
}

}  // namespace cubefold::planner
