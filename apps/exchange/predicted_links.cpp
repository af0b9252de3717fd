#include "exchange/predicted_links.hpp"

#include <nlohmann/json.hpp>

#include "cubefold/simulation/steps.hpp"
#include "cubefold/topology/route.hpp"

namespace {

constexpr std::size_t most_processes = 1024;

}  // namespace

const std::vector<std::uint64_t>& PredictedLinks::blocks_of(const cubefold::ExchangeMethod& method) {
  for (const auto& [known, blocks] : blocks_) {
    if (known == method) return blocks;
  }
  const auto schedule = exchange_schedule(method, placement_, network_);
  const cubefold::StepModel routes{.ports = network_.ports, .tie = network_.tie};
  return blocks_.emplace_back(method, simulate_steps(placement_, schedule, 1, routes).link_bytes).second;
}

std::optional<nlohmann::ordered_json> PredictedLinks::of(const cubefold::ExchangeMethod& method,
                                                         std::size_t block_bytes) {
  if (placement_.rank_count() > most_processes) return std::nullopt;
  const auto& grid = placement_.grid();
  const auto& blocks = blocks_of(method);
  auto json = nlohmann::ordered_json::array();
  for (const cubefold::Link& link : links_of(grid)) {
    json.push_back({{"from", static_cast<std::size_t>(link.from)},
                    {"to", static_cast<std::size_t>(end_of(grid, link))},
                    {"bytes", blocks[link_index(grid, link)] * block_bytes}});
  }
  return json;
}
