// This program solves Poisson's equation on a periodic box: it transforms, divides by the eigenvalues and transforms
// back. The division works for any order of the frequencies, so the spectrum keeps the order in which the last
// exchange leaves it. This saves two exchanges.
//
//     CUBEFOLD_GRID=torus:4x2 mpirun -n 8 poisson [POINTS | N0 N1 N2]

#include <mpi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cubefold/fft/plan.hpp"

namespace {

using cubefold::fft::Kind;
using cubefold::fft::Transform;
using cubefold::mpi::VirtualComm;
using Plan = cubefold::fft::Plan<double>;
using Lengths = std::array<std::size_t, 3>;
constexpr double two_pi = 2 * std::numbers::pi;
constexpr const char* help = R"(Usage: poisson [POINTS | N0 N1 N2]

Solves -(u_xx + u_yy + u_zz) = f on the periodic unit box, where u is exp(sin 2 pi x + sin 2 pi y + sin 2 pi z) minus
its mean. The box has POINTS (64) a side, or N0 x N1 x N2 points. Prints the difference of the answer from u.

Examples:
  mpirun -n 4 poisson 32
  CUBEFOLD_GRID=torus:4x4 mpirun -n 16 poisson       # slabs or pencils, whichever take less
  CUBEFOLD_GRID=ring:6 mpirun -n 6 poisson 48 40 90  # slabs
)";

/// Returns the coordinates of the n-th point of an array of `lengths`, the last one fastest.
Lengths coordinates(std::size_t n, const Lengths& lengths) {
  return {n / lengths[2] / lengths[1], n / lengths[2] % lengths[1], n % lengths[2]};
}

/// Holds the solution u and the source f at a point.
struct Sample {
  double solution, source;
};

Sample sample(const Lengths& point, const Lengths& lengths) {
  static const double mean = std::pow(std::cyl_bessel_i(0.0, 1.0), 3);
  double exponent = 0, curvature = 0;
  for (std::size_t d = 0; d < point.size(); ++d) {
    const double x = two_pi * static_cast<double>(point[d]) / static_cast<double>(lengths[d]);
    exponent += std::sin(x);
    curvature += std::cos(x) * std::cos(x) - std::sin(x);
  }
  return {std::exp(exponent) - mean, -two_pi * two_pi * std::exp(exponent) * curvature};
}

/// Returns the eigenvalue of -(u_xx + u_yy + u_zz) for the wave with these frequencies. Frequencies above n/2 are
/// negative.
double eigenvalue(const Lengths& frequency, const Lengths& lengths) {
  double sum = 0;
  for (std::size_t d = 0; d < frequency.size(); ++d) {
    sum += std::pow(static_cast<double>(std::min(frequency[d], lengths[d] - frequency[d])), 2);
  }
  return two_pi * two_pi * sum;
}

/// Describes the quality of the answer, first for the points of this process and then for all points.
struct Judgement {
  double worst = 0;            ///< largest difference from the solution
  double largest = 0;          ///< largest value of the solution
  double source_energy = 0;    ///< sum of f^2
  double spectrum_energy = 0;  ///< sum of f^2 by Parseval's equation
  double seconds = 0;
};

/// Divides the spectrum by the eigenvalues and returns its energy. Frequencies with k2 in 1 .. (n2 - 1)/2 count twice.
double divide(std::vector<std::complex<double>>& spectrum, const Plan& plan, const Lengths& lengths) {
  const Lengths half{lengths[0], lengths[1], lengths[2] / 2 + 1};
  double energy = 0;
  for (std::size_t place = 0; place < spectrum.size(); ++place) {
    const std::size_t point = plan.output().point_at(plan.members(), place);
    const Lengths k = coordinates(point, half);
    energy += (k[2] == 0 || 2 * k[2] == lengths[2] ? 1 : 2) * std::norm(spectrum[place]);
    spectrum[place] = point == 0 ? 0 : spectrum[place] / eigenvalue(k, lengths);
  }
  return energy / static_cast<double>(lengths[0] * lengths[1] * lengths[2]);
}

Judgement judge(const std::vector<double>& found, const std::vector<Sample>& wanted) {
  Judgement own;
  for (std::size_t place = 0; place < found.size(); ++place) {
    own.worst = std::max(own.worst, std::abs(found[place] - wanted[place].solution));
    own.largest = std::max(own.largest, std::abs(wanted[place].solution));
    own.source_energy += wanted[place].source * wanted[place].source;
  }
  return own;
}

Judgement solve(const VirtualComm& comm, const Lengths& lengths) {
  const std::vector<std::size_t> shape(lengths.begin(), lengths.end());
  Plan there(comm, shape, {.kind = Kind::real, .transposed_output = true});
  Plan back(comm, shape, {.transform = Transform::inverse, .kind = Kind::real, .transposed_output = true});
  std::vector<Sample> samples(there.input_count());
  std::vector<double> values(samples.size());
  for (std::size_t place = 0; place < values.size(); ++place) {
    samples[place] = sample(coordinates(there.input().point_at(there.members(), place), lengths), lengths);
    values[place] = samples[place].source;
  }
  std::vector<std::complex<double>> spectrum(there.output_count());
  MPI_Barrier(comm.virtual_comm());
  const double begin = MPI_Wtime();
  there.execute(values.data(), spectrum.data());
  const double energy = divide(spectrum, there, lengths);
  back.execute(spectrum.data(), values.data());
  const double seconds = MPI_Wtime() - begin;
  Judgement own = judge(values, samples);
  own.spectrum_energy = energy;
  own.seconds = seconds;
  return own;
}

/// Combines the values of all processes. All processes must call this.
Judgement of_all(Judgement own, MPI_Comm comm) {
  std::array<double, 3> largest{own.worst, own.largest, own.seconds};
  std::array<double, 2> sums{own.source_energy, own.spectrum_energy};
  MPI_Allreduce(MPI_IN_PLACE, largest.data(), 3, MPI_DOUBLE, MPI_MAX, comm);
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, comm);
  return {largest[0], largest[1], sums[0], sums[1], largest[2]};
}

/// Returns the error that is expected relative to the largest value. The frequencies of u decrease as the Bessel
/// functions I_k(1) do. The error consists of the frequencies that the points cannot represent, and of rounding.
double expected_error(const Lengths& lengths) {
  double error = 1e-13;
  for (const std::size_t n : lengths) error += 10 * std::cyl_bessel_i(0.5 * static_cast<double>(n), 1.0);
  return error;
}

std::size_t parse_length(const std::string& text) {
  std::size_t length = 0;
  const auto [read, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (error != std::errc() || read != text.data() + text.size() || length == 0)
    throw std::invalid_argument("'" + text + "' is no number of points");
  return length;
}

Lengths parse_lengths(const std::vector<std::string>& texts) {
  if (texts.empty()) return {64, 64, 64};
  if (texts.size() != 1 && texts.size() != 3)
    throw std::invalid_argument(std::to_string(texts.size()) + " lengths are neither 1 nor 3 (see --help)");
  return {parse_length(texts.front()), parse_length(texts[texts.size() / 2]), parse_length(texts.back())};
}

/// Returns the exit status: 0 if the answer is right, 1 if it is wrong.
int solve_and_check(const Lengths& lengths, bool prints) {
  const VirtualComm comm(MPI_COMM_WORLD, std::nullopt, "identity");  // uses the grid of CUBEFOLD_GRID
  const Judgement all = of_all(solve(comm, lengths), comm.virtual_comm());
  const double error = all.worst / all.largest;
  const double imbalance = std::abs(all.spectrum_energy / all.source_energy - 1);
  const auto point_count = static_cast<double>(lengths[0] * lengths[1] * lengths[2]);
  const bool is_right = error <= expected_error(lengths) && imbalance <= 1e-14 * std::sqrt(point_count);
  if (prints) {
    std::printf("%zu x %zu x %zu points on %s in %.3f s: %s\n", lengths[0], lengths[1], lengths[2],
                to_string(comm.grid()).c_str(), all.seconds, is_right ? "right" : "WRONG");
    std::printf("largest error %.1e of the largest value; energies of f and its spectrum differ by %.1e\n",
                error, imbalance);
  }
  return is_right ? 0 : 1;
}

int run(const std::vector<std::string>& arguments) {
  int process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  try {
    if (arguments != std::vector<std::string>{"--help"})
      return solve_and_check(parse_lengths(arguments), process == 0);
    if (process == 0) std::fputs(help, stdout);
    return 0;
  } catch (const std::invalid_argument& error) {  // the exception is the same on all processes
    if (process == 0) std::fprintf(stderr, "poisson: %s\n", error.what());
    return 2;
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = run({argv + 1, argv + argc});
  MPI_Finalize();
  return status;
}
