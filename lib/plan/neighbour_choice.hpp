#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alltoall_candidate.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"
#include "job_facts.hpp"
#include "schedule/neighbour_grid.hpp"

namespace cubefold {

/// Returns the reason why the calls of neighbours are left to MPI whatever their edges are, or an empty text:
/// CUBEFOLD_NEIGHBORS says so, or it names no method and all processes are on one host, nothing is known of the
/// network, or ranks share nodes.
CUBEFOLD_API std::string reason_for_neighbours_of_mpi(const JobFacts& facts);

/// Returns the model of a job: that of its machine file, or else typical_network() with its ports.
CUBEFOLD_API ExchangeModel neighbour_model(const JobFacts& facts);

/// Decides how neighbours exchange their blocks. The decision is a function of the job's facts, the edges and the bytes
/// of the blocks of each edge, which are equal on all processes. The first of these rules that holds decides:
///
/// - reason_for_neighbours_of_mpi(): MPI's own function.
/// - CUBEFOLD_NEIGHBORS names a method: that method; MPI's own function for combined, unless a stencil is recognised.
/// - No stencil is recognised: MPI's own function, which sends each block as a message too.
/// - Combined messages are predicted to be faster than direct ones if each message takes most_gap times the gap, which
///   is that of a stream between idle processes: the measured times of calls choose between MPI's own function and
///   combined messages. If CUBEFOLD_TRIALS is 0, combined messages if they are predicted to take at most 1 / least_gain
///   of the time of direct ones, with the gap.
/// - MPI's own function.
class CUBEFOLD_API NeighbourChooser {
 public:
  static constexpr double least_gain = 1.1;
  static constexpr double most_gap = 10;
  static constexpr std::size_t least_rounds =
      4;  ///< of measured calls, unless CUBEFOLD_TRIALS says more or fewer

  /// `edges` are those of the recognised stencil, if there is one. Rank r of its grid is rank ranks[r] of the facts.
  NeighbourChooser(const JobFacts& facts, std::optional<NeighbourGrid> edges, const std::vector<Rank>& ranks);

  const std::optional<NeighbourGrid>& edges() const { return edges_; }

  /// Returns whether MPI's own function is the decision for all calls.
  bool leaves_all_to_mpi() const;

  /// Returns the decision for blocking calls if the block of edge e has edge_bytes[e] at most on every process. Costs
  /// O(ranks edges axes^2 + links).
  Decision decide(const std::vector<std::uint64_t>& edge_bytes) const;

  /// Returns the method for requests, which never use MPI's own function.
  NeighbourMethod method_of_requests(const std::vector<std::uint64_t>& edge_bytes) const;

 private:
  double seconds(NeighbourMethod method, const std::vector<std::uint64_t>& edge_bytes, double gaps = 1) const;
  bool gains_by_combining(const std::vector<std::uint64_t>& edge_bytes) const;

  JobFacts facts_;
  std::string reason_of_mpi_;
  std::optional<NeighbourGrid> edges_;
  std::optional<Placement> placement_;  ///< of the ranks of the stencil's grid
  ExchangeModel model_;
};

}  // namespace cubefold
