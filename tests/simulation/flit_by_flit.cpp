#include "simulation/flit_by_flit.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>

namespace cubefold {

namespace {

enum class Kind { injection, link, ejection };
using Channel = std::tuple<Kind, GridNode, int, Direction>;

constexpr int not_sent = -1;
constexpr int consumed = -2;

/// Holds a message, the channels of its path so far, and for every flit the index of the channel whose buffer holds it,
/// or `not_sent` or `consumed`.
struct Traveller {
  WormholeMessage message;
  GridNode here;
  std::uint64_t at_router_since = 0;
  std::vector<Channel> path;
  std::vector<int> place;
  std::uint64_t arrived = 0;

  bool waits_at_router() const {
    return !path.empty() && std::get<0>(path.back()) != Kind::ejection &&
           place.front() == static_cast<int>(path.size()) - 1;
  }
};

class Buffers {
 public:
  Buffers(const Grid& grid, const Router& router, std::span<const WormholeMessage> messages)
      : grid_(grid), router_(router) {
    for (const auto& message : messages) {
      travellers_.push_back(
          {message, message.from, 0, {}, std::vector<int>(message.flit_count, not_sent), 0});
    }
  }

  std::vector<std::uint64_t> run() {
    std::size_t left = travellers_.size();
    for (cycle_ = 1; left > 0; ++cycle_) {
      take_channels();
      for (Traveller& traveller : travellers_) {
        if (!traveller.path.empty() && traveller.arrived == 0) left -= move_flits(traveller);
      }
      for (const Channel& channel : left_by_last_) owned_.erase(channel);
      left_by_last_.clear();
    }
    std::vector<std::uint64_t> cycles;
    for (const Traveller& traveller : travellers_) cycles.push_back(traveller.arrived);
    return cycles;
  }

 private:
  std::vector<Channel> choices(const Traveller& traveller) const {
    if (traveller.path.empty()) return {{Kind::injection, traveller.here, 0, {}}};
    if (traveller.here == traveller.message.to) return {{Kind::ejection, traveller.here, 0, {}}};
    std::vector<Channel> channels;
    for (const Link& link : router_(traveller.here, traveller.message.to)) {
      channels.emplace_back(Kind::link, link.from, link.axis, link.direction);
    }
    return channels;
  }

  void take_channels() {
    std::vector<Traveller*> headers;
    for (Traveller& traveller : travellers_) {
      if (traveller.path.empty() || traveller.waits_at_router()) headers.push_back(&traveller);
    }
    std::stable_sort(headers.begin(), headers.end(), [](const Traveller* a, const Traveller* b) {
      return a->at_router_since < b->at_router_since;
    });
    for (Traveller* header : headers) {
      for (const Channel& channel : choices(*header)) {
        if (!owned_.insert(channel).second) continue;
        header->path.push_back(channel);
        break;
      }
    }
  }

  /// Moves the flits by one channel where the next buffer is free. Begins with the header, so that each flit can take
  /// the buffer that the flit ahead has left. Returns whether the last flit has been consumed.
  bool move_flits(Traveller& traveller) {
    for (std::size_t flit = 0; flit < traveller.place.size(); ++flit) {
      if (traveller.place[flit] == consumed) continue;
      const bool is_header_or_follows = flit == 0 || traveller.place[flit - 1] != not_sent;
      const auto next = static_cast<std::size_t>(traveller.place[flit] + 1);
      if (!is_header_or_follows || next >= traveller.path.size()) break;
      if (full_.count(traveller.path[next]) != 0) break;
      move_flit(traveller, flit, next);
    }
    if (traveller.place.back() != consumed) return false;
    traveller.arrived = cycle_;
    left_by_last_.push_back(traveller.path.back());
    return true;
  }

  void move_flit(Traveller& traveller, std::size_t flit, std::size_t next) {
    const bool is_last = flit + 1 == traveller.place.size();
    const Channel& channel = traveller.path[next];
    if (next > 0) {
      full_.erase(traveller.path[next - 1]);
      if (is_last) left_by_last_.push_back(traveller.path[next - 1]);
    }
    if (std::get<0>(channel) == Kind::ejection) {
      traveller.place[flit] = consumed;
      return;
    }
    full_.insert(channel);
    traveller.place[flit] = static_cast<int>(next);
    if (flit > 0) return;
    traveller.at_router_since = cycle_;
    const auto& [kind, from, axis, direction] = channel;
    if (kind == Kind::link) traveller.here = end_of(grid_, {from, axis, direction});
  }

  const Grid& grid_;
  const Router& router_;
  std::vector<Traveller> travellers_;
  std::set<Channel> owned_;  ///< channels that a header has taken and that the last flit has not left
  std::set<Channel> full_;   ///< channels whose buffer holds a flit
  std::vector<Channel> left_by_last_;
  std::uint64_t cycle_ = 0;
};

}  // namespace

std::vector<std::uint64_t> arrival_cycles_flit_by_flit(const Grid& grid, const Router& router,
                                                       std::span<const WormholeMessage> messages) {
  return Buffers(grid, router, messages).run();
}

}  // namespace cubefold
