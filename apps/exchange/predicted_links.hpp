#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"

/// What methods should put on each directed link, counted from their schedules, each once for all block sizes.
class PredictedLinks {
 public:
  PredictedLinks(cubefold::Placement placement, const cubefold::NetworkRules& network)
      : placement_(std::move(placement)), network_(network) {}

  /// {from, to, bytes} for all links, nodes by number, those without load included; nothing for more than 1024
  /// processes, whose schedules would not fit into memory. O(hops of all messages) the first time, then O(links).
  std::optional<nlohmann::ordered_json> of(const cubefold::ExchangeMethod& method, std::size_t block_bytes);

 private:
  const std::vector<std::uint64_t>& blocks_of(const cubefold::ExchangeMethod& method);

  cubefold::Placement placement_;
  cubefold::NetworkRules network_;
  std::vector<std::pair<cubefold::ExchangeMethod, std::vector<std::uint64_t>>> blocks_;  ///< by link_index()
};
