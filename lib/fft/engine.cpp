#include "engine.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "best_orders.hpp"
#include "cubefold/mpi/agreement.hpp"

namespace cubefold::fft {

namespace {

template <typename... Works>
struct Overloaded : Works... {
  using Works::operator()...;
};
template <typename... Works>
Overloaded(Works...) -> Overloaded<Works...>;

/// MPI 3.1 counts in int.
void require_countable(const Move& move) {
  const auto* blocks = std::get_if<BlockMove>(&move.what);
  if (blocks != nullptr && blocks->block_count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw std::invalid_argument(
        fmt::format("fft::Plan: blocks of {} points are above the limit of 2147483647", blocks->block_count));
}

}  // namespace

template <typename Real>
Engine<Real>::Engine(Program program, std::vector<ProcessAxis>& axes, std::size_t batch, Rigor rigor)
    : program_(std::move(program)), axes_(axes), batch_(batch), rigor_(rigor) {
  for (const ProcessAxis& axis : axes_) members_.push_back(axis.member);
}

template <typename Real>
void Engine<Real>::make(MPI_Comm comm) {
  auto rooms = largest_shares(program_, members_, comm);
  auto in_packets = which_travel_in_packets(rooms, comm);
  const ProcessProgram here{program_, members_, batch_, std::move(rooms), std::move(in_packets)};
  make_way(apart_, here, false, comm);
  make_way(in_place_, here, true, comm);
}

/// Of each exchange among more than one. Whatever the order of digits in a block, its size is the same.
template <typename Real>
std::vector<bool> Engine<Real>::which_travel_in_packets(const std::vector<std::vector<std::size_t>>& rooms,
                                                        MPI_Comm comm) {
  std::vector<std::size_t> stages;
  mpi::collective_try(comm, [&] { stages = exchange_stages(program_); });
  std::vector<bool> result;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const auto& stage = std::get<ExchangeStage>(program_.stages[stages[i]]);
    ProcessAxis& axis = axes_[static_cast<std::size_t>(stage.axis)];
    if (axis.members == 1) continue;
    std::size_t count = batch_;
    for (const std::size_t room : rooms[i]) count *= room;
    mpi::collective_try(comm, [&] { result.push_back(travels_in_packets(*exchange_of(axis, count))); });
  }
  return result;
}

template <typename Real>
void Engine<Real>::make_way(ReadyWay<Real>& ready, const ProcessProgram& here, bool in_place, MPI_Comm comm) {
  const BlockOrders orders = best_orders(here, in_place, comm);
  mpi::collective_try(comm, [&] {
    ready.way = way_of(here, orders, in_place);
    for (const Move& move : ready.way.moves) {
      require_countable(move);
      ready.steps.push_back(own_step(move));
    }
  });
  for (std::size_t i = 0; i < ready.steps.size(); ++i) finish_step(ready.steps[i], ready.way.moves[i], comm);
}

/// Collective over the axis.
template <typename Real>
std::shared_ptr<mpi::AlltoallPlan> Engine<Real>::exchange_of(ProcessAxis& axis,
                                                             std::size_t block_count) const {
  return axis.plans->for_blocks(block_count * sizeof(Complex));
}

/// As far as it can be made without other processes.
template <typename Real>
Step<Real> Engine<Real>::own_step(const Move& move) const {
  return std::visit(
      Overloaded{[&](const PassShape& shape) -> Step<Real> { return Pass<Real>(shape, rigor_); },
                 [&](const BlockMove& blocks) -> Step<Real> {
                   const ProcessAxis& axis = axes_[static_cast<std::size_t>(blocks.axis)];
                   return BlockStep{nullptr, blocks.block_count, std::vector<std::size_t>(axis.members)};
                 },
                 [&](const CopyMove&) -> Step<Real> {
                   return Pointwise<Real>(
                       [bytes = move.room * sizeof(Real)](const Complex* from, Complex* to) {
                         if (bytes > 0) std::memcpy(to, from, bytes);
                       });
                 },
                 [&](const PointMove& point) -> Step<Real> { return pointwise_of(point.stage); }},
      move.what);
}

/// Collective: what asks other processes, which is in one order on all of them.
template <typename Real>
void Engine<Real>::finish_step(Step<Real>& step, const Move& move, MPI_Comm comm) {
  if (const auto* blocks = std::get_if<BlockMove>(&move.what)) {
    mpi::collective_try(comm, [&] {
      std::get<BlockStep>(step).exchange =
          exchange_of(axes_[static_cast<std::size_t>(blocks->axis)], blocks->block_count);
    });
  }
  const auto* point = std::get_if<PointMove>(&move.what);
  const auto* kernel = point != nullptr ? std::get_if<KernelStage>(&program_.stages[point->stage]) : nullptr;
  if (kernel == nullptr) return;
  auto factors = kernel_of(*kernel, point->stage, comm);
  mpi::collective_try(comm, [&] { step = pointwise<Real>(*kernel, members_, batch_, std::move(factors)); });
}

template <typename Real>
Pointwise<Real> Engine<Real>::pointwise_of(std::size_t number) const {
  return std::visit(
      Overloaded{
          [&](const ChirpStage& stage) { return pointwise<Real>(stage, members_, batch_); },
          [&](const UntangleStage& stage) { return pointwise<Real>(stage, members_, batch_); },
          [&](const RealStage& stage) { return pointwise<Real>(stage, members_, batch_); },
          [&](const KernelStage&) { return Pointwise<Real>(); },
          [&](const auto&) -> Pointwise<Real> { throw std::logic_error("not a stage of single points"); }},
      program_.stages[number]);
}

/// The transform of the chirp that stage `number` multiplies with, made by the stages before it. Collective; throws
/// alike on all processes.
template <typename Real>
std::vector<std::complex<Real>> Engine<Real>::kernel_of(const KernelStage& stage, std::size_t number,
                                                        MPI_Comm comm) {
  std::optional<Engine> engine;
  std::vector<Complex> kernel;
  std::size_t kernel_count = 0;
  mpi::collective_try(comm, [&] {
    const auto first = program_.stages.begin() + static_cast<std::ptrdiff_t>(stage.first_stage);
    Program part{layout_before(*first),
                 {first, program_.stages.begin() + static_cast<std::ptrdiff_t>(number)},
                 stage.before};
    kernel = kernel_input<Real>(stage, part.input, members_);
    kernel_count = part.output.local_count(members_);
    kernel.resize(std::max(kernel.size(), kernel_count));
    engine.emplace(std::move(part), axes_, 1, rigor_);
  });
  engine->make(comm);
  std::vector<Complex> workspace;
  mpi::collective_try(comm, [&] { workspace.resize(engine->workspace_bytes() / sizeof(Complex)); });
  mpi::collective_try(comm, [&] { engine->run(kernel.data(), kernel.data(), workspace.data()); });
  kernel.resize(kernel_count);
  return kernel;
}

template <typename Real>
std::size_t Engine<Real>::workspace_bytes() const {
  const auto room = [](const ReadyWay<Real>& ready) {
    return ready.way.route.work_room + ready.way.route.second_room;
  };
  return std::max(room(apart_), room(in_place_)) * sizeof(Real);
}

template <typename Real>
std::vector<std::size_t> Engine<Real>::block_bytes() const {
  std::vector<std::size_t> bytes;
  for (const Move& move : apart_.way.moves)
    if (const auto* blocks = std::get_if<BlockMove>(&move.what))
      bytes.push_back(blocks->block_count * sizeof(Complex));
  return bytes;
}

/// Processes of one axis hear of a failure in its exchange; those of the others may wait for this one in a later
/// exchange.
template <typename Real>
void Engine<Real>::tell_all_axes(const mpi::Failure& failure) {
  for (ProcessAxis& axis : axes_)
    if (axis.plans) axis.plans->context().fail(failure);
}

template <typename Real>
void Engine<Real>::run(const Complex* input, Complex* output, Complex* workspace) {
  times_ = {};
  const double start = MPI_Wtime();
  try {
    fft::run<Real>(input == output ? in_place_ : apart_, {input, output, workspace}, times_);
  } catch (...) {
    tell_all_axes(mpi::current_failure());
    throw;
  }
  times_.transform_seconds = MPI_Wtime() - start - times_.exchange_seconds;
}

template class Engine<float>;
template class Engine<double>;

}  // namespace cubefold::fft
