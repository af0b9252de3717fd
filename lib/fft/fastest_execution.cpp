#include "fastest_execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "cubefold/mpi/error.hpp"
#include "fftw_rows.hpp"
#include "mpi/agreement.hpp"
#include "scratch_pages.hpp"
#include "transform/lowered_program.hpp"
#include "workers.hpp"

namespace cubefold::fft {

template <typename Real>
FastestExecution<Real>::FastestExecution(std::shared_ptr<Execution<Real>> apart,
                                         std::shared_ptr<Execution<Real>> in_place)
    : apart_(std::move(apart)), in_place_(std::move(in_place)) {}

template <typename Real>
std::size_t FastestExecution<Real>::workspace_bytes() const {
  return std::max(apart_->workspace_bytes(false), in_place_->workspace_bytes(true));
}

template <typename Real>
void FastestExecution<Real>::execute(const Complex* input, Complex* output, Complex* workspace) {
  last_was_in_place_ = input == output;
  chosen(last_was_in_place_).execute(input, output, workspace);
}

template <typename Real>
bool FastestExecution<Real>::is_measuring() const {
  const bool any = apart_->is_measuring();
  return (in_place_ != apart_ && in_place_->is_measuring()) || any;
}

template <typename Real>
std::string FastestExecution<Real>::measurements() const {
  const std::string text = apart_->measurements();
  return in_place_ == apart_ ? text : text + in_place_->measurements();
}

template <typename Real>
std::string FastestExecution<Real>::passes() const {
  return fmt::format("passes over memory: {} between two arrays, {} in place\n", apart_->passes(false),
                     in_place_->passes(true));
}

template <typename Real>
std::string FastestExecution<Real>::threads() const {
  return fmt::format("threads: {} between two arrays, {} in place; the process may use cores: {}\n",
                     apart_->threads(), in_place_->threads(), usable_cores());
}

namespace {

/// One entry for runs between two arrays, and one for runs in place.
template <typename Value>
using OfForms = std::array<Value, 2>;

/// Adds the alternatives for these threads, the one with all that the options allow first.
void add_alternatives(const ExecutionOptions& options, bool is_alone, std::vector<ExecutionOptions>& result) {
  for (const bool joins : {true, false}) {
    for (const bool windows : {true, false}) {
      for (const bool squares : {true, false}) {
        if ((windows && (is_alone || !options.uses_windows)) || (squares && !options.takes_squares) ||
            (squares && !windows && !is_alone))
          continue;
        result.push_back(options);
        result.back().joins_transforms = joins;
        result.back().uses_windows = windows;
        result.back().takes_squares = squares;
      }
    }
  }
}

/// Returns the options that are worth comparing, those of the caller first. Several threads are compared with one, and
/// on one process one plan of FFTW for all dimensions with planes and columns.
std::vector<ExecutionOptions> alternatives_of(const ProcessAxes& axes, ExecutionOptions options) {
  if (options.rigor == Rigor::estimate || !options.joins_transforms) return {options};
  const bool is_alone = std::ranges::all_of(axes, [](const auto& axis) { return axis->members == 1; });
  std::vector<ExecutionOptions> result;
  add_alternatives(options, is_alone, result);
  if (options.workers) {
    options.workers = nullptr;
    add_alternatives(options, is_alone, result);
  }
  if (!is_alone) return result;
  result.push_back(options);
  result.back().separates_columns = true;
  result.back().takes_squares = false;
  return result;
}

/// Returns the real numbers in the larger one of a process's input and output.
std::size_t largest_count(const Program& program, const ProcessAxes& axes, std::size_t batch) {
  Layout::Members members;
  for (const auto& axis : axes) members.push_back(axis->member);
  return std::max(real_count(program.input, program.input_kind, members, batch),
                  real_count(program.output, program.output_kind, members, batch));
}

/// The arrays and the workspace for trials. They hold zeros, so that no trial meets numbers that are slow. Pages of the
/// input are never written to, so they take no memory.
template <typename Real>
class TrialMemory {
 public:
  TrialMemory(const Program& program, const ProcessAxes& axes, std::size_t batch, std::size_t workspace_bytes)
      : count_(largest_count(program, axes, batch) / 2 + 1),
        input_(count_ * sizeof(Complex)),
        output_(zeros(count_)),
        workspace_(zeros(workspace_bytes / sizeof(Complex))) {}

  /// Returns the seconds of a transform in a form.
  double seconds(Execution<Real>& execution, bool in_place) const {
    const auto* input = in_place ? output_.get() : reinterpret_cast<const Complex*>(input_.get());
    const double start = MPI_Wtime();
    execution.execute(input, output_.get(), workspace_.get());
    return MPI_Wtime() - start;
  }

 private:
  using Complex = std::complex<Real>;

  static AlignedArray<Complex> zeros(std::size_t count) {
    auto array = work_array<Complex>(count);
    std::fill_n(array.get(), count, Complex(0));
    return array;
  }

  std::size_t count_;
  ScratchPages input_;
  AlignedArray<Complex> output_;
  AlignedArray<Complex> workspace_;
};

template <typename Real>
using Executions = std::vector<std::shared_ptr<Execution<Real>>>;

/// The executions that come into question in a form.
struct Candidates {
  std::vector<int>
      worth;  ///< 1 for those whose workspace is small beside the points, or else about the least
  bool need_little = false;  ///< whether that is small
  bool are_tried = true;
};

/// Returns the candidates of each form. If only one form has some that need little workspace, those of the other one
/// are not tried: the memory for trials would be the most that a program needs. All processes must call this.
template <typename Real>
OfForms<Candidates> candidates_of(const Executions<Real>& executions, std::size_t data_bytes, MPI_Comm comm) {
  OfForms<Candidates> result;
  mpi::agree_on_outcome(comm, [&] {
    for (std::size_t form = 0; form < result.size(); ++form) {
      std::size_t least = executions.front()->workspace_bytes(form == 1);
      for (const auto& execution : executions) least = std::min(least, execution->workspace_bytes(form == 1));
      const std::size_t most = std::max(data_bytes / 4, least + least / 8);
      for (const auto& execution : executions)
        result[form].worth.push_back(execution->workspace_bytes(form == 1) <= most ? 1 : 0);
      result[form].worth.push_back(least <= data_bytes / 4 ? 1 : 0);
    }
  });
  for (auto& [worth, need_little, are_tried] : result) {
    mpi::check(
        MPI_Allreduce(MPI_IN_PLACE, worth.data(), static_cast<int>(worth.size()), MPI_INT, MPI_MIN, comm),
        "MPI_Allreduce");
    need_little = worth.back() != 0;
    worth.pop_back();
    if (std::ranges::find(worth, 1) == worth.end()) std::ranges::fill(worth, 1);
  }
  for (std::size_t form = 0; form < result.size(); ++form)
    result[form].are_tried = result[form].need_little || !result[1 - form].need_little;
  return result;
}

/// Returns the least time of each execution in each form among some trials, on the process that is slowest in it, and
/// infinity for those that are not tried. Trials go round the executions, and end after seven rounds, or two if
/// these take long.
template <typename Real>
OfForms<std::vector<double>> measured(const Executions<Real>& executions,
                                      const OfForms<Candidates>& candidates, const TrialMemory<Real>& memory,
                                      MPI_Comm comm) {
  constexpr int most_rounds = 7;
  constexpr int least_rounds = 2;
  constexpr double enough_seconds = 0.3;
  const std::size_t count = executions.size();
  const auto is_tried = [&](std::size_t i) {
    return candidates[i / count].are_tried && candidates[i / count].worth[i % count] != 0;
  };
  std::vector<double> least(2 * count, std::numeric_limits<double>::infinity());
  double spent = 0;
  for (int round = -1; round < most_rounds && (round < least_rounds || spent < enough_seconds); ++round) {
    std::vector<double> now(2 * count, std::numeric_limits<double>::infinity());
    mpi::agree_on_outcome(comm, [&] {
      for (std::size_t i = 0; i < now.size(); ++i)
        if (is_tried(i)) now[i] = memory.seconds(*executions[i % count], i >= count);
    });
    mpi::check(
        MPI_Allreduce(MPI_IN_PLACE, now.data(), static_cast<int>(now.size()), MPI_DOUBLE, MPI_MAX, comm),
        "MPI_Allreduce");
    if (round < 0) continue;  // the first runs touch memory
    for (std::size_t i = 0; i < now.size(); ++i) {
      least[i] = std::min(least[i], now[i]);
      if (is_tried(i)) spent += now[i];
    }
  }
  const auto middle = least.begin() + static_cast<std::ptrdiff_t>(count);
  return {std::vector(least.begin(), middle), std::vector(middle, least.end())};
}

/// Makes the executions. If the first one has no squares, those that differ only in taking squares are left out, and if
/// all its exchanges go through windows, those without windows, which take longer and more memory. All processes must
/// call this.
template <typename Real>
Executions<Real> made_executions(const ProgramForms& programs, const ProcessAxes& axes,
                                 const ExecutionOptions& options, MPI_Comm comm) {
  std::vector<ExecutionOptions> alternatives;
  Executions<Real> executions;
  mpi::agree_on_outcome(comm, [&] {
    alternatives = alternatives_of(axes, options);
    executions.reserve(alternatives.size());
  });
  bool may_have_squares = true;
  bool needs_no_blocks = false;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    const bool is_other = i > 0 && alternatives[i].takes_squares != alternatives[i - 1].takes_squares &&
                          alternatives[i].workers == alternatives[i - 1].workers &&
                          alternatives[i].uses_windows == alternatives[i - 1].uses_windows &&
                          alternatives[i].joins_transforms == alternatives[i - 1].joins_transforms;
    if ((is_other && !may_have_squares) || (needs_no_blocks && !alternatives[i].uses_windows)) continue;
    mpi::agree_on_outcome(comm, [&] {
      const bool has_threads = alternatives[i].workers == options.workers;
      executions.push_back(std::make_shared<Execution<Real>>(
          has_threads ? programs.of_options : programs.of_one_thread, axes, alternatives[i]));
    });
    executions.back()->make(comm);
    if (i > 0) continue;
    const auto& bytes = executions.back()->block_bytes();
    may_have_squares = executions.back()->has_square();
    needs_no_blocks = !bytes.empty() && std::ranges::all_of(bytes, [](std::size_t b) { return b == 0; });
  }
  return executions;
}

/// Returns the numbers of the fastest execution in each form. A form that is not tried takes that of the other form,
/// if that is among its candidates. All processes must call this.
template <typename Real>
OfForms<std::size_t> fastest(const Executions<Real>& executions, const Program& program,
                             const ProcessAxes& axes, std::size_t batch, MPI_Comm comm) {
  std::size_t bytes = 0;
  mpi::agree_on_outcome(comm, [&] { bytes = largest_count(program, axes, batch) * sizeof(Real); });
  const auto candidates = candidates_of(executions, bytes, comm);
  std::unique_ptr<TrialMemory<Real>> memory;
  mpi::agree_on_outcome(comm, [&] {
    std::size_t workspace = 0;
    for (std::size_t form = 0; form < candidates.size(); ++form) {
      for (std::size_t i = 0; candidates[form].are_tried && i < executions.size(); ++i) {
        if (candidates[form].worth[i] != 0)
          workspace = std::max(workspace, executions[i]->workspace_bytes(form == 1));
      }
    }
    memory = std::make_unique<TrialMemory<Real>>(program, axes, batch, workspace);
  });
  const auto seconds = measured(executions, candidates, *memory, comm);
  OfForms<std::size_t> best{};
  for (std::size_t form = 0; form < best.size(); ++form)
    best[form] = static_cast<std::size_t>(std::ranges::min_element(seconds[form]) - seconds[form].begin());
  for (std::size_t form = 0; form < best.size(); ++form) {
    const auto& [worth, need_little, are_tried] = candidates[form];
    if (are_tried) continue;
    const std::size_t other = best[1 - form];
    best[form] =
        worth[other] != 0 ? other : static_cast<std::size_t>(std::ranges::find(worth, 1) - worth.begin());
  }
  return best;
}

}  // namespace

template <typename Real>
std::unique_ptr<FastestExecution<Real>> fastest_execution(const ProgramForms& programs,
                                                          const ProcessAxes& axes,
                                                          const ExecutionOptions& options, MPI_Comm comm) {
  const auto executions = made_executions<Real>(programs, axes, options, comm);
  OfForms<std::size_t> best{};
  if (executions.size() > 1) best = fastest(executions, programs.of_options, axes, options.batch, comm);
  std::unique_ptr<FastestExecution<Real>> result;
  mpi::agree_on_outcome(comm, [&] {
    result = std::make_unique<FastestExecution<Real>>(executions[best[0]], executions[best[1]]);
  });
  return result;
}

template class FastestExecution<float>;
template class FastestExecution<double>;
template std::unique_ptr<FastestExecution<float>> fastest_execution(const ProgramForms&, const ProcessAxes&,
                                                                    const ExecutionOptions&, MPI_Comm);
template std::unique_ptr<FastestExecution<double>> fastest_execution(const ProgramForms&, const ProcessAxes&,
                                                                     const ExecutionOptions&, MPI_Comm);

}  // namespace cubefold::fft
