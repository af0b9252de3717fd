#include "conflict.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace cubefold {

namespace {

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
  return fmt::format("the link from node {} to node {} carries", node,
                     static_cast<std::uint32_t>(conflict.link_end));
}

}  // namespace

std::optional<std::size_t> ConflictCheck::Users::claim(std::size_t resource, std::size_t step,
                                                       std::size_t message, std::size_t capacity) {
  Use& use = uses_[resource];
  const std::size_t others = use.steps_begun == step + 1 ? use.message_count : 0;
  if (others >= capacity) return use.message;
  use = {step + 1, message, others + 1};
  return std::nullopt;
}

ConflictCheck::ConflictCheck(Placement placement, Ports ports, Tie tie)
    : placement_(std::move(placement)),
      ports_(ports),
      tie_(tie),
      senders_(placement_.rank_count()),
      receivers_(placement_.rank_count()),
      links_(link_index_count(placement_.grid())) {}

std::optional<Conflict> ConflictCheck::add(const Step& step) {
  for (std::size_t index = 0; index < step.size(); ++index) {
    if (auto conflict = add(index, step[index])) return conflict;
  }
  ++step_count_;
  return std::nullopt;
}

std::optional<Conflict> ConflictCheck::add(std::size_t index, const Message& message) {
  const GridNode from = node_of(message.from);
  const GridNode to = node_of(message.to);
  if (ports_ == Ports::one) {
    if (auto conflict = add_to_ports(index, from, to)) return conflict;
  }
  const Grid& grid = placement_.grid();
  for (const Link& link : route(grid, from, to, tie_)) {
    const auto capacity = static_cast<std::size_t>(rate_of(grid, link));
    if (const auto other = links_.claim(link_index(grid, link), step_count_, index, capacity)) {
      return Conflict{Conflict::Kind::link, step_count_, *other, index, link, end_of(grid, link)};
    }
  }
  return std::nullopt;
}

std::optional<Conflict> ConflictCheck::add_to_ports(std::size_t index, GridNode from, GridNode to) {
  const auto conflict = [&](Conflict::Kind kind, std::size_t other, GridNode node) {
    return Conflict{kind, step_count_, other, index, {node, 0, Direction::positive}};
  };
  if (const auto other = senders_.claim(static_cast<std::size_t>(from), step_count_, index)) {
    return conflict(Conflict::Kind::send_port, *other, from);
  }
  if (const auto other = receivers_.claim(static_cast<std::size_t>(to), step_count_, index)) {
    return conflict(Conflict::Kind::receive_port, *other, to);
  }
  return std::nullopt;
}

GridNode ConflictCheck::node_of(Rank rank) const {
  if (label(rank) < placement_.rank_count()) return placement_.node_of(rank);
  throw std::invalid_argument(fmt::format("ConflictCheck: rank {} is not below {}, the number of nodes of {}",
                                          label(rank), placement_.rank_count(),
                                          to_string(placement_.grid())));
}

std::optional<Conflict> first_conflict(const Placement& placement, const Schedule& schedule, Ports ports,
                                       Tie tie) {
  ConflictCheck check(placement, ports, tie);
  for (const Step& step : schedule.steps) {
    if (auto conflict = check.add(step)) return conflict;
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
