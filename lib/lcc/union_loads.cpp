#include "union_loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace cubefold {

int same_bit_count(std::string_view caller, std::span<const Lcc> phases) {
  if (phases.empty()) throw std::invalid_argument(fmt::format("{}: no phases", caller));
  const int count = phases.front().bit_count();
  for (std::size_t r = 1; r < phases.size(); ++r) {
    if (phases[r].bit_count() == count) continue;
    throw std::invalid_argument(fmt::format("{}: phase {} has {} bits where phase 0 has {}", caller, r,
                                            phases[r].bit_count(), count));
  }
  return count;
}

namespace {

/// Says that the sum of some bits of a message plus the sum of some bits of a node is a constant.
struct Equation {
  std::uint64_t message;
  std::uint64_t node;
  bool constant;

  Equation& operator^=(const Equation& other) {
    message ^= other.message;
    node ^= other.node;
    constant = constant != other.constant;
    return *this;
  }
};

/// Holds equations for a node alone. No equation has the highest bit of one before it.
using System = std::vector<Equation>;

/// Adds an equation. Returns false if it contradicts the equations that are there.
bool add(System& system, Equation next) {
  for (const Equation& equation : system) {
    if ((next.node & std::bit_floor(equation.node)) != 0) next ^= equation;
  }
  if (next.node != 0) system.push_back(next);
  return next.node != 0 || !next.constant;
}

bool add(System& system, const System& others) {
  return std::ranges::all_of(others, [&](const Equation& equation) { return add(system, equation); });
}

/// Describes the nodes at which a phase crosses a bit, and the number of messages from each of them.
struct Crossing {
  std::uint64_t messages = 0;
  System nodes;
};

/// Eliminates the message from the equations. The equations that remain are those of the nodes.
Crossing crossing_of(std::vector<Equation> equations, int bits) {
  Crossing crossing;
  int free_bits = bits;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const Equation pivot = equations[i];
    if (pivot.message == 0) {
      if (!add(crossing.nodes, pivot)) return {};
      continue;
    }
    --free_bits;
    for (std::size_t k = i + 1; k < equations.size(); ++k) {
      if ((equations[k].message & std::bit_floor(pivot.message)) != 0) equations[k] ^= pivot;
    }
  }
  crossing.messages = std::uint64_t{1} << free_bits;
  return crossing;
}

/// Finds the largest number of messages of crossings that have a node in common.
class BusiestNode {
 public:
  explicit BusiestNode(std::vector<Crossing> crossings) : crossings_(std::move(crossings)) {
    std::ranges::sort(crossings_, std::ranges::greater(), &Crossing::messages);
    rest_.resize(crossings_.size() + 1);
    for (std::size_t r = crossings_.size(); r-- > 0;) {
      rest_[r] = rest_[r + 1] + crossings_[r].messages;
      if (rest_[r] < rest_[r + 1]) {
        throw std::invalid_argument("contention: the messages on a link exceed 2^64 - 1");
      }
    }
  }

  std::uint64_t messages() {
    choose(0, 0, {});
    return most_;
  }

 private:
  void choose(std::size_t next, std::uint64_t messages, const System& nodes) {
    most_ = std::max(most_, messages);
    if (next == crossings_.size() || messages + rest_[next] <= most_) return;
    System both = nodes;
    if (add(both, crossings_[next].nodes)) choose(next + 1, messages + crossings_[next].messages, both);
    choose(next + 1, messages, nodes);
  }

  std::vector<Crossing> crossings_;
  std::vector<std::uint64_t> rest_;  ///< by crossing: messages of it and of all after it
  std::uint64_t most_ = 0;
};

}  // namespace

UnionLoads::UnionLoads(std::span<const Lcc> phases) {
  for (const Lcc& lcc : phases) {
    const auto n = static_cast<std::size_t>(lcc.bit_count());
    End here{std::vector<std::uint64_t>(n), 0};
    End there{std::vector<std::uint64_t>(n), lcc.b()};
    for (std::size_t j = 0; j < n; ++j) {
      here.rows[j] = std::uint64_t{1} << j;
      const std::uint64_t column = lcc.a().column(static_cast<int>(j));
      for (std::size_t i = 0; i < n; ++i) there.rows[i] |= ((column >> i) & 1) << j;
    }
    if (lcc.gives() == Gives::source) std::swap(here, there);
    phases_.push_back({std::move(here), std::move(there)});
  }
}

std::uint64_t UnionLoads::busiest(std::uint64_t before, int bit) const {
  std::vector<Crossing> crossings;
  for (const auto& [source, destination] : phases_) {
    const auto crossed = static_cast<std::size_t>(bit);
    const auto constant = [](const End& end, std::size_t j) { return ((end.constants >> j) & 1) != 0; };
    std::vector<Equation> equations{{source.rows[crossed] ^ destination.rows[crossed], 0,
                                     constant(source, crossed) == constant(destination, crossed)}};
    for (std::size_t j = 0; j < source.rows.size(); ++j) {
      const End& end = ((before >> j) & 1) != 0 ? destination : source;
      equations.push_back({end.rows[j], std::uint64_t{1} << j, constant(end, j)});
    }
    Crossing crossing = crossing_of(std::move(equations), static_cast<int>(source.rows.size()));
    if (crossing.messages > 0) crossings.push_back(std::move(crossing));
  }
  return BusiestNode(std::move(crossings)).messages();
}

}  // namespace cubefold
