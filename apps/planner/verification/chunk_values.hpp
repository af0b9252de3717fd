#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "planner/verification/chunk_replay.hpp"
#include "planner/verification/schedule_claims.hpp"

namespace cubefold::planner {

/// The nodes whose contributions each node has of each chunk of an allreduce, a reduce-scatter or an allgather. A
/// message takes what its sender has when the step begins. Takes nodes^2 * chunks / 8 bytes.
class ChunkValues : public ChunkReplay {
 public:
  /// Returns whether the values of so many nodes and chunks fit into the memory that a replay may take, 1 GiB.
  static bool fit(std::size_t node_count, std::size_t chunk_count);

  /// Requires a collective of ScheduleClaims that is not empty.
  ChunkValues(const std::string& collective, std::size_t node_count, std::size_t chunk_count);

  void begin_step() override {
    sent_.clear();
    arrived_.clear();
  }

  std::optional<std::string> send(std::size_t index, const MessageClaim& message) override;
  std::optional<std::string> arrive(std::size_t index, const MessageClaim& message) override;

  /// Returns a text with the first contribution that a node lacks, or nothing if all have what they want.
  std::optional<std::string> missing() const override;

 private:
  using Words = std::vector<std::uint64_t>;

  struct Sent {
    std::size_t message;
    std::vector<Words> values;
  };

  std::uint64_t* value_of(std::size_t node, std::size_t chunk) {
    return values_.data() + (node * chunk_count_ + chunk) * word_count_;
  }
  bool has(std::size_t node, std::size_t chunk, std::size_t contribution) const {
    const std::uint64_t word = values_[(node * chunk_count_ + chunk) * word_count_ + contribution / 64];
    return (word >> (contribution % 64) & 1) != 0;
  }
  std::size_t count_of(std::size_t node, std::size_t chunk) const;
  bool owns(std::size_t node, std::size_t chunk) const {
    return chunk / (chunk_count_ / node_count_) == node;
  }
  bool contributes(std::size_t node, std::size_t chunk) const { return !gathers_ || owns(node, chunk); }
  bool wants(std::size_t node, std::size_t chunk) const { return !scatters_ || owns(node, chunk); }
  std::optional<std::string> put(std::size_t node, std::size_t chunk, const Words& value, bool reduces);

  bool gathers_;   ///< allgather: one node contributes to a chunk
  bool scatters_;  ///< reduce-scatter: one node wants a chunk
  std::size_t node_count_;
  std::size_t chunk_count_;
  std::size_t word_count_;
  Words values_;
  std::vector<Sent> sent_;                                 ///< by the messages of the step
  std::set<std::pair<std::size_t, std::size_t>> arrived_;  ///< nodes and chunks of the step
};

}  // namespace cubefold::planner
