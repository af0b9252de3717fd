#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "program/cli_fwd.hpp"
#include "program/network_times.hpp"

namespace cubefold::planner {

/// Holds the options of `cubefold simulate exchange --network lossless` besides those of all simulated exchanges.
struct LosslessOptions {
  std::vector<std::string> routers{"voq", "transit", "rr"};
  std::string mpi;  ///< algorithm of MPI in place of the schedule
  std::uint64_t eager_bytes = std::numeric_limits<std::uint64_t>::max();
  std::size_t window = 0;
  double injection_rate = 1;
  std::string svg;
};

/// Holds an exchange that is to be simulated.
struct LosslessExchange {
  Placement placement;
  ExchangeMethod algorithm;  ///< unless LosslessOptions::mpi is given
  std::size_t block_bytes;
  program::NetworkTimes times;
  NetworkRules rules;
};

/// Adds `--router`, `--mpi`, `--eager`, `--window`, `--injection` and `--svg`. Returns them.
std::vector<CLI::Option*> add_lossless(CLI::App& command, LosslessOptions& options);

/// Simulates the exchange packet by packet with each router. Prints a table, and writes JSON and a picture of what
/// waits for which link, if asked for.
void run_lossless(const LosslessExchange& exchange, const LosslessOptions& options, const std::string& json);

}  // namespace cubefold::planner
