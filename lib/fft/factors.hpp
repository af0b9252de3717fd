#pragma once

#include <cstddef>
#include <optional>

namespace cubefold::fft {

/// point_count = first * second: rows and columns of the matrix that a line of points is cut into.
struct Factors {
  std::size_t first;
  std::size_t second;
};

struct FactorRules {
  bool first_divides = false;   ///< the processes divide the first factor
  bool second_divides = false;  ///< ... the second
  bool first_mirrored = false;  ///< the first is spread in pairs (Spread::mirrored)
};

/// Points of the process that has most, in the one or the other spread that is the worse.
std::size_t busiest_count(const Factors& factors, std::size_t process_count, const FactorRules& rules);

/// The factors nearest to one another of those without padding when both are dealt to the processes in turn, or else
/// with next to the least; nothing if none keep the rules. Cost: factorisation by trial division.
std::optional<Factors> line_factors(std::size_t point_count, std::size_t process_count,
                                    const FactorRules& rules);

/// Factors near to one another, both divisible by the processes, which leave primes up to 5; the product is the least
/// such from least_count on.
Factors convolution_factors(std::size_t least_count, std::size_t process_count);

}  // namespace cubefold::fft
