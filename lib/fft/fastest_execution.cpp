#include "fastest_execution.hpp"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "cubefold/mpi/error.hpp"
#include "fftw_rows.hpp"
#include "mpi/agreement.hpp"
#include "transform/lowered_program.hpp"

namespace cubefold::fft {

namespace {

/// Returns the options that are worth comparing, those of the caller first.
std::vector<ExecutionOptions> alternatives_of(const ProcessAxes& axes, const ExecutionOptions& options) {
  if (options.rigor == Rigor::estimate || options.workers || !options.joins_transforms) return {options};
  const bool is_alone = std::ranges::all_of(axes, [](const auto& axis) { return axis->members == 1; });
  std::vector<ExecutionOptions> result;
  for (const bool joins : {true, false}) {
    for (const bool windows : {true, false}) {
      if (windows && (is_alone || !options.uses_windows)) continue;
      result.push_back(options);
      result.back().joins_transforms = joins;
      result.back().uses_windows = windows;
    }
  }
  return result;
}

/// The arrays and the workspace for trials. They hold zeros, so that no trial meets numbers that are slow.
template <typename Real>
class TrialMemory {
 public:
  TrialMemory(const Program& program, const ProcessAxes& axes, std::size_t batch,
              std::size_t workspace_bytes) {
    Layout::Members members;
    for (const auto& axis : axes) members.push_back(axis->member);
    const std::size_t count = std::max(real_count(program.input, program.input_kind, members, batch),
                                       real_count(program.output, program.output_kind, members, batch)) /
                                  2 +
                              1;
    input_ = zeros(count);
    output_ = zeros(count);
    workspace_ = zeros(workspace_bytes / sizeof(std::complex<Real>));
  }

  /// Returns the seconds of a transform between two arrays and one in place.
  double seconds(Execution<Real>& execution) const {
    const double start = MPI_Wtime();
    execution.execute(input_.get(), output_.get(), workspace_.get());
    execution.execute(output_.get(), output_.get(), workspace_.get());
    return MPI_Wtime() - start;
  }

 private:
  using Complex = std::complex<Real>;

  static AlignedArray<Complex> zeros(std::size_t count) {
    auto array = work_array<Complex>(count);
    std::fill_n(array.get(), count, Complex(0));
    return array;
  }

  AlignedArray<Complex> input_;
  AlignedArray<Complex> output_;
  AlignedArray<Complex> workspace_;
};

/// Returns the least time of each execution among some trials, on the process that is slowest in it. Trials go round
/// the executions, and end after seven rounds, or two if these take long.
template <typename Real>
std::vector<double> measured(const std::vector<std::unique_ptr<Execution<Real>>>& executions,
                             const TrialMemory<Real>& memory, MPI_Comm comm) {
  constexpr int most_rounds = 7;
  constexpr int least_rounds = 2;
  constexpr double enough_seconds = 0.3;
  std::vector<double> least(executions.size(), std::numeric_limits<double>::infinity());
  double spent = 0;
  for (int round = -1; round < most_rounds && (round < least_rounds || spent < enough_seconds); ++round) {
    std::vector<double> now(executions.size());
    mpi::agree_on_outcome(comm, [&] {
      for (std::size_t i = 0; i < executions.size(); ++i) now[i] = memory.seconds(*executions[i]);
    });
    mpi::check(
        MPI_Allreduce(MPI_IN_PLACE, now.data(), static_cast<int>(now.size()), MPI_DOUBLE, MPI_MAX, comm),
        "MPI_Allreduce");
    if (round < 0) continue;  // the first runs touch memory
    for (std::size_t i = 0; i < now.size(); ++i) {
      least[i] = std::min(least[i], now[i]);
      spent += now[i];
    }
  }
  return least;
}

}  // namespace

template <typename Real>
std::unique_ptr<Execution<Real>> fastest_execution(const Program& program, const ProcessAxes& axes,
                                                   const ExecutionOptions& options, MPI_Comm comm) {
  std::vector<std::unique_ptr<Execution<Real>>> executions;
  mpi::agree_on_outcome(comm, [&] {
    for (const ExecutionOptions& each : alternatives_of(axes, options))
      executions.push_back(std::make_unique<Execution<Real>>(program, axes, each));
  });
  for (const auto& execution : executions) execution->make(comm);
  if (executions.size() == 1) return std::move(executions.front());
  std::unique_ptr<TrialMemory<Real>> memory;
  mpi::agree_on_outcome(comm, [&] {
    std::size_t workspace = 0;
    for (const auto& execution : executions) workspace = std::max(workspace, execution->workspace_bytes());
    memory = std::make_unique<TrialMemory<Real>>(program, axes, options.batch, workspace);
  });
  const auto seconds = measured(executions, *memory, comm);
  const auto best = std::ranges::min_element(seconds) - seconds.begin();
  return std::move(executions[static_cast<std::size_t>(best)]);
}

template std::unique_ptr<Execution<float>> fastest_execution(const Program&, const ProcessAxes&,
                                                             const ExecutionOptions&, MPI_Comm);
template std::unique_ptr<Execution<double>> fastest_execution(const Program&, const ProcessAxes&,
                                                              const ExecutionOptions&, MPI_Comm);

}  // namespace cubefold::fft
