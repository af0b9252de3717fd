#include "cc_cube_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

std::string text_of(const StagePacket& packet) {
  std::string stage = fmt::format("stage {} (dimension {})", packet.stage, packet.dimension);
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

/// Returns the first step, not before `step`, in which this process sends, or nothing if there is none.
std::optional<std::size_t> next_outgoing_step(std::span<const PacketSwap> swaps, std::size_t step) {
  std::optional<std::size_t> next;
  for (const PacketSwap& swap : swaps) {
    if (swap.outgoing_step >= step) next = std::min(next.value_or(swap.outgoing_step), swap.outgoing_step);
  }
  return next;
}

}  // namespace

CcCubeRun::CcCubeRun(const CcCubeTerms& terms, CcCubeMemory& memory)
    : terms_(terms),
      memory_(memory),
      failure_(failure_of([&] { require_call_backs(terms.call_backs, is_fixed()); })),
      stopped_(failure_.has_value()) {}

std::optional<Failure> CcCubeRun::run() {
  try {
    run_iterations();
  } catch (const Agreed&) {
    // Another process has failed. Its failure is thrown where all processes agree.
  } catch (...) {
    terms_.context.fail(failure_ ? *failure_ : current_failure());
  }
  return std::move(failure_);
}

void CcCubeRun::run_iterations() {
  const std::size_t iterations = iteration_count(terms_.dimensions.size(), terms_.options.packet_count);
  Iteration next = expect(0);
  for (std::size_t iteration = 0; iteration < iterations; ++iteration) {
    const Iteration swaps = std::exchange(next, expect(iteration + 1));
    if (!is_fixed()) announce(swaps);
    order(swaps, iteration);
    exchange(swaps);
    for (PacketSwap& swap : swaps) finish(swap);
  }
}

/// Posts the receives of an iteration before it begins: those of the packets, or those of their sizes if the payload
/// varies.
CcCubeRun::Iteration CcCubeRun::expect(std::size_t iteration) {
  const Iteration swaps =
      memory_.swaps_of(iteration, terms_.dimensions, terms_.options.packet_count, terms_.rank);
  for (PacketSwap& swap : swaps) {
    if (is_fixed()) {
      swap.outgoing_bytes = swap.incoming_bytes = bytes_of(swap.packet, terms_.fixed_bytes);
      communicate(swap.packet, [&] { receive_packet(swap, terms_.context.comm()); });
    } else {
      communicate(swap.packet, [&] { receive_size(swap, terms_.context.comm()); });
    }
  }
  return swaps;
}

/// Exchanges the sizes of an iteration, and posts the receives of its packets. A process that has announced bytes sends
/// a message even if it fails afterwards.
void CcCubeRun::announce(Iteration swaps) {
  for (PacketSwap& swap : swaps) {
    swap.outgoing_bytes = size_of(swap.packet);
    communicate(swap.packet, [&] { send_size(swap, terms_.context.comm()); });
  }
  for (PacketSwap& swap : swaps) {
    communicate(swap.packet, [&] { wait_for_size(swap, terms_.context); });
    if (swap.incoming_bytes == PacketSwap::nothing) {
      stopped_ = true;
    } else if (swap.incoming_bytes != 0) {
      take(swap);
    }
  }
}

/// Posts the receive of an announced packet, which arrives whether there is memory for it or not.
void CcCubeRun::take(PacketSwap& swap) {
  note(swap.packet, failure_of([&] { enlarge(*swap.incoming_buffer, swap.incoming_bytes); }));
  communicate(swap.packet, [&] {
    if (swap.incoming_buffer->size() < swap.incoming_bytes) {
      waste_packet(swap, memory_.waste, terms_.context.comm());
    } else {
      receive_packet(swap, terms_.context.comm());
    }
  });
}

// Sets the steps of the swaps. A process that has stopped keeps their defaults: it sends at once and waits last, which
// cannot block any order of the other processes.
void CcCubeRun::order(Iteration swaps, std::size_t iteration) {
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

void CcCubeRun::exchange(Iteration swaps) {
  for (auto step = next_outgoing_step(swaps, 0); step; step = next_outgoing_step(swaps, *step + 1)) {
    end_steps_before(*step, swaps);
    for (PacketSwap& swap : swaps) {
      if (swap.outgoing_step == *step) produce(swap);
    }
  }
  for (PacketSwap& swap : swaps) {
    land(swap);
    consume(swap);
  }
}

void CcCubeRun::end_steps_before(std::size_t step, Iteration swaps) {
  for (PacketSwap& swap : swaps) {
    if (swap.incoming_step < step) land(swap);
    if (swap.outgoing_step < step) finish(swap);
  }
}

void CcCubeRun::finish(PacketSwap& swap) {
  communicate(swap.packet, [&] { wait_for_sends(swap, terms_.context); });
}

/// Returns the size of a packet, or PacketSwap::nothing if the process has stopped.
std::uint64_t CcCubeRun::size_of(const StagePacket& packet) {
  std::uint64_t bytes = PacketSwap::nothing;
  compute(packet,
          [&] { bytes = static_cast<std::uint64_t>(message_bytes(terms_.call_backs.bytes(packet), 1)); });
  return bytes;
}

void CcCubeRun::produce(PacketSwap& swap) {
  std::span<std::byte> buffer;
  compute(swap.packet, [&] {
    enlarge(*swap.outgoing_buffer, swap.outgoing_bytes);
    buffer = std::span(*swap.outgoing_buffer).first(swap.outgoing_bytes);
    terms_.call_backs.produce(swap.packet, buffer);
  });
  const bool announced_none = swap.outgoing_bytes == 0 || swap.outgoing_bytes == PacketSwap::nothing;
  if (!is_fixed() && announced_none) return;
  if (stopped_) buffer = {};
  communicate(swap.packet, [&] { send_packet(swap, buffer, terms_.context.comm()); });
}

/// Waits for a packet if it has not arrived yet. A sender that has stopped sends less than expected.
void CcCubeRun::land(PacketSwap& swap) {
  if (swap.incoming == MPI_REQUEST_NULL) return;
  communicate(swap.packet, [&] {
    if (wait_for_packet(swap, terms_.context) != swap.incoming_bytes) stopped_ = true;
  });
}

void CcCubeRun::consume(PacketSwap& swap) {
  compute(swap.packet, [&] {
    terms_.call_backs.consume(swap.packet, std::span(*swap.incoming_buffer).first(swap.incoming_bytes));
  });
}

/// Runs work that a process skips if it has stopped.
template <typename Work>
void CcCubeRun::compute(const StagePacket& packet, Work&& work) {
  if (!stopped_) note(packet, failure_of(std::forward<Work>(work)));
}

/// Runs calls of MPI, which a process does even if it has stopped. A failure of theirs ends the run, because neighbours
/// may not get what they wait for.
template <typename Work>
void CcCubeRun::communicate(const StagePacket& packet, Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (const Agreed&) {
    throw;
  } catch (...) {
    note(packet, current_failure());
    throw;
  }
}

// Later failures are ignored, because they follow from the first failure of this process or a neighbour.
void CcCubeRun::note(const StagePacket& packet, const std::optional<Failure>& failure) {
  if (!failure || stopped_) return;
  stopped_ = true;
  try {
    failure_ = Failure{failure->status, fmt::format("{}: {}", text_of(packet), failure->text)};
  } catch (const std::bad_alloc&) {
    failure_ = Failure{Status::memory, "out of memory"};  // too short to need any
  }
}

}  // namespace cubefold::mpi
