#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

#include "cubefold/export.h"
#include "local_program.hpp"

namespace cubefold {

/// Describes blocks that may differ in size, by slot: where they begin in their area and how long they are, in bytes.
/// Offsets of blocks before the area are negative numbers modulo 2^64.
struct BlockTable {
  std::span<const std::size_t> offsets;
  std::span<const std::size_t> sizes;

  /// Returns the number of blocks that are not empty. Costs O(blocks).
  std::size_t filled_count() const {
    return static_cast<std::size_t>(std::ranges::count_if(sizes, [](std::size_t size) { return size > 0; }));
  }

  /// Returns whether each block begins where the one before it ends. Costs O(blocks).
  bool is_tight() const {
    for (std::size_t block = 1; block < offsets.size(); ++block)
      if (offsets[block - 1] + sizes[block - 1] != offsets[block]) return false;
    return true;
  }
};

/// Holds the functions that produce and consume the data of an exchange without buffers. A packet is a piece of a
/// block: the whole block, or a number of bytes from an offset on.
struct PacketCalls {
  /// Fills a packet for a rank, just before it leaves.
  std::function<void(Rank destination, std::size_t offset, std::span<std::byte> packet)> produce;

  /// Takes a packet from a rank as it arrives. The packet is not valid after the call.
  std::function<void(Rank source, std::size_t offset, std::span<const std::byte> packet)> consume;
};

/// Holds the operation of a collective that reduces.
struct Reduction {
  /// Size of one element in bytes. Blocks must have whole elements, and are cut between elements.
  std::size_t element_bytes;

  /// Replaces each right element by the result of the operation on the left one and on it, as MPI_Reduce_local() does.
  /// Both have the same size.
  std::function<void(std::span<const std::byte> left, std::span<std::byte> right)> reduce;

  /// Memory of one element at least, to which right operands are copied part by part if a message arrives left. The
  /// result then replaces the left one, because the right one may be read by a send.
  std::span<std::byte> right_operands = {};
};

/// Describes the memory that an exchange works on, in one of three forms. All blocks have block_bytes and lie one after
/// the other. Or each block has its own size, and the tables say where it lies. Or calls replace both buffers, and the
/// program must not reduce. A program that reduces needs an operation, and one that uses scratch for blocks of several
/// sizes needs a table of its slots, which must be of one chunk.
struct ExchangeMemory {
  const std::byte* send = nullptr;
  std::byte* receive = nullptr;
  std::size_t block_bytes = 0;  ///< size of every block, or of the largest if there are tables
  const BlockTable* send_table = nullptr;
  const BlockTable* receive_table = nullptr;
  const BlockTable* scratch_table = nullptr;
  bool are_tables_tight = false;   ///< BlockTable::is_tight() holds for all tables
  bool is_posted_at_once = false;  ///< messages of later steps need not wait for those of earlier ones
  const PacketCalls* calls = nullptr;
  const Reduction* reduction = nullptr;
};

/// Gives access to the pieces of blocks that travel in one round of an exchange, by area and slot. The piece of a block
/// is at most piece_bytes long and begins at byte round * piece_bytes.
class CUBEFOLD_API PieceMemory {
 public:
  PieceMemory(const ExchangeMemory& memory, std::byte* scratch, std::size_t piece_bytes, std::size_t round)
      : memory_(&memory),
        scratch_(scratch),
        piece_bytes_(piece_bytes),
        skipped_(round * piece_bytes),
        equal_size_(std::min(piece_bytes, distance() - std::min(skipped_, distance()))),
        has_equal_pieces_(!has_calls() && memory.send_table == nullptr && memory.receive_table == nullptr),
        joins_slots_((has_equal_pieces_ || memory.are_tables_tight) && piece_bytes >= distance()) {}

  /// Returns whether calls produce and consume the pieces, which are then not in memory.
  bool has_calls() const { return memory_->calls != nullptr; }

  /// Returns whether all pieces are in memory, have one size, and begin at equal distances within an area.
  bool has_equal_pieces() const { return has_equal_pieces_; }

  /// Returns whether the pieces of consecutive slots are consecutive in memory.
  bool joins_slots() const { return joins_slots_; }

  /// These return the size of the equal pieces, how far from each other those of consecutive slots begin, and where the
  /// one of an area's slot begins. Require has_equal_pieces(); the last one requires a size above 0.
  std::size_t equal_size() const { return equal_size_; }
  std::size_t distance() const { return memory_->block_bytes; }
  std::byte* equal_piece(Area area, Slot slot) const { return base(area) + (slot * distance() + skipped_); }

  /// These return the memory of a piece, and where it begins, which is defined for a piece of 0 bytes only if another
  /// one of the area is longer. The memory of Area::send must not be written to. Require that no call replaces the
  /// area.
  std::span<std::byte> piece(Area area, Slot slot) const;
  std::byte* piece_begin(Area area, Slot slot) const;
  std::size_t piece_size(Area area, Slot slot) const;

  /// Returns the operation of a program that reduces.
  const Reduction& reduction() const { return *memory_->reduction; }

  /// Copies a piece to a packet (read) or from a packet (write), and returns its size in bytes.
  std::size_t read(Area area, Slot slot, std::byte* packet) const;
  std::size_t write(Area area, Slot slot, const std::byte* packet) const;

 private:
  std::byte* base(Area area) const {
    if (area == Area::receive) return memory_->receive;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the one const_cast of the area that nobody writes to
    return area == Area::send ? const_cast<std::byte*>(memory_->send) : scratch_;
  }
  std::size_t block_size(Area area, Slot slot) const;
  const BlockTable* table(Area area) const;

  const ExchangeMemory* memory_;
  std::byte* scratch_;
  std::size_t piece_bytes_;
  std::size_t skipped_;
  std::size_t equal_size_;
  bool has_equal_pieces_;
  bool joins_slots_;
};

/// Returns whether a message needs a staging buffer, because its bytes are not contiguous in memory.
inline bool is_packed(const LocalMessage& message, bool joins_slots) {
  if (joins_slots) return message.run_count > 1 && !message.arrives_in;
  return message.block_count > 1;
}
inline bool is_packed(const LocalMessage& message, const PieceMemory& memory) {
  return memory.has_calls() || is_packed(message, memory.joins_slots());
}

/// Returns the sum of the sizes of the message's pieces in bytes.
CUBEFOLD_API std::size_t sum_of_pieces(const LocalProgram& program, const LocalMessage& message,
                                       const PieceMemory& memory);

/// Returns the size of the message in bytes, which is the sum of its pieces.
inline std::size_t message_size(const LocalProgram& program, const LocalMessage& message,
                                const PieceMemory& memory) {
  if (memory.has_equal_pieces()) return message.block_count * memory.equal_size();
  return sum_of_pieces(program, message, memory);
}

/// Returns the address at which a message of some bytes that is not packed begins, or arrives.
inline std::byte* message_begin(const LocalProgram& program, const LocalMessage& message,
                                const PieceMemory& memory) {
  if (message.arrives_in) return memory.equal_piece(Area::scratch, *message.arrives_in);
  const Run& run = program.runs[message.first_run];
  if (memory.has_equal_pieces()) return memory.equal_piece(run.area, run.first);
  return memory.piece_begin(run.area, run.first);
}

/// Copies the message's pieces, in order, to a packet of message_size() bytes, and returns the bytes copied.
CUBEFOLD_API std::size_t pack(const LocalProgram& program, const LocalMessage& message,
                              const PieceMemory& memory, std::byte* packet);

/// Copies a packet of message_size() bytes to the message's pieces, in order, and returns the bytes copied.
CUBEFOLD_API std::size_t unpack(const LocalProgram& program, const LocalMessage& message,
                                const std::byte* packet, const PieceMemory& memory);

/// Copies the blocks of a message to their places, unless they have arrived there, and returns the bytes copied.
/// Requires message.arrives_in, joins_slots(), and blocks of some bytes.
CUBEFOLD_API std::size_t copy_to_places(const LocalProgram& program, const LocalMessage& message,
                                        const PieceMemory& memory);

/// Returns the blocks of one of the program's messages that its end here copies between buffers.
CUBEFOLD_API std::size_t copied_blocks(const LocalProgram& program, const LocalMessage& message,
                                       bool joins_slots);

/// Counts the blocks that one process copies in a run.
struct CopiedBlocks {
  std::size_t own = 0;       ///< from the send buffer to the receive buffer
  std::size_t packed = 0;    ///< of messages to send whose blocks are not consecutive in memory
  std::size_t unpacked = 0;  ///< of messages received, if they do not arrive in their slots

  std::size_t forwarded() const { return packed + unpacked; }
};

/// Counts the blocks that a run of the program copies between buffers. `joins_slots` says whether consecutive slots are
/// consecutive in memory, as for whole blocks of equal sizes. Costs O(runs).
CUBEFOLD_API CopiedBlocks copied_blocks(const LocalProgram& program, bool joins_slots = true);

/// Reduces each piece of a message that has arrived with its operand. Requires that the message has operands.
CUBEFOLD_API void reduce(const LocalProgram& program, const LocalMessage& message, const PieceMemory& memory);

}  // namespace cubefold
