#include "program/help_topics.hpp"

namespace cubefold::program {

namespace {

constexpr std::string_view about_grids =
    R"(GRID names a network. Nodes are counted with axis 0, the first one, fastest.

  torus:8x8              axes of 8 and 8 nodes, all wrapped
  mesh:4x4x4             no axis wrapped
  ring:16, line:16       a single axis, wrapped or not
  hypercube:6            6 axes of 2 nodes
  grid:8wx4              only axes with a w are wrapped
  tofu:4x4x2             units of 2x3x2 nodes, as grid:4x4x2x2x3wx2
  torus:4x8~4            twisted: once round axis 0 is 4 further on axis 1
  hyperx:12x8            links to all nodes that differ in one coordinate
  file:net.json          nodes, cables and routes of a file

Behind any of them there may be these, cut= first and not behind file:

  torus:4x4,cut=0-1      without the cable between nodes 0 and 1
  torus:4x4,without=3-7  nodes 3 and 7 run no ranks, but forward messages
  torus:4x4,hosts=2      two hosts on every node; hosts=4-0-1 has 4, 0 and 1

In jobs, --grid auto is the network that the map of hosts describes. More:
docs/exchange.md, "Networks that are not meshes or tori".
)";

constexpr std::string_view about_placements = R"(RULE names a placement: the node of each rank.

  identity               rank r runs on node r; any network
  standard               each coordinate is some bits of the rank; for meshes
  xor                    short hops to the neighbours in a cube; for tori
  gray                   Gray code of each coordinate
  by-weight              coordinates in the order of their numbers of ones
  xor/standard           one of these for each axis
  nodes=3-1-0-2          the node of each rank
  auto:cube:0-2+ring     the best that is found for these phases

All but identity, nodes= and auto: need axes whose lengths are powers of two.
Behind the name of a rule there may be

  ,bits=cyclic           bits of the rank go to the axes in turn
  ,bits=0-1-1-0          the axis of each bit, from bit 0 on
  ,order=0-3-1-2         bit k of the new rank is bit order[k] of the old one

as in standard,order=0-3-1-4-2-5. cubefold map finds a placement. More:
docs/choosing-a-placement.md, "By hand".
)";

constexpr std::string_view about_phases = R"(PHASE names a communication that all ranks do at the same time.

  halo:12x10             each rank of a Cartesian grid sends to its neighbours
  halo:12wx10            axes with a w are periodic
  halo:8x8x8:edges       also to neighbours on diagonals of squares; :full: all
  alltoall               every rank sends to every other one
  alltoall:rows=16x32    within the rows, or columns=, of 16 x 32 ranks
  ring                   every rank sends to the next one
  allreduce              the steps of recursive doubling; allreduce:0-2 some
  reduce-scatter         the steps of recursive halving; allgather: of doubling
  cube                   the dimensions of a hypercube of ranks; cube:0-2 some
  transpose:8x8          rank i * 8 + j sends to j * 8 + i
  bit-reversal, ...      another pattern that cubefold lcc --help lists
  matrix:FILE.mtx        Matrix Market: row i, column j is from rank i-1 to j-1
  profile:FILE           what cubefold-run --profile has recorded
  lcc:FILE               a matrix of bits; cubefold lcc --help has its form

*WEIGHT behind a phase says how often it takes place, or how many bytes its
messages have, as in cube:0*4096. + joins phases, as in cube:0-2+transpose:8x8.
Ranks of halo: are counted as MPI_Cart_create does, last axis fastest. More:
docs/choosing-a-placement.md, "Known phases".
)";

}  // namespace

const std::array<HelpTopic, 3>& help_topics() {
  static constexpr std::array<HelpTopic, 3> topics{
      {{"grid", about_grids}, {"placement", about_placements}, {"phase", about_phases}}};
  return topics;
}

}  // namespace cubefold::program
