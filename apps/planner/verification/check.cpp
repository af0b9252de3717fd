#include "planner/verification/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include "planner/verification/bounds.hpp"
#include "planner/verification/faults.hpp"
#include "planner/verification/messages.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/tables.hpp"
#include "planner/verification/values.hpp"

namespace cubefold::planner {

namespace {

class Check {
 public:
  explicit Check(const Claims& claims) : claims_(claims) {}

  std::vector<std::string> faults() {
    if (read_words() && read_grid() && read_phases()) {
      check_choice();
      check_compared();
      check_bound();
      check_optimality();
    }
    return faults_.lines();
  }

 private:
  bool read_words() {
    const std::size_t before = faults_.count();
    if (claims_.routing != "dimension-order")
      faults_.add("routing: '{}' is not dimension-order", claims_.routing);
    if (claims_.tie != "positive" && claims_.tie != "balanced") {
      faults_.add("tie: '{}' is neither positive nor balanced", claims_.tie);
    }
    const auto& objective = claims_.objective;
    if (objective != "busiest-links" && objective != "together" && objective != "hop-bytes") {
      faults_.add("objective: '{}' is none of busiest-links, together, hop-bytes", objective);
    }
    return faults_.count() == before;
  }

  bool read_grid() {
    try {
      network_.emplace(parse_grid(claims_.grid), claims_.tie == "positive" ? Tie::positive : Tie::balanced);
    } catch (const std::invalid_argument& error) {
      return faults_.add("grid: {}", error.what());
    }
    if (claims_.per_node < 1) return faults_.add("per_node: {} is not positive", claims_.per_node);
    const std::size_t node_count = network_->grid().node_count();
    // Divided rather than multiplied: any number may stand in the file.
    if (rank_count() % node_count == 0 && rank_count() / node_count == per_node()) return true;
    return faults_.add("node_of_rank: {} ranks where {} has {} nodes with {} each", rank_count(),
                       claims_.grid, node_count, claims_.per_node);
  }

  std::size_t rank_count() const { return claims_.choice.node_of_rank->size(); }
  std::size_t per_node() const { return static_cast<std::size_t>(claims_.per_node); }
  Room room() const { return {network_->grid(), per_node()}; }

  bool read_phases() {
    const std::size_t before = faults_.count();
    if (claims_.phases.empty()) faults_.add("phases: there are none");
    for (std::size_t r = 0; r < claims_.phases.size(); ++r) read_phase(r);
    return faults_.count() == before;
  }

  void read_phase(std::size_t r) {
    const PhaseClaim& claim = claims_.phases[r];
    if (claim.weight < 0) faults_.add("phases[{}]: weight {} is negative", r, in_full(claim.weight));
    try {
      phases_.push_back({claim.weight, messages_of(claim, rank_count())});
    } catch (const std::invalid_argument& error) {
      faults_.add("phases[{}]: '{}': {}", r, claim.name, error.what());
      return;
    }
    double sum = 0;
    for (const SentMessages& sent : phases_.back().messages) sum += sent.messages;
    faults_.compare(fmt::format("phases[{}]: messages", r), claim.messages, sum);
  }

  void check_choice() {
    const auto table = table_of(claims_.choice, room(), faults_);
    const auto by_rule = table_of_rule(claims_.choice, room(), faults_);
    if (!table) return;
    choice_ = checked_values(claims_.choice, *table);
    if (!by_rule) return;
    const auto [here, there] = std::ranges::mismatch(*table, *by_rule);
    if (here == table->end()) return;
    faults_.add("placement: '{}' puts rank {} on node {}, not on node {}", claims_.choice.placement,
                here - table->begin(), *there, *here);
  }

  void check_compared() {
    for (const OrderClaim& order : claims_.compared) {
      const auto table = table_of(order, room(), faults_);
      if (table) least_compared_ = std::min(least_compared_, checked_values(order, *table).value);
    }
  }

  CheckedValues checked_values(const OrderClaim& order, const Table& table) {
    auto right = values_of(*network_, phases_, table, claims_.objective);
    check_busiest_links(order, right);
    faults_.compare(order.where + "busiest_link_together", order.busiest_link_together, right.together);
    faults_.compare(order.where + "average_hops", order.average_hops, right.average_hops);
    faults_.compare(order.where + "hop_bytes", order.hop_bytes, right.hop_bytes);
    faults_.compare(order.where + "value", order.value, right.value);
    return right;
  }

  void check_busiest_links(const OrderClaim& order, const CheckedValues& right) {
    if (order.busiest_link.size() != phases_.size()) {
      faults_.add("{}busiest_link: {} entries where there are {} phases", order.where,
                  order.busiest_link.size(), phases_.size());
      return;
    }
    for (std::size_t r = 0; r < phases_.size(); ++r) {
      faults_.compare(fmt::format("{}busiest_link[{}]", order.where, r), order.busiest_link[r],
                      right.busiest_link[r]);
    }
  }

  void check_bound() {
    const double claimed = claims_.lower_bound;
    if (choice_ && claimed > choice_->value && !are_equal(claimed, choice_->value)) {
      faults_.add("lower_bound: {} is above the value {}", in_full(claimed), in_full(choice_->value));
    }
    if (claimed == 0) return;
    const auto bounds = proven_bounds(*network_, group_phases(), claims_.objective);
    const auto is_named = [&](const ProvenBound& bound) { return bound.source == claims_.bound_source; };
    const auto named = std::ranges::find_if(bounds, is_named);
    if (named == bounds.end()) {
      faults_.add("bound_source: '{}' is no reason that is known", claims_.bound_source);
    } else {
      faults_.compare("lower_bound", claimed, named->value);
    }
  }

  std::vector<GroupPhase> group_phases() const {
    std::vector<GroupPhase> groups;
    for (std::size_t r = 0; r < phases_.size(); ++r) {
      groups.push_back(
          between_groups(claims_.phases[r].name, phases_[r].weight, phases_[r].messages, per_node()));
    }
    return groups;
  }

  void check_optimality() {
    if (!choice_) return;
    const bool meets_bound = are_equal(choice_->value, claims_.lower_bound);
    const bool is_beaten = least_compared_ < choice_->value && !are_equal(least_compared_, choice_->value);
    if (claims_.optimal == true && !meets_bound) {
      faults_.add("optimal: true is claimed, but the value {} is not the bound {}", in_full(choice_->value),
                  in_full(claims_.lower_bound));
    }
    if (claims_.optimal == false && !is_beaten) {
      faults_.add("optimal: false is claimed, but nothing compared is below {}", in_full(choice_->value));
    }
    if (!claims_.optimal && meets_bound) {
      faults_.add("optimal: unknown is claimed, but the value {} is the bound", in_full(choice_->value));
    }
    if (!claims_.optimal && is_beaten) {
      faults_.add("optimal: unknown is claimed, but {} is among those compared", in_full(least_compared_));
    }
  }

  const Claims& claims_;
  Faults faults_;
  std::optional<Network> network_;
  std::vector<CheckedPhase> phases_;
  std::optional<CheckedValues> choice_;
  double least_compared_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::vector<std::string> faults_of(const Claims& claims) {
  return Check(claims).faults();
}

}  // namespace cubefold::planner
