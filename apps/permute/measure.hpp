#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/topology/link_loads.hpp"
#include "program/progress.hpp"
#include "timing/runs.hpp"

/// Describes one message of a round.
struct Journey {
  cubefold::Rank from;
  cubefold::Rank to;
};

/// Describes the messages of one pattern under one placement, which all travel at the same time, and their predicted
/// link loads.
struct Round {
  std::string pattern;
  std::string placement;
  bool alone;  ///< true: only the message with the longest route travels
  std::vector<Journey> journeys;
  cubefold::LinkLoads link_messages;
  std::uint32_t longest_hops;

  /// Returns the number of messages on the busiest directed link.
  std::uint64_t contention() const { return link_messages.busiest(); }
};

/// Returns the round in which every rank sends. Throws as destinations() does. Costs O(p) routes.
Round full_round(const std::string& pattern, const cubefold::Placement& placement, cubefold::Tie tie);

/// Returns a round with only that message of full_round() which has the longest route. Among several it is the message
/// of the lowest rank. Costs O(p) distances.
Round lone_round(const std::string& pattern, const cubefold::Placement& placement, cubefold::Tie tie);

/// Describes a round between the virtual ranks of a communicator.
struct PlacedRound {
  const cubefold::mpi::VirtualComm* comm;
  Round round;
};

/// Describes one round with messages of one size.
struct PermuteCase {
  std::size_t round;  ///< index of a PlacedRound
  std::size_t block_bytes;
};

/// Runs all cases in random order. One run of each comes first and is not timed. Receives are posted before the barrier
/// at which the time begins. Checks every byte of every run. Throws std::runtime_error on all processes if a byte is
/// wrong, and names the pattern, the placement and the byte. Throws std::invalid_argument for messages above 2^31 - 1
/// bytes. All processes must call this.
cubefold::timing::Measured measure(const std::vector<PlacedRound>& rounds,
                                   const std::vector<PermuteCase>& cases,
                                   const cubefold::timing::RunOptions& options,
                                   cubefold::program::Progress& progress);
