#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cubefold/export.h"
#include "cubefold/fft/program.hpp"

namespace cubefold::fft {

struct ProgramFault {
  std::size_t stage;  ///< the number of stages for a fault of the output
  std::string what;
};

/// The first stage that cannot be run as it stands: its layout before is not same_places() as what precedes it, points
/// are real where it takes complex ones, a dimension that it transforms is spread, an exchange touches a dimension of
/// another axis, ... Nothing if all processes can run the program, which does not say that it computes a transform.
CUBEFOLD_API std::optional<ProgramFault> fault_of(const Program& program);

}  // namespace cubefold::fft
