#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <vector>

namespace cubefold {

/// A network with a route table, and the least load of its busiest link in an all-to-all with any routes and split
/// messages, from linear programming.
struct KnownNetwork {
  const char* name;
  std::size_t link_count;
  double least_load;
};

inline const std::vector<KnownNetwork> known_networks{{"torus:4x4,cut=0-1", 62, 64.0 / 7},
                                                      {"torus:4x8~4", 128, 21},
                                                      {"hyperx:4x3", 60, 4},
                                                      {"hyperx:6x4", 192, 6},
                                                      {"hypercube:4,cut=0-1", 62, 64.0 / 7},
                                                      {"ring:9,cut=0-1", 16, 20},
                                                      {"hyperx:12x8", 1728, 12},
                                                      {"torus:4x4,hosts=2", 128, 32},
                                                      {"hypercube:4,hosts=4", 192, 128}};

/// Returns the name of a network without the characters that names of tests cannot have.
inline std::string test_name_of(const testing::TestParamInfo<KnownNetwork>& info) {
  std::string name = info.param.name;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

}  // namespace cubefold
