#include "table_search.hpp"

#include <random>

#include "cubefold/topology/route.hpp"
#include "neighbours.hpp"

namespace cubefold {

namespace {

class SwapSearch {
 public:
  SwapSearch(const Grid& grid, MovingLoads& loads, const SwapSearchOptions& options)
      : grid_(grid),
        loads_(loads),
        enough_(options.enough + tolerance_of(options.enough)),
        work_limit_(loads.work() + options.work_limit),
        generator_(options.seed) {
    if (grid.route_table() != nullptr) nearest_nodes_ = nearest_nodes(grid);
  }

  std::vector<GridNode> run(std::span<const GridNode> start) {
    loads_.move_all_to(start);
    climb();
    auto best = loads_.nodes();
    auto value = loads_.value();
    for (int rounds = 0; rounds < rounds_without_success && !is_over(); ++rounds) {
      for (std::size_t i = 0; i < 2 + loads_.rank_count() / 16; ++i) loads_.swap(any(), any());
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

  bool is_over() const { return loads_.work() >= work_limit_ || loads_.value().objective <= enough_; }

  void climb() {
    auto busy = loads_.busy_ranks();
    const std::size_t most_failures = 2 * loads_.rank_count() * loads_.rank_count();
    std::size_t improvements = 0;
    for (std::size_t failures = 0; failures < most_failures && !is_over() && !busy.empty(); ++failures) {
      const auto a = generator_() % 2 == 0 ? busy[below(busy.size())] : any();
      const auto b = generator_() % 2 == 0 ? near_a_partner(a) : any();
      if (!improve(a, b)) continue;
      failures = 0;
      if (++improvements % (1 + loads_.rank_count() / 32) == 0) busy = loads_.busy_ranks();
    }
  }

  bool improve(std::uint32_t a, std::uint32_t b) {
    const auto before = loads_.value();
    loads_.swap(a, b);
    if (is_better(loads_.value(), before)) return true;
    loads_.undo();
    return false;
  }

  /// Returns a rank that is one hop away from some partner of `rank`, or from `rank` itself if it has no partners. With
  /// a route table, it is on a node nearest to the partner's.
  /// Returns that partner if there is no link in the random direction.
  std::uint32_t near_a_partner(std::uint32_t rank) {
    const auto partners = loads_.partners(rank);
    const auto partner = partners.empty() ? rank : partners[below(partners.size())];
    if (!nearest_nodes_.empty()) return near_by_table(partner);
    const auto axis = static_cast<int>(below(grid_.axes().size()));
    const auto direction = generator_() % 2 == 0 ? Direction::positive : Direction::negative;
    const Link link{loads_.node_of(partner), axis, direction};
    return has_link(grid_, link) ? loads_.rank_on(end_of(grid_, link)) : partner;
  }

  std::uint32_t near_by_table(std::uint32_t partner) {
    const auto& near = nearest_nodes_[static_cast<std::size_t>(loads_.node_of(partner))];
    return near.empty() ? partner : loads_.rank_on(near[below(near.size())]);
  }

  /// Returns a random number below count. The result of std::uniform_int_distribution would depend on the standard
  /// library.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(generator_() % count); }
  std::uint32_t any() { return static_cast<std::uint32_t>(below(loads_.rank_count())); }

  const Grid& grid_;
  MovingLoads& loads_;
  std::vector<std::vector<GridNode>> nearest_nodes_;  ///< of every node; empty without a route table
  double enough_;
  double work_limit_;
  std::mt19937_64 generator_;
};

}  // namespace

std::vector<GridNode> swap_search(const Grid& grid, MovingLoads& loads, std::span<const GridNode> start,
                                  const SwapSearchOptions& options) {
  return SwapSearch(grid, loads, options).run(start);
}

}  // namespace cubefold
