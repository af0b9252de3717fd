#include <fmt/format.h>
#include <mpi.h>

#include <cmath>
#include <stdexcept>

#include "cubefold/fft/block_cyclic_fft.hpp"
#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/version.h"
#include "fft/serial_check.hpp"
#include "fft/spectrum.hpp"
#include "npy/parallel_file.hpp"
#include "program/json_file.hpp"
#include "program/mpi_program.hpp"
#include "program/program.hpp"
#include "program/progress.hpp"

using cubefold::fft::BlockCyclic;
using cubefold::fft::BlockCyclicFft;
using cubefold::fft::Transform;
using cubefold::mpi::VirtualComm;
using cubefold::program::counted;
using cubefold::program::is_first_process;

namespace {

struct Options {
  cubefold::program::Network network;
  std::string input;
  std::string output;
  bool inverse = false;
  bool check = false;
  std::string json;

  Transform transform() const { return inverse ? Transform::inverse : Transform::forward; }
};

/// What was done, in the order in which it happened.
struct Report {
  cubefold::npy::Header input{};
  double read_seconds = 0;
  double transform_seconds = 0;
  double write_seconds = 0;
  double energy_difference = 0;  ///< relative, between the two sides of Parseval's equation
  std::optional<double> error;
  std::vector<Bin> strongest;

  bool is_right() const { return !error || *error <= error_limit(input.count); }

  /// G-FFT of the HPC Challenge: 5 n log2 n operations over the time.
  double flops_per_second() const {
    const auto n = static_cast<double>(input.count);
    return 5 * n * std::log2(n) / transform_seconds;
  }
};

constexpr std::size_t strongest_count = 6;

constexpr const char* examples = R"(Examples:
  cubefold-signal --points 65536 --output signal.npy
  mpirun -n 16 cubefold-fft --grid torus:4x4 --placement xor --input signal.npy --output spectrum.npy --check
  mpirun -n 16 cubefold-fft --grid torus:4x4 --input spectrum.npy --output again.npy --inverse

Lengths: the number of processes, a power of two, times a power of four. The output is complex128, forward as
numpy.fft.fft, inverse as numpy.fft.ifft.

Exit status: 0; 1 if --check finds the result wrong; 2 if an option, a file or a size does not fit.)";

void add_options(CLI::App& app, Options& options) {
  app.add_option("--input", options.input, "NumPy file with one axis of float64 or complex128")->required();
  app.add_option("--output", options.output, "NumPy file for the result; without it only the report is made");
  app.add_flag("--inverse", options.inverse, "Inverse transform, divided by the length");
  app.add_flag("--check", options.check, "Compare with a serial transform by FFTW on process 0");
  add_network_options(app, options.network);
  app.add_option("--json", options.json, "Also write the report to this file");
  app.footer(examples);
}

/// Time of the slowest process.
template <typename Work>
double timed(MPI_Comm comm, Work&& work) {
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  work();
  double seconds = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

/// Parseval: sum |x|^2 = 1/n sum |X|^2, and for the inverse transform, which divides by n, n times that.
double energy_difference(double input, double output, double count, Transform transform) {
  const double expected = transform == Transform::forward ? input * count : input / count;
  return expected == 0 ? output : std::abs(output - expected) / expected;
}

/// What can be said of a result without writing it down.
void judge(Report& report, const VirtualComm& comm, const Options& options, const BlockCyclic& points,
           Points part, double input_energy) {
  MPI_Comm ranks = comm.virtual_comm();
  report.energy_difference = energy_difference(input_energy, energy(ranks, part),
                                               static_cast<double>(report.input.count), options.transform());
  report.strongest = strongest_bins(ranks, part, points, comm.rank(), strongest_count);
  if (!options.check) return;
  report.error = error_against_serial(ranks, options.input, report.input, options.transform(), points,
                                      comm.rank(), part);
}

/// Reads, transforms and writes, each step timed; the output is named only at the end of all.
Report transform_file(const VirtualComm& comm, const Options& options) {
  MPI_Comm ranks = comm.virtual_comm();
  cubefold::program::Progress progress;
  Report report;
  report.input = cubefold::npy::read_header(ranks, options.input);
  BlockCyclicFft fft(comm, report.input.count, options.transform());
  const auto& points = fft.distribution();
  std::optional<cubefold::npy::OutputFile> output;
  if (!options.output.empty()) output.emplace(ranks, options.output, report.input.count);

  std::vector<std::complex<double>> part;
  progress.show("reading");
  report.read_seconds = timed(ranks, [&] {
    part = cubefold::npy::read_part(ranks, options.input, report.input, points, comm.rank());
  });
  const double input_energy = energy(ranks, part);
  progress.show("transforming");
  report.transform_seconds = timed(ranks, [&] { fft.execute(part.data(), part.data()); });
  progress.show("checking");
  judge(report, comm, options, points, part, input_energy);
  progress.show("writing");
  if (output) report.write_seconds = timed(ranks, [&] { output->write(part, points, comm.rank()); });
  return report;
}

void print(const Report& report, const VirtualComm& comm, const Options& options) {
  const auto rank_count = comm.placement().rank_count();
  fmt::print("cubefold-fft {}: {} transform of {} on {}, {} each\n", CUBEFOLD_VERSION,
             options.inverse ? "inverse" : "forward", counted(report.input.count, "point"),
             counted(rank_count, "process"), counted(report.input.count / rank_count, "point"));
  fmt::print("grid {}, placement {}\n\n", to_string(comm.grid()), to_string(comm.placement().rule()));
  fmt::print("read       {:>10.3f} ms  {} ({})\n", report.read_seconds * 1e3, options.input,
             name_of(report.input.element));
  fmt::print("transform  {:>10.3f} ms  {:.2f} Gflop/s as 5 n log2 n / time\n", report.transform_seconds * 1e3,
             report.flops_per_second() / 1e9);
  if (!options.output.empty()) {
    fmt::print("write      {:>10.3f} ms  {} (complex128)\n", report.write_seconds * 1e3, options.output);
  }
  fmt::print("energy     differs by {:.1e} relative from what Parseval's equation wants\n",
             report.energy_difference);
  if (report.error) {
    fmt::print("check      relative error {:.1e} against serial FFTW, limit {:.1e}: {}\n", *report.error,
               error_limit(report.input.count), report.is_right() ? "right" : "WRONG");
  }
  fmt::print("strongest  bin (magnitude):");
  for (const Bin& bin : report.strongest) fmt::print("  {} ({:.5g})", bin.index, bin.magnitude);
  fmt::print("\n");
}

nlohmann::ordered_json as_json(const Report& report, const VirtualComm& comm, const Options& options) {
  auto json = cubefold::program::run_facts();
  json["grid"] = to_string(comm.grid());
  json["placement"] = to_string(comm.placement().rule());
  json["points"] = report.input.count;
  json["inverse"] = options.inverse;
  json["read_seconds"] = report.read_seconds;
  json["transform_seconds"] = report.transform_seconds;
  json["write_seconds"] = report.write_seconds;
  json["flops_per_second"] = report.flops_per_second();
  json["energy_difference"] = report.energy_difference;
  if (report.error) json["relative_error"] = *report.error;
  for (const Bin& bin : report.strongest) {
    json["strongest"].push_back({{"index", bin.index}, {"magnitude", bin.magnitude}});
  }
  return json;
}

void require_different_files(const Options& options) {
  cubefold::mpi::together(MPI_COMM_WORLD, [&] {
    if (!options.output.empty() && options.output == options.json) {
      throw std::invalid_argument(fmt::format("--output and --json both name {}", options.output));
    }
  });
}

int run_fft(const Options& options) {
  int process_count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &process_count);
  require_different_files(options);
  const VirtualComm comm(MPI_COMM_WORLD, options.network.grid_for(process_count), options.network.placement);
  cubefold::program::JsonFile json(options.json);
  const Report report = transform_file(comm, options);
  if (is_first_process()) print(report, comm, options);
  json.write([&] { return as_json(report, comm, options); });
  return report.is_right() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Fourier transform of a one-dimensional NumPy file, distributed over the processes.",
               "cubefold-fft");
  Options options;
  add_options(app, options);
  return cubefold::program::run_under_mpi(app, argc, argv, [&] { return run_fft(options); });
}
