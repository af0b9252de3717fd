#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/fft/transform.hpp"
#include "program.hpp"

namespace cubefold::fft {

struct LineOptions {
  Distribution input = Distribution::block;
  Distribution output = Distribution::block;
  Transform transform = Transform::forward;
  bool bluestein = false;  ///< Bluestein's algorithm also where the length does not need it
};

/// Builds a one-dimensional complex transform. The table has the number of its exchanges, in each of which a process of
/// m points sends m (processes - 1) / processes of them:
///
/// | input \ output | block | scrambled | cyclic | block_cyclic |
/// |----------------|-------|-----------|--------|--------------|
/// | block          | 3     | 2         | 2      | 2            |
/// | scrambled      | 2     | 1         | 1      | 1            |
/// | cyclic         | 2     | 1         | 1      | 1            |
/// | block_cyclic   | 2     | 1         | 1      | 2            |
/// One process exchanges nothing and has natural order throughout. In block order processes have whole rows of the
/// matrix that the line is cut into, equally many where the processes' square divides the length.
///
/// Bluestein's algorithm is for lengths with which a process would have twice its share or more, and more than of a
/// convolution of at least twice the length: two exchanges of that, and one of the points themselves for an end in
/// blocks. Scrambled order is cyclic there.
///
/// An inverse program's input is laid out as the output of the forward program with the distributions exchanged, and
/// its output as that one's input. Throws std::invalid_argument for no points or processes, block_cyclic lengths that
/// do not fit (BlockCyclic), or block_cyclic with another distribution and fewer than processes^3 points. Cost: trial
/// division, O(sqrt(point_count)) where that is a prime.
CUBEFOLD_API Program complex_program(std::size_t point_count, std::size_t process_count,
                                     const LineOptions& options = {});

/// Builds a one-dimensional transform of real points to half a spectrum, X(0) to X(point_count / 2), or back. Even
/// lengths with time in block and frequency in block or scrambled order take the exchanges of half as many complex
/// points; others are complex transforms of real data, of which half is kept (the output's layout has padding).
CUBEFOLD_API Program real_program(std::size_t point_count, std::size_t process_count,
                                  const LineOptions& options = {});

struct ArrayOptions {
  Kind kind = Kind::complex;
  Transform transform = Transform::forward;
  bool transposed = false;  ///< the spectrum stays as the last forward transform leaves it
};

/// Builds the transform of a row-major array of two dimensions or more, with dimension 0 in blocks over process axis 0
/// and, with two axes, dimension 1 over axis 1. An axis exchanges once, or twice unless transposed. Kind::real halves
/// the last dimension: n/2 + 1. Throws std::invalid_argument for extents of 0, or fewer dimensions than process axes
/// and one.
CUBEFOLD_API Program array_program(const std::vector<std::size_t>& extents,
                                   const std::vector<std::size_t>& axis_members,
                                   const ArrayOptions& options = {});

}  // namespace cubefold::fft
