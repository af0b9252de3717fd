#include "algorithm.hpp"
#include "pairing.hpp"
#include "step_load.hpp"

namespace cubefold {

namespace {

/// Returns the message of a step: the blocks that a rank has, and that the later steps take from its partner to their
/// destinations.
Message swing_message(const Pairing& pairing, Rank from, std::size_t step) {
  const Rank to = pairing.partner(from, step);
  Message message{from, to, {}};
  message.blocks.reserve(pairing.rank_count() / 2);
  const std::vector<Rank> destinations = pairing.destinations(to, step + 1);
  for (const Rank source : pairing.origins(from, step))
    for (const Rank destination : destinations) message.blocks.push_back({source, destination});
  return message;
}

ExchangeParts swing_parts(const ExchangeInputs& in) {
  const Pairing pairing = Pairing::swing(in.placement);
  return {pairing.rank_count(), pairing.step_count(), [pairing](PartBuilder& part) {
            for (std::size_t step = 0; step < pairing.step_count(); ++step) {
              const auto message = [&](Rank from) { return swing_message(pairing, from, step); };
              part.send(step, message);
              part.receive(step, pairing.partner(part.rank(), step), message);
            }
          }};
}

/// Costs O(p log p axes).
ExchangeCost swing_cost(const ExchangeInputs& in) {
  const Pairing pairing = Pairing::swing(in.placement);
  const std::size_t p = pairing.rank_count();
  ExchangeCost cost;
  for (std::size_t step = 0; step < pairing.step_count(); ++step) {
    StepLoad load(in.placement, in.ports, in.tie);
    for (std::size_t rank = 0; rank < p; ++rank)
      load.add(static_cast<Rank>(rank), pairing.partner(static_cast<Rank>(rank), step), p / 2);
    StepGroup group = load.group();
    group.waits = Waits::each;
    cost.add(group);
    cost.sent_blocks += static_cast<double>(p) / 2;
  }
  return cost;
}

}  // namespace

/// Describes the complete exchange of p = 2^d nodes in d steps by Pairing::swing(). In each step a rank sends its
/// partner p/2 blocks: those that the later steps take from there to their destinations. They are the messages of
/// cc-cube, whose partners are farther away: a link of a ring carries (2^(k+1)/3 + 1)/2 of the messages of step k, and
/// 2^k/2 of those of the cube. On rings of 16 and 64, 8x8 and 16x16 with balanced ties the busiest links of all steps
/// carry 56, 768, 256 and 1792 blocks, and 88, 1504, 320 and 2816 with cc-cube.
///
/// The placement does not matter, since partners are those of nodes. Extents must be powers of two. A part costs
/// O(blocks sent by one rank). Source: Pairing::swing(), which is published for reductions.
const ExchangeDescriptor swing_algorithm{
    {.name = "swing",
     .examples = "swing",
     .summary = "log2 p messages to partners at distances 1, 1, 3, 5, 11 on each axis",
     .is_free_of_conflicts = false},
    on_powers_of_two,
    swing_parts,
    swing_cost};

}  // namespace cubefold
