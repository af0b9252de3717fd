// Defines the functions of FFTW and FFTW MPI that this library replaces, in one precision. A file includes this with
// two macros: CUBEFOLD_REAL is the type of numbers, and CUBEFOLD_NAME(name) the name with the prefix of the precision.

#include <array>
#include <cstddef>

#include "cubefold/export.h"
#include "next_fftw.hpp"
#include "plans.hpp"
#include "request.hpp"

namespace {

using cubefold::fft::Kind;
using cubefold::fft::Transform;
using cubefold::fftw_mpi::adopted;
using cubefold::fftw_mpi::Arrays;
using cubefold::fftw_mpi::known_plans;
using cubefold::fftw_mpi::replaced_run;
using cubefold::fftw_mpi::Request;

using Real = CUBEFOLD_REAL;
using Next = cubefold::fftw_mpi::Fftw<Real>;
using Complex = Next::Complex;
using Plan = Next::Plan;
using Size = std::ptrdiff_t;

/// The arguments by which functions for many transforms tell their lengths, numbers and blocks.
struct Sizes {
  int rank;
  const Size* n;
  Size howmany = 1;
  Size input_block = FFTW_MPI_DEFAULT_BLOCK;
  Size output_block = FFTW_MPI_DEFAULT_BLOCK;

  Request request(Kind kind, Transform transform, unsigned flags) const {
    return {.lengths = {n, n + rank},
            .kind = kind,
            .transform = transform,
            .howmany = static_cast<std::size_t>(howmany),
            .input_block = static_cast<std::size_t>(input_block),
            .output_block = static_cast<std::size_t>(output_block),
            .flags = flags};
  }
};

inline Plan plan(const Sizes& sizes, Complex* in, Complex* out, MPI_Comm comm, int sign, unsigned flags) {
  Plan made = Next::mpi_plan_many_dft()(sizes.rank, sizes.n, sizes.howmany, sizes.input_block,
                                        sizes.output_block, in, out, comm, sign, flags);
  if (made == nullptr) return nullptr;
  const Transform transform = sign == FFTW_FORWARD ? Transform::forward : Transform::inverse;
  return adopted<Real>(made, sizes.request(Kind::complex, transform, flags), {in, out}, comm);
}

inline Plan plan(const Sizes& sizes, Real* in, Complex* out, MPI_Comm comm, unsigned flags) {
  Plan made = Next::mpi_plan_many_dft_r2c()(sizes.rank, sizes.n, sizes.howmany, sizes.input_block,
                                            sizes.output_block, in, out, comm, flags);
  if (made == nullptr) return nullptr;
  return adopted<Real>(made, sizes.request(Kind::real, Transform::forward, flags), {in, out}, comm);
}

inline Plan plan(const Sizes& sizes, Complex* in, Real* out, MPI_Comm comm, unsigned flags) {
  Plan made = Next::mpi_plan_many_dft_c2r()(sizes.rank, sizes.n, sizes.howmany, sizes.input_block,
                                            sizes.output_block, in, out, comm, flags);
  if (made == nullptr) return nullptr;
  return adopted<Real>(made, sizes.request(Kind::real, Transform::inverse, flags), {in, out}, comm);
}

/// Calls the next function of a new-array form unless cubefold replaces the plan.
template <typename Function, typename In, typename Out>
void execute_new(Function next, Plan plan, In* in, Out* out) {
  const Arrays arrays{in, out};
  if (!replaced_run<Real>(plan, &arrays)) next(plan, in, out);
}

}  // namespace

// Fortran 2003 calls a function by its name with _f03, and gives the communicator as a number.
#define CUBEFOLD_PLANS(name, sizes_and_arrays, rest, ...)                                                 \
  extern "C" CUBEFOLD_API Plan CUBEFOLD_NAME(mpi_##name)(sizes_and_arrays, MPI_Comm comm, rest) {         \
    return plan(__VA_ARGS__);                                                                             \
  }                                                                                                       \
  extern "C" CUBEFOLD_API Plan CUBEFOLD_NAME(mpi_##name##_f03)(sizes_and_arrays, MPI_Fint number, rest) { \
    MPI_Comm comm = MPI_Comm_f2c(number);                                                                 \
    return plan(__VA_ARGS__);                                                                             \
  }
#define CUBEFOLD_LIST(...) __VA_ARGS__

// The forms of one kind of transform: any number of dimensions, and two and three.
#define CUBEFOLD_PLANS_OF(name, arrays, rest, ...)                                                        \
  CUBEFOLD_PLANS(plan_many_##name,                                                                        \
                 CUBEFOLD_LIST(int rank, const Size* n, Size howmany, Size block, Size tblock, arrays),   \
                 CUBEFOLD_LIST(rest), {rank, n, howmany, block, tblock}, in, out, comm, __VA_ARGS__)      \
  CUBEFOLD_PLANS(plan_##name, CUBEFOLD_LIST(int rank, const Size* n, arrays), CUBEFOLD_LIST(rest),        \
                 {rank, n}, in, out, comm, __VA_ARGS__)                                                   \
  CUBEFOLD_PLANS(plan_##name##_2d, CUBEFOLD_LIST(Size n0, Size n1, arrays), CUBEFOLD_LIST(rest),          \
                 {2, std::array{n0, n1}.data()}, in, out, comm, __VA_ARGS__)                              \
  CUBEFOLD_PLANS(plan_##name##_3d, CUBEFOLD_LIST(Size n0, Size n1, Size n2, arrays), CUBEFOLD_LIST(rest), \
                 {3, std::array{n0, n1, n2}.data()}, in, out, comm, __VA_ARGS__)

CUBEFOLD_PLANS_OF(dft, CUBEFOLD_LIST(Complex* in, Complex* out), CUBEFOLD_LIST(int sign, unsigned flags),
                  sign, flags)
CUBEFOLD_PLANS(plan_dft_1d, CUBEFOLD_LIST(Size n0, Complex* in, Complex* out),
               CUBEFOLD_LIST(int sign, unsigned flags), {1, &n0}, in, out, comm, sign, flags)
CUBEFOLD_PLANS_OF(dft_r2c, CUBEFOLD_LIST(Real* in, Complex* out), CUBEFOLD_LIST(unsigned flags), flags)
CUBEFOLD_PLANS_OF(dft_c2r, CUBEFOLD_LIST(Complex* in, Real* out), CUBEFOLD_LIST(unsigned flags), flags)

#undef CUBEFOLD_PLANS_OF
#undef CUBEFOLD_LIST
#undef CUBEFOLD_PLANS

extern "C" CUBEFOLD_API void CUBEFOLD_NAME(execute)(const Plan plan) {
  if (!replaced_run<Real>(plan, nullptr)) Next::execute()(plan);
}

extern "C" CUBEFOLD_API void CUBEFOLD_NAME(mpi_execute_dft)(Plan plan, Complex* in, Complex* out) {
  execute_new(Next::mpi_execute_dft(), plan, in, out);
}

extern "C" CUBEFOLD_API void CUBEFOLD_NAME(mpi_execute_dft_r2c)(Plan plan, Real* in, Complex* out) {
  execute_new(Next::mpi_execute_dft_r2c(), plan, in, out);
}

extern "C" CUBEFOLD_API void CUBEFOLD_NAME(mpi_execute_dft_c2r)(Plan plan, Complex* in, Real* out) {
  execute_new(Next::mpi_execute_dft_c2r(), plan, in, out);
}

extern "C" CUBEFOLD_API void CUBEFOLD_NAME(destroy_plan)(Plan plan) {
  known_plans<Real>().remove(plan);
  Next::destroy_plan()(plan);
}
