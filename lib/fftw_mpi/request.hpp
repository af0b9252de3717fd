#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cubefold/transform/layout.hpp"
#include "cubefold/transform/plan_options.hpp"

namespace cubefold::fftw_mpi {

/// A transform that a program asks FFTW MPI for.
struct Request {
  std::vector<std::size_t> lengths;  ///< for real transforms those of the real array
  fft::Kind kind = fft::Kind::complex;
  fft::Transform transform = fft::Transform::forward;
  std::size_t howmany = 1;
  std::size_t input_block = 0;  ///< block sizes as FFTW gets them; 0 is its default
  std::size_t output_block = 0;
  unsigned flags = 0;  ///< FFTW's flags

  bool has(unsigned flag) const { return (flags & flag) != 0; }
};

/// Returns whether one side of the transform has FFTW's scrambled order.
bool is_scrambled(const Request& request);

/// Returns whether FFTW measures its plans, so that it may write to the arrays: FFTW_MEASURE and above.
bool is_measured(const Request& request);

/// The plan of cubefold that replaces a plan of FFTW MPI.
struct SamePlan {
  std::string refusal{};  ///< why there is none, or empty
  std::vector<std::size_t> lengths{};
  fft::PlanOptions options{};
};

/// Returns the plan of cubefold that computes the same on so many processes. A transform with a transposed array in the
/// time domain is one of an array whose dimensions 0 and 1 are exchanged. Requires a request that FFTW has accepted.
/// Does not communicate.
SamePlan same_plan(const Request& request, std::size_t process_count);

enum class Side : std::uint8_t { input, output };

/// Returns the layout that FFTW's manual gives an array of two dimensions or more: blocks of the first dimension in
/// memory, and 2 (n/2 + 1) places for each row of n real numbers. Points have the indices of the same plan.
fft::Layout fftw_layout(const Request& request, Side side, std::size_t process_count);

}  // namespace cubefold::fftw_mpi
