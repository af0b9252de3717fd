#include "planner/mapping/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "hosts/host_file.hpp"
#include "planner/options.hpp"
#include "program/program.hpp"
#include "program/shown.hpp"

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

/// Returns the name of the table's line for the objective. It is empty if another line already shows this value.
std::string value_name(MappingObjective objective) {
  switch (objective) {
    case MappingObjective::busiest_links:
      return "sum of the busiest links";
    case MappingObjective::busiest_link_together:
      return "";
    case MappingObjective::hop_bytes:
      break;
  }
  return "hop-bytes";
}

class MapTable {
 public:
  explicit MapTable(const MapAnswer& answer) : answer_(answer) {
    for (const Candidate& candidate : answer.compared) columns_.push_back(&candidate);
    columns_.push_back(&answer.choice);
    for (const Phase& phase : answer.question.defined.phases) {
      name_width_ = std::max(name_width_, phase_name(phase).size());
    }
  }

  std::string text() {
    heading();
    for (std::size_t r = 0; r < answer_.question.defined.phases.size(); ++r) {
      row(phase_name(answer_.question.defined.phases[r]),
          [r](const MappingValues& values) { return values.busiest_link[r]; });
    }
    row("all phases together", [](const MappingValues& values) { return values.busiest_link_together; });
    const std::string name = value_name(answer_.question.objective);
    if (!name.empty()) row(name, [](const MappingValues& values) { return values.objective; });
    row("average hops", [](const MappingValues& values) { return values.average_hops; });
    verdict();
    return text_;
  }

 private:
  /// Returns the characters of a column, whose numbers may be longer than its name.
  static std::size_t width(const Candidate& candidate) {
    const MappingValues& values = candidate.values;
    std::size_t longest = std::max<std::size_t>(shortened(candidate.name).size(), 8);
    for (const double value : values.busiest_link) longest = std::max(longest, number(value).size());
    for (const double value : {values.busiest_link_together, values.objective, values.average_hops})
      longest = std::max(longest, number(value).size());
    return longest + 2;
  }

  void heading() {
    const MapQuestion& question = answer_.question;
    const bool has_table = question.allocation.grid.route_table() != nullptr;
    text_ += fmt::format("{}, {}, {}, {} a node\n\n", to_string(question.allocation.grid),
                         has_table ? "routes of its table"
                                   : fmt::format("dimension-order routes, {} ties", to_string(question.tie)),
                         program::counted(question.allocation.rank_count(), "rank"),
                         counts_of(question.allocation));
    text_ += fmt::format("{:<{}}", "busiest link", name_width_);
    for (const Candidate* candidate : columns_) {
      text_ += fmt::format("{:>{}}", shortened(candidate->name), width(*candidate));
    }
    text_ += '\n';
  }

  template <typename Value>
  void row(const std::string& name, Value value) {
    text_ += fmt::format("{:<{}}", name, name_width_);
    for (const Candidate* candidate : columns_) {
      text_ += fmt::format("{:>{}}", number(value(candidate->values)), width(*candidate));
    }
    text_ += '\n';
  }

  void verdict() {
    const double value = answer_.choice.values.objective;
    const double bound = answer_.bound.value;
    text_ += fmt::format("\nplacement: {}\n", shown_placement(answer_.choice.placement));
    if (const auto& bricks = answer_.question.bricks)
      text_ += fmt::format("bricks: {}, counted with the last axis fastest\n", to_string(*bricks));
    if (!answer_.searched.empty()) text_ += fmt::format("searched: {}\n", answer_.searched);
    text_ += fmt::format("{}: {}; lower bound {} ({})\n", to_string(answer_.question.objective),
                         number(value), number(bound), answer_.bound.source);
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
    return fmt::format("gained: nothing over {}{}\n",
                       answer_.question.bricks ? "consecutive ranks" : "the identity",
                       is_shorter ? " but shorter routes" : "");
  }

  std::string optimality(double value, double bound) const {
    if (const Candidate* better = better_than_choice(answer_)) {
      return fmt::format("no, {} is better", better->name);
    }
    if (answer_.optimal && *answer_.optimal) {
      return fmt::format("yes, no placement{} goes below the bound",
                         answer_.question.bricks ? " of these bricks" : "");
    }
    if (answer_.optimal) return "no";
    if (bound <= 0) return "unknown";
    return fmt::format("unknown; the gap to the bound is {:.1f} %", (value / bound - 1) * 100);
  }

  const MapAnswer& answer_;
  std::vector<const Candidate*> columns_;
  std::size_t name_width_ = std::string("sum of the busiest links").size();
  std::string text_;
};

}  // namespace

std::string table_text(const MapAnswer& answer) {
  return MapTable(answer).text();
}

}  // namespace cubefold::planner
