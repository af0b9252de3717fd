// This program compares our planned transforms with FFTW's own MPI transforms of the same data on the same processes.
// All transforms run repeatedly, in random order.

#include <fftw3-mpi.h>
#include <fmt/format.h>
#include <mpi.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

#include "arrays.hpp"
#include "memory.hpp"
#include "program/mpi_program.hpp"
#include "program/program.hpp"
#include "timing/runs.hpp"
#include "trial.hpp"

namespace cubefold::bench {

namespace {

struct Options {
  program::Network network;
  std::vector<std::string> arrays{"65536"};
  timing::RunOptions runs;
  bool measures = false;
  bool real = false;
  std::string json;
};

Lengths parse_lengths(const std::string& text) {
  Lengths lengths;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, 'x');) lengths.push_back(std::stoull(word));
  return lengths;
}

/// Every run begins with a copy of its input. Filling the array by each library's own order of points would leave other
/// data in the caches for each.
timing::Measured measure(std::vector<Trial>& trials, const mpi::VirtualComm& comm, const Arrays& arrays,
                         const Options& options) {
  const auto timed = [&](std::size_t number, std::uint32_t run) {
    Trial& trial = trials[number];
    std::ranges::copy(trial.input, arrays.first());
    const double seconds = timing::time_of_slowest(comm.cart_comm(), [&] { trial.transform->run(); });
    const bool counts = run >= trials.size();  // the first run of each does not count
    if (counts) trial.times.push_back(mean_times(comm.cart_comm(), trial.transform->times()));
    return seconds;
  };
  return measure_shuffled(comm.cart_comm(), trials.size(), options.runs, timed);
}

nlohmann::ordered_json phases(const std::vector<fft::PhaseTimes>& times) {
  nlohmann::ordered_json json;
  for (const fft::PhaseTimes& each : times) {
    json["transform"].push_back(each.transform_seconds);
    json["exchange"].push_back(each.exchange_seconds);
    json["overlap"].push_back(each.overlap_seconds);
  }
  return json;
}

nlohmann::ordered_json results_of(const Lengths& lengths, const mpi::VirtualComm& comm,
                                  const Options& options) {
  const fft::Kind kind = options.real ? fft::Kind::real : fft::Kind::complex;
  const Arrays arrays(lengths, comm.placement().rank_count());
  auto trials = make_trials(comm, lengths, kind, options.measures, arrays);
  const auto measured = measure(trials, comm, arrays, options);
  auto results = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < trials.size(); ++k) {
    const Trial& trial = trials[k];
    nlohmann::ordered_json row{{"lengths", lengths},
                               {"points", point_count(lengths)},
                               {"processes", comm.placement().rank_count()},
                               {"kind", options.real ? "real" : "complex"},
                               {"transform", trial.name},
                               {"baseline", trial.baseline}};
    row.update(as_json(measured.times[k]));
    row["difference"] = largest_difference(trial.sample, trials.front().sample);
    row["growth_over_data"] = trial.growth_over_data;
    if (!trial.baseline.empty()) row["phases"] = phases(trial.times);
    row["plan"] = trial.transform->explain();
    results.push_back(row);
  }
  return results;
}

int run(const Options& options) {
  fftw_mpi_init();
  const mpi::VirtualComm comm(MPI_COMM_WORLD, options.network.grid, options.network.placement);
  program::JsonFile file(options.json);
  auto json = program::run_facts();
  json["results"] = nlohmann::ordered_json::array();
  for (const std::string& array : options.arrays) {
    for (auto& result : results_of(parse_lengths(array), comm, options)) json["results"].push_back(result);
  }
  file.write([&] { return json; });
  return 0;
}

void add_options(CLI::App& app, Options& options) {
  app.add_option("--arrays", options.arrays, "Lengths of each, as 1048576,128x128x128")
      ->delimiter(',')
      ->check(CLI::Validator(
          [](const std::string& text) {
            const bool fits = !text.empty() && text.find_first_not_of("0123456789x") == std::string::npos;
            return fits ? "" : fmt::format("{} are no lengths", text);
          },
          "LENGTHS"));
  app.add_option("--repetitions", options.runs.repetitions, "Timed runs of each")->check(CLI::PositiveNumber);
  app.add_option("--seed", options.runs.seed, "Of the order in which they take turns");
  app.add_flag("--measure", options.measures, "Both plan with FFTW_MEASURE");
  app.add_flag("--real", options.real, "Transform real numbers, from one array to another");
  program::add_machine_option(app, "Machine file for CUBEFOLD_MACHINE");
  app.add_option("--json", options.json, "File for the results")->required();
  program::add_network_options(app, options.network);
}

}  // namespace

}  // namespace cubefold::bench

int main(int argc, char** argv) {
  cubefold::bench::return_freed_memory();
  CLI::App app("Times fft::Plan beside FFTW's MPI transform, for the report of ./dev bench.", "fft_peer");
  cubefold::bench::Options options;
  cubefold::bench::add_options(app, options);
  return cubefold::program::run_under_mpi(app, argc, argv, [&] { return cubefold::bench::run(options); });
}
