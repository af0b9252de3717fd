#include "planner/verify.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "planner/verification/check.hpp"
#include "planner/verification/claims.hpp"

namespace cubefold::planner {

namespace {

constexpr const char* examples = R"(Examples:
  cubefold map torus:4x4x4 --phase cube:0-2 --phase transpose:8x8 --json cg.json
  cubefold verify cg.json

Messages, routes, loads, hops and bounds are computed anew, by other code than that which found the placement.
Prints ok, or what is wrong, a line each. Exit status: 0 if all is right, 1 if something is wrong, 2 if the file
cannot be read or is no certificate.)";

constexpr int exit_faulty = 1;

void run(const std::string& path) {
  const Claims claims = read_claims(path);
  const auto faults = faults_of(claims);
  for (const auto& fault : faults) fmt::print("{}: {}\n", path, fault);
  if (!faults.empty()) throw CLI::RuntimeError(exit_faulty);
  fmt::print("ok: {} on {}, value {}, lower bound {}\n", claims.choice.placement, claims.grid,
             claims.choice.value, claims.lower_bound);
}

}  // namespace

void add_verify(CLI::App& program) {
  auto* command = program.add_subcommand("verify", "Checks what a certificate of map claims");
  const auto path = std::make_shared<std::string>();
  command->add_option("FILE", *path, "What map --json wrote; - is standard input")->required();
  command->footer(examples);
  command->callback([path] { run(*path); });
}

}  // namespace cubefold::planner
