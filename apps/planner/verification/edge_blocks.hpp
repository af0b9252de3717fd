#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "planner/verification/chunk_replay.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/schedule_claims.hpp"

namespace cubefold::planner {

/// The nodes where the blocks of neighbours are. A message takes a block from its sender. Chunk k is the block of edge
/// k of the claims.
class EdgeBlocks : public ChunkReplay {
 public:
  explicit EdgeBlocks(const std::vector<EdgeClaim>& edges);

  void begin_step() override {}
  std::optional<std::string> send(std::size_t index, const MessageClaim& message) override;
  std::optional<std::string> arrive(std::size_t index, const MessageClaim& message) override;
  std::optional<std::string> missing() const override;

 private:
  static constexpr std::size_t under_way = static_cast<std::size_t>(-1);

  std::optional<std::string> why_not_sent(std::size_t chunk, std::size_t from) const;

  const std::vector<EdgeClaim>& edges_;
  std::vector<std::size_t> holders_;
};

/// Returns why the edges of the claims are not those of the messages of their phase under their placement, or nothing.
/// Edges of a rank to itself are no messages. Throws std::invalid_argument for an unknown phase. Requires nodes of the
/// network. Costs O(messages log messages).
std::optional<std::string> wrong_edge(const Network& network, const ScheduleClaims& claims);

/// Returns a lower bound of the time to exchange blocks with neighbours, in units of one block on a link of rate 1:
/// what a node sends over the rates of its links, or over 1 if it has one port, and the hops of all blocks over the
/// rates of all links.
double proven_edge_times(const Network& network, const ScheduleClaims& claims);

}  // namespace cubefold::planner
