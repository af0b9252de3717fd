#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cubefold/export.h"
#include "cubefold/transform/transform.hpp"

namespace cubefold::fft {

/// How long FFTW looks for the fastest local transforms: FFTW_ESTIMATE, _MEASURE, _PATIENT, _EXHAUSTIVE.
enum class Rigor : std::uint8_t { estimate, measure, patient, exhaustive };

/// Says which dimensions of an array of two or more are spread: the first over all processes (slab), or the first two
/// over the two parts of the network grid's axes (pencil).
enum class Decomposition : std::uint8_t {
  automatic,  ///< slab for two dimensions and on a grid of one axis, else what is predicted to take less
  slab,
  pencil,
};

/// How a one-dimensional transform crosses processes.
enum class Algorithm : std::uint8_t {
  automatic,        ///< what is predicted to take least
  transposed,       ///< n = n1 n2, transforms of length n1 and n2 between exchanges
  bluestein,        ///< as a convolution, for every length
  binary_exchange,  ///< [Lcc] section 6.2: butterflies between neighbours in the cube, whole parts exchanged
  half_exchange,    ///< the same with halves: butterflies inside of a CC-cube algorithm
};

/// Returns `automatic`, `slab` or `pencil`.
CUBEFOLD_API std::string to_string(Decomposition decomposition);

/// Returns `automatic`, `transposed`, `bluestein`, `binary-exchange` or `half-exchange`.
CUBEFOLD_API std::string to_string(Algorithm algorithm);

struct PlanOptions {
  Transform transform = Transform::forward;
  Kind kind = Kind::complex;
  Distribution input = Distribution::block;  ///< arrays of more than one dimension: block only
  Distribution output = Distribution::block;
  bool transposed_output =
      false;  ///< of 2-D and 3-D transforms: the output (inverse: the input) as the last exchange has it
  std::size_t batch = 1;  ///< so many arrays, one behind the other on each process, are transformed together
  Decomposition decomposition = Decomposition::automatic;
  Algorithm algorithm = Algorithm::automatic;
  Rigor rigor = Rigor::estimate;

  bool operator==(const PlanOptions&) const = default;
};

/// Returns all options in one line, for people and for comparison between processes.
CUBEFOLD_API std::string to_string(const PlanOptions& options);

}  // namespace cubefold::fft
