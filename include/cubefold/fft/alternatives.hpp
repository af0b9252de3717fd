#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/fft/plan_options.hpp"
#include "cubefold/simulation/machine.hpp"

namespace cubefold::fft {

/// Where the processes of a transform are, and what is known of the network between them.
struct Network {
  Placement placement;             ///< of the ranks
  std::optional<Machine> machine;  ///< of the same grid
  std::size_t host_count = 1;
};

/// Of all exchanges of a transform; local work apart.
struct ExchangeSeconds {
  double predicted = 0;
  double bound =
      0;  ///< of complete exchanges of the same blocks, which none beats; 0 where it is no complete exchange
};

/// A way to do a transform, and what it costs each process in messages.
struct Alternative {
  Algorithm algorithm = Algorithm::transposed;
  Decomposition decomposition = Decomposition::automatic;  ///< automatic: one dimension
  std::size_t message_count = 0;
  std::size_t sent_bytes = 0;              ///< with padding, of the process that sends most
  std::size_t packet_count = 0;            ///< in each stage of butterflies
  std::optional<ExchangeSeconds> seconds;  ///< with a machine file, or on several hosts
};

/// Ways to do one transform: the one taken first, then in the order of their times.
struct Choice {
  std::vector<Alternative> alternatives;
  std::string why;  ///< the first, in a few words

  const Alternative& taken() const { return alternatives.front(); }
};

/// What a Plan with these options does. Lengths and options go together otherwise; points are of point_bytes.
///
/// One dimension: exchanges transposed, or bluestein where the length needs it; butterflies of complex points where
/// binary_exchange_between() has them with natural labels and their points are in the same places. More: slabs, and
/// pencils of three dimensions or more. Times are those of plan_exchange() and cost_of() on the machine, without one on
/// typical_network(). Algorithms: on one host, whose memory all processes share, exchanges are taken without
/// comparison. Decompositions: on one host the one that sends less is taken.
///
/// The same values give the same choice: it is local, and alike on all processes. Throws std::invalid_argument for an
/// algorithm asked for that does not fit, with the rule that it breaks. Cost: a plan_exchange() for each size of
/// blocks, where times are predicted.
CUBEFOLD_API Choice choose(const std::vector<std::size_t>& lengths, const PlanOptions& options,
                           std::size_t point_bytes, const Network& network);

/// As `half-exchange` or `pencil`.
CUBEFOLD_API std::string name_of(const Alternative& alternative);

}  // namespace cubefold::fft
