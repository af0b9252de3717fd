#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <unordered_map>

#include "cubefold/fft/plan.hpp"
#include "next_fftw.hpp"
#include "request.hpp"

namespace cubefold::fftw_mpi {

/// The arrays of one transform, which are the same or do not overlap.
struct Arrays {
  void* input;
  void* output;
};

/// A plan that the program has from FFTW MPI, with the plan that may run in its place.
template <typename Real>
struct KnownPlan {
  Arrays arrays;                          ///< those of fftw_execute
  std::optional<fft::Plan<Real>> ours{};  ///< computes the transform in place of FFTW's plan
  fft::Kind kind = fft::Kind::complex;
  fft::Transform transform = fft::Transform::forward;
  double seconds_saved = 0;  ///< by each transform, as measured

  /// Requires `ours`. All processes must call this. Throws mpi::Error.
  void run(const Arrays& with);
};

/// The plans that the program has from FFTW MPI, by the handles that FFTW has made. All functions of FFTW may get such
/// a handle, since it is FFTW's own plan. Threads may call the members at the same time.
template <typename Real>
class KnownPlans {
 public:
  using Plan = typename Fftw<Real>::Plan;

  /// Adds or replaces what is known of a plan. Throws std::bad_alloc.
  KnownPlan<Real>& add(Plan plan, std::unique_ptr<KnownPlan<Real>> known);

  /// Returns what is known of a plan, or null. It stays until the program destroys the plan.
  KnownPlan<Real>* find(Plan plan) const;

  /// Forgets a plan and destroys what is known of it, except after MPI_Finalize.
  void remove(Plan plan) noexcept;

 private:
  std::atomic<std::size_t> count_ = 0;  ///< lets programs without such plans pass on at once
  mutable std::shared_mutex mutex_;
  std::unordered_map<Plan, std::unique_ptr<KnownPlan<Real>>> plans_;
};

/// Returns the plans of this precision. They are not destroyed: MPI_Finalize may have been called before.
template <typename Real>
KnownPlans<Real>& known_plans();

/// Looks for a plan of cubefold for the request that FFTW's plan serves, and returns the plan that the program gets:
/// FFTW's own, or null after a message if the program would not get the order that its other plans have. All processes
/// of the communicator must call this.
template <typename Real>
typename Fftw<Real>::Plan adopted(typename Fftw<Real>::Plan plan, const Request& request,
                                  const Arrays& arrays, MPI_Comm comm);

/// Runs a plan with the arrays, or with its own if there are none, where cubefold replaces it. Returns whether it does.
template <typename Real>
bool replaced_run(typename Fftw<Real>::Plan plan, const Arrays* arrays);

}  // namespace cubefold::fftw_mpi
