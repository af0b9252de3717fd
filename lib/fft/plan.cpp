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
#include "mpi/device_memory.hpp"
#include "mpi/settings.hpp"
#include "own_boxes.hpp"
#include "plan/requested_exchange.hpp"
#include "plan_description.hpp"
#include "process_axes.hpp"
#include "shared_scratch.hpp"
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
    make_boxes(comm, network.machine);
    mpi::agree_on_outcome(all, [&] {
      own_ = work_array<Complex>(workspace_bytes() / sizeof(Complex));
      workspace_ = own_.get();
    });
  }

  const std::vector<std::size_t>& lengths() const { return lengths_; }
  const PlanOptions& options() const { return options_; }

  /// Returns the layout at an end. Throws std::invalid_argument if the program has boxes there.
  const Layout& layout_at(bool is_input) const {
    if (box_at(is_input)) {
      throw std::invalid_argument(
          fmt::format("the {} points are in boxes of the program, not in a distribution of the plan",
                      is_input ? "input" : "output"));
    }
    return own_layout_at(is_input);
  }

  std::size_t count_at(bool is_input) const {
    const auto& box = box_at(is_input);
    return options_.batch * (box ? point_count(*box) : own_layout_at(is_input).local_count(members_));
  }
  const Layout::Members& members() const { return members_; }

  std::string text() const {
    std::string text = text_of(there_);
    if (options_.both_directions) text += "the other direction:\n" + text_of(back_);
    for (const auto* boxes : {&input_boxes_, &output_boxes_})
      if (*boxes) text += (*boxes)->text();
    return text;
  }

  bool is_measuring() const {
    bool any = false;
    for (const auto* directed : {&there_, &back_})
      if (directed->execution) any = directed->execution->is_measuring() || any;
    if (!box_axis_) return any;
    for (const auto* boxes : {&input_boxes_, &output_boxes_})
      if (*boxes) any = (*boxes)->is_measuring() || any;
    return box_axis_->plans->context().largest(any ? 1 : 0) > 0;
  }

  PhaseTimes times() const {
    const auto& last = last_was_back_ ? back_ : there_;
    PhaseTimes times = last.butterflies ? last.times : last.execution->times();
    times.transform_seconds += box_times_.transform_seconds;
    times.exchange_seconds += box_times_.exchange_seconds;
    return times;
  }

  std::size_t workspace_bytes() const { return 2 * box_bytes_ + transform_bytes(); }

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

  LocalBox local_box_at(bool is_input) const {
    return box_at(is_input) ? *box_at(is_input) : own_box_of(own_layout_at(is_input));
  }

  LocalStrides strides_at(bool is_input) const {
    const auto& box = box_at(is_input);
    return box ? strides_of_box(*box, options_.batch, options_.interleaved_batch)
               : own_strides_of(own_layout_at(is_input));
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
    OwnBoxes* from = exchanged(is_back ? output_boxes_ : input_boxes_);
    OwnBoxes* to = exchanged(is_back ? input_boxes_ : output_boxes_);
    box_times_ = {};
    if (from == nullptr && to == nullptr) return execute_own(directed, input, output);
    try {
      execute_between_boxes(directed, from, to, input, output);
    } catch (...) {
      const mpi::Failure failure = mpi::current_failure();
      for_all_contexts([&](mpi::CommContext& context) { context.fail(failure); });
      throw;
    }
  }

  // After a timeout a process may be missing on every axis.
  int agree_on_failures() noexcept {
    bool has_timed_out = false;
    for_all_contexts([&](mpi::CommContext& context) { has_timed_out |= context.has_timed_out(); });
    if (has_timed_out) return MPI_SUCCESS;
    int code = MPI_SUCCESS;
    for_all_contexts([&](mpi::CommContext& context) { code = std::max(code, context.agree_on_failures()); });
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

  /// Calls work with the context of every axis that the plan uses.
  template <typename Work>
  void for_all_contexts(Work work) const {
    for (const auto& axis : axes_) work(axis->plans->context());
    if (box_axis_ && std::ranges::find(axes_, box_axis_) == axes_.end()) work(box_axis_->plans->context());
  }

  /// Returns the box of the program at an end, if it has one.
  const std::optional<LocalBox>& box_at(bool is_input) const {
    return is_input ? options_.input_box : options_.output_box;
  }

  const Layout& own_layout_at(bool is_input) const {
    return is_input ? there_.program.input : there_.program.output;
  }

  LocalBox own_box_of(const Layout& layout) const {
    return lengths_.size() == 1 ? row_box(layout, members_) : array_box(layout, members_);
  }

  LocalStrides own_strides_of(const Layout& layout) const {
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

  PlanEnd end_of(bool is_input) const {
    const Layout& layout = own_layout_at(is_input);
    const bool is_line = lengths_.size() == 1;
    const Kind kind = is_input ? there_.program.input_kind : there_.program.output_kind;
    return {.name = is_input ? "input" : "output",
            .lengths = is_line ? std::vector{layout.point_count()} : array_lengths(layout),
            .memory_order = is_line ? std::vector<std::size_t>{0} : memory_order(layout),
            .box = own_box_of(layout),
            .strides = own_strides_of(layout),
            .place_count = layout.local_count(members_),
            .number_bytes = kind == Kind::real ? sizeof(Real) : sizeof(Complex),
            .batch = options_.batch,
            .is_interleaved = options_.interleaved_batch};
  }

  /// Plans the exchanges between the plan's distributions and boxes of the program. All processes must call this.
  void make_boxes(const mpi::VirtualComm& comm, const std::optional<Machine>& machine) {
    if (!options_.input_box && !options_.output_box) return;
    MPI_Comm all = comm.virtual_comm();
    box_axis_ = axis_of_all(comm, machine)[0];
    for (const bool is_input : {true, false}) {
      if (!box_at(is_input)) continue;
      const PlanEnd end = mpi::agree_on_outcome(all, [&] { return end_of(is_input); });
      auto& boxes = is_input ? input_boxes_ : output_boxes_;
      boxes.emplace(all, box_axis_, *box_at(is_input), end);
      box_bytes_ = std::max(box_bytes_, whole_lines(boxes->work_bytes()));
    }
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
    ProgramForms programs;
    mpi::agree_on_outcome(all, [&] {
      directed.program = planned_program(directed.options);
      programs = {.of_options = directed.program, .of_one_thread = directed.program};
      if (can_be_split(directed.options))
        programs.of_options = split_line_program(lengths_[0], directed.options).value_or(directed.program);
      options = {.batch = options_.batch,
                 .rigor = options_.rigor,
                 .is_interleaved = options_.interleaved_batch,
                 .joins_transforms = is_alone || (host_count_ == 1 && is_free),
                 .uses_windows = host_count_ == 1 && is_free,
                 .takes_squares = is_alone || (host_count_ == 1 && is_free),
                 .workers = workers_,
                 .scratch = std::make_shared<SharedScratch>()};
    });
    directed.execution = fastest_execution<Real>(programs, axes_, options, all);
    const auto& bytes = directed.execution->block_bytes(false);
    const auto& bytes_in_place = directed.execution->block_bytes(true);
    directed.text = stages_text(directed.program, bytes, axes_, all);
    if (bytes_in_place != bytes)
      directed.text += "in place:\n" + stages_text(directed.program, bytes_in_place, axes_, all);
    mpi::agree_on_outcome(all, [&] {
      directed.text += directed.execution->passes();
      if (workers_) directed.text += directed.execution->threads();
    });
  }

  /// Returns whether threads need more than one transform to share the work of a line on one process.
  bool can_be_split(const PlanOptions& options) const {
    return lengths_.size() == 1 && placement_.rank_count() == 1 && options.kind == Kind::complex &&
           options.algorithm == Algorithm::transposed && options.line_transforms.empty() &&
           options.batch < options.threads;
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

  /// Returns the workspace of the transforms, as long as whole cache lines.
  std::size_t transform_bytes() const {
    const std::size_t there = there_.workspace_bytes();
    const std::size_t bytes = options_.both_directions ? std::max(there, back_.workspace_bytes()) : there;
    return box_bytes_ == 0 ? bytes : whole_lines(bytes);
  }

  static std::size_t whole_lines(std::size_t bytes) {
    constexpr std::size_t cache_line = 64;
    return (bytes + cache_line - 1) / cache_line * cache_line;
  }

  /// Returns the exchange, or null if there is none.
  static OwnBoxes* exchanged(std::optional<OwnBoxes>& boxes) {
    return boxes && !boxes->are_of_plan() ? &*boxes : nullptr;
  }

  /// Transforms between arrays in the plan's own distributions.
  void execute_own(Directed<Real>& directed, const Complex* input, Complex* output) {
    if (directed.butterflies) return execute_butterflies(directed, input, output);
    directed.execution->execute(input, output, workspace_);
  }

  /// Transforms between boxes of the program, at one end or both. The points are in one of two arrays of the workspace
  /// on the way.
  void execute_between_boxes(Directed<Real>& directed, OwnBoxes* from, OwnBoxes* to, const Complex* input,
                             Complex* output) {
    mpi::require_host_memory({{input, "input"}, {output, "output"}});
    const double start = MPI_Wtime();
    auto* const memory = reinterpret_cast<std::byte*>(workspace_) + transform_bytes();
    OwnBoxes::Work work{memory, memory + box_bytes_};
    if (from != nullptr) work = from->to_plan(input, work);
    auto* const points = reinterpret_cast<Complex*>(work.numbers);
    const double between = MPI_Wtime();
    execute_own(directed, from != nullptr ? points : input, to != nullptr ? points : output);
    const double after = MPI_Wtime();
    if (to != nullptr) to->to_program(work, output);
    for (const OwnBoxes* boxes : {from, to})
      if (boxes != nullptr) box_times_.exchange_seconds += boxes->last_exchange_seconds();
    box_times_.transform_seconds = between - start + MPI_Wtime() - after - box_times_.exchange_seconds;
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

  std::shared_ptr<ProcessAxis> box_axis_;  ///< null unless the program has boxes
  std::optional<OwnBoxes> input_boxes_;    ///< empty unless the program has boxes at this end
  std::optional<OwnBoxes> output_boxes_;
  std::size_t box_bytes_ = 0;  ///< of each of two arrays behind the workspace of the transforms
  PhaseTimes box_times_;

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
  return impl_->layout_at(true);
}

template <typename Real>
const Layout& Plan<Real>::output() const {
  return impl_->layout_at(false);
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
  return impl_->count_at(true);
}

template <typename Real>
std::size_t Plan<Real>::output_count() const {
  return impl_->count_at(false);
}

template <typename Real>
LocalBox Plan<Real>::input_box() const {
  return impl_->local_box_at(true);
}

template <typename Real>
LocalBox Plan<Real>::output_box() const {
  return impl_->local_box_at(false);
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
  return impl_->strides_at(true);
}

template <typename Real>
LocalStrides Plan<Real>::output_strides() const {
  return impl_->strides_at(false);
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
