#pragma once

#include "cubefold/fft/layout.hpp"
#include "cubefold/fft/plan.hpp"

namespace cubefold::fft {

/// Points in a row: all values of all dimensions but the first. Throws std::invalid_argument where they are not.
LocalBox row_box(const Layout& layout, const Layout::Members& members);

/// One dimension is one dimension. Throws std::invalid_argument where a process has values of one that are not in a
/// row.
LocalBox array_box(const Layout& layout, const Layout::Members& members);

}  // namespace cubefold::fft
