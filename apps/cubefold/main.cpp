#include "cubefold/routes.hpp"
#include "cubefold/simulate.hpp"
#include "program/program.hpp"

namespace {

constexpr const char* examples = R"(Examples:
  cubefold routes torus:4x4 --json routes.json
  cubefold simulate exchange torus:8x8 --placement xor --block 1KiB
  cubefold routes --help

Exit status: 0, or 2 if an option, a file or a size does not fit.)";

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Plans hypercube programs on mesh, torus and hypercube networks; needs no MPI.", "cubefold");
  app.require_subcommand(0, 1);
  app.footer(examples);
  app.callback([&app] {
    if (app.get_subcommands().empty()) throw CLI::CallForHelp();
  });
  cubefold::planner::add_routes(app);
  cubefold::planner::add_simulate(app);
  return cubefold::program::run(app, argc, argv);
}
