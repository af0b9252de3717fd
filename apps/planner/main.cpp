#include "planner/commands.hpp"

#include <CLI/CLI.hpp>

#include "program/program.hpp"

namespace {

constexpr const char* examples = R"(Examples:
  cubefold info
  cubefold discover --output hosts.json
  cubefold fabric fabric.txt --port-order ports.txt
  cubefold advise torus:8x8x8 --rate 100gbit --latency 1.5us
  cubefold map torus:4x4x4 --phase cube:0-2 --phase transpose:8x8
  cubefold lcc hypercube:6 --phase bit-reversal
  cubefold plan exchange mesh:8x8 --block 8KiB --rate 2gbit --latency 20us
  cubefold simulate exchange torus:8x8 --placement xor --block 1KiB
  cubefold wormhole hypercube:8 --pattern bit-reversal
  cubefold draw torus:8x8 --placement standard --placement xor --output before-after.svg
  cubefold help map

cubefold help grid, help placement and help phase say how networks, placements and phases are named.
JSON files begin with format_version, cubefold (the version) and date (SOURCE_DATE_EPOCH, if it is set).
Exit status: 0 without errors, 1 if verify finds an error, 2 if an option, a file or a size does not fit.)";

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Plans hypercube programs on mesh, torus and hypercube networks; needs no MPI.", "cubefold");
  app.require_subcommand(0, 1);
  app.footer(examples);
  app.callback([&app] {
    if (app.get_subcommands().empty()) throw CLI::CallForHelp();
  });
  cubefold::planner::add_advise(app);
  cubefold::planner::add_discover(app);
  cubefold::planner::add_fabric(app);
  cubefold::planner::add_info(app);
  cubefold::planner::add_map(app);
  cubefold::planner::add_verify(app);
  cubefold::planner::add_lcc(app);
  cubefold::planner::add_routes(app);
  cubefold::planner::add_plan(app);
  cubefold::planner::add_simulate(app);
  cubefold::planner::add_wormhole(app);
  cubefold::planner::add_draw(app);
  return cubefold::program::run(app, argc, argv);
}
