#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "balanced_routes.hpp"
#include "network_file.hpp"
#include "network_links.hpp"
#include "text/json_members.hpp"

namespace cubefold {

namespace {

/// Reads the parts of a network's JSON. Every function throws std::invalid_argument that names the entry.
class NetworkReader {
 public:
  explicit NetworkReader(const Json& json) : json_(json) {
    if (!json.is_object()) refuse_json("not a JSON object");
    read_names("nodes");
    if (names_.empty()) refuse_json("nodes is empty");
    node_count_ = names_.size();
    if (json.contains("switches")) read_names("switches");
    read_axes();
    for (const char* key : {"cables", "links"}) read_links(key);
    normalise_rates();
  }

  Grid network(const std::string& name) {
    if (!json_.contains("routes")) return {axes_, spread_routes(), name};
    const std::size_t switch_count = names_.size() - node_count_;
    std::ranges::sort(links_, {}, [](const TableLink& link) { return Cable(link.from, link.to); });
    auto next = next_links();
    return {axes_, RouteTable(node_count_, std::move(links_), std::move(next), switch_count), name};
  }

 private:
  RouteTable spread_routes() {
    try {
      return balanced_routes(Grid(axes_), std::move(links_), names_.size() - node_count_);
    } catch (const NoWay& none) {
      refuse_json(fmt::format("there is no way from '{}' to '{}'", names_[none.from()], names_[none.to()]));
    }
  }

  const Json& list(const char* key) const {
    const auto member = json_.find(key);
    if (member == json_.end()) refuse_json(fmt::format("{} is missing", key));
    if (!member->is_array()) refuse_json(fmt::format("{} is not a list", key));
    return *member;
  }

  void read_names(const char* key) {
    std::size_t index = 0;
    for (const Json& name : list(key)) {
      const auto place = fmt::format("{}[{}]", key, index++);
      if (!name.is_string()) refuse_json(place + " is not a name");
      const auto text = name.get<std::string>();
      const bool is_new = numbers_.emplace(text, static_cast<std::uint32_t>(names_.size())).second;
      if (!is_new) refuse_json(fmt::format("{}: the name '{}' stands twice", place, text));
      names_.push_back(text);
    }
    if (names_.size() > RouteTable::most_nodes) {
      refuse_json(
          fmt::format("{} nodes and switches; the most is {}", names_.size(), RouteTable::most_nodes));
    }
  }

  void read_axes() {
    axes_ = {{static_cast<std::uint32_t>(node_count_), Ends::open}};
    if (!json_.contains("axes")) return;
    axes_.clear();
    std::size_t product = 1;
    for (const Json& extent : list("axes")) {
      const bool fits = extent.is_number_unsigned() && extent > 0 && extent <= node_count_;
      if (!fits) refuse_json(fmt::format("axes[{}] is not an extent", axes_.size()));
      axes_.push_back({extent.get<std::uint32_t>(), Ends::open});
      product *= axes_.back().extent;
      if (product > node_count_) break;
    }
    if (product != node_count_)
      refuse_json(fmt::format("the axes have {} nodes, and nodes has {} names", product, node_count_));
  }

  std::uint32_t node(const Json& name, const std::string& place) const {
    const auto found = name.is_string() ? numbers_.find(name.get<std::string>()) : numbers_.end();
    if (found == numbers_.end())
      refuse_json(fmt::format("{}: {} is neither a node nor a switch", place, name.dump()));
    return found->second;
  }

  void read_links(const std::string& key) {
    if (!json_.contains(key) && (key == "links" || json_.contains("links"))) return;
    std::size_t index = 0;
    for (const Json& entry : list(key.c_str())) {
      const auto place = fmt::format("{}[{}]", key, index++);
      if (!entry.is_array() || entry.size() < 2 || entry.size() > 3)
        refuse_json(fmt::format("{} is not [node, node] or [node, node, rate]", place));
      const TableLink link{node(entry[0], place), node(entry[1], place), rate_of(entry, place)};
      add(link, place);
      if (key == "cables") add({link.to, link.from, link.rate}, place);
    }
  }

  double rate_of(const Json& entry, const std::string& place) const {
    if (entry.size() == 2) return 1;
    const double rate = entry[2].is_number() ? entry[2].get<double>() : 0;
    if (!std::isfinite(rate) || rate <= 0)
      refuse_json(fmt::format("{}: {} is not a rate", place, entry[2].dump()));
    return rate;
  }

  void add(const TableLink& link, const std::string& place) {
    if (link.from == link.to) refuse_json(fmt::format("{} joins '{}' with itself", place, names_[link.from]));
    const auto [other, is_new] = places_.emplace(Cable(link.from, link.to), place);
    if (!is_new) {
      refuse_json(fmt::format("{}: the link from '{}' to '{}' stands in {}, too", place, names_[link.from],
                              names_[link.to], other->second));
    }
    links_.push_back(link);
  }

  /// Divides all rates by the least of them. Quotients that are all but whole numbers become whole numbers.
  void normalise_rates() {
    double least = std::numeric_limits<double>::infinity();
    for (const TableLink& link : links_) least = std::min(least, link.rate);
    for (TableLink& link : links_) {
      const double rate = link.rate / least;
      if (!(rate <= RouteTable::most_rate)) {
        refuse_json(fmt::format("{}: the rate {} is more than {} times the least, {}",
                                places_.at(Cable(link.from, link.to)), link.rate, RouteTable::most_rate,
                                least));
      }
      link.rate = std::abs(rate - std::round(rate)) < 1e-9 ? std::round(rate) : rate;
    }
  }

  std::uint32_t number_of_link(std::uint32_t from, std::uint32_t to, const std::string& place) const {
    const auto less = [](const TableLink& link, const Cable& ends) {
      return Cable(link.from, link.to) < ends;
    };
    const auto found = std::lower_bound(links_.begin(), links_.end(), Cable(from, to), less);
    if (found == links_.end() || Cable(found->from, found->to) != Cable(from, to)) {
      refuse_json(fmt::format("{}: there is no link from '{}' to '{}'", place, names_[from], names_[to]));
    }
    return static_cast<std::uint32_t>(found - links_.begin());
  }

  std::vector<std::uint32_t> next_links() const {
    std::vector<std::optional<std::uint32_t>> next(names_.size() * node_count_);
    std::size_t index = 0;
    for (const Json& route : list("routes")) {
      const auto place = fmt::format("routes[{}]", index++);
      if (!route.is_array() || route.size() < 2) refuse_json(fmt::format("{} is not a list of nodes", place));
      const auto to = node(route.back(), place);
      if (to >= node_count_) refuse_json(fmt::format("{} ends at the switch '{}'", place, names_[to]));
      for (std::size_t i = 0; i + 1 < route.size(); ++i) {
        const auto here = node(route[i], place);
        const auto link = number_of_link(here, node(route[i + 1], place), place);
        if (here == to)
          refuse_json(fmt::format("{} passes its end '{}' before it ends there", place, names_[to]));
        auto& entry = next[here * node_count_ + to];
        if (entry.value_or(link) != link) {
          refuse_json(fmt::format("{}: another route to '{}' leaves '{}' by another link", place, names_[to],
                                  names_[here]));
        }
        entry = link;
      }
    }
    return complete(next);
  }

  /// Fills in the entries that no route names. A node with one link has one way, and a switch that no route passes
  /// needs none.
  std::vector<std::uint32_t> complete(const std::vector<std::optional<std::uint32_t>>& next) const {
    std::vector<std::uint32_t> result(next.size());
    for (std::uint32_t from = 0; from < names_.size(); ++from) {
      const auto only = only_link(from);
      for (std::size_t to = 0; to < node_count_; ++to) {
        const auto& entry = next[from * node_count_ + to];
        if (!entry && !only && from != to && from < node_count_)
          refuse_json(fmt::format("routes: there is none from '{}' to '{}'", names_[from], names_[to]));
        result[from * node_count_ + to] = entry.value_or(only.value_or(0));
      }
    }
    return result;
  }

  /// Returns the number of the link that leaves a vertex if there is exactly one.
  std::optional<std::uint32_t> only_link(std::uint32_t from) const {
    const auto first = std::ranges::lower_bound(links_, from, {}, &TableLink::from);
    const auto last = std::ranges::upper_bound(links_, from, {}, &TableLink::from);
    if (last - first != 1) return std::nullopt;
    return static_cast<std::uint32_t>(first - links_.begin());
  }

  const Json& json_;
  std::size_t node_count_ = 0;
  std::vector<std::string> names_;  ///< of the nodes, then of the switches
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<Axis> axes_;
  std::vector<TableLink> links_;
  std::map<Cable, std::string> places_;  ///< of the links in the file
};

}  // namespace

Grid read_network(const std::string& file) {
  try {
    const Json json = parsed_json(read_json_text(file));
    return NetworkReader(json).network("file:" + file);
  } catch (const std::system_error& error) {
    throw std::invalid_argument(fmt::format("network file {}: {}", file, error.code().message()));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("network file {}: {}", file, error.what()));
  }
}

}  // namespace cubefold
