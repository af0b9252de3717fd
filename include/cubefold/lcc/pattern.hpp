#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/lcc/lcc.hpp"

namespace cubefold {

/// Returns the named communication between 2^bits ranks, for bits in [0, 64]. For bits = 0 the single rank sends to
/// itself and has no dimension to exchange in. The ranks of a ROWSxCOLUMNS pattern are rank = row * columns + column,
/// with rows counted from the top. A pattern without a shape is square. zoom does not enlarge a row or a column of one
/// pixel.
///
/// | name                       | destination of rank x = [x_0 x_1 ... x_{n-1}]                                    |
/// |----------------------------|----------------------------------------------------------------------------------|
/// | `bit-reversal`             | [x_{n-1} ... x_1 x_0]                                                            |
/// | `reverse-flip`             | [~x_{n-1} ... ~x_1 ~x_0]                                                         |
/// | `shuffle`, `unshuffle`     | [x_{n-1} x_0 ... x_{n-2}], and its inverse                                       |
/// | `exchange:I`               | its neighbour in dimension I; without :I in dimension 0                          |
/// | `complement`               | [~x_0 ... ~x_{n-1}]                                                              |
/// | `transpose:RxC`            | (column, row) of a C x R matrix: row * C + column goes to column * R + row       |
/// | `reflect-antidiagonal:RxC` | (C-1-column, R-1-row) of a C x R image                                           |
/// | `rotate-clockwise:RxC`     | (column, R-1-row) of a C x R image                                               |
/// | `rotate-counterclockwise:RxC` | (C-1-column, row) of a C x R image                                            |
/// | `rotate-180:RxC`           | (R-1-row, C-1-column)                                                            |
/// | `reflect-left-right:RxC`   | (row, C-1-column)                                                                |
/// | `reflect-top-bottom:RxC`   | (R-1-row, column)                                                                |
/// | `zoom:RxC`                 | the 2 x 2 pixels at (2 row, 2 column), for row < R/2 and column < C/2: a scatter |
/// | `bit-reversal-in-rows:RxC` | (row, column with its bits reversed)                                             |
/// | `bit-reversal-in-columns:RxC` | (row with its bits reversed, column)                                          |
///
/// Throws std::invalid_argument that quotes the text and names the rule it breaks. Sources: [Lcc] section 5, example 5
/// and section 6.1.
CUBEFOLD_API Lcc parse_pattern(std::string_view text, int bits);

/// Returns the names that parse_pattern() reads, without arguments, in the order of its table.
CUBEFOLD_API std::vector<std::string> pattern_names();

}  // namespace cubefold
