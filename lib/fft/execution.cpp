#include "execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "mpi/agreement.hpp"
#include "mpi/device_memory.hpp"
#include "packet_exchange.hpp"
#include "transform/block_geometry.hpp"

namespace cubefold::fft {

namespace {

/// The bytes of a process's part of a tile. Two tiles and their copies fit into a processor's own cache.
constexpr std::size_t tile_bytes = 256 << 10;

bool has_line_transforms(const Program& program) {
  return std::ranges::any_of(program.stages, [](const Stage& stage) {
    const auto* transforms = std::get_if<TransformStage>(&stage);
    return transforms != nullptr && transforms->line != LineTransform::fourier;
  });
}

}  // namespace

template <typename Real>
Execution<Real>::Execution(Program program, ProcessAxes axes, ExecutionOptions options)
    : program_(std::move(program)),
      axes_(std::move(axes)),
      rigor_(options.rigor),
      workers_(std::move(options.workers)),
      scratch_(std::move(options.scratch)) {
  options_.batch = options.batch;
  options_.interleaved = options.is_interleaved && options.batch > 1;
  options_.point_bytes = sizeof(Complex);
  options_.threads = thread_count(workers_);
  options_.separates_columns = options.separates_columns || workers_;
  const bool is_alone = std::ranges::all_of(axes_, [](const auto& axis) { return axis->members == 1; });
  const bool is_fused = has_line_transforms(program_);  // sines and cosines are fused stages
  options_.joins_transforms = options.joins_transforms && !is_fused;
  options_.takes_squares = options.takes_squares && !is_fused;
  if (options.uses_windows && !is_fused && !is_alone) options_.tile_points = tile_bytes / sizeof(Complex);
  for (const auto& axis : axes_) {
    members_.push_back(axis->member);
    arrived_bytes_.resize(std::max(arrived_bytes_.size(), axis->members));
  }
}

template <typename Real>
void Execution<Real>::make(MPI_Comm comm, bool only_in_place) {
  choose_windows(comm);
  plan_exchanges(comm);
  mpi::agree_on_outcome(comm, [&] {
    pointwise_.resize(program_.stages.size());
    if (!only_in_place) prepare(apart_, false);
    prepare(in_place_, true);
  });
  for (std::size_t s = 0; s < program_.stages.size(); ++s)
    if (std::holds_alternative<KernelStage>(program_.stages[s])) make_kernel(s, comm);
  scratch_.reset();
}

/// Finds the exchanges that go through windows, and makes the windows. Without memory to share, no exchange does.
template <typename Real>
void Execution<Real>::choose_windows(MPI_Comm comm) {
  mpi::agree_on_outcome(comm, [&] {
    windows_.resize(axes_.size());
    through_window_ = exchanges_through_windows(program_, members_, options_);
  });
  if (std::ranges::find(through_window_, true) == through_window_.end()) return;
  if (mpi::has_memory_for([&] { make_windows(comm); })) return;
  mpi::agree_on_outcome(comm, [&] {
    options_.tile_points = 0;
    through_window_.assign(through_window_.size(), false);
  });
}

/// Makes the windows of the axes, for two tiles, or takes those of earlier plans if they are as large.
template <typename Real>
void Execution<Real>::make_windows(MPI_Comm comm) {
  std::vector<std::size_t> bytes;
  mpi::agree_on_outcome(comm, [&] {
    bytes.resize(axes_.size());
    LoweringOptions options = options_;
    for (const bool in_place : {false, true}) {
      options.in_place = in_place;
      for (const Operation& operation : lower(program_, members_, options).operations) {
        const auto take = [&](const auto& what) {
          auto& most = bytes[static_cast<std::size_t>(what.axis)];
          most = std::max({most, 2 * what.window_points() * sizeof(Complex), sizeof(Complex)});
        };
        if (const auto* shared = std::get_if<SharedTransform>(&operation.what)) take(*shared);
        if (const auto* window = std::get_if<WindowExchange>(&operation.what)) take(*window);
        const auto* square = std::get_if<SquareExchange>(&operation.what);
        if (square != nullptr && square->member_count > 1) take(*square);
      }
    }
  });
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    ProcessAxis& axis = *axes_[i];
    mpi::agree_on_outcome_of_parts(comm, [&] {
      MPI_Comm members = axis.plans->context().comm();
      axis.plans->context().drain();
      if (bytes[i] == 0 || (axis.window && axis.window->data().size() >= bytes[i])) return;
      // A process that has no memory for the object must not leave the others in a collective call.
      std::shared_ptr<std::optional<mpi::SharedWindow>> window;
      mpi::agree_on_outcome(members, [&] { window = std::make_shared<std::optional<mpi::SharedWindow>>(); });
      mpi::agree_on_outcome(members, [&] { window->emplace(members, bytes[i]); });
      axis.window = {window, &**window};
    });
    if (bytes[i] > 0) windows_[i] = axis.window;
  }
}

/// Plans the exchanges. This comes before the program is lowered, because the size of blocks does not depend on the
/// order of points in them. An exchange travels in packets only if all processes, also those on parallel lines of its
/// axis, have it so: all processes have to lower the program in the same way.
template <typename Real>
void Execution<Real>::plan_exchanges(MPI_Comm comm) {
  std::vector<const ExchangeStage*> stages;
  std::vector<int> in_packets;
  mpi::agree_on_outcome(comm, [&] {
    for (const std::size_t s : exchange_stages(program_))
      stages.push_back(&std::get<ExchangeStage>(program_.stages[s]));
    in_packets.resize(stages.size());
    exchanges_.reserve(stages.size());
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const std::size_t count = block_count(*stages[i]) * options_.batch;
      if (axes_[static_cast<std::size_t>(stages[i]->axis)]->members == 1) continue;
      if (through_window_[i]) {
        block_bytes_.push_back(0);
        continue;
      }
      block_bytes_.push_back(count * sizeof(Complex));
    }
  });
  std::size_t number = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    ProcessAxis& axis = *axes_[static_cast<std::size_t>(stages[i]->axis)];
    if (axis.members == 1) continue;
    const std::size_t bytes = block_bytes_[number++];
    if (bytes == 0) continue;
    mpi::agree_on_outcome_of_parts(comm, [&] { exchanges_.push_back(axis.plans->for_blocks(bytes)); });
    mpi::agree_on_outcome(comm, [&] {
      // Exchanges in packets cannot find out whether MPI's own all-to-all is faster.
      if (rigor_ != Rigor::estimate) exchanges_.back()->choose_ahead();
      in_packets[i] = exchanges_.back()->suits_packets() ? 1 : 0;
    });
  }
  if (in_packets.empty()) return;
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, in_packets.data(), static_cast<int>(in_packets.size()), MPI_INT,
                           MPI_MIN, comm),
             "MPI_Allreduce");
  mpi::agree_on_outcome(comm, [&] {
    options_.in_packets.assign(in_packets.begin(), in_packets.end());
    for (std::size_t i = 0; i < stages.size(); ++i) {
      if (axes_[static_cast<std::size_t>(stages[i]->axis)]->members == 1 || through_window_[i]) continue;
      forms_.push_back(in_packets[i] != 0 ? CallKind::overlapped : CallKind::blocking);
    }
  });
}

/// Lowers the program to one of its forms and prepares its operations. Does not communicate.
template <typename Real>
void Execution<Real>::prepare(Form& form, bool in_place) {
  options_.in_place = in_place;
  form.lowered = lower(program_, members_, options_);
  std::size_t exchange = 0;
  for (const Operation& operation : form.lowered.operations) {
    Prepared prepared;
    if (const auto* stage = std::get_if<FusedStage>(&operation.what)) {
      prepared.fused = planned(*stage);
    } else if (const auto* transform = std::get_if<ArrayTransform>(&operation.what)) {
      prepared.joined = planned(*transform, operation);
    } else if (const auto* shared = std::get_if<SharedTransform>(&operation.what)) {
      prepared.shared = planned(*shared);
    } else if (const auto* window = std::get_if<WindowExchange>(&operation.what)) {
      prepared.window = planned(*window);
    } else if (const auto* square = std::get_if<SquareExchange>(&operation.what)) {
      prepared.square = planned(*square, operation.from == operation.to);
    } else if (std::holds_alternative<PointwiseStage>(operation.what)) {
      prepared.pointwise = prepared_pointwise(operation);
    } else {
      prepared.exchange = exchanges_[exchange++];
    }
    form.prepared.push_back(std::move(prepared));
  }
}

/// Returns the plan of the stage if a form already has it, or makes one.
template <typename Real>
std::shared_ptr<const FusedStagePlan<Real>> Execution<Real>::planned(const FusedStage& stage) const {
  for (const Form* form : {&apart_, &in_place_}) {
    for (const Prepared& prepared : form->prepared)
      if (prepared.fused && prepared.fused->stage() == stage) return prepared.fused;
  }
  return std::make_shared<const FusedStagePlan<Real>>(stage, rigor_, workers_, scratch_);
}

template <typename Real>
std::shared_ptr<const ArrayTransformPlan<Real>> Execution<Real>::planned(const ArrayTransform& transform,
                                                                         const Operation& operation) const {
  const bool in_place = operation.from == operation.to;
  const bool keeps_input = operation.from == Buffer::input && transform.has_real_output();
  for (const Form* form : {&apart_, &in_place_}) {
    for (const Prepared& prepared : form->prepared) {
      if (prepared.joined && prepared.joined->is(transform, in_place, keeps_input)) return prepared.joined;
    }
  }
  return std::make_shared<const ArrayTransformPlan<Real>>(transform, in_place, keeps_input, rigor_, workers_);
}

template <typename Real>
std::shared_ptr<const SharedTransformPlan<Real>> Execution<Real>::planned(
    const SharedTransform& transform) const {
  for (const Form* form : {&apart_, &in_place_}) {
    for (const Prepared& prepared : form->prepared)
      if (prepared.shared && prepared.shared->transform() == transform) return prepared.shared;
  }
  return std::make_shared<const SharedTransformPlan<Real>>(transform, rigor_, workers_);
}

template <typename Real>
std::shared_ptr<const WindowExchangePlan<Real>> Execution<Real>::planned(
    const WindowExchange& exchange) const {
  for (const Form* form : {&apart_, &in_place_}) {
    for (const Prepared& prepared : form->prepared)
      if (prepared.window && prepared.window->exchange() == exchange) return prepared.window;
  }
  return std::make_shared<const WindowExchangePlan<Real>>(exchange, rigor_, workers_, scratch_);
}

template <typename Real>
std::shared_ptr<const SquareExchangePlan<Real>> Execution<Real>::planned(const SquareExchange& exchange,
                                                                         bool in_place) const {
  for (const Form* form : {&apart_, &in_place_}) {
    for (const Prepared& prepared : form->prepared) {
      if (prepared.square && prepared.square->exchange() == exchange &&
          prepared.square->is_in_place() == in_place)
        return prepared.square;
    }
  }
  return std::make_shared<const SquareExchangePlan<Real>>(exchange, in_place, rigor_, workers_);
}

template <typename Real>
std::shared_ptr<const Pointwise<Real>> Execution<Real>::prepared_pointwise(const Operation& operation) {
  const auto stage = std::get<PointwiseStage>(operation.what).stage;
  if (!stage) {
    return std::make_shared<Pointwise<Real>>(
        [bytes = operation.real_count * sizeof(Real)](const Complex* from, Complex* to) {
          if (bytes > 0) std::memcpy(to, from, bytes);
        });
  }
  auto& shared = pointwise_[*stage];
  if (!shared) {
    shared =
        std::make_shared<Pointwise<Real>>(pointwise<Real>(program_.stages[*stage], members_, options_.batch));
  }
  return shared;
}

/// Computes the kernel of stage `number` by running the stages before it on the chirp. All processes must call this.
/// Throws on all processes if it throws on one.
template <typename Real>
void Execution<Real>::make_kernel(std::size_t number, MPI_Comm comm) {
  std::optional<Execution> execution;
  std::vector<Complex> kernel;
  std::vector<Complex> workspace;
  std::size_t count = 0;
  mpi::agree_on_outcome(comm, [&] {
    Program program = kernel_program(program_, number);
    kernel = kernel_input<Real>(std::get<KernelStage>(program_.stages[number]), program.input, members_);
    count = program.output.local_count(members_);
    kernel.resize(std::max(kernel.size(), count));
    execution.emplace(std::move(program), axes_,
                      ExecutionOptions{.rigor = rigor_,
                                       .joins_transforms = options_.joins_transforms,
                                       .uses_windows = options_.tile_points > 0,
                                       .separates_columns = options_.separates_columns,
                                       .takes_squares = options_.takes_squares,
                                       .workers = workers_,
                                       .scratch = scratch_});
  });
  execution->make(comm, true);
  mpi::agree_on_outcome(comm, [&] { workspace.resize(execution->workspace_bytes(true) / sizeof(Complex)); });
  mpi::agree_on_outcome(comm, [&] { execution->execute(kernel.data(), kernel.data(), workspace.data()); });
  mpi::agree_on_outcome(comm, [&] {
    kernel.resize(count);
    if (pointwise_[number]) *pointwise_[number] = multiplication<Real>(std::move(kernel), options_.batch);
  });
}

template <typename Real>
std::size_t Execution<Real>::workspace_bytes(bool in_place) const {
  const LoweredProgram& lowered = (in_place ? in_place_ : apart_).lowered;
  return (lowered.work_count + lowered.second_work_count) * sizeof(Real);
}

template <typename Real>
bool Execution<Real>::has_square() const {
  return std::ranges::any_of(in_place_.lowered.operations, [](const Operation& operation) {
    return std::holds_alternative<SquareExchange>(operation.what);
  });
}

template <typename Real>
bool Execution<Real>::is_measuring() const {
  double any = 0;
  for (std::size_t i = 0; i < exchanges_.size(); ++i)
    if (exchanges_[i]->is_measuring(forms_[i])) any = 1;
  for (const auto& axis : axes_) any = axis->plans->context().largest(any);
  return any > 0;
}

template <typename Real>
std::string Execution<Real>::measurements() const {
  std::string text;
  for (std::size_t i = 0; i < exchanges_.size(); ++i) {
    if (const auto* trials = exchanges_[i]->trials(forms_[i]))
      text += fmt::format("exchange {} by measured calls: {}\n", i + 1, trials->text());
  }
  return text;
}

template <typename Real>
std::size_t Execution<Real>::passes(bool in_place) const {
  return passes_over_memory((in_place ? in_place_ : apart_).lowered, sizeof(Complex));
}

/// Announces a failure on all axes. The exchange that failed has announced it on its own axis only, but processes of
/// other axes may wait for this one in a later exchange.
template <typename Real>
void Execution<Real>::tell_all_axes(const mpi::Failure& failure) const {
  for (const auto& axis : axes_) axis->plans->context().fail(failure);
}

template <typename Real>
std::complex<Real>* Execution<Real>::buffer(const Form& form, Buffer which) const {
  if (which == Buffer::output) return output_;
  return which == Buffer::work ? workspace_ : workspace_ + form.lowered.work_count / 2;
}

template <typename Real>
const std::complex<Real>* Execution<Real>::read_by(const Form& form, std::size_t i) const {
  const Buffer from = form.lowered.operations[i].from;
  return from == Buffer::input ? input_ : buffer(form, from);
}

template <typename Real>
std::complex<Real>* Execution<Real>::written_by(const Form& form, std::size_t i) const {
  return buffer(form, form.lowered.operations[i].to);
}

/// Runs all operations.
template <typename Real>
void Execution<Real>::run(const Form& form) {
  const auto& operations = form.lowered.operations;
  const auto is_in_packets = [&](std::size_t i) {
    const auto* exchange = std::get_if<BlockExchange>(&operations[i].what);
    return exchange != nullptr && exchange->in_packets;
  };
  for (std::size_t i = 0; i < operations.size(); i += operations[i].group_size) {
    if (is_in_packets(i)) {
      run_packets(form, i, i);
    } else if (operations[i].group_size == 1) {
      run_alone(form, i);
    } else if (is_in_packets(i + 1)) {
      run_packets(form, i, i + 1);
    } else {
      run_slabs(form, i);
    }
  }
}

template <typename Real>
void Execution<Real>::run_alone(const Form& form, std::size_t i) {
  const Prepared& prepared = form.prepared[i];
  const Complex* from = read_by(form, i);
  Complex* to = written_by(form, i);
  if (prepared.fused) return prepared.fused->run(from, to);
  if (prepared.joined) return prepared.joined->run(from, to);
  if (prepared.shared) return run_shared(*prepared.shared, from, to);
  if (prepared.window) return run_window(*prepared.window, from, to);
  if (prepared.square) return run_square(*prepared.square, from, to);
  if (prepared.pointwise) return (*prepared.pointwise)(from, to);
  MPI_Datatype point = sizeof(Real) == sizeof(double) ? MPI_C_DOUBLE_COMPLEX : MPI_C_FLOAT_COMPLEX;
  const double start = MPI_Wtime();
  const auto count =
      static_cast<MPI_Count>(std::get<BlockExchange>(form.lowered.operations[i].what).block_count);
  prepared.exchange->run({from, count, point, to, count, point});
  times_.exchange_seconds += MPI_Wtime() - start;
}

/// Returns the part of the window for a tile. Two tiles are under way.
template <typename Real>
std::complex<Real>* Execution<Real>::slot_of(const mpi::SharedWindow& window, std::size_t tile,
                                             std::size_t points) const {
  return reinterpret_cast<Complex*>(window.data().data()) + tile % 2 * points;
}

/// Between two waits, a process takes a tile back, writes the tile after the next one in its place, and transforms its
/// share of the tile between them. The first wait is for takers of the window's last tile.
template <typename Real>
void Execution<Real>::run_shared(const SharedTransformPlan<Real>& plan, const Complex* from, Complex* to) {
  const SharedTransform& what = plan.transform();
  if (!windows_[static_cast<std::size_t>(what.axis)]) return;  // no process of the line has points
  mpi::SharedWindow& window = *windows_[static_cast<std::size_t>(what.axis)];
  mpi::CommContext& context = axes_[static_cast<std::size_t>(what.axis)]->plans->context();
  const std::size_t tiles = what.tile_count();
  const auto slot = [&](std::size_t tile) { return slot_of(window, tile, what.window_points()); };
  window.wait_for_all(context);
  for (std::size_t step = 0; step < tiles + 2; ++step) {
    if (step >= 2) plan.take(step - 2, slot(step), to);
    if (step < tiles) plan.write(step, from, slot(step));
    if (step >= 1 && step <= tiles) plan.transform_share(step - 1, slot(step - 1));
    if (step <= tiles) window.wait_for_all(context);
  }
}

/// The memory of a tile is written again after the next wait, before which all have taken it.
template <typename Real>
void Execution<Real>::run_window(const WindowExchangePlan<Real>& plan, const Complex* from, Complex* to) {
  const WindowExchange& what = plan.exchange();
  if (!windows_[static_cast<std::size_t>(what.axis)]) return;  // no process of the line has points
  mpi::SharedWindow& window = *windows_[static_cast<std::size_t>(what.axis)];
  mpi::CommContext& context = axes_[static_cast<std::size_t>(what.axis)]->plans->context();
  window.wait_for_all(context);
  for (std::size_t tile = 0; tile < what.tile_count; ++tile) {
    Complex* const slot = slot_of(window, tile, what.window_points());
    plan.write(tile, from, slot);
    window.wait_for_all(context);
    plan.take(tile, slot, to);
  }
}

/// Waits as run_window() does. One member alone needs no window.
template <typename Real>
void Execution<Real>::run_square(const SquareExchangePlan<Real>& plan, const Complex* from, Complex* to) {
  const SquareExchange& what = plan.exchange();
  const auto axis = static_cast<std::size_t>(what.axis);
  mpi::SharedWindow* window = what.member_count > 1 ? windows_[axis].get() : nullptr;
  if (what.member_count > 1 && window == nullptr) return;  // no process of the line has points
  const auto wait = [&] {
    if (window != nullptr) window->wait_for_all(axes_[axis]->plans->context());
  };
  wait();
  for (std::size_t tile = 0; tile < what.tile_count(); ++tile) {
    Complex* const slot = window == nullptr ? nullptr : slot_of(*window, tile, what.window_points());
    plan.write(tile, from, to, slot);
    wait();
    plan.take(tile, from, to, slot);
  }
}

/// Runs two fused stages in turn, on as many slabs at a time as fit into the processor's own cache.
template <typename Real>
void Execution<Real>::run_slabs(const Form& form, std::size_t i) {
  constexpr std::size_t cache_bytes = 1 << 18;
  const Slices& written = *form.lowered.operations[i].slices;
  const Slices& read = *form.lowered.operations[i + 1].slices;
  const std::size_t bytes = std::max<std::size_t>(written.point_count * sizeof(Complex), 1);
  const std::size_t together = std::max<std::size_t>(cache_bytes / bytes, 1);
  for (std::size_t begin = 0; begin < written.count; begin += together) {
    const std::size_t end = std::min(begin + together, written.count);
    form.prepared[i].fused->run(read_by(form, i), written_by(form, i), {written.dimension, begin, end});
    form.prepared[i + 1].fused->run(read_by(form, i + 1), written_by(form, i + 1),
                                    {read.dimension, begin, end});
  }
}

/// Runs an exchange in packets together with the stages before and after it that belong to its group.
template <typename Real>
void Execution<Real>::run_packets(const Form& form, std::size_t first, std::size_t exchange) {
  const auto& operations = form.lowered.operations;
  const auto& blocks = std::get<BlockExchange>(operations[exchange].what);
  const std::size_t members = axes_[static_cast<std::size_t>(blocks.axis)]->members;
  const auto sliced = [&](std::size_t i) {
    return SlicedStage<Real>(*form.prepared[i].fused, *operations[i].slices, read_by(form, i),
                             written_by(form, i));
  };
  PacketExchange<Real> packets(blocks.block_count, read_by(form, exchange), written_by(form, exchange),
                               std::span(arrived_bytes_).first(members));
  if (first < exchange) packets.fill_with(sliced(first));
  if (exchange + 1 < first + operations[first].group_size) packets.take_with(sliced(exchange + 1));
  packets.run(*form.prepared[exchange].exchange, times_);
}

template <typename Real>
void Execution<Real>::execute(const Complex* input, Complex* output, Complex* workspace) {
  input_ = input;
  output_ = output;
  workspace_ = workspace;
  times_ = {};
  const double start = MPI_Wtime();
  try {
    mpi::require_host_memory({{input, "input"}, {output, "output"}});
    run(input == output ? in_place_ : apart_);
  } catch (...) {
    tell_all_axes(mpi::current_failure());
    throw;
  }
  times_.transform_seconds = MPI_Wtime() - start - times_.exchange_seconds;
}

template class Execution<float>;
template class Execution<double>;

}  // namespace cubefold::fft
