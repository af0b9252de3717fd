#include "cubefold/schedule/packing.hpp"

#include <cstring>

namespace cubefold {

namespace {

/// Calls visit(piece) for the pieces of a message, in order, as long ones as there are.
template <typename Visit>
void for_each_piece(const LocalProgram& program, const LocalMessage& message, const RoundMemory& memory, Visit visit) {
  const auto runs = std::span(program.runs).subspan(message.first_run, message.run_count);
  for (const Run& run : runs) {
    if (memory.joins_slots()) {
      const auto first = memory.piece(run.area, run.first);
      visit(std::span<std::byte>(first.data(), first.size() * run.count));
      continue;
    }
    for (Slot slot = run.first; slot < run.first + run.count; ++slot) visit(memory.piece(run.area, slot));
  }
}

/// Of the sizes that single blocks often have; a call of memcpy costs as much as several of these copies.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t size) {
  switch (size) {
    case 0:  // the pointers may be null, which memcpy must not see
      return;
    case 8:
      std::memcpy(to, from, 8);
      return;
    case 16:
      std::memcpy(to, from, 16);
      return;
    case 32:
      std::memcpy(to, from, 32);
      return;
    default:
      std::memcpy(to, from, size);
  }
}

}  // namespace

std::span<std::byte> RoundMemory::piece(Area area, Slot slot) const {
  const auto whole = block(area, slot);
  const std::size_t skipped = std::min(skipped_, whole.size());
  return whole.subspan(skipped, std::min(piece_bytes_, whole.size() - skipped));
}

std::span<std::byte> RoundMemory::block(Area area, Slot slot) const {
  std::byte* base = area == Area::receive ? memory_->receive : scratch_;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the one const_cast of the area that nobody writes to
  if (area == Area::send) base = const_cast<std::byte*>(memory_->send);
  const BlockTable* table = area == Area::send      ? memory_->send_table
                            : area == Area::receive ? memory_->receive_table
                                                    : nullptr;
  if (table == nullptr) return {base + slot * memory_->block_bytes, memory_->block_bytes};
  return {base + table->offsets[slot], table->sizes[slot]};
}

std::size_t message_size(const LocalProgram& program, const LocalMessage& message, const RoundMemory& memory) {
  std::size_t size = 0;
  for_each_piece(program, message, memory, [&](std::span<std::byte> piece) { size += piece.size(); });
  return size;
}

std::byte* message_begin(const LocalProgram& program, const LocalMessage& message, const RoundMemory& memory) {
  const Run& run = program.runs[message.first_run];
  return memory.piece(run.area, run.first).data();
}

void pack(const LocalProgram& program, const LocalMessage& message, const RoundMemory& memory, std::byte* packet) {
  for_each_piece(program, message, memory, [&](std::span<std::byte> piece) {
    copy_bytes(packet, piece.data(), piece.size());
    packet += piece.size();
  });
}

void unpack(const LocalProgram& program, const LocalMessage& message, const std::byte* packet,
            const RoundMemory& memory) {
  for_each_piece(program, message, memory, [&](std::span<std::byte> piece) {
    copy_bytes(piece.data(), packet, piece.size());
    packet += piece.size();
  });
}

}  // namespace cubefold
