#include "fft/lengths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "program/values.hpp"

namespace cubefold::fft_program {

std::vector<std::size_t> parse_lengths(const std::string& text) {
  constexpr std::size_t most_dimensions = 3;
  std::vector<std::size_t> lengths;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const auto length = program::power_in(std::string_view(text).substr(begin, end - begin));
    if (length.value_or(0) == 0 || lengths.size() == most_dimensions) {
      throw std::invalid_argument(
          fmt::format("'{}' is not one to three lengths, as 2^20 or 128x128x128", text));
    }
    lengths.push_back(*length);
    begin = end + 1;
  }
  return lengths;
}

}  // namespace cubefold::fft_program
