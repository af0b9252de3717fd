#include "packing.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace cubefold {

namespace {

std::span<const Run> runs_of(const LocalProgram& program, const LocalMessage& message) {
  return std::span(program.runs).subspan(message.first_run, message.run_count);
}

/// Calls visit(area, slot) for the pieces of a message, in order.
template <typename Visit>
void for_each_piece(const LocalProgram& program, const LocalMessage& message, Visit visit) {
  for (const Run& run : runs_of(program, message)) {
    for (Slot slot = run.first; slot < run.first + run.count; ++slot) visit(run.area, slot);
  }
}

/// Copies bytes. Both pointers may be null if the size is 0, which memcpy must not see, or equal, as for a block in
/// place.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t size) {
  if (size > 0 && to != from) std::memcpy(to, from, size);
}

/// Calls copy(piece, packet, size) for the equal pieces of a message and their places in a packet, and for several at
/// once where they are consecutive in memory.
template <typename Byte, typename Size, typename Copy>
void copy_equal_pieces(std::span<const Run> runs, const PieceMemory& memory, Size size, Byte* packet,
                       Copy copy) {
  const bool joins = memory.joins_slots();
  const std::size_t distance = memory.distance();
  for (const Run& run : runs) {
    std::byte* piece = memory.equal_piece(run.area, run.first);
    if (joins && run.count > 1) {
      copy(piece, packet, run.count * size);
      packet += run.count * size;
      continue;
    }
    for (Slot left = run.count; left > 0; --left) {
      copy(piece, packet, size);
      piece += distance;
      packet += size;
    }
  }
}

/// Does the same for any size. The sizes that single blocks often have are constants for `copy`, because a call of
/// memcpy costs as much as several copies of these sizes.
template <typename Byte, typename Copy>
void copy_equal_pieces(const LocalProgram& program, const LocalMessage& message, const PieceMemory& memory,
                       Byte* packet, Copy copy) {
  const auto runs = runs_of(program, message);
  const auto with = [&](auto size) { copy_equal_pieces(runs, memory, size, packet, copy); };
  switch (memory.equal_size()) {
    case 0:  // there may be no memory at all
      return;
    case 8:
      return with(std::integral_constant<std::size_t, 8>());
    case 16:
      return with(std::integral_constant<std::size_t, 16>());
    case 32:
      return with(std::integral_constant<std::size_t, 32>());
    case 64:
      return with(std::integral_constant<std::size_t, 64>());
    default:
      return with(memory.equal_size());
  }
}

}  // namespace

const BlockTable* PieceMemory::table(Area area) const {
  switch (area) {
    case Area::send:
      return memory_->send_table;
    case Area::receive:
      return memory_->receive_table;
    case Area::scratch:
      break;
  }
  return memory_->scratch_table;
}

std::size_t PieceMemory::block_size(Area area, Slot slot) const {
  const BlockTable* blocks = table(area);
  return blocks == nullptr ? memory_->block_bytes : blocks->sizes[slot];
}

std::size_t PieceMemory::piece_size(Area area, Slot slot) const {
  const std::size_t size = block_size(area, slot);
  return std::min(piece_bytes_, size - std::min(skipped_, size));
}

std::span<std::byte> PieceMemory::piece(Area area, Slot slot) const {
  if (piece_size(area, slot) == 0) return {};  // there may be no memory at all
  return {piece_begin(area, slot), piece_size(area, slot)};
}

std::byte* PieceMemory::piece_begin(Area area, Slot slot) const {
  const BlockTable* blocks = table(area);
  const std::size_t offset = blocks == nullptr ? slot * memory_->block_bytes : blocks->offsets[slot];
  return base(area) + static_cast<std::ptrdiff_t>(offset) + std::min(skipped_, block_size(area, slot));
}

std::size_t PieceMemory::read(Area area, Slot slot, std::byte* packet) const {
  const std::size_t size = piece_size(area, slot);
  if (has_calls() && area == Area::send) {
    memory_->calls->produce(Rank{slot}, skipped_, {packet, size});
  } else {
    copy_bytes(packet, piece(area, slot).data(), size);
  }
  return size;
}

std::size_t PieceMemory::write(Area area, Slot slot, const std::byte* packet) const {
  const std::size_t size = piece_size(area, slot);
  if (has_calls() && area == Area::receive) {
    memory_->calls->consume(Rank{slot}, skipped_, {packet, size});
  } else {
    copy_bytes(piece(area, slot).data(), packet, size);
  }
  return size;
}

std::size_t sum_of_pieces(const LocalProgram& program, const LocalMessage& message,
                          const PieceMemory& memory) {
  std::size_t size = 0;
  for_each_piece(program, message, [&](Area area, Slot slot) { size += memory.piece_size(area, slot); });
  return size;
}

std::size_t pack(const LocalProgram& program, const LocalMessage& message, const PieceMemory& memory,
                 std::byte* packet) {
  if (memory.has_equal_pieces()) {
    copy_equal_pieces(
        program, message, memory, packet,
        [](const std::byte* piece, std::byte* to, std::size_t size) { std::memcpy(to, piece, size); });
    return message_size(program, message, memory);
  }
  std::size_t size = 0;
  for_each_piece(program, message,
                 [&](Area area, Slot slot) { size += memory.read(area, slot, packet + size); });
  return size;
}

std::size_t unpack(const LocalProgram& program, const LocalMessage& message, const std::byte* packet,
                   const PieceMemory& memory) {
  if (memory.has_equal_pieces()) {
    copy_equal_pieces(
        program, message, memory, packet,
        [](std::byte* piece, const std::byte* from, std::size_t size) { std::memcpy(piece, from, size); });
    return message_size(program, message, memory);
  }
  std::size_t size = 0;
  for_each_piece(program, message,
                 [&](Area area, Slot slot) { size += memory.write(area, slot, packet + size); });
  return size;
}

std::size_t copy_to_places(const LocalProgram& program, const LocalMessage& message,
                           const PieceMemory& memory) {
  const std::byte* arrived = message_begin(program, message, memory);
  std::size_t copied = 0;
  for (const Run& run : runs_of(program, message)) {
    std::byte* const place = memory.equal_piece(run.area, run.first);
    const std::size_t size = run.count * memory.equal_size();
    if (place != arrived) {
      std::memcpy(place, arrived, size);
      copied += size;
    }
    arrived += size;
  }
  return copied;
}

std::size_t copied_blocks(const LocalProgram& program, const LocalMessage& message, bool joins_slots) {
  if (is_packed(message, joins_slots)) return message.block_count;
  if (!message.arrives_in) return 0;
  std::size_t copied = 0;
  Slot arrival = *message.arrives_in;
  for (const Run& run : runs_of(program, message)) {
    if (run.area != Area::scratch || run.first != arrival) copied += run.count;
    arrival += run.count;
  }
  return copied;
}

CopiedBlocks copied_blocks(const LocalProgram& program, bool joins_slots) {
  CopiedBlocks copied{program.own.size()};
  for (const LocalMessage& message : program.sends)
    copied.packed += copied_blocks(program, message, joins_slots);
  for (const LocalMessage& message : program.receives)
    copied.unpacked += copied_blocks(program, message, joins_slots);
  return copied;
}

namespace {

/// Replaces each left element by the result of the operation on it and on the right one. Parts that stay in the caches
/// keep the copies cheap.
void reduce_left(const Reduction& reduction, std::span<std::byte> left, std::span<const std::byte> right) {
  const std::size_t most_elements = reduction.right_operands.size() / reduction.element_bytes;
  const std::size_t most = most_elements * reduction.element_bytes;
  if (most == 0)
    throw std::invalid_argument("reduce: a message arrives left, and right operands have no memory");
  for (std::size_t begin = 0; begin < left.size(); begin += most) {
    const std::size_t size = std::min(most, left.size() - begin);
    const std::span<std::byte> result = reduction.right_operands.first(size);
    copy_bytes(result.data(), right.data() + begin, size);
    reduction.reduce(left.subspan(begin, size), result);
    copy_bytes(left.data() + begin, result.data(), size);
  }
}

}  // namespace

void reduce(const LocalProgram& program, const LocalMessage& message, const PieceMemory& memory) {
  std::size_t run = message.first_run + message.run_count;
  Slot used = 0;
  for_each_piece(program, message, [&](Area area, Slot slot) {
    const Run& operands = program.runs[run];
    const std::span<std::byte> operand = memory.piece(operands.area, operands.first + used);
    if (message.arrives_left) {
      reduce_left(memory.reduction(), memory.piece(area, slot), operand);
    } else {
      memory.reduction().reduce(operand, memory.piece(area, slot));
    }
    if (++used < operands.count) return;
    ++run;
    used = 0;
  });
}

}  // namespace cubefold
