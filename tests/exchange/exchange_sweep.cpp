// Checks every method on every grid of 2^DIMENSIONS nodes, with each axis open or wrapped. This takes hours, so it is
// not part of the test suite.
//
//   exchange_sweep DIMENSIONS [MOST_HOPS]
//   exchange_sweep steps
//
// `steps` compares the steps of direct exchanges with 1.25 times their bound on every tenth grid of 2 to 4 axes with
// extents up to 16 and 401 to 4096 nodes, and checks their messages one by one.
//
// Direct exchanges of any size are checked message by message. Every other method is checked as a whole schedule if the
// schedule moves blocks at most 10^8 times. Grids on which the blocks make more than MOST_HOPS hops in all are left
// out; the default is 10^11. Prints a line for every grid, with the numbers of checks, omissions and faults so far. The
// exit status is 1 if there is a fault.

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>

#include "exchange/direct_checks.hpp"
#include "exchange/walked_moves.hpp"

using namespace cubefold;  // NOLINT(google-build-using-namespace): this file uses nothing else

namespace {

constexpr double most_moves = 1e8;

struct Count {
  int checked = 0;
  int left_out = 0;
  int wrong = 0;
};

/// Returns about how many hops all blocks of a direct exchange make. The mean distance is about k / 3 on a line of k
/// nodes and k / 4 on a ring.
double hops(const Grid& grid) {
  double mean = 0;
  for (const Axis& axis : grid.axes()) mean += axis.extent / (axis.ends == Ends::wrapped ? 4.0 : 3.0);
  const auto p = static_cast<double>(grid.node_count());
  return p * p * mean;
}

std::optional<std::string> fault_of(const ExchangeMethod& method, const Grid& grid,
                                    const NetworkRules& rules) {
  if (method.algorithm == ExchangeAlgorithm::direct)
    return first_walk_fault(grid, direct_phase(grid, rules), rules);
  const Placement placement = in_place(grid);
  const Schedule schedule = exchange_schedule(method, placement, rules);
  if (info_of(method).is_free_of_conflicts) return first_exchange_fault(placement, schedule, rules);
  const auto fault = first_delivery_fault(schedule);
  return fault ? std::optional(describe(*fault)) : std::nullopt;
}

bool can_be_checked(const ExchangeMethod& method, const Grid& grid) {
  if (method.algorithm == ExchangeAlgorithm::direct) return true;
  return exchange_cost(method, in_place(grid), {}).sent_blocks * static_cast<double>(grid.node_count()) <=
         most_moves;
}

void check(const ExchangeMethod& method, const Grid& grid, Count& count) {
  if (!can_be_checked(method, grid)) {
    ++count.left_out;
    return;
  }
  for (const Ports ports : {Ports::one, Ports::all}) {
    const NetworkRules rules{ports, Tie::balanced};
    const auto fault = fault_of(method, grid, rules);
    if (fault) fmt::print("{}: {}: {}\n", name_of(grid, rules), to_string(method), *fault);
    ++count.checked;
    count.wrong += fault ? 1 : 0;
  }
}

/// Checks the direct exchanges of a sample of grids. Prints a line for every fault, and returns whether there is none.
bool check_steps() {
  Count count;
  for (const Grid& grid : sample_of_grids(401, 4096, 10)) {
    for (const Ports ports : {Ports::one, Ports::all}) {
      const NetworkRules rules{ports, Tie::balanced};
      const DirectPhase phase = direct_phase(grid, rules);
      const double ratio = over(phase.step_count(), direct_bound(grid, rules));
      const auto fault = first_walk_fault(grid, phase, rules);
      ++count.checked;
      if (ratio <= 1.25 && !fault) continue;
      ++count.wrong;
      fmt::print("{}: {:.3f} times the bound; {}\n", name_of(grid, rules), ratio,
                 fault.value_or("no conflict"));
    }
  }
  fmt::print("steps of direct: {} checked, {} wrong\n", count.checked, count.wrong);
  return count.wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "exchange_sweep DIMENSIONS [MOST_HOPS], or exchange_sweep steps\n");
    return 2;
  }
  if (std::string_view(argv[1]) == "steps") return check_steps() ? 0 : 1;
  const double most_hops = argc > 2 ? std::atof(argv[2]) : 1e11;
  Count count;
  for (const Grid& grid : grids_of(std::size_t{1} << std::atoi(argv[1]), AxisOrders::ascending)) {
    const auto methods = exchange_methods(grid);
    if (hops(grid) > most_hops) {
      count.left_out += static_cast<int>(methods.size());
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    for (const ExchangeMethod& method : methods) check(method, grid, count);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    fmt::print("{:<40} {:8.1f} s  {} checked, {} left out, {} wrong\n", to_string(grid), seconds.count(),
               count.checked, count.left_out, count.wrong);
    std::fflush(stdout);
  }
  return count.wrong == 0 ? 0 : 1;
}
