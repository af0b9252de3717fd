#include "tokens.hpp"

#include <algorithm>
#include <map>

namespace cubefold {

TokenSearch::TokenSearch(const Placement& placement, Ports ports, Tie tie, Rank rank)
    : placement_(&placement),
      ports_(ports),
      tie_(tie),
      rank_(rank),
      users_(link_index_count(placement.grid()) + placement.rank_count()),
      send_count_(placement.rank_count()),
      receive_count_(placement.rank_count()) {}

std::vector<std::size_t> TokenSearch::resources_of(const Message& message) const {
  const Grid& grid = placement_->grid();
  std::vector<std::size_t> resources;
  for (const Link& link :
       route(grid, placement_->node_of(message.from), placement_->node_of(message.to), tie_))
    resources.push_back(link_index(grid, link));
  if (ports_ == Ports::one) resources.push_back(link_index_count(grid) + label(message.to));
  return resources;
}

void TokenSearch::await(Rank sender, const User& user) {
  if (sender != rank_ && user.rank != rank_) return;
  const std::uint32_t over = user.receive + 1;
  auto& known = sender == rank_ ? heard_from_[label(user.rank)] : told_[label(sender)];
  if (known >= over) return;
  known = over;
  const std::uint32_t send = send_count_[label(sender)];
  if (sender == rank_) {
    tokens_.awaited.push_back({send, user.rank});
  } else {
    tokens_.given.push_back({user.receive, sender});
  }
}

void TokenSearch::await_users(const Message& message) {
  std::map<Rank, std::uint32_t> last;
  for (const std::size_t resource : resources_of(message)) {
    for (const User& user : users_[resource].last) {
      auto& receive = last[user.rank];
      receive = std::max(receive, user.receive);
    }
  }
  for (const auto& [rank, receive] : last) await(message.from, {rank, receive});
  ++send_count_[label(message.from)];
}

void TokenSearch::use(const Message& message) {
  const User user{message.to, receive_count_[label(message.to)]++};
  for (const std::size_t resource : resources_of(message)) {
    LastUsers& users = users_[resource];
    if (users.step != step_) users.last.clear();
    users.step = step_;
    users.last.push_back(user);
  }
}

void TokenSearch::add(const Step& step) {
  ++step_;
  for (const Message& message : step) await_users(message);
  for (const Message& message : step) use(message);
}

TokenProgram TokenSearch::finish() const {
  TokenProgram tokens = tokens_;
  std::stable_sort(tokens.given.begin(), tokens.given.end(),
                   [](const auto& a, const auto& b) { return a.receive < b.receive; });
  return tokens;
}

TokenProgram token_program(const Schedule& schedule, const Placement& placement, Ports ports, Tie tie,
                           Rank rank) {
  TokenSearch search(placement, ports, tie, rank);
  for (const Step& step : schedule.steps) search.add(step);
  return search.finish();
}

}  // namespace cubefold
