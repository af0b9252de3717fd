#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cubefold::fft_program {

/// Parses `128x128x128`, `1000` or `2^20`, with the slowest dimension first. Throws std::invalid_argument.
std::vector<std::size_t> parse_lengths(const std::string& text);

}  // namespace cubefold::fft_program
