#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/schedule/local_program.hpp"
#include "cubefold/schedule/pacing.hpp"
#include "cubefold/schedule/packing.hpp"
#include "cubefold/schedule/tokens.hpp"

namespace cubefold::mpi {

/// How to run a program; the same on all processes.
struct RunRules {
  Pacing pacing = Pacing::data;
  StepTimes times;  ///< for Pacing::clock
  std::size_t piece_bytes =
      0;  ///< blocks travel in pieces of so many bytes, all first ones, then all second; 0: whole
  std::size_t bytes_in_flight = 1 << 20;  ///< receives posted ahead of their step have no more than this
  std::size_t steps_behind = 4;           ///< a step waits for what was to arrive so many steps before it

  /// Blocks of the longest message of any process. Where so many would pass 2^31 - 1 bytes, they travel in pieces that
  /// do not; 0: such blocks are refused.
  std::size_t most_blocks = 0;

  bool operator==(const RunRules&) const = default;
};

/// Runs one process's program of a schedule, as often as wanted.
class CUBEFOLD_API Executor {
 public:
  /// The tokens are for Pacing::tokens.
  Executor(LocalProgram program, RunRules rules, TokenProgram tokens = {});

  const LocalProgram& program() const { return program_; }
  const RunRules& rules() const { return rules_; }
  const TokenProgram& tokens() const { return tokens_; }

  /// Sets RunRules::most_blocks.
  void set_most_blocks(std::size_t most_blocks) { rules_.most_blocks = most_blocks; }

  /// Every process of the communicator runs its own program of one schedule; peers are ranks of the communicator, which
  /// no other messages may use meanwhile. The process's block for itself is copied too. Receives are posted before the
  /// sender is to begin. Throws std::invalid_argument if a message would pass 2^31 - 1 bytes, before any is sent;
  /// Error, on all processes alike, where there is no memory for the scratch; Error if a message fails or has not the
  /// size that was expected.
  void run(const ExchangeMemory& memory, Rank rank, MPI_Comm comm);

  /// Throws std::invalid_argument if blocks of this size make messages above 2^31 - 1 bytes.
  void require_countable(std::size_t block_bytes) const;

  /// The pieces in which blocks of this size travel; 0 for blocks of 0.
  std::size_t piece_bytes(std::size_t block_bytes) const;

  /// What one message may take that has to be packed.
  std::size_t room_bytes(const ExchangeMemory& memory) const;

  /// Bytes outside the caller's buffers: blocks under way, and messages that are packed.
  std::size_t scratch_bytes(const ExchangeMemory& memory) const;
  std::size_t scratch_bytes(std::size_t block_bytes) const {
    return scratch_bytes({nullptr, nullptr, block_bytes});
  }

 private:
  LocalProgram program_;
  RunRules rules_;
  TokenProgram tokens_;
  std::vector<std::byte> scratch_;
  std::size_t reserved_block_bytes_ = 0;
};

}  // namespace cubefold::mpi
