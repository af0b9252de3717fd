#include "planner/verification/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "cubefold/embedding/placement.hpp"
#include "planner/verification/bounds.hpp"
#include "planner/verification/messages.hpp"
#include "planner/verification/network.hpp"

namespace cubefold::planner {

namespace {

/// A sum of many terms comes out a little differently in another order.
bool are_equal(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

std::string number(double value) {
  return fmt::format("{:.12g}", value);
}

struct CheckedPhase {
  double weight;
  std::vector<SentMessages> messages;
};

struct Values {
  std::vector<double> busiest_link;
  double together = 0;
  double average_hops = 0;
  double hop_bytes = 0;
  double value = 0;
};

double busiest(const Network::Loads& loads) {
  double most = 0;
  for (const auto& [link, load] : loads) most = std::max(most, load);
  return most;
}

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
    return faults_;
  }

 private:
  using Table = std::vector<std::size_t>;

  template <typename... Parts>
  bool fault(fmt::format_string<Parts...> text, Parts&&... parts) {
    faults_.push_back(fmt::format(text, std::forward<Parts>(parts)...));
    return false;
  }

  void compare(const std::string& key, double claimed, double right) {
    if (!are_equal(claimed, right))
      fault("{}: {} is claimed, {} is right", key, number(claimed), number(right));
  }

  bool read_words() {
    const std::size_t before = faults_.size();
    if (claims_.routing != "dimension-order") fault("routing: '{}' is not dimension-order", claims_.routing);
    if (claims_.tie != "positive" && claims_.tie != "balanced") {
      fault("tie: '{}' is neither positive nor balanced", claims_.tie);
    }
    const auto& objective = claims_.objective;
    if (objective != "busiest-links" && objective != "together" && objective != "hop-bytes") {
      fault("objective: '{}' is none of busiest-links, together, hop-bytes", objective);
    }
    return faults_.size() == before;
  }

  bool read_grid() {
    try {
      network_.emplace(parse_grid(claims_.grid), claims_.tie == "positive" ? Tie::positive : Tie::balanced);
    } catch (const std::invalid_argument& error) {
      return fault("grid: {}", error.what());
    }
    if (claims_.per_node < 1) return fault("per_node: {} is not positive", claims_.per_node);
    // Divided rather than multiplied: any number may stand in the file.
    if (rank_count() % node_count() == 0 && rank_count() / node_count() == per_node()) return true;
    return fault("node_of_rank: {} ranks where {} has {} nodes with {} each", rank_count(), claims_.grid,
                 node_count(), claims_.per_node);
  }

  std::size_t node_count() const { return network_->grid().node_count(); }
  std::size_t rank_count() const { return claims_.choice.node_of_rank->size(); }
  std::size_t per_node() const { return static_cast<std::size_t>(claims_.per_node); }

  bool read_phases() {
    const std::size_t before = faults_.size();
    if (claims_.phases.empty()) fault("phases: there are none");
    for (std::size_t r = 0; r < claims_.phases.size(); ++r) read_phase(r);
    return faults_.size() == before;
  }

  void read_phase(std::size_t r) {
    const PhaseClaim& claim = claims_.phases[r];
    if (claim.weight < 0) fault("phases[{}]: weight {} is negative", r, number(claim.weight));
    try {
      phases_.push_back({claim.weight, messages_of(claim, rank_count())});
    } catch (const std::invalid_argument& error) {
      fault("phases[{}]: '{}': {}", r, claim.name, error.what());
      return;
    }
    double sum = 0;
    for (const SentMessages& sent : phases_.back().messages) sum += sent.messages;
    compare(fmt::format("phases[{}]: messages", r), claim.messages, sum);
  }

  /// The table of an order, if it is one.
  std::optional<Table> table_of(const OrderClaim& order) {
    if (!order.node_of_rank) return table_of_rule(order);
    const std::size_t before = faults_.size();
    std::vector<std::int64_t> ranks_on_node(node_count());
    Table table;
    if (order.node_of_rank->size() != rank_count()) {
      fault("{}node_of_rank: {} ranks where there should be {}", order.where, order.node_of_rank->size(),
            rank_count());
    }
    for (const std::int64_t node : *order.node_of_rank) {
      if (node < 0 || static_cast<std::size_t>(node) >= node_count()) {
        fault("{}node_of_rank: rank {} is on node {}, which {} has not", order.where, table.size(), node,
              claims_.grid);
        return std::nullopt;
      }
      table.push_back(static_cast<std::size_t>(node));
      ++ranks_on_node[table.back()];
    }
    for (std::size_t node = 0; node < node_count(); ++node) {
      if (ranks_on_node[node] == claims_.per_node) continue;
      fault("{}node_of_rank: node {} has {} ranks, not {}", order.where, node, ranks_on_node[node],
            claims_.per_node);
    }
    if (faults_.size() != before) return std::nullopt;
    return table;
  }

  std::optional<Table> table_of_rule(const OrderClaim& order) {
    try {
      Table table;
      for (const GridNode node :
           node_of_rank(Placement(network_->grid(), parse_placement(order.placement)))) {
        table.insert(table.end(), per_node(), static_cast<std::size_t>(node));
      }
      return table;
    } catch (const std::invalid_argument& error) {
      fault("{}placement: {}", order.where, error.what());
      return std::nullopt;
    }
  }

  void check_choice() {
    const auto table = table_of(claims_.choice);
    const auto by_rule = table_of_rule(claims_.choice);
    if (!table) return;
    choice_ = values_of(*table);
    check_values(claims_.choice, *choice_);
    if (!by_rule) return;
    const auto [here, there] = std::ranges::mismatch(*table, *by_rule);
    if (here == table->end()) return;
    fault("placement: '{}' puts rank {} on node {}, not on node {}", claims_.choice.placement,
          here - table->begin(), *there, *here);
  }

  void check_compared() {
    for (const OrderClaim& order : claims_.compared) {
      const auto table = table_of(order);
      if (!table) continue;
      const Values values = values_of(*table);
      check_values(order, values);
      least_compared_ = std::min(least_compared_, values.value);
    }
  }

  Values values_of(const Table& node_of_rank) const {
    Values values;
    Network::Loads together;
    double messages = 0;
    for (const CheckedPhase& phase : phases_) {
      Network::Loads loads;
      for (const SentMessages& sent : phase.messages) {
        const auto from = node_of_rank[sent.from];
        const auto to = node_of_rank[sent.to];
        if (from == to) continue;
        const auto hops = network_->send(from, to, sent.messages, loads);
        values.hop_bytes += phase.weight * sent.messages * static_cast<double>(hops);
        messages += phase.weight * sent.messages;
      }
      values.busiest_link.push_back(busiest(loads));
      for (const auto& [link, load] : loads) together[link] += phase.weight * load;
    }
    values.together = busiest(together);
    values.average_hops = messages > 0 ? values.hop_bytes / messages : 0;
    values.value = value_of(values);
    return values;
  }

  double value_of(const Values& values) const {
    if (claims_.objective == "together") return values.together;
    if (claims_.objective == "hop-bytes") return values.hop_bytes;
    double sum = 0;
    for (std::size_t r = 0; r < phases_.size(); ++r) sum += phases_[r].weight * values.busiest_link[r];
    return sum;
  }

  void check_values(const OrderClaim& order, const Values& right) {
    if (order.busiest_link.size() != phases_.size()) {
      fault("{}busiest_link: {} entries where there are {} phases", order.where, order.busiest_link.size(),
            phases_.size());
    } else {
      for (std::size_t r = 0; r < phases_.size(); ++r) {
        compare(fmt::format("{}busiest_link[{}]", order.where, r), order.busiest_link[r],
                right.busiest_link[r]);
      }
    }
    compare(order.where + "busiest_link_together", order.busiest_link_together, right.together);
    compare(order.where + "average_hops", order.average_hops, right.average_hops);
    compare(order.where + "hop_bytes", order.hop_bytes, right.hop_bytes);
    compare(order.where + "value", order.value, right.value);
  }

  void check_bound() {
    std::vector<GroupPhase> groups;
    for (std::size_t r = 0; r < phases_.size(); ++r) {
      groups.push_back(
          between_groups(claims_.phases[r].name, phases_[r].weight, phases_[r].messages, per_node()));
    }
    const double claimed = claims_.lower_bound;
    if (choice_ && claimed > choice_->value && !are_equal(claimed, choice_->value)) {
      fault("lower_bound: {} is above the value {}", number(claimed), number(choice_->value));
    }
    if (claimed == 0) return;
    const auto bounds = proven_bounds(*network_, groups, claims_.objective);
    const auto is_named = [&](const ProvenBound& bound) { return bound.source == claims_.bound_source; };
    const auto named = std::ranges::find_if(bounds, is_named);
    if (named == bounds.end()) {
      fault("bound_source: '{}' is no reason that is known", claims_.bound_source);
    } else {
      compare("lower_bound", claimed, named->value);
    }
  }

  void check_optimality() {
    if (!choice_) return;
    const bool meets_bound = are_equal(choice_->value, claims_.lower_bound);
    const bool is_beaten = least_compared_ < choice_->value && !are_equal(least_compared_, choice_->value);
    if (claims_.optimal == true && !meets_bound) {
      fault("optimal: true is claimed, but the value {} is not the bound {}", number(choice_->value),
            number(claims_.lower_bound));
    }
    if (claims_.optimal == false && !is_beaten) {
      fault("optimal: false is claimed, but nothing compared is below {}", number(choice_->value));
    }
    if (!claims_.optimal && meets_bound) {
      fault("optimal: unknown is claimed, but the value {} is the bound", number(choice_->value));
    }
    if (!claims_.optimal && is_beaten) {
      fault("optimal: unknown is claimed, but {} is among those compared", number(least_compared_));
    }
  }

  const Claims& claims_;
  std::optional<Network> network_;
  std::vector<CheckedPhase> phases_;
  std::optional<Values> choice_;
  double least_compared_ = std::numeric_limits<double>::infinity();
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> faults_of(const Claims& claims) {
  return Check(claims).faults();
}

}  // namespace cubefold::planner
