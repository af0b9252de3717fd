// The library's checkers of schedules and those of `cubefold verify` share no code. These tests change schedules at
// random, and expect that both accept the same ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/topology/grid.hpp"
#include "fuzz/mutation_count.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/schedule_check.hpp"
#include "planner/verification/schedule_claims.hpp"
#include "schedule/schedule_json.hpp"

namespace cubefold {
namespace {

/// Rings, lines, tori, meshes, cubes, and networks whose routes are a table.
constexpr const char* grids[] = {"line:4",    "ring:5",     "ring:6",    "torus:3x3",   "mesh:2x3",
                                 "torus:4x2", "mesh:2x2x2", "torus:3x4", "hypercube:3", "torus:3x3,cut=0-1",
                                 "hyperx:3x2"};

std::string shuffled_nodes(std::size_t count, std::mt19937_64& random) {
  std::vector<std::size_t> nodes(count);
  for (std::size_t i = 0; i < count; ++i) nodes[i] = i;
  std::shuffle(nodes.begin(), nodes.end(), random);
  std::string text = "nodes=";
  for (const std::size_t node : nodes) text += std::to_string(node) + "-";
  text.pop_back();
  return text;
}

/// Returns schedules by all methods on all grids, for one port and all ports and both tie rules, as they are and with
/// ranks on nodes at random.
std::vector<ScheduleFile> right_schedules(std::mt19937_64& random) {
  std::vector<ScheduleFile> files;
  for (const std::string grid_text : grids) {
    const Grid grid = parse_grid(grid_text);
    for (const std::string& placement_text :
         {std::string("identity"), shuffled_nodes(grid.node_count(), random)}) {
      const Placement placement(grid, parse_placement(placement_text));
      for (const Ports ports : {Ports::one, Ports::all}) {
        for (const Tie tie : {Tie::positive, Tie::balanced}) {
          for (const ExchangeMethod& method : exchange_methods(grid)) {
            ScheduleFile file{placement,         ports, tie,
                              to_string(method), {},    exchange_schedule(method, placement, {ports, tie})};
            if (!first_fault(file)) files.push_back(std::move(file));  // methods like linear have conflicts
          }
        }
      }
    }
  }
  return files;
}

/// Changes a schedule at random. Some of the changes leave it right.
class Mutation {
 public:
  Mutation(Schedule& schedule, std::mt19937_64& random) : schedule_(schedule), random_(random) {}

  void apply() {
    using Change = void (Mutation::*)(Step & step, std::size_t index);
    static constexpr Change changes[] = {&Mutation::remove,
                                         &Mutation::repeat,
                                         &Mutation::send_back,
                                         &Mutation::redirect,
                                         &Mutation::send_elsewhere_from,
                                         &Mutation::move,
                                         &Mutation::shuffle,
                                         &Mutation::swap_steps,
                                         &Mutation::wait,
                                         &Mutation::add_block,
                                         &Mutation::drop_block,
                                         &Mutation::replace_block,
                                         &Mutation::split};
    Step& step = any_step();
    if (step.empty()) return;
    const std::size_t index = below(step.size());
    const std::size_t first_that_takes_a_block = 10;
    const Change change =
        changes[below(step[index].blocks.empty() ? first_that_takes_a_block : std::size(changes))];
    (this->*change)(step, index);
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }
  Step& any_step() { return schedule_.steps[below(schedule_.steps.size())]; }
  Rank any_rank() { return Rank{static_cast<std::uint32_t>(below(schedule_.rank_count))}; }
  Block any_block() { return {any_rank(), any_rank()}; }

  /// Puts a step before a random one.
  void insert(Step step) {
    schedule_.steps.insert(
        schedule_.steps.begin() + static_cast<std::ptrdiff_t>(below(schedule_.steps.size())),
        std::move(step));
  }

  void remove(Step& step, std::size_t index) {
    step.erase(step.begin() + static_cast<std::ptrdiff_t>(index));
  }
  void repeat(Step& step, std::size_t index) { add_to_any_step(Message(step[index])); }
  void send_back(Step& step, std::size_t index) { std::swap(step[index].from, step[index].to); }
  void redirect(Step& step, std::size_t index) { step[index].to = any_rank(); }
  void send_elsewhere_from(Step& step, std::size_t index) { step[index].from = any_rank(); }

  void move(Step& step, std::size_t index) {
    Message moved = std::move(step[index]);
    remove(step, index);
    add_to_any_step(std::move(moved));
  }

  void shuffle(Step& step, std::size_t /*index*/) { std::shuffle(step.begin(), step.end(), random_); }
  void swap_steps(Step& step, std::size_t /*index*/) { std::swap(step, any_step()); }
  void wait(Step& /*step*/, std::size_t /*index*/) { insert({}); }
  void add_block(Step& step, std::size_t index) { step[index].blocks.push_back(any_block()); }
  void drop_block(Step& step, std::size_t index) { step[index].blocks.pop_back(); }

  void replace_block(Step& step, std::size_t index) {
    auto& blocks = step[index].blocks;
    blocks[below(blocks.size())] = any_block();
  }

  /// Sends the last block of a message in a step of its own.
  void split(Step& step, std::size_t index) {
    Message last{step[index].from, step[index].to, {step[index].blocks.back()}};
    step[index].blocks.pop_back();
    insert({std::move(last)});
  }

  void add_to_any_step(Message message) { any_step().push_back(std::move(message)); }

  Schedule& schedule_;
  std::mt19937_64& random_;
};

/// Returns what the file of a schedule claims, with the bound that is right.
planner::ScheduleClaims claims_of(const ScheduleFile& file) {
  planner::ScheduleClaims claims{"",
                                 0,
                                 to_string(file.placement.grid()),
                                 std::string(to_string(file.ports)),
                                 std::string(to_string(file.tie)),
                                 to_string(file.placement.rule()),
                                 file.algorithm,
                                 false,
                                 0,
                                 0,
                                 {}};
  const planner::Network network(claims.grid, claims.tie);
  claims.bound_blocks = planner::proven_block_times(network, file.ports == Ports::one);
  claims.bound_startups = planner::proven_startups(network, file.ports == Ports::one);
  const auto node = [&](Rank rank) { return static_cast<std::size_t>(file.placement.node_of(rank)); };
  for (const Step& step : file.schedule.steps) {
    planner::StepClaim& messages = claims.steps.emplace_back();
    for (const Message& message : step) {
      planner::MessageClaim& claim = messages.emplace_back();
      claim.from = node(message.from);
      claim.to = node(message.to);
      for (const Block& block : message.blocks)
        claim.blocks.push_back({node(block.source), node(block.destination)});
    }
  }
  return claims;
}

TEST(MutatedSchedules, are_accepted_by_both_checkers_or_by_none) {
  std::mt19937_64 random(1);
  const std::vector<ScheduleFile> right = right_schedules(random);
  ASSERT_GT(right.size(), 100U);
  const std::size_t count = mutation_count(20000);
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < count; ++i) {
    ScheduleFile file = right[random() % right.size()];
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes)
      Mutation(file.schedule, random).apply();
    const auto fault = first_fault(file);
    const auto findings = planner::findings_of(claims_of(file));
    ASSERT_EQ(fault.has_value(), findings.faults.count() > 0)
        << "mutation " << i << ": " << fault.value_or("no fault") << '\n'
        << schedule_json(file);
    if (!fault) ++accepted;
  }
  RecordProperty("accepted", std::to_string(accepted));
  if (count < 1000) return;
  EXPECT_GT(accepted, count / 20);
  EXPECT_LT(accepted, count / 2);
}

}  // namespace
}  // namespace cubefold
