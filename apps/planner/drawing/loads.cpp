#include "planner/drawing/loads.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <stdexcept>
#include <utility>

#include "program/json.hpp"

namespace cubefold::planner {

namespace {

using Json = nlohmann::ordered_json;

/// Reads one file of loads. Errors have the path of the file.
class LoadsReader {
 public:
  LoadsReader(std::string path, const Grid& grid)
      : path_(std::move(path)), grid_(grid), loads_{"", "", std::vector<double>(link_index_count(grid))} {
    for (const Link& link : links_of(grid))
      missing_[{node(link.from), node(end_of(grid, link))}] = link_index(grid, link);
  }

  Loads read() {
    const Json file = program::read_json(path_);
    if (!file.is_object()) fail("not a JSON object");
    require_grid(text(file, "grid"));
    if (file.contains("placement")) loads_.placement = text(file, "placement");
    const auto links = file.find("links");
    if (links == file.end() || !links->is_array()) fail("no array 'links'");
    for (std::size_t i = 0; i < links->size(); ++i) add((*links)[i], fmt::format("links[{}]", i));
    if (loads_.noun.empty()) loads_.noun = "bytes";
    return std::move(loads_);
  }

 private:
  static std::uint64_t node(GridNode node) { return static_cast<std::uint64_t>(node); }

  [[noreturn]] void fail(const std::string& message) const {
    throw std::runtime_error(fmt::format("{}: {}", path_, message));
  }

  std::string text(const Json& file, const char* key) const {
    const auto value = file.find(key);
    if (value == file.end() || !value->is_string()) fail(fmt::format("no text '{}'", key));
    return value->get<std::string>();
  }

  void require_grid(const std::string& name) const {
    if (parse_grid(name) == grid_) return;
    fail(fmt::format("is of {}, not of {}", name, to_string(grid_)));
  }

  std::uint64_t end(const Json& link, const char* key, const std::string& where) const {
    const auto value = link.find(key);
    if (value == link.end() || !value->is_number_unsigned())
      fail(fmt::format("{}: no node '{}'", where, key));
    return value->get<std::uint64_t>();
  }

  double load(const Json& link, const std::string& where) {
    const std::string noun = link.contains("messages") ? "messages" : "bytes";
    const auto value = link.find(noun);
    if (value == link.end() || !value->is_number()) fail(where + ": no number 'bytes' or 'messages'");
    if (value->get<double>() < 0) fail(fmt::format("{}: {} is negative", where, value->dump()));
    if (!loads_.noun.empty() && loads_.noun != noun) fail(where + ": messages beside bytes");
    loads_.noun = noun;
    return value->get<double>();
  }

  void add(const Json& link, const std::string& where) {
    if (!link.is_object()) fail(where + ": not an object");
    const auto from = end(link, "from", where);
    const auto to = end(link, "to", where);
    const auto place = missing_.find({from, to});
    if (place == missing_.end()) {
      fail(fmt::format("{}: no link from {} to {} on {}, or it came before", where, from, to,
                       to_string(grid_)));
    }
    loads_.values[place->second] = load(link, where);
    missing_.erase(place);
  }

  std::string path_;
  const Grid& grid_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> missing_;  ///< (from, to) -> link_index()
  Loads loads_;
};

}  // namespace

std::vector<double> loads_of_phases(const Grid& grid, std::span<const GridNode> node_of_rank,
                                    std::span<const Phase> phases, Tie tie) {
  std::vector<double> loads(link_index_count(grid));
  const auto node_of = [&](Rank rank) {
    if (label(rank) < node_of_rank.size()) return node_of_rank[label(rank)];
    throw std::invalid_argument(
        fmt::format("draw: rank {} is not below {}", label(rank), node_of_rank.size()));
  };
  for (const Phase& phase : phases) {
    for (const Traffic& sent : phase.traffic) {
      for (const Link& link : route(grid, node_of(sent.from), node_of(sent.to), tie))
        loads[link_index(grid, link)] += phase.weight * sent.messages / rate_of(grid, link);
    }
  }
  return loads;
}

Loads read_loads(const std::string& path, const Grid& grid) {
  return LoadsReader(path, grid).read();
}

}  // namespace cubefold::planner
