#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cubefold/transform/plan_options.hpp"
#include "program/cli_fwd.hpp"
#include "program/mpi_program.hpp"

/// This namespace has the parts of the program cubefold-fft.
namespace cubefold::fft_program {

/// Names the built-in inputs for runs without a file.
enum class Signal : std::uint8_t { random, tones };

enum class Precision : std::uint8_t { float32, float64 };

/// The scaling of both directions, by the names of numpy.fft.
enum class Norm : std::uint8_t { backward, ortho, forward };

struct Options {
  program::Network network;
  std::string input;
  std::vector<std::size_t> lengths;  ///< slowest dimension first; empty: the lengths of the input
  Signal signal = Signal::random;
  Precision precision = Precision::float64;
  std::string output;

  bool inverse = false;
  bool real = false;
  bool odd = false;
  bool transposed = false;
  fft::Decomposition decomposition = fft::Decomposition::automatic;
  fft::Algorithm algorithm = fft::Algorithm::automatic;
  fft::Rigor rigor = fft::Rigor::estimate;
  Norm norm = Norm::backward;
  std::string distribution = "block";
  std::array<std::size_t, 2> process_grid{};
  std::vector<std::size_t> boxes;  ///< number of bricks in each dimension; empty: the plan's distribution
  std::vector<fft::LineTransform> lines;  ///< one for each dimension; empty: Fourier transforms
  std::size_t threads = 1;
  std::size_t batch = 1;  ///< equal arrays that are transformed together
  std::string wisdom;

  bool explain = false;
  bool check = false;
  int repeat = 1;
  std::string compare;
  std::string plot;
  std::size_t slice = 0;
  std::string json;
};

void add_options(CLI::App& app, Options& options);

/// Throws std::invalid_argument for options that exclude each other.
void require_fitting(const Options& options);

/// Returns the options of the plan. Throws std::invalid_argument for an unknown distribution.
fft::PlanOptions plan_options(const Options& options);

}  // namespace cubefold::fft_program
