#include "engine.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "best_orders.hpp"
#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"

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
Engine<Real>::Engine(Program program, std::vector<ProcessAxis>& axes, MPI_Comm comm, std::size_t batch,
                     Rigor rigor)
    : program_(std::move(program)), axes_(axes), batch_(batch), rigor_(rigor) {
  for (const ProcessAxis& axis : axes_) members_.push_back(axis.member);
  auto rooms = largest_shares(program_, members_, comm);
  auto in_packets = which_travel_in_packets(rooms);
  const ProcessProgram here{program_, members_, batch_, std::move(rooms), std::move(in_packets)};
  apart_ = make_way(here, false, comm);
  in_place_ = make_way(here, true, comm);
}

/// Of each exchange among more than one. Whatever the order of digits in a block, its size is the same.
template <typename Real>
std::vector<bool> Engine<Real>::which_travel_in_packets(const std::vector<std::vector<std::size_t>>& rooms) {
  std::vector<bool> result;
  std::size_t number = 0;
  for (const std::size_t s : exchange_stages(program_)) {
    ProcessAxis& axis = axes_[static_cast<std::size_t>(std::get<ExchangeStage>(program_.stages[s]).axis)];
    std::size_t count = batch_;
    for (const std::size_t room : rooms[number]) count *= room;
    ++number;
    if (axis.members > 1) result.push_back(travels_in_packets(block_step(axis, count)));
  }
  return result;
}

template <typename Real>
ReadyWay<Real> Engine<Real>::make_way(const ProcessProgram& here, bool in_place, MPI_Comm comm) {
  ReadyWay<Real> ready;
  const BlockOrders orders = best_orders(here, in_place, comm);
  std::vector<std::optional<Step<Real>>> passes;
  mpi::together(comm, [&] {
    ready.way = way_of(here, orders, in_place);
    for (const Move& move : ready.way.moves) {
      require_countable(move);
      const auto* shape = std::get_if<PassShape>(&move.what);
      passes.push_back(shape != nullptr ? std::optional<Step<Real>>(Pass<Real>(*shape, rigor_))
                                        : std::nullopt);
    }
  });
  // What is left asks other processes, in one order on all.
  for (std::size_t i = 0; i < passes.size(); ++i)
    ready.steps.push_back(passes[i] ? std::move(*passes[i]) : step_of(ready.way.moves[i], comm));
  return ready;
}

template <typename Real>
BlockStep Engine<Real>::block_step(ProcessAxis& axis, std::size_t block_count) const {
  return {&axis.plans->for_blocks(block_count * sizeof(Complex)), block_count, axis.members};
}

template <typename Real>
Step<Real> Engine<Real>::step_of(const Move& move, MPI_Comm comm) {
  return std::visit(
      Overloaded{[&](const PassShape& shape) -> Step<Real> { return Pass<Real>(shape, rigor_); },
                 [&](const BlockMove& blocks) -> Step<Real> {
                   return block_step(axes_[static_cast<std::size_t>(blocks.axis)], blocks.block_count);
                 },
                 [&](const CopyMove&) -> Step<Real> {
                   return Pointwise<Real>(
                       [bytes = move.room * sizeof(Real)](const Complex* from, Complex* to) {
                         if (bytes > 0) std::memcpy(to, from, bytes);
                       });
                 },
                 [&](const PointMove& point) -> Step<Real> { return pointwise_of(point.stage, comm); }},
      move.what);
}

template <typename Real>
Pointwise<Real> Engine<Real>::pointwise_of(std::size_t number, MPI_Comm comm) {
  return std::visit(
      Overloaded{
          [&](const ChirpStage& stage) { return pointwise<Real>(stage, members_, batch_); },
          [&](const UntangleStage& stage) { return pointwise<Real>(stage, members_, batch_); },
          [&](const RealStage& stage) { return pointwise<Real>(stage, members_, batch_); },
          [&](const KernelStage& stage) {
            return pointwise<Real>(stage, members_, batch_, kernel_of(stage, number, comm));
          },
          [&](const auto&) -> Pointwise<Real> { throw std::logic_error("not a stage of single points"); }},
      program_.stages[number]);
}

/// The transform of the chirp that stage `number` multiplies with, made by the stages before it.
template <typename Real>
std::vector<std::complex<Real>> Engine<Real>::kernel_of(const KernelStage& stage, std::size_t number,
                                                        MPI_Comm comm) {
  const auto first = program_.stages.begin() + static_cast<std::ptrdiff_t>(stage.first_stage);
  Program part{layout_before(*first),
               {first, program_.stages.begin() + static_cast<std::ptrdiff_t>(number)},
               stage.before};
  Engine engine(part, axes_, comm, 1, rigor_);
  auto kernel = kernel_input<Real>(stage, part.input, members_);
  kernel.resize(std::max(kernel.size(), part.output.local_count(members_)));
  std::vector<Complex> workspace(engine.workspace_bytes() / sizeof(Complex));
  engine.run(kernel.data(), kernel.data(), workspace.data());
  kernel.resize(part.output.local_count(members_));
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

template <typename Real>
void Engine<Real>::run(const Complex* input, Complex* output, Complex* workspace) {
  times_ = {};
  const double start = MPI_Wtime();
  fft::run<Real>(input == output ? in_place_ : apart_, {input, output, workspace}, times_);
  times_.transform_seconds = MPI_Wtime() - start - times_.exchange_seconds;
}

template class Engine<float>;
template class Engine<double>;

}  // namespace cubefold::fft
