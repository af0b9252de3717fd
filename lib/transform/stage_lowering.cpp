#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "block_geometry.hpp"
#include "lowered_program.hpp"

namespace cubefold::fft {

namespace {

/// Returns whether no stage works on single points, which it would expect one array behind the other.
bool moves_whole_points(const Program& program) {
  return std::ranges::all_of(program.stages, [](const Stage& stage) {
    return std::holds_alternative<TransformStage>(stage) || std::holds_alternative<ExchangeStage>(stage);
  });
}

/// Builds the operations one by one. It keeps track of the places of the points, and writes them to the places that the
/// next exchange needs.
class Lowering {
 public:
  Lowering(const Program& program, const Layout::Members& members, const LoweringOptions& options,
           const BlockOrders& orders)
      : program_(program),
        members_(members),
        options_(options),
        is_interleaved_inside_(options.interleaved && moves_whole_points(program)),
        blocks_(program.stages.size()),
        kind_(program.input_kind) {
    const auto stages = exchange_stages(program);
    for (std::size_t i = 0; i < stages.size(); ++i) {
      blocks_[stages[i]] = block_geometry(std::get<ExchangeStage>(program.stages[stages[i]]), members,
                                          options.batch, orders[i], is_interleaved_inside_);
    }
    become(at_end(program.input), program.input);
    find_windows();
  }

  const std::vector<bool>& through_window() const { return through_window_; }

  std::vector<Operation> run() {
    for (std::size_t s = 0; s < program_.stages.size();) {
      const auto segment = windows_.find(s);
      if (segment != windows_.end()) {
        std::visit([&](const auto& what) { add_window(what, segment->second); }, segment->second.what);
        s = segment->second.end;
      } else {
        const std::size_t joined = add_joined(s);
        if (joined == 0) std::visit([&](const auto& stage) { add(stage, s); }, program_.stages[s]);
        s += std::max<std::size_t>(joined, 1);
      }
      kind_ = kind_after(program_.stages[s - 1]);
    }
    move_to(at_end(*layout_));
    drop_padding(program_.output_kind);
    return std::move(operations_);
  }

 private:
  /// Stages that are one operation through a window.
  struct Segment {
    std::size_t first;
    std::size_t end;
    std::variant<SharedTransform, WindowExchange, SquareExchange> what;
    std::optional<StridedView> places = {};  ///< of the points afterwards, unless they are the natural ones
  };

  /// Finds the stages that go through windows.
  void find_windows() {
    through_window_.resize(program_.stages.size());
    if (options_.tile_points == 0 && !options_.takes_squares) return;
    const std::size_t points = largest_complex_count(program_) * options_.batch;
    constexpr std::size_t fewest = 8192;
    constexpr std::size_t few = 16384;
    constexpr std::size_t without_window = 16384;
    const std::size_t tile_points =
        options_.threads * (options_.tile_points > 0 ? options_.tile_points : without_window);
    const TileRules rules{std::min(tile_points, std::max(points / 32, fewest)),
                          std::max(points * 3 / 20, few), is_interleaved_inside_, options_.threads};
    const std::span<const Stage> stages = program_.stages;
    std::size_t begin = 0;  // of the stages that may be joined with the next exchange
    for (std::size_t s = 0; s < stages.size(); ++s) {
      if (const std::size_t end = add_square(s, rules); end > 0) {
        begin = end;
        s = end - 1;
        continue;
      }
      if (options_.tile_points == 0 || !std::holds_alternative<ExchangeStage>(stages[s])) continue;
      if (auto shared = shared_transform(stages.subspan(s), members_, options_.batch, rules)) {
        add_segment({s, s + 3, *std::move(shared)});
        begin = s + 3;
        s += 2;
        continue;
      }
      std::size_t end = s + 1;
      while (end < stages.size() && std::holds_alternative<TransformStage>(stages[end])) ++end;
      begin = add_exchange(begin, s, end, rules);
    }
  }

  /// Adds a segment of a square exchange that begins at stage s. Returns the stage after it, or 0 if there is none.
  std::size_t add_square(std::size_t s, const TileRules& rules) {
    if (!options_.takes_squares) return 0;
    const std::span<const Stage> stages = program_.stages;
    for (const std::size_t end : {s + 2, s + 1}) {
      if (end > stages.size()) continue;
      auto square = square_exchange(stages.subspan(s, end - s), members_, options_.batch, rules);
      if (!square || (square->member_count > 1 && options_.tile_points == 0)) continue;
      add_segment({s, end, *std::move(square)});
      return end;
    }
    return 0;
  }

  /// Adds a segment of the exchange at stage s and of transforms between `begin` and `end` that one pass can do with
  /// it, if the exchange suits a window: those after it, or else those before it. Returns the stage after the segment.
  std::size_t add_exchange(std::size_t begin, std::size_t s, std::size_t end, const TileRules& rules) {
    const std::span<const Stage> stages = program_.stages;
    const auto try_stages = [&](std::size_t first, std::size_t last) {
      auto exchange = window_exchange(stages.subspan(first, last - first), members_, options_.batch, rules);
      if (!exchange) return false;
      add_segment({first, last, *std::move(exchange)});
      return true;
    };
    for (std::size_t last = end; last > s + 1; --last)
      if (try_stages(s, last)) return last;
    for (std::size_t first = begin; first <= s; ++first)
      if (try_stages(first, s + 1)) return s + 1;
    auto places = transposed_places(s + 1);
    for (std::size_t first = begin; places && first <= s; ++first) {
      auto exchange = transposing_window_exchange(stages.subspan(first, s + 1 - first), members_,
                                                  options_.batch, rules, *places);
      if (!exchange) continue;
      add_segment({first, s + 1, *std::move(exchange), *std::move(places)});
      break;
    }
    return s + 1;
  }

  /// Returns the places in the caller's array in which the points of the layout before this stage are transformed in
  /// place, if it is the last one and changes the order of dimensions.
  std::optional<StridedView> transposed_places(std::size_t stage) const {
    if (stage + 1 != program_.stages.size()) return std::nullopt;
    const auto* transforms = std::get_if<TransformStage>(&program_.stages[stage]);
    if (transforms == nullptr || transforms->kind != Kind::complex ||
        std::ranges::is_sorted(transforms->sources) || is_interleaved_inside_ != options_.interleaved)
      return std::nullopt;
    const StridedView after = at_end(transforms->after);
    StridedView before = after;
    for (std::size_t d = 0; d < transforms->sources.size(); ++d)
      before.dimensions[transforms->sources[d] + 1] = after.dimensions[d + 1];
    return before;
  }

  void add_segment(Segment segment) {
    for (std::size_t s = segment.first; s < segment.end; ++s)
      through_window_[s] = std::holds_alternative<ExchangeStage>(program_.stages[s]);
    const std::size_t first = segment.first;
    windows_.emplace(first, std::move(segment));
  }

  template <typename What>
  void add_window(const What& what, const Segment& segment) {
    const Layout& before = layout_before(program_.stages[segment.first]);
    if (!(view_in(before) == natural(before))) move_to_natural_places();
    bool in_place = false;
    if constexpr (std::is_same_v<What, SquareExchange>) in_place = true;
    if constexpr (std::is_same_v<What, SharedTransform>) in_place = what.written.size() == what.taken.size();
    const Layout& after = layout_after(program_.stages[segment.end - 1]);
    push(what, count_of(after, kind_after(program_.stages[segment.end - 1])), in_place);
    become(segment.places ? *segment.places : natural(after), after);
  }

  StridedView natural(const Layout& layout) const {
    return natural_view(layout, members_, options_.batch, is_interleaved_inside_);
  }

  /// Returns the places in the caller's arrays.
  StridedView at_end(const Layout& layout) const {
    return natural_view(layout, members_, options_.batch, options_.interleaved);
  }

  std::size_t count_of(const Layout& layout, Kind kind) const {
    return real_count(layout, kind, members_, options_.batch);
  }

  std::size_t blocks_real_count(std::size_t stage) const {
    return 2 * blocks_[stage].block_count * member_count(std::get<ExchangeStage>(program_.stages[stage]));
  }

  template <typename What>
  void push(What what, std::size_t count, bool can_be_in_place = false) {
    operations_.push_back(
        {.what = std::move(what), .real_count = count, .can_be_in_place = can_be_in_place, .slices = {}});
  }

  void become(StridedView view, const Layout& layout) {
    view_ = std::move(view);
    layout_ = &layout;
  }

  void move_to(StridedView places) {
    if (view_ == places) return;
    push(copy_between(view_, places, kind_), count_of(*layout_, kind_));
    view_ = std::move(places);
  }

  void move_to_natural_places() { move_to(natural(*layout_)); }

  /// Adds a copy if the last exchange leaves padded blocks that take more memory than the points. This holds even if
  /// the points lie in their natural places.
  void drop_padding(Kind kind) {
    const std::size_t count = count_of(*layout_, kind);
    if (operations_.empty() || !std::holds_alternative<BlockExchange>(operations_.back().what) ||
        operations_.back().real_count <= count)
      return;
    push(copy_between(view_, view_, kind), count);
  }

  /// Returns the current view in the dimensions of a layout that has the same places. Moves the points to their natural
  /// places if there is no such view.
  StridedView view_in(const Layout& layout) {
    if (view_ == natural(*layout_)) return natural(layout);
    if (auto view = recut(view_, dimension_counts(layout, members_, options_.batch))) return *std::move(view);
    move_to_natural_places();
    return natural(layout);
  }

  /// Returns the places that the stage needs the points of a layout in, if it is an exchange among several members.
  /// Returns nothing otherwise.
  std::optional<StridedView> view_for(std::size_t stage, const Layout& layout) const {
    if (stage >= program_.stages.size() || through_window_[stage]) return std::nullopt;
    const auto* exchange = std::get_if<ExchangeStage>(&program_.stages[stage]);
    if (exchange == nullptr || member_count(*exchange) == 1) return std::nullopt;
    return recut(blocks_[stage].sent, dimension_counts(layout, members_, options_.batch));
  }

  /// Adds the transforms from this stage on as one, unless they fill the blocks of an exchange. Returns their number.
  std::size_t add_joined(std::size_t number) {
    if (!options_.joins_transforms) return 0;
    const auto next = windows_.lower_bound(number);
    const std::size_t end = next == windows_.end() ? program_.stages.size() : next->first;
    const std::span stages = std::span<const Stage>(program_.stages).subspan(number, end - number);
    std::size_t count = joined_count(stages);
    if (count > 0 && view_for(number + count, layout_after(stages[count - 1]))) --count;
    if (count == 0) return 0;
    count = shared_count(stages.first(count));
    const Layout& after = layout_after(stages[count - 1]);
    const bool is_last = number + count == program_.stages.size();
    const auto ahead = windows_.contains(number + count) ? std::nullopt : transposed_places(number + count);
    auto transform = joined(stages.first(count), view_in(layout_before(stages[0])),
                            ahead     ? *ahead
                            : is_last ? at_end(after)
                                      : natural(after));
    if (!transform) return 0;
    become(transform->to, after);
    const bool in_place = can_be_in_place(*transform);
    push(*std::move(transform), count_of(after, kind_after(stages[count - 1])), in_place);
    return count;
  }

  /// Returns the number of the first of these transforms that should be one. If all dimensions that threads could share
  /// are transformed and columns are separate, these are transforms of planes or those of columns.
  std::size_t shared_count(std::span<const Stage> stages) const {
    const std::size_t fewest = std::max<std::size_t>(options_.threads, 2);
    if (!options_.separates_columns || stages.size() == 1 || options_.batch >= fewest) return stages.size();
    const Layout& before = layout_before(stages.front());
    std::vector<std::size_t> sources(before.dimensions().size());
    std::iota(sources.begin(), sources.end(), 0);
    std::vector<bool> is_transformed(sources.size());
    for (const Stage& any : stages) {
      const auto& stage = std::get<TransformStage>(any);
      is_transformed[sources[stage.dimension]] = true;
      std::vector<std::size_t> next;
      for (const std::size_t source : stage.sources) next.push_back(sources[source]);
      sources = std::move(next);
    }
    for (std::size_t d = 0; d < is_transformed.size(); ++d)
      if (!is_transformed[d] && before.dimension_count(d, members_) >= fewest) return stages.size();
    const bool begins_with_rows = std::get<TransformStage>(stages.front()).dimension + 1 == sources.size();
    return begins_with_rows ? stages.size() - 1 : 1;
  }

  void add(const TransformStage& stage, std::size_t number) {
    const StridedView from = view_in(stage.before);
    const auto packed = view_for(number + 1, stage.after);
    const bool is_last = number + 1 == program_.stages.size();
    const auto ahead = windows_.contains(number + 1) ? std::nullopt : transposed_places(number + 1);
    FusedStage fused = fused_transform(stage, members_, from,
                                       packed    ? *packed
                                       : ahead   ? *ahead
                                       : is_last ? at_end(stage.after)
                                                 : natural(stage.after));
    become(fused.to, stage.after);
    packed_for_ = packed ? number + 1 : 0;
    const bool in_place = can_be_in_place(fused);
    push(std::move(fused), packed ? blocks_real_count(number + 1) : count_of(stage.after, kind_after(stage)),
         in_place);
  }

  void add(const ExchangeStage& stage, std::size_t number) {
    if (member_count(stage) == 1) {
      const StridedView before = view_in(stage.before);
      StridedView after{before.base, {before.dimensions[0]}};
      for (const std::size_t d : dimensions_before(stage))
        after.dimensions.push_back(before.dimensions[d + 1]);
      return become(std::move(after), stage.after);
    }
    const BlockGeometry& blocks = blocks_[number];
    const std::size_t count = blocks_real_count(number);
    if (packed_for_ != number || number == 0) {
      const StridedView before = view_in(stage.before);
      // Padding is sent too, so the buffer has to contain it.
      const bool is_whole = count_of(stage.before, Kind::complex) == count;
      if (!is_whole || !(before == blocks.sent))
        push(copy_between(before, blocks.sent, Kind::complex), count);
    }
    push(BlockExchange{stage.axis, blocks.block_count, is_in_packets(number)}, count);
    become(blocks.received, stage.after);
  }

  bool is_in_packets(std::size_t stage) const {
    if (options_.in_packets.empty()) return false;
    const auto stages = exchange_stages(program_);
    return options_.in_packets[static_cast<std::size_t>(std::ranges::find(stages, stage) - stages.begin())];
  }

  template <typename AnyStage>
  void add(const AnyStage& stage, std::size_t number) {
    move_to_natural_places();
    add_pointwise(stage, number, !std::is_same_v<AnyStage, RealPostprocessingStage>);
  }

  void add(const RealStage& stage, std::size_t number) {
    move_to_natural_places();
    if (stage.step == RealStep::unpaired) drop_padding(Kind::complex);
    if (stage.step == RealStep::paired || stage.step == RealStep::unpaired)
      return become(natural(stage.after), stage.after);
    add_pointwise(stage, number, stage.step != RealStep::widened);
  }

  template <typename AnyStage>
  void add_pointwise(const AnyStage& stage, std::size_t number, bool in_place) {
    push(PointwiseStage{number}, count_of(stage.after, kind_after(stage)), in_place);
    become(natural(stage.after), stage.after);
  }

  const Program& program_;
  const Layout::Members& members_;
  const LoweringOptions& options_;
  bool is_interleaved_inside_;         ///< whether arrays are interleaved between stages too
  std::vector<BlockGeometry> blocks_;  ///< one entry for each stage; empty for other stages than exchanges
  std::map<std::size_t, Segment> windows_;  ///< by their first stages
  std::vector<bool> through_window_;        ///< one entry for each stage
  std::vector<Operation> operations_;
  StridedView view_;
  const Layout* layout_ = nullptr;
  Kind kind_;                   ///< of the points before the next stage
  std::size_t packed_for_ = 0;  ///< exchange stage whose blocks the points were written to, or 0
};

}  // namespace

std::vector<Operation> operations_of(const Program& program, const Layout::Members& members,
                                     const LoweringOptions& options, const BlockOrders& orders) {
  return Lowering(program, members, options, orders).run();
}

std::vector<bool> exchanges_through_windows(const Program& program, const Layout::Members& members,
                                            const LoweringOptions& options) {
  const auto numbers = exchange_stages(program);
  BlockOrders orders;
  for (const std::size_t s : numbers) {
    const auto& stage = std::get<ExchangeStage>(program.stages[s]);
    orders.emplace_back(stage.before.dimensions().size());
    std::iota(orders.back().begin(), orders.back().end(), 0);
  }
  const Lowering lowering(program, members, options, orders);
  std::vector<bool> result;
  result.reserve(numbers.size());
  for (const std::size_t s : numbers) result.push_back(lowering.through_window()[s]);
  return result;
}

std::size_t real_count(const Layout& layout, Kind kind, const Layout::Members& members, std::size_t batch) {
  const std::size_t count = layout.local_count(members) * batch;
  return kind == Kind::complex ? 2 * count : count;
}

std::vector<std::size_t> exchange_stages(const Program& program) {
  std::vector<std::size_t> numbers;
  for (std::size_t s = 0; s < program.stages.size(); ++s)
    if (std::holds_alternative<ExchangeStage>(program.stages[s])) numbers.push_back(s);
  return numbers;
}

}  // namespace cubefold::fft
