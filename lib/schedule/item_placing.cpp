#include "item_placing.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace cubefold {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

}  // namespace

ItemPlacing::ItemPlacing(std::vector<Resources> items, std::size_t resource_count, std::size_t step_count)
    : items_(std::move(items)),
      prices_(items_.size(), 1),
      steps_(items_.size(), 0),
      resource_count_(resource_count),
      stride_(step_count),
      step_count_(step_count),
      users_(step_count * resource_count, nobody) {
  for (std::size_t item = items_.size(); item-- > 0;) wait(static_cast<std::uint32_t>(item));
}

bool ItemPlacing::place_all(std::size_t& looks_left) {
  for (;;) {
    while (!waiting_.empty() && waiting_.back().empty()) waiting_.pop_back();
    if (waiting_.empty()) return true;
    if (looks_left == 0) return false;
    const std::uint32_t item = waiting_.back().back();
    waiting_.back().pop_back();
    put(item, cheapest_step(item, looks_left));
  }
}

void ItemPlacing::dissolve_a_step() {
  std::vector<std::size_t> uses(step_count_);
  for (std::size_t item = 0; item < items_.size(); ++item) uses[steps_[item]] += items_[item].size();
  const auto emptiest = static_cast<std::uint32_t>(std::ranges::min_element(uses) - uses.begin());
  const auto last = static_cast<std::uint32_t>(--step_count_);
  for (std::size_t resource = 0; resource < resource_count_; ++resource)
    user(emptiest, resource) = std::exchange(user(last, resource), nobody);
  for (std::size_t item = 0; item < items_.size(); ++item) {
    if (steps_[item] == emptiest) {
      wait(static_cast<std::uint32_t>(item));
    } else if (steps_[item] == last) {
      steps_[item] = emptiest;
    }
  }
}

/// Lets an item wait behind those with as many resources.
void ItemPlacing::wait(std::uint32_t item) {
  const std::size_t length = items_[item].size();
  waiting_.resize(std::max(waiting_.size(), length + 1));
  waiting_[length].push_front(item);
}

/// Returns the sum of the prices of the items that would have to leave a step, or `most` if it is not less. An item
/// whose resources do not follow one another is counted more than once, which makes it dearer and nothing else.
std::uint64_t ItemPlacing::cost(std::uint32_t item, std::size_t step, std::uint64_t most,
                                std::size_t& looks_left) {
  std::uint64_t sum = 0;
  std::uint32_t last = nobody;
  for (const std::size_t resource : items_[item]) {
    const std::uint32_t other = user(step, resource);
    looks_left -= looks_left > 0 ? 1 : 0;
    if (other != nobody && other != last) sum += prices_[other];
    if (sum >= most) return most;
    last = other;
  }
  return sum;
}

/// Returns the first of the cheapest steps, beginning with a random one.
std::size_t ItemPlacing::cheapest_step(std::uint32_t item, std::size_t& looks_left) {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  std::size_t best = random_ % step_count_;
  std::uint64_t least = cost(item, best, std::numeric_limits<std::uint64_t>::max(), looks_left);
  for (std::size_t turn = 1, step = best; turn < step_count_ && least > 0; ++turn) {
    step = step + 1 == step_count_ ? 0 : step + 1;
    const std::uint64_t here = cost(item, step, least, looks_left);
    if (here >= least) continue;
    least = here;
    best = step;
  }
  return best;
}

void ItemPlacing::put(std::uint32_t item, std::size_t step) {
  for (const std::size_t resource : items_[item])
    if (user(step, resource) != nobody) take_out(user(step, resource));
  for (const std::size_t resource : items_[item]) user(step, resource) = item;
  steps_[item] = static_cast<std::uint32_t>(step);
}

void ItemPlacing::take_out(std::uint32_t item) {
  for (const std::size_t resource : items_[item]) user(steps_[item], resource) = nobody;
  ++prices_[item];
  wait(item);
}

std::optional<PlacedItems> place_in_few_steps(const std::vector<Resources>& items, std::size_t resource_count,
                                              const PlacingLimits& limits) {
  std::optional<PlacedItems> best;
  std::size_t looks_left = limits.looks;
  ItemPlacing placing(items, resource_count, limits.most_steps);
  while (placing.place_all(looks_left)) {
    best = {placing.steps(), placing.step_count()};
    if (placing.step_count() <= limits.least_steps) break;
    placing.dissolve_a_step();
  }
  return best;
}

}  // namespace cubefold
