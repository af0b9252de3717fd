#include <nlohmann/json.hpp>

#include "cubefold/topology/grid.hpp"
#include "fuzz/parser.hpp"
#include "fuzz/text_in_file.hpp"
#include "planner/verification/check.hpp"
#include "planner/verification/claims.hpp"
#include "planner/verification/schedule_check.hpp"
#include "planner/verification/schedule_claims.hpp"
#include "program/json.hpp"
#include "schedule/schedule_json.hpp"

namespace cubefold::fuzz {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_ranks = 64;

/// Returns whether replaying the claims for `per_node` ranks on each node of a grid takes longer than a millisecond or
/// two. Claims on grids that do not exist are refused at once.
bool is_costly(const std::string& grid, std::int64_t per_node) {
  if (names_costly_network(grid)) return true;
  const std::size_t nodes = parse_grid(grid).node_count();
  return nodes > most_ranks || per_node > static_cast<std::int64_t>(most_ranks / nodes);
}

void read_schedule(std::string_view text) {
  if (names_costly_network(text)) return;
  const ScheduleFile file = parse_schedule_json(text);
  if (file.placement.grid().node_count() > most_ranks) return;
  const ScheduleFile again = read_back(parse_schedule_json, schedule_json(file));
  require(again.schedule == file.schedule, "the JSON of the schedule is another schedule");
  first_fault(file);
}

/// Does what `cubefold verify` does. The library has to accept the schedules that it accepts.
void verify(std::string_view text) {
  const TextInFile file(text);
  planner::StepReader reader(file.path());
  const Json json =
      program::read_json(file.path(), [&](int depth, Json::parse_event_t event, const Json& value) {
        return reader.keeps(depth, event, value);
      });
  if (!reader.has_steps()) {
    const planner::Claims claims = planner::read_claims(json, file.path());
    if (!is_costly(claims.grid, claims.per_node)) planner::faults_of(claims);
    return;
  }
  const auto claims = planner::read_schedule_claims(json, file.path(), std::move(reader.steps()));
  if (is_costly(claims.grid, 1) || planner::findings_of(claims).faults.count() > 0) return;
  const ScheduleFile accepted =
      read_back([](const std::string& name) { return parse_schedule_json(name); }, std::string(text));
  require(!first_fault(accepted), "verify accepts a schedule in which the library finds a fault");
}

}  // namespace

// A placement is kept as a table for its grid before the number of nodes is known to be small.
const FuzzedParser schedule_parser{"schedule", read_schedule, Refusals::invalid_argument,
                                   std::size_t{64} << 20};
const FuzzedParser verify_parser{"verify", verify, Refusals::invalid_argument_or_runtime_error,
                                 std::size_t{64} << 20};

}  // namespace cubefold::fuzz
