#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "planner/advice/advice.hpp"
#include "program/network_times.hpp"

namespace cubefold::planner {

/// Returns whether a text names a network of Fujitsu's units, as tofu:4x4x2.
bool is_tofu(std::string_view grid);

/// The network of Fugaku: 6.8 GB/s, and the latency with which docs/fugaku.md compares.
program::NetworkTimes times_of_tofu();

/// The times of the default all-to-all of Fujitsu's MPI over those of a node that sends all its blocks by one port, for
/// blocks of least_bytes and more. They were measured on 64 and 512 nodes by others. A test compares these numbers with
/// docs/fugaku.md.
struct FujitsuDefault {
  static constexpr std::size_t least_bytes = 16 << 10;
  static constexpr double least = 1.1;
  static constexpr double most = 2.1;
};

/// The range of times that measurements suggest for Fujitsu's default with blocks of one size, and our predicted time.
struct TofuExpectation {
  std::size_t block_bytes;
  double least_seconds;
  double most_seconds;
  double our_seconds;
};

/// Returns a row for each block of FujitsuDefault::least_bytes and more. The measurements had one rank on each node, so
/// there are no rows for several. Costs O(rows).
std::vector<TofuExpectation> expected_on_tofu(const Advice& advice);

std::string tofu_text(const Advice& advice);
nlohmann::ordered_json tofu_json(const Advice& advice);

}  // namespace cubefold::planner
