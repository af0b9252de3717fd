#include "axis_loads.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

namespace cubefold {

namespace {

std::uint64_t highest_bit(std::uint64_t word) {
  return std::bit_floor(word);
}

/// Adds to `word` those of the others whose highest bits it has, which clears these bits. Requires that no other word
/// has the highest bit of another one.
std::uint64_t reduced(std::uint64_t word, std::span<const std::uint64_t> others) {
  for (const auto other : others) {
    if ((word & highest_bit(other)) != 0) word ^= other;
  }
  return word;
}

/// Adds a word to a basis in which no word has the highest bit of another one. Returns false if the word is a sum of
/// words of the basis.
bool add_to(std::vector<std::uint64_t>& basis, std::uint64_t word) {
  word = reduced(word, basis);
  if (word == 0) return false;
  for (auto& other : basis) {
    if ((other & highest_bit(word)) != 0) other ^= word;
  }
  basis.push_back(word);
  return true;
}

/// Calls visit(sum) for every sum of `origin` and words of the basis.
template <typename Visit>
void for_each_sum(std::span<const std::uint64_t> basis, std::uint64_t origin, Visit visit) {
  visit(origin);
  for (std::uint64_t i = 1; i < std::uint64_t{1} << basis.size(); ++i) {
    origin ^= basis[static_cast<std::size_t>(std::countr_zero(i))];
    visit(origin);
  }
}

}  // namespace

std::uint32_t coordinate_of_position(Embedding embedding, int position, int count) {
  const auto bit = std::uint32_t{1} << position;
  switch (embedding) {
    case Embedding::identity:
    case Embedding::standard:
    case Embedding::by_weight:
      return bit;
    case Embedding::xor_:
      return position == count - 1 && position > 0 ? bit | bit >> 1 : bit;
    case Embedding::gray:
      return bit | (bit - 1);
  }
  return bit;
}

std::size_t AxisLoads::KeyHash::operator()(const std::vector<std::uint64_t>& key) const {
  std::uint64_t hash = key.size();
  for (const auto word : key) hash = ((hash ^ word) * 0x9E3779B97F4A7C15U) ^ (hash >> 29);
  return hash;
}

AxisLoads::AxisLoads(const Grid& grid, std::span<const Phase> phases, MappingObjective objective, Tie tie)
    : grid_(grid),
      objective_(objective),
      tie_(tie),
      bit_count_(std::countr_zero(grid.node_count())),
      up_(grid.node_count()),
      down_(grid.node_count()) {
  for (const Phase& phase : phases) {
    if (phase.weight > 0 && !phase.traffic.empty()) sort_out(phase);
  }
  // With a single axis its cost is the objective. Hops add up over axes. Neither needs open components.
  if (grid.axis_count() == 1 || objective == MappingObjective::hop_bytes) return;
  if (objective == MappingObjective::busiest_link_together) {
    weights_.assign(listed_.empty() ? 0 : 1, 1.0);
    return;
  }
  for (const Affine& affine : affine_) weights_.push_back(affine.weight);
  for (const Phase* phase : listed_) weights_.push_back(phase->weight);
}

/// Sorts a phase by the form of its traffic. The loads of several phases add up link by link only if all of them are
/// listed, so the objective busiest_link_together uses no other form.
void AxisLoads::sort_out(const Phase& phase) {
  const bool as_list = objective_ == MappingObjective::busiest_link_together;
  const auto affine = as_list ? std::nullopt : recognise_affine(phase.traffic);
  if (affine && affine->is_cube_dimension(bit_count_)) {
    const int bit = std::countr_zero(affine->origin.from ^ affine->origin.to);
    dimensions_.push_back({bit, phase.weight * affine->messages});
    work_of_cost_ += 10;
  } else if (affine) {
    affine_.push_back({*affine, phase.weight});
    work_of_cost_ += 30.0 * bit_count_;
  } else {
    listed_.push_back(&phase);
    work_of_cost_ +=
        5.0 * static_cast<double>(phase.traffic.size()) + 4.0 * static_cast<double>(grid_.node_count());
  }
}

void AxisLoads::look_at(const AxisBits& axis) {
  const int count = static_cast<int>(axis.bits.size());
  line_ = {grid_.extent(axis.axis), grid_.has_wrap_link(axis.axis), tie_};
  coordinate_of_bit_.assign(static_cast<std::size_t>(bit_count_), 0);
  mask_ = 0;
  for (int position = 0; position < count; ++position) {
    const auto bit = axis.bits[static_cast<std::size_t>(position)];
    mask_ |= std::uint32_t{1} << bit;
    coordinate_of_bit_[static_cast<std::size_t>(bit)] =
        coordinate_of_position(axis.embedding, position, count);
  }
  if (listed_.empty()) return;
  coordinate_of_rank_.resize(grid_.node_count());
  rank_bits_at_.resize(line_.extent);
  for (std::uint32_t r = 1; r < grid_.node_count(); ++r) {
    const auto lowest = static_cast<std::size_t>(std::countr_zero(r));
    coordinate_of_rank_[r] = coordinate_of_rank_[r & (r - 1)] ^ coordinate_of_bit_[lowest];
    if ((r & ~mask_) == 0) rank_bits_at_[coordinate_of_rank_[r]] = r;
  }
}

std::uint32_t AxisLoads::coordinate(std::uint32_t rank) const {
  std::uint32_t result = 0;
  for (rank &= mask_; rank != 0; rank &= rank - 1) {
    result ^= coordinate_of_bit_[static_cast<std::size_t>(std::countr_zero(rank))];
  }
  return result;
}

void AxisLoads::add(AxisCost& result, double weight, double busiest, std::size_t& component) const {
  if (objective_ == MappingObjective::hop_bytes) return;
  if (weights_.empty()) {
    result.closed += weight * busiest;
  } else {
    result.open[component++] = busiest;
  }
}

void AxisLoads::cost(const AxisBits& axis, AxisCost& result) {
  look_at(axis);
  work_ += work_of_cost_;
  result.closed = 0;
  result.hops = 0;
  result.open.assign(weights_.size(), 0);
  for (const auto& [bit, weighted_messages] : dimensions_) {
    if ((mask_ >> bit & 1) == 0) continue;
    std::vector<std::uint64_t> all;
    for (std::uint64_t b = 1; b < line_.extent; b *= 2) all.push_back(b | b << 32);
    const auto unit = of_cosets(all, {}, std::uint64_t{coordinate(std::uint32_t{1} << bit)} << 32);
    const std::size_t line_count = grid_.node_count() / line_.extent;
    result.hops += weighted_messages * unit.hops * static_cast<double>(line_count);
    if (objective_ != MappingObjective::hop_bytes) result.closed += weighted_messages * unit.busiest;
  }
  std::size_t component = 0;
  for (const auto& [traffic, weight] : affine_) {
    const auto unit = of_affine(axis, traffic);
    result.hops += weight * traffic.messages * unit.hops;
    add(result, weight, traffic.messages * unit.busiest, component);
  }
  const bool together = objective_ == MappingObjective::busiest_link_together;
  for (const Phase* phase : listed_) {
    result.hops += phase->weight * add_listed(axis, *phase, together ? phase->weight : 1);
    if (!together) add(result, phase->weight, busiest_listed(), component);
  }
  if (together && !listed_.empty()) add(result, 1, busiest_listed(), component);
  if (objective_ == MappingObjective::hop_bytes) result.closed = result.hops;
}

AxisLoads::Unit AxisLoads::of_affine(const AxisBits& axis, const AffineTraffic& affine) {
  struct OnLine {
    std::uint32_t line;
    std::uint64_t place;
  };
  const std::uint32_t behind = ~(axis.before | mask_);
  const auto place = [&](MessageEnds ends) {
    return std::uint64_t{coordinate(ends.from)} | std::uint64_t{coordinate(ends.to)} << 32;
  };
  std::vector<OnLine> moving_lines;
  std::vector<std::uint64_t> directions;  // basis of the pairs of coordinates on one line
  int copies = 0;
  for (const MessageEnds ends : affine.basis) {
    OnLine next{(ends.to & axis.before) | (ends.from & behind), place(ends)};
    for (const OnLine& other : moving_lines) {
      if ((next.line & std::bit_floor(other.line)) != 0)
        next = {next.line ^ other.line, next.place ^ other.place};
    }
    if (next.line != 0) {
      moving_lines.push_back(next);
    } else if (!add_to(directions, next.place)) {
      ++copies;
    }
  }
  std::vector<std::uint64_t> lines;  // basis of the differences of the pairs between lines
  int same_lines = 0;
  for (const OnLine& moving : moving_lines) {
    if (!add_to(lines, reduced(moving.place, directions))) ++same_lines;
  }
  // No word of `lines` has the highest bit of another one or of a word of `directions`.
  Unit unit = of_cosets(directions, lines, place(affine.origin));
  unit.busiest = std::ldexp(unit.busiest, copies);
  unit.hops = std::ldexp(unit.hops, copies + same_lines);
  return unit;
}

/// Returns the busiest link of any line and the hops of all lines. Each line has one sum of `lines`: its pairs of
/// coordinates are origin + this sum + all sums of `directions`.
AxisLoads::Unit AxisLoads::of_cosets(std::span<const std::uint64_t> directions,
                                     std::span<const std::uint64_t> lines, std::uint64_t origin) {
  key_.assign({std::uint64_t{line_.extent} << 1 | (line_.wrapped ? 1U : 0U), directions.size(),
               reduced(reduced(origin, directions), lines)});
  key_.insert(key_.end(), directions.begin(), directions.end());
  key_.insert(key_.end(), lines.begin(), lines.end());
  std::sort(key_.begin() + 3, key_.begin() + 3 + static_cast<std::ptrdiff_t>(directions.size()));
  std::sort(key_.begin() + 3 + static_cast<std::ptrdiff_t>(directions.size()), key_.end());
  const auto known = known_.find(key_);
  if (known != known_.end()) return known->second;

  Unit unit;
  const auto at = [](std::uint32_t c) { return std::size_t{c}; };
  for_each_sum(lines, origin, [&](std::uint64_t start) {
    for_each_sum(directions, start, [&](std::uint64_t pair) {
      const auto from = static_cast<std::uint32_t>(pair);
      const auto to = static_cast<std::uint32_t>(pair >> 32);
      unit.hops += static_cast<double>(std::abs(line_.steps(from, to)));
      add_message(line_, from, to, 1, up_, down_, at);
    });
    unit.busiest = std::max({unit.busiest, take_busiest(line_, up_, at), take_busiest(line_, down_, at)});
  });
  work_ += std::ldexp(5, static_cast<int>(lines.size() + directions.size()));
  known_.emplace(key_, unit);
  return unit;
}

double AxisLoads::add_listed(const AxisBits& axis, const Phase& phase, double factor) {
  const std::uint32_t behind = ~(axis.before | mask_);
  double hops = 0;
  for (const Traffic& sent : phase.traffic) {
    const auto from = coordinate_of_rank_[label(sent.from)];
    const auto to = coordinate_of_rank_[label(sent.to)];
    if (from == to) continue;
    const std::uint32_t line = (label(sent.to) & axis.before) | (label(sent.from) & behind);
    hops += sent.messages * static_cast<double>(std::abs(line_.steps(from, to)));
    add_message(line_, from, to, sent.messages * factor, up_, down_,
                [&](std::uint32_t c) { return std::size_t{line | rank_bits_at_[c]}; });
  }
  return hops;
}

double AxisLoads::busiest_listed() {
  double busiest = 0;
  for (std::uint32_t line = 0; line < grid_.node_count(); ++line) {
    if ((line & mask_) != 0) continue;
    const auto at = [&](std::uint32_t c) { return std::size_t{line | rank_bits_at_[c]}; };
    busiest = std::max({busiest, take_busiest(line_, up_, at), take_busiest(line_, down_, at)});
  }
  return busiest;
}

}  // namespace cubefold
