#include "cubefold/schedule/conflict.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace cubefold {

namespace {

/// Who uses each thing of a numbered set in the current step.
class Users {
 public:
  explicit Users(std::size_t thing_count) : step_(thing_count, none), message_(thing_count) {}

  /// The message that already uses the thing in this step, or nothing, and then it is ours.
  std::optional<std::size_t> claim(std::size_t thing, std::size_t step, std::size_t message) {
    if (step_[thing] == step) return message_[thing];
    step_[thing] = step;
    message_[thing] = message;
    return std::nullopt;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> step_;
  std::vector<std::size_t> message_;
};

GridNode checked_node(const Placement& placement, Rank rank) {
  if (label(rank) >= placement.rank_count()) {
    throw std::invalid_argument(
        fmt::format("first_conflict: rank {} is not below {}, the number of nodes of {}", label(rank),
                    placement.rank_count(), to_string(placement.grid())));
  }
  return placement.node_of(rank);
}

class ConflictSearch {
 public:
  ConflictSearch(const Placement& placement, Ports ports, Tie tie)
      : placement_(placement),
        ports_(ports),
        tie_(tie),
        senders_(placement.rank_count()),
        receivers_(placement.rank_count()),
        links_(link_index_count(placement.grid())) {}

  std::optional<Conflict> add(std::size_t step, std::size_t index, const Message& message) {
    const GridNode from = checked_node(placement_, message.from);
    const GridNode to = checked_node(placement_, message.to);
    if (ports_ == Ports::one) {
      if (const auto other = senders_.claim(static_cast<std::size_t>(from), step, index)) {
        return Conflict{Conflict::Kind::send_port, step, *other, index, {from, 0, Direction::positive}};
      }
      if (const auto other = receivers_.claim(static_cast<std::size_t>(to), step, index)) {
        return Conflict{Conflict::Kind::receive_port, step, *other, index, {to, 0, Direction::positive}};
      }
    }
    for (const Link& link : route(placement_.grid(), from, to, tie_)) {
      if (const auto other = links_.claim(link_index(placement_.grid(), link), step, index)) {
        return Conflict{Conflict::Kind::link, step, *other, index, link};
      }
    }
    return std::nullopt;
  }

 private:
  const Placement& placement_;
  Ports ports_;
  Tie tie_;
  Users senders_;
  Users receivers_;
  Users links_;
};

std::string place_of(const Conflict& conflict) {
  const auto node = static_cast<std::uint32_t>(conflict.link.from);
  switch (conflict.kind) {
    case Conflict::Kind::send_port:
      return fmt::format("node {} sends", node);
    case Conflict::Kind::receive_port:
      return fmt::format("node {} receives", node);
    case Conflict::Kind::link:
      break;
  }
  return fmt::format("the {} link of node {} on axis {} carries", to_string(conflict.link.direction), node,
                     conflict.link.axis);
}

}  // namespace

std::string_view to_string(Ports ports) {
  switch (ports) {
    case Ports::one:
      return "one";
    case Ports::all:
      break;
  }
  return "all";
}

Ports parse_ports(std::string_view text) {
  for (const Ports ports : {Ports::one, Ports::all}) {
    if (text == to_string(ports)) return ports;
  }
  throw std::invalid_argument(fmt::format("unknown ports '{}'; known: one, all", text));
}

std::optional<Conflict> first_conflict(const Placement& placement, const Schedule& schedule, Ports ports,
                                       Tie tie) {
  ConflictSearch search(placement, ports, tie);
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
    for (std::size_t index = 0; index < schedule.steps[step].size(); ++index) {
      if (auto conflict = search.add(step, index, schedule.steps[step][index])) return conflict;
    }
  }
  return std::nullopt;
}

std::string describe(const Conflict& conflict, const Schedule& schedule) {
  const Step& step = schedule.steps.at(conflict.step);
  const Message& first = step.at(conflict.first_message);
  const Message& second = step.at(conflict.second_message);
  return fmt::format("step {}: {} two messages, from rank {} to {} and from rank {} to {}", conflict.step,
                     place_of(conflict), label(first.from), label(first.to), label(second.from),
                     label(second.to));
}

}  // namespace cubefold
