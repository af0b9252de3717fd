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
#include "execution.hpp"
#include "fftw_rows.hpp"
#include "mpi/agreement.hpp"
#include "plan_description.hpp"
#include "process_axes.hpp"
#include "transform/alternatives.hpp"
#include "transform/axis_network.hpp"
#include "transform/plan_choice.hpp"
#include "transform/programs.hpp"

namespace cubefold::fft {

template <typename Real>
class Plan<Real>::Impl {
 public:
  Impl(const mpi::VirtualComm& comm, std::vector<std::size_t> lengths, const PlanOptions& options)
      : placement_(comm.placement()), lengths_(std::move(lengths)), options_(options) {}

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
    make_axes(comm, network);
    if (choice.taken().packet_count > 0) {
      make_butterflies(choice.taken().packet_count, all);
    } else {
      make_execution(all);
    }
    mpi::agree_on_outcome(all, [&] {
      text_ = fmt::format("{} points, {}\n{}{}", fmt::join(lengths_, "x"), to_string(options_), text_,
                          choice_text(choice));
      own_ = work_array<Complex>(workspace_bytes() / sizeof(Complex));
      workspace_ = own_.get();
    });
  }

  const std::vector<std::size_t>& lengths() const { return lengths_; }
  const PlanOptions& options() const { return options_; }
  const Program& program() const { return program_; }
  const Layout::Members& members() const { return members_; }
  std::string text() const { return text_ + (execution_ ? execution_->measurements() : ""); }
  bool is_measuring() const { return execution_ && execution_->is_measuring(); }
  const PhaseTimes& times() const { return butterflies_ ? times_ : execution_->times(); }

  std::size_t workspace_bytes() const {
    return butterflies_ ? butterflies_->workspace_bytes() : execution_->workspace_bytes();
  }

  void use_workspace(void* memory) {
    if (memory == nullptr && workspace_bytes() > 0)
      throw std::invalid_argument("use_workspace: the memory is NULL");
    workspace_ = static_cast<Complex*>(memory);
    own_.reset();
  }

  Rank rank_of(const Layout::Members& members) const {
    if (parts_.empty()) return static_cast<Rank>(members[0]);
    return placement_.rank_of(node_of(placement_.grid(), parts_, members));
  }

  LocalBox box_of(const Layout& layout) const {
    return lengths_.size() == 1 ? row_box(layout, members_) : array_box(layout, members_);
  }

  /// Throws std::invalid_argument if the caller's points are not of the kinds of the plan.
  void require(Kind input, Kind output) const {
    const auto name = [](Kind kind) { return kind == Kind::real ? "real" : "complex"; };
    if (program_.input_kind == input && program_.output_kind == output) return;
    throw std::invalid_argument(
        fmt::format("execute: from {} points to {} ones, but the plan goes from {} to {}", name(input),
                    name(output), name(program_.input_kind), name(program_.output_kind)));
  }

  // After a timeout a process may be missing on every axis.
  int agree_on_failures() noexcept {
    const auto has_timed_out = [](const auto& axis) { return axis->plans->context().has_timed_out(); };
    if (std::ranges::any_of(axes_, has_timed_out)) return MPI_SUCCESS;
    int code = MPI_SUCCESS;
    for (const auto& axis : axes_) code = std::max(code, axis->plans->context().agree_on_failures());
    return code;
  }

  void execute(const Complex* input, Complex* output) {
    if (butterflies_) return execute_butterflies(input, output);
    execution_->execute(input, output, workspace_);
  }

 private:
  /// All processes must call this.
  void make_axes(const mpi::VirtualComm& comm, const Network& network) {
    mpi::agree_on_outcome(comm.virtual_comm(), [&] {
      if (lengths_.size() > 1) parts_ = network_parts(comm.grid(), options_.decomposition);
    });
    axes_ = parts_.empty() ? axis_of_all(comm, network.machine) : axes_of_grid(comm, parts_, network.machine);
    mpi::agree_on_outcome(comm.virtual_comm(), [&] {
      for (const auto& axis : axes_) members_.push_back(axis->member);
    });
  }

  /// All processes must call this.
  void make_execution(MPI_Comm all) {
    mpi::agree_on_outcome(all, [&] {
      program_ = planned_program();
      execution_ = std::make_unique<Execution<Real>>(program_, axes_, options_.batch, options_.rigor,
                                                     options_.interleaved_batch);
    });
    execution_->make(all);
    text_ = stages_text(program_, execution_->block_bytes(), axes_, all);
  }

  Program planned_program() const {
    std::vector<std::size_t> members;
    for (const auto& axis : axes_) members.push_back(axis->members);
    if (lengths_.size() == 1) return line_program(lengths_[0], members[0], options_, options_.algorithm);
    return array_program(lengths_, members, options_);
  }

  /// Makes butterflies with packet_count packets in each stage. All processes must call this.
  void make_butterflies(std::size_t packet_count, MPI_Comm all) {
    const ProcessAxis& axis = *axes_[0];
    std::optional<BinaryExchange> exchange;
    BinaryExchangeOptions options{.transform = options_.transform,
                                  .rigor = options_.rigor,
                                  .scale = scale_of(options_, lengths_[0]),
                                  .packet_count = packet_count};
    mpi::agree_on_outcome(all, [&] {
      exchange = required_butterflies(lengths_[0], axis.members, options_, options_.algorithm);
      program_ = {exchange->input(), {}, exchange->output()};
      members_ = exchange->members_of(axis.comm->rank());
      // On one host messages are copies in memory, which a machine file does not describe.
      if (axis.machine && axis.machine->host_count > 1)
        options.model = exchange_model(*axis.machine, Tie::balanced);
    });
    butterflies_.emplace(*axis.comm, *exchange, options);
    mpi::agree_on_outcome(all, [&] { text_ = butterflies_->describe() + "\n"; });
  }

  /// Transforms the arrays of the batch one after the other.
  void execute_butterflies(const Complex* input, Complex* output) {
    butterflies_->use_workspace(workspace_);
    times_ = {};
    const std::size_t count = butterflies_->exchange().local_count();
    for (std::size_t b = 0; b < options_.batch; ++b) {
      butterflies_->execute(input + b * count, output + b * count);
      const PhaseTimes times = butterflies_->times();
      times_.transform_seconds += times.transform_seconds;
      times_.exchange_seconds += times.exchange_seconds;
      times_.overlap_seconds += times.overlap_seconds;
    }
  }

  Placement placement_;
  std::vector<std::vector<int>> parts_;  ///< network axes of each process axis; empty in one dimension
  std::vector<std::size_t> lengths_;
  PlanOptions options_;
  ProcessAxes axes_;
  Program program_;  ///< has no stages if butterflies are used
  Layout::Members members_;
  std::unique_ptr<Execution<Real>> execution_;
  std::optional<BinaryExchangeFft<Real>> butterflies_;
  PhaseTimes times_;  ///< times of butterflies for the whole batch
  std::string text_;
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
void Plan<Real>::execute(const Complex* input, Complex* output) {
  impl_->require(Kind::complex, Kind::complex);
  impl_->execute(input, output);
}

template <typename Real>
void Plan<Real>::execute(const Real* input, Complex* output) {
  impl_->require(Kind::real, Kind::complex);
  impl_->execute(reinterpret_cast<const Complex*>(input), output);
}

template <typename Real>
void Plan<Real>::execute(const Complex* input, Real* output) {
  impl_->require(Kind::complex, Kind::real);
  impl_->execute(input, reinterpret_cast<Complex*>(output));
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
