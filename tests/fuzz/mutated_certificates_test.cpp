// `cubefold verify` and the library compute the values and bounds of placements by different code. These tests change
// the claims of certificates at random, and expect that verify accepts those that agree with the library, and no
// others.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "fuzz/certificate_judgement.hpp"
#include "fuzz/mutation_count.hpp"
#include "planner/verification/check.hpp"
#include "planner/verification/claims.hpp"

namespace cubefold {
namespace {

using planner::Claims;
using planner::OrderClaim;
using planner::PhaseClaim;

/// Makes certificates that are right, and changes them.
class Certificates {
 public:
  explicit Certificates(std::uint64_t seed) : random_(seed) {}

  /// Returns the claims, by the library, about random orders of ranks on a network and one to three phases.
  Claims right_one() {
    static const std::vector<std::string> grids = {
        "ring:6",      "line:4",    "torus:3x2",  "mesh:2x2x2",        "torus:4x2",
        "hypercube:3", "torus:3x4", "hyperx:3x2", "torus:3x3,cut=0-1", "ring:3,hosts=2"};
    Claims claims{
        one_of(grids), 1 + static_cast<std::int64_t>(below(2)), {}, "", "", "", {}, {}, 0, "", {}, {}};
    const Grid grid = parse_grid(claims.grid);
    if (claims.per_node == 2 && below(2) == 0) claims.bricks = pairs(grid.node_count());
    claims.routing = grid.route_table() == nullptr ? "dimension-order" : "table";
    claims.tie = one_of(ties);
    claims.objective = one_of(objectives);
    const std::size_t ranks = grid.node_count() * static_cast<std::size_t>(claims.per_node);
    for (std::size_t count = 1 + below(3); count > 0; --count) claims.phases.push_back(phase(ranks));
    claims.choice = order(grid.node_count(), claims, true);
    for (std::size_t count = below(3); count > 0; --count)
      claims.compared.push_back(order(grid.node_count(), claims, false));
    return corrected(std::move(claims));
  }

  void change(Claims& claims) {
    switch (below(8)) {
      case 0:
        return change_word(claims);
      case 1:
        return change_table(claims);
      case 2:
        return change_orders(claims);
      case 3:
        return change_phases(claims);
      case 4:
        claims.optimal = std::vector<std::optional<bool>>{true, false, std::nullopt}[below(3)];
        return;
      default:
        return change_number(claims);
    }
  }

 private:
  inline static const std::vector<std::string> ties = {"positive", "balanced"};
  inline static const std::vector<std::string> objectives = {"busiest-links", "together", "hop-bytes"};

  std::size_t below(std::size_t end) { return random_() % end; }

  template <typename Value>
  const Value& one_of(const std::vector<Value>& values) {
    return values[below(values.size())];
  }

  PhaseClaim phase(std::size_t ranks) {
    const double weight = one_of(std::vector<double>{0, 1, 1, 2, 0.1, 3.5, 1e-6, 1e6});
    const std::size_t rows = ranks % 2 == 0 ? 2 : 3;  // all grids have 9 nodes or an even number
    const std::vector<std::string> names = {
        "ring", "alltoall", "halo:" + std::to_string(ranks) + "w",
        "transpose:" + std::to_string(rows) + "x" + std::to_string(ranks / rows)};
    const std::vector<std::string> cubes = {"complement",   "cube:0",  "cube:1",
                                            "bit-reversal", "shuffle", "allreduce:1"};
    const bool is_cube = (ranks & (ranks - 1)) == 0;
    const std::size_t kind = below(is_cube ? 3 : 2);
    if (kind == 1) return {one_of(names), weight, 0, {}, {}};
    if (kind == 2) return {one_of(cubes), weight, 0, {}, {}};
    PhaseClaim claim{"matrix:file", weight, 0, {}, std::vector<std::vector<double>>()};
    for (std::size_t count = 1 + below(2 * ranks); count > 0; --count) {
      const std::size_t from = below(ranks);
      const std::size_t to = (from + 1 + below(ranks - 1)) % ranks;
      claim.traffic->push_back({static_cast<double>(from), static_cast<double>(to),
                                one_of(std::vector<double>{1, 1, 2, 0.5, 0.1, 1000})});
    }
    return claim;
  }

  /// Returns bricks in which ranks r and r + nodes share a node.
  static std::string pairs(std::size_t nodes) { return "2x" + std::to_string(nodes) + "/2x1"; }

  OrderClaim order(std::size_t nodes, const Claims& claims, bool has_both) {
    std::vector<std::size_t> node_of_group(nodes);
    for (std::size_t i = 0; i < nodes; ++i) node_of_group[i] = i;
    std::ranges::shuffle(node_of_group, random_);
    OrderClaim claim;
    for (const std::size_t node : node_of_group)
      claim.placement += (claim.placement.empty() ? "nodes=" : "-") + std::to_string(node);
    if (!has_both && below(2) == 0) return claim;
    claim.node_of_rank.emplace();
    const auto per_node = static_cast<std::size_t>(claims.per_node);
    for (std::size_t rank = 0; rank < nodes * per_node; ++rank) {
      const std::size_t group = claims.bricks ? rank % nodes : rank / per_node;
      claim.node_of_rank->push_back(static_cast<std::int64_t>(node_of_group[group]));
    }
    return claim;
  }

  void change_word(Claims& claims) {
    switch (below(8)) {
      case 0:
        claims.tie = one_of(ties);
        return;
      case 1:
        claims.objective = one_of(objectives);
        return;
      case 2:
        claims.routing = one_of(std::vector<std::string>{"table", "dimension-order"});
        return;
      case 3:
        claims.per_node = static_cast<std::int64_t>(below(4));
        return;
      case 4:
        claims.bound_source = no_proof;
        return;
      case 5:
        claims.grid = one_of(std::vector<std::string>{"ring:8", "mesh:4x2", "torus:2x3", "line:6", "x"});
        return;
      case 6:
        return change_bricks(claims);
      default:
        claims.choice.placement =
            one_of(std::vector<std::string>{"identity", "standard", "xor", "nodes=0-0"});
    }
  }

  void change_bricks(Claims& claims) {
    if (claims.bricks) return claims.bricks.reset();
    const std::size_t ranks = claims.choice.node_of_rank->size();
    const std::string half = std::to_string(ranks / 2);
    claims.bricks = one_of(std::vector<std::string>{pairs(ranks / 2), half + "x2/1x2", half + "x2/2x1",
                                                    "2x" + half + "/2x2", half + "/2", "2x2/0x1", "x"});
  }

  void change_table(Claims& claims) {
    OrderClaim& order = *one_of(orders_of(claims));
    if (!order.node_of_rank) return;
    auto& table = *order.node_of_rank;
    switch (below(4)) {
      case 0:
        std::swap(table[below(table.size())], table[below(table.size())]);
        return;
      case 1:
        table[below(table.size())] = static_cast<std::int64_t>(below(table.size() + 2)) - 1;
        return;
      case 2:
        table.pop_back();
        return;
      default:
        table.push_back(table.front());
    }
  }

  /// Takes a compared order away, repeats it, or lets it and the choice change places or values. Only an order with a
  /// table can be the choice.
  void change_orders(Claims& claims) {
    if (claims.compared.empty()) return;
    const std::size_t index = below(claims.compared.size());
    switch (below(4)) {
      case 0:
        claims.compared.erase(claims.compared.begin() + static_cast<std::ptrdiff_t>(index));
        return;
      case 1:
        claims.compared.push_back(OrderClaim(claims.compared[index]));
        return;
      case 2:
        if (claims.compared[index].node_of_rank) std::swap(claims.choice, claims.compared[index]);
        return;
      default:
        std::swap(claims.choice.value, claims.compared[index].value);
    }
  }

  void change_phases(Claims& claims) {
    if (claims.phases.empty()) return;
    PhaseClaim& phase = claims.phases[below(claims.phases.size())];
    switch (below(5)) {
      case 0:
        std::swap(phase, claims.phases.front());
        return;
      case 1:
        claims.phases.pop_back();
        return;
      case 2:
        claims.phases.push_back(PhaseClaim(phase));
        return;
      case 3:
        phase.name = "ring";
        return;
      default:
        if (phase.traffic) std::ranges::shuffle(*phase.traffic, random_);
    }
  }

  void change_number(Claims& claims) {
    std::vector<double*> numbers{&claims.lower_bound};
    for (PhaseClaim& phase : claims.phases) {
      numbers.insert(numbers.end(), {&phase.weight, &phase.messages});
      if (!phase.traffic) continue;
      for (double& number : (*phase.traffic)[below(phase.traffic->size())]) numbers.push_back(&number);
    }
    for (OrderClaim* order : orders_of(claims)) {
      numbers.insert(numbers.end(),
                     {&order->busiest_link_together, &order->average_hops, &order->hop_bytes, &order->value});
      for (double& load : order->busiest_link) numbers.push_back(&load);
    }
    double& number = *numbers[below(numbers.size())];
    number = one_of(std::vector<double>{*one_of(numbers), number + 1, number - 1, 2 * number,
                                        number * (1 + 1e-9), -number, 0, 1e308});
  }

  std::mt19937_64 random_;
};

/// Describes claims and what verify says of them.
std::string description(const Claims& claims, const std::vector<std::string>& faults) {
  std::string text =
      fmt::format("{}\n{}, {}, {}, {}, {}", faults.empty() ? "no fault" : faults.front(), claims.grid,
                  claims.objective, claims.tie, claims.choice.placement, claims.bound_source);
  for (const PhaseClaim& phase : claims.phases) {
    text += fmt::format("\n{} * {}", phase.name, phase.weight);
    if (!phase.traffic) continue;
    for (const auto& sent : *phase.traffic) text += fmt::format(" {}-{}:{}", sent[0], sent[1], sent[2]);
  }
  return text;
}

TEST(MutatedCertificates, are_accepted_by_verify_if_the_library_agrees_with_them) {
  Certificates certificates(1);
  const std::size_t count = mutation_count(5000);
  std::size_t accepted = 0;
  std::size_t undecided = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Claims claims = certificates.right_one();
    for (std::size_t changes = i % 4; changes > 0; --changes) certificates.change(claims);
    const Verdict verdict = verdict_of_library(claims);
    if (verdict == Verdict::proof_of_another_name) {
      ++undecided;
      continue;
    }
    const auto faults = planner::faults_of(claims);
    ASSERT_EQ(verdict == Verdict::right, faults.empty())
        << "certificate " << i << " with " << i % 4 << " changes: " << description(claims, faults);
    if (faults.empty()) ++accepted;
  }
  RecordProperty("accepted", std::to_string(accepted));
  RecordProperty("undecided", std::to_string(undecided));
  if (count < 1000) return;
  EXPECT_GT(accepted, count / 4);
  EXPECT_LT(accepted, count / 2);
  EXPECT_LT(undecided, count / 50);
}

}  // namespace
}  // namespace cubefold
