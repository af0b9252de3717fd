#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/simulation/machine.hpp"
#include "plan/alltoall_choice.hpp"
#include "simulation/packets.hpp"

namespace cubefold {

/// A lossless network. Messages take alpha 1.2 us and gap 0.3 us at 100 Gbit/s, and 1.0 and 0.2 us at higher rates.
/// Copies run at 20 GB/s.
struct LosslessLinks {
  std::string grid;
  Ports ports;
  double gbit;

  bool operator==(const LosslessLinks&) const = default;
};

inline constexpr std::array all_routers{Arbitration::voq, Arbitration::transit, Arbitration::rr};

/// Simulates the exchanges of one network with one kind of routers, each of them once.
class LosslessNetwork {
 public:
  LosslessNetwork(const LosslessLinks& of, Arbitration router)
      : grid_(parse_grid(of.grid)), placement_(grid_, {}), machine_{grid_} {
    machine_.alpha_seconds = of.gbit <= 100 ? 1.2e-6 : 1.0e-6;
    machine_.gap_seconds = of.gbit <= 100 ? 0.3e-6 : 0.2e-6;
    machine_.tau_seconds_per_byte = {8 / (of.gbit * 1e9)};
    machine_.ports = of.ports;
    machine_.queues = Queues::lossless;
    network_.tau_seconds_per_byte = machine_.tau_seconds_per_byte;
    network_.hop_seconds = machine_.alpha_seconds / 12;
    network_.arbitration = router;
    network_.ports = of.ports;
    nodes_.post_seconds = nodes_.complete_seconds = machine_.gap_seconds;
    nodes_.adapter_seconds = machine_.alpha_seconds - 2 * machine_.gap_seconds - 2 * network_.hop_seconds;
  }

  /// Returns the machine file of the network, as cubefold-calibrate writes it, or without times of MPI. The all-to-all
  /// of the MPI library is the fastest algorithm for every size.
  Machine machine(bool has_plain_exchanges) {
    Machine machine = machine_;
    for (const std::size_t bytes :
         {std::size_t{16}, std::size_t{256}, std::size_t{2048}, std::size_t{16384}}) {
      if (has_plain_exchanges)
        machine.plain_exchanges.push_back(
            {bytes, mpi_seconds(bytes), seconds_of(MpiAlltoall::linear, bytes)});
    }
    return machine;
  }

  const Placement& placement() const { return placement_; }

  double seconds_of(MpiAlltoall algorithm, std::size_t block_bytes) {
    const std::string name = "mpi " + std::to_string(static_cast<int>(algorithm));
    return simulated(name, block_bytes, [&] {
      return mpi_program(node_of_rank(placement_), algorithm, block_bytes, machine_.copy_seconds_per_byte);
    });
  }

  /// Returns the time of the fastest of MPI's algorithms. Bruck's is left out where blocks are long.
  double mpi_seconds(std::size_t block_bytes) {
    double least = seconds_of(MpiAlltoall::linear, block_bytes);
    for (const auto algorithm : {MpiAlltoall::scattered, MpiAlltoall::pairwise, MpiAlltoall::bruck}) {
      if (algorithm == MpiAlltoall::bruck && block_bytes > 16384) continue;
      least = std::min(least, seconds_of(algorithm, block_bytes));
    }
    return least;
  }

  double seconds_of(const ExchangeMethod& method, std::size_t block_bytes) {
    if (method.algorithm == ExchangeAlgorithm::linear) return seconds_of(MpiAlltoall::linear, block_bytes);
    return simulated(to_string(method), block_bytes, [&] {
      const NetworkRules rules{network_.ports, network_.tie};
      return program_by_data(
          placement_, exchange_schedule(method, placement_, rules), block_bytes,
          {.in_single_blocks = block_bytes >= least_single_block_bytes(machine_.gap_seconds),
           .copy_seconds_per_byte = machine_.copy_seconds_per_byte});
    });
  }

  /// Returns the time of what runs: MPI's own all-to-all is its fastest algorithm.
  double seconds_of(const AlltoallCandidate& candidate, std::size_t block_bytes) {
    return candidate.method ? seconds_of(*candidate.method, block_bytes) : mpi_seconds(block_bytes);
  }

 private:
  /// The packets of long blocks are longer, so that a block of an exchange of 512 nodes has at most 16 of them, and
  /// another one 32.
  std::uint32_t packet_bytes(std::size_t block_bytes) const {
    const std::size_t most_packets = grid_.node_count() > 256 ? 16 : 32;
    return static_cast<std::uint32_t>(std::max<std::size_t>(2048, block_bytes / most_packets));
  }

  template <typename MakeProgram>
  double simulated(const std::string& name, std::size_t block_bytes, MakeProgram make_program) {
    const auto [entry, is_new] = seconds_.try_emplace({name, block_bytes}, 0);
    if (!is_new) return entry->second;
    network_.packet_bytes = packet_bytes(block_bytes);
    return entry->second = simulate_packets(grid_, network_, nodes_, make_program()).total_seconds;
  }

  Grid grid_;
  Placement placement_;
  Machine machine_;
  PacketNetwork network_;
  PacketNodes nodes_;
  std::map<std::pair<std::string, std::size_t>, double> seconds_;
};

}  // namespace cubefold
