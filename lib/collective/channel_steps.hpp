#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "reduction.hpp"

namespace cubefold {

/// The steps in which one channel scatters reductions: in each of them, a rank sends the chunks of some owners to at
/// most one rank. Gathering runs backwards: what a rank has received before, it then sends back to where it came from.
class ChannelSteps {
 public:
  ChannelSteps() = default;
  ChannelSteps(const ChannelSteps&) = delete;
  ChannelSteps& operator=(const ChannelSteps&) = delete;
  virtual ~ChannelSteps() = default;

  virtual std::size_t count() const = 0;

  /// Returns the number of the first steps that fold the grid: ranks leave in them, which send and receive nothing
  /// until the folds are undone.
  virtual std::size_t fold_count() const { return 0; }

  /// Returns whether what arrives is reduced. Otherwise it is a result.
  virtual bool reduces(std::size_t /*step*/) const { return true; }

  virtual std::optional<Rank> receiver(Rank from, std::size_t step) const = 0;
  virtual std::optional<Rank> sender(Rank to, std::size_t step) const = 0;

  /// Returns the owners of the chunks that a rank sends, which requires a receiver.
  virtual std::vector<Rank> owners(Rank from, std::size_t step) const = 0;

  /// Returns the number of owners(from, step) for each rank, and any number for a rank without a receiver. Costs
  /// O(ranks log2 ranks).
  virtual std::vector<std::uint64_t> owner_counts(std::size_t step) const = 0;
};

using Channels = std::vector<std::shared_ptr<const ChannelSteps>>;

/// Returns the steps of all channels of a method, equally many for each. Except for an allreduce, owners have their
/// chunks at the end of scattering.
Channels channels_of(VectorCollective collective, const VectorMethod& method, const Placement& placement);

}  // namespace cubefold
