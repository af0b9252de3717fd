#include "timed_messages.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace cubefold {

namespace {

/// Numbers what a message occupies: links by link_index(), then the ports of senders and those of receivers.
class TimedResources {
 public:
  TimedResources(const Placement& placement, Ports ports, Tie tie)
      : placement_(&placement), ports_(ports), tie_(tie), link_count_(link_index_count(placement.grid())) {}

  std::size_t count() const { return link_count_ + 2 * placement_->rank_count(); }

  void append(Rank from, Rank to, std::vector<std::uint32_t>& resources) const {
    const Grid& grid = placement_->grid();
    for (const Link& link : route(grid, placement_->node_of(from), placement_->node_of(to), tie_))
      resources.push_back(static_cast<std::uint32_t>(link_index(grid, link)));
    if (ports_ == Ports::all) return;
    const auto first_port = static_cast<std::uint32_t>(link_count_);
    resources.push_back(first_port + label(from));
    resources.push_back(first_port + static_cast<std::uint32_t>(placement_->rank_count()) + label(to));
  }

 private:
  const Placement* placement_;
  Ports ports_;
  Tie tie_;
  std::size_t link_count_;
};

/// Gives begins to messages that are sorted by priority. A message that cannot begin waits for one of the resources
/// that are in use.
class ListScheduler {
 public:
  ListScheduler(const TimedResources& resources, std::vector<TimedMessage>& messages)
      : messages_(messages), is_used_(resources.count()), waiting_(resources.count()) {
    for (const TimedMessage& message : messages) {
      first_resource_.push_back(resources_.size());
      resources.append(message.from, message.to, resources_);
    }
    first_resource_.push_back(resources_.size());
  }

  void run() {
    for (std::uint32_t number = 0; number < messages_.size(); ++number) begin_or_wait(number);
    while (!under_way_.empty()) {
      now_ = under_way_.top().first;
      std::vector<std::uint32_t> ready;
      while (!under_way_.empty() && under_way_.top().first == now_) {
        release(under_way_.top().second, ready);
        under_way_.pop();
      }
      std::ranges::sort(ready);
      for (const std::uint32_t number : ready) begin_or_wait(number);
    }
  }

 private:
  std::span<const std::uint32_t> resources_of(std::uint32_t number) const {
    return std::span(resources_)
        .subspan(first_resource_[number], first_resource_[number + 1] - first_resource_[number]);
  }

  void begin_or_wait(std::uint32_t number) {
    const auto needed = resources_of(number);
    const auto used = std::ranges::find_if(needed, [&](std::uint32_t each) { return is_used_[each]; });
    if (used != needed.end()) return waiting_[*used].push_back(number);
    for (const std::uint32_t each : needed) is_used_[each] = true;
    messages_[number].begin = now_;
    under_way_.emplace(messages_[number].end(), number);
  }

  /// Frees the resources of a message, and adds the messages that wait for them to `ready`.
  void release(std::uint32_t number, std::vector<std::uint32_t>& ready) {
    for (const std::uint32_t each : resources_of(number)) {
      is_used_[each] = false;
      ready.insert(ready.end(), waiting_[each].begin(), waiting_[each].end());
      waiting_[each].clear();
    }
  }

  using End = std::pair<std::chrono::nanoseconds, std::uint32_t>;

  std::vector<TimedMessage>& messages_;
  std::vector<std::uint32_t> resources_;     ///< those of all messages, one message after the other
  std::vector<std::size_t> first_resource_;  ///< by message, with the end of the last one
  std::vector<bool> is_used_;
  std::vector<std::vector<std::uint32_t>> waiting_;  ///< messages by the resource that they wait for
  std::priority_queue<End, std::vector<End>, std::greater<>> under_way_;
  std::chrono::nanoseconds now_{0};
};

std::chrono::nanoseconds nanoseconds(double seconds) {
  return std::chrono::round<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
}

}  // namespace

std::vector<TimedMessage> schedule_by_size(const Placement& placement, Ports ports, Tie tie, BlockSizes sizes,
                                           double gap_seconds, double tau_seconds_per_byte) {
  const auto rank_count = static_cast<std::uint32_t>(placement.rank_count());
  std::vector<TimedMessage> messages;
  for (std::uint32_t from = 0; from < rank_count; ++from) {
    for (std::uint32_t to = 0; to < rank_count; ++to) {
      const std::uint32_t bytes = sizes[std::size_t{from} * rank_count + to];
      if (from == to || bytes == 0) continue;
      messages.push_back({Rank{from}, Rank{to}, {}, nanoseconds(gap_seconds + bytes * tau_seconds_per_byte)});
    }
  }
  std::ranges::stable_sort(messages, std::greater<>(), &TimedMessage::length);
  ListScheduler(TimedResources(placement, ports, tie), messages).run();
  std::ranges::stable_sort(messages, std::less<>(), &TimedMessage::begin);
  return messages;
}

TimedPart part_of(std::span<const TimedMessage> messages, std::size_t rank_count, Rank rank) {
  TimedPart part{{rank_count, {}}, {}};
  const auto add = [&](Rank from, Rank to) { part.steps.steps.push_back({{from, to, {{from, to}}}}); };
  std::vector<bool> is_sent(rank_count);
  std::vector<bool> is_received(rank_count);
  is_sent[label(rank)] = is_received[label(rank)] = true;
  for (const TimedMessage& message : messages) {
    if (message.from != rank && message.to != rank) continue;
    if (message.from == rank) is_sent[label(message.to)] = true;
    if (message.to == rank) is_received[label(message.from)] = true;
    add(message.from, message.to);
    part.messages.push_back(message);
  }
  for (std::uint32_t other = 0; other < rank_count; ++other) {
    if (!is_sent[other]) add(rank, Rank{other});
    if (!is_received[other]) add(Rank{other}, rank);
  }
  return part;
}

}  // namespace cubefold
