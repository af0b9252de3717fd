#include <algorithm>
#include <complex>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cubefold/mpi/error.hpp"
#include "fft/baseline.hpp"
#include "fft/fftw_mpi.hpp"
#include "fft/numbers.hpp"
#include "mpi/agreement.hpp"

using cubefold::npy::NaturalOrder;
using cubefold::npy::Range;

namespace cubefold::fft_program {

namespace {

unsigned rigor_flag(fft::Rigor rigor) {
  switch (rigor) {
    case fft::Rigor::estimate:
      return FFTW_ESTIMATE;
    case fft::Rigor::measure:
      return FFTW_MEASURE;
    case fft::Rigor::patient:
      return FFTW_PATIENT;
    case fft::Rigor::exhaustive:
      break;
  }
  return FFTW_EXHAUSTIVE;
}

/// Returns FFTW MPI's flag for the order in which cubefold has the frequencies. Returns 0 for natural order, and for an
/// order that FFTW MPI does not have.
unsigned order_flag(const Options& options, bool one_dimension) {
  const auto plan = plan_options(options);
  if (!one_dimension) {
    if (!options.transposed) return 0;
    return options.inverse ? FFTW_MPI_TRANSPOSED_IN : FFTW_MPI_TRANSPOSED_OUT;
  }
  if (plan.output == fft::Distribution::scrambled && !options.inverse) return FFTW_MPI_SCRAMBLED_OUT;
  if (plan.input == fft::Distribution::scrambled && options.inverse) return FFTW_MPI_SCRAMBLED_IN;
  return 0;
}

/// Describes the part of a process as FFTW distributes it. The counts are points in one dimension, and rows of the
/// first dimension otherwise.
struct LocalSizes {
  std::ptrdiff_t room = 0;  ///< number of complex numbers in the buffer
  std::ptrdiff_t input_count = 0;
  std::ptrdiff_t input_first = 0;
  std::ptrdiff_t output_count = 0;
  std::ptrdiff_t output_first = 0;
};

template <typename Real>
class FftwBaseline : public Baseline {
 public:
  FftwBaseline(const Problem& problem, const Options& options, const NaturalOrder& order, const void* part)
      : problem_(problem),
        comm_(order.comm()),
        sign_(options.inverse ? FFTW_BACKWARD : FFTW_FORWARD),
        rigor_(rigor_flag(options.rigor)),
        order_(order_flag(options, is_1d())),
        scale_(scale_of(plan_options(options), problem.point_count())),
        has_boxes_(!options.boxes.empty()),
        sizes_(local_sizes()),
        input_ranges_(ranges(sizes_.input_first, sizes_.input_count, problem.input_shape)),
        output_ranges_(ranges(sizes_.output_first, sizes_.output_count, problem.output_shape)) {
    mpi::agree_on_outcome(comm_, [&] {
      input_ = FftwArray<Real>(room(), last(problem.lengths), padded_row());
      output_ = FftwArray<Real>(room(), last(problem.lengths), padded_row());
      // A transform to real numbers overwrites its input.
      if (!npy::is_complex(problem_.output)) original_.resize(2 * room());
    });
    natural_plan_ = planned(0);
    if (order_ != 0) plan_ = planned(order_);
    mpi::agree_on_outcome(comm_, [&] {
      if (natural_plan_ == nullptr)
        throw std::invalid_argument("--compare fftw: FFTW MPI has no plan for this");
    });
    load(order, part);
  }
  FftwBaseline(const FftwBaseline&) = delete;
  FftwBaseline& operator=(const FftwBaseline&) = delete;
  ~FftwBaseline() override {
    if (natural_plan_ != nullptr) Fftw<Real>::destroy(natural_plan_);
    if (plan_ != nullptr) Fftw<Real>::destroy(plan_);
  }

  void prepare() override { std::copy(original_.begin(), original_.end(), input_.real()); }

  void run() override { Fftw<Real>::execute(plan_ != nullptr ? plan_ : natural_plan_); }

  std::string departures() const override {
    if (order_ != 0 && plan_ == nullptr) return "in natural order, for it has no other here";
    if (is_1d() && problem_.full_length()) return "complex, for it has no real transform of one dimension";
    return has_boxes_ ? "in its own distribution, for it has no bricks" : "";
  }

  double difference_of(const NaturalOrder& order, const void* part) override {
    prepare();
    Fftw<Real>::execute(natural_plan_);
    std::vector<std::byte> theirs;
    mpi::agree_on_outcome(comm_,
                          [&] { theirs.resize(order.own().place_count() * npy::bytes_of(problem_.output)); });
    order.scatter(output_ranges_, theirs.data(), npy::bytes_of(problem_.output),
                  [&](const Range& range, std::byte* points) { take_output(range, points); });
    std::vector<double> result;
    std::vector<double> expected;
    mpi::agree_on_outcome(comm_, [&] {
      result = widened(order.own(), problem_.output, part);
      expected = widened(order.own(), problem_.output, theirs.data());
    });
    for (double& value : expected) value *= scale_;
    return relative_error(comm_, result, expected);
  }

 private:
  static std::size_t last(const npy::Shape& shape) { return shape.back(); }
  bool is_1d() const { return problem_.lengths.size() == 1; }
  bool has_real_plan() const { return problem_.full_length() && !is_1d(); }
  std::size_t padded_row() const { return 2 * (last(problem_.lengths) / 2 + 1); }
  std::size_t room() const { return static_cast<std::size_t>(sizes_.room); }

  std::vector<std::ptrdiff_t> lengths() const { return {problem_.lengths.begin(), problem_.lengths.end()}; }

  LocalSizes local_sizes() const {
    LocalSizes sizes;
    auto n = lengths();
    if (is_1d()) {
      sizes.room = Fftw<Real>::local_size_1d(n[0], comm_, sign_, rigor_, &sizes.input_count,
                                             &sizes.input_first, &sizes.output_count, &sizes.output_first);
      return sizes;
    }
    if (has_real_plan()) n.back() = n.back() / 2 + 1;
    std::ptrdiff_t transposed_count = 0;
    std::ptrdiff_t transposed_first = 0;
    sizes.room = Fftw<Real>::local_size(static_cast<int>(n.size()), n.data(), comm_, &sizes.input_count,
                                        &sizes.input_first, &transposed_count, &transposed_first);
    sizes.output_count = sizes.input_count;
    sizes.output_first = sizes.input_first;
    return sizes;
  }

  /// Returns the range of points of every process, cut off at the end of the shape. All processes must call this.
  std::vector<Range> ranges(std::ptrdiff_t first, std::ptrdiff_t count, const npy::Shape& shape) const {
    const std::size_t all = npy::point_count(shape);
    const std::size_t row = is_1d() ? 1 : all / shape.front();
    const std::size_t begin = std::min(static_cast<std::size_t>(first) * row, all);
    const Range own{begin, std::min(begin + static_cast<std::size_t>(count) * row, all)};
    int size = 0;
    mpi::check(MPI_Comm_size(comm_, &size), "MPI_Comm_size");
    std::vector<Range> result;
    mpi::agree_on_outcome(comm_, [&] { result.resize(static_cast<std::size_t>(size)); });
    mpi::check(MPI_Allgather(&own, sizeof own, MPI_BYTE, result.data(), sizeof own, MPI_BYTE, comm_),
               "MPI_Allgather");
    return result;
  }

  typename Fftw<Real>::Plan planned(unsigned order) {
    const unsigned flags = rigor_ | order;
    const auto n = lengths();
    const int rank = static_cast<int>(n.size());
    if (is_1d()) return Fftw<Real>::plan_1d(n[0], input_.complex(), output_.complex(), comm_, sign_, flags);
    if (!has_real_plan()) {
      return Fftw<Real>::plan(rank, n.data(), input_.complex(), output_.complex(), comm_, sign_, flags);
    }
    if (sign_ == FFTW_FORWARD) {
      return Fftw<Real>::plan_r2c(rank, n.data(), input_.real(), output_.complex(), comm_, flags);
    }
    return Fftw<Real>::plan_c2r(rank, n.data(), input_.complex(), output_.real(), comm_, flags);
  }

  std::size_t own_first(const std::vector<Range>& ranges) const {
    int rank = 0;
    mpi::check(MPI_Comm_rank(comm_, &rank), "MPI_Comm_rank");
    return ranges[static_cast<std::size_t>(rank)].first;
  }

  void load(const NaturalOrder& order, const void* part) {
    const std::size_t first = own_first(input_ranges_);
    order.gather(input_ranges_, part, npy::bytes_of(problem_.input),
                 [&](const Range& range, const std::byte* points) {
                   put_input(range.first - first, range.count(), points);
                 });
    std::copy_n(input_.real(), original_.size(), original_.begin());
  }

  /// Copies points to the input, from point i of this process on.
  void put_input(std::size_t i, std::size_t count, const std::byte* points) {
    if (npy::is_complex(problem_.input)) {
      std::memcpy(input_.complex() + i, points, count * sizeof(std::complex<Real>));
      return;
    }
    for (std::size_t k = 0; k < count; ++k) {
      Real value{};
      std::memcpy(&value, points + k * sizeof value, sizeof value);
      if (is_1d()) {
        input_.complex()[i + k][0] = value;
        input_.complex()[i + k][1] = 0;
      } else {
        input_.real_at(i + k) = value;
      }
    }
  }

  void take_output(const Range& range, std::byte* points) {
    const std::size_t i = range.first - own_first(output_ranges_);
    if (npy::is_complex(problem_.output)) {
      std::memcpy(points, output_.complex() + i, range.count() * sizeof(std::complex<Real>));
      return;
    }
    for (std::size_t k = 0; k < range.count(); ++k) {
      std::memcpy(points + k * sizeof(Real), &output_.real_at(i + k), sizeof(Real));
    }
  }

  Problem problem_;
  MPI_Comm comm_;
  int sign_;
  unsigned rigor_;
  unsigned order_;
  double scale_;
  bool has_boxes_;
  LocalSizes sizes_;
  std::vector<Range> input_ranges_;
  std::vector<Range> output_ranges_;
  FftwArray<Real> input_;
  FftwArray<Real> output_;
  std::vector<Real> original_;  ///< copy of the input, if a run overwrites it
  typename Fftw<Real>::Plan natural_plan_ = nullptr;
  typename Fftw<Real>::Plan plan_ = nullptr;  ///< plan for the order of our output, if not natural
};

}  // namespace

std::unique_ptr<Baseline> fftw_baseline(const Problem& problem, const Options& options,
                                        const NaturalOrder& order, const void* part) {
  mpi::agree_on_outcome(order.comm(), [&] {
    if (problem.lengths.size() == 1 && !npy::is_complex(problem.output)) {
      throw std::invalid_argument("--compare fftw: FFTW MPI has no real transform of one dimension");
    }
  });
  if (problem.is_single()) {
    Fftw<float>::init();
    return std::make_unique<FftwBaseline<float>>(problem, options, order, part);
  }
  Fftw<double>::init();
  return std::make_unique<FftwBaseline<double>>(problem, options, order, part);
}

}  // namespace cubefold::fft_program
