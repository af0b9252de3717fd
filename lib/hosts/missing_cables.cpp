#include "missing_cables.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cubefold {

namespace {

/// Returns the degree that most vertices have; of two such degrees, the larger one.
std::size_t usual_degree(const Neighbours& neighbours) {
  std::map<std::size_t, std::size_t> counts;
  for (const auto& ends : neighbours) ++counts[ends.size()];
  std::size_t usual = 0;
  for (const auto& [degree, count] : counts)
    if (count >= counts[usual]) usual = degree;
  return usual;
}

std::size_t most_missing(const Neighbours& neighbours) {
  std::size_t ends = 0;
  for (const auto& list : neighbours) ends += list.size();
  return std::min<std::size_t>(8, std::max<std::size_t>(2, ends / 2 / 16));
}

/// Joins deficient vertices in all ways, one after the other, until the graph is a grid.
class Repair {
 public:
  explicit Repair(const Neighbours& neighbours)
      : neighbours_(neighbours), deficient_(deficient_vertices(neighbours)) {
    const std::size_t usual = usual_degree(neighbours);
    for (const auto v : deficient_) lacking_.push_back(usual - neighbours[v].size());
  }

  std::optional<RepairedGrid> result() {
    std::size_t ends = 0;
    for (const std::size_t lacking : lacking_) ends += lacking;
    if (ends == 0 || ends % 2 != 0 || ends / 2 > most_missing(neighbours_)) return std::nullopt;
    return joined_from(0);
  }

 private:
  /// Joins the first deficient vertex from `first` on with each of the later ones that it may be joined with.
  std::optional<RepairedGrid> joined_from(std::size_t first) {
    while (first < deficient_.size() && lacking_[first] == 0) ++first;
    if (first == deficient_.size()) return recognised();
    --lacking_[first];
    for (std::size_t other = first + 1; other < deficient_.size() && tries_ < most_tries; ++other) {
      const GraphEdge edge{deficient_[first], deficient_[other]};
      if (lacking_[other] == 0 || is_present(edge)) continue;
      --lacking_[other];
      edges_.push_back(edge);
      if (auto repaired = joined_from(first)) return repaired;
      edges_.pop_back();
      ++lacking_[other];
    }
    ++lacking_[first];
    return std::nullopt;
  }

  bool is_present(const GraphEdge& edge) const {
    return std::ranges::binary_search(neighbours_[edge.one], edge.other) ||
           std::ranges::find(edges_, edge) != edges_.end();
  }

  std::optional<RepairedGrid> recognised() {
    ++tries_;
    auto result = recognised_grid(with_edges(neighbours_, edges_));
    auto* found = std::get_if<RecognisedGrid>(&result);
    if (found == nullptr) return std::nullopt;
    return RepairedGrid{std::move(*found), edges_};
  }

  static constexpr int most_tries = 1000;
  const Neighbours& neighbours_;
  std::vector<std::uint32_t> deficient_;
  std::vector<std::size_t> lacking_;  ///< of the deficient vertices
  std::vector<GraphEdge> edges_;
  int tries_ = 0;
};

}  // namespace

std::vector<std::uint32_t> deficient_vertices(const Neighbours& neighbours) {
  const std::size_t usual = usual_degree(neighbours);
  std::vector<std::uint32_t> result;
  for (std::uint32_t v = 0; v < neighbours.size(); ++v)
    if (neighbours[v].size() < usual) result.push_back(v);
  return result;
}

std::optional<RepairedGrid> repaired_grid(const Neighbours& neighbours) {
  return Repair(neighbours).result();
}

Neighbours with_edges(Neighbours neighbours, const std::vector<GraphEdge>& edges) {
  for (const auto& [one, other] : edges) {
    neighbours[one].insert(std::ranges::lower_bound(neighbours[one], other), other);
    neighbours[other].insert(std::ranges::lower_bound(neighbours[other], one), one);
  }
  return neighbours;
}

}  // namespace cubefold
