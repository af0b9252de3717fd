#include "planner/mapping/profile_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <utility>

#include "planner/verification/json_value.hpp"
#include "program/json.hpp"

namespace cubefold::planner {

namespace {

/// Collects the phases in the order in which the file names them.
class Phases {
 public:
  Phases(std::size_t rank_count, double weight) : rank_count_(rank_count), weight_(weight) {}

  void add(const JsonValue& row) {
    std::vector<JsonValue> cells;
    row.for_each([&](const JsonValue& cell) { cells.push_back(cell); });
    if (cells.size() != 7) row.fail("is not [phase, from, first, count, stride, messages, bytes]");
    Phase& phase = named("profile:" + cells[0].text());
    const std::size_t from = rank(cells[1], cells[1].whole_number_from_0());
    const std::size_t count = cells[3].whole_number_from_0();
    const std::size_t stride = cells[4].whole_number_from_0();
    if (count == 0 || count > rank_count_) cells[3].fail(fmt::format("is not between 1 and {}", rank_count_));
    if (stride == 0 || stride > rank_count_)
      cells[4].fail(fmt::format("is not between 1 and {}", rank_count_));
    (void)cells[5].whole_number_from_0();
    const auto bytes = static_cast<double>(cells[6].whole_number_from_0());
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t to = rank(row, cells[2].whole_number_from_0() + i * stride);
      if (to == from) row.fail(fmt::format("lets rank {} send to itself", from));
      if (bytes > 0) phase.traffic.push_back({static_cast<Rank>(from), static_cast<Rank>(to), bytes});
    }
  }

  /// Returns the phases in which anything is sent.
  std::vector<Phase> all() {
    std::erase_if(phases_, [](const Phase& phase) { return phase.traffic.empty(); });
    return std::move(phases_);
  }

 private:
  Phase& named(const std::string& name) {
    const auto [found, is_new] = numbers_.try_emplace(name, phases_.size());
    if (is_new) phases_.push_back({name, weight_, {}});
    return phases_[found->second];
  }

  std::size_t rank(const JsonValue& place, std::size_t number) const {
    if (number >= rank_count_) place.fail(fmt::format("rank {} is not below {}", number, rank_count_));
    return number;
  }

  std::size_t rank_count_;
  double weight_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<Phase> phases_;
};

}  // namespace

std::vector<Phase> read_profile(const std::string& path, std::size_t rank_count, double weight) {
  const JsonValue::Json json = program::read_json(path);
  const JsonValue file(json, path);
  file.require_no_keys_but({"ranks", "sent"});
  const std::size_t ranks = file.at("ranks").whole_number_from_0();
  if (ranks != rank_count)
    file.at("ranks").fail(fmt::format("is {}, and {} ranks are on the network", ranks, rank_count));
  Phases phases(rank_count, weight);
  file.at("sent").for_each([&](const JsonValue& row) { phases.add(row); });
  auto all = phases.all();
  if (all.empty()) file.fail("names no messages");
  return all;
}

}  // namespace cubefold::planner
