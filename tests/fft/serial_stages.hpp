#pragma once

#include <limits>

#include "cubefold/fft/program.hpp"
#include "numbers.hpp"

/// What stages that leave every point on its process mean, in long double.
namespace cubefold::fft {

/// Stands where nothing has been written.
inline const Number poison{std::numeric_limits<long double>::quiet_NaN(),
                           std::numeric_limits<long double>::quiet_NaN()};

/// A process's memory during a stage that leaves every point on its process.
struct LocalStage {
  const Layout::Members& members;
  const Numbers& before;
};

/// The memory after it.
Numbers run_local(const TransformStage& stage, const LocalStage& local);
Numbers run_local(const ChirpStage& stage, const LocalStage& local);
Numbers run_local(const UntangleStage& stage, const LocalStage& local);
Numbers run_local(const RealStage& stage, const LocalStage& local);

}  // namespace cubefold::fft
