#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "files/output.hpp"
#include "npy/header.hpp"
#include "program/program.hpp"
#include "program/values.hpp"

namespace {

/// The largest number of points, which make a file of 8 GiB.
constexpr std::size_t largest_point_count = std::size_t{1} << 30;

struct Options {
  std::size_t point_count = 65536;
  std::vector<std::size_t> tones{1000, 2500, 20000};
  double noise = 0.1;
  std::string output;
};

/// Returns cosines of amplitude 1, 1/2, 1/3, ... at the given bins, plus uniform noise from a fixed seed. A tone of
/// amplitude a at bin k has a spectrum of magnitude a n / 2 at k and n - k.
std::vector<double> signal(const Options& options) {
  constexpr std::uint64_t seed = 1;
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> noise(-1, 1);
  std::vector<double> samples(options.point_count);
  for (double& sample : samples) sample = options.noise * noise(generator);
  double amplitude_inverse = 0;
  for (const std::size_t tone : options.tones) {
    amplitude_inverse += 1;
    std::size_t turns = 0;  // phase in units of 1 / point_count turn, below one turn
    for (double& sample : samples) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>(turns) / static_cast<double>(samples.size());
      sample += std::cos(angle) / amplitude_inverse;
      turns = (turns + tone % samples.size()) % samples.size();
    }
  }
  return samples;
}

void write(const Options& options) {
  cubefold::files::Output output(options.output);
  const auto samples = signal(options);
  std::string bytes = cubefold::npy::header_text(cubefold::npy::Element::float64, {options.point_count});
  bytes.append(reinterpret_cast<const char*>(samples.data()),
               samples.size() * sizeof(double));  // NOLINT: raw data
  output.write(bytes);
}

void add_options(CLI::App& app, Options& options) {
  app.add_option("--points", options.point_count, "Number of samples")
      ->transform(cubefold::program::whole_number_or_power(1, largest_point_count))
      ->capture_default_str();
  app.add_option("--tones", options.tones,
                 "Bins of the tones, separated by commas; the k-th has amplitude 1/k")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(cubefold::program::whole_number(0))
      ->capture_default_str();
  app.add_option("--noise", options.noise, "Largest deviation of the uniform noise")
      ->check(cubefold::program::number(0))
      ->capture_default_str();
  app.add_option("--output", options.output, "The file to write; - is standard output")->required();
  app.footer("Example:\n  cubefold-signal --points 65536 --tones 1000,2500 --output signal.npy");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes a float64 NumPy file of tones and noise, as input of cubefold-fft.",
               "cubefold-signal");
  Options options;
  add_options(app, options);
  app.callback([&] { write(options); });
  return cubefold::program::run(app, argc, argv);
}
