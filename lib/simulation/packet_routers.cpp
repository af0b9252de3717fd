#include "packet_routers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cubefold {

namespace {

constexpr std::int64_t endless_room = std::numeric_limits<std::int64_t>::max() / 2;

std::int64_t duration_of(std::uint32_t bytes, double tau) {
  return std::llround(bytes * tau);
}

/// Returns the picoseconds per byte of a link.
double tau_of(const Grid& grid, const PacketNetwork& network, const Link& link) {
  const auto& taus = network.tau_seconds_per_byte;
  const double tau = taus.size() == 1 ? taus[0] : taus[static_cast<std::size_t>(link.axis)];
  return picoseconds_per_second * tau / rate_of(grid, link);
}

}  // namespace

std::vector<PacketRouters::Time> PacketRouters::delays(const PacketNetwork& network) {
  const double tau = picoseconds_per_second * network.tau_seconds_per_byte[0];
  return {picoseconds_of(network.hop_seconds), duration_of(network.packet_bytes, tau)};
}

PacketRouters::PacketRouters(const Grid& grid, const PacketNetwork& network, EventQueue& events)
    : routes_(grid, network.tie),
      events_(events),
      arbitration_(network.arbitration),
      has_one_port_(network.ports == Ports::one),
      channels_(routes_.channel_count()),
      packet_bytes_(network.packet_bytes),
      hop_(delays(network)[hop_lane]),
      full_packet_(delays(network)[packet_lane]),
      first_entry_(static_cast<std::uint32_t>(routes_.link_count())) {
  // Entries and exits are those of nodes with one port, and those of links with all.
  const std::size_t port_count = has_one_port_ ? routes_.node_count() : routes_.link_count();
  first_exit_ = first_entry_ + static_cast<std::uint32_t>(port_count);
  fifo_count_ = arbitration_ == Arbitration::voq ? 0 : first_entry_ * channels_;
  const auto& taus = network.tau_seconds_per_byte;
  tau_.assign(first_exit_ + port_count, picoseconds_per_second * *std::min_element(taus.begin(), taus.end()));
  for (const Link& link : links_of(grid)) {
    const std::size_t index = link_index(grid, link);
    tau_[index] = tau_of(grid, network, link);
    if (!has_one_port_) tau_[first_entry_ + index] = tau_[first_exit_ + index] = tau_[index];
  }
  for (std::size_t entry = first_entry_; entry < first_exit_; ++entry) tau_[entry] /= network.injection_rate;
  outputs_.resize(tau_.size());
  waiting_.resize(outputs_.size() * channels_ * 2);
  room_.assign(outputs_.size() * channels_, endless_room);
  if (network.buffer_packets != unlimited_buffer) {
    std::fill_n(room_.begin(), std::size_t{first_exit_} * channels_,
                static_cast<std::int64_t>(network.buffer_packets) * network.packet_bytes);
  }
  fifos_.resize(fifo_count_);
  is_leaving_.resize(fifo_count_);
  ports_.resize(port_count);
}

void PacketRouters::send(Time now, std::uint32_t from, std::uint32_t to, std::uint64_t bytes,
                         std::uint32_t tag) {
  now_ = now;
  const std::uint32_t port = has_one_port_ ? from : routes_.next(from, to);
  ports_[port].messages.push_back({from, to, tag, bytes});
  next_packet(port);
}

void PacketRouters::handle(const EventQueue::Event& event) {
  now_ = event.time;
  if (event.kind == packet_arrives) {
    enter_buffer(event.subject);
  } else {
    finish(event.subject);
  }
}

std::uint32_t PacketRouters::new_packet() {
  if (free_packets_ == none) {
    packets_.emplace_back();
    return static_cast<std::uint32_t>(packets_.size() - 1);
  }
  const std::uint32_t index = free_packets_;
  free_packets_ = packets_[index].next_waiting;
  return index;
}

/// Lets the next packet of a port wait for the entry, unless one does or there is none.
void PacketRouters::next_packet(std::uint32_t number) {
  Port& port = ports_[number];
  if (port.is_busy || port.messages.empty()) return;
  port.is_busy = true;
  if (port.turn >= port.messages.size()) port.turn = 0;
  LeavingMessage& message = port.messages[port.turn];
  const std::uint32_t index = new_packet();
  Packet& packet = packets_[index];
  packet.tag = message.tag;
  packet.from = message.from;
  packet.to = message.to;
  packet.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(message.bytes, packet_bytes_));
  message.bytes -= packet.bytes;
  packet.is_last = message.bytes == 0;
  packet.buffer = none;
  packet.output = first_entry_ + number;
  packet.channel = 0;
  packet.began = now_;
  packet.is_complete = 0;
  if (packet.is_last) {
    port.messages.erase(port.messages.begin() + static_cast<std::ptrdiff_t>(port.turn));
  } else {
    ++port.turn;
  }
  wait(index);
}

void PacketRouters::enter_buffer(std::uint32_t index) {
  Packet& packet = packets_[index];
  if (!is_fifo(packet.buffer)) {
    ask(index);
    return;
  }
  PacketList& fifo = fifos_[packet.buffer];
  packet.next_in_buffer = none;
  (fifo.first == none ? fifo.first : packets_[fifo.last].next_in_buffer) = index;
  fifo.last = index;
  if (fifo.first == index && is_leaving_[packet.buffer] == 0) ask(index);
}

/// Lets a packet in a buffer wait for its next output.
void PacketRouters::ask(std::uint32_t index) {
  Packet& packet = packets_[index];
  const std::uint32_t last = packet.buffer / channels_;
  if (is_link(last)) {
    const std::uint32_t here = routes_.end_of(last);
    const std::uint32_t next = routes_.next(here, packet.to);
    const auto channel = static_cast<std::uint8_t>(packet.buffer % channels_);
    const bool is_at_end = next == ChannelRoutes::no_link;
    packet.output = is_at_end ? first_exit_ + (has_one_port_ ? here : last) : next;
    packet.channel = is_at_end ? std::uint8_t{0} : routes_.next_channel(last, channel, packet.to);
  } else {
    packet.output = routes_.next(packet.from, packet.to);
    packet.channel = routes_.first_channel(packet.from, packet.to);
  }
  wait(index);
}

void PacketRouters::wait(std::uint32_t index) {
  Packet& packet = packets_[index];
  packet.asked = now_;
  packet.next_waiting = none;
  const bool is_own = packet.buffer != none && !is_link(packet.buffer / channels_);
  PacketList& list = waiting_[(packet.output * channels_ + packet.channel) * 2 + (is_own ? 1 : 0)];
  (list.first == none ? list.first : packets_[list.last].next_waiting) = index;
  list.last = index;
  Output& output = outputs_[packet.output];
  if (output.waiting_count++ == 0) output.blocked_since = now_;
  serve(packet.output);
}

/// Looks for a packet in a list that has room behind the output. By age the packet that left its node first is the
/// best, and in turn that of the next buffer after the one that was served last.
void PacketRouters::consider(std::uint32_t list, std::int64_t room, const Output& output,
                             Choice& best) const {
  const bool is_by_age = arbitration_ == Arbitration::voq;
  std::uint32_t before = none;
  for (std::uint32_t index = waiting_[list].first; index != none; index = packets_[index].next_waiting) {
    const Packet& packet = packets_[index];
    if (packet.bytes <= room) {
      const std::uint64_t rank = is_by_age ? static_cast<std::uint64_t>(packet.began)
                                           : std::uint32_t{packet.buffer - output.buffer - 1};
      if (rank < best.rank) best = {index, before, list, rank};
    }
    before = index;
  }
}

/// Gives a free output to one of the packets that wait for it.
void PacketRouters::serve(std::uint32_t number) {
  const Output& output = outputs_[number];
  if (output.is_busy || output.waiting_count == 0) return;
  Choice best;
  for (std::uint32_t own = 0; own < 2; ++own) {
    for (std::uint32_t channel = 0; channel < channels_; ++channel) {
      const std::uint32_t place = number * channels_ + channel;
      if (waiting_[place * 2 + own].first != none) consider(place * 2 + own, room_[place], output, best);
    }
    if (arbitration_ == Arbitration::transit && best.packet != none) break;
  }
  if (best.packet != none) transmit(number, best);
}

void PacketRouters::transmit(std::uint32_t number, const Choice& choice) {
  Packet& packet = packets_[choice.packet];
  PacketList& list = waiting_[choice.list];
  (choice.before == none ? list.first : packets_[choice.before].next_waiting) = packet.next_waiting;
  if (list.last == choice.packet) list.last = choice.before;
  if (packet.buffer != none && is_fifo(packet.buffer)) {
    fifos_[packet.buffer].first = packet.next_in_buffer;
    is_leaving_[packet.buffer] = 1;
  }

  // A packet cannot have left before it has come, where the next link is faster.
  const Time end = std::max(now_ + duration_of(packet.bytes, tau_[number]), packet.is_complete);
  Output& output = outputs_[number];
  output.blocked += now_ - output.blocked_since;
  output.waiting += now_ - packet.asked;
  output.busy += end - now_;
  --output.waiting_count;
  output.is_busy = true;
  output.is_last = packet.is_last;
  output.buffer = packet.buffer;
  output.bytes = packet.bytes;
  output.tag = packet.tag;
  if (end - now_ == full_packet_) {
    events_.add_after(packet_lane, now_, output_is_done, number);
  } else {
    events_.add_at(end, output_is_done, number);
  }
  if (is_exit(number)) {
    packet.next_waiting = free_packets_;
    free_packets_ = choice.packet;
    return;
  }
  packet.buffer = number * channels_ + packet.channel;
  packet.is_complete = end + hop_;
  room_[packet.buffer] -= packet.bytes;
  events_.add_after(hop_lane, now_, packet_arrives, choice.packet);
}

/// The last byte of the packet on an output has left its buffer, which has room for another one.
void PacketRouters::finish(std::uint32_t number) {
  Output& output = outputs_[number];
  output.is_busy = false;
  output.blocked_since = now_;
  const std::uint32_t buffer = output.buffer;
  if (buffer == none) {
    if (output.is_last) reports_.push_back({output.tag, false});
    ports_[number - first_entry_].is_busy = false;
    next_packet(number - first_entry_);
    return;
  }
  if (output.is_last && is_exit(number)) reports_.push_back({output.tag, true});
  room_[buffer] += output.bytes;
  if (is_fifo(buffer)) {
    is_leaving_[buffer] = 0;
    if (fifos_[buffer].first != none) ask(fifos_[buffer].first);
  }
  serve(buffer / channels_);
  serve(number);
}

void PacketRouters::set(PacketTimes& times, const Grid& grid) const {
  for (std::size_t link = 0; link < first_entry_; ++link) {
    times.link_busy.push_back(seconds_of(outputs_[link].busy));
    times.link_waiting.push_back(seconds_of(outputs_[link].waiting));
    times.link_blocked.push_back(seconds_of(outputs_[link].blocked));
  }
  times.entry_blocked.assign(routes_.node_count(), 0);
  times.exit_waiting.assign(routes_.node_count(), 0);
  const auto add = [&](std::size_t port, std::size_t from, std::size_t to) {
    if (from < routes_.node_count())
      times.entry_blocked[from] += seconds_of(outputs_[first_entry_ + port].blocked);
    if (to < routes_.node_count()) times.exit_waiting[to] += seconds_of(outputs_[first_exit_ + port].waiting);
  };
  if (has_one_port_) {
    for (std::size_t node = 0; node < routes_.node_count(); ++node) add(node, node, node);
  } else {
    for (const Link& link : links_of(grid)) {
      const std::size_t index = link_index(grid, link);
      add(index, static_cast<std::size_t>(link.from), routes_.end_of(static_cast<std::uint32_t>(index)));
    }
  }
}

}  // namespace cubefold
