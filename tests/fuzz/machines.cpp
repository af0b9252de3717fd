#include "cubefold/simulation/machine.hpp"
#include "fuzz/parser.hpp"
#include "plan/tuning_file.hpp"

namespace cubefold::fuzz {

namespace {

void read_machine_file(std::string_view text) {
  if (names_costly_network(text)) return;
  const Machine machine = parse_machine(text);
  const auto parse = [](const std::string& json) { return parse_machine(json); };
  require(read_back(parse, to_json(machine)) == machine, "the JSON of the machine is another machine");
}

void read_tuning_file(std::string_view text) {
  if (names_costly_network(text)) return;
  const MachineUse place{parse_grid("torus:4x4"), 16, "Open MPI v4.1.4"};
  const TuningTable table = parse_tuning(text, place, "file");
  const auto parse = [&](const std::string& json) { return parse_tuning(json, place, "file"); };
  require(read_back(parse, to_json(table)).choices == table.choices,
          "the JSON of the table is another table");
}

}  // namespace

const FuzzedParser machine_parser{"machine", read_machine_file};
const FuzzedParser tuning_parser{"tuning", read_tuning_file};

}  // namespace cubefold::fuzz
