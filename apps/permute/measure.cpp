#include "permute/measure.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/error.hpp"
#include "mpi/agreement.hpp"
#include "permute/pattern.hpp"
#include "timing/test_data.hpp"

using cubefold::Placement;
using cubefold::Rank;

namespace {

std::uint32_t hops(const Placement& placement, const Journey& journey) {
  return distance_hops(placement.grid(), placement.node_of(journey.from), placement.node_of(journey.to));
}

std::vector<Journey> journeys_of(const std::string& pattern, const cubefold::Grid& grid) {
  std::vector<Journey> journeys;
  for (const Rank to : destinations(pattern, grid)) {
    journeys.push_back({static_cast<Rank>(journeys.size()), to});
  }
  return journeys;
}

/// Returns the first of the journeys with the longest route. Requires at least one journey, which every grid has.
Journey longest(const Placement& placement, const std::vector<Journey>& journeys) {
  return *std::max_element(journeys.begin(), journeys.end(), [&](const Journey& a, const Journey& b) {
    return hops(placement, a) < hops(placement, b);
  });
}

Round round_of(const std::string& pattern, const Placement& placement, cubefold::Tie tie,
               std::vector<Journey> journeys) {
  cubefold::LinkLoads messages(placement.grid(), tie);
  for (const Journey& journey : journeys)
    messages.add(placement.node_of(journey.from), placement.node_of(journey.to));
  const auto longest_hops = hops(placement, longest(placement, journeys));
  return {pattern,     to_string(placement.rule()), false, std::move(journeys), std::move(messages),
          longest_hops};
}

}  // namespace

Round full_round(const std::string& pattern, const Placement& placement, cubefold::Tie tie) {
  return round_of(pattern, placement, tie, journeys_of(pattern, placement.grid()));
}

Round lone_round(const std::string& pattern, const Placement& placement, cubefold::Tie tie) {
  const auto journeys = journeys_of(pattern, placement.grid());
  Round round = round_of(pattern, placement, tie, {longest(placement, journeys)});
  round.alone = true;
  return round;
}

using cubefold::mpi::agree_on_outcome;
using cubefold::mpi::check;
using cubefold::timing::BlockName;

namespace {

constexpr int tag = 0;

/// Holds the ranks with which one rank exchanges messages in a round. MPI_PROC_NULL means no rank.
struct Peers {
  int source = MPI_PROC_NULL;
  int destination = MPI_PROC_NULL;
};

Peers peers_of(Rank rank, const Round& round) {
  Peers peers;
  for (const Journey& journey : round.journeys) {
    if (journey.to == rank) peers.source = static_cast<int>(label(journey.from));
    if (journey.from == rank) peers.destination = static_cast<int>(label(journey.to));
  }
  return peers;
}

/// Runs the message that a process sends and the message that it receives in one round.
class RoundRun {
 public:
  RoundRun(const PlacedRound& placed, std::span<std::byte> sent, std::span<std::byte> received,
           std::uint32_t run)
      : round_(placed.round),
        comm_(placed.comm->virtual_comm()),
        rank_(label(placed.comm->rank())),
        peers_(peers_of(placed.comm->rank(), placed.round)),
        sent_(sent),
        received_(received),
        run_(run) {}

  double seconds() {
    const int bytes = cubefold::mpi::message_bytes(1, sent_.size());
    cubefold::timing::fill(sent_, {rank_, static_cast<std::uint32_t>(peers_.destination), run_});
    std::ranges::fill(received_, std::byte{0xee});
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    check(MPI_Irecv(received_.data(), bytes, MPI_BYTE, peers_.source, tag, comm_, &requests[0]), "MPI_Irecv");
    return cubefold::timing::time_of_slowest(comm_, [&] {
      check(MPI_Isend(sent_.data(), bytes, MPI_BYTE, peers_.destination, tag, comm_, &requests[1]),
            "MPI_Isend");
      check(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    });
  }

  void require_right() const {
    if (peers_.source == MPI_PROC_NULL) return;
    const BlockName name{static_cast<std::uint32_t>(peers_.source), rank_, run_};
    if (const auto wrong = cubefold::timing::first_wrong_byte(received_, name)) {
      throw std::runtime_error(fmt::format("{} under {}: wrong data: byte {} of message {} -> {}, run {}",
                                           round_.pattern, round_.placement, *wrong, peers_.source, rank_,
                                           run_));
    }
  }

 private:
  const Round& round_;
  MPI_Comm comm_;
  std::uint32_t rank_;
  Peers peers_;
  std::span<std::byte> sent_;
  std::span<std::byte> received_;
  std::uint32_t run_;
};

/// Holds the buffers for the largest message, which are allocated once.
struct Buffers {
  std::vector<std::byte> sent;
  std::vector<std::byte> received;
};

Buffers buffers_for(const std::vector<PermuteCase>& cases) {
  std::size_t largest = 0;
  for (const PermuteCase& one : cases) largest = std::max(largest, one.block_bytes);
  cubefold::mpi::message_bytes(1, largest);
  return {std::vector<std::byte>(largest), std::vector<std::byte>(largest)};
}

}  // namespace

cubefold::timing::Measured measure(const std::vector<PlacedRound>& rounds,
                                   const std::vector<PermuteCase>& cases,
                                   const cubefold::timing::RunOptions& options,
                                   cubefold::program::Progress& progress) {
  Buffers buffers = agree_on_outcome(MPI_COMM_WORLD, [&] { return buffers_for(cases); });
  const auto run_case = [&](std::size_t number, std::uint32_t run) {
    const auto& [round, block_bytes] = cases[number];
    const PlacedRound& placed = rounds[round];
    progress.show(fmt::format("block of {} bytes, {} under {}: run {} of {}", block_bytes,
                              placed.round.pattern, placed.round.placement, run + 1,
                              cases.size() * static_cast<std::size_t>(options.repetitions + 1)));
    RoundRun one(placed, {buffers.sent.data(), block_bytes}, {buffers.received.data(), block_bytes}, run);
    const double seconds = one.seconds();
    agree_on_outcome(placed.comm->virtual_comm(), [&] { one.require_right(); });
    return seconds;
  };
  return measure_shuffled(MPI_COMM_WORLD, cases.size(), options, run_case);
}
