#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alltoall_candidate.hpp"
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

/// Says which orders of reductions give all ranks the right result of an operation, and the same bits.
enum class Exactness : std::uint8_t {
  exact,    ///< any order, as for a minimum or a sum of integers
  rounded,  ///< if ranks reduce the same pairs, as for a sum of floating-point numbers
  unknown,  ///< if they also have the same left operands, since nothing else is known of an operation of the program
  ordered,  ///< if operands are in the order of the ranks, since the operation does not commute
};

/// Returns whether all ranks get the right result, and the same bits, by an algorithm.
CUBEFOLD_API bool is_right_for(VectorAlgorithm algorithm, Exactness exactness);

/// Decides how vectors are reduced and gathered. The decision is a function of the job's facts, the collective, the
/// bytes of the vector and the exactness of the operation: equal runs of a program then get equal bits. Times of calls
/// choose only where measured_candidates() are. The decision follows these rules, and the first that holds decides:
///
/// - CUBEFOLD_ALLREDUCE is `mpi`: MPI's own function.
/// - CUBEFOLD_ALLREDUCE names a method that fits the collective and the grid, and is_right_for() the operation: that
///   method.
/// - All processes are on one host, or nothing is known of the network: MPI's own function.
/// - The method that plan_vector() predicts to be the fastest of those that are right for the operation, with the times
///   of the machine file or else of a typical network, if it is predicted to take at most 1 / least_gain of the time of
///   MPI's own function. That is the time that plain_allreduce_seconds() has for an operation that commutes, if ranks
///   do not share nodes, or else the least of MPI's algorithms, as vector_times_of_mpi() counts them. Only methods of
///   keeps_order() serve operations that do not commute, and they serve no others.
class CUBEFOLD_API VectorChooser {
 public:
  static constexpr double least_gain = 1.1;
  static constexpr double most_longer = 2;
  static constexpr std::size_t least_rounds =
      3;  ///< of measured calls, unless CUBEFOLD_TRIALS says more or fewer

  /// Does not plan yet.
  explicit VectorChooser(JobFacts facts);

  /// Plans a collective, whose decisions then cost O(methods) and take no memory.
  void prepare(VectorCollective collective);
  bool is_prepared(VectorCollective collective) const;

  /// Returns the method for calls of a collective with a vector of so many bytes: all that is gathered, or each
  /// process's contribution. An empty method leaves the call to MPI. Requires is_prepared().
  std::optional<VectorMethod> method_for(VectorCollective collective, std::size_t vector_bytes,
                                         Exactness exactness) const;

  /// Returns whether the times of blocking calls choose, in place of method_for(). They do
  ///
  /// - if CUBEFOLD_ALLREDUCE is `tune`, and
  /// - if the operation is exact, since its result does not depend on the method, and method_for() is not MPI's own,
  ///
  /// unless CUBEFOLD_TRIALS is 0, CUBEFOLD_ALLREDUCE names a method, or there is no method to compare with MPI's own.
  /// Requires is_prepared().
  bool is_measured(VectorCollective collective, std::size_t vector_bytes, Exactness exactness) const;

  /// Returns the candidates among which times choose if is_measured(), MPI's own function first, and otherwise none.
  /// Those are the methods that give all ranks the same bits and are predicted to take at most most_longer times as
  /// long as the fastest of them. Requires is_prepared().
  Decision measured_candidates(VectorCollective collective, std::size_t vector_bytes,
                               Exactness exactness) const;

  /// Does the same as method_for(), with the reason, and what is ignored.
  VectorDecision decide(VectorCollective collective, std::size_t vector_bytes, Exactness exactness) const;

  /// Returns the least power of two of bytes for which the decision for an exact operation is not MPI's own function,
  /// or nothing if it always is. Shorter vectors are left to MPI. Requires is_prepared().
  std::optional<std::size_t> least_bytes(VectorCollective collective) const;

  /// Returns whether MPI's own function is the decision for all calls. Does not plan.
  bool leaves_all_to_mpi() const { return rule_.has_value(); }

  /// Returns the reason why CUBEFOLD_ALLREDUCE is ignored for a collective, or an empty text.
  std::string refusal(VectorCollective collective) const;

 private:
  /// The predicted times of our methods and of MPI's algorithms. There are none if MPI's own function is the choice.
  struct Compared {
    std::vector<VectorCandidate> ours;
    std::vector<LinearTime> of_mpi;
  };

  /// The requested method if it fits a collective, and the times for operations that commute and for others.
  struct Prepared {
    std::optional<VectorMethod> requested;
    Compared in_any_order;
    Compared in_order;

    const Compared& compared(Exactness exactness) const {
      return exactness == Exactness::ordered ? in_order : in_any_order;
    }
  };

  const Prepared& prepared(VectorCollective collective) const {
    return *prepared_.at(static_cast<std::size_t>(collective));
  }
  /// Returns the time of MPI's own function that the machine file has.
  std::optional<double> measured_seconds_of_mpi(VectorCollective collective, std::size_t vector_bytes,
                                                Exactness exactness) const;
  double seconds_of_mpi(VectorCollective collective, std::size_t vector_bytes, Exactness exactness) const;
  std::string reason_for(const std::optional<VectorMethod>& method, VectorCollective collective,
                         std::size_t vector_bytes, Exactness exactness) const;

  JobFacts facts_;
  std::optional<std::string> rule_;  ///< the reason if all calls are left to MPI
  std::string unplanned_;  ///< the reason if calls are left to MPI unless a method is requested, or empty
  std::array<std::optional<Prepared>, 3> prepared_;
};

}  // namespace cubefold
