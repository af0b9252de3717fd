#include "ready_way.hpp"

#include <mpi.h>

#include <stdexcept>

#include "overlap.hpp"

namespace cubefold::fft {

namespace {

template <typename Real>
class WayRun {
 public:
  using Complex = std::complex<Real>;

  WayRun(const ReadyWay<Real>& ready, const GivenArrays<Real>& arrays, PhaseTimes& times)
      : ready_(&ready), arrays_(arrays), times_(&times) {}

  /// Does step `first`, and those behind it that go with it. Gives their number.
  std::size_t run(std::size_t first) {
    if (const std::size_t done = run_slabs(first)) return done;
    if (const std::size_t done = run_packets(first)) return done;
    run_alone(first);
    return 1;
  }

 private:
  const Complex* before(std::size_t step) const { return step == 0 ? arrays_.input : after(step - 1); }
  Complex* after(std::size_t step) const;
  std::size_t run_slabs(std::size_t first) const;
  std::size_t run_packets(std::size_t first);
  void run_alone(std::size_t step);
  void run_blocks(const BlockStep& step, const Complex* from, Complex* to);

  const ReadyWay<Real>* ready_;
  GivenArrays<Real> arrays_;
  PhaseTimes* times_;
};

template <typename Real>
std::complex<Real>* WayRun<Real>::after(std::size_t step) const {
  const Route& route = ready_->way.route;
  switch (route.after[step]) {
    case Array::output:
      return arrays_.output;
    case Array::work:
      return arrays_.workspace;
    case Array::second_work:
      return arrays_.workspace + route.work_room / 2;
    case Array::input:
      break;
  }
  throw std::logic_error("the input is written to");
}

/// Two passes slab by slab, if they are the next steps. A second one that packets need part by part stays with them.
template <typename Real>
std::size_t WayRun<Real>::run_slabs(std::size_t first) const {
  const auto* one = ready_->template at<Pass<Real>>(first);
  const auto* other = ready_->template at<Pass<Real>>(first + 1);
  if (one == nullptr || other == nullptr) return 0;
  const auto* blocks = ready_->template at<BlockStep>(first + 2);
  if (blocks != nullptr && travels_in_packets(*blocks->exchange)) return 0;
  return run_in_slabs(*one, *other, before(first), after(first), after(first + 1)) ? 2 : 0;
}

/// An exchange in packets, if it is the next step or the one behind a pass, with the passes beside it.
template <typename Real>
std::size_t WayRun<Real>::run_packets(std::size_t first) {
  const auto* pass = ready_->template at<Pass<Real>>(first);
  const std::size_t exchange = pass != nullptr ? first + 1 : first;
  const auto* blocks = ready_->template at<BlockStep>(exchange);
  if (blocks == nullptr || !travels_in_packets(*blocks->exchange)) return 0;
  const auto* behind = ready_->template at<Pass<Real>>(exchange + 1);
  PacketSteps<Real> steps{pass, blocks, behind, before(first), nullptr, after(exchange), nullptr};
  if (pass != nullptr) steps.before_output = after(first);
  if (behind != nullptr) steps.behind_output = after(exchange + 1);
  return run_in_packets(steps, *times_);
}

template <typename Real>
void WayRun<Real>::run_alone(std::size_t step) {
  const Complex* from = before(step);
  Complex* to = after(step);
  if (const auto* blocks = ready_->template at<BlockStep>(step)) run_blocks(*blocks, from, to);
  if (const auto* pass = ready_->template at<Pass<Real>>(step)) pass->run(from, to);
  if (const auto* work = ready_->template at<Pointwise<Real>>(step)) (*work)(from, to);
}

template <typename Real>
void WayRun<Real>::run_blocks(const BlockStep& step, const Complex* from, Complex* to) {
  const MPI_Datatype point = sizeof(Real) == sizeof(double) ? MPI_C_DOUBLE_COMPLEX : MPI_C_FLOAT_COMPLEX;
  const double start = MPI_Wtime();
  const auto count = static_cast<int>(step.block_count);
  step.exchange->run(from, count, point, to, count, point);
  times_->exchange_seconds += MPI_Wtime() - start;
}

}  // namespace

template <typename Real>
void run(const ReadyWay<Real>& ready, const GivenArrays<Real>& arrays, PhaseTimes& times) {
  WayRun<Real> way_run(ready, arrays, times);
  for (std::size_t i = 0; i < ready.steps.size();) i += way_run.run(i);
}

template void run(const ReadyWay<float>& ready, const GivenArrays<float>& arrays, PhaseTimes& times);
template void run(const ReadyWay<double>& ready, const GivenArrays<double>& arrays, PhaseTimes& times);

}  // namespace cubefold::fft
