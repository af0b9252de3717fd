#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cubefold/embedding/rank.hpp"

namespace cubefold {

/// Hops of all messages if every rank's partners sit on the nodes nearest to it, the busiest partner nearest: summed
/// over those that a rank sends to, those that it receives from, and both. A message counts twice in `of_both`.
template <typename Amount>
struct LeastHops {
  Amount of_senders{};
  Amount of_receivers{};
  Amount of_both{};
};

/// Lists of messages from `from` to `to`, each list in the order of senders, and amount_of(number of the list,
/// message). Gathers one rank's messages after the other, so that there is never a copy of all.
template <typename Message, typename AmountOf>
class LeastHopsCount {
 public:
  using Amount = std::invoke_result_t<AmountOf, std::size_t, const Message&>;

  LeastHopsCount(std::vector<std::span<const Message>> lists, std::size_t rank_count, AmountOf amount_of)
      : lists_(std::move(lists)),
        rank_count_(rank_count),
        amount_of_(std::move(amount_of)),
        sent_(lists_.size()),
        received_(lists_.size()) {
    for (const auto list : lists_) by_receiver_.push_back(in_order_of_receivers(list));
  }

  /// Once. within[h] nodes lie within h hops of the node that has the most there, up to rank_count.
  LeastHops<Amount> count(const std::vector<std::size_t>& within) {
    LeastHops<Amount> total;
    for (std::uint32_t rank = 0; rank < rank_count_; ++rank) {
      gather(Rank{rank});
      both_.assign(to_.begin(), to_.end());
      both_.insert(both_.end(), from_.begin(), from_.end());
      total.of_senders += hops(to_, within);
      total.of_receivers += hops(from_, within);
      total.of_both += hops(both_, within);
    }
    return total;
  }

 private:
  using Partners = std::vector<std::pair<Rank, Amount>>;

  std::vector<std::uint32_t> in_order_of_receivers(std::span<const Message> list) const {
    std::vector<std::uint32_t> next(rank_count_ + 1);
    for (const Message& sent : list) ++next[label(sent.to) + 1];
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
        to_.emplace_back(list[i].to, amount_of_(n, list[i]));
      for (auto& i = received_[n]; i < list.size() && list[by_receiver_[n][i]].to == rank; ++i)
        from_.emplace_back(list[by_receiver_[n][i]].from, amount_of_(n, list[by_receiver_[n][i]]));
    }
  }

  Amount hops(Partners& partners, const std::vector<std::size_t>& within) {
    std::sort(partners.begin(), partners.end());
    amounts_.clear();
    for (std::size_t i = 0; i < partners.size(); ++i) {
      if (i == 0 || partners[i].first != partners[i - 1].first) amounts_.push_back({});
      amounts_.back() += partners[i].second;
    }
    std::sort(amounts_.begin(), amounts_.end(), std::greater<>());
    Amount hops{};
    std::size_t distance = 1;
    for (std::size_t k = 0; k < amounts_.size(); ++k) {
      while (k + 2 > within[distance]) ++distance;
      hops += static_cast<Amount>(distance) * amounts_[k];
    }
    return hops;
  }

  std::vector<std::span<const Message>> lists_;
  std::size_t rank_count_;
  AmountOf amount_of_;
  std::vector<std::vector<std::uint32_t>> by_receiver_;
  std::vector<std::size_t> sent_;      ///< by list, how many have been gathered
  std::vector<std::size_t> received_;  ///< likewise, in the order of receivers
  Partners to_;
  Partners from_;
  Partners both_;
  std::vector<Amount> amounts_;
};

}  // namespace cubefold
