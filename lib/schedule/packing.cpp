#include "packing.hpp"

#include <cstring>

namespace cubefold {

namespace {

/// Calls visit(area, first slot, count) for the pieces of a message, in order. One call covers as many pieces as are
/// consecutive in memory.
template <typename Visit>
void for_each_piece(const LocalProgram& program, const LocalMessage& message, const RoundMemory& memory,
                    Visit visit) {
  for (const Run& run : std::span(program.runs).subspan(message.first_run, message.run_count)) {
    const Slot together = memory.joins_slots() ? run.count : 1;
    for (Slot slot = run.first; slot < run.first + run.count; slot += together)
      visit(run.area, slot, together);
  }
}

/// Copies bytes. The sizes that single blocks often have are constants here, because a call of memcpy costs as much as
/// several of these copies.
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

const BlockTable* RoundMemory::table(Area area) const {
  switch (area) {
    case Area::send:
      return memory_->send_table;
    case Area::receive:
      return memory_->receive_table;
    case Area::scratch:
      break;
  }
  return nullptr;
}

std::size_t RoundMemory::block_size(Area area, Slot slot) const {
  const BlockTable* blocks = table(area);
  return blocks == nullptr ? memory_->block_bytes : blocks->sizes[slot];
}

std::size_t RoundMemory::piece_size(Area area, Slot slot) const {
  const std::size_t size = block_size(area, slot);
  return std::min(piece_bytes_, size - std::min(skipped_, size));
}

std::span<std::byte> RoundMemory::piece(Area area, Slot slot) const {
  if (piece_size(area, slot) == 0) return {};  // there may be no memory at all
  std::byte* base = area == Area::receive ? memory_->receive : scratch_;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the one const_cast of the area that nobody writes to
  if (area == Area::send) base = const_cast<std::byte*>(memory_->send);
  const BlockTable* blocks = table(area);
  const std::size_t offset = blocks == nullptr ? slot * memory_->block_bytes : blocks->offsets[slot];
  return {base + offset + std::min(skipped_, block_size(area, slot)), piece_size(area, slot)};
}

std::size_t RoundMemory::read(Area area, Slot first, Slot count, std::byte* packet) const {
  const std::size_t size = piece_size(area, first) * count;
  if (has_calls() && area == Area::send) {
    memory_->calls->produce(Rank{first}, skipped_, {packet, size});
  } else {
    copy_bytes(packet, piece(area, first).data(), size);
  }
  return size;
}

std::size_t RoundMemory::write(Area area, Slot first, Slot count, const std::byte* packet) const {
  const std::size_t size = piece_size(area, first) * count;
  if (has_calls() && area == Area::receive) {
    memory_->calls->consume(Rank{first}, skipped_, {packet, size});
  } else {
    copy_bytes(piece(area, first).data(), packet, size);
  }
  return size;
}

std::size_t message_size(const LocalProgram& program, const LocalMessage& message,
                         const RoundMemory& memory) {
  std::size_t size = 0;
  for_each_piece(program, message, memory,
                 [&](Area area, Slot slot, Slot count) { size += memory.piece_size(area, slot) * count; });
  return size;
}

std::byte* message_begin(const LocalProgram& program, const LocalMessage& message,
                         const RoundMemory& memory) {
  const Run& run = program.runs[message.first_run];
  return memory.piece(run.area, run.first).data();
}

void pack(const LocalProgram& program, const LocalMessage& message, const RoundMemory& memory,
          std::byte* packet) {
  for_each_piece(program, message, memory,
                 [&](Area area, Slot slot, Slot count) { packet += memory.read(area, slot, count, packet); });
}

void unpack(const LocalProgram& program, const LocalMessage& message, const std::byte* packet,
            const RoundMemory& memory) {
  for_each_piece(program, message, memory, [&](Area area, Slot slot, Slot count) {
    packet += memory.write(area, slot, count, packet);
  });
}

}  // namespace cubefold
