#include "lowered_program.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "block_geometry.hpp"

namespace cubefold::fft {

namespace {

std::size_t even(std::size_t count) {
  return count + count % 2;
}

bool may_go(const Operation& operation, std::size_t from, std::size_t to, std::size_t output_count) {
  if (static_cast<Buffer>(to) == Buffer::input) return false;
  if (static_cast<Buffer>(to) == Buffer::output && operation.real_count > output_count) return false;
  return from != to || operation.can_be_in_place;
}

/// Assigns buffers up to `last` to the operations. The output has room for output_count real numbers. Returns false if
/// this is not possible. Works from the end: can_finish[i][b] says whether the operations from i on can begin with
/// buffer b.
bool assign_buffers(std::vector<Operation>& operations, std::size_t output_count, Buffer first, Buffer last) {
  const std::size_t buffer_count = static_cast<std::size_t>(last) + 1;
  std::vector<std::vector<bool>> can_finish(operations.size() + 1, std::vector<bool>(buffer_count));
  can_finish.back()[static_cast<std::size_t>(Buffer::output)] = true;
  for (std::size_t i = operations.size(); i-- > 0;) {
    for (std::size_t from = 0; from < buffer_count; ++from) {
      for (std::size_t to = 0; to < buffer_count; ++to) {
        if (may_go(operations[i], from, to, output_count) && can_finish[i + 1][to])
          can_finish[i][from] = true;
      }
    }
  }
  auto at = static_cast<std::size_t>(first);
  if (!can_finish[0][at]) return false;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    std::size_t to = 1;
    while (!may_go(operations[i], at, to, output_count) || !can_finish[i + 1][to]) ++to;
    operations[i].from = static_cast<Buffer>(at);
    operations[i].to = static_cast<Buffer>(to);
    at = to;
  }
  return true;
}

/// Assigns buffers, with a second work buffer only if one is not enough.
bool assign_buffers(std::vector<Operation>& operations, std::size_t output_count, Buffer first) {
  return assign_buffers(operations, output_count, first, Buffer::work) ||
         assign_buffers(operations, output_count, first, Buffer::second_work);
}

std::size_t largest_count(const std::vector<Operation>& operations, Buffer buffer) {
  std::size_t largest = 0;
  for (const Operation& operation : operations)
    if (operation.to == buffer) largest = std::max(largest, even(operation.real_count));
  return largest;
}

/// Lowers the program with these orders. Begins with a copy if the buffers allow nothing else.
LoweredProgram lowered_in_order(const Program& program, const Layout::Members& members,
                                const LoweringOptions& options, const BlockOrders& orders) {
  auto operations = operations_of(program, members, options, orders);
  const std::size_t input = real_count(program.input, program.input_kind, members, options.batch);
  std::size_t output = real_count(program.output, program.output_kind, members, options.batch);
  if (options.in_place) output = std::max(output, input);
  if (operations.empty() && options.in_place) return {};
  const Operation copy{.what = PointwiseStage{}, .real_count = input, .slices = {}};
  if (operations.empty()) operations.push_back(copy);
  const Buffer first = options.in_place ? Buffer::output : Buffer::input;
  if (!assign_buffers(operations, output, first)) {
    operations.insert(operations.begin(), copy);
    assign_buffers(operations, output, first);
  }
  const std::size_t work = largest_count(operations, Buffer::work);
  const std::size_t second_work = largest_count(operations, Buffer::second_work);
  return {std::move(operations), work, second_work};
}

template <typename What>
const What* at(const std::vector<Operation>& operations, std::size_t i) {
  return i < operations.size() ? std::get_if<What>(&operations[i].what) : nullptr;
}

bool is_in_packets(const std::vector<Operation>& operations, std::size_t i) {
  const auto* exchange = at<BlockExchange>(operations, i);
  return exchange != nullptr && exchange->in_packets;
}

/// Joins two fused stages that can run slab by slab, while a slab is in the cache. This requires that the second stage
/// reads only what the first has written for its slab, and that the first stage does not read what the second has
/// overwritten. A second stage before an exchange in packets is left to join_exchange(). Returns whether the stages are
/// joined.
bool join_stages(std::vector<Operation>& operations, std::size_t i, std::size_t point_bytes) {
  constexpr std::size_t large = 3 << 19;
  const auto* first = at<FusedStage>(operations, i);
  const auto* second = at<FusedStage>(operations, i + 1);
  if (first == nullptr || second == nullptr || is_in_packets(operations, i + 2)) return false;
  const auto written = array_slices(*first, false);
  const auto read = array_slices(*second, true);
  if (!written || !read || first->to.base != second->from.base || written->count != read->count ||
      written->point_count != read->point_count)
    return false;
  // Slabs that do not fit into a processor's own cache gain nothing, and neither do whole arrays that fit into it.
  const std::size_t bytes = std::max<std::size_t>(read->point_count * point_bytes, 1);
  if (bytes > large || bytes * read->count <= large) return false;
  const Operation& one = operations[i];
  const Operation& other = operations[i + 1];
  if (other.to == one.from && one.to != one.from) return false;
  operations[i].group_size = 2;
  operations[i].slices = written;
  operations[i + 1].slices = read;
  return true;
}

/// Joins an exchange in packets with the stage before it, which then runs as packets leave, and with the stage after
/// it, which then runs as packets arrive. Packets that arrive, and the results of the stage after the exchange, must
/// not overwrite points that the stage before has still to read or that have still to be sent.
void join_exchange(std::vector<Operation>& operations, std::size_t i) {
  const std::size_t e = at<FusedStage>(operations, i) != nullptr ? i + 1 : i;
  if (!is_in_packets(operations, e)) return;
  const std::size_t block_count = at<BlockExchange>(operations, e)->block_count;
  const auto* behind = at<FusedStage>(operations, e + 1);
  if (e > i) {
    const Buffer source = operations[i].from;
    const bool keeps_source =
        operations[e].to != source && (behind == nullptr || operations[e + 1].to != source);
    if (keeps_source) operations[i].slices = block_slices(*at<FusedStage>(operations, i), block_count, false);
    if (!operations[i].slices) return;
  }
  if (behind != nullptr && operations[e + 1].to != operations[e].from)
    operations[e + 1].slices = block_slices(*behind, block_count, true);
  const bool joins_behind = behind != nullptr && operations[e + 1].slices;
  operations[i].group_size = e + 1 - i + (joins_behind ? 1 : 0);
}

/// Decides which operations run together, slice by slice.
void group(std::vector<Operation>& operations, std::size_t point_bytes) {
  for (std::size_t i = 0; i < operations.size(); i += operations[i].group_size)
    if (!join_stages(operations, i, point_bytes)) join_exchange(operations, i);
}

/// Returns the sum of the memory costs of fused stages. The stage before an exchange in packets should run slice by
/// slice while packets travel; if it cannot, that is an extra cost.
double cost_of(const std::vector<Operation>& operations) {
  constexpr double cost_of_waiting = 10;
  double cost = 0;
  const FusedStage* before = nullptr;
  for (const Operation& operation : operations) {
    const auto* exchange = std::get_if<BlockExchange>(&operation.what);
    if (exchange != nullptr && exchange->in_packets &&
        (before == nullptr || !block_slices(*before, exchange->block_count, false)))
      cost += cost_of_waiting;
    before = std::get_if<FusedStage>(&operation.what);
    if (before != nullptr) cost += memory_cost(*before);
  }
  return cost;
}

/// Returns the orders to be tried for an exchange: the order of the layout before, the order of the layout after, and
/// both with each dimension moved to the end, since one of them may be transformed before or after the exchange.
std::vector<std::vector<std::size_t>> orders_of(const ExchangeStage& stage) {
  std::vector<std::vector<std::size_t>> orders;
  const auto add = [&](std::vector<std::size_t> order) {
    if (std::ranges::find(orders, order) == orders.end()) orders.push_back(std::move(order));
  };
  const auto with_last = [](std::vector<std::size_t> order, std::size_t dimension) {
    std::erase(order, dimension);
    order.push_back(dimension);
    return order;
  };
  std::vector<std::size_t> before(stage.before.dimensions().size());
  std::iota(before.begin(), before.end(), 0);
  const std::vector<std::size_t> after = dimensions_before(stage);
  add(before);
  add(after);
  for (std::size_t d = 0; d < before.size(); ++d) {
    add(with_last(before, d));
    add(with_last(after, d));
  }
  return orders;
}

/// Returns the combinations of one order for each exchange. Exchanges for which there would be more than
/// most_combinations, and those through windows, get only their first order.
std::vector<BlockOrders> combinations(const Program& program, const std::vector<bool>& through_window) {
  constexpr std::size_t most_combinations = 300;
  std::vector<BlockOrders> result{{}};
  const auto stages = exchange_stages(program);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    auto orders = orders_of(std::get<ExchangeStage>(program.stages[stages[i]]));
    if (through_window[i] || result.size() * orders.size() > most_combinations) orders.resize(1);
    std::vector<BlockOrders> longer;
    for (const BlockOrders& begun : result) {
      for (const auto& order : orders) {
        longer.push_back(begun);
        longer.back().push_back(order);
      }
    }
    result = std::move(longer);
  }
  return result;
}

/// Returns the orders with which process 0 needs the least memory, and among these the least time, as the sum of both
/// forms: in place and between two arrays. Process 0 decides because it has no fewer points than others; a process
/// without points might find itself able to run in place where the others are not.
BlockOrders best_orders(const Program& program, LoweringOptions options) {
  const Layout::Members first(program.input.axis_members().size());
  auto all = combinations(program, exchanges_through_windows(program, first, options));
  if (all.size() == 1) return std::move(all.front());
  std::pair<std::size_t, double> least{};
  std::size_t best = all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::pair<std::size_t, double> cost{};
    for (const bool in_place : {false, true}) {
      options.in_place = in_place;
      const LoweredProgram lowered = lowered_in_order(program, first, options, all[i]);
      cost.first = std::max(cost.first, lowered.work_count + lowered.second_work_count);
      cost.second += cost_of(lowered.operations);
    }
    if (best < all.size() && cost >= least) continue;
    least = cost;
    best = i;
  }
  return std::move(all[best]);
}

}  // namespace

LoweredProgram lower(const Program& program, const Layout::Members& members, const LoweringOptions& options) {
  LoweredProgram lowered = lowered_in_order(program, members, options, best_orders(program, options));
  group(lowered.operations, options.point_bytes);
  lowered.through_window = exchanges_through_windows(program, members, options);
  return lowered;
}

namespace {

std::size_t passes_of(const ArrayTransform& transform, std::size_t point_bytes) {
  constexpr std::size_t cache_bytes = 1 << 21;
  std::size_t bytes = point_bytes;
  for (const std::size_t d : transform.rows) bytes *= transform.from.dimensions[d].count();
  return bytes <= cache_bytes ? 1 : transform.rows.size();
}

}  // namespace

std::size_t passes_over_memory(const LoweredProgram& lowered, std::size_t point_bytes) {
  std::size_t passes = 0;
  for (std::size_t i = 0; i < lowered.operations.size(); ++i) {
    const auto* transform = at<ArrayTransform>(lowered.operations, i);
    const bool is_exchange = at<BlockExchange>(lowered.operations, i) != nullptr;
    const bool is_square = at<SquareExchange>(lowered.operations, i) != nullptr;
    passes += transform != nullptr ? passes_of(*transform, point_bytes) : is_exchange || is_square ? 2 : 1;
  }
  return passes;
}

Program kernel_program(const Program& program, std::size_t kernel_stage) {
  const auto& kernel = std::get<KernelStage>(program.stages[kernel_stage]);
  const auto begin = program.stages.begin();
  const auto first = begin + static_cast<std::ptrdiff_t>(kernel.first_stage);
  return {layout_before(*first), {first, begin + static_cast<std::ptrdiff_t>(kernel_stage)}, kernel.before};
}

}  // namespace cubefold::fft
