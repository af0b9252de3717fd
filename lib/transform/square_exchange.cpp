#include "square_exchange.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "block_geometry.hpp"
#include "layouts.hpp"

namespace cubefold::fft {

std::size_t SquareExchange::tile_count() const {
  return divided_up(side, tile_values);
}

auto SquareExchange::tile(std::size_t number) const -> Tile {
  const std::size_t range = transforms_first ? tile_count() - 1 - number : number;
  return {range * tile_values, std::min((range + 1) * tile_values, side)};
}

namespace {

/// Returns the most points of a block's part of a tile.
std::size_t block_points(const SquareExchange& exchange) {
  return (2 * exchange.side - exchange.tile_values) * exchange.tile_values * exchange.inner;
}

}  // namespace

std::size_t SquareExchange::block_place(std::size_t from, std::size_t to) const {
  return (from * (member_count - 1) + to - (to > from ? 1 : 0)) * block_points(*this);
}

std::size_t SquareExchange::window_points() const {
  return member_count * (member_count - 1) * block_points(*this);
}

namespace {

/// Returns whether the transforms change places of dimensions 0 and 1, and leave the others.
bool transposes(const TransformStage& stage) {
  if (stage.sources.size() < 2 || stage.sources[0] != 1 || stage.sources[1] != 0) return false;
  for (std::size_t d = 2; d < stage.sources.size(); ++d)
    if (stage.sources[d] != d) return false;
  return true;
}

/// Returns whether dimension 0 becomes local and dimension 1 is spread in blocks, or the reverse, and all others stay.
bool is_between_blocks(const Layout& before, const Layout& after, int axis, bool gathers) {
  const Layout& spread = gathers ? before : after;
  const Layout& whole = gathers ? after : before;
  const std::size_t count = before.dimensions().size();
  if (count < 2 || after.dimensions().size() != count) return false;
  const auto is_block = [&](const IndexDimension& d) { return d.spread == Spread::block && d.axis == axis; };
  if (!is_block(spread.dimensions()[0]) || spread.dimensions()[1].spread != Spread::local ||
      whole.dimensions()[0].spread != Spread::local || !is_block(whole.dimensions()[1]))
    return false;
  for (std::size_t d = 0; d < count; ++d) {
    const IndexDimension& a = before.dimensions()[d];
    const IndexDimension& b = after.dimensions()[d];
    if (a.extent != b.extent || a.weight != b.weight || (d >= 2 && !(a == b))) return false;
  }
  return true;
}

}  // namespace

std::optional<SquareExchange> square_exchange(std::span<const Stage> stages, const Layout::Members& members,
                                              std::size_t batch, const TileRules& rules) {
  if (stages.empty() || stages.size() > 2 || (batch > 1 && !rules.interleaved)) return std::nullopt;
  const auto* exchange = std::get_if<ExchangeStage>(&stages.front());
  if (exchange == nullptr) exchange = std::get_if<ExchangeStage>(&stages.back());
  const bool transforms_first = std::holds_alternative<TransformStage>(stages.front());
  const Stage& stage = transforms_first ? stages.front() : stages.back();
  const auto* transforms = std::get_if<TransformStage>(&stage);
  if (transforms == nullptr || transforms->kind != Kind::complex || !transposes(*transforms) ||
      joined_count({&stage, 1}) != 1 || (stages.size() == 2) != (exchange != nullptr))
    return std::nullopt;
  // The order with whole rows has dimension 1 in front, and belongs to the frequencies.
  const bool forward = transforms->frequency() == 1;
  const Layout& rows = forward ? transforms->after : transforms->before;
  const Layout& others = forward ? transforms->before : transforms->after;
  if (transforms->dimension != (forward ? 0U : 1U)) return std::nullopt;

  SquareExchange result;
  const std::size_t extent = rows.dimensions()[0].extent;
  if (extent != rows.dimensions()[1].extent || extent == 0) return std::nullopt;
  if (exchange != nullptr) {
    if (forward == transforms_first || !(forward ? exchange->after == others : exchange->before == others) ||
        member_count(*exchange) == 1 ||
        !is_between_blocks(exchange->before, exchange->after, exchange->axis, forward))
      return std::nullopt;
    result.axis = exchange->axis;
    result.member = members[static_cast<std::size_t>(exchange->axis)];
    result.member_count = member_count(*exchange);
  } else if (!is_whole(rows, 0) || !is_whole(rows, 1)) {
    return std::nullopt;
  }
  result.transforms_first = transforms_first && !forward;
  if (rows.row_padding() + others.row_padding() > 0 || extent % result.member_count != 0) return std::nullopt;
  result.side = extent / result.member_count;
  const std::size_t count = rows.dimensions().size();
  std::size_t largest = batch;
  result.inner = batch;
  for (std::size_t d = 2; d < count; ++d) {
    largest *= rows.largest_dimension_count(d);
    result.inner *= rows.dimension_count(d, members);
  }
  const std::size_t neighbours = std::max<std::size_t>(result.member_count - 1, 1);
  const std::size_t points_of_value = std::max<std::size_t>(2 * result.side * largest * neighbours, 1);
  if (result.member_count > 1 && points_of_value > rules.most_member_points) return std::nullopt;
  result.tile_values = std::clamp<std::size_t>(rules.member_points / points_of_value, 1, result.side);
  const std::size_t shared = divided_up(result.tile_values, rules.threads) * rules.threads;
  if (shared <= result.side && shared * points_of_value <= rules.most_member_points)
    result.tile_values = shared;

  const StridedView to = natural_view(rows, members, batch, rules.interleaved);
  StridedView from = to;
  for (std::size_t d = 0; d < count; ++d) from.dimensions[transforms->sources[d] + 1] = to.dimensions[d + 1];
  auto transform = joined({&stage, 1}, forward ? from : to, forward ? to : from);
  if (!transform || !can_be_in_place(*transform)) return std::nullopt;
  result.transform = *std::move(transform);
  result.cut = forward ? 1 : 2;
  return result;
}

}  // namespace cubefold::fft
