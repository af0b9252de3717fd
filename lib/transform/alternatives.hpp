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

/// The nodes that the processes of a transform run on, and what is known of the network between them.
struct Network {
  Placement placement;             ///< of the ranks
  std::optional<Machine> machine;  ///< of the same grid
  std::size_t host_count = 1;
};

/// The time that all exchanges of a transform take, without local work.
struct ExchangeSeconds {
  double predicted = 0;
  double bound = 0;  ///< no complete exchange of the same blocks is faster; 0 where the exchange is none
};

/// One algorithm for a transform, and what it costs each process in messages.
struct Alternative {
  Algorithm algorithm = Algorithm::transposed;
  Decomposition decomposition = Decomposition::automatic;  ///< automatic: one dimension
  std::size_t message_count = 0;
  std::size_t sent_bytes = 0;              ///< with padding, of the process that sends most
  std::size_t packet_count = 0;            ///< in each stage of butterflies
  std::optional<ExchangeSeconds> seconds;  ///< with a machine file, or on several hosts
};

/// The alternatives for one transform: the first is taken, the others follow in the order of their times.
struct Choice {
  std::vector<Alternative> alternatives;
  std::string why;  ///< why the first is taken, in a few words

  const Alternative& taken() const { return alternatives.front(); }
};

/// Chooses what a Plan with these options does. Requires lengths and options that go together; a point takes
/// point_bytes. In one dimension the alternatives are exchanges, transposed or, where the length needs it, bluestein;
/// and butterflies of complex points where binary_exchange_between() has them with natural labels and leaves points in
/// the same places. In more dimensions they are slabs, and pencils from three dimensions on. Times are those of
/// plan_exchange() and cost_of() on the machine, without one on typical_network(). Algorithms: on one host, whose
/// memory all processes share, exchanges are taken without comparison. Decompositions: on one host the one that sends
/// less is taken.
///
/// The same values give the same choice: it is local, and alike on all processes. Throws std::invalid_argument for an
/// algorithm asked for that does not fit, with the rule that it breaks. Cost: a plan_exchange() for each size of
/// blocks, where times are predicted.
CUBEFOLD_API Choice choose(const std::vector<std::size_t>& lengths, const PlanOptions& options,
                           std::size_t point_bytes, const Network& network);

/// Returns a name as `half-exchange` or `pencil`.
CUBEFOLD_API std::string name_of(const Alternative& alternative);

}  // namespace cubefold::fft
