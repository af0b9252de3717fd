#include "item_placing.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace cubefold {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t steps_at_once = ItemPlacing::steps_at_once;

constexpr std::array<std::uint32_t, steps_at_once> free_steps = [] {
  std::array<std::uint32_t, steps_at_once> users{};
  users.fill(nobody);
  return users;
}();

constexpr std::uint32_t all_bits_if(bool condition) {
  return condition ? ~std::uint32_t{0} : 0;
}

}  // namespace

ItemPlacing::ItemPlacing(std::vector<Resources> items, std::size_t resource_count, std::size_t step_count)
    : items_(std::move(items)),
      prices_(items_.size(), 1),
      steps_(items_.size(), 0),
      resource_count_(resource_count),
      stride_(step_count + steps_at_once - 1),
      step_count_(step_count),
      users_(stride_ * resource_count, nobody),
      users_prices_(stride_ * resource_count, 0) {
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
  for (std::size_t resource = 0; resource < resource_count_; ++resource) {
    users_[place_of(resource, emptiest)] = std::exchange(users_[place_of(resource, last)], nobody);
    users_prices_[place_of(resource, emptiest)] = std::exchange(users_prices_[place_of(resource, last)], 0);
  }
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

/// Returns, for each step from this one on, the sum of the prices of the items that would have to leave it. An item
/// whose resources do not follow one another is counted more than once, which makes it dearer and nothing else. The
/// inner loop has a fixed number of turns and no branch, so that compilers make vector instructions of it.
std::array<std::uint32_t, steps_at_once> ItemPlacing::costs(std::uint32_t item,
                                                            std::size_t first_step) const {
  std::array<std::uint32_t, steps_at_once> sums{};
  const std::uint32_t* last_users = free_steps.data();
  for (const std::size_t resource : items_[item]) {
    const std::uint32_t* users = &users_[place_of(resource, first_step)];
    const std::uint32_t* prices = &users_prices_[place_of(resource, first_step)];
    for (std::size_t i = 0; i < steps_at_once; ++i)
      sums[i] += prices[i] & all_bits_if(users[i] != last_users[i]);
    last_users = users;
  }
  return sums;
}

/// Returns the first of the cheapest steps, beginning with a random one.
std::size_t ItemPlacing::cheapest_step(std::uint32_t item, std::size_t& looks_left) {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  const std::size_t begin = random_ % step_count_;
  CheapestStep cheapest{begin};
  look(item, begin, step_count_, cheapest, looks_left);
  look(item, 0, begin, cheapest, looks_left);
  return cheapest.step;
}

/// Looks for a cheaper step from `begin` to before `end`, until one is free.
void ItemPlacing::look(std::uint32_t item, std::size_t begin, std::size_t end, CheapestStep& cheapest,
                       std::size_t& looks_left) const {
  for (std::size_t first = begin; first < end && cheapest.cost > 0; first += steps_at_once) {
    const auto sums = costs(item, first);
    const std::size_t count = std::min(steps_at_once, end - first);
    looks_left -= std::min(looks_left, count * items_[item].size());
    std::uint32_t any_cheaper = 0;
    for (std::size_t i = 0; i < steps_at_once; ++i) any_cheaper |= all_bits_if(sums[i] < cheapest.cost);
    if (any_cheaper == 0) continue;
    for (std::size_t i = 0; i < count; ++i)
      if (sums[i] < cheapest.cost) cheapest = {first + i, sums[i]};
  }
}

void ItemPlacing::put(std::uint32_t item, std::size_t step) {
  for (const std::size_t resource : items_[item]) {
    const std::uint32_t other = users_[place_of(resource, step)];
    if (other != nobody) take_out(other);
  }
  for (const std::size_t resource : items_[item]) {
    users_[place_of(resource, step)] = item;
    users_prices_[place_of(resource, step)] = prices_[item];
  }
  steps_[item] = static_cast<std::uint32_t>(step);
}

void ItemPlacing::take_out(std::uint32_t item) {
  for (const std::size_t resource : items_[item]) {
    users_[place_of(resource, steps_[item])] = nobody;
    users_prices_[place_of(resource, steps_[item])] = 0;
  }
  ++prices_[item];
  wait(item);
}

std::size_t looks_to_place_once(const std::vector<Resources>& items, std::size_t step_count) {
  std::size_t uses = 0;
  for (const Resources& item : items) uses += item.size();
  return uses * step_count;
}

std::optional<PlacedItems> place_in_few_steps(std::vector<Resources> items, std::size_t resource_count,
                                              const PlacingLimits& limits) {
  std::optional<PlacedItems> best;
  std::size_t looks_left = limits.looks;
  ItemPlacing placing(std::move(items), resource_count, limits.most_steps);
  while (placing.place_all(looks_left)) {
    best = {placing.steps(), placing.step_count()};
    if (placing.step_count() <= limits.least_steps) break;
    placing.dissolve_a_step();
  }
  return best;
}

}  // namespace cubefold
