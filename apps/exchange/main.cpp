#include <fmt/format.h>
#include <mpi.h>

#include "exchange/measure.hpp"
#include "exchange/report.hpp"
#include "program/json_file.hpp"
#include "program/mpi_program.hpp"
#include "program/progress.hpp"

namespace {

struct Options {
  cubefold::program::Network network;
  std::vector<std::size_t> block_sizes{8, 1024, 65536};
  int repetitions = 20;
  std::string json;
};

constexpr const char* examples = R"(Examples:
  mpirun -n 16 cubefold-exchange --grid torus:4x4 --placement xor
  mpirun -n 8 cubefold-exchange --grid hypercube:3 --block 8,1KiB,1MiB --repetitions 50
  mpirun -n 64 cubefold-exchange --grid mesh:4x4x4 --placement standard,bits=cyclic --json times.json

Exit status: 0 if all data arrived right, 2 if not or if an option does not fit.)";

/// CLI11 reads -1 as the largest size there is; this comes first.
std::string negative_sizes(const std::string& text) {
  return text.starts_with('-') ? fmt::format("block size {} is negative", text) : "";
}

void add_options(CLI::App& app, Options& options) {
  add_network_options(app, options.network);
  app.add_option("--block", options.block_sizes,
                 "Block sizes in bytes, separated by commas; KiB and MiB may follow")
      ->delimiter(',')
      ->transform(CLI::AsSizeValue(false))
      ->transform(CLI::Validator(negative_sizes, ""))
      ->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "Timed runs of each algorithm at each block size")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--json", options.json, "Also write the results to this file");
  app.footer(examples);
}

int run_exchange(const Options& options) {
  int process_count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &process_count);
  const cubefold::mpi::VirtualComm comm(MPI_COMM_WORLD, options.network.grid_for(process_count),
                                        options.network.placement);
  cubefold::program::JsonFile json(options.json);
  cubefold::program::Progress progress;
  const auto measurements = measure(comm, options.block_sizes, options.repetitions, progress);
  progress.wipe();
  const auto setting = setting_of(comm, options.repetitions);
  if (cubefold::program::is_first_process()) print_table(setting, measurements);
  json.write(as_json(setting, measurements));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Times the complete exchange (all-to-all) over virtual ranks, beside MPI_Alltoall in the same run, and "
      "checks every byte.",
      "cubefold-exchange");
  Options options;
  add_options(app, options);
  return cubefold::program::run_under_mpi(app, argc, argv, [&] { return run_exchange(options); });
}
