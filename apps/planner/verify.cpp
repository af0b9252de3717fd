#include "planner/commands.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "planner/verification/check.hpp"
#include "planner/verification/claims.hpp"
#include "planner/verification/schedule_check.hpp"
#include "planner/verification/schedule_claims.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "program/shown.hpp"

namespace cubefold::planner {

namespace {

using Json = nlohmann::ordered_json;
using program::shown;

constexpr const char* verify_examples = R"(Examples:
  cubefold map torus:4x4x4 --phase cube:0-2 --phase transpose:8x8 --json cg.json
  cubefold verify cg.json
  cubefold plan exchange torus:8x8 --block 1KiB --json schedule.json && cubefold verify schedule.json
  cubefold plan allreduce torus:8x8 --size 1MiB --ports all --json sum.json && cubefold verify sum.json

The messages, routes, loads, hops and bounds of a certificate are computed again, by other code than the code that
found the placement. A file with "steps" is a schedule. It is replayed by node. It has to be a complete exchange, or the
"collective" that it names, with every contribution once in every chunk that a node wants, or with the blocks of
"neighbours" that the messages of the "phase" say. No port and no link may have two messages in a step. If the file
says that it has conflicts ("has_conflicts": true, as plan writes for some methods), they are counted, and the rest is
checked. The program prints ok, or a line for each of the first 20 errors.
Exit status: 0 if all claims are right, 1 if a claim is wrong, 2 if the file cannot be read, is neither a certificate
nor a schedule, has unknown keys, or is beyond the limits that docs/choosing-a-placement.md lists.)";

constexpr int exit_faulty = 1;
constexpr std::size_t most_path_bytes = 200;

/// Prints the errors, and throws CLI::RuntimeError with the exit status if there are any.
void report(const std::string& path, const std::vector<std::string>& faults) {
  for (const auto& fault : faults) fmt::print("{}: {}\n", shown(path, most_path_bytes), fault);
  if (!faults.empty()) throw CLI::RuntimeError(exit_faulty);
}

std::vector<std::string> faults_in(const Claims& claims, const std::string& path) {
  try {
    return faults_of(claims);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
}

void verify_certificate(const Json& file, const std::string& path) {
  const Claims claims = read_claims(file, path);
  report(path, faults_in(claims, path));
  fmt::print("ok: {} on {}, value {}, lower bound {}\n", shown(claims.choice.placement), shown(claims.grid),
             claims.choice.value, claims.lower_bound);
}

void verify_schedule(const Json& file, const std::string& path, std::vector<StepClaim> steps) {
  const ScheduleClaims claims = read_schedule_claims(file, path, std::move(steps));
  const ScheduleFindings findings = findings_of(claims);
  report(path, findings.faults.lines());
  const char* unit = claims.collective.empty() ? "block" : "chunk";
  fmt::print(
      "ok: {}{} on {}, ports {}: {} steps, {} messages, {} {}-times, lower bound {}; busiest link {} {}s\n",
      claims.collective.empty() ? "" : claims.collective + " by ", shown(claims.algorithm),
      shown(claims.grid), claims.ports, claims.steps.size(), findings.message_count, findings.block_times,
      unit, claims.bound_blocks, findings.busiest_link_blocks, unit);
  if (findings.conflict_count == 0) return;
  fmt::print(
      "conflicts, as the file says: {} {} a port or a link with an earlier one of the step; the first: {}\n",
      program::counted(findings.conflict_count, "message"), findings.conflict_count == 1 ? "shares" : "share",
      findings.first_conflict);
}

void run(const std::string& path) {
  const std::string name = program::name_of(path);
  StepReader reader(name);
  const Json file = program::read_json(path, [&](int depth, Json::parse_event_t event, const Json& value) {
    return reader.keeps(depth, event, value);
  });
  if (reader.has_steps()) return verify_schedule(file, name, std::move(reader.steps()));
  verify_certificate(file, name);
}

}  // namespace

void add_verify(CLI::App& program) {
  auto* command =
      program.add_subcommand("verify", "Checks the claims of a certificate of map or of a schedule");
  const auto path = std::make_shared<std::string>();
  command->add_option("FILE", *path, "A certificate or a schedule as JSON; - is standard input")->required();
  command->footer(verify_examples);
  command->callback([path] { run(*path); });
}

}  // namespace cubefold::planner
