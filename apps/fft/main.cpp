#include <mpi.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cubefold/mpi/virtual_comm.hpp"
#include "fft/options.hpp"
#include "fft/report.hpp"
#include "fft/transform_run.hpp"
#include "mpi/agreement.hpp"
#include "program/mpi_program.hpp"
#include "program/program.hpp"

using cubefold::fft_program::Options;
using cubefold::mpi::VirtualComm;
using cubefold::program::print_on_first;

namespace {

int run_fft(const Options& options) {
  cubefold::mpi::agree_on_outcome(MPI_COMM_WORLD, [&] {
    require_fitting(options);
    plan_options(options);  // throws for unknown distributions
  });
  const VirtualComm comm(MPI_COMM_WORLD, options.network.grid, options.network.placement);
  cubefold::program::JsonFile json(options.json);
  const auto report = run_transform(comm, options);
  if (options.explain) {
    print_on_first({options.json}, [&] { print_plan(report, comm, options); });
  } else {
    print_on_first({options.output, options.plot, options.json}, [&] { print(report, comm, options); });
  }
  json.write([&] { return as_json(report, comm, options); });
  return report.is_right() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Fourier transform of an array of one to three dimensions, distributed over the processes.",
               "cubefold-fft");
  Options options;
  cubefold::fft_program::add_options(app, options);
  return cubefold::program::run_under_mpi(app, argc, argv, [&] { return run_fft(options); });
}
