#include "butterflies.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "schedule/task_schedule.hpp"

namespace cubefold::fft {

namespace {

/// Returns the i-th of the row numbers in which this bit is 0.
std::size_t row_without(std::size_t i, std::size_t bit) {
  return ((i & ~(bit - 1)) << 1) | (i & (bit - 1));
}

/// Splits the indices first .. first + count - 1 at multiples of `low`, and calls work(index mod low, number of
/// indices) for each run.
template <typename Work>
void for_runs(std::size_t first, std::size_t count, std::size_t low, Work work) {
  std::size_t j = first % low;
  while (count > 0) {
    const std::size_t run = std::min(count, low - j);
    work(j, run);
    count -= run;
    j = 0;
  }
}

}  // namespace

template <typename Real>
Butterflies<Real>::Butterflies(const BinaryExchange& exchange, Rank rank, Transform transform,
                               long double scale)
    : exchange_(exchange),
      column_count_(exchange.column_count()),
      sent_rows_(std::max<std::size_t>(exchange.row_count() / 2, 1)),
      input_label_(exchange.input_label(rank)),
      heads_(exchange.heads(rank)),
      of_first_(exchange.shape().high * exchange.shape().rank_count, transform, scale),
      of_second_(exchange.point_count(), transform) {
  const int n = exchange.stage_count();
  for (int stage = 0; stage < n; ++stage) {
    const auto twiddle =
        root_of_unity(exchange.twiddle_exponent(stage, rank), std::size_t{1} << (n - stage), transform);
    stages_.push_back({std::size_t{1} << exchange.row_bit_of(stage),
                       ((label(rank) >> exchange.dimension_of(stage)) & 1U) != 0, Complex(twiddle)});
  }
}

// Points that differ only in j_L have the same factor in the first twiddle and the same head in the second.

template <typename Real>
void Butterflies<Real>::begin(const Complex* results, Complex* array, ItemRange columns) const {
  const std::size_t high = exchange_.shape().high;
  const std::size_t low = exchange_.shape().low;
  const std::size_t rows = exchange_.row_count();
  for (std::size_t row = 0; row < rows; ++row) {
    Complex* to = array + row * column_count_ + columns.begin;
    std::size_t k = exchange_.high_of_row(row) + rows * (columns.begin / low);
    for_runs(columns.begin, columns.size(), low, [&](std::size_t j, std::size_t count) {
      const Complex factor = of_first_(input_label_ * k);
      const Complex* from = results + j * high + k;
      for (std::size_t i = 0; i < count; ++i) to[i] = product_of(from[i * high], factor);
      to += count;
      k += rows;
    });
  }
}

template <typename Real>
void Butterflies<Real>::send(std::size_t stage, const Complex* array, ItemRange columns,
                             std::span<Complex> message) const {
  const auto& [bit, upper, twiddle] = stages_[stage];
  const bool is_half = exchange_.shape().exchanged == Exchanged::half;
  Complex* to = message.data();
  for (std::size_t i = 0; i < sent_rows_; ++i) {
    const std::size_t row = is_half ? row_without(i, bit) + (upper ? 0 : bit) : 0;
    const Complex* from = array + row * column_count_;
    to = std::copy(from + columns.begin, from + columns.end, to);
  }
}

template <typename Real>
void Butterflies<Real>::receive(std::size_t stage, std::span<const Complex> arrived, Complex* array,
                                ItemRange columns) const {
  if (exchange_.shape().exchanged == Exchanged::half) {
    receive_half(stages_[stage], arrived, array, columns);
  } else {
    receive_whole(stages_[stage], arrived, array + columns.begin);
  }
}

template <typename Real>
void Butterflies<Real>::receive_whole(const Stage& stage, std::span<const Complex> arrived,
                                      Complex* own) const {
  const Complex twiddle = stage.twiddle;
  if (stage.upper) {
    for (std::size_t i = 0; i < arrived.size(); ++i) own[i] = product_of(arrived[i] - own[i], twiddle);
  } else {
    for (std::size_t i = 0; i < arrived.size(); ++i) own[i] += arrived[i];
  }
}

template <typename Real>
void Butterflies<Real>::receive_half(const Stage& stage, std::span<const Complex> arrived, Complex* array,
                                     ItemRange columns) const {
  const auto& [bit, upper, twiddle] = stage;
  const Complex* from = arrived.data();
  for (std::size_t i = 0; i < sent_rows_; ++i) {
    Complex* sum = array + row_without(i, bit) * column_count_ + columns.begin;
    Complex* difference = sum + bit * column_count_;
    for (std::size_t column = 0; column < columns.size(); ++column, ++from) {
      const Complex first = upper ? *from : sum[column];
      const Complex second = upper ? difference[column] : *from;
      sum[column] = first + second;
      difference[column] = product_of(first - second, twiddle);
    }
  }
}

template <typename Real>
void Butterflies<Real>::end(const Complex* array, Complex* points, ItemRange columns) const {
  const std::size_t low = exchange_.shape().low;
  for (std::size_t row = 0; row < exchange_.row_count(); ++row) {
    std::size_t index = row * column_count_ + columns.begin;
    std::size_t head = heads_.first + index / low * heads_.step;
    for_runs(index, columns.size(), low, [&](std::size_t j, std::size_t count) {
      std::size_t exponent = j * head;
      for (const std::size_t last = index + count; index < last; ++index, exponent += head)
        points[index] = product_of(array[index], of_second_(exponent));
      head += heads_.step;
    });
  }
}

template class Butterflies<float>;
template class Butterflies<double>;

namespace {

/// Returns the task of an iteration. The dimensions of its stages are consecutive, ascending or descending.
Task task_of(const BinaryExchange& exchange, std::size_t packet_count, std::size_t iteration) {
  const auto last_stage = static_cast<std::size_t>(exchange.stage_count() - 1);
  const auto last = static_cast<int>(std::min(iteration, last_stage));
  const auto first = static_cast<int>(iteration < packet_count ? 0 : iteration + 1 - packet_count);
  return {std::min(exchange.dimension_of(first), exchange.dimension_of(last)), last - first + 1};
}

}  // namespace

std::function<std::size_t(std::size_t, Rank, int)> steps_of_iterations(const BinaryExchange& exchange,
                                                                       std::size_t packet_count,
                                                                       const Placement& placement,
                                                                       const NetworkRules& rules) {
  std::map<std::pair<int, int>, TaskSchedule> schedules;
  const auto stages = static_cast<std::size_t>(exchange.stage_count());
  for (std::size_t iteration = 0; iteration + 1 < stages + packet_count; ++iteration) {
    const Task task = task_of(exchange, packet_count, iteration);
    if (schedules.contains({task.first, task.count})) continue;
    schedules.emplace(std::pair(task.first, task.count),
                      TaskSchedule(placement, task, rules.ports, rules.tie));
  }
  return [=](std::size_t iteration, Rank rank, int dimension) {
    const Task task = task_of(exchange, packet_count, iteration);
    return schedules.at({task.first, task.count}).step_of(rank, dimension);
  };
}

}  // namespace cubefold::fft
