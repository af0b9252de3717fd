#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "collective/reduction.hpp"
#include "cubefold/export.h"
#include "job_facts.hpp"
#include "vector_plan.hpp"

namespace cubefold {

/// How the processes of a job perform a collective on a vector. An empty method leaves the call to MPI.
struct VectorDecision {
  std::optional<VectorMethod> method;
  std::string reason = {};

  bool is_mpi() const { return !method; }
};

/// Decides how vectors are reduced and gathered. The decision is a function of the job's facts, the collective, the
/// bytes of the vector and the exactness of the operation alone, and never of measured times of calls: equal runs of a
/// program then get equal bits. It follows these rules, and the first that holds decides:
///
/// - CUBEFOLD_ALLREDUCE is `mpi`: MPI's own function.
/// - Ranks share the nodes of the network: MPI's own function.
/// - CUBEFOLD_ALLREDUCE names a method that fits the collective and the grid: that method, but `whole-swing` for exact
///   operations only, since ranks would get different bits.
/// - All processes are on one host, or nothing is known of the network: MPI's own function.
/// - The method that plan_vector() predicts to be the fastest, with the times of the machine file or else of a typical
///   network, if it is predicted to take at most 1 / least_gain of the time of MPI's algorithms: the fastest of
///   recursive doubling, of recursive halving and of a ring, all in the order of ranks.
class CUBEFOLD_API VectorChooser {
 public:
  static constexpr double least_gain = 1.1;

  /// Does not plan yet.
  explicit VectorChooser(JobFacts facts);

  /// Returns the decision for calls of a collective with a vector of so many bytes: all that is gathered, or each
  /// process's contribution. The first decision for a collective costs a plan of it, and others O(methods).
  VectorDecision decide(VectorCollective collective, std::size_t vector_bytes, bool is_exact);

  /// Returns the least power of two of bytes for which the decision is not MPI's own function, or nothing if it always
  /// is. Shorter vectors are left to MPI. Costs as decide().
  std::optional<std::size_t> least_bytes(VectorCollective collective);

  /// Returns whether MPI's own function is the decision for all calls. Does not plan.
  bool leaves_all_to_mpi() const { return rule_.has_value(); }

  /// Returns the reason why CUBEFOLD_ALLREDUCE is ignored for a collective, or an empty text.
  std::string refusal(VectorCollective collective) const;

 private:
  /// The predicted times of our methods and of MPI's algorithms.
  struct Times {
    std::vector<VectorCandidate> ours;
    std::vector<LinearTime> of_mpi;
  };

  const Times& times_of(VectorCollective collective);
  bool is_requested(VectorCollective collective) const;

  JobFacts facts_;
  std::optional<std::string> rule_;  ///< the reason if all calls are left to MPI
  bool is_planned_ = false;          ///< whether plans decide where no method is requested
  std::array<std::optional<Times>, 3> times_;
};

}  // namespace cubefold
