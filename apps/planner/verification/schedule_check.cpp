#include "planner/verification/schedule_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "cubefold/embedding/placement.hpp"
#include "planner/verification/exchange_bounds.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/step_replay.hpp"

namespace cubefold::planner {

namespace {

class ScheduleCheck {
 public:
  explicit ScheduleCheck(const ScheduleClaims& claims) : claims_(claims) {}

  ScheduleFindings findings() {
    if (!read_words() || !read_grid() || !has_blocks_enough()) return findings_;
    replay();
    check_bound();
    return findings_;
  }

 private:
  template <typename... Parts>
  bool fault(fmt::format_string<Parts...> text, Parts&&... parts) {
    findings_.faults.push_back(fmt::format(text, std::forward<Parts>(parts)...));
    return false;
  }

  bool is_one_port() const { return claims_.ports == "one"; }

  bool read_words() {
    if (claims_.ports != "one" && claims_.ports != "all") {
      fault("ports: '{}' is neither one nor all", claims_.ports);
    }
    if (claims_.tie != "positive" && claims_.tie != "balanced") {
      fault("tie: '{}' is neither positive nor balanced", claims_.tie);
    }
    return findings_.faults.empty();
  }

  bool read_grid() {
    try {
      network_.emplace(parse_grid(claims_.grid), claims_.tie == "positive" ? Tie::positive : Tie::balanced);
    } catch (const std::invalid_argument& error) {
      return fault("grid: {}", error.what());
    }
    try {
      (void)Placement(network_->grid(), parse_placement(claims_.placement));
    } catch (const std::invalid_argument& error) {
      return fault("placement: {}", error.what());
    }
    return true;
  }

  /// Nodes of a grid are easily written down and many to make room for.
  bool has_blocks_enough() {
    std::size_t moved = 0;
    for (const auto& step : claims_.steps) {
      for (const MessageClaim& message : step) moved += message.blocks.size();
    }
    const std::size_t nodes = network_->grid().node_count();
    if (moved >= nodes * (nodes - 1) / 2) return true;
    return fault("steps: {} blocks are sent, less than half of the {} of a complete exchange", moved,
                 nodes * (nodes - 1));
  }

  void replay() {
    Holders holders(network_->grid().node_count());
    for (std::size_t step = 0; step < claims_.steps.size(); ++step) replay(step, holders);
    // What a message did wrong leaves blocks astray that say nothing new.
    const auto undelivered = holders.undelivered();
    if (undelivered && findings_.faults.empty()) fault("steps: {}", *undelivered);
    for (const auto& [link, blocks] : loads_) {
      findings_.busiest_link_blocks =
          std::max(findings_.busiest_link_blocks, static_cast<std::size_t>(blocks));
    }
  }

  void replay(std::size_t step, Holders& holders) {
    const auto& messages = claims_.steps[step];
    StepReplay replay(*network_, is_one_port(), holders);
    std::size_t largest = 0;
    for (std::size_t index = 0; index < messages.size(); ++index) {
      const auto wrong = replay.send(index, messages[index]);
      if (wrong) fault("steps[{}][{}]: {}", step, index, *wrong);
      largest = std::max(largest, messages[index].blocks.size());
    }
    for (const MessageClaim& message : messages) replay.arrive(message);
    for (const auto& [link, blocks] : replay.loads()) loads_[link] += blocks;
    findings_.message_count += messages.size();
    findings_.block_times += largest;
  }

  void check_bound() {
    const double blocks = proven_block_times(*network_, is_one_port());
    if (claims_.bound_blocks > blocks * (1 + 1e-9)) {
      fault("bound.blocks: {} is claimed, no more than {} is proven", claims_.bound_blocks, blocks);
    }
    const std::size_t startups = proven_startups(*network_, is_one_port());
    if (claims_.bound_startups > startups) {
      fault("bound.startups: {} is claimed, no more than {} is proven", claims_.bound_startups, startups);
    }
  }

  const ScheduleClaims& claims_;
  ScheduleFindings findings_;
  std::optional<Network> network_;
  Network::Loads loads_;
};

}  // namespace

ScheduleFindings findings_of(const ScheduleClaims& claims) {
  return ScheduleCheck(claims).findings();
}

}  // namespace cubefold::planner
