#include "cc_cube_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/count.hpp"

namespace cubefold::mpi {

namespace {

/// The communicator is ours. Messages of two processes in a dimension stay in order of iterations and stages, sizes
/// as well as packets, so that one tag for each serves.
enum Tag : int { packet_tag, size_tag };

int peer(const PacketSwap& swap) {
  return static_cast<int>(label(swap.neighbour));
}

std::size_t swaps_at_once(std::size_t stage_count, std::size_t packet_count) {
  return std::min(stage_count, packet_count);
}

/// Where the packets that come in an iteration have their rooms; those that go have theirs before them.
std::size_t incoming_rooms(std::size_t iteration, std::size_t width) {
  return (1 + iteration % 2) * width;
}

std::size_t bytes_of(const StagePacket& packet, std::span<const int> fixed_bytes) {
  return static_cast<std::size_t>(fixed_bytes[packet.stage * packet.count + packet.index]);
}

void enlarge(std::vector<std::byte>& room, std::size_t bytes) {
  if (room.size() >= bytes) return;
  room = {};  // what was in it need not be copied
  room.resize(bytes);
}

std::string text_of(const StagePacket& packet) {
  const std::string stage = fmt::format("stage {} (dimension {})", packet.stage, packet.dimension);
  if (packet.count == 1) return stage;
  return fmt::format("{}, packet {} of {}", stage, packet.index, packet.count);
}

void require_call_backs(const StageCallBacks& call_backs, bool is_fixed) {
  if (!call_backs.produce) throw std::invalid_argument("the call-back produce is missing");
  if (!call_backs.consume) throw std::invalid_argument("the call-back consume is missing");
  if (!is_fixed && !call_backs.bytes)
    throw std::invalid_argument("the call-back bytes is missing, and no packet_bytes fix the payload");
  if (is_fixed && call_backs.bytes)
    throw std::invalid_argument("the call-back bytes is given, but packet_bytes fix the payload");
}

/// Steps in which this process sends, ascending.
std::set<std::size_t> outgoing_steps(const std::vector<PacketSwap>& swaps) {
  std::set<std::size_t> steps;
  for (const PacketSwap& swap : swaps) steps.insert(swap.outgoing_step);
  return steps;
}

}  // namespace

std::vector<std::vector<std::byte>> cc_cube_rooms(std::span<const int> dimensions, std::size_t packet_count,
                                                  std::span<const int> fixed_bytes) {
  const std::size_t width = swaps_at_once(dimensions.size(), packet_count);
  std::vector<std::vector<std::byte>> rooms(3 * width);
  if (fixed_bytes.empty()) return rooms;
  for (std::size_t k = 0; k < iteration_count(dimensions.size(), packet_count); ++k) {
    const auto packets = packets_of_iteration(dimensions, packet_count, k);
    for (std::size_t place = 0; place < packets.size(); ++place) {
      const std::size_t bytes = bytes_of(packets[place], fixed_bytes);
      enlarge(rooms[place], bytes);
      enlarge(rooms[incoming_rooms(k, width) + place], bytes);
    }
  }
  return rooms;
}

CcCubeRun::CcCubeRun(const CcCubeTerms& terms, std::span<std::vector<std::byte>> rooms)
    : terms_(terms),
      rooms_(rooms),
      failure_(failure_of([&] { require_call_backs(terms.call_backs, is_fixed()); })),
      stopped_(failure_.has_value()) {}

std::optional<Failure> CcCubeRun::run() {
  const std::size_t iterations = iteration_count(terms_.dimensions.size(), terms_.options.packet_count);
  Iteration next = expect(0);
  for (std::size_t iteration = 0; iteration < iterations; ++iteration) {
    // Moved, not copied: MPI holds addresses of the elements.
    Iteration swaps = std::exchange(next, expect(iteration + 1));
    if (!is_fixed()) announce(swaps);
    order(swaps, iteration);
    exchange(swaps);
    for (PacketSwap& swap : swaps) finish(swap);
  }
  return failure_;
}

CcCubeRun::Iteration CcCubeRun::swaps_of(std::size_t iteration) {
  const std::size_t width = swaps_at_once(terms_.dimensions.size(), terms_.options.packet_count);
  Iteration swaps;
  swaps.reserve(width);
  for (const StagePacket& packet :
       packets_of_iteration(terms_.dimensions, terms_.options.packet_count, iteration)) {
    const std::size_t place = swaps.size();
    swaps.push_back({packet, neighbour(terms_.rank, packet.dimension), &rooms_[place],
                     &rooms_[incoming_rooms(iteration, width) + place]});
  }
  return swaps;
}

/// Posts what can be posted before the iteration begins.
CcCubeRun::Iteration CcCubeRun::expect(std::size_t iteration) {
  Iteration swaps = swaps_of(iteration);
  for (PacketSwap& swap : swaps) {
    if (is_fixed()) {
      swap.outgoing_bytes = swap.incoming_bytes = bytes_of(swap.packet, terms_.fixed_bytes);
      receive_packet(swap);
    } else {
      receive_size(swap);
    }
  }
  return swaps;
}

/// The sizes of an iteration, both ways. Who has announced bytes sends a message, whatever happens then.
void CcCubeRun::announce(Iteration& swaps) {
  for (PacketSwap& swap : swaps) {
    swap.outgoing_bytes = size_of(swap.packet);
    send_size(swap);
  }
  for (PacketSwap& swap : swaps) {
    communicate(swap.packet, [&] { check(MPI_Wait(&swap.incoming_size, MPI_STATUS_IGNORE), "MPI_Wait"); });
    if (swap.incoming_bytes == PacketSwap::nothing) {
      stopped_ = true;
    } else if (swap.incoming_bytes != 0) {
      enlarge(*swap.incoming_room, swap.incoming_bytes);
      receive_packet(swap);
    }
  }
}

// A process that has stopped sends at once and waits last, which suits every order of the others.
void CcCubeRun::order(Iteration& swaps, std::size_t iteration) {
  const auto& step_of = terms_.options.step_of;
  if (!step_of) return;
  for (PacketSwap& swap : swaps) {
    compute(swap.packet, [&] {
      const std::size_t outgoing = step_of(iteration, terms_.rank, swap.packet.dimension);
      swap.incoming_step = step_of(iteration, swap.neighbour, swap.packet.dimension);
      swap.outgoing_step = outgoing;
    });
  }
}

void CcCubeRun::exchange(Iteration& swaps) {
  for (const std::size_t step : outgoing_steps(swaps)) {
    end_steps_before(step, swaps);
    for (PacketSwap& swap : swaps) {
      if (swap.outgoing_step == step) produce(swap);
    }
  }
  for (PacketSwap& swap : swaps) {
    land(swap);
    consume(swap);
  }
}

void CcCubeRun::end_steps_before(std::size_t step, Iteration& swaps) {
  for (PacketSwap& swap : swaps) {
    if (swap.incoming_step < step) land(swap);
    if (swap.outgoing_step < step) finish(swap);
  }
}

void CcCubeRun::finish(PacketSwap& swap) {
  communicate(swap.packet, [&] {
    check(MPI_Wait(&swap.outgoing, MPI_STATUS_IGNORE), "MPI_Wait");
    check(MPI_Wait(&swap.outgoing_size, MPI_STATUS_IGNORE), "MPI_Wait");
  });
}

/// PacketSwap::nothing from a process that has stopped.
std::uint64_t CcCubeRun::size_of(const StagePacket& packet) {
  std::uint64_t bytes = PacketSwap::nothing;
  compute(packet,
          [&] { bytes = static_cast<std::uint64_t>(message_bytes(terms_.call_backs.bytes(packet), 1)); });
  return bytes;
}

void CcCubeRun::produce(PacketSwap& swap) {
  std::span<std::byte> room;
  compute(swap.packet, [&] {
    enlarge(*swap.outgoing_room, swap.outgoing_bytes);
    room = std::span(*swap.outgoing_room).first(swap.outgoing_bytes);
    terms_.call_backs.produce(swap.packet, room);
  });
  const bool announced_none = swap.outgoing_bytes == 0 || swap.outgoing_bytes == PacketSwap::nothing;
  if (!is_fixed() && announced_none) return;
  send_packet(swap, stopped_ ? std::span<std::byte>() : room);
}

/// Waits for the packet if it has not come yet. A sender that has stopped sends less than was expected.
void CcCubeRun::land(PacketSwap& swap) {
  if (swap.incoming == MPI_REQUEST_NULL) return;
  communicate(swap.packet, [&] {
    MPI_Status status;
    int arrived = 0;
    check(MPI_Wait(&swap.incoming, &status), "MPI_Wait");
    check(MPI_Get_count(&status, MPI_BYTE, &arrived), "MPI_Get_count");
    if (static_cast<std::uint64_t>(arrived) != swap.incoming_bytes) stopped_ = true;
  });
}

void CcCubeRun::consume(PacketSwap& swap) {
  compute(swap.packet, [&] {
    terms_.call_backs.consume(swap.packet, std::span(*swap.incoming_room).first(swap.incoming_bytes));
  });
}

void CcCubeRun::receive_size(PacketSwap& swap) {
  communicate(swap.packet, [&] {
    check(MPI_Irecv(&swap.incoming_bytes, 1, MPI_UINT64_T, peer(swap), size_tag, terms_.comm,
                    &swap.incoming_size),
          "MPI_Irecv");
  });
}

void CcCubeRun::send_size(PacketSwap& swap) {
  communicate(swap.packet, [&] {
    check(MPI_Isend(&swap.outgoing_bytes, 1, MPI_UINT64_T, peer(swap), size_tag, terms_.comm,
                    &swap.outgoing_size),
          "MPI_Isend");
  });
}

void CcCubeRun::receive_packet(PacketSwap& swap) {
  communicate(swap.packet, [&] {
    check(MPI_Irecv(swap.incoming_room->data(), static_cast<int>(swap.incoming_bytes), MPI_BYTE, peer(swap),
                    packet_tag, terms_.comm, &swap.incoming),
          "MPI_Irecv");
  });
}

void CcCubeRun::send_packet(PacketSwap& swap, std::span<const std::byte> bytes) {
  communicate(swap.packet, [&] {
    check(MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, peer(swap), packet_tag,
                    terms_.comm, &swap.outgoing),
          "MPI_Isend");
  });
}

/// What a process that has stopped does not do.
template <typename Work>
void CcCubeRun::compute(const StagePacket& packet, Work&& work) {
  if (!stopped_) note(packet, failure_of(std::forward<Work>(work)));
}

/// What it does.
template <typename Work>
void CcCubeRun::communicate(const StagePacket& packet, Work&& work) {
  note(packet, failure_of(std::forward<Work>(work)));
}

// What fails after the first failure, ours or another's, follows from it.
void CcCubeRun::note(const StagePacket& packet, const std::optional<Failure>& failure) {
  if (!failure || stopped_) return;
  failure_ = Failure{failure->status, fmt::format("{}: {}", text_of(packet), failure->text)};
  stopped_ = true;
}

}  // namespace cubefold::mpi
