#include "way.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

namespace cubefold::fft {

namespace {

std::size_t input_room(const ProcessProgram& here) {
  return room_of(here.program.input, here.program.input_element, here.members, here.batch);
}

CallersArrays callers_arrays(const ProcessProgram& here, bool in_place) {
  const std::size_t output =
      room_of(here.program.output, here.program.output_element, here.members, here.batch);
  return {in_place ? std::max(output, input_room(here)) : output, in_place};
}

}  // namespace

Way way_of(const ProcessProgram& here, const BlockOrders& orders, bool in_place) {
  auto moves = moves_of(here.program, here.members, here.batch, orders);
  const Move copy{CopyMove{}, input_room(here)};
  if (moves.empty() && in_place) return {};
  if (moves.empty()) moves.push_back(copy);
  const CallersArrays arrays = callers_arrays(here, in_place);
  if (auto route = route_of(moves, arrays)) return {std::move(moves), *std::move(route)};
  moves.insert(moves.begin(), copy);
  Route route = route_of(moves, arrays).value();
  return {std::move(moves), std::move(route)};
}

double cost_of(const std::vector<Move>& moves, const std::vector<bool>& in_packets) {
  constexpr double cost_of_waiting = 10;
  double cost = 0;
  std::size_t exchange = 0;
  const PassShape* pass = nullptr;
  for (const Move& move : moves) {
    if (const auto* blocks = std::get_if<BlockMove>(&move.what)) {
      const bool is_in_parts = pass != nullptr && block_parts(*pass, blocks->block_count, false);
      if (in_packets[exchange++] && !is_in_parts) cost += cost_of_waiting;
    }
    pass = std::get_if<PassShape>(&move.what);
    if (pass != nullptr) cost += memory_cost(*pass);
  }
  return cost;
}

}  // namespace cubefold::fft
