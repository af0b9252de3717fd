#include "partner_graph.hpp"

#include <algorithm>
#include <utility>

namespace cubefold {

namespace {

std::vector<PartnerGraph::Pair> pairs_of(std::span<const Phase> phases) {
  std::vector<PartnerGraph::Pair> pairs;
  for (const Phase& phase : phases) {
    for (const Traffic& sent : phase.traffic) pairs.emplace_back(label(sent.from), label(sent.to));
  }
  return pairs;
}

}  // namespace

PartnerGraph::PartnerGraph(std::span<const Phase> phases, std::size_t rank_count)
    : PartnerGraph(pairs_of(phases), rank_count) {}

PartnerGraph::PartnerGraph(std::vector<Pair> pairs, std::size_t rank_count) : first_(rank_count + 1) {
  std::erase_if(pairs, [](const Pair& pair) { return pair.first == pair.second; });
  const std::size_t one_way = pairs.size();
  for (std::size_t i = 0; i < one_way; ++i) pairs.emplace_back(pairs[i].second, pairs[i].first);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  partners_.reserve(pairs.size());
  for (const auto& [rank, partner] : pairs) {
    ++first_[rank + 1];
    partners_.push_back(partner);
  }
  for (std::size_t r = 0; r < rank_count; ++r) first_[r + 1] += first_[r];
}

std::size_t PartnerGraph::most_partners() const {
  std::size_t most = 0;
  for (std::size_t r = 0; r < rank_count(); ++r) most = std::max(most, first_[r + 1] - first_[r]);
  return most;
}

std::vector<std::uint32_t> PartnerGraph::met_from(std::uint32_t start, std::vector<bool>& is_marked) const {
  std::vector<std::uint32_t> met{start};
  is_marked[start] = true;
  for (std::size_t i = 0; i < met.size(); ++i) {
    for (const auto partner : partners(met[i])) {
      if (is_marked[partner]) continue;
      is_marked[partner] = true;
      met.push_back(partner);
    }
  }
  return met;
}

std::vector<std::vector<std::uint32_t>> PartnerGraph::components() const {
  std::vector<std::vector<std::uint32_t>> components;
  std::vector<bool> is_met(rank_count());
  for (std::uint32_t start = 0; start < rank_count(); ++start) {
    if (!is_met[start]) components.push_back(met_from(start, is_met));
  }
  return components;
}

}  // namespace cubefold
