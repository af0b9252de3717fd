#include "packets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

#include "event_queue.hpp"
#include "packet_routers.hpp"
#include "step_model.hpp"

namespace cubefold {

namespace {

using Time = PacketRouters::Time;
constexpr std::uint64_t control_bytes = 64;  ///< of an announcement, and of its answer

/// Identifies what travels for a message: the message, or what precedes it if it is long.
enum Part : std::uint32_t { data, announcement, answer, part_count };

std::uint32_t tag_of(std::uint32_t message, Part part) {
  return message * part_count + part;
}
std::uint32_t message_of(std::uint32_t tag) {
  return tag / part_count;
}
Part part_of(std::uint32_t tag) {
  return static_cast<Part>(tag % part_count);
}

/// Interrupts the CPU of a node at random times.
class Noise {
 public:
  Noise(const PacketNodes& nodes, std::size_t node)
      : length_(picoseconds_of(nodes.noise_seconds)),
        interval_seconds_(nodes.noise_interval_seconds),
        random_(nodes.seed * 0x9E3779B97F4A7C15U + node) {
    if (interval_seconds_ > 0) next_ = interval();
  }

  /// Returns when work is over that begins now and takes so long without interruptions.
  Time end_of(Time now, Time duration) {
    if (interval_seconds_ <= 0) return now + duration;
    while (next_ + length_ <= now) pass();
    Time end = now + duration;
    if (next_ <= now) {
      end = next_ + length_ + duration;
      pass();
    }
    for (; next_ < end; pass()) end += length_;
    return end;
  }

 private:
  void pass() { next_ += length_ + interval(); }

  Time interval() {
    return picoseconds_of(-std::log1p(-std::generate_canonical<double, 53>(random_)) * interval_seconds_);
  }

  Time length_;
  double interval_seconds_;
  std::mt19937_64 random_;
  Time next_ = 0;
};

struct Cpu {
  Noise noise;
  Time offset = 0;
  std::size_t next_post = 0;  ///< index into the list of posts
  std::size_t end_post = 0;
  std::vector<std::uint32_t> arrived{};  ///< tags to be handled
  std::size_t first_arrived = 0;
  bool is_busy = false;
  std::uint32_t task = 0;  ///< tag of the task under way
  bool is_posting = false;
  Time alarm = -1;  ///< when the CPU looks again, if it waits for its clock
  Time end = 0;
};

class PacketSimulator {
 public:
  PacketSimulator(const Grid& grid, const PacketNetwork& network, const PacketNodes& nodes,
                  const PacketProgram& program)
      : nodes_(nodes),
        program_(program),
        post_(picoseconds_of(nodes.post_seconds)),
        complete_(picoseconds_of(nodes.complete_seconds)),
        events_(delays(network, nodes)),
        routers_(grid, network, events_),
        grid_(grid) {
    for (std::size_t node = 0; node < grid.node_count(); ++node) {
      cpus_.push_back({Noise(nodes, node)});
      if (!nodes.offset_seconds.empty()) cpus_.back().offset = picoseconds_of(nodes.offset_seconds[node]);
    }
    list_posts();
    list_dependents();
  }

  PacketTimes run() {
    for (std::uint32_t node = 0; node < cpus_.size(); ++node)
      events_.add_at(cpus_[node].offset, cpu_looks, node);
    while (!events_.is_empty()) {
      const EventQueue::Event event = events_.pop();
      now_ = event.time;
      handle(event);
      if (!routers_.reports().empty()) take_reports();
    }
    require_all_received();
    return times();
  }

 private:
  enum Kind : std::uint32_t { cpu_is_done = PacketRouters::kind_count, adapter_is_ready, cpu_looks };
  static constexpr std::size_t adapter_lane = PacketRouters::lane_count;

  static std::vector<Time> delays(const PacketNetwork& network, const PacketNodes& nodes) {
    auto delays = PacketRouters::delays(network);
    delays.push_back(picoseconds_of(nodes.adapter_seconds));
    return delays;
  }

  const ProgramMessage& message(std::uint32_t tag) const { return program_.messages[message_of(tag)]; }

  void list_posts() {
    std::vector<std::size_t> first(cpus_.size() + 1);
    for (const ProgramMessage& message : program_.messages)
      ++first[static_cast<std::size_t>(message.from) + 1];
    for (std::size_t node = 0; node < cpus_.size(); ++node) {
      first[node + 1] += first[node];
      cpus_[node].next_post = cpus_[node].end_post = first[node];
    }
    posts_.resize(program_.messages.size());
    for (std::uint32_t number = 0; number < posts_.size(); ++number)
      posts_[cpus_[static_cast<std::size_t>(program_.messages[number].from)].end_post++] = number;
  }

  void list_dependents() {
    waits_left_.reserve(program_.messages.size());
    first_dependent_.resize(program_.messages.size() + 2);
    for (const std::uint32_t wait : program_.waits) ++first_dependent_[wait + 2];
    for (std::size_t i = 2; i < first_dependent_.size(); ++i) first_dependent_[i] += first_dependent_[i - 1];
    dependents_.resize(program_.waits.size());
    std::size_t wait = 0;
    for (std::uint32_t number = 0; number < program_.messages.size(); ++number) {
      waits_left_.push_back(program_.messages[number].wait_count);
      for (std::uint32_t i = 0; i < waits_left_.back(); ++i, ++wait)
        dependents_[first_dependent_[program_.waits[wait] + 1]++] = number;
    }
    message_end_.assign(program_.messages.size(), -1);
  }

  void handle(const EventQueue::Event& event) {
    switch (event.kind) {
      case cpu_is_done:
        finish_task(event.subject);
        return;
      case adapter_is_ready:
        leave_adapter(event.subject);
        return;
      case cpu_looks:
        work(event.subject);
        return;
      default:
        routers_.handle(event);
    }
  }

  void take_reports() {
    // A report makes no other ones, since a message leaves its node after the delay of the adapter.
    for (const auto& [tag, has_arrived] : routers_.reports()) {
      if (has_arrived) {
        const auto node =
            static_cast<std::uint32_t>(part_of(tag) == answer ? message(tag).from : message(tag).to);
        cpus_[node].arrived.push_back(tag);
        work(node);
      } else if (part_of(tag) == data) {
        release(message_of(tag), message(tag).from);
      }
    }
    routers_.reports().clear();
  }

  /// Begins the next task of a CPU, if it is idle. It posts what it can before it handles what has arrived.
  void work(std::uint32_t node) {
    Cpu& cpu = cpus_[node];
    if (cpu.is_busy || now_ < cpu.offset) return;
    if (may_post(cpu, node)) {
      begin(node, tag_of(posts_[cpu.next_post++], data), true);
    } else if (cpu.first_arrived < cpu.arrived.size()) {
      begin(node, cpu.arrived[cpu.first_arrived++], false);
    }
  }

  bool may_post(Cpu& cpu, std::uint32_t node) {
    if (cpu.next_post == cpu.end_post) return false;
    const std::uint32_t number = posts_[cpu.next_post];
    if (waits_left_[number] > 0) return false;
    const double not_before = program_.messages[number].not_before_seconds;
    if (not_before <= 0) return true;
    const Time begin = cpu.offset + picoseconds_of(not_before);
    if (begin <= now_) return true;
    if (cpu.alarm != begin) events_.add_at(begin, cpu_looks, node);
    cpu.alarm = begin;
    return false;
  }

  void begin(std::uint32_t node, std::uint32_t tag, bool is_posting) {
    Cpu& cpu = cpus_[node];
    const bool posts_now = is_posting || part_of(tag) == answer;
    Time duration = posts_now ? post_ : complete_;
    if (is_posting) {
      duration += picoseconds_of(message(tag).pack_seconds);
    } else if (part_of(tag) == data) {
      duration += picoseconds_of(message(tag).unpack_seconds);
    }
    cpu.is_busy = true;
    cpu.task = tag;
    cpu.is_posting = is_posting;
    events_.add_at(cpu.noise.end_of(now_, duration), cpu_is_done, node);
  }

  void finish_task(std::uint32_t node) {
    Cpu& cpu = cpus_[node];
    const std::uint32_t number = message_of(cpu.task);
    cpu.is_busy = false;
    cpu.end = now_;
    if (cpu.is_posting) {
      hand_over(number, program_.messages[number].bytes > nodes_.eager_bytes ? announcement : data);
    } else if (part_of(cpu.task) == announcement) {
      hand_over(number, answer);
    } else if (part_of(cpu.task) == answer) {
      hand_over(number, data);
    } else {
      message_end_[number] = now_;
      release(number, program_.messages[number].to);
    }
    work(node);
  }

  void hand_over(std::uint32_t number, Part part) {
    events_.add_after(adapter_lane, now_, adapter_is_ready, tag_of(number, part));
  }

  void leave_adapter(std::uint32_t tag) {
    const auto from = static_cast<std::uint32_t>(message(tag).from);
    const auto to = static_cast<std::uint32_t>(message(tag).to);
    switch (part_of(tag)) {
      case data:
        routers_.send(now_, from, to, message(tag).bytes, tag);
        return;
      case announcement:
        routers_.send(now_, from, to, control_bytes, tag);
        return;
      default:
        routers_.send(now_, to, from, control_bytes, tag);
    }
  }

  /// Lets messages of a node go that waited for this one.
  void release(std::uint32_t number, GridNode node) {
    bool is_free = false;
    for (std::uint32_t i = first_dependent_[number]; i < first_dependent_[number + 1]; ++i) {
      const std::uint32_t dependent = dependents_[i];
      if (program_.messages[dependent].from == node && --waits_left_[dependent] == 0) is_free = true;
    }
    Cpu& cpu = cpus_[static_cast<std::size_t>(node)];
    cpu.end = std::max(cpu.end, now_);
    if (is_free) work(static_cast<std::uint32_t>(node));
  }

  void require_all_received() const {
    const auto left = std::count(message_end_.begin(), message_end_.end(), Time{-1});
    if (left == 0) return;
    throw std::runtime_error(fmt::format("simulate_packets: {} messages wait for each other", left));
  }

  PacketTimes times() const {
    PacketTimes times;
    for (const Cpu& cpu : cpus_) {
      times.node_seconds.push_back(seconds_of(cpu.end));
      times.total_seconds = std::max(times.total_seconds, times.node_seconds.back());
    }
    for (const Time end : message_end_) times.message_seconds.push_back(seconds_of(end));
    routers_.set(times, grid_);
    return times;
  }

  const PacketNodes& nodes_;
  const PacketProgram& program_;
  Time post_;
  Time complete_;
  EventQueue events_;
  PacketRouters routers_;
  const Grid& grid_;
  Time now_ = 0;
  std::vector<Cpu> cpus_;
  std::vector<std::uint32_t> posts_;  ///< numbers of the messages of each node, those of node 0 first
  std::vector<std::uint32_t> waits_left_;
  std::vector<std::uint32_t> first_dependent_;  ///< of each message, in dependents_
  std::vector<std::uint32_t> dependents_;
  std::vector<Time> message_end_;
};

void require_that(bool is_kept, const std::string& rule) {
  if (!is_kept) throw std::invalid_argument("simulate_packets: " + rule);
}

void require_time(const char* name, double seconds) {
  require_that(std::isfinite(seconds) && seconds >= 0, fmt::format("{} {} is not a time", name, seconds));
}

void require_network(const Grid& grid, const PacketNetwork& network) {
  require_fit("simulate_packets", {0, network.tau_seconds_per_byte, 0, network.ports, network.tie}, grid);
  require_time("hop", network.hop_seconds);
  require_that(network.packet_bytes > 0, "packets of 0 bytes");
  require_that(network.buffer_packets > 0, "buffers of 0 packets");
  const double rate = network.injection_rate;
  require_that(rate > 0 && rate <= 1,
               fmt::format("the injection rate {} is not above 0 and at most 1", rate));
}

void require_nodes(const Grid& grid, const PacketNodes& nodes) {
  require_time("post", nodes.post_seconds);
  require_time("complete", nodes.complete_seconds);
  require_time("adapter", nodes.adapter_seconds);
  require_time("noise", nodes.noise_seconds);
  require_time("noise interval", nodes.noise_interval_seconds);
  const std::size_t offsets = nodes.offset_seconds.size();
  require_that(offsets == 0 || offsets == grid.node_count(),
               fmt::format("{} offsets for {} nodes", offsets, grid.node_count()));
  for (const double offset : nodes.offset_seconds) require_time("offset", offset);
}

void require_message(const Grid& grid, std::size_t number, const ProgramMessage& message) {
  const auto from = static_cast<std::size_t>(message.from);
  const auto to = static_cast<std::size_t>(message.to);
  require_that(from < grid.node_count() && to < grid.node_count(),
               fmt::format("message {} goes from node {} to {}; {} has {}", number, from, to, to_string(grid),
                           grid.node_count()));
  require_that(from != to, fmt::format("message {} goes from node {} to itself", number, from));
  require_that(message.bytes > 0, fmt::format("message {} has no bytes", number));
  require_time("not before", message.not_before_seconds);
  require_time("packing", message.pack_seconds);
  require_time("unpacking", message.unpack_seconds);
}

void require_messages(const Grid& grid, const PacketProgram& program) {
  const auto& messages = program.messages;
  require_that(messages.size() <= std::numeric_limits<std::uint32_t>::max() / part_count,
               fmt::format("{} messages are too many", messages.size()));
  std::size_t wait = 0;
  for (std::size_t number = 0; number < messages.size(); ++number) {
    require_message(grid, number, messages[number]);
    require_that(messages[number].wait_count <= program.waits.size() - wait,
                 "messages have more waits than there are");
    for (std::uint32_t i = 0; i < messages[number].wait_count; ++i, ++wait) {
      const std::uint32_t awaited = program.waits[wait];
      const GridNode node = messages[number].from;
      require_that(
          awaited < messages.size() && (messages[awaited].from == node || messages[awaited].to == node),
          fmt::format("message {} waits for message {}, which its sender neither sends nor receives", number,
                      awaited));
    }
  }
  require_that(wait == program.waits.size(), "there are more waits than messages have");
}

}  // namespace

PacketTimes simulate_packets(const Grid& grid, const PacketNetwork& network, const PacketNodes& nodes,
                             const PacketProgram& program) {
  require_network(grid, network);
  require_nodes(grid, nodes);
  require_messages(grid, program);
  return PacketSimulator(grid, network, nodes, program).run();
}

}  // namespace cubefold
