#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

#include "cubefold/export.h"
#include "cubefold/schedule/local_program.hpp"

namespace cubefold {

/// Blocks of any size each, by slot: where they begin in their area and how long they are, in bytes.
struct BlockTable {
  std::span<const std::size_t> offsets;
  std::span<const std::size_t> sizes;
};

/// Who makes the data and who takes it, where there are no buffers. A packet is a piece of a block: all of it, or so
/// many bytes from an offset on.
struct PacketCalls {
  /// Fills a packet for a rank, just before it leaves.
  std::function<void(Rank destination, std::size_t offset, std::span<std::byte> packet)> produce;

  /// Takes a packet from a rank, as it lands; it is gone afterwards.
  std::function<void(Rank source, std::size_t offset, std::span<const std::byte> packet)> consume;
};

/// What an exchange works on. Either all blocks have block_bytes, one after the other; or each has its own size and the
/// tables say where, and the program must not use scratch; or calls take the place of both buffers.
struct ExchangeMemory {
  const std::byte* send = nullptr;
  std::byte* receive = nullptr;
  std::size_t block_bytes = 0;  ///< of the largest block where there are tables
  const BlockTable* send_table = nullptr;
  const BlockTable* receive_table = nullptr;
  const PacketCalls* calls = nullptr;
};

/// The pieces of blocks that travel in one round of an exchange, by area and slot: bytes round * piece_bytes and
/// following, piece_bytes at most.
class CUBEFOLD_API RoundMemory {
 public:
  RoundMemory(const ExchangeMemory& memory, std::byte* scratch, std::size_t piece_bytes, std::size_t round)
      : memory_(&memory), scratch_(scratch), piece_bytes_(piece_bytes), skipped_(round * piece_bytes) {}

  /// Whether the pieces of consecutive slots are consecutive in memory.
  bool joins_slots() const {
    return memory_->calls == nullptr && memory_->send_table == nullptr &&
           piece_bytes_ >= memory_->block_bytes;
  }

  /// Whether pieces are made and taken by calls, and not in memory.
  bool has_calls() const { return memory_->calls != nullptr; }

  /// What is in Area::send must not be written to. Not for areas that calls stand for.
  std::span<std::byte> piece(Area area, Slot slot) const;
  std::size_t piece_size(Area area, Slot slot) const;

  /// Copies pieces of consecutive slots, which are more than one only if joins_slots(), to a packet or from it. Gives
  /// their size.
  std::size_t read(Area area, Slot first, Slot count, std::byte* packet) const;
  std::size_t write(Area area, Slot first, Slot count, const std::byte* packet) const;

 private:
  std::size_t block_size(Area area, Slot slot) const;
  const BlockTable* table(Area area) const;

  const ExchangeMemory* memory_;
  std::byte* scratch_;
  std::size_t piece_bytes_;
  std::size_t skipped_;
};

/// Whether a message's bytes are not in a row, so that it has to be packed.
inline bool is_packed(const LocalMessage& message, bool joins_slots) {
  return message.run_count > 1 || (message.block_count > 1 && !joins_slots);
}
inline bool is_packed(const LocalMessage& message, const RoundMemory& memory) {
  return memory.has_calls() || is_packed(message, memory.joins_slots());
}

/// Sum of the message's pieces.
CUBEFOLD_API std::size_t message_size(const LocalProgram& program, const LocalMessage& message,
                                      const RoundMemory& memory);

/// Where a message that is not packed begins.
CUBEFOLD_API std::byte* message_begin(const LocalProgram& program, const LocalMessage& message,
                                      const RoundMemory& memory);

/// Copies the message's pieces, in order, to a packet of message_size() bytes.
CUBEFOLD_API void pack(const LocalProgram& program, const LocalMessage& message, const RoundMemory& memory,
                       std::byte* packet);

/// Inverse of pack().
CUBEFOLD_API void unpack(const LocalProgram& program, const LocalMessage& message, const std::byte* packet,
                         const RoundMemory& memory);

}  // namespace cubefold
