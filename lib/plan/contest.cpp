#include "contest.hpp"

#include <fmt/format.h>

#include <utility>

#include "cubefold/embedding/placement.hpp"

namespace cubefold {

namespace {

std::string text_of_table(const std::vector<GridNode>& nodes) {
  PlacementRule rule;
  rule.nodes = nodes;
  return to_string(rule);
}

}  // namespace

void Contest::look_at(std::string what) {
  looked_at_.push_back(std::move(what));
}

void Contest::enter(const std::string& rule) {
  auto nodes = node_of_rank(Placement(grid_, parse_placement(rule)));
  if (!wins(nodes, false)) return;
  text_ = rule;
  nodes_ = std::move(nodes);
}

void Contest::enter(std::vector<GridNode> nodes) {
  if (!wins(nodes, true)) return;
  nodes_ = std::move(nodes);
  const auto rule = extents_are_powers_of_two(grid_) ? rule_of(grid_, nodes_) : std::nullopt;
  is_table_ = !rule;
  text_ = rule ? to_string(grid_, *rule) : text_of_table(nodes_);
}

bool Contest::wins(const std::vector<GridNode>& nodes, bool is_table) {
  const auto values = evaluate(grid_, nodes, groups_, options_.objective, options_.tie);
  const JointValue value{values.objective, values.hop_bytes};
  const bool is_equal = !is_better(value, value_) && !is_better(value_, value);
  const bool is_best = nodes_.empty() || is_better(value, value_) || (is_equal && is_table_ && !is_table);
  if (!is_best) return false;
  value_ = value;
  is_table_ = is_table;
  best_from_ = looked_at_.size();
  return true;
}

std::string Contest::searched() const {
  std::string text;
  for (std::size_t i = 0; i < looked_at_.size(); ++i) {
    const char* mark = looked_at_.size() > 1 && best_from_ == i + 1 ? " (the choice)" : "";
    text += fmt::format("{}{}{}", i == 0 ? "" : "; ", looked_at_[i], mark);
  }
  return text;
}

}  // namespace cubefold
