#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cubefold/fft/program.hpp"
#include "factors.hpp"

namespace cubefold::fft {

// A line of N = N1 N2 points is a matrix, j = j1 N2 + j2 and k = k1 + N1 k2, and
//
//   w_N^(jk) = w_N1^(j1 k1) w_N^(j2 k1) w_N2^(j2 k2):
//
// transforms over j1, twiddles, transforms over j2. Before the first j2 is spread over the processes, before the second
// k1, with an exchange between them.

/// How a line comes.
struct LineInput {
  bool rows = false;                     ///< j1 in blocks: an exchange first
  Spread column_spread = Spread::block;  ///< of j2 during the first transforms
  bool columns_first = false;            ///< memory is [j2][j1], else [j1][j2]
};

/// How it goes.
struct LineOutput {
  Spread row_spread = Spread::block;  ///< of k1 during the second transforms
  bool rows_first = false;            ///< memory is [k1][k2], else [k2][k1]
  std::optional<Spread> last;         ///< of k2: an exchange at the end
};

struct Line {
  Factors factors;
  std::size_t process_count;
  Transform transform;
  double factor;
};

/// Where a line is cut: slow and fast digit in memory, of which one is spread at the most.
Layout line_layout(const Digit& slow, const Digit& fast, std::size_t process_count);

/// What leads from the one to the other: two sets of transforms, and one to three exchanges.
std::vector<Stage> line_stages(const Line& line, const LineInput& input, const LineOutput& output);

/// The stages as a program, all points complex.
Program program_of(std::vector<Stage> stages);

}  // namespace cubefold::fft
