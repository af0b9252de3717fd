#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/transform/plan_options.hpp"
#include "program.hpp"

namespace cubefold::fft {

/// Builds a one-dimensional complex transform with the direction and the distributions of the options. Uses Bluestein's
/// algorithm if the options ask for it, and for lengths that need it; the other options have no effect. The table has
/// the number of its exchanges. In each of them a process of m points sends m (processes - 1) / processes points.
///
/// | input \ output | block | scrambled | cyclic | block_cyclic |
/// |----------------|-------|-----------|--------|--------------|
/// | block          | 3     | 2         | 2      | 2            |
/// | scrambled      | 2     | 1         | 1      | 1            |
/// | cyclic         | 2     | 1         | 1      | 1            |
/// | block_cyclic   | 2     | 1         | 1      | 2            |
/// One process exchanges nothing and has natural order in all cases. In block order, processes have whole rows of the
/// matrix of the line. All processes have equally many rows if the square of the number of processes divides the
/// length.
///
/// A length needs Bluestein's algorithm if no factors suit the processes: with any factors, a process would have at
/// least twice its share, and more points than in a convolution of at least twice the length. It takes two exchanges of
/// the convolution, and one exchange of the points for each end in block order. Scrambled order is then cyclic order.
///
/// The input of an inverse program has the layout of the output of the forward program with the distributions
/// exchanged, and its output has the layout of that program's input. Throws std::invalid_argument for no points, no
/// processes, block_cyclic lengths that do not fit (block_cyclic_block()), and block_cyclic with another distribution
/// and fewer than processes^3 points. Costs a trial division, O(sqrt(point_count)) for primes.
CUBEFOLD_API Program complex_program(std::size_t point_count, std::size_t process_count,
                                     const PlanOptions& options = {});

/// Builds a one-dimensional transform of real points to half a spectrum, X(0) to X(point_count / 2), or back, from the
/// same options as complex_program(). For even lengths with block order in time, and block or scrambled order in
/// frequency, it takes the exchanges of half as many complex points. Others are complex transforms of real data whose
/// second half is padding in the layout of the spectrum.
CUBEFOLD_API Program real_program(std::size_t point_count, std::size_t process_count,
                                  const PlanOptions& options = {});

/// Builds the transform of a row-major array of two dimensions or more. Dimension 0 is in blocks over process axis 0;
/// with two axes, dimension 1 is in blocks over axis 1. The kind, the direction and transposed_output of the options
/// have an effect. Each axis has one exchange if the output is transposed, and two otherwise. With Kind::real the last
/// dimension of the spectrum has n/2 + 1 values. Throws std::invalid_argument for extents of 0, for other numbers of
/// process axes than 1 and 2, and if there are not more dimensions than process axes.
CUBEFOLD_API Program array_program(const std::vector<std::size_t>& extents,
                                   const std::vector<std::size_t>& axis_members,
                                   const PlanOptions& options = {});

/// The numbers of rows and columns of the matrix of a line: point_count = first * second.
struct Factors {
  std::size_t first;
  std::size_t second;
};

/// The conditions on the factors of a line.
struct FactorRules {
  bool first_divides = false;   ///< the number of processes divides the first factor
  bool second_divides = false;  ///< the number of processes divides the second factor
  bool first_in_pairs = false;  ///< the first factor is spread in Spread::conjugate_pairs
};

/// Returns the largest number of points that a process has while the first factor is spread or while the second is.
std::size_t busiest_count(const Factors& factors, std::size_t process_count, const FactorRules& rules);

/// Returns the two factors that are nearest to one another among those that need no padding, neither where the first is
/// spread nor where the second is. If there are none, takes those with at most 1/64 more padded points than the least.
/// Returns nothing if no factors keep the rules. Costs a factorisation by trial division.
std::optional<Factors> line_factors(std::size_t point_count, std::size_t process_count,
                                    const FactorRules& rules);

/// Returns two factors that are near to one another and divisible by the number p of processes. Their product is the
/// smallest number from least_count on of the form p^2 * 2^a 3^b 5^c.
Factors convolution_factors(std::size_t least_count, std::size_t process_count);

// A line of N = N1 N2 points is a matrix with the indices j = j1 N2 + j2 and k = k1 + N1 k2:
//
//   w_N^(jk) = w_N1^(j1 k1) w_N^(j2 k1) w_N2^(j2 k2).
//
// It takes transforms over j1, twiddles, and transforms over j2. During the first transforms j2 is spread over the
// processes, and during the second ones k1. An exchange lies between them.

/// Says how a line is split and transformed, and how its points are laid out before and after.
struct SplitLine {
  Factors factors;
  std::size_t process_count = 1;
  Transform transform = Transform::forward;
  double factor = 1;
  bool comes_in_rows = false;            ///< j1 is in blocks at the beginning, so an exchange comes first
  bool columns_first = false;            ///< memory before the first transforms is [j2][j1], else [j1][j2]
  Spread column_spread = Spread::block;  ///< spread of j2 during the first transforms
  Spread row_spread = Spread::block;     ///< spread of k1 during the second transforms
  bool rows_first = false;               ///< memory after the second transforms is [k1][k2], else [k2][k1]
  std::optional<Spread> last = {};       ///< spread of k2 after a last exchange; nothing without it
};

/// Returns a layout of two dimensions, the slow and the fast one in memory. At most one of them is spread.
Layout line_layout(const IndexDimension& slow, const IndexDimension& fast, std::size_t process_count);

/// Returns the stages of the line: two sets of transforms, and one to three exchanges between and around them.
std::vector<Stage> line_stages(const SplitLine& line);

/// Returns the stages as a program, with complex points at both ends.
Program program_of(std::vector<Stage> stages);

/// Returns the program of one process without exchanges.
Program one_process_program(std::size_t point_count, const PlanOptions& options);

/// Returns the transform of a line on one process as transforms of the columns and of the rows of its matrix, which
/// threads can share, in natural order on both sides. Returns nothing if the matrix has fewer rows or columns than
/// `fewest_lines`: such a line is one transform in the time that it takes to wake threads.
CUBEFOLD_API std::optional<Program> split_line_program(std::size_t point_count, const PlanOptions& options,
                                                       std::size_t fewest_lines = 128);

/// Returns line_factors(). Returns nothing if there are none, or if the busiest process would have at least twice its
/// share and more points than with Bluestein's algorithm.
std::optional<Factors> suitable_factors(std::size_t point_count, std::size_t process_count,
                                        const FactorRules& rules);

/// Throws std::invalid_argument for 0 points or processes.
void check_line(std::size_t point_count, std::size_t process_count);

/// Returns the transform of any length as a convolution with a chirp, in cyclic order. It has two exchanges, and one
/// more for each end in block order. Scrambled order is cyclic order here. The options must not have block_cyclic.
Program bluestein_program(std::size_t point_count, std::size_t process_count, const PlanOptions& options);

/// Returns the factors of the length of the convolution in bluestein_program().
Factors bluestein_factors(std::size_t point_count, std::size_t process_count);

}  // namespace cubefold::fft
