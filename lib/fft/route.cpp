#include "route.hpp"

#include <algorithm>
#include <array>

namespace cubefold::fft {

namespace {

constexpr std::size_t array_count = 4;

std::size_t even(std::size_t count) {
  return count + count % 2;
}

bool may_go(const Move& move, std::size_t from, std::size_t to, const CallersArrays& arrays, bool two_only) {
  if (static_cast<Array>(to) == Array::input) return false;
  if (static_cast<Array>(to) == Array::second_work && two_only) return false;
  if (static_cast<Array>(to) == Array::output && move.room > arrays.output_room) return false;
  return from != to || move.can_be_in_place;
}

/// Ways are put together from the end: can_finish[i][a] says whether moves i and following can begin from array a.
std::optional<Route> way(const std::vector<Move>& moves, const CallersArrays& arrays, bool two_only) {
  std::vector<std::array<bool, array_count>> can_finish(moves.size() + 1);
  can_finish.back()[static_cast<std::size_t>(Array::output)] = true;
  for (std::size_t i = moves.size(); i-- > 0;)
    for (std::size_t from = 0; from < array_count; ++from)
      for (std::size_t to = 0; to < array_count; ++to)
        if (may_go(moves[i], from, to, arrays, two_only) && can_finish[i + 1][to]) can_finish[i][from] = true;
  auto at = static_cast<std::size_t>(arrays.in_place ? Array::output : Array::input);
  if (!can_finish[0][at]) return std::nullopt;
  Route route;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    std::size_t to = 1;
    while (!may_go(moves[i], at, to, arrays, two_only) || !can_finish[i + 1][to]) ++to;
    at = to;
    route.after.push_back(static_cast<Array>(at));
    if (route.after.back() == Array::work) route.work_room = std::max(route.work_room, even(moves[i].room));
    if (route.after.back() == Array::second_work)
      route.second_room = std::max(route.second_room, even(moves[i].room));
  }
  return route;
}

}  // namespace

std::optional<Route> route_of(const std::vector<Move>& moves, const CallersArrays& arrays) {
  auto route = way(moves, arrays, true);
  return route ? route : way(moves, arrays, false);
}

}  // namespace cubefold::fft
