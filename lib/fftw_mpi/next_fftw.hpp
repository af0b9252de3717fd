#pragma once

#include <dlfcn.h>
#include <fftw3-mpi.h>

#include "preload/next_function.hpp"

namespace cubefold::fftw_mpi {

/// Returns the function of FFTW that comes next in the search order of the dynamic linker, as next_function(). A
/// library that the program has loaded with dlopen() is not in this order, so that of FFTW MPI is also looked up by its
/// name.
template <typename Result, typename... Arguments>
auto next_fftw(Result (*like)(Arguments...), const char* name, const char* library) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) {
    void* const loaded = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (loaded != nullptr) found = dlsym(loaded, name);
  }
  return preload::found_function(like, name, found);
}

/// Returns a function of a library that the program may have, or null.
template <typename Function>
Function optional_function(const char* name) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): POSIX returns functions as void*
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

/// The types and the next functions of FFTW for numbers of type Real. A function is looked up at its first call.
template <typename Real>
struct Fftw;

#define CUBEFOLD_NEXT(X, library, function)                                        \
  static auto function() {                                                         \
    constexpr decltype(&X(function)) like = nullptr;                               \
    static const auto next = next_fftw(like, CUBEFOLD_TEXT(X(function)), library); \
    return next;                                                                   \
  }
#define CUBEFOLD_OPTIONAL(X, Function, function)                                       \
  static auto function() {                                                             \
    static const auto found = optional_function<Function>(CUBEFOLD_TEXT(X(function))); \
    return found;                                                                      \
  }
#define CUBEFOLD_TEXT(name) CUBEFOLD_TEXT_OF(name)
#define CUBEFOLD_TEXT_OF(name) #name

#define CUBEFOLD_FFTW(Real, X, library)                     \
  template <>                                               \
  struct Fftw<Real> {                                       \
    using Plan = X(plan);                                   \
    using Complex = X(complex);                             \
    CUBEFOLD_NEXT(X, library, mpi_plan_many_dft)            \
    CUBEFOLD_NEXT(X, library, mpi_plan_many_dft_r2c)        \
    CUBEFOLD_NEXT(X, library, mpi_plan_many_dft_c2r)        \
    CUBEFOLD_NEXT(X, library, mpi_local_size_many_1d)       \
    CUBEFOLD_NEXT(X, library, mpi_execute_dft)              \
    CUBEFOLD_NEXT(X, library, mpi_execute_dft_r2c)          \
    CUBEFOLD_NEXT(X, library, mpi_execute_dft_c2r)          \
    CUBEFOLD_NEXT(X, library, execute)                      \
    CUBEFOLD_NEXT(X, library, destroy_plan)                 \
    CUBEFOLD_OPTIONAL(X, int (*)(), planner_nthreads)       \
    CUBEFOLD_OPTIONAL(X, void (*)(int), plan_with_nthreads) \
  };

CUBEFOLD_FFTW(double, FFTW_MANGLE_DOUBLE, "libfftw3_mpi.so.3")
CUBEFOLD_FFTW(float, FFTW_MANGLE_FLOAT, "libfftw3f_mpi.so.3")

#undef CUBEFOLD_FFTW
#undef CUBEFOLD_TEXT_OF
#undef CUBEFOLD_TEXT
#undef CUBEFOLD_OPTIONAL
#undef CUBEFOLD_NEXT

/// While this object lives, FFTW makes plans for one thread, because threads of cubefold run them.
template <typename Real>
class PlansOfOneThread {
 public:
  PlansOfOneThread() : threads_(count()) { set(1); }
  PlansOfOneThread(const PlansOfOneThread&) = delete;
  PlansOfOneThread& operator=(const PlansOfOneThread&) = delete;
  ~PlansOfOneThread() { set(threads_); }

  /// Returns the number of threads for which FFTW makes plans, as the program asks by fftw_plan_with_nthreads. Without
  /// FFTW's threads, and before FFTW 3.3.9, it is 1.
  static int count() {
    const bool is_known =
        Fftw<Real>::planner_nthreads() != nullptr && Fftw<Real>::plan_with_nthreads() != nullptr;
    return is_known ? Fftw<Real>::planner_nthreads()() : 1;
  }

 private:
  void set(int threads) const {
    if (threads_ > 1) Fftw<Real>::plan_with_nthreads()(threads);
  }

  int threads_;
};

}  // namespace cubefold::fftw_mpi
