#include "engine.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "overlap.hpp"

namespace cubefold::fft {

namespace {

template <typename... Works>
struct Overloaded : Works... {
  using Works::operator()...;
};
template <typename... Works>
Overloaded(Works...) -> Overloaded<Works...>;

std::vector<std::size_t> exchange_stages(const Program& program) {
  std::vector<std::size_t> numbers;
  for (std::size_t s = 0; s < program.stages.size(); ++s)
    if (std::holds_alternative<ExchangeStage>(program.stages[s])) numbers.push_back(s);
  return numbers;
}

/// More would take longer to compare than they are worth.
constexpr std::size_t most_combinations = 300;

/// All choices of one of the orders for each exchange; only the first ones where they are too many.
std::vector<std::vector<std::vector<std::size_t>>> combinations(
    const std::vector<std::vector<std::vector<std::size_t>>>& choices) {
  std::vector<std::vector<std::vector<std::size_t>>> result{{}};
  for (const auto& orders : choices) {
    std::vector<std::vector<std::vector<std::size_t>>> longer;
    for (const auto& begun : result) {
      for (const auto& order : orders) {
        longer.push_back(begun);
        longer.back().push_back(order);
        if (result.size() * orders.size() > most_combinations) break;
      }
    }
    result = std::move(longer);
  }
  return result;
}

/// MPI 3.1 counts in int.
void require_countable(const Move& move) {
  const auto* blocks = std::get_if<BlockMove>(&move.what);
  if (blocks != nullptr && blocks->block_count > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw std::invalid_argument(
        fmt::format("fft::Plan: blocks of {} points are above the limit of 2147483647", blocks->block_count));
}

template <typename Real>
MPI_Datatype point_type() {
  return sizeof(Real) == sizeof(double) ? MPI_C_DOUBLE_COMPLEX : MPI_C_FLOAT_COMPLEX;
}

}  // namespace

template <typename Real>
Engine<Real>::Engine(Program program, std::vector<ProcessAxis>& axes, MPI_Comm comm, std::size_t batch,
                     Rigor rigor)
    : program_(std::move(program)), axes_(axes), batch_(batch), rigor_(rigor) {
  for (const ProcessAxis& axis : axes_) members_.push_back(axis.member);
  rooms_ = largest_shares(comm);
  in_packets_ = which_travel_in_packets();
  apart_ = make_way(comm, false);
  in_place_ = make_way(comm, true);
}

template <typename Real>
std::vector<std::vector<std::size_t>> Engine<Real>::largest_shares(MPI_Comm comm) const {
  std::vector<std::vector<std::size_t>> shares;
  for (const std::size_t s : exchange_stages(program_)) {
    const auto counts = shared_counts(std::get<ExchangeStage>(program_.stages[s]), members_);
    std::vector<unsigned long long> most(counts.begin(), counts.end());
    mpi::check(MPI_Allreduce(MPI_IN_PLACE, most.data(), static_cast<int>(most.size()), MPI_UNSIGNED_LONG_LONG,
                             MPI_MAX, comm),
               "MPI_Allreduce");
    shares.emplace_back(most.begin(), most.end());
  }
  return shares;
}

template <typename Real>
std::size_t Engine<Real>::callers_room(bool in_place) const {
  const std::size_t output = room_of(program_.output, program_.output_element, members_, batch_);
  return in_place ? std::max(output, room_of(program_.input, program_.input_element, members_, batch_))
                  : output;
}

/// Whatever the order of digits in a block, its size is the same.
template <typename Real>
std::vector<bool> Engine<Real>::which_travel_in_packets() {
  std::vector<bool> result;
  std::size_t number = 0;
  for (const std::size_t s : exchange_stages(program_)) {
    ProcessAxis& axis = axes_[static_cast<std::size_t>(std::get<ExchangeStage>(program_.stages[s]).axis)];
    std::size_t bytes = batch_ * sizeof(Complex);
    for (const std::size_t room : rooms_[number]) bytes *= room;
    ++number;
    if (axis.members > 1)
      result.push_back(axis.plans->for_blocks(bytes).exchanger().mover != mpi::Mover::library);
  }
  return result;
}

/// What passes take of the memory; what travels in packets should be made part by part, while others are on their way.
template <typename Real>
double Engine<Real>::cost_of(const std::vector<Move>& moves) const {
  constexpr double cost_of_waiting = 10;
  double cost = 0;
  std::size_t exchange = 0;
  const PassShape* pass = nullptr;
  for (const Move& move : moves) {
    if (const auto* blocks = std::get_if<BlockMove>(&move.what)) {
      const bool is_in_parts = pass != nullptr && block_parts(*pass, blocks->block_count, false);
      if (in_packets_[exchange++] && !is_in_parts) cost += cost_of_waiting;
    }
    pass = std::get_if<PassShape>(&move.what);
    if (pass != nullptr) cost += memory_cost(*pass);
  }
  return cost;
}

// Processes with uneven parts would judge differently: what costs them most in memory, then in time, decides together.
template <typename Real>
BlockOrders Engine<Real>::best_orders(MPI_Comm comm, bool in_place) const {
  std::vector<std::vector<std::vector<std::size_t>>> choices;
  for (const std::size_t s : exchange_stages(program_)) choices.push_back(block_orders(program_, s));
  const auto all = combinations(choices);
  std::vector<double> rooms;
  std::vector<double> costs;
  mpi::together(comm, [&] {
    for (const auto& orders : all) {
      auto moves = moves_of(program_, members_, batch_, {orders, rooms_});
      const double cost = cost_of(moves);
      const Route route = find_route(moves, in_place);
      rooms.push_back(static_cast<double>(route.work_room + route.second_room));
      costs.push_back(cost);
    }
  });
  const auto count = static_cast<int>(all.size());
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, rooms.data(), count, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, costs.data(), count, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  std::size_t best = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (std::pair(rooms[i], costs[i]) < std::pair(rooms[best], costs[best])) best = i;
  return {all[best], rooms_};
}

/// With a copy first where there is no other way.
template <typename Real>
Route Engine<Real>::find_route(std::vector<Move>& moves, bool in_place) const {
  const std::size_t room = room_of(program_.input, program_.input_element, members_, batch_);
  if (moves.empty() && !in_place) moves.push_back({CopyMove{}, room});
  if (moves.empty()) return {};
  const CallersArrays arrays{callers_room(in_place), in_place};
  if (auto route = route_of(moves, arrays)) return *route;
  moves.insert(moves.begin(), {CopyMove{}, room});
  return route_of(moves, arrays).value();
}

template <typename Real>
typename Engine<Real>::Way Engine<Real>::make_way(MPI_Comm comm, bool in_place) {
  Way way;
  const BlockOrders orders = best_orders(comm, in_place);
  std::vector<std::optional<Step>> passes;
  mpi::together(comm, [&] {
    way.moves = moves_of(program_, members_, batch_, orders);
    way.route = find_route(way.moves, in_place);
    for (const Move& move : way.moves) {
      require_countable(move);
      const auto* shape = std::get_if<PassShape>(&move.what);
      passes.push_back(shape != nullptr ? std::optional<Step>(Pass<Real>(*shape, rigor_)) : std::nullopt);
    }
  });
  // What is left asks other processes, in one order on all.
  for (std::size_t i = 0; i < way.moves.size(); ++i)
    way.steps.push_back(passes[i] ? std::move(*passes[i]) : step_of(way.moves[i], comm));
  return way;
}

template <typename Real>
typename Engine<Real>::Step Engine<Real>::step_of(const Move& move, MPI_Comm comm) {
  return std::visit(
      Overloaded{[&](const PassShape& shape) -> Step { return Pass<Real>(shape, rigor_); },
                 [&](const BlockMove& blocks) -> Step {
                   auto& plans = *axes_[static_cast<std::size_t>(blocks.axis)].plans;
                   auto& exchange = plans.for_blocks(blocks.block_count * sizeof(Complex));
                   return BlockStep{&exchange, blocks.block_count, blocks.members};
                 },
                 [&](const CopyMove&) -> Step {
                   return Pointwise<Real>(
                       [bytes = move.room * sizeof(Real)](const Complex* from, Complex* to) {
                         if (bytes > 0) std::memcpy(to, from, bytes);
                       });
                 },
                 [&](const PointMove& point) -> Step { return pointwise_of(point.stage, comm); }},
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
            return pointwise<Real>(stage, members_, batch_, std::move(kernel));
          },
          [&](const auto&) -> Pointwise<Real> { throw std::logic_error("not a stage of single points"); }},
      program_.stages[number]);
}

template <typename Real>
std::size_t Engine<Real>::workspace_bytes() const {
  const auto room = [](const Way& way) { return way.route.work_room + way.route.second_room; };
  return std::max(room(apart_), room(in_place_)) * sizeof(Real);
}

template <typename Real>
std::vector<std::size_t> Engine<Real>::block_bytes() const {
  std::vector<std::size_t> bytes;
  for (const Move& move : apart_.moves)
    if (const auto* blocks = std::get_if<BlockMove>(&move.what))
      bytes.push_back(blocks->block_count * sizeof(Complex));
  return bytes;
}

template <typename Real>
void Engine<Real>::run(const Complex* input, Complex* output, Complex* workspace) {
  times_ = {};
  const double start = MPI_Wtime();
  run(input == output ? in_place_ : apart_, input, output, workspace);
  times_.transform_seconds = MPI_Wtime() - start - times_.exchange_seconds;
}

template <typename Real>
void Engine<Real>::run(const Way& way, const Complex* input, Complex* output, Complex* workspace) {
  const auto place = [&](Array array) -> Complex* {
    switch (array) {
      case Array::output:
        return output;
      case Array::work:
        return workspace;
      case Array::second_work:
        return workspace + way.route.work_room / 2;
      case Array::input:
        break;
    }
    throw std::logic_error("the input is written to");
  };
  const Complex* from = input;
  for (std::size_t i = 0; i < way.steps.size();) {
    Complex* to = place(way.route.after[i]);
    const std::size_t done = run_slabs(way, i, from, place) ? 2 : run_packets(way, i, from, place);
    if (done == 0) {
      std::visit(Overloaded{[&](const Pass<Real>& pass) { pass.run(from, to); },
                            [&](const BlockStep& step) { run_blocks(step, from, to); },
                            [&](const Pointwise<Real>& work) { work(from, to); }},
                 way.steps[i]);
    }
    i += std::max<std::size_t>(done, 1);
    from = place(way.route.after[i - 1]);
  }
}

/// Two passes slab by slab, if they are the next steps. A second one that packets need part by part stays with them.
template <typename Real>
bool Engine<Real>::run_slabs(const Way& way, std::size_t first, const Complex* source,
                             const std::function<Complex*(Array)>& place) const {
  if (first + 1 >= way.steps.size()) return false;
  const auto* one = std::get_if<Pass<Real>>(&way.steps[first]);
  const auto* other = std::get_if<Pass<Real>>(&way.steps[first + 1]);
  if (one == nullptr || other == nullptr) return false;
  if (first + 2 < way.steps.size()) {
    const auto* blocks = std::get_if<BlockStep>(&way.steps[first + 2]);
    if (blocks != nullptr && blocks->exchange->exchanger().mover != mpi::Mover::library) return false;
  }
  Complex* between = place(way.route.after[first]);
  Complex* to = place(way.route.after[first + 1]);
  const auto slabs = slabbed(one->shape(), other->shape(), sizeof(Complex));
  if (!slabs || (to == source && between != source)) return false;
  for (std::size_t begin = 0; begin < slabs->count; begin += slabs->together) {
    const std::size_t end = std::min(begin + slabs->together, slabs->count);
    one->run(source, between, {slabs->first_digit, begin, end});
    other->run(between, to, {slabs->second_digit, begin, end});
  }
  return true;
}

/// Blocks that are not the library's to move travel in packets: the pass before them is made as packets need it, and the one behind
/// them as packets arrive, if its output is not what is still to be sent. Gives the number of steps that are done so, 0 where
/// there is nothing of the kind.
template <typename Real>
std::size_t Engine<Real>::run_packets(const Way& way, std::size_t first, const Complex* source,
                                      const std::function<Complex*(Array)>& place) {
  const auto step_at = [&](std::size_t i) { return i < way.steps.size() ? &way.steps[i] : nullptr; };
  const auto pass_at = [&](std::size_t i) {
    return step_at(i) != nullptr ? std::get_if<Pass<Real>>(step_at(i)) : nullptr;
  };
  const bool begins_with_pass = pass_at(first) != nullptr;
  const std::size_t at = begins_with_pass ? first + 1 : first;
  const auto* blocks = step_at(at) != nullptr ? std::get_if<BlockStep>(step_at(at)) : nullptr;
  if (blocks == nullptr || blocks->exchange->exchanger().mover == mpi::Mover::library) return 0;

  const double start = MPI_Wtime();
  Complex* sent = begins_with_pass ? place(way.route.after[first]) : const_cast<Complex*>(source);
  Complex* received = place(way.route.after[at]);
  std::optional<PassInParts<Real>> before;
  if (begins_with_pass) {
    // What arrives, and what is made of it, must not lie where the pass has still to read.
    const bool keeps_source =
        received != source && (pass_at(at + 1) == nullptr || place(way.route.after[at + 1]) != source);
    const auto parts = block_parts(pass_at(first)->shape(), blocks->block_count, false);
    if (!parts || !keeps_source) return 0;
    before.emplace(*pass_at(first), *parts, source, sent);
  }
  std::optional<PassInParts<Real>> behind;
  if (pass_at(at + 1) != nullptr && place(way.route.after[at + 1]) != sent) {
    const auto parts = block_parts(pass_at(at + 1)->shape(), blocks->block_count, true);
    if (parts) behind.emplace(*pass_at(at + 1), *parts, received, place(way.route.after[at + 1]));
  }
  const std::size_t block_bytes = blocks->block_count * sizeof(Complex);
  const auto as_bytes = [](const Complex* points) { return reinterpret_cast<const std::byte*>(points); };
  const auto as_room = [](Complex* points) { return reinterpret_cast<std::byte*>(points); };
  const auto points_in = [](std::size_t bytes) { return (bytes + sizeof(Complex) - 1) / sizeof(Complex); };
  Arrivals arrivals(blocks->members);
  const PacketCalls calls{
      [&](Rank destination, std::size_t offset, std::span<std::byte> packet) {
        if (before) before->run_for(points_in(offset + packet.size()));
        std::memcpy(packet.data(), as_bytes(sent) + label(destination) * block_bytes + offset, packet.size());
      },
      [&](Rank from, std::size_t offset, std::span<const std::byte> packet) {
        std::memcpy(as_room(received) + label(from) * block_bytes + offset, packet.data(), packet.size());
        const std::size_t least = arrivals.add(label(from), packet.size());
        if (behind) behind->run_within(least / sizeof(Complex));
      }};
  blocks->exchange->run_packets(block_bytes, calls);
  times_.exchange_seconds += MPI_Wtime() - start;
  times_.overlap_seconds += (before ? before->seconds() : 0) + (behind ? behind->seconds() : 0);
  if (behind) behind->finish();
  return at + 1 - first + (behind ? 1 : 0);
}

template <typename Real>
void Engine<Real>::run_blocks(const BlockStep& step, const Complex* from, Complex* to) {
  const double start = MPI_Wtime();
  const auto count = static_cast<int>(step.block_count);
  step.exchange->run(from, count, point_type<Real>(), to, count, point_type<Real>());
  times_.exchange_seconds += MPI_Wtime() - start;
}

template class Engine<float>;
template class Engine<double>;

}  // namespace cubefold::fft
