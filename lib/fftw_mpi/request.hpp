#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/transform/plan_options.hpp"

namespace cubefold::fftw_mpi {

/// A transform that a program asks FFTW MPI for.
struct Request {
  std::vector<std::size_t> lengths;  ///< of the real array, for real transforms
  fft::Kind kind = fft::Kind::complex;
  fft::Transform transform = fft::Transform::forward;
  std::size_t howmany = 1;
  std::size_t input_block = 0;  ///< FFTW's block sizes; 0 is the default
  std::size_t output_block = 0;
  unsigned flags = 0;  ///< FFTW's flags

  bool has(unsigned flag) const { return (flags & flag) != 0; }
};

/// The spectra of this transform have FFTW's scrambled order on one side. A forward transform with
/// FFTW_MPI_SCRAMBLED_OUT and an inverse one with FFTW_MPI_SCRAMBLED_IN have the same order.
bool is_scrambled(const Request& request);

/// The plan of cubefold that computes the same as a plan of FFTW MPI.
struct SamePlan {
  std::string refusal;  ///< why there is none, or empty
  std::vector<std::size_t> lengths;
  fft::PlanOptions options;
};

/// Returns the plan of cubefold on so many processes. Lengths of dimensions 0 and 1 are exchanged where that makes a
/// transform with transposed input of one with transposed output. Does not communicate. FFTW has accepted the request.
SamePlan same_plan(const Request& request, std::size_t process_count);

/// Returns whether FFTW measures its plans for this request, so that it may write to the arrays.
bool is_measured(const Request& request);

/// The rows of one process in memory, the first dimension of which is distributed in blocks. The last dimension is
/// fastest, and `howmany` numbers are interleaved. Real rows have padding: 2 (n/2 + 1) numbers for n.
struct RowsInMemory {
  std::size_t distributed;  ///< length of the first dimension in memory
  std::size_t row_numbers;  ///< real numbers in memory for each value of the first dimension
};

/// Return how FFTW's manual lays the arrays of two and more dimensions out.
RowsInMemory input_rows(const Request& request);
RowsInMemory output_rows(const Request& request);

}  // namespace cubefold::fftw_mpi
