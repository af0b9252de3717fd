#include "trial.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cubefold/mpi/error.hpp"
#include "fftw_transform.hpp"
#include "memory.hpp"
#include "mpi/processes.hpp"
#include "planned_transform.hpp"

namespace cubefold::bench {

namespace {

using fft::Distribution;
using Maker = std::function<std::unique_ptr<PeerTransform>()>;

struct Contestant {
  const char* name;
  const char* baseline;
  fft::PlanOptions options;
};

fft::PlanOptions distributed(Distribution input, Distribution output) {
  fft::PlanOptions options;
  options.input = input;
  options.output = output;
  return options;
}

std::vector<Contestant> contestants(std::size_t dimension_count, fft::Kind kind) {
  constexpr const char* natural = "FFTW MPI natural";
  if (dimension_count == 1 && kind == fft::Kind::real) return {};
  if (dimension_count == 1) {
    return {{"cubefold block", natural, distributed(Distribution::block, Distribution::block)},
            {"cubefold scrambled", "FFTW MPI scrambled",
             distributed(Distribution::block, Distribution::scrambled)},
            {"cubefold block-cyclic", natural,
             distributed(Distribution::block_cyclic, Distribution::block_cyclic)},
            {"cubefold cyclic", natural, distributed(Distribution::cyclic, Distribution::cyclic)}};
  }
  fft::PlanOptions transposed;
  transposed.transposed_output = true;
  fft::PlanOptions slab;
  slab.decomposition = fft::Decomposition::slab;
  fft::PlanOptions pencil;
  pencil.decomposition = fft::Decomposition::pencil;
  if (kind == fft::Kind::real) {
    fft::PlanOptions real;
    real.kind = transposed.kind = kind;
    return {{"cubefold natural", natural, real}, {"cubefold transposed", "FFTW MPI transposed", transposed}};
  }
  return {{"cubefold natural", natural, {}},
          {"cubefold transposed", "FFTW MPI transposed", transposed},
          {"cubefold natural, slab", natural, slab},
          {"cubefold natural, pencil", natural, pencil}};
}

/// Returns the values at these points on all processes. One process has each value.
std::vector<Complex> values_at(const std::vector<std::size_t>& points, const PeerTransform& transform,
                               MPI_Comm comm) {
  std::vector<Complex> values;
  for (const std::size_t point : points) values.push_back(transform.value_of(point).value_or(0));
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                           MPI_CXX_DOUBLE_COMPLEX, MPI_SUM, comm),
             "MPI_Allreduce");
  return values;
}

/// Makes MPI allocate the memory that processes share, which it does at its first use, so that no trial pays for it.
/// Does nothing on several hosts, where the messages are slow.
void touch_memory_of_mpi(MPI_Comm comm) {
  constexpr int block_bytes = 1 << 18;
  if (mpi::host_count(comm) > 1) return;
  int count = 0;
  mpi::check(MPI_Comm_size(comm, &count), "MPI_Comm_size");
  const std::vector<char> sent(static_cast<std::size_t>(count) * block_bytes);
  std::vector<char> received(sent.size());
  mpi::check(MPI_Alltoall(sent.data(), block_bytes, MPI_CHAR, received.data(), block_bytes, MPI_CHAR, comm),
             "MPI_Alltoall");
}

double largest_of(MPI_Comm comm, double value) {
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  return value;
}

/// Runs a trial and returns it without its name. It has no transform if the library refuses the lengths. All processes
/// must call this.
Trial tried(const mpi::VirtualComm& comm, std::size_t point_count, const Arrays& arrays, const Maker& make) {
  Trial trial;
  Growth planning;
  Growth running;
  const std::size_t sharing = mpi::own_host(comm.cart_comm()).process_count;
  try {
    planning = growth_during(sharing, [&] { trial.transform = make(); });
  } catch (const std::invalid_argument&) {  // all processes throw
    return trial;
  }
  if (!trial.transform) return trial;
  running = growth_during(sharing, [&] {
    trial.transform->fill();
    trial.transform->run();
  });
  // A program that plans first takes its arrays when the memory of the planner is free again.
  const std::size_t own = trial.transform->array_bytes();
  const std::size_t planned = planning.peak_bytes + (trial.transform->arrays_come_first() ? own : 0);
  const std::size_t grown = std::max(planned, own + planning.kept_bytes + running.peak_bytes);
  const auto points = sample_of(point_count);
  trial.transform->learn_order(points);
  trial.transform->fill();
  trial.transform->run();
  trial.sample = values_at(points, *trial.transform, comm.cart_comm());
  trial.transform->fill();
  const std::size_t kept = trial.transform->array_bytes() / sizeof(Complex) + 1;
  trial.input.assign(arrays.first(), arrays.first() + std::min(kept, arrays.capacity()));
  const auto data = static_cast<double>(std::max<std::size_t>(trial.transform->data_bytes(), 1));
  trial.growth_over_data = largest_of(comm.cart_comm(), static_cast<double>(grown) / data);
  return trial;
}

}  // namespace

std::vector<std::size_t> sample_of(std::size_t point_count) {
  constexpr std::size_t most = 4096;
  std::vector<std::size_t> points;
  if (point_count <= most) {
    for (std::size_t point = 0; point < point_count; ++point) points.push_back(point);
    return points;
  }
  // An odd step reaches every residue modulo powers of two, and the golden ratio spreads the points evenly.
  const std::size_t step =
      static_cast<std::size_t>(static_cast<double>(point_count) * 0.6180339887498949) | 1;
  for (std::size_t i = 0; i < most; ++i) points.push_back(i * step % point_count);
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

std::vector<Trial> make_trials(const mpi::VirtualComm& comm, const Lengths& lengths, fft::Kind kind,
                               bool measures, const Arrays& arrays) {
  touch_memory_of_mpi(comm.cart_comm());
  load_code();
  const auto points = point_count(spectrum_lengths(lengths, kind));
  std::vector<Trial> trials;
  const auto add = [&](const char* name, const char* baseline, const Maker& make) {
    Trial trial = tried(comm, points, arrays, make);
    trial.name = name;
    trial.baseline = baseline;
    if (trial.transform) trials.push_back(std::move(trial));
  };
  const auto add_fftw = [&](const char* name, FftwOrder order) {
    add(name, "", [&]() -> std::unique_ptr<PeerTransform> {
      auto made = std::make_unique<FftwTransform>(lengths, comm.cart_comm(), order,
                                                  measures ? FFTW_MEASURE : FFTW_ESTIMATE, kind, arrays);
      if (!made->is_possible()) return nullptr;
      return made;
    });
  };
  add_fftw("FFTW MPI natural", FftwOrder::natural);
  add_fftw(lengths.size() == 1 ? "FFTW MPI scrambled" : "FFTW MPI transposed", FftwOrder::loose);
  for (Contestant contestant : contestants(lengths.size(), kind)) {
    if (measures && contestant.options.decomposition != fft::Decomposition::automatic) continue;
    if (measures) contestant.options.rigor = fft::Rigor::measure;
    add(contestant.name, contestant.baseline,
        [&] { return std::make_unique<PlannedTransform>(comm, lengths, contestant.options, arrays); });
  }
  return trials;
}

double largest_difference(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double largest = 0;
  double squares = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
    squares += std::norm(b[i]);
  }
  return largest / std::sqrt(squares / static_cast<double>(b.size()));
}

fft::PhaseTimes mean_times(MPI_Comm comm, const fft::PhaseTimes& times) {
  int count = 0;
  mpi::check(MPI_Comm_size(comm, &count), "MPI_Comm_size");
  std::vector<double> sums{times.transform_seconds, times.exchange_seconds, times.overlap_seconds};
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), 3, MPI_DOUBLE, MPI_SUM, comm), "MPI_Allreduce");
  return {sums[0] / count, sums[1] / count, sums[2] / count};
}

}  // namespace cubefold::bench
