#include "fuzz/certificate_judgement.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/bricks.hpp"
#include "cubefold/plan/mapping.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

using planner::Claims;
using planner::OrderClaim;
using planner::PhaseClaim;

namespace {

bool are_close(double a, double b) {
  return std::abs(a - b) <= std::ldexp(std::max(std::abs(a), std::abs(b)), -50);
}

Rank rank_in(double number, std::size_t rank_count) {
  if (number < 0 || number >= static_cast<double>(rank_count) || number != std::floor(number))
    throw std::invalid_argument("no rank");
  return Rank{static_cast<std::uint32_t>(number)};
}

Phase phase_of(const PhaseClaim& claim, std::size_t rank_count) {
  if (!claim.traffic) {
    std::vector<Phase> phases = parse_phase(claim.name, rank_count);
    if (phases.size() != 1) throw std::invalid_argument("not one phase");
    phases.front().weight = claim.weight;
    return std::move(phases.front());
  }
  if (!claim.name.starts_with("matrix:")) throw std::invalid_argument("traffic of a phase that has a name");
  Phase phase{claim.name, claim.weight, {}};
  for (const auto& entry : *claim.traffic)
    phase.traffic.push_back({rank_in(entry[0], rank_count), rank_in(entry[1], rank_count), entry[2]});
  return phase;
}

/// Returns the bricks of a certificate. Throws std::invalid_argument if they do not fit its ranks.
std::optional<Bricks> bricks_of(const Claims& claims, std::size_t rank_count) {
  if (!claims.bricks) return std::nullopt;
  Bricks bricks = parse_bricks(*claims.bricks);
  std::size_t ranks = 1;
  for (const std::uint32_t extent : bricks.ranks) ranks *= extent;
  if (ranks != rank_count || brick_size(bricks) != static_cast<std::size_t>(claims.per_node))
    throw std::invalid_argument("bricks");
  return bricks;
}

/// Judges claims by the library. Throws std::invalid_argument where the library refuses what they name.
class Judgement {
 public:
  explicit Judgement(const Claims& claims)
      : claims_(claims), grid_(parse_grid(claims.grid)), tie_(tie()), objective_(objective()) {
    if (claims.routing != (grid_.route_table() == nullptr ? "dimension-order" : "table"))
      throw std::invalid_argument("routing");
    if (claims.per_node < 1) throw std::invalid_argument("per_node");
    if (claims.phases.empty()) throw std::invalid_argument("phases");
    for (const PhaseClaim& phase : claims.phases) phases_.push_back(phase_of(phase, rank_count()));
    bricks_ = bricks_of(claims, rank_count());
  }

  /// Replaces all numbers, the bound and the optimality by those of the library.
  void correct(Claims& claims) const {
    for (std::size_t r = 0; r < claims.phases.size(); ++r)
      claims.phases[r].messages = message_count(phases_[r]);
    for (OrderClaim* order : orders_of(claims)) {
      const MappingValues values = values_of(*order);
      order->busiest_link = values.busiest_link;
      order->busiest_link_together = values.busiest_link_together;
      order->average_hops = values.average_hops;
      order->hop_bytes = values.hop_bytes;
      order->value = values.objective;
    }
    const LowerBound right = bound();
    claims.lower_bound = right.value;
    claims.bound_source = right.source;
    claims.optimal = optimality();
  }

  bool accepts() const {
    const LowerBound right = bound();
    const bool has_right_messages =
        std::ranges::equal(claims_.phases, phases_, [](const PhaseClaim& claim, const Phase& phase) {
          return are_close(claim.messages, message_count(phase));
        });
    return has_right_messages && is_right(claims_.choice) &&
           std::ranges::all_of(claims_.compared, [&](const OrderClaim& order) { return is_right(order); }) &&
           are_close(claims_.lower_bound, right.value) && claims_.optimal == optimality();
  }

  /// Returns whether the claims name the proof that the library names. Another proof may give the same bound.
  bool has_same_proof() const { return claims_.bound_source == bound().source; }

 private:
  std::size_t per_node() const { return static_cast<std::size_t>(claims_.per_node); }
  std::size_t rank_count() const { return grid_.node_count() * per_node(); }

  Tie tie() const {
    if (claims_.tie == "positive") return Tie::positive;
    if (claims_.tie == "balanced") return Tie::balanced;
    throw std::invalid_argument("tie");
  }

  MappingObjective objective() const {
    if (claims_.objective == "busiest-links") return MappingObjective::busiest_links;
    if (claims_.objective == "together") return MappingObjective::busiest_link_together;
    if (claims_.objective == "hop-bytes") return MappingObjective::hop_bytes;
    throw std::invalid_argument("objective");
  }

  LowerBound bound() const {
    const auto phases = bricks_ ? numbered_by_bricks(phases_, *bricks_) : phases_;
    return lower_bound(grid_, phases, objective_, per_node());
  }

  std::vector<GridNode> nodes_of(const std::string& rule) const {
    const auto node_of_group = node_of_rank(Placement(grid_, parse_placement(rule)));
    const auto numbers = bricks_ ? numbers_by_bricks(*bricks_) : std::vector<Rank>{};
    std::vector<GridNode> nodes;
    for (std::size_t rank = 0; rank < rank_count(); ++rank) {
      const std::size_t number = bricks_ ? label(numbers[rank]) : rank;
      nodes.push_back(node_of_group[number / per_node()]);
    }
    return nodes;
  }

  /// Returns the nodes of an order by its table or its rule, which agree if it has both.
  std::vector<GridNode> table_of(const OrderClaim& order) const {
    if (!order.node_of_rank) return nodes_of(order.placement);
    std::vector<GridNode> nodes;
    std::vector<std::size_t> ranks(grid_.node_count());
    for (const std::int64_t node : *order.node_of_rank) {
      if (node < 0 || static_cast<std::size_t>(node) >= ranks.size()) throw std::invalid_argument("node");
      ++ranks[static_cast<std::size_t>(node)];
      nodes.push_back(GridNode{static_cast<std::uint32_t>(node)});
    }
    if (std::ranges::any_of(ranks, [&](std::size_t count) { return count != per_node(); }))
      throw std::invalid_argument("nodes are not full");
    if (&order == &claims_.choice && nodes != nodes_of(order.placement))
      throw std::invalid_argument("placement");
    return nodes;
  }

  MappingValues values_of(const OrderClaim& order) const {
    return evaluate(grid_, table_of(order), phases_, objective_, tie_);
  }

  bool is_right(const OrderClaim& order) const {
    const MappingValues values = values_of(order);
    return std::ranges::equal(order.busiest_link, values.busiest_link, are_close) &&
           are_close(order.busiest_link_together, values.busiest_link_together) &&
           are_close(order.average_hops, values.average_hops) &&
           are_close(order.hop_bytes, values.hop_bytes) && are_close(order.value, values.objective);
  }

  std::optional<bool> optimality() const {
    const ExactSum choice = values_of(claims_.choice).exact_objective;
    const auto is_better = [&](const OrderClaim& order) { return values_of(order).exact_objective < choice; };
    if (std::ranges::any_of(claims_.compared, is_better)) return false;
    if (choice == bound().exact_value) return true;
    return std::nullopt;
  }

  const Claims& claims_;
  Grid grid_;
  Tie tie_;
  MappingObjective objective_;
  std::vector<Phase> phases_;
  std::optional<Bricks> bricks_;
};

}  // namespace

std::vector<OrderClaim*> orders_of(Claims& claims) {
  std::vector<OrderClaim*> all{&claims.choice};
  for (OrderClaim& order : claims.compared) all.push_back(&order);
  return all;
}

Claims corrected(Claims claims) {
  Judgement(claims).correct(claims);
  return claims;
}

Verdict verdict_of_library(const Claims& claims) {
  try {
    const Judgement judgement(claims);
    if (!judgement.accepts() || claims.bound_source == no_proof) return Verdict::wrong;
    return judgement.has_same_proof() ? Verdict::right : Verdict::proof_of_another_name;
  } catch (const std::invalid_argument&) {
    return Verdict::wrong;
  }
}

}  // namespace cubefold
