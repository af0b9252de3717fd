#include "cubefold/topology/grid.hpp"
#include "fuzz/parser.hpp"
#include "fuzz/text_in_file.hpp"
#include "topology/network_file.hpp"

namespace cubefold::fuzz {

namespace {

void read_grid(std::string_view text) {
  if (names_costly_network(text)) return;
  const Grid grid = parse_grid(text);
  require(read_back(parse_grid, to_string(grid)) == grid, "the text of the grid is another grid");
}

void read_network_file(std::string_view text) {
  const TextInFile file(text);
  const Grid network = read_network(file.path());
  require(network.route_table() != nullptr, "the network has no routes");
}

}  // namespace

// A route table takes 12 bytes for each pair of nodes.
const FuzzedParser grid_parser{"grid", read_grid};
const FuzzedParser network_parser{"network", read_network_file, Refusals::invalid_argument,
                                  std::size_t{64} << 20};

}  // namespace cubefold::fuzz
