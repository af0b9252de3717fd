#include "planner/verify.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "planner/verification/check.hpp"
#include "planner/verification/claims.hpp"
#include "planner/verification/schedule_check.hpp"
#include "planner/verification/schedule_claims.hpp"
#include "program/json_text.hpp"

namespace cubefold::planner {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* examples = R"(Examples:
  cubefold map torus:4x4x4 --phase cube:0-2 --phase transpose:8x8 --json cg.json
  cubefold verify cg.json
  cubefold plan exchange torus:8x8 --block 1KiB --json schedule.json && cubefold verify schedule.json

Of a certificate, messages, routes, loads, hops and bounds are computed anew, by other code than that which found
the placement. A schedule, a file with "steps", is replayed by node: it has to be a complete exchange in which no
port and no link has two messages in a step. Prints ok, or what is wrong, a line each. Exit status: 0 if all is
right, 1 if something is wrong, 2 if the file cannot be read or is neither.)";

constexpr int exit_faulty = 1;

/// Returns if there is none.
void report(const std::string& path, const std::vector<std::string>& faults) {
  for (const auto& fault : faults) fmt::print("{}: {}\n", path, fault);
  if (!faults.empty()) throw CLI::RuntimeError(exit_faulty);
}

void verify_certificate(const Json& file, const std::string& path) {
  const Claims claims = read_claims(file, path);
  report(path, faults_of(claims));
  fmt::print("ok: {} on {}, value {}, lower bound {}\n", claims.choice.placement, claims.grid,
             claims.choice.value, claims.lower_bound);
}

void verify_schedule(const Json& file, const std::string& path) {
  const ScheduleClaims claims = read_schedule_claims(file, path);
  const ScheduleFindings findings = findings_of(claims);
  report(path, findings.faults);
  fmt::print(
      "ok: {} on {}, ports {}: {} steps, {} messages, {} block-times, lower bound {}; busiest link {} "
      "blocks\n",
      claims.algorithm, claims.grid, claims.ports, claims.steps.size(), findings.message_count,
      findings.block_times, claims.bound_blocks, findings.busiest_link_blocks);
}

void run(const std::string& path) {
  const Json file = program::read_json(path);
  if (is_schedule(file)) return verify_schedule(file, path);
  verify_certificate(file, path);
}

}  // namespace

void add_verify(CLI::App& program) {
  auto* command = program.add_subcommand("verify", "Checks what a certificate of map or a schedule claims");
  const auto path = std::make_shared<std::string>();
  command->add_option("FILE", *path, "A certificate or a schedule as JSON; - is standard input")->required();
  command->footer(examples);
  command->callback([path] { run(*path); });
}

}  // namespace cubefold::planner
