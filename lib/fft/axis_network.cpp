#include "axis_network.hpp"

#include <map>
#include <utility>
#include <variant>

#include "cubefold/fft/volume.hpp"
#include "process_axes.hpp"

namespace cubefold::fft {

std::optional<ExchangeModel> model_of(const Network& network) {
  if (network.machine) return exchange_model(*network.machine, Tie::balanced);
  if (network.host_count > 1) return typical_network();
  return std::nullopt;
}

AxisNetwork network_of_all(const Network& network) {
  return {network.placement, model_of(network).value()};
}

std::vector<AxisNetwork> networks_of_axes(const Network& network, const std::vector<std::vector<int>>& axes) {
  std::vector<AxisNetwork> result;
  for (const auto& part : axes) {
    Network own{Placement(grid_of_axes(network.placement.grid(), part), {}), {}, network.host_count};
    if (network.machine && !part.empty()) own.machine = on_axes(*network.machine, part, network.host_count);
    // An axis of one member alone exchanges nothing, whatever its model.
    result.push_back({own.placement, model_of(own).value_or(typical_network())});
  }
  return result;
}

ExchangeSeconds exchange_seconds(const Program& program, std::size_t point_bytes,
                                 const std::vector<AxisNetwork>& axes) {
  std::map<std::pair<std::size_t, std::size_t>, ExchangeSeconds> known;
  ExchangeSeconds sum;
  for (const Stage& stage : program.stages) {
    const auto* exchange = std::get_if<ExchangeStage>(&stage);
    if (exchange == nullptr) continue;
    const auto number = static_cast<std::size_t>(exchange->axis);
    const auto& [placement, model] = axes[number];
    if (placement.rank_count() == 1) continue;
    const std::size_t bytes = block_count(*exchange) * point_bytes;
    const auto [found, is_new] = known.try_emplace({number, bytes});
    if (is_new) {
      const ExchangePlan plan = plan_exchange(placement, bytes, model);
      found->second = {plan.choice().seconds, plan.bound.seconds()};
    }
    sum.predicted += found->second.predicted;
    sum.bound += found->second.bound;
  }
  return sum;
}

}  // namespace cubefold::fft
