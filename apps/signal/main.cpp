#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "cubefold/version.h"
#include "npy/header.hpp"

namespace {

struct Options {
  std::size_t point_count = 65536;
  std::vector<std::size_t> tones{1000, 2500, 20000};
  double noise = 0.1;
  std::string output;
};

/// Cosines of amplitude 1, 1/2, 1/3, ... at the given bins, plus uniform noise from a fixed seed. A tone of
/// amplitude a at bin k makes a spectrum of magnitude a n / 2 at k and n - k.
std::vector<double> signal(const Options& options) {
  std::mt19937_64 generator(20021213);
  std::uniform_real_distribution<double> noise(-options.noise, options.noise);
  std::vector<double> samples(options.point_count);
  for (std::size_t j = 0; j < samples.size(); ++j) {
    samples[j] = options.noise > 0 ? noise(generator) : 0.0;
    for (std::size_t tone = 0; tone < options.tones.size(); ++tone) {
      const auto turns = static_cast<double>(options.tones[tone] * j % options.point_count);
      samples[j] += std::cos(2 * std::numbers::pi * turns / static_cast<double>(options.point_count)) /
                    static_cast<double>(tone + 1);
    }
  }
  return samples;
}

int write(const Options& options) {
  const auto samples = signal(options);
  std::ofstream file(options.output, std::ios::binary);
  file << cubefold::npy::header_text(cubefold::npy::Element::float64, samples.size());
  file.write(reinterpret_cast<const char*>(samples.data()),  // NOLINT: raw file data
             static_cast<std::streamsize>(samples.size() * sizeof(double)));
  file.close();
  if (file) return 0;
  fmt::print(stderr, "cubefold-signal: {}: cannot write: {}\n", options.output,
             std::strerror(errno));  // NOLINT
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes a float64 NumPy file of tones in noise, to try cubefold-fft on.", "cubefold-signal");
  app.set_version_flag("--version", fmt::format("cubefold-signal {}", CUBEFOLD_VERSION));
  Options options;
  app.add_option("--points", options.point_count, "Number of samples")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--tones", options.tones,
                 "Bins of the tones, separated by commas; the k-th has amplitude 1/k")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--noise", options.noise, "Largest deviation")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--output", options.output, "The file to write")->required();
  app.footer("Example:\n  cubefold-signal --points 65536 --tones 1000,2500 --output signal.npy");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    fmt::print(stderr, "cubefold-signal: {} (see cubefold-signal --help)\n", error.what());
    return 2;
  }
  return write(options);
}
