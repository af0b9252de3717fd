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

std::size_t SharedTransform::share_begin(std::size_t columns, std::size_t part, std::size_t part_count) {
  const std::size_t unit = columns >= line_points * part_count ? line_points : 1;
  return std::min(columns, divided_up(columns, unit) * part / part_count * unit);
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
  const std::size_t unit = line_points * result.member_count * rules.threads;
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

/// Returns a pass of transforms from one view to another; without transforms it copies. Returns nothing if one pass
/// cannot do it.
std::optional<WindowPass> pass_of(std::span<const Stage> transforms, const Layout::Members& members,
                                  const StridedView& from, const StridedView& to) {
  if (transforms.empty()) return copy_between(from, to);
  if (joined_count(transforms) == transforms.size()) {
    if (auto transform = joined(transforms, from, to)) return *std::move(transform);
  }
  if (transforms.size() > 1) return std::nullopt;
  return fused_transform(std::get<TransformStage>(transforms[0]), members, from, to);
}

/// Lets tiles cut a dimension of copies, which then is not gathered into rows. If it is the only one whose values are
/// neighbours where they are written, the last dimension is gathered instead.
void cut(std::vector<WindowPass>& passes, std::size_t dimension) {
  for (WindowPass& pass : passes) {
    auto* copy = std::get_if<FusedStage>(&pass);
    if (copy == nullptr || copy->row != dimension) continue;
    const std::size_t last = copy->from.dimensions.size() - 1;
    copy->row.reset();
    if (last != dimension && copy->from.dimensions[last].is_row()) copy->row = last;
  }
}

bool are_transforms(std::span<const Stage> stages) {
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (!std::holds_alternative<TransformStage>(stages[s])) return false;
    if (s > 0 && !(layout_after(stages[s - 1]) == layout_before(stages[s]))) return false;
  }
  return true;
}

/// An exchange through a window as it is built up.
class WindowBuilder {
 public:
  WindowBuilder(const ExchangeStage& exchange, const Layout::Members& members, std::size_t batch,
                const TileRules& rules)
      : before_(exchange.before), after_(exchange.after), members_(members), batch_(batch), rules_(rules) {
    result_.axis = exchange.axis;
    result_.member = members[static_cast<std::size_t>(exchange.axis)];
    result_.member_count = member_count(exchange);
    if (auto sources = sources_of(exchange)) sources_ = *std::move(sources);
  }

  /// Returns whether one dimension becomes local, another one is spread, and all others stay. Rows of the last
  /// dimension must stay whole, because copies of single points are slower than the exchange of blocks, which
  /// transforms fill.
  bool suits(const StridedView* target = nullptr) {
    target_ = target;
    const std::size_t count = before_.dimensions().size();
    gathered_ = spread_dimension(before_, result_.axis);
    spread_after_ = spread_dimension(after_, result_.axis);
    if (sources_.empty() || gathered_ == count || spread_after_ == count) return false;
    gathered_after_ = static_cast<std::size_t>(std::ranges::find(sources_, gathered_) - sources_.begin());
    spread_ = sources_[spread_after_];
    if (after_.dimensions()[gathered_after_].spread != Spread::local ||
        before_.dimensions()[spread_].spread != Spread::local)
      return false;
    if (target != nullptr) {
      if (gathered_ + 1 == count || !target->dimensions[gathered_after_ + 1].is_row()) return false;
    } else if (gathered_ + 1 == count || spread_ + 1 == count || sources_.back() + 1 != count) {
      return false;
    }
    for (std::size_t d = 0; d < count; ++d) {
      if (d != gathered_after_ && d != spread_after_ &&
          !have_same_spread(before_.dimensions()[sources_[d]], after_.dimensions()[d]))
        return false;
    }
    return true;
  }

  /// Cuts the dimension that the exchange makes local, after transforms.
  std::optional<WindowExchange> cut_before(std::span<const Stage> transforms) {
    if (!cut_values(before_, gathered_)) return std::nullopt;
    lay_out_part([&](std::size_t d) {
      return d == gathered_ ? result_.tile_values : before_.dimension_count(d, members_);
    });
    result_.cut_stride = strides_[gathered_];
    StridedView own = part_view(result_.member);
    for (std::size_t d = 0; d < strides_.size(); ++d)
      own.dimensions.emplace_back(before_.dimension_count(d, members_), strides_[d]);
    result_.cuts_before = true;
    const Layout& first = transforms.empty() ? before_ : layout_before(transforms[0]);
    const StridedView untransformed = before_transforms(transforms, own);
    if (transforms_in_window(transforms, untransformed, own)) {
      result_.written.emplace_back(copy_between(natural(first), untransformed));
    } else {
      auto written = pass_of(transforms, members_, natural(first), own);
      if (!written) return std::nullopt;
      result_.written.push_back(*std::move(written));
    }
    for (std::size_t other = 0; other < result_.member_count; ++other) {
      StridedView from = part_view(other);
      const StridedView target = target_ != nullptr ? *target_ : natural(after_);
      StridedView to{target.base, {target.dimensions[0]}};
      for (std::size_t i = 0; i < strides_.size(); ++i) {
        const std::size_t d = sources_[i];
        const std::size_t stride = target.dimensions[i + 1].stride();
        if (i == gathered_after_) {
          const auto values = values_at(before_, gathered_, with_member(other));
          from.dimensions.emplace_back(values.size(), strides_[d]);
          add_dimension(to, scaled(values, stride));
          continue;
        }
        to.dimensions.emplace_back(after_.dimension_count(i, members_), stride);
        if (i == spread_after_) {
          add_dimension(from, scaled(values_at(after_, i, members_), strides_[d]));
        } else {
          from.dimensions.emplace_back(before_.dimension_count(d, members_), strides_[d]);
        }
      }
      result_.taken.emplace_back(copy_between(std::move(from), std::move(to)));
    }
    std::size_t written_cut = gathered_;
    if (result_.transformed) {
      for (std::size_t s = transforms.size(); s-- > 0;)
        written_cut = std::get<TransformStage>(transforms[s]).sources[written_cut];
    }
    result_.transformed_cut = gathered_ + 1;
    return finished(written_cut + 1, gathered_after_ + 1);
  }

  /// Cuts the dimension that the exchange spreads, before transforms.
  std::optional<WindowExchange> cut_after(std::span<const Stage> transforms) {
    if (!cut_values(after_, spread_after_)) return std::nullopt;
    lay_out_part([&](std::size_t d) {
      if (d == spread_) return result_.tile_values;
      return d == gathered_ ? before_.dimensions()[d].extent : before_.dimension_count(d, members_);
    });
    result_.cut_stride = strides_[spread_];
    for (std::size_t other = 0; other < result_.member_count; ++other) {
      StridedView from{0, {natural(before_).dimensions[0]}};
      StridedView to = part_view(other);
      for (std::size_t d = 0; d < strides_.size(); ++d) {
        const std::size_t stride = natural(before_).dimensions[d + 1].stride();
        if (d == spread_) {
          const auto values = values_at(after_, spread_after_, with_member(other));
          to.dimensions.emplace_back(values.size(), strides_[d]);
          add_dimension(from, scaled(values, stride));
          continue;
        }
        from.dimensions.emplace_back(before_.dimension_count(d, members_), stride);
        if (d == gathered_) {
          add_dimension(to, scaled(values_at(before_, d, members_), strides_[d]));
        } else {
          to.dimensions.emplace_back(before_.dimension_count(d, members_), strides_[d]);
        }
      }
      result_.written.emplace_back(copy_between(std::move(from), std::move(to)));
    }
    StridedView own = part_view(result_.member);
    for (std::size_t i = 0; i < strides_.size(); ++i)
      own.dimensions.emplace_back(after_.dimension_count(i, members_), strides_[sources_[i]]);
    std::size_t taken_cut = spread_after_;
    for (const Stage& stage : transforms) {
      const auto& places = std::get<TransformStage>(stage).sources;
      taken_cut = static_cast<std::size_t>(std::ranges::find(places, taken_cut) - places.begin());
    }
    const Layout& last = transforms.empty() ? after_ : layout_after(transforms.back());
    const StridedView transformed = after_transforms(transforms, own);
    if (transforms_in_window(transforms, own, transformed)) {
      result_.taken.emplace_back(copy_between(transformed, natural(last)));
    } else {
      auto taken = pass_of(transforms, members_, own, natural(last));
      if (!taken) return std::nullopt;
      result_.taken.push_back(*std::move(taken));
    }
    result_.transformed_cut = taken_cut + 1;
    return finished(spread_ + 1, taken_cut + 1);
  }

 private:
  StridedView natural(const Layout& layout) const {
    return natural_view(layout, members_, batch_, rules_.interleaved);
  }

  /// These return a view of the same places in the dimensions of the layout after or before the transforms.
  static StridedView after_transforms(std::span<const Stage> transforms, StridedView view) {
    for (const Stage& stage : transforms) {
      StridedView next{view.base, {view.dimensions[0]}};
      for (const std::size_t source : std::get<TransformStage>(stage).sources)
        next.dimensions.push_back(view.dimensions[source + 1]);
      view = std::move(next);
    }
    return view;
  }
  static StridedView before_transforms(std::span<const Stage> transforms, StridedView view) {
    for (std::size_t s = transforms.size(); s-- > 0;) {
      StridedView previous = view;
      const auto& sources = std::get<TransformStage>(transforms[s]).sources;
      for (std::size_t i = 0; i < sources.size(); ++i)
        previous.dimensions[sources[i] + 1] = view.dimensions[i + 1];
      view = std::move(previous);
    }
    return view;
  }

  /// Lets the member transform its own part in place, from a view to another one of the same places. Returns false if
  /// this is not possible.
  bool transforms_in_window(std::span<const Stage> transforms, const StridedView& from,
                            const StridedView& to) {
    if (transforms.empty() || joined_count(transforms) != transforms.size()) return false;
    if (std::get<TransformStage>(transforms[0]).kind != Kind::complex) return false;
    auto transform = joined(transforms, from, to);
    if (!transform || !can_be_in_place(*transform)) return false;
    result_.transformed = *std::move(transform);
    return true;
  }

  Layout::Members with_member(std::size_t member) const {
    Layout::Members members = members_;
    members[static_cast<std::size_t>(result_.axis)] = member;
    return members;
  }

  /// Chooses the values of a tile. Returns false if a tile would be too large.
  bool cut_values(const Layout& layout, std::size_t dimension) {
    const std::size_t most = layout.largest_dimension_count(dimension);
    std::size_t slab = batch_;  // points of one value, on the process that has most
    for (std::size_t d = 0; d < layout.dimensions().size(); ++d)
      if (d != dimension) slab *= layout.largest_dimension_count(d);
    result_.tile_values = balanced(most, rules_.member_points / std::max<std::size_t>(slab, 1));
    const std::size_t shared = rounded_up(result_.tile_values, rules_.threads);
    if (shared * slab <= rules_.most_member_points) result_.tile_values = shared;
    result_.tile_count = divided_up(most, result_.tile_values);
    return result_.tile_values * slab <= rules_.most_member_points;
  }

  /// Gives a part the order of the layout after the exchange. Distances of large powers of two would share few sets of
  /// the cache.
  template <typename CountOf>
  void lay_out_part(CountOf count_of) {
    constexpr std::size_t large = 16 * line_points;
    strides_.resize(sources_.size());
    std::size_t stride = rules_.interleaved ? batch_ : 1;
    for (std::size_t i = sources_.size(); i-- > 0;) {
      strides_[sources_[i]] = stride;
      stride *= count_of(sources_[i]);
      if (stride % large == 0) stride += line_points;
    }
    batch_stride_ = rules_.interleaved ? 1 : stride;
    result_.part_points = rounded_up(rules_.interleaved ? stride : stride * batch_, line_points);
  }

  StridedView part_view(std::size_t member) const {
    return {member * result_.part_points, {Offsets(batch_, batch_stride_)}};
  }

  WindowExchange finished(std::size_t written_cut, std::size_t taken_cut) {
    result_.written_cut = written_cut;
    result_.taken_cut = taken_cut;
    cut(result_.written, written_cut);
    cut(result_.taken, taken_cut);
    return std::move(result_);
  }

  const Layout& before_;
  const Layout& after_;
  const Layout::Members& members_;
  std::size_t batch_;
  const TileRules& rules_;
  std::vector<std::size_t> sources_;  ///< dimension before, for each dimension after
  // Numbers of the dimension that becomes local and of the one that is spread, before and after the exchange.
  std::size_t gathered_ = 0;
  std::size_t gathered_after_ = 0;
  std::size_t spread_ = 0;
  std::size_t spread_after_ = 0;
  std::vector<std::size_t> strides_;  ///< of the part, by the dimensions before
  std::size_t batch_stride_ = 0;
  const StridedView* target_ = nullptr;  ///< places after the exchange, unless they are the natural ones
  WindowExchange result_;
};

}  // namespace

std::optional<WindowExchange> transposing_window_exchange(std::span<const Stage> stages,
                                                          const Layout::Members& members, std::size_t batch,
                                                          const TileRules& rules, const StridedView& target) {
  const auto* exchange = stages.empty() ? nullptr : std::get_if<ExchangeStage>(&stages.back());
  if (exchange == nullptr || member_count(*exchange) == 1) return std::nullopt;
  const auto transforms = stages.first(stages.size() - 1);
  if (!are_transforms(transforms) ||
      (!transforms.empty() && !(layout_after(transforms.back()) == exchange->before)))
    return std::nullopt;
  WindowBuilder builder(*exchange, members, batch, rules);
  if (!builder.suits(&target)) return std::nullopt;
  return builder.cut_before(transforms);
}

std::optional<WindowExchange> window_exchange(std::span<const Stage> stages, const Layout::Members& members,
                                              std::size_t batch, const TileRules& rules) {
  if (stages.empty()) return std::nullopt;
  const bool comes_first = std::holds_alternative<ExchangeStage>(stages.front());
  const auto* exchange = std::get_if<ExchangeStage>(comes_first ? &stages.front() : &stages.back());
  if (exchange == nullptr || member_count(*exchange) == 1) return std::nullopt;
  const auto transforms = comes_first ? stages.subspan(1) : stages.first(stages.size() - 1);
  if (!are_transforms(transforms)) return std::nullopt;
  if (!transforms.empty() && !(comes_first ? layout_before(transforms.front()) == exchange->after
                                           : layout_after(transforms.back()) == exchange->before))
    return std::nullopt;
  WindowBuilder builder(*exchange, members, batch, rules);
  if (!builder.suits()) return std::nullopt;
  return comes_first && !transforms.empty() ? builder.cut_after(transforms) : builder.cut_before(transforms);
}

}  // namespace cubefold::fft
