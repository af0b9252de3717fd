#include "planner/verification/values.hpp"

#include <algorithm>

namespace cubefold::planner {

namespace {

double busiest(const Network::Loads& loads) {
  double most = 0;
  for (const auto& [link, load] : loads) most = std::max(most, load);
  return most;
}

double value_of(const CheckedValues& values, const std::vector<CheckedPhase>& phases,
                const std::string& objective) {
  if (objective == "together") return values.together;
  if (objective == "hop-bytes") return values.hop_bytes;
  double sum = 0;
  for (std::size_t r = 0; r < phases.size(); ++r) sum += phases[r].weight * values.busiest_link[r];
  return sum;
}

}  // namespace

CheckedValues values_of(const Network& network, const std::vector<CheckedPhase>& phases,
                        const std::vector<std::size_t>& node_of_rank, const std::string& objective) {
  CheckedValues values;
  Network::Loads together;
  double messages = 0;
  for (const CheckedPhase& phase : phases) {
    Network::Loads loads;
    for (const SentMessages& sent : phase.messages) {
      const auto from = node_of_rank[sent.from];
      const auto to = node_of_rank[sent.to];
      if (from == to) continue;
      const auto hops = network.send(from, to, sent.messages, loads);
      values.hop_bytes += phase.weight * sent.messages * static_cast<double>(hops);
      messages += phase.weight * sent.messages;
    }
    values.busiest_link.push_back(busiest(loads));
    for (const auto& [link, load] : loads) together[link] += phase.weight * load;
  }
  values.together = busiest(together);
  values.average_hops = messages > 0 ? values.hop_bytes / messages : 0;
  values.value = value_of(values, phases, objective);
  return values;
}

}  // namespace cubefold::planner
