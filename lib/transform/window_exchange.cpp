#include "window_exchange.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "block_geometry.hpp"
#include "layouts.hpp"

namespace cubefold::fft {

namespace {

constexpr std::size_t line_points = 4;  // of 16 bytes, in a cache line

std::size_t rounded_up(std::size_t value, std::size_t by) {
  return divided_up(value, by) * by;
}

/// Returns the length of equal ranges of at most `most` values.
std::size_t balanced(std::size_t count, std::size_t most) {
  most = std::clamp<std::size_t>(most, 1, std::max<std::size_t>(count, 1));
  return std::max<std::size_t>(divided_up(count, divided_up(count, most)), 1);
}

bool is_spread(const Layout& layout, std::size_t dimension, int axis) {
  const IndexDimension& d = layout.dimensions()[dimension];
  return d.spread != Spread::local && d.axis == axis;
}

/// Returns the dimension that is spread over the axis, or the number of dimensions if there is none.
std::size_t spread_dimension(const Layout& layout, int axis) {
  std::size_t d = 0;
  while (d < layout.dimensions().size() && !is_spread(layout, d, axis)) ++d;
  return d;
}

std::vector<std::size_t> values_at(const Layout& layout, std::size_t dimension,
                                   const Layout::Members& members) {
  std::vector<std::size_t> values(layout.dimension_count(dimension, members));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = layout.dimension_at(dimension, i, members);
  return values;
}

/// Returns, for each dimension of the layout after the exchange, its number in the layout before. Returns nothing if
/// the exchange cuts dimensions otherwise.
std::optional<std::vector<std::size_t>> sources_of(const ExchangeStage& stage) {
  auto sources = dimensions_before(stage);
  const std::size_t count = stage.before.dimensions().size();
  if (sources.size() != count || std::ranges::find(sources, count) != sources.end()) return std::nullopt;
  return sources;
}

std::size_t product_of(const Layout& layout, std::size_t first, std::size_t end,
                       const Layout::Members& members) {
  std::size_t product = 1;
  for (std::size_t d = first; d < end; ++d) product *= layout.dimension_count(d, members);
  return product;
}

bool have_same_spread(const IndexDimension& a, const IndexDimension& b) {
  return a.extent == b.extent && a.spread == b.spread && (a.spread == Spread::local || a.axis == b.axis);
}

}  // namespace

SharedTransform::Tile SharedTransform::tile(std::size_t number) const {
  const std::size_t outer = number / inner_tiles() * tile_outer;
  const std::size_t inner = number % inner_tiles() * tile_inner;
  return {outer, std::min(tile_outer, outer_count - outer), inner, std::min(tile_inner, inner_count - inner)};
}

std::size_t SharedTransform::share_begin(std::size_t columns, std::size_t of_member) const {
  const std::size_t unit = columns >= line_points * member_count ? line_points : 1;
  return std::min(columns, divided_up(columns, unit) * of_member / member_count * unit);
}

std::optional<SharedTransform> shared_transform(std::span<const Stage> stages, const Layout::Members& members,
                                                std::size_t batch, const TileRules& rules) {
  if (stages.size() < 3) return std::nullopt;
  const auto* first = std::get_if<ExchangeStage>(&stages[0]);
  const auto* stage = std::get_if<TransformStage>(&stages[1]);
  const auto* second = std::get_if<ExchangeStage>(&stages[2]);
  if (first == nullptr || stage == nullptr || second == nullptr || first->axis != second->axis ||
      member_count(*first) == 1 || stage->kind != Kind::complex || !(stage->before == first->after) ||
      !(stage->after == second->before))
    return std::nullopt;
  const auto to_first = sources_of(*first);
  const auto to_second = sources_of(*second);
  if (!to_first || !to_second) return std::nullopt;
  const Layout& before = first->before;
  const Layout& after = second->after;
  // The dimension of the layout before everything, for each dimension of the layout after everything.
  std::vector<std::size_t> sources;
  for (const std::size_t d : *to_second) sources.push_back((*to_first)[stage->sources[d]]);
  const std::size_t row = (*to_first)[stage->dimension];
  if (sources.size() != before.dimensions().size() || !is_spread(before, row, first->axis) ||
      !is_spread(after, row, first->axis) || sources[row] != row)
    return std::nullopt;
  for (std::size_t d = 0; d < sources.size(); ++d) {
    const bool stays = sources[d] == d && have_same_spread(before.dimensions()[d], after.dimensions()[d]);
    if (d != row && !stays) return std::nullopt;
  }

  SharedTransform result;
  result.axis = first->axis;
  result.member = members[static_cast<std::size_t>(first->axis)];
  result.member_count = member_count(*first);
  result.outer_count = product_of(before, 0, row, members);
  result.inner_count = product_of(before, row + 1, before.dimensions().size(), members);
  result.written = values_at(before, row, members);
  result.taken = values_at(after, row, members);
  result.length = stage->length();
  result.transform = stage->transform;
  result.factor = stage->factor;
  if (stage->twiddle) {
    const std::size_t d = (*to_first)[stage->sources[stage->twiddle->dimension]];
    if (d < row || before.dimension_count(d, members) != result.inner_count) return std::nullopt;
    result.twiddle_values = values_at(before, d, members);
    result.twiddle_order = stage->twiddle->order;
    if (rules.interleaved && batch > 1) return std::nullopt;
  }
  (rules.interleaved ? result.inner_count : result.outer_count) *= batch;
  const std::size_t unit = line_points * result.member_count;
  const std::size_t columns =
      std::max(rules.member_points * result.member_count / result.length / unit, std::size_t{1}) * unit;
  if (columns < result.inner_count) {
    result.tile_outer = 1;
    result.tile_inner =
        std::min(rounded_up(balanced(result.inner_count, columns), line_points), result.inner_count);
  } else {
    result.tile_inner = std::max<std::size_t>(result.inner_count, 1);
    result.tile_outer = balanced(result.outer_count, columns / result.tile_inner);
  }
  // Rows at a distance of a power of two would share few sets of the cache.
  result.pitch = rounded_up(result.tile_outer * result.tile_inner, line_points) + line_points;
  return result;
}

namespace {

/// Collects places relative to the first one, which is added to the base of a view.
void add_dimension(StridedView& view, std::vector<std::size_t> places) {
  const std::size_t first = places.empty() ? 0 : places[0];
  view.base += first;
  for (std::size_t& place : places) place -= first;
  view.dimensions.emplace_back(std::move(places));
}

std::vector<std::size_t> scaled(std::vector<std::size_t> values, std::size_t stride) {
  for (std::size_t& value : values) value *= stride;
  return values;
}

/// Returns the first stage of local transforms with the view to the window.
std::optional<std::variant<FusedStage, ArrayTransform>> written_by(std::span<const Stage> transforms,
                                                                   const ExchangeStage& exchange,
                                                                   const Layout::Members& members,
                                                                   std::size_t batch, bool interleaved,
                                                                   const StridedView& to) {
  const Layout& before = transforms.empty() ? exchange.before : layout_before(transforms[0]);
  const StridedView from = natural_view(before, members, batch, interleaved);
  if (transforms.empty()) return copy_between(from, to);
  if (joined_count(transforms) == transforms.size()) {
    if (auto transform = joined(transforms, from, to)) return *std::move(transform);
  }
  if (transforms.size() > 1) return std::nullopt;
  return fused_transform(std::get<TransformStage>(transforms[0]), members, from, to);
}

}  // namespace

std::optional<WindowExchange> window_exchange(std::span<const Stage> stages, const Layout::Members& members,
                                              std::size_t batch, const TileRules& rules) {
  const auto* exchange = stages.empty() ? nullptr : std::get_if<ExchangeStage>(&stages.back());
  if (exchange == nullptr || member_count(*exchange) == 1) return std::nullopt;
  const auto sources = sources_of(*exchange);
  if (!sources) return std::nullopt;
  const Layout& before = exchange->before;
  const Layout& after = exchange->after;
  const std::size_t gathered = spread_dimension(before, exchange->axis);
  const std::size_t spread = spread_dimension(after, exchange->axis);
  const std::size_t count = before.dimensions().size();
  if (gathered == count || spread == count) return std::nullopt;
  const auto gathered_after =
      static_cast<std::size_t>(std::ranges::find(*sources, gathered) - sources->begin());
  const std::size_t spread_before = (*sources)[spread];
  if (after.dimensions()[gathered_after].spread != Spread::local ||
      before.dimensions()[spread_before].spread != Spread::local)
    return std::nullopt;
  for (std::size_t d = 0; d < count; ++d) {
    if (d != gathered_after && d != spread &&
        !have_same_spread(before.dimensions()[(*sources)[d]], after.dimensions()[d]))
      return std::nullopt;
  }
  for (std::size_t s = 0; s + 1 < stages.size(); ++s) {
    if (!std::holds_alternative<TransformStage>(stages[s])) return std::nullopt;
    if (!(layout_after(stages[s]) == layout_before(stages[s + 1]))) return std::nullopt;
  }

  WindowExchange result;
  result.axis = exchange->axis;
  result.member = members[static_cast<std::size_t>(exchange->axis)];
  const std::size_t most = before.largest_dimension_count(gathered);
  std::size_t largest_slab = batch;  // points of one value of the dimension, on the process that has most
  for (std::size_t d = 0; d < count; ++d)
    if (d != gathered) largest_slab *= before.largest_dimension_count(d);
  result.tile_values = balanced(most, rules.member_points / std::max<std::size_t>(largest_slab, 1));
  result.tile_count = divided_up(most, result.tile_values);
  if (most > 0 && result.tile_values * largest_slab > rules.most_member_points) return std::nullopt;

  // A part has the points in the order of the layout after the exchange.
  std::vector<std::size_t> strides(count);
  std::size_t stride = rules.interleaved ? batch : 1;
  for (std::size_t i = count; i-- > 0;) {
    const std::size_t d = (*sources)[i];
    strides[d] = stride;
    stride *= d == gathered ? result.tile_values : before.dimension_count(d, members);
  }
  const std::size_t batch_stride = rules.interleaved ? 1 : stride;
  result.part_points = rounded_up(rules.interleaved ? stride : stride * batch, line_points);
  result.cut_stride = strides[gathered];
  StridedView to{result.member * result.part_points, {Offsets(batch, batch_stride)}};
  for (std::size_t d = 0; d < count; ++d)
    to.dimensions.emplace_back(before.dimension_count(d, members), strides[d]);
  auto written =
      written_by(stages.first(stages.size() - 1), *exchange, members, batch, rules.interleaved, to);
  if (!written) return std::nullopt;
  result.written = *std::move(written);
  result.written_cut = gathered + 1;
  result.taken_cut = gathered_after + 1;
  for (std::size_t source = 0; source < member_count(*exchange); ++source) {
    Layout::Members other = members;
    other[static_cast<std::size_t>(exchange->axis)] = source;
    const auto values = values_at(before, gathered, other);
    StridedView from{source * result.part_points, {Offsets(batch, batch_stride)}};
    const StridedView natural = natural_view(after, members, batch, rules.interleaved);
    StridedView target{0, {natural.dimensions[0]}};
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t d = (*sources)[i];
      const std::size_t target_stride = natural.dimensions[i + 1].stride();
      if (i == gathered_after) {
        from.dimensions.emplace_back(values.size(), strides[d]);
        add_dimension(target, scaled(values, target_stride));
        continue;
      }
      target.dimensions.emplace_back(after.dimension_count(i, members), target_stride);
      if (i == spread)
        add_dimension(from, scaled(values_at(after, i, members), strides[d]));
      else
        from.dimensions.emplace_back(before.dimension_count(d, members), strides[d]);
    }
    FusedStage copy = copy_between(std::move(from), std::move(target));
    if (copy.row == result.taken_cut) copy.row.reset();
    result.taken.push_back(std::move(copy));
  }
  if (auto* copy = std::get_if<FusedStage>(&result.written);
      copy != nullptr && copy->row == result.written_cut)
    copy->row.reset();
  return result;
}

}  // namespace cubefold::fft
