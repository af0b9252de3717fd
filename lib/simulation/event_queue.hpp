#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace cubefold {

/// Times are whole picoseconds, so that their sums are the same on all machines.
inline constexpr double picoseconds_per_second = 1e12;

inline std::int64_t picoseconds_of(double seconds) {
  return std::llround(seconds * picoseconds_per_second);
}

inline double seconds_of(std::int64_t picoseconds) {
  return static_cast<double>(picoseconds) / picoseconds_per_second;
}

/// Holds events of a simulation in the order of their times, and those of one time in the order in which they were
/// added. Most events of a network happen one of few delays after they were added. Events of one delay are a lane: they
/// are added in the order of their times, so a lane is a ring buffer and costs O(1). All others are in a heap.
class EventQueue {
 public:
  struct Event {
    std::int64_t time;
    std::uint64_t order;
    std::uint32_t kind;
    std::uint32_t subject;

    bool operator>(const Event& other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };

  explicit EventQueue(const std::vector<std::int64_t>& delays) {
    for (const std::int64_t delay : delays) lanes_.push_back({delay, std::vector<Event>(1024), 0, 0});
  }

  /// Adds an event that happens after the delay of the lane.
  void add_after(std::size_t lane, std::int64_t now, std::uint32_t kind, std::uint32_t subject) {
    lanes_[lane].push({now + lanes_[lane].delay, order_++, kind, subject});
  }

  void add_at(std::int64_t time, std::uint32_t kind, std::uint32_t subject) {
    heap_.push_back({time, order_++, kind, subject});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  bool is_empty() const {
    return heap_.empty() &&
           std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.first == lane.end; });
  }

  /// Removes and returns the next event. Requires that there is one.
  Event pop() {
    Lane* next = nullptr;
    for (Lane& lane : lanes_)
      if (lane.first != lane.end && (next == nullptr || next->front() > lane.front())) next = &lane;
    if (next == nullptr || (!heap_.empty() && next->front() > heap_.front())) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      const Event event = heap_.back();
      heap_.pop_back();
      return event;
    }
    return next->pop();
  }

 private:
  struct Lane {
    std::int64_t delay;
    std::vector<Event> ring;  ///< its size is a power of two
    std::size_t first;
    std::size_t end;

    const Event& front() const { return ring[first & (ring.size() - 1)]; }

    Event pop() { return ring[first++ & (ring.size() - 1)]; }

    void push(const Event& event) {
      if (end - first == ring.size()) grow();
      ring[end++ & (ring.size() - 1)] = event;
    }

    void grow() {
      std::vector<Event> larger(2 * ring.size());
      for (std::size_t i = first; i != end; ++i)
        larger[i & (larger.size() - 1)] = ring[i & (ring.size() - 1)];
      ring = std::move(larger);
    }
  };

  std::vector<Lane> lanes_;
  std::vector<Event> heap_;
  std::uint64_t order_ = 0;
};

}  // namespace cubefold
