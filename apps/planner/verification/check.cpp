#include "planner/verification/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "planner/verification/bounds.hpp"
#include "planner/verification/messages.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/tables.hpp"
#include "planner/verification/values.hpp"
#include "program/shown.hpp"

namespace cubefold::planner {

namespace {

using program::shown;

class Check {
 public:
  explicit Check(const Claims& claims) : claims_(claims) {}

  std::vector<std::string> faults() {
    if (read_words() && read_grid() && read_phases()) {
      check_messages();
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
    if (claims_.tie != "positive" && claims_.tie != "balanced") {
      faults_.add("tie: '{}' is neither positive nor balanced", shown(claims_.tie));
    }
    const auto& objective = claims_.objective;
    if (objective != "busiest-links" && objective != "together" && objective != "hop-bytes") {
      faults_.add("objective: '{}' is none of busiest-links, together, hop-bytes", shown(objective));
    }
    return faults_.count() == before;
  }

  bool read_grid() {
    try {
      network_.emplace(claims_.grid, claims_.tie);
    } catch (const std::invalid_argument& error) {
      return faults_.add("grid: {}", error.what());
    }
    const std::string routing = network_->grid().route_table() == nullptr ? "dimension-order" : "table";
    if (claims_.routing != routing)
      return faults_.add("routing: '{}' is not {}", shown(claims_.routing), routing);
    return read_counts() && read_groups();
  }

  /// Reads the number of ranks on every node, and divides instead of multiplying, because the file may have any number.
  bool read_counts() {
    if (!is_even()) return read_list_of_counts();
    if (claims_.per_node < 1) return faults_.add("per_node: {} is not positive", claims_.per_node);
    const std::size_t node_count = network_->grid().node_count();
    const auto per_node = static_cast<std::size_t>(claims_.per_node);
    if (rank_count() % node_count == 0 && rank_count() / node_count == per_node) {
      ranks_on_node_.assign(node_count, per_node);
      return true;
    }
    return faults_.add("node_of_rank: {} ranks where {} has {} nodes with {} each", rank_count(),
                       shown(claims_.grid), node_count, claims_.per_node);
  }

  bool read_list_of_counts() {
    const auto& counts = claims_.ranks_on_node;
    const std::size_t node_count = network_->grid().node_count();
    if (counts.size() != node_count) {
      return faults_.add("per_node: {} numbers where {} has {} nodes", counts.size(), shown(claims_.grid),
                         node_count);
    }
    if (const auto least = std::ranges::min(counts); least < 1)
      return faults_.add("per_node: {} is not positive", least);
    std::size_t left = rank_count();
    for (const std::int64_t signed_count : counts) {
      const auto count = static_cast<std::size_t>(signed_count);
      if (count > left)
        return faults_.add("node_of_rank: {} ranks are fewer than per_node says", rank_count());
      ranks_on_node_.push_back(count);
      left -= count;
    }
    return left == 0 || faults_.add("node_of_rank: {} ranks are more than per_node says", rank_count());
  }

  bool is_even() const { return claims_.ranks_on_node.empty(); }

  bool read_groups() {
    try {
      if (!is_even() && claims_.bricks) throw std::invalid_argument("per_node is a list");
      const auto groups = is_even() ? groups_of_ranks(claims_.bricks, rank_count(), ranks_on_node_.front())
                                    : std::vector<std::size_t>();
      capacity_.emplace(Capacity{network_->grid(), ranks_on_node_, groups});
      return true;
    } catch (const std::invalid_argument& error) {
      return faults_.add("bricks: '{}': {}", shown(*claims_.bricks), error.what());
    }
  }

  std::size_t rank_count() const { return claims_.choice.node_of_rank->size(); }

  bool read_phases() {
    const std::size_t before = faults_.count();
    if (claims_.phases.empty()) faults_.add("phases: there are none");
    std::size_t messages = 0;
    for_each_phase([&](const PhaseClaim& claim) { messages += messages_at_most(claim, rank_count()); });
    if (messages > most_messages) faults_.add("phases: they have more than {} messages", most_messages);
    if (faults_.count() != before) return false;
    for_each_phase([&](const PhaseClaim& claim) {
      phases_.push_back({claim.weight, messages_of(claim, rank_count())});
      if (is_amount(claim.weight)) return;
      throw std::invalid_argument(
          fmt::format("weight {} is neither 0 nor between 1e-30 and 1e30", claim.weight));
    });
    if (faults_.count() != before) return false;
    try {
      count_.emplace(*network_, phases_);
    } catch (const std::invalid_argument& error) {
      return faults_.add("phases: {}", error.what());
    }
    return true;
  }

  /// Calls visit() and reports its exception as an error at the place of the phase.
  template <typename Visit>
  void for_each_phase(Visit visit) {
    for (std::size_t r = 0; r < claims_.phases.size(); ++r) {
      try {
        visit(claims_.phases[r]);
      } catch (const std::invalid_argument& error) {
        faults_.add("phases[{}]: '{}': {}", r, shown(claims_.phases[r].name), error.what());
      }
    }
  }

  void check_messages() {
    for (std::size_t r = 0; r < phases_.size(); ++r) {
      faults_.compare(fmt::format("phases[{}]: messages", r), claims_.phases[r].messages,
                      count_->messages_of(r));
    }
  }

  void check_choice() {
    const auto table = table_of(claims_.choice, *capacity_, faults_);
    const auto by_rule = table_of_rule(claims_.choice, *capacity_, faults_);
    if (!table) return;
    choice_ = checked_values(claims_.choice, *table);
    if (!by_rule) return;
    const auto [here, there] = std::ranges::mismatch(*table, *by_rule);
    if (here == table->end()) return;
    faults_.add("placement: '{}' puts rank {} on node {}, not on node {}", shown(claims_.choice.placement),
                here - table->begin(), *there, *here);
  }

  void check_compared() {
    for (const OrderClaim& order : claims_.compared) {
      const auto table = table_of(order, *capacity_, faults_);
      if (!table) continue;
      const auto values = checked_values(order, *table);
      if (!best_compared_ || values.exact_value < best_compared_->exact_value) best_compared_ = values;
    }
  }

  CheckedValues checked_values(const OrderClaim& order, const Table& table) {
    auto right = count_->values_of(table, claims_.objective);
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
      faults_.add("lower_bound: {} is above the value {}", claimed, choice_->value);
    }
    const Units& units = count_->units();
    const auto bounds = is_even()
                            ? proven_bounds(*network_, group_phases(), claims_.objective)
                            : std::vector<ProvenBound>{{"none is known for unequal numbers of ranks", 0}};
    const auto best = std::ranges::max_element(bounds, {}, &ProvenBound::value);
    bound_ = best->value;
    std::vector<double> named;  // several phases may have one name
    for (const ProvenBound& bound : bounds) {
      if (bound.source == claims_.bound_source) named.push_back(units.number(bound.value));
    }
    const auto is_claimed = [&](double value) { return are_equal(value, claimed); };
    if (named.empty()) {
      faults_.add("bound_source: '{}' is no reason that is known", shown(claims_.bound_source));
    } else if (std::ranges::none_of(named, is_claimed)) {
      faults_.compare("lower_bound", claimed, named.front());
    } else if (!is_claimed(units.number(bound_))) {
      faults_.add("lower_bound: {} is claimed, {} is proven by '{}'", claimed, units.number(bound_),
                  shown(best->source));
    }
  }

  std::vector<GroupPhase> group_phases() const {
    std::vector<GroupPhase> groups;
    for (std::size_t r = 0; r < phases_.size(); ++r) {
      groups.push_back(
          between_groups(claims_.phases[r].name, phases_[r], count_->units(), capacity_->group_of_rank));
    }
    return groups;
  }

  void check_optimality() {
    if (!choice_) return;
    const double value = choice_->value;
    const bool meets_bound = choice_->exact_value == bound_;
    const bool is_beaten = best_compared_ && best_compared_->exact_value < choice_->exact_value;
    if (claims_.optimal == true && !meets_bound) {
      faults_.add("optimal: true is claimed, but the value {} is not the bound {}", value,
                  count_->units().number(bound_));
    }
    if (claims_.optimal == false && !is_beaten) {
      faults_.add("optimal: false is claimed, but nothing compared is below {}", value);
    }
    if (!claims_.optimal && meets_bound) {
      faults_.add("optimal: unknown is claimed, but the value {} is the bound", value);
    }
    if (!claims_.optimal && is_beaten) {
      faults_.add("optimal: unknown is claimed, but {} is among those compared", best_compared_->value);
    }
  }

  const Claims& claims_;
  Faults faults_;
  std::optional<Network> network_;
  std::vector<std::size_t> ranks_on_node_;
  std::optional<Capacity> capacity_;
  std::vector<CheckedPhase> phases_;
  std::optional<LinkCount> count_;
  std::optional<CheckedValues> choice_;
  std::optional<CheckedValues> best_compared_;
  Whole bound_ = 0;  ///< the highest proven bound
};

}  // namespace

std::vector<std::string> faults_of(const Claims& claims) {
  return Check(claims).faults();
}

}  // namespace cubefold::planner
