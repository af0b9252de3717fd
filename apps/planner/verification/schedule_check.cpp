#include "planner/verification/schedule_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "cubefold/embedding/placement.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/step_replay.hpp"
#include "program/shown.hpp"

namespace cubefold::planner {

namespace {

using program::shown;

class ScheduleCheck {
 public:
  explicit ScheduleCheck(const ScheduleClaims& claims) : claims_(claims) {}

  ScheduleFindings findings() {
    if (!read_words() || !read_grid() || !has_blocks_enough() || !read_placement()) return findings_;
    replay();
    check_bound();
    return findings_;
  }

 private:
  bool is_one_port() const { return claims_.ports == "one"; }

  bool read_words() {
    if (claims_.ports != "one" && claims_.ports != "all") {
      faults().add("ports: '{}' is neither one nor all", shown(claims_.ports));
    }
    if (claims_.tie != "positive" && claims_.tie != "balanced") {
      faults().add("tie: '{}' is neither positive nor balanced", shown(claims_.tie));
    }
    return faults().count() == 0;
  }

  bool read_grid() {
    try {
      network_.emplace(claims_.grid, claims_.tie);
    } catch (const std::invalid_argument& error) {
      return faults().add("grid: {}", error.what());
    }
    return true;
  }

  bool read_placement() {
    try {
      (void)Placement(network_->grid(), parse_placement(claims_.placement));
    } catch (const std::invalid_argument& error) {
      return faults().add("placement: {}", error.what());
    }
    return true;
  }

  /// Returns whether the steps send at least half of the blocks of a complete exchange. This check precedes the replay,
  /// because a small file can name a grid whose nodes^2 blocks do not fit into memory.
  bool has_blocks_enough() {
    std::size_t moved = 0;
    for (const auto& step : claims_.steps) {
      for (const MessageClaim& message : step) moved += message.blocks.size();
    }
    const std::size_t nodes = network_->grid().node_count();
    if (moved >= nodes * (nodes - 1) / 2) return true;
    return faults().add("steps: {} blocks are sent, less than half of the {} of a complete exchange", moved,
                        nodes * (nodes - 1));
  }

  void replay() {
    StepReplay replay(*network_, is_one_port());
    for (std::size_t step = 0; step < claims_.steps.size(); ++step) replay_step(step, replay);
    // An error in a message also misplaces blocks, so misplaced blocks are reported only if there is no other error.
    const auto undelivered = replay.undelivered();
    if (undelivered && faults().count() == 0) faults().add("steps: {}", *undelivered);
    findings_.busiest_link_blocks = replay.busiest_link_blocks();
  }

  void replay_step(std::size_t step, StepReplay& replay) {
    const StepClaim& messages = claims_.steps[step];
    replay.begin_step();
    std::size_t largest = 0;
    for (std::size_t index = 0; index < messages.size(); ++index) {
      const auto wrong = replay.send(index, messages[index]);
      if (wrong) faults().add("steps[{}][{}]: {}", step, index, *wrong);
      largest = std::max(largest, messages[index].blocks.size());
    }
    for (const MessageClaim& message : messages) replay.arrive(message);
    findings_.message_count += messages.size();
    findings_.block_times += largest;
  }

  void check_bound() {
    const double blocks = proven_block_times(*network_, is_one_port());
    faults().compare("bound.blocks", claims_.bound_blocks, blocks);
    const std::size_t startups = proven_startups(*network_, is_one_port());
    if (claims_.bound_startups == startups) return;
    faults().add("bound.startups: {} is claimed, {} is right", claims_.bound_startups, startups);
  }

  Faults& faults() { return findings_.faults; }

  const ScheduleClaims& claims_;
  ScheduleFindings findings_;
  std::optional<Network> network_;
};

}  // namespace

ScheduleFindings findings_of(const ScheduleClaims& claims) {
  return ScheduleCheck(claims).findings();
}

namespace {

double by_cuts(const Grid& grid) {
  double most = 0;
  for (const Axis& axis : grid.axes()) {
    const std::size_t layer = grid.node_count() / axis.extent;
    const std::size_t sides = axis.ends == Ends::wrapped && axis.extent > 2 ? 2 : 1;
    for (std::size_t inside = layer; inside < grid.node_count(); inside += layer) {
      const double leaving = static_cast<double>(inside) * static_cast<double>(grid.node_count() - inside);
      most = std::max(most, leaving / static_cast<double>(sides * layer));
    }
  }
  return most;
}

double by_ports(const Network& network, bool is_one_port) {
  const auto links = network.link_counts();
  const std::size_t fewest = is_one_port ? 1 : *std::ranges::min_element(links);
  return static_cast<double>(links.size() - 1) / static_cast<double>(std::max<std::size_t>(fewest, 1));
}

}  // namespace

double proven_block_times(const Network& network, bool is_one_port) {
  return std::max(by_cuts(network.grid()), by_ports(network, is_one_port));
}

std::size_t proven_startups(const Network& network, bool is_one_port) {
  const auto links = network.link_counts();
  const std::size_t passed_on_to = is_one_port ? 1 : *std::ranges::max_element(links);
  std::size_t startups = 0;
  for (std::size_t reached = 1; reached < links.size(); reached += reached * passed_on_to) ++startups;
  return startups;
}

}  // namespace cubefold::planner
