#include "cubefold/simulation/steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "cubefold/topology/link_loads.hpp"
#include "support/cc_cube_schedule.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

Placement placed(const char* grid, const char* rule) {
  return {parse_grid(grid), parse_placement(rule)};
}

StepModel model(double alpha, double tau, Ports ports) {
  return {.alpha_seconds = alpha, .tau_seconds_per_byte = {tau}, .ports = ports};
}

Message message(std::uint32_t from, std::uint32_t to, std::size_t block_count) {
  return {Rank{from}, Rank{to}, std::vector<Block>(block_count, {Rank{from}, Rank{to}})};
}

std::vector<double> step_seconds(const StepSimulation& simulation) {
  std::vector<double> seconds;
  for (const StepCost& step : simulation.steps) seconds.push_back(step.seconds);
  return seconds;
}

/// Computes the time of a step as an oracle. Goes through all messages of the step for every link and every node.
class SlowStep {
 public:
  SlowStep(const Placement& placement, const Step& step, std::size_t block_bytes, const StepModel& model)
      : placement_(placement), step_(step), block_bytes_(block_bytes), model_(model) {}

  double seconds() const {
    double busy = 0;
    double startups = 0;
    for (const Link& link : links_of(placement_.grid())) {
      const auto uses = [&](const Message& m, std::size_t at) { return links(m)[at] == link; };
      busy = std::max(busy, sum([&](const Message& m) {
                        const auto all = links(m);
                        return std::count(all.begin(), all.end(), link) > 0 ? bytes(m) * model_.tau(link.axis)
                                                                            : 0;
                      }));
      if (model_.ports == Ports::one) continue;
      startups = std::max(startups, sum([&](const Message& m) { return uses(m, 0) ? 1 : 0; }));
      startups =
          std::max(startups, sum([&](const Message& m) { return uses(m, links(m).size() - 1) ? 1 : 0; }));
    }
    for (std::uint32_t r = 0; model_.ports == Ports::one && r < placement_.rank_count(); ++r) {
      for (const auto end : {&Message::from, &Message::to}) {
        startups = std::max(startups, sum([&](const Message& m) { return m.*end == Rank{r} ? 1 : 0; }));
        busy = std::max(busy,
                        sum([&](const Message& m) { return m.*end == Rank{r} ? bytes(m) * slowest(m) : 0; }));
      }
    }
    return model_.alpha_seconds * startups + busy + model_.barrier_seconds;
  }

 private:
  std::vector<Link> links(const Message& m) const {
    return route(placement_.grid(), placement_.node_of(m.from), placement_.node_of(m.to), model_.tie);
  }
  double bytes(const Message& m) const { return static_cast<double>(m.blocks.size() * block_bytes_); }
  double slowest(const Message& m) const {
    double tau = 0;
    for (const Link& link : links(m)) tau = std::max(tau, model_.tau(link.axis));
    return tau;
  }
  template <typename Share>
  double sum(Share share) const {
    double total = 0;
    for (const Message& m : step_) {
      if (m.from != m.to) total += share(m);
    }
    return total;
  }

  const Placement& placement_;
  const Step& step_;
  std::size_t block_bytes_;
  const StepModel& model_;
};

Schedule random_schedule(std::size_t rank_count, std::mt19937& random) {
  Schedule schedule{rank_count, std::vector<Step>(4)};
  std::uniform_int_distribution<std::uint32_t> rank(0, static_cast<std::uint32_t>(rank_count) - 1);
  for (Step& step : schedule.steps) {
    const auto message_count = random() % (2 * rank_count);
    for (std::size_t i = 0; i < message_count; ++i)
      step.push_back(message(rank(random), rank(random), random() % 4));
  }
  return schedule;
}

// The times are powers of two, so that all sums are exact.
TEST(SimulateSteps, costs_what_looking_at_every_link_and_every_node_by_itself_gives) {
  std::mt19937 random(1);
  for (const char* grid :
       {"line:5", "ring:8", "torus:4x4", "grid:5wx3", "hypercube:4", "grid:2wx4wx3", "ring:1"}) {
    const Placement placement = placed(grid, "identity");
    for (const Ports ports : {Ports::one, Ports::all}) {
      for (const Tie tie : {Tie::positive, Tie::balanced}) {
        StepModel costs{.alpha_seconds = 64, .barrier_seconds = 0.5, .ports = ports, .tie = tie};
        costs.tau_seconds_per_byte.assign(placement.grid().axes().size(), 2);
        costs.tau_seconds_per_byte.back() = 0.25;
        for (int repetition = 0; repetition < 20; ++repetition) {
          const Schedule schedule = random_schedule(placement.rank_count(), random);
          const auto simulation = simulate_steps(placement, schedule, 3, costs);
          double total = 0;
          for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
            const double expected = SlowStep(placement, schedule.steps[i], 3, costs).seconds();
            EXPECT_EQ(simulation.steps[i].seconds, expected) << grid << ' ' << i;
            total += expected;
          }
          EXPECT_EQ(simulation.total_seconds, total);
        }
      }
    }
  }
}

TEST(SimulateSteps, charges_alpha_and_bytes_for_a_step_without_conflicts) {
  for (const Ports ports : {Ports::one, Ports::all}) {
    const auto simulation =
        simulate_steps(placed("hypercube:6", "identity"), cc_cube_exchange(6), 10, model(7, 2, ports));
    EXPECT_EQ(step_seconds(simulation), std::vector<double>(6, 7 + 2 * 32 * 10));
    EXPECT_EQ(simulation.total_seconds, 6 * (7 + 2 * 32 * 10));
  }
}

// If neighbours are D hops apart, D messages share a link. Source: [Calmant] 2.3. The messages have 4 blocks each and
// the distances are 1, 2 and 4.
TEST(SimulateSteps, charges_the_links_that_the_stages_of_a_cube_on_a_line_share) {
  const auto simulation =
      simulate_steps(placed("line:8", "standard"), cc_cube_exchange(3), 10, model(7, 1, Ports::one));
  EXPECT_EQ(step_seconds(simulation), (std::vector<double>{7 + 40, 7 + 80, 7 + 160}));
  EXPECT_EQ(simulation.steps[2].busiest_link_bytes, 160U);
  EXPECT_EQ(simulation.steps[2].startup_count, 1U);
  EXPECT_EQ(simulation.steps[2].message_count, 8U);
}

// The CC-cube exchange transmits c (n - 1) p/2 blocks one after the other on p = n^c mesh nodes. Source: [Calmant] 2.3.
TEST(SimulateSteps, gives_the_transmission_of_the_cc_cube_exchange_on_meshes) {
  for (const auto& [grid, d, blocks] : {std::tuple{"mesh:4x4", 4, 2 * 3 * 16 / 2},
                                        {"mesh:8x8", 6, 2 * 7 * 64 / 2},
                                        {"mesh:4x4x4", 6, 3 * 3 * 64 / 2},
                                        {"line:16", 4, 15 * 16 / 2}}) {
    const auto simulation =
        simulate_steps(placed(grid, "standard"), cc_cube_exchange(d), 1, model(0, 1, Ports::one));
    EXPECT_EQ(simulation.total_seconds, blocks) << grid;
  }
}

TEST(SimulateSteps, serialises_what_one_node_sends_with_one_port_and_not_with_all) {
  const Placement placement = placed("ring:4", "identity");
  const Schedule apart{4, {{message(0, 1, 3), message(0, 3, 2)}}};
  const Schedule together{4, {{message(0, 1, 3), message(2, 1, 2)}}};
  const Schedule by_one_link{4, {{message(0, 1, 3), message(0, 1, 2)}}};
  for (const Schedule& schedule : {apart, together}) {
    EXPECT_EQ(simulate_steps(placement, schedule, 1, model(10, 1, Ports::one)).total_seconds, 2 * 10 + 5);
    EXPECT_EQ(simulate_steps(placement, schedule, 1, model(10, 1, Ports::all)).total_seconds, 10 + 3);
  }
  EXPECT_EQ(simulate_steps(placement, by_one_link, 1, model(10, 1, Ports::all)).total_seconds, 2 * 10 + 5);
}

TEST(SimulateSteps, charges_a_one_port_message_the_slowest_axis_of_its_route) {
  const Placement placement = placed("mesh:2x2", "identity");
  StepModel costs{.tau_seconds_per_byte = {3, 1}};
  EXPECT_EQ(simulate_steps(placement, {4, {{message(0, 3, 5)}}}, 1, costs).total_seconds, 15);
  EXPECT_EQ(simulate_steps(placement, {4, {{message(0, 2, 5)}}}, 1, costs).total_seconds, 5);
  EXPECT_EQ(simulate_steps(placement, {4, {{message(0, 3, 5), message(2, 3, 5)}}}, 1, costs).total_seconds,
            30);
}

TEST(SimulateSteps, charges_nothing_for_messages_of_a_rank_to_itself) {
  const auto simulation = simulate_steps(placed("ring:4", "identity"), {4, {{message(2, 2, 9)}, {}}}, 1,
                                         model(10, 1, Ports::one));
  EXPECT_EQ(simulation.total_seconds, 0);
  EXPECT_EQ(simulation.steps[0].message_count, 0U);
}

TEST(SimulateSteps, charges_a_barrier_for_every_step) {
  StepModel costs{.alpha_seconds = 1, .barrier_seconds = 100};
  EXPECT_EQ(simulate_steps(placed("ring:8", "xor"), cc_cube_exchange(3), 1, costs).total_seconds, 3 * 101);
}

TEST(SimulateSteps, loads_links_as_link_loads_does) {
  std::mt19937 random(2);
  for (const char* grid : {"torus:4x4", "grid:5wx3", "hypercube:4"}) {
    const Placement placement = placed(grid, "identity");
    std::vector<Rank> destinations(placement.rank_count());
    for (std::size_t r = 0; r < destinations.size(); ++r) destinations[r] = static_cast<Rank>(r);
    std::shuffle(destinations.begin(), destinations.end(), random);

    for (const Tie tie : {Tie::positive, Tie::balanced}) {
      LinkLoads loads(placement.grid(), tie);
      Step step;
      for (std::uint32_t r = 0; r < destinations.size(); ++r) {
        loads.add(placement.node_of(Rank{r}), placement.node_of(destinations[r]));
        if (destinations[r] != Rank{r})
          step.push_back({Rank{r}, destinations[r], {{Rank{r}, destinations[r]}}});
      }
      const auto simulation = simulate_steps(placement, {destinations.size(), {step}}, 8, {.tie = tie});
      EXPECT_EQ(simulation.steps[0].busiest_link_bytes, 8 * loads.busiest());
      for (const Link& link : links_of(placement.grid())) {
        EXPECT_EQ(simulation.link_bytes[link_index(placement.grid(), link)], 8 * loads.on(link));
      }
    }
  }
}

TEST(SimulateSteps, refuses_what_is_no_time_and_ranks_that_are_not_there) {
  const Placement placement = placed("mesh:2x2", "identity");
  const Schedule none{4, {}};
  const auto refusal = [&](const Schedule& schedule, const StepModel& costs) {
    return message_of([&] { simulate_steps(placement, schedule, 1, costs); });
  };
  EXPECT_EQ(refusal(none, {.alpha_seconds = -1}), "simulate_steps: alpha -1 is not a time");
  EXPECT_EQ(refusal(none, {.barrier_seconds = std::numeric_limits<double>::infinity()}),
            "simulate_steps: barrier inf is not a time");
  EXPECT_EQ(refusal(none, {.tau_seconds_per_byte = {1, std::nan("")}}),
            "simulate_steps: tau nan is not a time");
  EXPECT_EQ(refusal(none, {.tau_seconds_per_byte = {1, 1, 1}}),
            "simulate_steps: 3 taus on hypercube:2; it takes one, or one per axis");
  EXPECT_EQ(refusal(none, {.tau_seconds_per_byte = {}}),
            "simulate_steps: 0 taus on hypercube:2; it takes one, or one per axis");
  EXPECT_EQ(
      message_of([&] {
        simulate_steps(placement, {4, {{message(0, 1, 2), message(1, 2, 2)}}}, std::size_t{1} << 62, {});
      }),
      "simulate_steps: 4 blocks of 4611686018427387904 bytes are more than 2^64 - 1 bytes");
  EXPECT_EQ(refusal({8, {}}, {}), "simulate_steps: a schedule of 8 ranks on the 4 nodes of hypercube:2");
  EXPECT_EQ(refusal({4, {{message(0, 4, 1)}}}, {}),
            "simulate_steps: rank 4 is not below 4, the number of nodes of hypercube:2");
}

}  // namespace
}  // namespace cubefold
