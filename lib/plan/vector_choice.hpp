#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

/// Says whether ranks that reduce in other orders get the same bits.
enum class Exactness : std::uint8_t {
  exact,    ///< in any order, such as by a minimum or a sum of integers
  rounded,  ///< if they reduce the same pairs, such as by a sum of floating-point numbers
  unknown,  ///< only if one rank reduces for all, since nothing is known of an operation of the program
};

/// Returns whether all ranks get the same bits by an algorithm.
CUBEFOLD_API bool gives_equal_bits(VectorAlgorithm algorithm, Exactness exactness);

/// Decides how vectors are reduced and gathered. The decision is a function of the job's facts, the collective, the
/// bytes of the vector and the exactness of the operation alone, and never of measured times of calls: equal runs of a
/// program then get equal bits. It follows these rules, and the first that holds decides:
///
/// - CUBEFOLD_ALLREDUCE is `mpi`: MPI's own function.
/// - CUBEFOLD_ALLREDUCE names a method that fits the collective and the grid, and gives_equal_bits(): that method.
/// - All processes are on one host, or nothing is known of the network: MPI's own function.
/// - The method that plan_vector() predicts to be the fastest of those that give equal bits, with the times of the
///   machine file or else of a typical network, if it is predicted to take at most 1 / least_gain of the time of MPI's
///   algorithms, as vector_times_of_mpi() counts them.
class CUBEFOLD_API VectorChooser {
 public:
  static constexpr double least_gain = 1.1;

  /// Does not plan yet.
  explicit VectorChooser(JobFacts facts);

  /// Plans a collective, whose decisions then cost O(methods) and take no memory.
  void prepare(VectorCollective collective);
  bool is_prepared(VectorCollective collective) const;

  /// Returns the method for calls of a collective with a vector of so many bytes: all that is gathered, or each
  /// process's contribution. An empty method leaves the call to MPI. Requires is_prepared().
  std::optional<VectorMethod> method_for(VectorCollective collective, std::size_t vector_bytes,
                                         Exactness exactness) const;

  /// Does the same, with the reason, and prepares the collective.
  VectorDecision decide(VectorCollective collective, std::size_t vector_bytes, Exactness exactness);

  /// Returns the least power of two of bytes for which the decision for an exact operation is not MPI's own function,
  /// or nothing if it always is. Shorter vectors are left to MPI. Requires is_prepared().
  std::optional<std::size_t> least_bytes(VectorCollective collective) const;

  /// Returns whether MPI's own function is the decision for all calls. Does not plan.
  bool leaves_all_to_mpi() const { return rule_.has_value(); }

  /// Returns the reason why CUBEFOLD_ALLREDUCE is ignored for a collective, or an empty text.
  std::string refusal(VectorCollective collective) const;

 private:
  /// The requested method if it fits a collective, and the predicted times of our methods and of MPI's algorithms.
  /// There are no times if MPI's own function is the choice.
  struct Prepared {
    std::optional<VectorMethod> requested;
    std::vector<VectorCandidate> ours;
    std::vector<LinearTime> of_mpi;
  };

  const Prepared& prepared(VectorCollective collective) const {
    return *prepared_.at(static_cast<std::size_t>(collective));
  }

  JobFacts facts_;
  std::optional<std::string> rule_;  ///< the reason if all calls are left to MPI
  std::string unplanned_;  ///< the reason if calls are left to MPI unless a method is requested, or empty
  std::array<std::optional<Prepared>, 3> prepared_;
};

}  // namespace cubefold
