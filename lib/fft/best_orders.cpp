#include "best_orders.hpp"

#include <cstdint>
#include <utility>
#include <variant>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::fft {

namespace {

/// Digits of the layout before an exchange, slowest first.
using Order = std::vector<std::size_t>;

/// One for each exchange.
using Orders = std::vector<Order>;

/// More would take longer to compare than they are worth.
constexpr std::size_t most_combinations = 300;

/// Each of what has begun with each of the orders; with the first alone where that is too many.
std::vector<Orders> longer(const std::vector<Orders>& begun, const std::vector<Order>& orders) {
  const bool too_many = begun.size() * orders.size() > most_combinations;
  std::vector<Orders> result;
  for (const Orders& each : begun) {
    for (const Order& order : orders) {
      result.push_back(each);
      result.back().push_back(order);
      if (too_many) break;
    }
  }
  return result;
}

/// All choices of one of the orders for each exchange; only the first ones where they are too many.
std::vector<Orders> combinations(const Program& program) {
  std::vector<Orders> result{{}};
  for (const std::size_t stage : exchange_stages(program))
    result = longer(result, block_orders(program, stage));
  return result;
}

/// What each combination takes.
struct Costs {
  std::vector<double> rooms;  ///< of memory, in real numbers
  std::vector<double> moves;  ///< as cost_of() has it

  auto of(std::size_t i) const { return std::pair(rooms[i], moves[i]); }
};

Costs costs_here(const ProcessProgram& here, const std::vector<Orders>& all, bool in_place) {
  Costs costs;
  for (const Orders& orders : all) {
    const Way way = way_of(here, {orders, here.rooms}, in_place);
    costs.rooms.push_back(static_cast<double>(way.route.work_room + way.route.second_room));
    costs.moves.push_back(cost_of(way.moves, here.in_packets));
  }
  return costs;
}

template <typename Value>
void take_largest(std::vector<Value>& values, MPI_Datatype type, MPI_Comm comm) {
  const auto count = static_cast<int>(values.size());
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, values.data(), count, type, MPI_MAX, comm), "MPI_Allreduce");
}

}  // namespace

std::vector<std::size_t> exchange_stages(const Program& program) {
  std::vector<std::size_t> numbers;
  for (std::size_t s = 0; s < program.stages.size(); ++s)
    if (std::holds_alternative<ExchangeStage>(program.stages[s])) numbers.push_back(s);
  return numbers;
}

std::vector<std::vector<std::size_t>> largest_shares(const Program& program, const Layout::Members& members,
                                                     MPI_Comm comm) {
  std::vector<std::vector<std::size_t>> shares;
  mpi::collective_try(comm, [&] {
    for (const std::size_t s : exchange_stages(program))
      shares.push_back(shared_counts(std::get<ExchangeStage>(program.stages[s]), members));
  });
  static_assert(sizeof(std::size_t) == sizeof(std::uint64_t));
  for (auto& counts : shares) take_largest(counts, MPI_UINT64_T, comm);
  return shares;
}

// Processes with uneven parts would judge differently: what costs them most decides together.
BlockOrders best_orders(const ProcessProgram& here, bool in_place, MPI_Comm comm) {
  BlockOrders result;
  std::vector<Orders> all;
  Costs costs;
  mpi::collective_try(comm, [&] {
    result.rooms = here.rooms;
    all = combinations(here.program);
    costs = costs_here(here, all, in_place);
  });
  take_largest(costs.rooms, MPI_DOUBLE, comm);
  take_largest(costs.moves, MPI_DOUBLE, comm);
  std::size_t best = 0;
  for (std::size_t i = 1; i < all.size(); ++i)
    if (costs.of(i) < costs.of(best)) best = i;
  result.orders = std::move(all[best]);
  return result;
}

}  // namespace cubefold::fft
