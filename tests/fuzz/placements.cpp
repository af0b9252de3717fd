#include "cubefold/embedding/placement.hpp"
#include "fuzz/parser.hpp"

namespace cubefold::fuzz {

namespace {

void read_placement(std::string_view text) {
  const PlacementRule rule = parse_placement(text);
  require(read_back(parse_placement, to_string(rule)) == rule, "the text of the rule is another rule");
  const Placement placement(parse_grid("torus:4x4"), rule);
  std::vector<bool> is_taken(16);
  for (std::uint32_t rank = 0; rank < 16; ++rank)
    is_taken[static_cast<std::size_t>(placement.node_of(Rank{rank}))] = true;
  require(is_taken == std::vector<bool>(16, true), "the placement is no bijection");
}

}  // namespace

const FuzzedParser placement_parser{"placement", read_placement};

}  // namespace cubefold::fuzz
