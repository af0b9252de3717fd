#include "block_geometry.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "layouts.hpp"

namespace cubefold::fft {

namespace {

bool is_spread_on(const IndexDimension& dimension, int axis) {
  return dimension.spread != Spread::local && dimension.axis == axis;
}

/// Returns the largest number of values of a dimension that any two members share. `before` and `after` are its numbers
/// in the two layouts.
std::size_t shared_count(const ExchangeStage& stage, std::size_t before, std::size_t after) {
  const IndexDimension& from = stage.before.dimensions()[before];
  const IndexDimension& to = stage.after.dimensions()[after];
  const std::size_t count =
      std::min(stage.before.largest_dimension_count(before), stage.after.largest_dimension_count(after));
  const auto changes = [&](Spread a, Spread b) { return from.spread == a && to.spread == b; };
  const bool is_redistributed =
      is_spread_on(from, stage.axis) && is_spread_on(to, stage.axis) &&
      (changes(Spread::block, Spread::cyclic) || changes(Spread::cyclic, Spread::block));
  return is_redistributed ? divided_up(count, member_count(stage)) : count;
}

/// Returns, for each dimension of the layout before, its number in the layout after.
std::vector<std::size_t> dimensions_after(const ExchangeStage& stage) {
  const auto before = dimensions_before(stage);
  std::vector<std::size_t> after(before.size());
  for (std::size_t d = 0; d < before.size(); ++d) {
    if (before[d] == before.size() || before.size() != stage.before.dimensions().size())
      throw std::logic_error("an exchange changes the extents of dimensions");
    after[before[d]] = d;
  }
  return after;
}

/// Returns the offsets of a dimension's values in the blocks for all members (is_sent) or from all members. `numbers`
/// has the dimension's number in the layout on this side of the exchange and in the other layout. Within a block, the
/// values of the dimension lie `stride` places apart. Adds the place of the first value to `base`.
Offsets offsets_in_blocks(const ExchangeStage& stage, bool is_sent, const Layout::Members& members,
                          std::pair<std::size_t, std::size_t> numbers, std::size_t block_count,
                          std::size_t stride, std::size_t& base) {
  const Layout& here = is_sent ? stage.before : stage.after;
  const Layout& there = is_sent ? stage.after : stage.before;
  const auto [dimension, dimension_there] = numbers;
  const bool is_split = is_spread_on(there.dimensions()[dimension_there], stage.axis);
  std::vector<std::size_t> counts(is_split ? member_count(stage) : 1);
  std::vector<std::size_t> places;
  for (const ValueRun& run : here.runs(dimension, members)) {
    for (std::size_t i = 0; i < run.count; ++i) {
      const std::size_t member =
          is_split ? there.dimension_owner(dimension_there, run.first + i * run.step) : 0;
      places.push_back(member * block_count + counts[member]++ * stride);
    }
  }
  if (places.empty()) return {0, 0};
  // Offsets wrap around if later values lie before the first value. Sums of such offsets are right nevertheless.
  const std::size_t first = places[0];
  base += first;
  for (std::size_t& place : places) place -= first;
  return Offsets(std::move(places));
}

std::size_t count_of(const std::vector<std::size_t>& counts) {
  std::size_t product = 1;
  for (const std::size_t count : counts) product *= count;
  return product;
}

}  // namespace

std::size_t member_count(const ExchangeStage& stage) {
  return stage.before.axis_members()[static_cast<std::size_t>(stage.axis)];
}

std::vector<std::size_t> dimensions_before(const ExchangeStage& stage) {
  const auto& before = stage.before.dimensions();
  const auto& after = stage.after.dimensions();
  std::vector<bool> taken(before.size());
  std::vector<std::size_t> sources(after.size(), before.size());
  const auto match = [&](auto fits) {
    for (std::size_t i = 0; i < after.size(); ++i) {
      for (std::size_t source = 0; source < before.size() && sources[i] == before.size(); ++source) {
        if (taken[source] || !fits(before[source], after[i])) continue;
        sources[i] = source;
        taken[source] = true;
      }
    }
  };
  match([](const IndexDimension& a, const IndexDimension& b) { return a == b; });
  match([](const IndexDimension& a, const IndexDimension& b) {
    return a.extent == b.extent && a.weight == b.weight;
  });
  return sources;
}

std::vector<std::size_t> shared_counts(const ExchangeStage& stage) {
  const auto after = dimensions_after(stage);
  std::vector<std::size_t> counts;
  for (std::size_t d = 0; d < after.size(); ++d) counts.push_back(shared_count(stage, d, after[d]));
  return counts;
}

BlockGeometry block_geometry(const ExchangeStage& stage, const Layout::Members& members, std::size_t batch,
                             const std::vector<std::size_t>& order, bool is_interleaved) {
  const auto shared = shared_counts(stage);
  std::vector<std::size_t> strides(order.size());
  std::size_t stride = is_interleaved ? batch : 1;
  for (std::size_t i = order.size(); i-- > 0; stride *= shared[order[i]]) strides[order[i]] = stride;
  const std::size_t batch_stride = is_interleaved ? 1 : stride;
  BlockGeometry blocks{{}, {}, is_interleaved ? stride : stride * batch};
  const auto after = dimensions_after(stage);
  const auto before = dimensions_before(stage);
  blocks.sent.dimensions.emplace_back(batch, batch_stride);
  blocks.received.dimensions.emplace_back(batch, batch_stride);
  for (std::size_t d = 0; d < order.size(); ++d) {
    blocks.sent.dimensions.push_back(offsets_in_blocks(stage, true, members, {d, after[d]},
                                                       blocks.block_count, strides[d], blocks.sent.base));
    blocks.received.dimensions.push_back(offsets_in_blocks(
        stage, false, members, {d, before[d]}, blocks.block_count, strides[before[d]], blocks.received.base));
  }
  return blocks;
}

std::size_t block_count(const ExchangeStage& stage) {
  return count_of(shared_counts(stage));
}

// The other coordinates are 0, because member 0 has the most values of block and cyclic dimensions. Dimensions in
// conjugate pairs occur only in programs with one process axis.
std::size_t sent_count(const ExchangeStage& stage) {
  const auto after = dimensions_after(stage);
  std::size_t largest = 0;
  for (std::size_t member = 0; member < member_count(stage); ++member) {
    Layout::Members members(stage.before.axis_members().size());
    members[static_cast<std::size_t>(stage.axis)] = member;
    std::size_t kept = 1;
    for (std::size_t d = 0; d < after.size(); ++d)
      kept *= count_of(common_values(stage.before.runs(d, members), stage.after.runs(after[d], members)));
    largest = std::max(largest, stage.before.local_count(members) - kept);
  }
  return largest;
}

Volume volume_of(const Program& program) {
  Volume volume;
  for (const Stage& stage : program.stages) {
    const auto* exchange = std::get_if<ExchangeStage>(&stage);
    if (exchange == nullptr) continue;
    const std::size_t peers = member_count(*exchange) - 1;
    ++volume.exchange_count;
    volume.message_count += peers;
    volume.sent_count += sent_count(*exchange);
    volume.padded_count += peers * block_count(*exchange);
  }
  return volume;
}

}  // namespace cubefold::fft
