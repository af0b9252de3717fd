#include "cc_cube_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "agreement.hpp"
#include "blocks.hpp"

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

std::size_t bytes_of(const StagePacket& packet, std::span<const int> fixed_bytes) {
  return static_cast<std::size_t>(fixed_bytes[packet.stage * packet.count + packet.index]);
}

/// Enlarges the buffer to at least `bytes`. Its contents are lost.
void enlarge(std::vector<std::byte>& buffer, std::size_t bytes) {
  if (buffer.size() >= bytes) return;
  buffer = {};  // the old contents need not be copied
  buffer.resize(bytes);
}

/// Returns the index of the first buffer for the packets that an iteration receives. The first `width` buffers are for
/// sending.
std::size_t first_incoming_buffer(std::size_t iteration, std::size_t width) {
  return (1 + iteration % 2) * width;
}

/// Posts a receive for a packet for which there is no memory. All its pieces are received into the same memory. The MPI
/// standard does not allow a receive with overlapping parts, but Open MPI and MPICH write them one after the other.
void receive_into_waste(std::span<std::byte> waste, std::uint64_t bytes, int peer, const TagRange& tags,
                        MPI_Request* request) {
  const auto piece = static_cast<int>(waste.size());
  const auto pieces = static_cast<int>((bytes + waste.size() - 1) / waste.size());
  MPI_Datatype over_and_over = MPI_DATATYPE_NULL;
  check(MPI_Type_create_hvector(pieces, piece, 0, MPI_BYTE, &over_and_over), "MPI_Type_create_hvector");
  const OwnedType owned(over_and_over);
  check(MPI_Type_commit(&over_and_over), "MPI_Type_commit");
  check(MPI_Irecv(waste.data(), 1, over_and_over, peer, tags.data_tag(), tags.comm, request), "MPI_Irecv");
}

}  // namespace

CcCubeMemory::CcCubeMemory(std::span<const int> dimensions, std::size_t packet_count,
                           std::vector<int> packet_bytes)
    : fixed_bytes(std::move(packet_bytes)) {
  const std::size_t width = std::min(dimensions.size(), packet_count);
  buffers.resize(3 * width);
  packets.reserve(width);
  for (auto& each : swaps) each.reserve(width);
  messages.reserve(4 * width);  // sizes and packets that are sent, packets that two iterations receive
  if (fixed_bytes.empty()) return;
  for (std::size_t k = 0; k < iteration_count(dimensions.size(), packet_count); ++k) {
    set_packets_of_iteration(packets, dimensions, packet_count, k);
    for (std::size_t place = 0; place < packets.size(); ++place) {
      const std::size_t bytes = bytes_of(packets[place], fixed_bytes);
      enlarge(buffers[place], bytes);
      enlarge(buffers[first_incoming_buffer(k, width) + place], bytes);
    }
  }
}

std::span<PacketSwap> CcCubeMemory::swaps_of(std::size_t iteration, const CcCubeAlgorithm& algorithm) {
  set_packets_of_iteration(packets, algorithm.dimensions(), algorithm.options().packet_count, iteration);
  const std::size_t incoming = first_incoming_buffer(iteration, buffers.size() / 3);
  auto& ours = swaps[iteration % 2];
  ours.clear();
  for (std::size_t place = 0; place < packets.size(); ++place) {
    const StagePacket& packet = packets[place];
    const auto peer = static_cast<int>(label(neighbour(algorithm.rank(), packet.dimension)));
    ours.push_back({packet, peer, &buffers[place], &buffers[incoming + place]});
  }
  return ours;
}

CcCubeRun::CcCubeRun(const CcCubeAlgorithm& algorithm, const StageCallBacks& call_backs, CcCubeMemory& memory,
                     const TagRange& tags)
    : Run(tags.number, true),
      algorithm_(algorithm),
      call_backs_(call_backs),
      memory_(memory),
      tags_(tags),
      iteration_count_(iteration_count(algorithm.dimensions().size(), algorithm.options().packet_count)),
      own_failure_(failure_of([&] { require_call_backs(call_backs, is_fixed()); })),
      stopped_(own_failure_.has_value()) {}

Awaited CcCubeRun::awaited() const {
  if (at_ == nullptr) return {};
  return {{at_->peer}, "", text_of(at_->packet) + ": "};
}

bool CcCubeRun::move(unsigned most_polls) {
  try {
    if (swaps_.empty()) begin_iteration();
    bool any = poll(most_polls);
    while (!is_over() && go_on()) any = true;  // polls in between would cost as much as a small message
    return any;
  } catch (...) {
    if (at_ != nullptr) note(at_->packet, current_failure());
    if (own_failure_) throw Error(own_failure_->status, own_failure_->text);
    throw;
  }
}

bool CcCubeRun::poll(unsigned most_polls) {
  const auto note_end = [&](const PacketMessage& message, const MPI_Status& status) {
    --(message.swap->*message.counter);
    if (message.counter != &PacketSwap::awaited_packets) return;
    int arrived = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &arrived), "MPI_Get_count");
    message.swap->is_short = static_cast<std::uint64_t>(arrived) != message.swap->incoming_bytes;
  };
  return memory_.messages.end_some(note_end, most_polls);
}

/// Does what is next if that is possible without waiting, and returns whether it was.
bool CcCubeRun::go_on() {
  switch (phase_) {
    case Phase::sizes:
      if (waits_for([](const PacketSwap& swap) { return swap.awaited_sizes > 0; })) return false;
      if (!is_fixed()) std::ranges::for_each(swaps_, [&](PacketSwap& swap) { take_announced(swap); });
      std::ranges::for_each(swaps_, [&](PacketSwap& swap) { order(swap); });
      step_ = next_outgoing_step(0);
      phase_ = Phase::produce;
      return true;
    case Phase::produce:
      if (waits_for([&](const PacketSwap& swap) {
            return (swap.incoming_step < *step_ && swap.awaited_packets > 0) ||
                   (swap.outgoing_step < *step_ && swap.sends > 0);
          }))
        return false;
      for (const PacketSwap& swap : swaps_) {
        if (swap.incoming_step < *step_) land(swap);
      }
      for (PacketSwap& swap : swaps_) {
        if (swap.outgoing_step == *step_) produce(swap);
      }
      step_ = next_outgoing_step(*step_ + 1);
      if (step_) return true;
      phase_ = Phase::consume;
      consumed_ = 0;
      return true;
    case Phase::consume:
      at_ = &swaps_[consumed_];
      if (at_->awaited_packets > 0) return false;
      land(*at_);
      consume(swaps_[consumed_]);
      if (++consumed_ == swaps_.size()) phase_ = Phase::finish;
      return true;
    case Phase::finish:
      if (waits_for([](const PacketSwap& swap) { return swap.sends > 0; })) return false;
      ++iteration_;
      begin_iteration();
      return true;
  }
  return false;
}

template <typename IsAwaited>
bool CcCubeRun::waits_for(IsAwaited is_awaited) {
  const auto awaited = std::ranges::find_if(swaps_, is_awaited);
  if (awaited == swaps_.end()) return false;
  at_ = &*awaited;
  return true;
}

// A process that has announced bytes sends a message even if it fails afterwards.
void CcCubeRun::begin_iteration() {
  if (iteration_ == iteration_count_) return end();
  swaps_ = iteration_ == 0 ? expect(0) : next_;
  next_ = expect(iteration_ + 1);
  at_ = &swaps_.front();
  if (!is_fixed()) std::ranges::for_each(swaps_, [&](PacketSwap& swap) { announce(swap); });
  phase_ = Phase::sizes;
}

/// Posts the receives of an iteration before it begins: those of the packets, or those of their sizes if the payload
/// varies.
CcCubeRun::Iteration CcCubeRun::expect(std::size_t iteration) {
  const Iteration swaps = memory_.swaps_of(iteration, algorithm_);
  for (PacketSwap& swap : swaps) {
    at_ = &swap;
    if (is_fixed()) {
      swap.outgoing_bytes = swap.incoming_bytes = bytes_of(swap.packet, memory_.fixed_bytes);
      receive_packet(swap);
    } else {
      memory_.messages.receive({&swap, &PacketSwap::awaited_sizes}, &swap.incoming_bytes,
                               sizeof swap.incoming_bytes, swap.peer, tags_.control_tag(), tags_.comm);
      ++swap.awaited_sizes;
    }
  }
  return swaps;
}

/// Sends the size of a packet, or PacketSwap::nothing if the process has stopped.
void CcCubeRun::announce(PacketSwap& swap) {
  compute(swap, [&] {
    swap.outgoing_bytes = static_cast<std::uint64_t>(message_bytes(call_backs_.bytes(swap.packet), 1));
  });
  send(swap, &swap.outgoing_bytes, sizeof swap.outgoing_bytes, tags_.control_tag());
}

/// Posts the receive of an announced packet, which arrives whether there is memory for it or not.
void CcCubeRun::take_announced(PacketSwap& swap) {
  at_ = &swap;
  if (swap.incoming_bytes == PacketSwap::nothing) stopped_ = true;
  if (swap.incoming_bytes == PacketSwap::nothing || swap.incoming_bytes == 0) return;
  note(swap.packet, failure_of([&] { enlarge(*swap.incoming_buffer, swap.incoming_bytes); }));
  receive_packet(swap);
}

void CcCubeRun::receive_packet(PacketSwap& swap) {
  const PacketMessage message{&swap, &PacketSwap::awaited_packets};
  if (swap.incoming_buffer->size() < swap.incoming_bytes) {
    receive_into_waste(memory_.waste, swap.incoming_bytes, swap.peer, tags_,
                       memory_.messages.add(message, true));
  } else {
    memory_.messages.receive(message, swap.incoming_buffer->data(), static_cast<int>(swap.incoming_bytes),
                             swap.peer, tags_.data_tag(), tags_.comm);
  }
  ++swap.awaited_packets;
}

void CcCubeRun::send(PacketSwap& swap, const void* buffer, std::size_t bytes, int tag) {
  memory_.messages.send({&swap, &PacketSwap::sends}, buffer, static_cast<int>(bytes), swap.peer, tag,
                        tags_.comm);
  ++swap.sends;
}

// Sets the steps of a swap. A process that has stopped keeps their defaults: it sends at once and waits last, which
// cannot block any order of the other processes.
void CcCubeRun::order(PacketSwap& swap) {
  const auto& step_of = algorithm_.options().step_of;
  if (!step_of) return;
  compute(swap, [&] {
    const std::size_t outgoing = step_of(iteration_, algorithm_.rank(), swap.packet.dimension);
    swap.incoming_step =
        step_of(iteration_, Rank{static_cast<std::uint32_t>(swap.peer)}, swap.packet.dimension);
    swap.outgoing_step = outgoing;
  });
}

/// Returns the first step, not before `step`, in which this process sends, or nothing if there is none.
std::optional<std::size_t> CcCubeRun::next_outgoing_step(std::size_t step) const {
  std::optional<std::size_t> next;
  for (const PacketSwap& swap : swaps_) {
    if (swap.outgoing_step >= step) next = std::min(next.value_or(swap.outgoing_step), swap.outgoing_step);
  }
  return next;
}

void CcCubeRun::produce(PacketSwap& swap) {
  std::span<std::byte> buffer;
  compute(swap, [&] {
    enlarge(*swap.outgoing_buffer, swap.outgoing_bytes);
    buffer = std::span(*swap.outgoing_buffer).first(swap.outgoing_bytes);
    call_backs_.produce(swap.packet, buffer);
  });
  const bool announced_none = swap.outgoing_bytes == 0 || swap.outgoing_bytes == PacketSwap::nothing;
  if (!is_fixed() && announced_none) return;
  if (stopped_) buffer = {};
  send(swap, buffer.data(), buffer.size(), tags_.data_tag());
}

void CcCubeRun::consume(PacketSwap& swap) {
  compute(swap, [&] {
    call_backs_.consume(swap.packet, std::span(*swap.incoming_buffer).first(swap.incoming_bytes));
  });
}

template <typename Work>
void CcCubeRun::compute(const PacketSwap& swap, Work&& work) {
  at_ = &swap;
  if (!stopped_) note(swap.packet, failure_of(std::forward<Work>(work)));
}

// Later failures are ignored, because they follow from the first failure of this process or a neighbour.
void CcCubeRun::note(const StagePacket& packet, const std::optional<Failure>& failure) {
  if (!failure || stopped_) return;
  stopped_ = true;
  try {
    own_failure_ = Failure{failure->status, fmt::format("{}: {}", text_of(packet), failure->text)};
  } catch (const std::bad_alloc&) {
    own_failure_ = Failure{Status::memory, "out of memory"};  // too short to need any
  }
}

}  // namespace cubefold::mpi
