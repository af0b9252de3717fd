#include "cubefold/exchange/algorithm.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "cubefold/exchange/cc_cube.hpp"
#include "cubefold/exchange/direct.hpp"

namespace cubefold {

namespace {

/// What belongs to an algorithm: its name and its two builders.
struct Entry {
  std::string_view name;
  Schedule (*whole)(int);
  Schedule (*part)(int, Rank);
};

Entry entry_of(ExchangeAlgorithm algorithm) {
  switch (algorithm) {
    case ExchangeAlgorithm::cc_cube:
      return {"cc-cube", cc_cube_exchange, cc_cube_exchange_part};
    case ExchangeAlgorithm::direct:
      break;
  }
  return {"direct", direct_exchange, direct_exchange_part};
}

}  // namespace

std::string_view to_string(ExchangeAlgorithm algorithm) {
  return entry_of(algorithm).name;
}

ExchangeAlgorithm parse_exchange_algorithm(std::string_view text) {
  std::string names;
  for (const auto algorithm : all_exchange_algorithms) {
    if (text == to_string(algorithm)) return algorithm;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(algorithm));
  }
  throw std::invalid_argument(fmt::format("unknown exchange algorithm '{}'; known: {}", text, names));
}

Schedule complete_exchange(ExchangeAlgorithm algorithm, int dimension_count) {
  return entry_of(algorithm).whole(dimension_count);
}

Schedule complete_exchange_part(ExchangeAlgorithm algorithm, int dimension_count, Rank rank) {
  return entry_of(algorithm).part(dimension_count, rank);
}

}  // namespace cubefold
