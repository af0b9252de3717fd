#pragma once

#include <cstddef>
#include <vector>

namespace cubefold::mpi {

/// Rooms of one size for messages that have to be packed.
class PackingRoom {
 public:
  static constexpr std::size_t room_count = 8;

  PackingRoom(std::byte* memory, std::size_t room_bytes) {
    for (std::size_t i = 0; i < room_count; ++i) free_.push_back(memory + i * room_bytes);
  }

  bool is_free() const { return !free_.empty(); }
  std::byte* take() {
    std::byte* room = free_.back();
    free_.pop_back();
    return room;
  }
  void give(std::byte* room) { free_.push_back(room); }

 private:
  std::vector<std::byte*> free_;
};

}  // namespace cubefold::mpi
