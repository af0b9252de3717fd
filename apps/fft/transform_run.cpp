#include "fft/transform_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "cubefold/fft/plan.hpp"
#include "cubefold/mpi/error.hpp"
#include "fft/baseline.hpp"
#include "fft/input_source.hpp"
#include "fft/part.hpp"
#include "fft/point_layout.hpp"
#include "fft/result_plot.hpp"
#include "fft/serial_check.hpp"
#include "files/output.hpp"
#include "mpi/agreement.hpp"
#include "npy/parallel_file.hpp"
#include "program/progress.hpp"
#include "timing/runs.hpp"

using cubefold::mpi::VirtualComm;
using cubefold::timing::time_of_slowest;

namespace cubefold::fft_program {

namespace {

/// The first calls of an exchange may all be trials of its candidates.
constexpr int most_calls_of_trials = 10;

constexpr std::size_t strongest_count = 6;

/// Returns the relative difference of the two sides of Parseval's equation. For n points, the sum of |output|^2 is n
/// times the square of the transform's factor times the sum of |input|^2. Returns the sum of |output|^2 if the input is
/// 0.
double energy_difference(double input, double output, double count, double scale) {
  const double expected = input * count * scale * scale;
  return expected == 0 ? output : std::abs(output - expected) / expected;
}

/// Returns the longest times of all processes.
fft::PhaseTimes slowest(MPI_Comm comm, const fft::PhaseTimes& own) {
  std::array<double, 3> seconds{own.transform_seconds, own.exchange_seconds, own.overlap_seconds};
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, seconds.data(), 3, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  return {seconds[0], seconds[1], seconds[2]};
}

/// Returns the number of the run whose time is nearest to the median.
std::size_t median_run(const timing::Times& times) {
  const auto distance = [&](double seconds) { return std::abs(seconds - times.median()); };
  const auto nearest = std::min_element(times.seconds.begin(), times.seconds.end(),
                                        [&](double a, double b) { return distance(a) < distance(b); });
  return static_cast<std::size_t>(nearest - times.seconds.begin());
}

template <typename Real>
class TransformRun {
 public:
  using Complex = std::complex<Real>;

  TransformRun(const VirtualComm& comm, const Options& options, Problem problem)
      : comm_(comm), ranks_(comm.virtual_comm()), options_(options) {
    report_.problem = std::move(problem);
    progress_.show("planning");
    fft::PlanOptions requested = plan_options(options_);
    mpi::agree_on_outcome(ranks_, [&] { put_into_boxes(requested); });
    report_.plan_seconds =
        time_of_slowest(ranks_, [&] { plan_.emplace(comm_, report_.problem.lengths, requested); });
    report_.plan = plan_->options();
    report_.explanation = plan_->explain();
    if (options_.explain) return;
    if (options_.boxes.empty()) {
      input_at_ = {plan_->input(), plan_->members()};
      output_at_ = {plan_->output(), plan_->members()};
    }
    input_order_.emplace(ranks_, input_at_.layout, input_at_.members);
    output_order_.emplace(ranks_, output_at_.layout, output_at_.members);
    open_files();
  }

  Report run() {
    if (options_.explain) return std::move(report_);
    allocate();
    read();
    const double input_energy =
        with_input([&](auto part) { return energy(*input_order_, part, report_.problem.half_of_input()); });
    std::optional<SerialCheck> check;
    if (options_.check) check.emplace(report_.problem, plan_->options(), *input_order_, input_.data());
    if (!options_.compare.empty())
      baseline_ = fftw_baseline(report_.problem, options_, *input_order_, input_.data());
    execute();
    progress_.show("checking");
    judge(input_energy, check);
    if (plot_) with_output([&](auto part) { plot_->draw(*output_order_, part); });
    progress_.show("writing");
    if (file_)
      report_.write_seconds = time_of_slowest(ranks_, [&] { file_->write(*output_order_, result()); });
    if (plot_) plot_->commit();
    if (file_) file_->commit();
    return std::move(report_);
  }

 private:
  /// Finds the box of this process at both ends, if the points are in bricks.
  void put_into_boxes(fft::PlanOptions& requested) {
    if (options_.boxes.empty()) return;
    const auto layout_of = [&](const npy::Shape& shape) {
      return brick_layout(shape, options_.boxes, comm_.placement().rank_count(), label(comm_.rank()));
    };
    input_at_ = layout_of(report_.problem.input_shape);
    output_at_ = layout_of(report_.problem.output_shape);
    requested.input_box = box_of(input_at_);
    requested.output_box = box_of(output_at_);
  }

  /// Returns whether later runs need the input again.
  bool keeps_input() const { return options_.repeat > 1; }

  std::size_t input_bytes() const { return plan_->input_count() * npy::bytes_of(report_.problem.input); }
  std::size_t output_bytes() const { return plan_->output_count() * npy::bytes_of(report_.problem.output); }

  Part<Real>& output() { return keeps_input() ? output_ : input_; }
  void* result() { return output().data(); }

  void open_files() {
    const Problem& problem = report_.problem;
    if (!options_.output.empty())
      file_.emplace(ranks_, options_.output, problem.output, problem.output_shape);
    if (!options_.plot.empty()) plot_.emplace(ranks_, problem, options_);
  }

  void allocate() {
    mpi::agree_on_outcome(ranks_, [&] {
      if (keeps_input()) {
        input_ = Part<Real>(input_bytes());
        output_ = Part<Real>(output_bytes());
      } else {
        input_ = Part<Real>(std::max(input_bytes(), output_bytes()));
      }
    });
  }

  void read() {
    progress_.show("reading");
    const InputSource source(report_.problem, options_);
    report_.read_seconds = time_of_slowest(ranks_, [&] { source.fill(input_, input_at_, *input_order_); });
    const std::size_t bytes = input_bytes() / options_.batch;
    auto* const first = static_cast<std::byte*>(input_.data());
    for (std::size_t array = 1; array < options_.batch; ++array)
      std::copy_n(first, bytes, first + array * bytes);
  }

  /// Calls use() with the input points of the first array as complex or as real numbers.
  template <typename Use>
  auto with_input(Use use) {
    const std::size_t count = plan_->input_count() / options_.batch;
    if (npy::is_complex(report_.problem.input)) return use(std::span<const Complex>(input_.complex(), count));
    return use(std::span<const Real>(input_.real(), count));
  }

  template <typename Use>
  auto with_output(Use use) {
    const std::size_t count = plan_->output_count() / options_.batch;
    if (npy::is_complex(report_.problem.output))
      return use(std::span<const Complex>(output().complex(), count));
    return use(std::span<const Real>(output().real(), count));
  }

  void execute_once() {
    const Problem& problem = report_.problem;
    if (!npy::is_complex(problem.input) && !npy::is_complex(problem.output)) {
      plan_->execute(input_.real(), output().real());
    } else if (!npy::is_complex(problem.input)) {
      plan_->execute(input_.real(), output().complex());
    } else if (!npy::is_complex(problem.output)) {
      plan_->execute(input_.complex(), output().real());
    } else {
      plan_->execute(input_.complex(), output().complex());
    }
  }

  /// Runs cubefold and the baseline alternately, so that a change of the machine's state affects both.
  void execute() {
    timing::Times ours;
    timing::Times theirs;
    std::vector<fft::PhaseTimes> phases;
    if (keeps_input()) {
      run_both(ours, theirs, phases);
      // Later calls are trials only now and then, so their times may count.
      for (int call = 1; call < most_calls_of_trials && plan_->is_measuring(); ++call) execute_once();
    }
    ours = {};
    theirs = {};
    phases.clear();
    for (int i = 0; i < options_.repeat; ++i) {
      progress_.show(fmt::format("transforming, {} of {}", i + 1, options_.repeat));
      run_both(ours, theirs, phases);
    }
    report_.transform = ours;
    report_.phases = phases[median_run(ours)];
    if (baseline_)
      report_.comparison = Comparison{theirs, 0, 2 * error_limit(report_.problem), baseline_->departures()};
  }

  void run_both(timing::Times& ours, timing::Times& theirs, std::vector<fft::PhaseTimes>& phases) {
    ours.seconds.push_back(time_of_slowest(ranks_, [&] { execute_once(); }));
    phases.push_back(slowest(ranks_, plan_->times()));
    if (!baseline_) return;
    baseline_->prepare();
    theirs.seconds.push_back(time_of_slowest(ranks_, [&] { baseline_->run(); }));
  }

  /// Computes the numbers of the report that describe the result.
  void judge(double input_energy, const std::optional<SerialCheck>& check) {
    const double output_energy = with_output(
        [&](auto part) { return energy(*output_order_, part, report_.problem.half_of_output()); });
    const std::size_t count = report_.problem.point_count();
    if (options_.lines.empty()) {
      report_.energy_difference = energy_difference(input_energy, output_energy, static_cast<double>(count),
                                                    scale_of(plan_->options(), count));
    }
    report_.strongest = with_output([&](auto part) {
      return strongest_bins(*output_order_, npy::point_count(report_.problem.output_shape), part,
                            strongest_count);
    });
    if (check) report_.error = largest_error(*check);
    if (baseline_) report_.comparison->difference = baseline_->difference_of(*output_order_, result());
  }

  /// Returns the largest error among the arrays of the batch.
  double largest_error(const SerialCheck& check) {
    const auto* const first = static_cast<const std::byte*>(result());
    double largest = 0;
    for (std::size_t array = 0; array < options_.batch; ++array) {
      const double error = check.error_of(*output_order_, first + array * (output_bytes() / options_.batch));
      if (!(error <= largest)) largest = error;  // an error that is no number is larger
    }
    return largest;
  }

  const VirtualComm& comm_;
  MPI_Comm ranks_;
  const Options& options_;
  Report report_;
  program::Progress progress_{program::is_first_process()};
  std::optional<fft::Plan<Real>> plan_;
  PointLayout input_at_;
  PointLayout output_at_;
  std::optional<npy::NaturalOrder> input_order_;
  std::optional<npy::NaturalOrder> output_order_;
  std::optional<npy::OutputFile> file_;
  std::optional<ResultPlot> plot_;
  Part<Real> input_;  ///< output too, unless the input has to be kept
  Part<Real> output_;
  std::unique_ptr<Baseline> baseline_;
};

/// Reads the wisdom of earlier runs, if the file exists.
void read_wisdom(const VirtualComm& comm, const std::string& file) {
  int is_there = 0;
  mpi::root_try(comm.virtual_comm(), [&] { is_there = std::filesystem::exists(file) ? 1 : 0; });
  mpi::check(MPI_Bcast(&is_there, 1, MPI_INT, 0, comm.virtual_comm()), "MPI_Bcast");
  if (is_there != 0) fft::import_wisdom(comm, file);
}

}  // namespace

Report run_transform(const VirtualComm& comm, const Options& options) {
  std::optional<npy::Header> file;
  if (!options.input.empty()) file = npy::read_header(comm.virtual_comm(), options.input);
  Problem problem = mpi::agree_on_outcome(comm.virtual_comm(), [&] { return problem_of(options, file); });
  std::optional<files::Output> wisdom;
  mpi::root_try(comm.virtual_comm(), [&] { wisdom = files::open_output(options.wisdom); });
  if (!options.wisdom.empty()) read_wisdom(comm, options.wisdom);
  Report report = problem.is_single() ? TransformRun<float>(comm, options, std::move(problem)).run()
                                      : TransformRun<double>(comm, options, std::move(problem)).run();
  mpi::root_try(comm.virtual_comm(), [&] {
    if (wisdom) wisdom->write(fft::wisdom());
  });
  return report;
}

}  // namespace cubefold::fft_program
