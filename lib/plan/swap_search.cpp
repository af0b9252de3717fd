#include "swap_search.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include "joint_rule.hpp"
#include "walk.hpp"

namespace cubefold {

namespace {

/// A message, in one of the sets of links whose loads add up.
struct Message {
  Rank from;
  Rank to;
  double amount;
  std::size_t set;
};

/// Not std::uniform_int_distribution, whose result depends on the library.
std::size_t below(std::size_t count, std::mt19937_64& generator) {
  return static_cast<std::size_t>(generator() % count);
}

/// The loads of all links, kept up to date while ranks move.
class MovingLoads {
 public:
  MovingLoads(const Grid& grid, std::span<const Phase> phases, const MappingOptions& options,
              std::vector<GridNode> nodes)
      : grid_(grid), options_(options), nodes_(std::move(nodes)), messages_of_rank_(grid.node_count()) {
    const bool one_set = options.objective != MappingObjective::busiest_links;
    for (const Phase& phase : phases) {
      if (!one_set || weights_.empty()) weights_.push_back(one_set ? 1 : phase.weight);
      for (const Traffic& sent : phase.traffic) {
        messages_of_rank_[label(sent.from)].push_back(messages_.size());
        messages_of_rank_[label(sent.to)].push_back(messages_.size());
        messages_.push_back(
            {sent.from, sent.to, sent.messages * (one_set ? phase.weight : 1), weights_.size() - 1});
      }
    }
    move_all_to(nodes_);
  }

  void move_all_to(std::vector<GridNode> nodes) {
    nodes_ = std::move(nodes);
    rank_of_node_.resize(nodes_.size());
    for (std::size_t r = 0; r < nodes_.size(); ++r) rank_on(nodes_[r]) = static_cast<Rank>(r);
    loads_.assign(weights_.size(), std::vector<double>(link_index_count(grid_)));
    busiest_.assign(weights_.size(), 0);
    squares_ = 0;
    hops_ = 0;
    for (const Message& message : messages_) add(message, message.amount);
    find_busiest();
  }

  const std::vector<GridNode>& nodes() const { return nodes_; }
  double work() const { return work_; }

  /// The objective, and the sum of squares in the place of hops.
  JointValue value() const {
    if (options_.objective == MappingObjective::hop_bytes) return {hops_, squares_};
    JointValue value{0, squares_};
    for (std::size_t s = 0; s < weights_.size(); ++s) value.objective += weights_[s] * busiest_[s];
    return value;
  }

  void swap(Rank a, Rank b) {
    work_ += 20;
    if (a == b) return;
    change_messages_of(a, b, -1);
    std::swap(nodes_[label(a)], nodes_[label(b)]);
    rank_on(nodes_[label(a)]) = a;
    rank_on(nodes_[label(b)]) = b;
    change_messages_of(a, b, 1);
    find_busiest();
  }

  /// A rank one hop away from some partner of this one, or from itself if it has none.
  Rank near_a_partner(Rank rank, std::mt19937_64& generator) const {
    const auto& messages = messages_of_rank_[label(rank)];
    Rank partner = rank;
    if (!messages.empty()) {
      const Message& message = messages_[messages[below(messages.size(), generator)]];
      partner = message.from == rank ? message.to : message.from;
    }
    const auto axis = static_cast<int>(below(grid_.axes().size(), generator));
    const auto direction = generator() % 2 == 0 ? Direction::positive : Direction::negative;
    const Link link{nodes_[label(partner)], axis, direction};
    if (!has_link(grid_, link)) return partner;
    return rank_of_node_[static_cast<std::size_t>(end_of(grid_, link))];
  }

  /// Ranks whose messages load a busiest link.
  std::vector<Rank> busy_ranks() const {
    std::vector<Rank> ranks;
    for (const Message& message : messages_) {
      bool is_busy = false;
      const double busy = busiest_[message.set] - tolerance_of(busiest_[message.set]);
      walk_message(message,
                   [&](std::size_t link) { is_busy = is_busy || loads_[message.set][link] >= busy; });
      if (is_busy) ranks.insert(ranks.end(), {message.from, message.to});
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
  }

 private:
  template <typename Visit>
  void walk_message(const Message& message, Visit visit) const {
    walk(grid_, nodes_[label(message.from)], nodes_[label(message.to)], options_.tie, visit);
  }

  void add(const Message& message, double amount) {
    auto& loads = loads_[message.set];
    const double weight = weights_[message.set];
    walk_message(message, [&](std::size_t link) {
      squares_ += weight * amount * (2 * loads[link] + amount);
      loads[link] += amount;
      hops_ += weight * amount;
      work_ += 3;
    });
    work_ += 10;
  }

  void change_messages_of(Rank a, Rank b, double sign) {
    for (const Rank rank : {a, b}) {
      for (const auto m : messages_of_rank_[label(rank)]) {
        const Message& message = messages_[m];
        // What goes between the two is on both lists.
        const bool is_between =
            (message.from == a && message.to == b) || (message.from == b && message.to == a);
        if (rank == a || !is_between) add(message, sign * message.amount);
      }
    }
  }

  void find_busiest() {
    if (options_.objective == MappingObjective::hop_bytes) return;
    for (std::size_t s = 0; s < loads_.size(); ++s) {
      double busiest = 0;
      for (const double load : loads_[s]) busiest = std::max(busiest, load);
      busiest_[s] = busiest;
      work_ += static_cast<double>(loads_[s].size());
    }
  }

  const Grid& grid_;
  const MappingOptions& options_;
  Rank& rank_on(GridNode node) { return rank_of_node_[static_cast<std::size_t>(node)]; }

  std::vector<GridNode> nodes_;
  std::vector<Rank> rank_of_node_;
  std::vector<double> weights_;
  std::vector<Message> messages_;
  std::vector<std::vector<std::size_t>> messages_of_rank_;
  std::vector<std::vector<double>> loads_;
  std::vector<double> busiest_;
  double squares_ = 0;
  double hops_ = 0;
  double work_ = 0;
};

/// Local search from where ranks are, and again from a few random swaps away from the best.
class SwapSearch {
 public:
  SwapSearch(const Grid& grid, std::span<const Phase> phases, const MappingOptions& options,
             std::vector<GridNode> nodes, double work_limit)
      : count_(grid.node_count()),
        loads_(grid, phases, options, std::move(nodes)),
        work_limit_(work_limit),
        generator_(options.seed) {}

  std::vector<GridNode> run() {
    climb();
    auto best = loads_.nodes();
    auto value = loads_.value();
    for (int rounds = 0; rounds < rounds_without_success && loads_.work() < work_limit_; ++rounds) {
      for (std::size_t i = 0; i < 2 + count_ / 16; ++i) loads_.swap(any(), any());
      climb();
      if (is_better(loads_.value(), value)) {
        best = loads_.nodes();
        value = loads_.value();
        rounds = 0;
      } else {
        loads_.move_all_to(best);
      }
    }
    return best;
  }

 private:
  static constexpr int rounds_without_success = 100;

  void climb() {
    auto busy = loads_.busy_ranks();
    const std::size_t patience = 2 * count_ * count_;
    for (std::size_t failures = 0; failures < patience && loads_.work() < work_limit_ && !busy.empty();
         ++failures) {
      const Rank a = generator_() % 2 == 0 ? busy[below(busy.size(), generator_)] : any();
      const Rank b = generator_() % 2 == 0 ? loads_.near_a_partner(a, generator_) : any();
      if (!improve(a, b)) continue;
      failures = 0;
      busy = loads_.busy_ranks();
    }
  }

  bool improve(Rank a, Rank b) {
    const auto before = loads_.value();
    loads_.swap(a, b);
    if (is_better(loads_.value(), before)) return true;
    loads_.swap(a, b);
    return false;
  }

  Rank any() { return static_cast<Rank>(below(count_, generator_)); }

  std::size_t count_;
  MovingLoads loads_;
  double work_limit_;
  std::mt19937_64 generator_;
};

}  // namespace

std::vector<GridNode> swap_search(const Grid& grid, std::span<const Phase> phases,
                                  const MappingOptions& options, std::vector<GridNode> nodes,
                                  double work_limit) {
  return SwapSearch(grid, phases, options, std::move(nodes), work_limit).run();
}

}  // namespace cubefold
