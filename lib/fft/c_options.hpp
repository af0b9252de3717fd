#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/cubefold_fft.h"
#include "cubefold/fft/plan_options.hpp"

namespace cubefold::fft {

enum class Precision : std::uint8_t { double_, float_ };
enum class End : std::uint8_t { input, output };

/// What cubefold_fft_create is asked for, in our terms.
struct Wish {
  std::vector<std::size_t> lengths;
  PlanOptions options;
  Precision precision = Precision::double_;
};

/// Local. Throws std::invalid_argument for NULL lengths, more or fewer than 1 to 3, and options outside of their
/// enumerations.
Wish wish_of(int dimension_count, const std::size_t* lengths, const cubefold_fft_options* options);

/// Throws std::invalid_argument unless it is CUBEFOLD_FFT_INPUT or CUBEFOLD_FFT_OUTPUT.
End chosen_end(int end);

}  // namespace cubefold::fft
