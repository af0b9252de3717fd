#include "reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "channel_steps.hpp"
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

/// A step of a schedule: number `number` of the ChannelSteps, as it scatters or backwards.
struct DirectedStep {
  std::size_t number;
  bool gathers;
};

/// Returns the steps of a schedule. By whole vectors, an allreduce gathers only what folds have taken away.
std::vector<DirectedStep> directed_steps(VectorCollective collective, const VectorMethod& method,
                                         const ChannelSteps& channel) {
  const bool is_allreduce = collective == VectorCollective::allreduce;
  const std::size_t scattering = collective == VectorCollective::allgather ? 0 : channel.count();
  const std::size_t gathering = collective == VectorCollective::reduce_scatter ? 0
                                : is_allreduce && is_whole(method.algorithm)   ? channel.fold_count()
                                                                               : channel.count();
  std::vector<DirectedStep> steps;
  for (std::size_t number = 0; number < scattering; ++number) steps.push_back({number, false});
  for (std::size_t number = gathering; number > 0; --number) steps.push_back({number - 1, true});
  return steps;
}

/// Returns the rank to which a rank sends in a step.
std::optional<Rank> receiver_in(const ChannelSteps& channel, const DirectedStep& step, Rank from) {
  return step.gathers ? channel.sender(from, step.number) : channel.receiver(from, step.number);
}

std::optional<Rank> sender_in(const ChannelSteps& channel, const DirectedStep& step, Rank to) {
  return step.gathers ? channel.receiver(to, step.number) : channel.sender(to, step.number);
}

/// Returns the chunks of these owners in a channel.
std::vector<Block> chunks_of(const std::vector<Rank>& owners, std::size_t channel,
                             std::size_t channel_count) {
  std::vector<Block> chunks;
  chunks.reserve(owners.size());
  for (const Rank owner : owners)
    chunks.push_back(numbered_chunk(static_cast<std::uint32_t>(label(owner) * channel_count + channel)));
  return chunks;
}

/// Returns the message of a rank that sends in a step of channel c. In order, the operand of the lower rank is the left
/// one.
Message message_in(const Channels& channels, std::size_t c, const VectorMethod& method,
                   const DirectedStep& step, Rank from) {
  const ChannelSteps& channel = *channels[c];
  Message message{from, *receiver_in(channel, step, from), {}};
  message.blocks =
      is_whole(method.algorithm)
          ? std::vector<Block>{numbered_chunk(static_cast<std::uint32_t>(c))}
          : chunks_of(channel.owners(step.gathers ? message.to : from, step.number), c, channels.size());
  message.reduces = !step.gathers && channel.reduces(step.number);
  message.arrives_left = message.reduces && keeps_order(method.algorithm) && message.from < message.to;
  return message;
}

/// Holds what the channels send in a step.
struct StepPattern {
  struct Sent {
    Rank from;
    Rank to;
    std::uint64_t chunks;

    bool operator==(const Sent&) const = default;
  };

  bool gathers = false;
  std::vector<Sent> sent;

  bool operator==(const StepPattern&) const = default;
};

StepPattern pattern_of(const Channels& channels, const DirectedStep& step, const VectorMethod& method,
                       std::size_t rank_count) {
  StepPattern pattern{step.gathers, {}};
  pattern.sent.reserve(channels.size() * rank_count);
  for (const auto& channel : channels) {
    const std::vector<std::uint64_t> counts = is_whole(method.algorithm)
                                                  ? std::vector<std::uint64_t>(rank_count, 1)
                                                  : channel->owner_counts(step.number);
    for (std::uint32_t r = 0; r < rank_count; ++r) {
      const auto receiver = channel->receiver(Rank{r}, step.number);
      if (!receiver) continue;
      pattern.sent.push_back(step.gathers ? StepPattern::Sent{*receiver, Rank{r}, counts[r]}
                                          : StepPattern::Sent{Rank{r}, *receiver, counts[r]});
    }
  }
  return pattern;
}

StepGroup load_of(const StepPattern& pattern, const Placement& placement, const NetworkRules& rules) {
  StepLoad load(placement, rules.ports, rules.tie);
  for (const StepPattern::Sent& each : pattern.sent) load.add(each.from, each.to, each.chunks);
  StepGroup group = load.group();
  group.waits = Waits::each;
  return group;
}

std::uint64_t chunks_in(const StepPattern& pattern) {
  std::uint64_t chunks = 0;
  for (const StepPattern::Sent& each : pattern.sent) chunks += each.chunks;
  return chunks;
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
  const bool has_full_lines = lines_are_full_meshes(grid);
  std::vector<VectorMethod> methods;
  for (const auto& [algorithm, name, text] : names) {
    if (algorithm == VectorAlgorithm::direct && !has_full_lines) continue;
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
  const Channels channels = channels_of(collective, method, placement);
  const std::vector<DirectedStep> steps = directed_steps(collective, method, *channels.front());
  return {placement.rank_count(), steps.size(), [channels, steps, method](PartBuilder& part) {
            for (std::size_t c = 0; c < channels.size(); ++c) {
              for (std::size_t k = 0; k < steps.size(); ++k) {
                const auto message = [&](Rank from) {
                  return message_in(channels, c, method, steps[k], from);
                };
                if (receiver_in(*channels[c], steps[k], part.rank())) part.send(k, message);
                if (const auto sender = sender_in(*channels[c], steps[k], part.rank()))
                  part.receive(k, *sender, message);
              }
            }
          }};
}

ExchangeCost vector_cost(VectorCollective collective, const VectorMethod& method, const Placement& placement,
                         const NetworkRules& rules) {
  require_fit(collective, method);
  const Channels channels = channels_of(collective, method, placement);
  const std::size_t p = placement.rank_count();
  // Routes by axes load as many links backwards, unless ranks have left. Those of a table may not.
  const bool same_ways_back =
      placement.grid().route_table() == nullptr && channels.front()->fold_count() == 0;
  ExchangeCost cost;
  struct Counted {
    StepGroup group;
    std::uint64_t chunks;
  };
  std::vector<Counted> scattered;
  StepPattern last;
  Counted counted{};
  for (const DirectedStep& step : directed_steps(collective, method, *channels.front())) {
    if (step.gathers && same_ways_back && step.number < scattered.size()) {
      counted = scattered[step.number];
    } else {
      StepPattern pattern = pattern_of(channels, step, method, p);
      if (pattern != last) counted = {load_of(pattern, placement, rules), chunks_in(pattern)};
      last = std::move(pattern);
    }
    if (!step.gathers) scattered.push_back(counted);
    cost.add(counted.group);
    cost.sent_blocks += static_cast<double>(counted.chunks) / static_cast<double>(p);
  }
  return cost;
}

}  // namespace cubefold
