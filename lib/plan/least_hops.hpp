#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "amounts.hpp"
#include "cubefold/embedding/rank.hpp"

namespace cubefold {

/// The hops of all messages if the partners of every rank are on the nodes nearest to it, with the busiest partner
/// nearest. Partners are the ranks that a rank sends to (`of_senders`), those that it receives from (`of_receivers`),
/// or both (`of_both`). A message counts twice in `of_both`. `largest_message` is the most that one rank sends another.
struct LeastHops {
  Whole of_senders = 0;
  Whole of_receivers = 0;
  Whole of_both = 0;
  Whole largest_message = 0;
};

/// Counts LeastHops of lists of messages. It gathers the messages of one rank after the other, so that there is never a
/// copy of all messages. Each list must be in the order of senders.
class LeastHopsCount {
 public:
  LeastHopsCount(std::vector<std::span<const GroupMessage>> lists, std::size_t rank_count)
      : lists_(std::move(lists)), rank_count_(rank_count), sent_(lists_.size()), received_(lists_.size()) {
    for (const auto list : lists_) by_receiver_.push_back(in_order_of_receivers(list));
  }

  /// Returns the sums over all ranks. May be called once. within[h] is the largest number of nodes within h hops of any
  /// node; its last element is rank_count.
  LeastHops count(const std::vector<std::size_t>& within) {
    LeastHops total;
    for (std::uint32_t rank = 0; rank < rank_count_; ++rank) {
      gather(Rank{rank});
      both_.assign(to_.begin(), to_.end());
      both_.insert(both_.end(), from_.begin(), from_.end());
      total.of_senders += hops(to_, within);
      if (!amounts_.empty()) total.largest_message = std::max(total.largest_message, amounts_.front());
      total.of_receivers += hops(from_, within);
      total.of_both += hops(both_, within);
    }
    return total;
  }

 private:
  using Partners = std::vector<std::pair<Rank, Whole>>;

  std::vector<std::uint32_t> in_order_of_receivers(std::span<const GroupMessage> list) const {
    std::vector<std::uint32_t> next(rank_count_ + 1);
    for (const GroupMessage& sent : list) ++next[label(sent.to) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<std::uint32_t> places(list.size());
    for (std::uint32_t i = 0; i < places.size(); ++i) places[next[label(list[i].to)]++] = i;
    return places;
  }

  void gather(Rank rank) {
    to_.clear();
    from_.clear();
    for (std::size_t n = 0; n < lists_.size(); ++n) {
      const auto& list = lists_[n];
      for (auto& i = sent_[n]; i < list.size() && list[i].from == rank; ++i)
        to_.emplace_back(list[i].to, list[i].amount);
      for (auto& i = received_[n]; i < list.size() && list[by_receiver_[n][i]].to == rank; ++i)
        from_.emplace_back(list[by_receiver_[n][i]].from, list[by_receiver_[n][i]].amount);
    }
  }

  /// Leaves the amount of every partner in amounts_, in descending order.
  Whole hops(Partners& partners, const std::vector<std::size_t>& within) {
    std::sort(partners.begin(), partners.end());
    amounts_.clear();
    for (std::size_t i = 0; i < partners.size(); ++i) {
      if (i == 0 || partners[i].first != partners[i - 1].first) amounts_.push_back(0);
      amounts_.back() += partners[i].second;
    }
    std::sort(amounts_.begin(), amounts_.end(), std::greater<>());
    Whole hops = 0;
    std::size_t distance = 1;
    for (std::size_t k = 0; k < amounts_.size(); ++k) {
      while (k + 2 > within[distance]) ++distance;
      hops += distance * amounts_[k];
    }
    return hops;
  }

  std::vector<std::span<const GroupMessage>> lists_;
  std::size_t rank_count_;
  std::vector<std::vector<std::uint32_t>> by_receiver_;
  std::vector<std::size_t> sent_;      ///< number of messages gathered from each list
  std::vector<std::size_t> received_;  ///< number gathered from each list in the order of receivers
  Partners to_;
  Partners from_;
  Partners both_;
  std::vector<Whole> amounts_;
};

}  // namespace cubefold
