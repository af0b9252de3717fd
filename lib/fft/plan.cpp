#include "cubefold/fft/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "binary_exchange_fft.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "fastest_execution.hpp"
#include "fftw_rows.hpp"
#include "mpi/agreement.hpp"
#include "mpi/settings.hpp"
#include "plan/requested_exchange.hpp"
#include "plan_description.hpp"
#include "process_axes.hpp"
#include "transform/alternatives.hpp"
#include "transform/axis_network.hpp"
#include "transform/plan_choice.hpp"
#include "transform/programs.hpp"
#include "workers.hpp"

namespace cubefold::fft {

namespace {

/// The transform of a plan in one direction.
template <typename Real>
struct Directed {
  PlanOptions options;  ///< with the choices for automatic ones
  Program program;      ///< has no stages if butterflies are used
  std::unique_ptr<FastestExecution<Real>> execution;
  std::optional<BinaryExchangeFft<Real>> butterflies;
  PhaseTimes times;  ///< times of butterflies for the whole batch
  std::string text;

  std::size_t workspace_bytes() const {
    return butterflies ? butterflies->workspace_bytes() : execution->workspace_bytes();
  }
};

}  // namespace

template <typename Real>
class Plan<Real>::Impl {
 public:
  Impl(const mpi::VirtualComm& comm, std::vector<std::size_t> lengths, PlanOptions options)
      : placement_(comm.placement()), lengths_(std::move(lengths)), options_(std::move(options)) {}

  /// Makes the plan. All processes must call this. Throws on all processes if it throws on one.
  void make(const mpi::VirtualComm& comm) {
    MPI_Comm all = comm.virtual_comm();
    std::string name;
    mpi::agree_on_outcome(all, [&] {
      name = fmt::format("{} of {}{}", to_string(options_), fmt::join(lengths_, "x"),
                         sizeof(Real) == sizeof(float) ? " in single precision" : "");
    });
    mpi::require_equal_everywhere(all, "transform", name);
    mpi::agree_on_outcome(all, [&] { require_fit(lengths_, options_); });
    const Network network = network_of(comm);
    Choice choice =
        mpi::agree_on_outcome(all, [&] { return choose(lengths_, options_, sizeof(Complex), network); });
    options_.algorithm = choice.taken().algorithm;
    options_.decomposition = choice.taken().decomposition;
    host_count_ = network.host_count;
    make_axes(comm, network);
    mpi::agree_on_outcome(all, [&] {
      if (options_.threads > 1) workers_ = std::make_shared<Workers>(options_.threads);
    });
    make_directed(there_, options_, choice, all);
    if (options_.both_directions) make_way_back(network, all);
    mpi::agree_on_outcome(all, [&] {
      own_ = work_array<Complex>(workspace_bytes() / sizeof(Complex));
      workspace_ = own_.get();
    });
  }

  const std::vector<std::size_t>& lengths() const { return lengths_; }
  const PlanOptions& options() const { return options_; }
  const Program& program() const { return there_.program; }
  const Layout::Members& members() const { return members_; }

  std::string text() const {
    std::string text = text_of(there_);
    if (options_.both_directions) text += "the other direction:\n" + text_of(back_);
    return text;
  }

  bool is_measuring() const {
    bool any = false;
    for (const auto* directed : {&there_, &back_})
      if (directed->execution) any = directed->execution->is_measuring() || any;
    return any;
  }

  const PhaseTimes& times() const {
    const auto& last = last_was_back_ ? back_ : there_;
    return last.butterflies ? last.times : last.execution->times();
  }

  std::size_t workspace_bytes() const {
    return options_.both_directions ? std::max(there_.workspace_bytes(), back_.workspace_bytes())
                                    : there_.workspace_bytes();
  }

  void use_workspace(void* memory) {
    if (memory == nullptr && workspace_bytes() > 0)
      throw std::invalid_argument("use_workspace: the memory is NULL");
    workspace_ = static_cast<Complex*>(memory);
    own_.reset();
  }

  Rank rank_of(const Layout::Members& members) const {
    if (are_blocks_by_rank()) return static_cast<Rank>(members[0]);
    if (parts_.axes.empty()) return static_cast<Rank>(members[0] * parts_.extents[1] + members[1]);
    return placement_.rank_of(node_of(placement_.grid(), parts_.axes, members));
  }

  LocalBox box_of(const Layout& layout) const {
    return lengths_.size() == 1 ? row_box(layout, members_) : array_box(layout, members_);
  }

  LocalStrides strides_of(const Layout& layout) const {
    LocalStrides strides{{1}, layout.local_count(members_)};
    if (lengths_.size() > 1) {
      strides.dimensions = array_strides(layout, members_);
    } else {
      row_box(layout, members_);  // throws if there is no box
    }
    if (!options_.interleaved_batch) return strides;
    for (std::size_t& stride : strides.dimensions) stride *= options_.batch;
    strides.batch = 1;
    return strides;
  }

  /// Executes the transform in a direction. Throws std::invalid_argument if the plan lacks the direction or if the
  /// caller's points are not of the kinds of the transform.
  void execute(Transform transform, Kind input_kind, Kind output_kind, const Complex* input,
               Complex* output) {
    const bool is_back = transform != options_.transform;
    if (is_back && !options_.both_directions)
      throw std::invalid_argument("execute: the plan was made for the other direction alone");
    Directed<Real>& directed = is_back ? back_ : there_;
    require(directed.program, input_kind, output_kind);
    last_was_back_ = is_back;
    if (directed.butterflies) return execute_butterflies(directed, input, output);
    directed.execution->execute(input, output, workspace_);
  }

  // After a timeout a process may be missing on every axis.
  int agree_on_failures() noexcept {
    const auto has_timed_out = [](const auto& axis) { return axis->plans->context().has_timed_out(); };
    if (std::ranges::any_of(axes_, has_timed_out)) return MPI_SUCCESS;
    int code = MPI_SUCCESS;
    for (const auto& axis : axes_) code = std::max(code, axis->plans->context().agree_on_failures());
    return code;
  }

 private:
  static std::string text_of(const Directed<Real>& directed) {
    return directed.text + (directed.execution ? directed.execution->measurements() : "");
  }

  static void require(const Program& program, Kind input, Kind output) {
    const auto name = [](Kind kind) { return kind == Kind::real ? "real" : "complex"; };
    if (program.input_kind == input && program.output_kind == output) return;
    throw std::invalid_argument(
        fmt::format("execute: from {} points to {} ones, but the plan goes from {} to {}", name(input),
                    name(output), name(program.input_kind), name(program.output_kind)));
  }

  bool are_blocks_by_rank() const { return lengths_.size() == 1 || options_.blocks_by_rank; }

  /// All processes must call this.
  void make_axes(const mpi::VirtualComm& comm, const Network& network) {
    mpi::agree_on_outcome(comm.virtual_comm(), [&] {
      if (!are_blocks_by_rank())
        parts_ = process_parts(network, options_.decomposition, options_.process_grid);
    });
    if (are_blocks_by_rank()) {
      axes_ = axis_of_all(comm, network.machine);
    } else if (parts_.axes.empty()) {
      axes_ = axes_of_ranks(comm, parts_.extents[0], parts_.extents[1]);
    } else {
      axes_ = axes_of_grid(comm, parts_.axes, network.machine);
    }
    mpi::agree_on_outcome(comm.virtual_comm(), [&] {
      for (const auto& axis : axes_) members_.push_back(axis->member);
    });
  }

  /// All processes must call this.
  void make_directed(Directed<Real>& directed, const PlanOptions& options, const Choice& choice,
                     MPI_Comm all) {
    directed.options = options;
    directed.options.algorithm = choice.taken().algorithm;
    if (choice.taken().packet_count > 0) {
      make_butterflies(directed, choice.taken().packet_count, all);
    } else {
      make_execution(directed, all);
    }
    mpi::agree_on_outcome(all, [&] {
      directed.text = fmt::format("{} points, {}\n{}{}", fmt::join(lengths_, "x"),
                                  to_string(directed.options), directed.text, choice_text(choice));
    });
  }

  /// Makes the transform from the output of this plan to its input. All processes must call this.
  void make_way_back(const Network& network, MPI_Comm all) {
    PlanOptions options = reversed(options_);
    const Choice choice = mpi::agree_on_outcome(all, [&] {
      const bool fits = !there_.butterflies ||
                        fitting_butterflies(lengths_[0], axes_[0]->members, options, options.algorithm);
      if (!fits) options.algorithm = Algorithm::transposed;
      return choose(lengths_, options, sizeof(Complex), network);
    });
    make_directed(back_, options, choice, all);
    mpi::agree_on_outcome(all, [&] {
      if (!same_places(back_.program.input, there_.program.output) ||
          !same_places(back_.program.output, there_.program.input))
        throw std::logic_error("the way back has other layouts");
    });
  }

  /// Joined transforms and exchanges through shared memory are for one host, unless a method of exchanges is asked for:
  /// results have to be the same by all methods. All processes must call this.
  void make_execution(Directed<Real>& directed, MPI_Comm all) {
    const bool is_free = mpi::variable_of_root(exchange_variable, all).empty();
    const bool is_alone = placement_.rank_count() == 1;
    ExecutionOptions options;
    mpi::agree_on_outcome(all, [&] {
      directed.program = planned_program(directed.options);
      options = {.batch = options_.batch,
                 .rigor = options_.rigor,
                 .is_interleaved = options_.interleaved_batch,
                 .joins_transforms = is_alone || (host_count_ == 1 && is_free),
                 .uses_windows = host_count_ == 1 && is_free,
                 .takes_squares = is_alone || (host_count_ == 1 && is_free),
                 .workers = workers_};
    });
    directed.execution = fastest_execution<Real>(directed.program, axes_, options, all);
    const auto& bytes = directed.execution->block_bytes(false);
    const auto& bytes_in_place = directed.execution->block_bytes(true);
    directed.text = stages_text(directed.program, bytes, axes_, all);
    if (bytes_in_place != bytes)
      directed.text += "in place:\n" + stages_text(directed.program, bytes_in_place, axes_, all);
    mpi::agree_on_outcome(all, [&] { directed.text += directed.execution->passes(); });
  }

  Program planned_program(const PlanOptions& options) const {
    std::vector<std::size_t> members;
    for (const auto& axis : axes_) members.push_back(axis->members);
    if (lengths_.size() == 1) return line_program(lengths_[0], members[0], options, options.algorithm);
    return array_program(lengths_, members, options);
  }

  /// Makes butterflies with packet_count packets in each stage. All processes must call this.
  void make_butterflies(Directed<Real>& directed, std::size_t packet_count, MPI_Comm all) {
    const ProcessAxis& axis = *axes_[0];
    std::optional<BinaryExchange> exchange;
    BinaryExchangeOptions options{.transform = directed.options.transform,
                                  .rigor = options_.rigor,
                                  .scale = scale_of(directed.options, lengths_[0]),
                                  .packet_count = packet_count};
    mpi::agree_on_outcome(all, [&] {
      exchange =
          required_butterflies(lengths_[0], axis.members, directed.options, directed.options.algorithm);
      directed.program = {exchange->input(), {}, exchange->output()};
      members_ = exchange->members_of(axis.comm->rank());
      // On one host messages are copies in memory, which a machine file does not describe.
      if (axis.machine && axis.machine->host_count > 1)
        options.model = exchange_model(*axis.machine, Tie::balanced);
    });
    directed.butterflies.emplace(*axis.comm, *exchange, options);
    mpi::agree_on_outcome(all, [&] { directed.text = directed.butterflies->describe() + "\n"; });
  }

  /// Transforms the arrays of the batch one after the other.
  void execute_butterflies(Directed<Real>& directed, const Complex* input, Complex* output) {
    BinaryExchangeFft<Real>& butterflies = *directed.butterflies;
    butterflies.use_workspace(workspace_);
    directed.times = {};
    const std::size_t count = butterflies.exchange().local_count();
    for (std::size_t b = 0; b < options_.batch; ++b) {
      butterflies.execute(input + b * count, output + b * count);
      const PhaseTimes times = butterflies.times();
      directed.times.transform_seconds += times.transform_seconds;
      directed.times.exchange_seconds += times.exchange_seconds;
      directed.times.overlap_seconds += times.overlap_seconds;
    }
  }

  Placement placement_;
  ProcessParts parts_;  ///< empty if blocks follow the ranks
  std::vector<std::size_t> lengths_;
  PlanOptions options_;
  std::size_t host_count_ = 1;
  ProcessAxes axes_;
  Layout::Members members_;
  std::shared_ptr<Workers> workers_;  ///< null for one thread
  Directed<Real> there_;              ///< in the direction of the options
  Directed<Real> back_;               ///< empty unless the options ask for both directions
  bool last_was_back_ = false;
  AlignedArray<Complex> own_;  ///< empty after use_workspace()
  Complex* workspace_ = nullptr;
};

template <typename Real>
Plan<Real>::Plan(const mpi::VirtualComm& comm, std::vector<std::size_t> lengths, const PlanOptions& options) {
  mpi::agree_on_outcome(comm.virtual_comm(),
                        [&] { impl_ = std::make_unique<Impl>(comm, std::move(lengths), options); });
  impl_->make(comm);
}
template <typename Real>
Plan<Real>::Plan(Plan&&) noexcept = default;
template <typename Real>
Plan<Real>& Plan<Real>::operator=(Plan&&) noexcept = default;
template <typename Real>
Plan<Real>::~Plan() = default;

template <typename Real>
const std::vector<std::size_t>& Plan<Real>::lengths() const {
  return impl_->lengths();
}

template <typename Real>
const PlanOptions& Plan<Real>::options() const {
  return impl_->options();
}

template <typename Real>
const Layout& Plan<Real>::input() const {
  return impl_->program().input;
}

template <typename Real>
const Layout& Plan<Real>::output() const {
  return impl_->program().output;
}

template <typename Real>
const Layout::Members& Plan<Real>::members() const {
  return impl_->members();
}

template <typename Real>
Rank Plan<Real>::rank_of(const Layout::Members& members) const {
  return impl_->rank_of(members);
}

template <typename Real>
std::size_t Plan<Real>::input_count() const {
  return input().local_count(members()) * options().batch;
}

template <typename Real>
std::size_t Plan<Real>::output_count() const {
  return output().local_count(members()) * options().batch;
}

template <typename Real>
LocalBox Plan<Real>::input_box() const {
  return impl_->box_of(input());
}

template <typename Real>
LocalBox Plan<Real>::output_box() const {
  return impl_->box_of(output());
}

template <typename Real>
std::size_t Plan<Real>::workspace_bytes() const {
  return impl_->workspace_bytes();
}

template <typename Real>
void Plan<Real>::use_workspace(void* memory) {
  impl_->use_workspace(memory);
}

template <typename Real>
LocalStrides Plan<Real>::input_strides() const {
  return impl_->strides_of(input());
}

template <typename Real>
LocalStrides Plan<Real>::output_strides() const {
  return impl_->strides_of(output());
}

template <typename Real>
void Plan<Real>::execute(const Complex* input, Complex* output) {
  execute(options().transform, input, output);
}

template <typename Real>
void Plan<Real>::execute(const Real* input, Complex* output) {
  execute(options().transform, input, output);
}

template <typename Real>
void Plan<Real>::execute(const Complex* input, Real* output) {
  execute(options().transform, input, output);
}

template <typename Real>
void Plan<Real>::execute(Transform transform, const Complex* input, Complex* output) {
  impl_->execute(transform, Kind::complex, Kind::complex, input, output);
}

template <typename Real>
void Plan<Real>::execute(Transform transform, const Real* input, Complex* output) {
  impl_->execute(transform, Kind::real, Kind::complex, reinterpret_cast<const Complex*>(input), output);
}

template <typename Real>
void Plan<Real>::execute(Transform transform, const Complex* input, Real* output) {
  impl_->execute(transform, Kind::complex, Kind::real, input, reinterpret_cast<Complex*>(output));
}

template <typename Real>
void Plan<Real>::execute(const Real* input, Real* output) {
  execute(options().transform, input, output);
}

template <typename Real>
void Plan<Real>::execute(Transform transform, const Real* input, Real* output) {
  impl_->execute(transform, Kind::real, Kind::real, reinterpret_cast<const Complex*>(input),
                 reinterpret_cast<Complex*>(output));
}

template <typename Real>
int Plan<Real>::agree_on_failures() noexcept {
  return impl_->agree_on_failures();
}

template <typename Real>
bool Plan<Real>::is_measuring() const {
  return impl_->is_measuring();
}

template <typename Real>
std::string Plan<Real>::explain() const {
  return impl_->text();
}

template <typename Real>
PhaseTimes Plan<Real>::times() const {
  return impl_->times();
}

template class Plan<float>;
template class Plan<double>;

}  // namespace cubefold::fft
