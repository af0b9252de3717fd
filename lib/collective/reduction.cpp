#include "reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cubefold/topology/route.hpp"
#include "exchange/pairing.hpp"
#include "exchange/step_load.hpp"

namespace cubefold {

namespace {

struct Named {
  VectorAlgorithm algorithm;
  std::string_view name;
  std::string_view description;
};

constexpr std::array<Named, 8> names{
    {{VectorAlgorithm::bucket, "bucket", "to the next node of one axis after the other"},
     {VectorAlgorithm::direct, "direct",
      "straight to all other nodes of a line, along one axis after the other"},
     {VectorAlgorithm::halving_cube, "halving-cube",
      "halves of what is left, between nodes that differ in one bit of a coordinate"},
     {VectorAlgorithm::halving_swing, "halving-swing",
      "halves of what is left, between nodes at distances 1, 1, 3, 5, 11"},
     {VectorAlgorithm::whole_cube, "whole-cube",
      "the whole vector in each step, between nodes that differ in one bit of a coordinate"},
     {VectorAlgorithm::whole_swing, "whole-swing",
      "the whole vector in each step, between nodes at distances 1, 1, 3, 5, 11; ranks reduce in different "
      "orders"},
     {VectorAlgorithm::halving_ordered, "halving-ordered",
      "halves of what is left, between ranks that differ in one bit; operands keep the order of the ranks"},
     {VectorAlgorithm::whole_ordered, "whole-ordered",
      "the whole vector in each step, between ranks that differ in one bit; operands keep the order of the "
      "ranks"}}};

/// A rank sends the chunks of these owners in a step of one channel. Without owners it sends nothing.
struct Sent {
  Rank to;
  std::vector<Rank> owners;
};

/// The steps in which one channel scatters reductions. Gathering runs backwards: what a rank has received before, it
/// then sends back to where it came from.
class ChannelSteps {
 public:
  ChannelSteps() = default;
  ChannelSteps(const ChannelSteps&) = delete;
  ChannelSteps& operator=(const ChannelSteps&) = delete;
  virtual ~ChannelSteps() = default;

  virtual std::size_t count() const = 0;
  virtual Sent sent(Rank from, std::size_t step) const = 0;
  virtual Rank sender(Rank to, std::size_t step) const = 0;
};

class HalvingSteps : public ChannelSteps {
 public:
  explicit HalvingSteps(Pairing pairing) : pairing_(std::move(pairing)) {}

  std::size_t count() const override { return pairing_.step_count(); }
  Sent sent(Rank from, std::size_t step) const override {
    const Rank to = pairing_.partner(from, step);
    return {to, pairing_.destinations(to, step + 1)};
  }
  Rank sender(Rank to, std::size_t step) const override { return pairing_.partner(to, step); }

 private:
  Pairing pairing_;
};

/// Steps that serve one axis after the other.
class AxisSteps : public ChannelSteps {
 public:
  AxisSteps(const Placement& placement, const AxisOrder& order)
      : placement_(placement), axes_(axes_in(order, placement.grid())), up_(!order.is_mirrored) {
    for (std::size_t a = 0; a < axes_.size(); ++a)
      for (std::uint32_t s = 0; s + 1 < placement.grid().extent(axes_[a]); ++s) steps_.push_back({a, s});
  }

  std::size_t count() const override { return steps_.size(); }

 protected:
  struct AxisStep {
    std::size_t axis_number;
    std::uint32_t step;
  };

  const AxisStep& step_of(std::size_t step) const { return steps_[step]; }
  GridNode node_of(Rank rank) const { return placement_.node_of(rank); }
  std::uint32_t extent(std::size_t axis_number) const { return placement_.grid().extent(axes_[axis_number]); }

  /// Returns the node so many places further on an axis in the direction of the channel.
  GridNode moved(GridNode node, std::size_t axis_number, std::int64_t places) const {
    const Grid& grid = placement_.grid();
    const int axis = axes_[axis_number];
    const std::int64_t extent = grid.extent(axis);
    const std::int64_t coordinate = grid.coordinate(node, axis);
    const std::int64_t to = ((coordinate + (up_ ? places : -places)) % extent + extent) % extent;
    const auto stride = static_cast<std::int64_t>(grid.stride(axis));
    return static_cast<GridNode>(static_cast<std::int64_t>(node) + (to - coordinate) * stride);
  }
  Rank rank_moved(Rank rank, std::size_t axis_number, std::int64_t places) const {
    return placement_.rank_of(moved(node_of(rank), axis_number, places));
  }

  /// Returns the ranks of all nodes that differ from this one only in axes after that of the number.
  std::vector<Rank> owners_after(GridNode node, std::size_t axis_number) const {
    std::vector<GridNode> nodes{node};
    for (std::size_t number = axis_number + 1; number < axes_.size(); ++number) {
      const std::size_t count = nodes.size();
      for (std::int64_t places = 1; places < extent(number); ++places)
        for (std::size_t i = 0; i < count; ++i) nodes.push_back(moved(nodes[i], number, places));
    }
    std::vector<Rank> owners;
    owners.reserve(nodes.size());
    for (const GridNode each : nodes) owners.push_back(placement_.rank_of(each));
    return owners;
  }

 private:
  Placement placement_;
  std::vector<int> axes_;
  bool up_;
  std::vector<AxisStep> steps_;
};

class BucketSteps : public AxisSteps {
 public:
  using AxisSteps::AxisSteps;

  /// In step s of an axis of extent k, the chunks of the coordinate 1 + s below the sender's go to the next node. Those
  /// of coordinate t begin at t + 1 and come round to t.
  Sent sent(Rank from, std::size_t step) const override {
    const auto [number, s] = step_of(step);
    const GridNode owner = moved(node_of(from), number, -1 - static_cast<std::int64_t>(s));
    return {rank_moved(from, number, 1), owners_after(owner, number)};
  }
  Rank sender(Rank to, std::size_t step) const override {
    return rank_moved(to, step_of(step).axis_number, -1);
  }
};

class DirectSteps : public AxisSteps {
 public:
  /// Channels with other first places use other links in each step.
  DirectSteps(const Placement& placement, const AxisOrder& order, std::size_t first_place)
      : AxisSteps(placement, order), first_place_(first_place) {}

  Sent sent(Rank from, std::size_t step) const override {
    const std::size_t number = step_of(step).axis_number;
    const Rank to = rank_moved(from, number, places(step));
    return {to, owners_after(node_of(to), number)};
  }
  Rank sender(Rank to, std::size_t step) const override {
    return rank_moved(to, step_of(step).axis_number, -places(step));
  }

 private:
  /// Returns how many places further the receiver is: each of 1 to k - 1 once on an axis of k nodes.
  std::int64_t places(std::size_t step) const {
    const auto [number, s] = step_of(step);
    return static_cast<std::int64_t>(1 + (s + first_place_) % (extent(number) - 1));
  }

  std::size_t first_place_;
};

AxisOrder order_of_channel(std::size_t channel, const Grid& grid) {
  const std::size_t axis_count = std::max<std::size_t>(axes_in({}, grid).size(), 1);
  return {channel % axis_count, channel / axis_count % 2 == 1};
}

Pairing pairing_of(VectorAlgorithm algorithm, const Placement& placement, const AxisOrder& order) {
  if (keeps_order(algorithm)) return Pairing::cube(placement.rank_count());
  const bool is_swing =
      algorithm == VectorAlgorithm::halving_swing || algorithm == VectorAlgorithm::whole_swing;
  return is_swing ? Pairing::swing(placement, order) : Pairing::cube_of_nodes(placement, order);
}

using Channels = std::vector<std::shared_ptr<const ChannelSteps>>;

Channels channels_of(const VectorMethod& method, const Placement& placement) {
  Channels channels;
  for (std::size_t channel = 0; channel < method.channel_count; ++channel) {
    const AxisOrder order = order_of_channel(channel, placement.grid());
    if (method.algorithm == VectorAlgorithm::bucket) {
      channels.push_back(std::make_shared<BucketSteps>(placement, order));
    } else if (method.algorithm == VectorAlgorithm::direct) {
      const std::size_t axis_count = std::max<std::size_t>(axes_in({}, placement.grid()).size(), 1);
      channels.push_back(
          std::make_shared<DirectSteps>(placement, AxisOrder{order.first_axis, false}, channel / axis_count));
    } else {
      channels.push_back(std::make_shared<HalvingSteps>(pairing_of(method.algorithm, placement, order)));
    }
  }
  return channels;
}

void require_fit(VectorCollective collective, const VectorMethod& method) {
  if (method.channel_count == 0) throw std::invalid_argument("vector_parts: there are no channels");
  if (keeps_order(method.algorithm) && method.channel_count > 1) {
    throw std::invalid_argument(
        fmt::format("vector_parts: {} has more than the one channel of an order", to_string(method)));
  }
  if (is_whole(method.algorithm) && collective != VectorCollective::allreduce) {
    throw std::invalid_argument(
        fmt::format("vector_parts: {} is no {}", to_string(method), to_string(collective)));
  }
}

/// Returns the message with the chunks of these owners in a channel.
Message chunks_message(Rank from, const Sent& sent, std::size_t channel, std::size_t channel_count) {
  Message message{from, sent.to, {}};
  message.blocks.reserve(sent.owners.size());
  for (const Rank owner : sent.owners) {
    message.blocks.push_back(
        numbered_chunk(static_cast<std::uint32_t>(label(owner) * channel_count + channel)));
  }
  return message;
}

/// Returns the message with a reduction. In order, the operand of the lower rank is the left one.
Message reduced(Message message, bool in_order) {
  message.reduces = true;
  message.arrives_left = in_order && message.from < message.to;
  return message;
}

/// Adds the steps of scattering from the first step on.
void add_scattering(PartBuilder& part, const Channels& channels, bool in_order) {
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const ChannelSteps& steps = *channels[c];
    for (std::size_t k = 0; k < steps.count(); ++k) {
      const auto message = [&](Rank from) {
        return reduced(chunks_message(from, steps.sent(from, k), c, channels.size()), in_order);
      };
      part.send(k, message);
      part.receive(k, steps.sender(part.rank(), k), message);
    }
  }
}

/// Adds the steps of gathering, from step `begin` on: those of scattering backwards, with messages in the opposite
/// direction.
void add_gathering(PartBuilder& part, const Channels& channels, std::size_t begin) {
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const ChannelSteps& steps = *channels[c];
    for (std::size_t k = 0; k < steps.count(); ++k) {
      const std::size_t step = begin + steps.count() - 1 - k;
      const auto message = [&](Rank from) {
        const Rank to = steps.sender(from, k);
        return chunks_message(from, {to, steps.sent(to, k).owners}, c, channels.size());
      };
      part.send(step, message);
      part.receive(step, steps.sent(part.rank(), k).to, message);
    }
  }
}

void add_whole(PartBuilder& part, const Channels& channels, bool in_order) {
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const ChannelSteps& steps = *channels[c];
    for (std::size_t k = 0; k < steps.count(); ++k) {
      const auto message = [&](Rank from) {
        const Block chunk = numbered_chunk(static_cast<std::uint32_t>(c));
        return reduced({from, steps.sender(from, k), {chunk}}, in_order);
      };
      part.send(k, message);
      part.receive(k, steps.sender(part.rank(), k), message);
    }
  }
}

/// Holds what the channels send in a step: for each channel, the rank that each rank receives from, and the number of
/// chunks in a message. All steps along one axis have equal patterns.
struct StepPattern {
  std::vector<std::vector<Rank>> senders;
  std::vector<std::uint64_t> chunks;

  bool operator==(const StepPattern&) const = default;
};

StepPattern pattern_of(const Channels& channels, std::size_t step, const VectorMethod& method,
                       std::size_t rank_count) {
  StepPattern pattern;
  for (const auto& steps : channels) {
    pattern.chunks.push_back(is_whole(method.algorithm) ? 1 : steps->sent(Rank{0}, step).owners.size());
    std::vector<Rank>& senders = pattern.senders.emplace_back();
    senders.reserve(rank_count);
    for (std::uint32_t r = 0; r < rank_count; ++r) senders.push_back(steps->sender(Rank{r}, step));
  }
  return pattern;
}

/// Returns the load of a step, whose messages go the other way if it gathers.
StepGroup load_of(const StepPattern& pattern, bool gathers, const Placement& placement,
                  const NetworkRules& rules) {
  StepLoad load(placement, rules.ports, rules.tie);
  for (std::size_t channel = 0; channel < pattern.senders.size(); ++channel) {
    for (std::uint32_t r = 0; r < placement.rank_count(); ++r) {
      const Rank sender = pattern.senders[channel][r];
      if (gathers) {
        load.add(Rank{r}, sender, pattern.chunks[channel]);
      } else {
        load.add(sender, Rank{r}, pattern.chunks[channel]);
      }
    }
  }
  StepGroup group = load.group();
  group.waits = Waits::each;
  return group;
}

/// Returns whether a table of routes links all nodes of every line along an axis to one another.
bool lines_are_full_meshes(const Grid& grid) {
  if (grid.route_table() == nullptr) return false;
  const auto nodes = static_cast<std::uint32_t>(grid.node_count());
  for (const int axis : axes_in({}, grid)) {
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const auto stride = static_cast<std::uint32_t>(grid.stride(axis));
      const std::uint32_t first = node - grid.coordinate(GridNode{node}, axis) * stride;
      for (std::uint32_t to = first; to < first + grid.extent(axis) * stride; to += stride)
        if (to != node && route(grid, GridNode{node}, GridNode{to}, Tie::balanced).size() != 1) return false;
    }
  }
  return true;
}

/// Returns the channels of a method that uses all links of a node in each step.
std::size_t channels_for_all_links(VectorAlgorithm algorithm, const Grid& grid) {
  const std::vector<int> axes = axes_in({}, grid);
  if (algorithm != VectorAlgorithm::direct) return 2 * axes.size();
  std::size_t most = 0;
  for (const int axis : axes) most = std::max<std::size_t>(most, grid.extent(axis) - 1);
  return std::min(axes.size() * most, most_channels);
}

}  // namespace

std::string_view to_string(VectorCollective collective) {
  switch (collective) {
    case VectorCollective::allgather:
      return "allgather";
    case VectorCollective::reduce_scatter:
      return "reduce-scatter";
    case VectorCollective::allreduce:
      break;
  }
  return "allreduce";
}

std::string to_string(const VectorMethod& method) {
  const auto* named = std::ranges::find(names, method.algorithm, &Named::algorithm);
  return method.channel_count == 1 ? std::string(named->name)
                                   : fmt::format("{}:{}", named->name, method.channel_count);
}

std::string description(const VectorMethod& method) {
  const auto* named = std::ranges::find(names, method.algorithm, &Named::algorithm);
  if (method.channel_count == 1) return std::string(named->description);
  return fmt::format("{}, in {} parts of the vector at once, which begin with different axes or directions",
                     named->description, method.channel_count);
}

VectorMethod parse_vector_method(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const auto* named = std::ranges::find(names, name, &Named::name);
  VectorMethod method;
  bool is_right = named != names.end();
  if (is_right) method.algorithm = named->algorithm;
  if (is_right && name.size() < text.size()) {
    const std::string_view number = text.substr(name.size() + 1);
    const char* end = number.data() + number.size();
    const auto [read, error] = std::from_chars(number.data(), end, method.channel_count);
    is_right = error == std::errc() && read == end && method.channel_count >= 1 &&
               method.channel_count <= most_channels;
  }
  if (is_right) return method;
  throw std::invalid_argument(fmt::format(
      "'{}' is not bucket, direct, halving-cube, halving-swing, whole-cube, whole-swing, halving-ordered "
      "or whole-ordered, and after a colon 1 to 64 channels",
      text));
}

std::vector<VectorMethod> vector_methods(VectorCollective collective, const Grid& grid, Ports ports) {
  const std::vector<int> axes = axes_in({}, grid);
  const bool is_power =
      std::ranges::all_of(axes, [&](int axis) { return std::has_single_bit(grid.extent(axis)); });
  const bool has_full_lines = lines_are_full_meshes(grid);
  std::vector<VectorMethod> methods;
  for (const auto& [algorithm, name, text] : names) {
    if (algorithm == VectorAlgorithm::direct && !has_full_lines) continue;
    if (algorithm != VectorAlgorithm::bucket && algorithm != VectorAlgorithm::direct && !is_power) continue;
    if (is_whole(algorithm) && collective != VectorCollective::allreduce) continue;
    methods.push_back({algorithm, 1});
    if (ports == Ports::all && !axes.empty() && !keeps_order(algorithm))
      methods.push_back({algorithm, channels_for_all_links(algorithm, grid)});
  }
  return methods;
}

Collective collective_of(VectorCollective collective, const VectorMethod& method, std::size_t rank_count) {
  const std::size_t channels = method.channel_count;
  switch (collective) {
    case VectorCollective::allgather:
      return Collective::allgather(rank_count, channels);
    case VectorCollective::reduce_scatter:
      return Collective::reduce_scatter(rank_count, channels);
    case VectorCollective::allreduce:
      break;
  }
  return Collective::allreduce(rank_count, is_whole(method.algorithm) ? channels : channels * rank_count);
}

ExchangeParts vector_parts(VectorCollective collective, const VectorMethod& method,
                           const Placement& placement) {
  require_fit(collective, method);
  const Channels channels = channels_of(method, placement);
  const std::size_t count = channels.front()->count();
  const bool scatters = collective != VectorCollective::allgather;
  const bool gathers = collective != VectorCollective::reduce_scatter;
  const bool in_order = keeps_order(method.algorithm);
  if (is_whole(method.algorithm)) {
    return {placement.rank_count(), count,
            [channels, in_order](PartBuilder& part) { add_whole(part, channels, in_order); }};
  }
  return {placement.rank_count(), scatters && gathers ? 2 * count : count,
          [channels, count, scatters, gathers, in_order](PartBuilder& part) {
            if (scatters) add_scattering(part, channels, in_order);
            if (gathers) add_gathering(part, channels, scatters ? count : 0);
          }};
}

ExchangeCost vector_cost(VectorCollective collective, const VectorMethod& method, const Placement& placement,
                         const NetworkRules& rules) {
  require_fit(collective, method);
  const Channels channels = channels_of(method, placement);
  const std::size_t p = placement.rank_count();
  const bool both_ways = collective == VectorCollective::allreduce && !is_whole(method.algorithm);
  ExchangeCost cost;
  std::vector<StepGroup> back;
  StepPattern last;
  StepGroup group;
  StepGroup group_back;
  for (std::size_t k = 0; k < channels.front()->count(); ++k) {
    StepPattern pattern = pattern_of(channels, k, method, p);
    if (pattern != last) {
      group = load_of(pattern, collective == VectorCollective::allgather, placement, rules);
      // Routes by axes load as many links backwards; those of a table may not.
      const bool has_other_ways_back = both_ways && placement.grid().route_table() != nullptr;
      group_back = has_other_ways_back ? load_of(pattern, true, placement, rules) : group;
    }
    cost.add(group);
    for (const std::uint64_t chunks : pattern.chunks)
      cost.sent_blocks += static_cast<double>(chunks) * (both_ways ? 2 : 1);
    if (both_ways) back.insert(back.begin(), group_back);
    last = std::move(pattern);
  }
  for (const StepGroup& each : back) cost.add(each);
  return cost;
}

}  // namespace cubefold
