#pragma once

#include <cstdint>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/schedule/step_sync.hpp"
#include "cubefold/topology/link_loads.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Counts the blocks and the start-ups of one step: what simulate_steps() counts with one tau for all links.
class StepLoad {
 public:
  /// Keeps a reference to the placement. Costs O(links).
  StepLoad(const Placement& placement, Ports ports, Tie tie);

  /// Adds a message. Messages of a rank to itself count as nothing. Costs what LinkLoads::add() costs.
  void add(Rank from, Rank to, std::uint64_t blocks);

  /// Returns the step as a group that waits for nothing. Costs O(links).
  StepGroup group() const;

 private:
  /// Counts messages and, with one port, blocks by node, or by link_index() with all ports.
  struct PortUses {
    std::vector<std::uint64_t> messages;
    std::vector<std::uint64_t> blocks;
  };

  void use(PortUses& uses, std::size_t port, std::uint64_t blocks);

  const Placement& placement_;
  Ports ports_;
  Tie tie_;
  LinkLoads links_;
  PortUses sending_;
  PortUses receiving_;
  std::uint64_t blocks_ = 0;  ///< of the busiest port, or of the largest message with all ports
  std::uint64_t startups_ = 0;
};

}  // namespace cubefold
