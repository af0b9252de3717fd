#include <cubefold/embedding/placement.hpp>

#include <cstdint>
#include <cstdio>

int main() {
  const cubefold::Placement placement(cubefold::parse_grid("ring:8"), cubefold::parse_placement("xor"));
  const auto node = placement.node_of(cubefold::Rank{6});
  std::printf("rank 6 of an 8-ring under xor is on node %u\n", static_cast<std::uint32_t>(node));
}
