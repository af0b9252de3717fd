#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/transform/transform.hpp"
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

/// The rows and columns of the matrix that a line of points is cut into: point_count = first * second.
struct Factors {
  std::size_t first;
  std::size_t second;
};

/// What factors of a line have to keep.
struct FactorRules {
  bool first_divides = false;   ///< the processes divide the first factor
  bool second_divides = false;  ///< the processes divide the second factor
  bool first_in_pairs = false;  ///< the first is spread in pairs (Spread::conjugate_pairs)
};

/// Returns the points of the process that has most, where the first factor is spread or where the second is.
std::size_t busiest_count(const Factors& factors, std::size_t process_count, const FactorRules& rules);

/// Returns the factors nearest to one another of those without padding, whichever factor is spread, or else of those
/// with at most 1/64 more than the least; nothing if none keep the rules. Cost: factorisation by trial division.
std::optional<Factors> line_factors(std::size_t point_count, std::size_t process_count,
                                    const FactorRules& rules);

/// Returns factors near to one another, both divisible by the processes, which leave primes up to 5; the product is the
/// least such from least_count on.
Factors convolution_factors(std::size_t least_count, std::size_t process_count);

// A line of N = N1 N2 points is a matrix, j = j1 N2 + j2 and k = k1 + N1 k2, and
//
//   w_N^(jk) = w_N1^(j1 k1) w_N^(j2 k1) w_N2^(j2 k2):
//
// transforms over j1, twiddles, transforms over j2. Before the first j2 is spread over the processes, before the second
// k1, with an exchange between them.

/// How a line is cut and transformed, and how its points lie before and after.
struct Line {
  Factors factors;
  std::size_t process_count = 1;
  Transform transform = Transform::forward;
  double factor = 1;
  bool comes_in_rows = false;            ///< j1 is in blocks at first: an exchange comes first
  bool columns_first = false;            ///< memory is [j2][j1] at first, else [j1][j2]
  Spread column_spread = Spread::block;  ///< of j2 during the first transforms
  Spread row_spread = Spread::block;     ///< of k1 during the second transforms
  bool rows_first = false;               ///< memory is [k1][k2] after them, else [k2][k1]
  std::optional<Spread> last = {};       ///< of k2 at the end: an exchange comes last
};

/// Returns a layout of two dimensions, slow and fast in memory, of which one is spread at the most.
Layout line_layout(const IndexDimension& slow, const IndexDimension& fast, std::size_t process_count);

/// Returns two sets of transforms, and one to three exchanges around them.
std::vector<Stage> line_stages(const Line& line);

/// Returns the stages as a program, with complex points at both ends.
Program program_of(std::vector<Stage> stages);

/// Returns the transform that one process does alone.
Program one_process_program(std::size_t point_count, Transform transform);

/// Returns line_factors() unless the processes' shares are so uneven that Bluestein's algorithm is for the length.
std::optional<Factors> suitable_factors(std::size_t point_count, std::size_t process_count,
                                        const FactorRules& rules);

/// Throws std::invalid_argument for 0 points or processes.
void check_line(std::size_t point_count, std::size_t process_count);

/// Returns the transform of any length as a convolution with a chirp, in cyclic order: two exchanges, and one more for
/// each end in blocks. Scrambled order is cyclic here. Does not know block_cyclic.
Program bluestein_program(std::size_t point_count, std::size_t process_count, const LineOptions& options);

/// Returns the factors of the convolution's length.
Factors bluestein_factors(std::size_t point_count, std::size_t process_count);

}  // namespace cubefold::fft
