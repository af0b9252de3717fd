#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "planner/verification/schedule_claims.hpp"

namespace cubefold::planner {

/// Replays the numbered chunks of a collective. All messages of a step are sent before the first one arrives.
class ChunkReplay {
 public:
  ChunkReplay() = default;
  ChunkReplay(const ChunkReplay&) = delete;
  ChunkReplay& operator=(const ChunkReplay&) = delete;
  virtual ~ChunkReplay() = default;

  virtual void begin_step() = 0;

  /// Notes what the message with this number in the step takes along. Returns its first error.
  virtual std::optional<std::string> send(std::size_t index, const MessageClaim& message) = 0;

  /// Gives what it has taken along to its receiver. Returns its first error.
  virtual std::optional<std::string> arrive(std::size_t index, const MessageClaim& message) = 0;

  /// Returns a text about the first chunk that is not where it has to be at the end, or nothing.
  virtual std::optional<std::string> missing() const = 0;
};

}  // namespace cubefold::planner
