#include "planner/mapping/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "hosts/host_file.hpp"
#include "planner/options.hpp"
#include "program/program.hpp"
#include "program/shown.hpp"
#include "program/table.hpp"

namespace cubefold::planner {

namespace {

constexpr std::size_t most_name_characters = 40;
constexpr std::string_view profile = "profile:";

std::string number(double value) {
  return fmt::format("{:.6g}", value);
}

/// Returns the name, or `...` and the end of a long name, because the ends of file names differ most.
std::string shortened(const std::string& name) {
  if (name.size() <= most_name_characters) return name;
  return "..." + name.substr(name.size() - (most_name_characters - 3));
}

/// Returns the placement, shortened if it is a long table of nodes.
std::string shown_placement(const std::string& placement) {
  constexpr std::size_t most_nodes = 64;
  constexpr std::size_t shown_nodes = 16;
  const auto more = static_cast<std::size_t>(std::ranges::count(placement, '-'));
  if (!placement.starts_with("nodes=") || more < most_nodes) return placement;
  std::size_t end = 0;
  for (std::size_t i = 0; i < shown_nodes; ++i) end = placement.find('-', end + 1);
  return fmt::format("{} and {} more nodes; --placement-to FILE writes all", placement.substr(0, end),
                     more + 1 - shown_nodes);
}

/// Returns the number of ranks on a node, or the list of them if they differ.
std::string counts_of(const Allocation& allocation) {
  return allocation.is_even() ? fmt::format("{}", allocation.per_node())
                              : program::shown(counts_text(allocation.ranks_on_node));
}

std::string phase_name(const Phase& phase) {
  const bool is_of_profile = phase.name.starts_with(profile);  // whose names all begin with it
  const std::string name = is_of_profile ? phase.name.substr(profile.size()) : shortened(phase.name);
  return phase.weight == 1 ? name : fmt::format("{} *{}", name, number(phase.weight));
}

std::string objective_name(MappingObjective objective) {
  switch (objective) {
    case MappingObjective::busiest_links:
      return "sum of the busiest links";
    case MappingObjective::busiest_link_together:
      return "busiest link of all phases together";
    case MappingObjective::hop_bytes:
      break;
  }
  return "hop-bytes";
}

class MapTable {
 public:
  explicit MapTable(const MapAnswer& answer)
      : answer_(answer), columns_(columns_of(answer)), table_(empty_table(columns_)) {}

  std::string text() {
    heading();
    for (std::size_t r = 0; r < answer_.question.defined.phases.size(); ++r) {
      row(phase_name(answer_.question.defined.phases[r]),
          [r](const MappingValues& values) { return values.busiest_link[r]; });
    }
    row("all phases together", [](const MappingValues& values) { return values.busiest_link_together; });
    const MappingObjective objective = answer_.question.objective;
    if (objective != MappingObjective::busiest_link_together)
      row(objective_name(objective), [](const MappingValues& values) { return values.objective; });
    row("average hops", [](const MappingValues& values) { return values.average_hops; });
    text_ += table_.text();
    verdict();
    return text_;
  }

 private:
  void heading() {
    const MapQuestion& question = answer_.question;
    const bool has_table = question.allocation.grid.route_table() != nullptr;
    text_ += fmt::format("{}, {}, {}, {} a node\n\n", to_string(question.allocation.grid),
                         has_table ? "routes of its table"
                                   : fmt::format("dimension-order routes, {} ties", to_string(question.tie)),
                         program::counted(question.allocation.rank_count(), "rank"),
                         counts_of(question.allocation));
  }

  static std::vector<const Candidate*> columns_of(const MapAnswer& answer) {
    std::vector<const Candidate*> columns;
    for (const Candidate& candidate : answer.compared) columns.push_back(&candidate);
    columns.push_back(&answer.choice);
    return columns;
  }

  static program::Table empty_table(const std::vector<const Candidate*>& candidates) {
    const std::size_t name_width = objective_name(MappingObjective::busiest_links).size();
    std::vector<program::TableColumn> columns{{"busiest link", name_width, true}};
    for (const Candidate* candidate : candidates) columns.push_back({shortened(candidate->name), 10});
    return program::Table(std::move(columns));
  }

  template <typename Value>
  void row(const std::string& name, Value value) {
    std::vector<std::string> cells{name};
    for (const Candidate* candidate : columns_) cells.push_back(number(value(candidate->values)));
    table_.add(std::move(cells));
  }

  void verdict() {
    const double value = answer_.choice.values.objective;
    const double bound = answer_.bound.value;
    text_ += fmt::format("\nplacement: {}\n", shown_placement(answer_.choice.placement));
    if (const auto& bricks = answer_.question.bricks)
      text_ += fmt::format("bricks: {}, counted with the last axis fastest\n", to_string(*bricks));
    if (!answer_.searched.empty()) text_ += fmt::format("searched: {}\n", answer_.searched);
    const bool is_least = answer_.optimal && *answer_.optimal;
    text_ +=
        fmt::format("{}: {}{} no placement{} can have less than {} ({})\n",
                    objective_name(answer_.question.objective), number(value), is_least ? ", and" : ";",
                    answer_.question.bricks ? " of these bricks" : "", number(bound), answer_.bound.source);
    text_ += fmt::format("optimal: {}\n", optimality(value, bound));
    if (answer_.question.placement.empty()) text_ += gain();
  }

  /// Returns a line that says so if the choice is no better than the first column: the identity, or consecutive ranks
  /// where the choice is of bricks.
  std::string gain() const {
    const MappingValues& first = answer_.compared.front().values;
    const MappingValues& choice = answer_.choice.values;
    if (choice.exact_objective < first.exact_objective) return "";
    const bool is_shorter = choice.exact_hop_bytes < first.exact_hop_bytes;
    const bool has_hop_bytes = answer_.question.objective == MappingObjective::hop_bytes;
    std::string text = fmt::format("gain: none, nothing that was tried has {} than {}",
                                   has_hop_bytes ? "fewer hop-bytes" : "less on its busiest links",
                                   answer_.question.bricks ? "consecutive ranks" : "the identity");
    if (is_shorter)
      text += fmt::format("; routes are shorter: {:.2f} instead of {:.2f} hops", choice.average_hops,
                          first.average_hops);
    return text + '\n';
  }

  std::string optimality(double value, double bound) const {
    if (const Candidate* better = better_than_choice(answer_)) {
      return fmt::format("no, {} is better", better->name);
    }
    if (answer_.optimal && *answer_.optimal) {
      return "yes";
    }
    if (answer_.optimal) return "no";
    if (bound <= 0) return "unknown";
    return fmt::format("unknown; the gap to the bound is {:.1f} %", (value / bound - 1) * 100);
  }

  const MapAnswer& answer_;
  std::vector<const Candidate*> columns_;
  program::Table table_;
  std::string text_;
};

}  // namespace

std::string table_text(const MapAnswer& answer) {
  return MapTable(answer).text();
}

}  // namespace cubefold::planner
