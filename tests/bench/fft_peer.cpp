// Our transform and FFTW's own MPI transform on the same processes, taking turns in random order.

#include <fftw3-mpi.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "cubefold/fft/block_cyclic_fft.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "program/json_file.hpp"
#include "program/mpi_program.hpp"
#include "program/program.hpp"

namespace {

using Complex = std::complex<double>;
using cubefold::fft::BlockCyclicFft;
using cubefold::mpi::VirtualComm;

struct Options {
  cubefold::program::Network network;
  std::vector<std::size_t> points{1 << 16};
  int repetitions = 5;
  unsigned seed = 1;
  std::string json;
};

struct Transform {
  std::string name;
  std::function<void()> run;
  std::vector<double> seconds;
};

/// FFTW's transform in place, input and output in blocks of consecutive points.
class FftwTransform {
 public:
  FftwTransform(std::size_t point_count, MPI_Comm comm, unsigned output_order) {
    ptrdiff_t points_in = 0;
    ptrdiff_t first_in = 0;
    ptrdiff_t points_out = 0;
    ptrdiff_t first_out = 0;
    const auto n = static_cast<ptrdiff_t>(point_count);
    const auto room = fftw_mpi_local_size_1d(n, comm, FFTW_FORWARD, FFTW_ESTIMATE | output_order, &points_in,
                                             &first_in, &points_out, &first_out);
    data_ = fftw_alloc_complex(static_cast<std::size_t>(room));
    plan_ = fftw_mpi_plan_dft_1d(n, data_, data_, comm, FFTW_FORWARD, FFTW_ESTIMATE | output_order);
    std::fill_n(&data_[0][0], 2 * room, 0.5);
  }
  FftwTransform(const FftwTransform&) = delete;
  FftwTransform& operator=(const FftwTransform&) = delete;
  ~FftwTransform() {
    if (plan_ != nullptr) fftw_destroy_plan(plan_);
    fftw_free(data_);
  }

  /// FFTW makes no plan for lengths that it cannot distribute in the wanted order.
  bool is_possible() const { return plan_ != nullptr; }
  void run() { fftw_execute(plan_); }

 private:
  fftw_complex* data_ = nullptr;
  fftw_plan plan_ = nullptr;
};

double seconds_of_slowest(MPI_Comm comm, const std::function<void()>& work) {
  MPI_Barrier(comm);
  const double start = MPI_Wtime();
  work();
  double seconds = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

/// Each repetition runs all of them, in an order that is the same on all processes; the first one is not timed.
void measure(std::vector<Transform>& transforms, MPI_Comm comm, const Options& options) {
  std::mt19937 random(options.seed);
  std::vector<std::size_t> order(transforms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (int repetition = 0; repetition <= options.repetitions; ++repetition) {
    std::shuffle(order.begin(), order.end(), random);
    for (const auto k : order) {
      const double seconds = seconds_of_slowest(comm, transforms[k].run);
      if (repetition > 0) transforms[k].seconds.push_back(seconds);
    }
  }
}

nlohmann::ordered_json results_of(std::size_t point_count, const VirtualComm& comm, const Options& options) {
  BlockCyclicFft ours(comm, point_count, cubefold::fft::Transform::forward);
  std::vector<Complex> part(ours.distribution().local_count(), 0.5);
  FftwTransform natural(point_count, comm.cart_comm(), 0);
  FftwTransform scrambled(point_count, comm.cart_comm(), FFTW_MPI_SCRAMBLED_OUT);

  std::vector<Transform> transforms{
      {"cubefold block-cyclic", [&] { ours.execute(part.data(), part.data()); }, {}}};
  if (natural.is_possible()) transforms.push_back({"FFTW MPI natural", [&] { natural.run(); }, {}});
  if (scrambled.is_possible()) transforms.push_back({"FFTW MPI scrambled", [&] { scrambled.run(); }, {}});
  measure(transforms, comm.cart_comm(), options);

  auto results = nlohmann::ordered_json::array();
  for (const auto& transform : transforms) {
    results.push_back(
        {{"points", point_count}, {"algorithm", transform.name}, {"seconds", transform.seconds}});
  }
  return results;
}

int run(const Options& options) {
  fftw_mpi_init();
  int process_count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &process_count);
  const VirtualComm comm(MPI_COMM_WORLD, options.network.grid_for(process_count), options.network.placement);
  cubefold::program::JsonFile file(options.json);
  auto json = cubefold::program::run_facts();
  json["results"] = nlohmann::ordered_json::array();
  for (const auto points : options.points) {
    for (auto& result : results_of(points, comm, options)) json["results"].push_back(result);
  }
  file.write([&] { return json; });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times BlockCyclicFft beside FFTW's MPI transform, for the report of ./dev bench.",
               "fft_peer");
  Options options;
  app.add_option("--points", options.points, "Lengths: processes times a power of four")->delimiter(',');
  app.add_option("--repetitions", options.repetitions, "Timed runs of each")->check(CLI::PositiveNumber);
  app.add_option("--seed", options.seed, "Of the order in which they take turns");
  app.add_option("--json", options.json, "File for the results")->required();
  cubefold::program::add_network_options(app, options.network);
  return cubefold::program::run_under_mpi(app, argc, argv, [&] { return run(options); });
}
