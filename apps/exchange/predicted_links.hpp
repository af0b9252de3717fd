#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"

/// Predicts the bytes that methods put on each directed link. It counts each schedule once and uses the result for all
/// block sizes.
class PredictedLinks {
 public:
  PredictedLinks(cubefold::Placement placement, const cubefold::NetworkRules& network)
      : placement_(std::move(placement)), network_(network) {}

  /// Returns {from, to, bytes} for all links, with nodes as numbers. Links without load are included. Returns nothing
  /// for more than 1024 processes, whose schedules would not fit into memory. Costs O(hops of all messages) the first
  /// time, and O(links) later.
  std::optional<nlohmann::ordered_json> of(const cubefold::ExchangeMethod& method, std::size_t block_bytes);

 private:
  const std::vector<std::uint64_t>& blocks_of(const cubefold::ExchangeMethod& method);

  cubefold::Placement placement_;
  cubefold::NetworkRules network_;
  std::vector<std::pair<cubefold::ExchangeMethod, std::vector<std::uint64_t>>> blocks_;  ///< by link_index()
};
