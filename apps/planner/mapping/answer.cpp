#include "planner/mapping/answer.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/mapping.hpp"
#include "planner/mapping/uneven.hpp"
#include "planner/options.hpp"

namespace cubefold::planner {

namespace {

/// Returns the node of every group of ranks that may share one: every brick, or every group of per_node consecutive
/// ranks. Returns nothing if the ranks of a group are on several nodes.
std::optional<std::vector<GridNode>> nodes_of_groups(std::vector<GridNode> node_of_rank, std::size_t per_node,
                                                     const std::optional<Bricks>& bricks) {
  if (bricks) {
    const auto numbers = numbers_by_bricks(*bricks);
    const auto of_ranks = node_of_rank;
    for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
      node_of_rank[label(numbers[rank])] = of_ranks[rank];
  }
  std::vector<GridNode> nodes;
  for (std::size_t number = 0; number < node_of_rank.size(); ++number) {
    if (number % per_node == 0) nodes.push_back(node_of_rank[number]);
    if (node_of_rank[number] != nodes.back()) return std::nullopt;
  }
  return nodes;
}

using Extents = std::vector<std::uint32_t>;

/// Returns the grids of ranks whose halo exchanges are among the phases, each once.
std::vector<Extents> grids_of_halos(const std::vector<Phase>& phases) {
  constexpr std::string_view prefix = "halo:";
  std::vector<Extents> grids;
  for (const Phase& phase : phases) {
    if (!phase.name.starts_with(prefix)) continue;
    std::string shape = phase.name.substr(prefix.size());
    shape.resize(std::min(shape.find(':'), shape.size()));
    std::erase(shape, 'w');
    const Extents ranks = parse_ranks(shape);
    if (std::ranges::find(grids, ranks) == grids.end()) grids.push_back(ranks);
  }
  return grids;
}

class Comparison {
 public:
  explicit Comparison(MapQuestion question)
      : answer_{std::move(question), {}, {}, {}, {}, {}},
        are_bricks_named_(answer_.question.bricks || !answer_.question.ranks.empty()) {}

  MapAnswer answer() {
    const bool searches = answer_.question.placement.empty();
    if (searches) choose();
    compare();
    if (!searches) evaluate_given_placement();
    if (better_than_choice(answer_) != nullptr) answer_.optimal = false;
    return std::move(answer_);
  }

 private:
  MappingValues values_of(const std::vector<GridNode>& node_of_rank) const {
    const MapQuestion& question = answer_.question;
    return evaluate(question.allocation.grid, node_of_rank, phases(), question.objective, question.tie);
  }

  Candidate under(const std::string& name, const std::string& rule) const {
    const MapQuestion& question = answer_.question;
    Candidate candidate{name, rule, nodes_under(question.allocation, rule, question.bricks), {}};
    candidate.values = values_of(candidate.node_of_rank);
    return candidate;
  }

  /// Returns a rule of groups of consecutive ranks, with its table in place of the rule.
  Candidate of_consecutive(const std::string& name, const std::string& rule) const {
    Candidate candidate{name, "", nodes_under(answer_.question.allocation, rule), {}};
    candidate.values = values_of(candidate.node_of_rank);
    return candidate;
  }

  void compare() {
    const bool has_bricks = answer_.question.bricks.has_value();
    if (has_bricks && are_bricks_named_)
      answer_.compared.push_back(of_consecutive("consecutive", "identity"));
    for (const auto& rule : familiar_rules(answer_.question.allocation.grid))
      answer_.compared.push_back(has_bricks && !are_bricks_named_ ? of_consecutive(rule, rule)
                                                                  : under(rule, rule));
    for (Candidate candidate : answer_.question.imported) {
      candidate.values = values_of(candidate.node_of_rank);
      answer_.compared.push_back(std::move(candidate));
    }
  }

  void choose() {
    BrickMapping chosen = found();
    answer_.question.bricks = chosen.bricks;
    Mapping& mapping = chosen.mapping;
    answer_.choice = {"choice", mapping.placement, std::move(mapping.node_of_rank),
                      std::move(mapping.values)};
    answer_.bound = mapping.bound;
    answer_.optimal = mapping.optimal;
    answer_.searched = mapping.searched;
  }

  BrickMapping found() const {
    const MapQuestion& question = answer_.question;
    const Grid& grid = question.allocation.grid;
    if (!question.allocation.is_even()) return {{}, choose_uneven(question)};
    MappingOptions options;
    options.objective = question.objective;
    options.tie = question.tie;
    options.effort = question.effort;
    options.per_node = question.allocation.per_node();
    for (const Candidate& candidate : question.imported) {
      if (auto nodes = nodes_of_groups(candidate.node_of_rank, options.per_node, question.bricks))
        options.starts.push_back(std::move(*nodes));
    }
    if (question.bricks)
      return {question.bricks, choose_placement(grid, phases(), *question.bricks, options)};
    if (!question.ranks.empty()) return choose_bricks(grid, phases(), question.ranks, options);
    const auto grids = question.tries_bricks_of_halos ? grids_of_halos(phases()) : std::vector<Extents>();
    if (grids.empty()) return {{}, choose_placement(grid, phases(), options)};
    return best_bricks(grids, options);
  }

  /// Returns the best mapping of bricks of any of these grids of ranks, or of consecutive ranks.
  BrickMapping best_bricks(const std::vector<Extents>& grids, MappingOptions options) const {
    const Grid& network = answer_.question.allocation.grid;
    options.effort /= grids.size();
    BrickMapping best = choose_bricks(network, phases(), grids.front(), options);
    for (std::size_t i = 1; i < grids.size(); ++i) {
      BrickMapping other = choose_bricks(network, phases(), grids[i], options);
      if (is_better(other.mapping.values, best.mapping.values)) best = std::move(other);
    }
    return best;
  }

  void evaluate_given_placement() {
    const MapQuestion& question = answer_.question;
    // The rule replaces `auto:`, so that the certificate names the rule that was used.
    const std::string rule = to_string(place(question.allocation.grid, question.placement).rule());
    const auto known = std::ranges::find(answer_.compared, rule, &Candidate::placement);
    answer_.choice = known == answer_.compared.end() ? under("given", rule) : *known;
    answer_.choice.name = "given";
    answer_.bound = bound();
    if (answer_.choice.values.exact_objective <= answer_.bound.exact_value) answer_.optimal = true;
  }

  LowerBound bound() const {
    const Allocation& allocation = answer_.question.allocation;
    if (!allocation.is_even()) return bound_of_uneven();
    const auto& bricks = answer_.question.bricks;
    const auto numbered = bricks ? numbered_by_bricks(phases(), *bricks) : phases();
    return lower_bound(allocation.grid, numbered, answer_.question.objective, allocation.per_node());
  }

  const std::vector<Phase>& phases() const { return answer_.question.defined.phases; }

  MapAnswer answer_;
  bool are_bricks_named_;
};

}  // namespace

MapAnswer answer_to(MapQuestion question) {
  return Comparison(std::move(question)).answer();
}

std::vector<std::string> familiar_rules(const Grid& grid) {
  const auto has_bits = [](const Axis& axis) { return std::has_single_bit(axis.extent); };
  if (std::ranges::all_of(grid.axes(), has_bits)) return {"identity", "standard", "xor"};
  return {"identity"};
}

std::vector<GridNode> nodes_under(const Allocation& allocation, const std::string& placement,
                                  const std::optional<Bricks>& bricks) {
  const auto of_groups = node_of_rank(Placement(allocation.grid, parse_placement(placement)));
  std::vector<GridNode> nodes;
  for (const GridNode node : of_groups)
    nodes.insert(nodes.end(), allocation.ranks_on_node[static_cast<std::size_t>(node)], node);
  if (!bricks) return nodes;
  std::vector<GridNode> of_ranks;
  for (const Rank number : numbers_by_bricks(*bricks)) of_ranks.push_back(nodes[label(number)]);
  return of_ranks;
}

std::string to_string(MappingObjective objective) {
  switch (objective) {
    case MappingObjective::busiest_links:
      return "busiest-links";
    case MappingObjective::busiest_link_together:
      return "together";
    case MappingObjective::hop_bytes:
      break;
  }
  return "hop-bytes";
}

const Candidate* better_than_choice(const MapAnswer& answer) {
  for (const Candidate& candidate : answer.compared) {
    if (candidate.values.exact_objective < answer.choice.values.exact_objective) return &candidate;
  }
  return nullptr;
}

namespace {

using Json = nlohmann::ordered_json;

Json as_json(const Phase& phase, const Json& definition) {
  Json json{{"name", phase.name}, {"weight", phase.weight}, {"messages", message_count(phase)}};
  json.update(definition.is_null() ? Json::object() : definition);
  return json;
}

void append(Json& json, const MappingValues& values) {
  json["busiest_link"] = values.busiest_link;
  json["busiest_link_together"] = values.busiest_link_together;
  json["average_hops"] = values.average_hops;
  json["hop_bytes"] = values.hop_bytes;
  json["value"] = values.objective;
}

Json as_json(const Candidate& candidate) {
  Json json{{"name", candidate.name}};
  if (candidate.placement.empty()) {
    json["node_of_rank"] = candidate.node_of_rank;
  } else {
    json["placement"] = candidate.placement;
  }
  append(json, candidate.values);
  return json;
}

/// Returns the number of ranks on each node, or the list of them if they differ.
Json per_node_of(const Allocation& allocation) {
  return allocation.is_even() ? Json(allocation.per_node()) : Json(allocation.ranks_on_node);
}

}  // namespace

Json certificate_of(const MapAnswer& answer) {
  const MapQuestion& question = answer.question;
  Json json{{"grid", to_string(question.allocation.grid)},
            {"per_node", per_node_of(question.allocation)},
            {"routing", question.allocation.grid.route_table() == nullptr ? "dimension-order" : "table"},
            {"tie", to_string(question.tie)},
            {"objective", to_string(question.objective)}};
  if (question.bricks) json["bricks"] = to_string(*question.bricks);
  auto& phases = json["phases"] = Json::array();
  for (std::size_t i = 0; i < question.defined.phases.size(); ++i)
    phases.push_back(as_json(question.defined.phases[i], question.defined.definitions[i]));
  json["placement"] = answer.choice.placement;
  json["node_of_rank"] = answer.choice.node_of_rank;
  append(json, answer.choice.values);
  json["lower_bound"] = answer.bound.value;
  json["bound_source"] = answer.bound.source;
  json["optimal"] = answer.optimal ? Json(*answer.optimal) : Json("unknown");
  auto& compared = json["compared"] = Json::array();
  for (const Candidate& candidate : answer.compared) compared.push_back(as_json(candidate));
  return json;
}

}  // namespace cubefold::planner
