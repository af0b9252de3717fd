#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/fft/program.hpp"

namespace cubefold::fft {

/// The digit of the layout before that each of the layout after is, by extent and weight; the number of digits before where
/// there is none. Several digits of one value can have the same weight: each is taken once, those that stay as they are
/// first.
std::vector<std::size_t> digits_before(const ExchangeStage& stage);

}  // namespace cubefold::fft
