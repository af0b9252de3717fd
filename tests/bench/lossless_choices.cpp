// Compares the choice of an exchange on simulated lossless networks with the fastest all-to-all of MPI, and the
// predicted times with the simulated ones. Without arguments these are 96 cases, after `--others` 68 on other grids
// and with longer blocks. Grids may follow. It takes some minutes, and most of them for 8x8x8.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/plan/exchange_plan.hpp"
#include "plan/lossless_times.hpp"
#include "support/lossless_network.hpp"

namespace {

using namespace cubefold;

struct LosslessCase {
  LosslessLinks links;
  std::size_t block_bytes;
};

std::vector<LosslessCase> cases_on(const std::vector<std::string>& grids,
                                   const std::vector<std::size_t>& sizes) {
  std::vector<LosslessCase> cases;
  for (const std::string& grid : grids)
    for (const Ports ports : {Ports::one, Ports::all})
      for (const double gbit : {100.0, 400.0})
        for (const std::size_t bytes : sizes) cases.push_back({{grid, ports, gbit}, bytes});
  return cases;
}

double predicted(const RouterSeconds& seconds, Arbitration router) {
  switch (router) {
    case Arbitration::voq:
      return seconds.voq;
    case Arbitration::transit:
      return seconds.transit;
    case Arbitration::rr:
      break;
  }
  return seconds.rr;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Sums over all cases for one kind of routers.
struct Summary {
  std::vector<double> errors_of_ours;
  std::vector<double> errors_of_mpi;
  std::vector<double> gains;          ///< of the choice
  std::vector<double> gains_of_goal;  ///< of those of 8x8, 4x4x4 and 8x8x8 with all ports from 2 to 128 KiB
  std::vector<double> unmeasured_gains;  ///< of the choice without times of MPI in the machine file
  int broken_promises = 0;  ///< predicted gains of the planner's method that are losses of over 5 %
};

double error_of(double predicted_seconds, double seconds) {
  return std::abs(predicted_seconds / seconds - 1);
}

bool is_goal(const LosslessCase& of) {
  const std::vector<std::string_view> grids{"torus:8x8", "torus:4x4x4", "torus:8x8x8"};
  return std::ranges::find(grids, of.links.grid) != grids.end() && of.links.ports == Ports::all &&
         of.links.gbit == 100 && of.block_bytes >= 2048 && of.block_bytes <= 131072;
}

void run(const LosslessCase& of, LosslessNetwork& network, Arbitration router, Summary& summary) {
  const std::size_t bytes = of.block_bytes;
  const double mpi = network.mpi_seconds(bytes);
  const auto choice_by = [&](bool has_times) {
    JobFacts job{network.placement()};
    job.host_count = network.placement().rank_count();
    job.machine = network.machine(has_times);
    job.requests.round_count = 0;
    return AlltoallChooser(job).decide(CallKind::blocking, {bytes, bytes, bytes}).candidates.back();
  };
  const AlltoallCandidate choice = choice_by(true);
  const double seconds = network.seconds_of(choice, bytes);
  const double unmeasured = network.seconds_of(choice_by(false), bytes);

  const ExchangeModel model = exchange_model(network.machine(false), Tie::balanced);
  const ExchangePlan plan = plan_exchange(network.placement(), bytes, model);
  const MpiSeconds predicted_mpi = mpi_seconds(network.placement(), bytes, model);
  const double best_of_mpi =
      std::min(predicted(predicted_mpi.linear, router), predicted(predicted_mpi.bruck, router));
  const ExchangeCandidate& ours = plan.choice();
  const double ours_seconds = network.seconds_of(ours.method, bytes);
  const double ours_predicted = predicted(ours.routers, router);
  const bool is_broken = best_of_mpi / ours_predicted > 1 && mpi / ours_seconds < 0.95;

  summary.errors_of_ours.push_back(error_of(ours_predicted, ours_seconds));
  summary.errors_of_mpi.push_back(error_of(best_of_mpi, mpi));
  summary.gains.push_back(mpi / seconds);
  if (is_goal(of)) summary.gains_of_goal.push_back(mpi / seconds);
  summary.unmeasured_gains.push_back(mpi / unmeasured);
  summary.broken_promises += is_broken;
  fmt::print(" | {:>9.1f} {:>9.1f} {:>5.2f} {:>5.2f} {:<20} {:<13} {:>5.2f} {:>5.2f} {:>5.2f}{}", mpi * 1e6,
             seconds * 1e6, mpi / seconds, mpi / unmeasured, to_string(choice), to_string(ours.method),
             mpi / ours_seconds, ours_predicted / ours_seconds, best_of_mpi / mpi, is_broken ? "!" : " ");
  std::fflush(stdout);
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

void print(const char* router, const Summary& summary) {
  fmt::print(
      "{:<8} choice over MPI's best: least {:.3f}, mean {:.3f}, mean on tori with all ports {:.3f}; without "
      "times of MPI: least {:.3f}, mean {:.3f}\n",
      router, std::ranges::min(summary.gains), mean(summary.gains), mean(summary.gains_of_goal),
      std::ranges::min(summary.unmeasured_gains), mean(summary.unmeasured_gains));
  fmt::print(
      "         error of the prediction, median: ours {:.3f}, MPI's {:.3f}; promised gains that are losses "
      "of "
      "over 5 %: {} of {}\n",
      median(summary.errors_of_ours), median(summary.errors_of_mpi), summary.broken_promises,
      summary.gains.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> grids(argv + 1, argv + argc);
  const bool others = !grids.empty() && grids.front() == "--others";
  if (others) grids.erase(grids.begin());
  if (grids.empty() && others) grids = {"torus:7x3x2", "hypercube:5", "torus:16x4"};
  if (grids.empty())
    grids = {"torus:8x8", "torus:4x4x4", "torus:8x8x8", "torus:6x5x4", "mesh:8x8", "hypercube:6"};
  const std::vector<std::size_t> sizes = {256, 2048, 16384, 131072};
  auto cases = cases_on(grids, others ? std::vector<std::size_t>{256, 2048, 16384, 131072, 1 << 20} : sizes);
  if (others && argc == 2) {
    const auto longer = cases_on({"torus:8x8", "torus:4x4x4"}, {1 << 20});
    cases.insert(cases.end(), longer.begin(), longer.end());
  }

  constexpr std::array names{"voq", "transit", "rr"};
  fmt::print(
      "Times in us, for routers voq, transit and rr: fastest of MPI, choice, gain, gain without times of MPI "
      "in "
      "the machine file, choice, method of the plan, its gain, predicted over simulated time of the method "
      "and "
      "of MPI's fastest; ! is a promised gain that is a loss of over 5 %\n");
  std::array<Summary, 3> summaries;
  std::vector<LosslessNetwork> networks;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const LosslessCase& of = cases[i];
    if (i == 0 || of.links != cases[i - 1].links) {
      networks.clear();
      for (const Arbitration router : all_routers) networks.emplace_back(of.links, router);
    }
    fmt::print("{:<12} {} {:>3} {:>7}", of.links.grid, to_string(of.links.ports), of.links.gbit,
               of.block_bytes);
    for (std::size_t r = 0; r < 3; ++r) run(of, networks[r], all_routers[r], summaries[r]);
    fmt::print("\n");
  }
  fmt::print("\n{} cases\n", cases.size());
  for (std::size_t r = 0; r < 3; ++r) print(names[r], summaries[r]);
  return 0;
}
