#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "exchange/exchange_parts.hpp"
#include "schedule/collective.hpp"

namespace cubefold {

/// The collectives that reduce or gather a vector.
enum class VectorCollective : std::uint8_t { allgather, reduce_scatter, allreduce };

inline constexpr std::array all_vector_collectives{
    VectorCollective::allreduce, VectorCollective::reduce_scatter, VectorCollective::allgather};

/// Returns `allgather`, `reduce-scatter` or `allreduce`.
CUBEFOLD_API std::string_view to_string(VectorCollective collective);

/// Says how the ranks of a grid reduce or gather a vector.
enum class VectorAlgorithm : std::uint8_t {
  bucket,           ///< round one axis after the other, to the next node
  direct,           ///< straight to the other nodes of a line, along one axis after the other
  halving_cube,     ///< halves of what is left, by Pairing::cube_of_nodes()
  halving_swing,    ///< by Pairing::swing()
  whole_cube,       ///< the whole vector in each step, by Pairing::cube_of_nodes(); only allreduce
  whole_swing,      ///< by Pairing::swing(); ranks reduce in different orders, so only for exact operations
  halving_ordered,  ///< by Pairing::cube() of the ranks, with operands in their order; one channel
  whole_ordered,    ///< the same by whole vectors; only allreduce
};

/// Returns whether ranks send the whole vector in each step.
constexpr bool is_whole(VectorAlgorithm algorithm) {
  return algorithm == VectorAlgorithm::whole_cube || algorithm == VectorAlgorithm::whole_swing ||
         algorithm == VectorAlgorithm::whole_ordered;
}

/// Returns whether the operands of all reductions are in the order of the ranks, as operations that do not commute need
/// it.
constexpr bool keeps_order(VectorAlgorithm algorithm) {
  return algorithm == VectorAlgorithm::halving_ordered || algorithm == VectorAlgorithm::whole_ordered;
}

/// The most channels that a method may have.
inline constexpr std::size_t most_channels = 64;

/// An algorithm, and the number of channels: parts of the vector that run at once, each in an AxisOrder of its own.
struct VectorMethod {
  VectorAlgorithm algorithm = VectorAlgorithm::bucket;
  std::size_t channel_count = 1;

  bool operator==(const VectorMethod&) const = default;
};

/// Returns the method as text, such as `bucket`, `halving-swing:4` with four channels, or `whole-cube`.
CUBEFOLD_API std::string to_string(const VectorMethod& method);

/// Returns what the method does in a few words: what is sent to whom, in how many channels, and whether all ranks
/// reduce in the same order.
CUBEFOLD_API std::string description(const VectorMethod& method);

/// Parses what to_string() writes. Throws std::invalid_argument that quotes the text and lists the names.
CUBEFOLD_API VectorMethod parse_vector_method(std::string_view text);

/// Returns the methods that fit a collective on a grid: with one channel, and with all ports also with one for each
/// direction of each axis of more than one node, except for those that keep the order. `direct` fits if a route table
/// links all nodes of every line to one another, and has enough channels to use all links, up to most_channels. Costs
/// O(nodes links) for networks with a route table.
CUBEFOLD_API std::vector<VectorMethod> vector_methods(VectorCollective collective, const Grid& grid,
                                                      Ports ports);

/// Returns the pre- and post-condition of a method. The vector has rank_count * channel_count chunks of equal size, of
/// which rank r owns those from r * channel_count on, one in each channel. Methods by whole vectors have one chunk for
/// each channel.
CUBEFOLD_API Collective collective_of(VectorCollective collective, const VectorMethod& method,
                                      std::size_t rank_count);

/// Returns what each rank sends and receives. In each channel:
///
/// - bucket: along one axis after the other, a rank sends the next node of its ring the chunks of one coordinate after
///   the other, reduced with its own: k - 1 steps for an axis of k nodes. Gathering runs backwards.
/// - direct: along one axis after the other, a rank sends each other node of its line the chunks of that node, in k - 1
///   steps, to the node 1, 2, ... places further; channels begin with different places. Gathering runs backwards.
/// - halving: in step k a rank sends its partner the chunks of the ranks that later steps lead to from there: half of
///   what it has left. Gathering runs backwards.
/// - whole: in step k partners swap all chunks and reduce them with their own.
/// - ordered: the ranks of the partners of step k differ in bit k, whatever their nodes are. So a step unites two runs
///   of consecutive ranks, and the value of the lower run is the left operand.
///
/// Halving and whole vectors fold axes whose extents are no powers of two first, by Folding: a rank that leaves sends
/// the rank one coordinate below it its whole vector. Gathering, and a reduce-scatter, undo the folds at the end.
/// Ordered methods fold the line of all ranks.
///
/// An allreduce scatters reductions and then gathers them, except by whole vectors. Start-ups of a channel for p ranks:
/// the sum of k - 1, log2 p, or for an allreduce twice as many (bucket and direct, halving); two more for each axis
/// that is folded. Bytes that a rank sends, over those of the vector: (p - 1) / p, twice as many for an allreduce, and
/// log2 p by whole vectors; with folds, p is the number of ranks that stay, and each fold adds a vector. All ranks get
/// the same bits, except by whole_swing. Throws std::invalid_argument if the method does not fit the collective:
/// ordered methods have one channel, and whole vectors are for an allreduce. Source: Swing, NSDI 2024, for the pairing;
/// Chan et al., Concurrency and Computation 19, 2007, for the others.
CUBEFOLD_API ExchangeParts vector_parts(VectorCollective collective, const VectorMethod& method,
                                        const Placement& placement);

/// Returns the steps of the method with the blocks on the busiest link or port, counted in chunks of collective_of().
/// Costs O(messages axes).
CUBEFOLD_API ExchangeCost vector_cost(VectorCollective collective, const VectorMethod& method,
                                      const Placement& placement, const NetworkRules& rules);

}  // namespace cubefold
