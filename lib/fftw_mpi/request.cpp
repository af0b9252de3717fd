#include "request.hpp"

#include <fftw3-mpi.h>

#include <numeric>
#include <utility>

namespace cubefold::fftw_mpi {

namespace {

using fft::Distribution;
using fft::Kind;
using fft::Rigor;
using fft::Transform;

constexpr unsigned scrambled = FFTW_MPI_SCRAMBLED_IN | FFTW_MPI_SCRAMBLED_OUT;
constexpr unsigned transposed = FFTW_MPI_TRANSPOSED_IN | FFTW_MPI_TRANSPOSED_OUT;

bool is_transposed(const Request& request, Side side) {
  return request.has(side == Side::input ? FFTW_MPI_TRANSPOSED_IN : FFTW_MPI_TRANSPOSED_OUT);
}

/// Returns the side of the time domain. For complex transforms, this is only a name.
Side time_side(const Request& request) {
  return request.transform == Transform::forward ? Side::input : Side::output;
}

bool are_exchanged(const Request& request) {
  return request.lengths.size() > 1 && is_transposed(request, time_side(request));
}

bool has_default_blocks(const Request& request, std::size_t process_count) {
  const auto is_default = [&](std::size_t block, Side side) {
    const fft::Layout layout = fftw_layout(request, side, process_count);
    return block == 0 || block == layout.largest_dimension_count(0);
  };
  if (request.lengths.size() == 1) return request.input_block == 0 && request.output_block == 0;
  return is_default(request.input_block, Side::input) && is_default(request.output_block, Side::output);
}

const char* refusal_of_line(const Request& request) {
  const unsigned order = request.flags & scrambled;
  const unsigned suitable =
      request.transform == Transform::forward ? FFTW_MPI_SCRAMBLED_OUT : FFTW_MPI_SCRAMBLED_IN;
  if (order != 0 && order != suitable) return "scrambled order in the time domain";
  return request.has(transposed) ? "transposed order in one dimension" : "";
}

const char* refusal_of(const Request& request, std::size_t process_count) {
  if (process_count == 1) return "one process has FFTW's own plan";
  if (request.has(FFTW_WISDOM_ONLY)) return "FFTW_WISDOM_ONLY";
  if (request.howmany == 0) return "no arrays";
  if (!has_default_blocks(request, process_count)) return "blocks that are not FFTW's default";
  if (request.lengths.size() == 1) return refusal_of_line(request);
  if (request.has(scrambled)) return "scrambled order in several dimensions";
  return request.kind == Kind::real && are_exchanged(request) ? "a transposed real array" : "";
}

Rigor rigor_of(const Request& request) {
  if (request.has(FFTW_ESTIMATE)) return Rigor::estimate;
  if (request.has(FFTW_EXHAUSTIVE)) return Rigor::exhaustive;
  return request.has(FFTW_PATIENT) ? Rigor::patient : Rigor::measure;
}

/// Returns the lengths with those of dimensions 0 and 1 exchanged where the same plan has them so.
std::vector<std::size_t> lengths_of_same_plan(const Request& request) {
  std::vector<std::size_t> lengths = request.lengths;
  if (are_exchanged(request)) std::swap(lengths[0], lengths[1]);
  return lengths;
}

fft::PlanOptions options_of(const Request& request) {
  fft::PlanOptions options{.transform = request.transform, .kind = request.kind, .batch = request.howmany};
  options.interleaved_batch = request.howmany > 1;
  options.rigor = rigor_of(request);
  options.inverse_scaling = fft::Scaling::none;
  if (request.lengths.size() > 1) {
    options.decomposition = fft::Decomposition::slab;
    options.blocks_by_rank = true;
    options.padded_rows = request.kind == Kind::real;
    options.transposed_output = is_transposed(request, Side::input) != is_transposed(request, Side::output);
  }
  if (request.has(FFTW_MPI_SCRAMBLED_IN)) options.input = Distribution::scrambled;
  if (request.has(FFTW_MPI_SCRAMBLED_OUT)) options.output = Distribution::scrambled;
  return options;
}

}  // namespace

bool is_scrambled(const Request& request) {
  return request.has(scrambled);
}

bool is_measured(const Request& request) {
  return !request.has(FFTW_ESTIMATE | FFTW_WISDOM_ONLY);
}

SamePlan same_plan(const Request& request, std::size_t process_count) {
  if (const std::string refusal = refusal_of(request, process_count); !refusal.empty()) return {refusal};
  return {"", lengths_of_same_plan(request), options_of(request)};
}

fft::Layout fftw_layout(const Request& request, Side side, std::size_t process_count) {
  std::vector<std::size_t> extents = lengths_of_same_plan(request);
  const bool is_halved = request.kind == Kind::real && side != time_side(request);
  if (is_halved) extents.back() = extents.back() / 2 + 1;
  std::vector<fft::IndexDimension> dimensions(extents.size());
  std::size_t weight = 1;
  for (std::size_t d = extents.size(); d-- > 0; weight *= extents[d]) dimensions[d] = {extents[d], weight};
  if (is_transposed(request, side) != are_exchanged(request)) std::swap(dimensions[0], dimensions[1]);
  dimensions[0].spread = fft::Spread::block;
  const fft::Layout layout(std::move(dimensions), {process_count});
  const bool is_real = request.kind == Kind::real && !is_halved;
  return is_real ? layout.with_row_places(2 * (extents.back() / 2 + 1)) : layout;
}

}  // namespace cubefold::fftw_mpi
