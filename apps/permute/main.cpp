#include <fmt/format.h>
#include <mpi.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "mpi/agreement.hpp"
#include "permute/measure.hpp"
#include "permute/report.hpp"
#include "program/mpi_program.hpp"
#include "program/program.hpp"
#include "program/progress.hpp"
#include "program/values.hpp"
#include "timing/link_bytes.hpp"

using cubefold::mpi::VirtualComm;

namespace {

struct Options {
  std::optional<std::string> grid;
  std::vector<std::string> placements;  ///< empty: the default of the library
  std::vector<std::string> patterns;    ///< empty: a default that depends on the number of processes
  bool alone = false;
  cubefold::Tie tie = cubefold::Tie::balanced;
  cubefold::timing::RunOptions runs;
  std::string json;
};

constexpr const char* examples = R"(Patterns on p ranks, with the rank to which a rank sends:
  bit-reversal   the rank with reversed bits
  transpose:AxB  column * A + row, from rank = row * B + column
  cube:K         rank xor 2^K
  shift:K        rank + K modulo p, for any p
  ...            every other phase of cubefold map --help that is a permutation

Examples:
  mpirun -n 16 cubefold-permute --grid torus:4x4 --pattern bit-reversal,transpose:4x4 --alone
  mpirun -n 16 cubefold-permute --grid mesh:4x4 --placement standard --placement standard,order=0-3-1-2
  mpirun -n 6 cubefold-permute --grid torus:3x2 --pattern shift:1,shift:2 --block 64KiB --json times.json

Exit status: 0 if all data are right, 2 if not or if an option does not fit.)";

void add_options(CLI::App& app, Options& options) {
  cubefold::program::add_grid_option(app, options.grid);
  app.add_option("--placement", options.placements,
                 cubefold::program::placement_help_with_default() +
                     ".\nGive the option again for each further placement")
      ->allow_extra_args(false)
      ->check(cubefold::program::read_by(cubefold::program::check_placement))
      ->envname("CUBEFOLD_PLACEMENT");
  app.add_option("--pattern", options.patterns,
                 "Permutations, separated by commas; see below. Default: bit-reversal, or\n"
                 "shift:1 if the number of processes is no power of two")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--alone", options.alone,
               "Also time the message with the longest route of each pattern\n"
               "while no other message travels");
  add_run_options(app, options.runs);
  cubefold::timing::add_tie_option(app, options.tie);
  app.add_option("--json", options.json,
                 "Also write the results to this file; - is standard output, without\nthe table");
  app.footer(examples);
}

std::vector<VirtualComm> comms_of(const Options& options) {
  std::vector<VirtualComm> comms;
  for (const auto& placement : options.placements)
    comms.emplace_back(MPI_COMM_WORLD, options.grid, placement);
  if (comms.empty()) comms.emplace_back(MPI_COMM_WORLD, options.grid, std::nullopt);
  return comms;
}

std::vector<std::string> patterns_of(const Options& options, std::size_t rank_count) {
  if (!options.patterns.empty()) return options.patterns;
  return {std::has_single_bit(rank_count) ? "bit-reversal" : "shift:1"};
}

std::vector<PlacedRound> rounds_of(const Options& options, const std::vector<VirtualComm>& comms) {
  std::vector<PlacedRound> rounds;
  for (const std::string& pattern : patterns_of(options, comms.front().placement().rank_count())) {
    for (const VirtualComm& comm : comms) {
      rounds.push_back({&comm, full_round(pattern, comm.placement(), options.tie)});
      if (options.alone) rounds.push_back({&comm, lone_round(pattern, comm.placement(), options.tie)});
    }
  }
  return rounds;
}

std::vector<PermuteCase> cases_of(std::size_t round_count, const std::vector<std::size_t>& block_sizes) {
  std::vector<PermuteCase> cases;
  for (const auto block_bytes : block_sizes) {
    for (std::size_t round = 0; round < round_count; ++round) cases.push_back({round, block_bytes});
  }
  return cases;
}

int run_permute(const Options& options) {
  const auto comms = comms_of(options);
  Report report{comms.front().grid(), comms.front().knows_network(), options.runs, {}, {}, {}};
  cubefold::mpi::agree_on_outcome(MPI_COMM_WORLD, [&] {
    report.rounds = rounds_of(options, comms);
    report.cases = cases_of(report.rounds.size(), options.runs.block_sizes);
  });
  cubefold::program::JsonFile json(options.json);
  cubefold::program::Progress progress(cubefold::program::is_first_process());
  report.measured = measure(report.rounds, report.cases, options.runs, progress);
  progress.wipe();
  cubefold::program::print_on_first({options.json}, [&] { print_table(report); });
  json.write([&] { return as_json(report); });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Times permutations: every virtual rank sends one message and receives one, all at the same time.\n"
      "Predicts the number of messages on the busiest link, and checks every byte.",
      "cubefold-permute");
  Options options;
  add_options(app, options);
  return cubefold::program::run_under_mpi(app, argc, argv, [&] { return run_permute(options); });
}
