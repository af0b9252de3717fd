#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/simulation/machine.hpp"
#include "cubefold/transform/plan_options.hpp"

namespace cubefold::fft {

/// Returns whether two axes of a grid have several nodes.
CUBEFOLD_API bool is_of_several_axes(const Grid& grid);

/// Describes the nodes that the processes of a transform run on, and the network between them as far as it is known.
struct Network {
  Placement placement;             ///< nodes of the ranks
  std::optional<Machine> machine;  ///< measured constants; its grid is that of the placement
  std::size_t host_count = 1;
  std::string name = to_string(placement.grid());                ///< nodes of the ranks, for messages
  bool has_several_axes = is_of_several_axes(placement.grid());  ///< false too if the network is unknown
};

/// The time of all exchanges of a transform, without local work.
struct ExchangeSeconds {
  double predicted = 0;
  double bound = 0;  ///< lower bound of a complete exchange of the same blocks; 0 if it is not one
};

/// One algorithm for a transform, and its cost in messages for each process.
struct Alternative {
  Algorithm algorithm = Algorithm::transposed;
  Decomposition decomposition = Decomposition::automatic;  ///< automatic for one dimension
  std::size_t message_count = 0;
  std::size_t sent_bytes = 0;    ///< bytes with padding of the process that sends most
  std::size_t packet_count = 0;  ///< packets of each stage of butterflies; 0 for other algorithms
  std::optional<ExchangeSeconds> seconds = std::nullopt;  ///< only with a machine file or on several hosts
};

/// The alternatives for one transform. The first is taken.
struct Choice {
  std::vector<Alternative> alternatives;
  std::string why;  ///< reason for taking the first, in a few words

  const Alternative& taken() const { return alternatives.front(); }
};

/// Chooses the algorithm and the decomposition of a Plan with these options. Requires lengths and options that pass
/// require_fit(); a point takes point_bytes. In one dimension the alternatives are exchanges (transposed, or bluestein
/// if the length needs it) and butterflies. Butterflies are for complex points, and for distributions between which
/// binary_exchange_between() has an exchange with natural labels; unless the options ask for them, they must leave the
/// points in the same places as the exchanges do. In more dimensions the alternatives are slabs and, from three
/// dimensions on, pencils. Times are those of plan_exchange() and cost_of() with the machine, or on several hosts
/// without one with typical_network(). On one host, whose memory all processes share, exchanges are taken in one
/// dimension without a comparison, and in more dimensions the decomposition that sends fewer bytes.
///
/// Does not communicate. The same arguments give the same choice on all processes. Throws std::invalid_argument with
/// the violated rule if the options ask for an algorithm that does not fit, or for pencils of several processes on a
/// grid without two axes of several nodes. Costs one plan_exchange() for each block
/// size if times are predicted.
CUBEFOLD_API Choice choose(const std::vector<std::size_t>& lengths, const PlanOptions& options,
                           std::size_t point_bytes, const Network& network);

/// Returns the name of the algorithm or the decomposition, as `half-exchange` or `pencil`.
CUBEFOLD_API std::string name_of(const Alternative& alternative);

/// Returns a text such as "predicted 3.2 ms, the bound 3 ms, 1.07 times that".
CUBEFOLD_API std::string to_string(const ExchangeSeconds& seconds);

/// Returns the text about the alternative that is taken, with its messages and the reason, and about the other
/// alternatives.
CUBEFOLD_API std::string choice_text(const Choice& choice);

}  // namespace cubefold::fft
