#include <gtest/gtest.h>

#include "exchange/algorithm.hpp"
#include "exchange/exchange_checks.hpp"

namespace cubefold {
namespace {

/// Returns the blocks of some sources to some destinations, except those of a rank to itself.
std::vector<Block> blocks_of(std::vector<std::uint32_t> sources, std::vector<std::uint32_t> destinations) {
  std::vector<Block> blocks;
  for (const auto source : sources) {
    for (const auto destination : destinations)
      if (source != destination) blocks.push_back({Rank{source}, Rank{destination}});
  }
  return blocks;
}

std::vector<std::uint32_t> all_ranks(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  for (std::uint32_t r = 0; r < count; ++r) all[r] = r;
  return all;
}

/// Returns an exchange in two steps: all blocks go to rank 0, which passes them on.
ExchangeParts gather_and_scatter(const ExchangeInputs& in) {
  const std::size_t p = in.placement.rank_count();
  return {p, 2, [p](PartBuilder& part) {
            const auto gather = [&](Rank from) {
              return Message{from, Rank{0}, blocks_of({label(from)}, all_ranks(p))};
            };
            const auto scatter_to = [&](Rank to) {
              return [&, to](Rank) { return Message{Rank{0}, to, blocks_of(all_ranks(p), {label(to)})}; };
            };
            if (part.rank() != Rank{0}) {
              part.send(0, gather);
              part.receive(1, Rank{0}, scatter_to(part.rank()));
              return;
            }
            for (std::uint32_t r = 1; r < p; ++r) part.receive(0, Rank{r}, gather);
            for (std::uint32_t r = 1; r < p; ++r) part.send(1, scatter_to(Rank{r}));
          }};
}

const ExchangeDescriptor toy{{"toy", "toy", "everything by rank 0"}, nullptr, gather_and_scatter};

TEST(ExchangeParts, make_the_whole_of_what_all_ranks_send) {
  const Placement line = in_place(parse_grid("line:3"));
  const Schedule whole = toy.parts({line, {}, Ports::one, Tie::balanced}).whole();
  EXPECT_EQ(
      whole,
      (Schedule{3,
                {{{Rank{1}, Rank{0}, blocks_of({1}, {0, 2})}, {Rank{2}, Rank{0}, blocks_of({2}, {0, 1})}},
                 {{Rank{0}, Rank{1}, blocks_of({0, 2}, {1})}, {Rank{0}, Rank{2}, blocks_of({0, 1}, {2})}}}}));
}

TEST(ExchangeParts, are_the_parts_of_the_whole) {
  const Placement line = in_place(parse_grid("line:5"));
  const ExchangeParts parts = toy.parts({line, {}, Ports::one, Tie::balanced});
  for (std::uint32_t r = 0; r < 5; ++r) EXPECT_EQ(parts.part(Rank{r}), part_of(parts.whole(), Rank{r})) << r;
}

TEST(ExchangeParts, have_no_messages_without_blocks) {
  const ExchangeParts parts{2, 1, [](PartBuilder& part) {
                              part.send(0, [](Rank from) { return Message{from, from, {}}; });
                            }};
  EXPECT_EQ(parts.whole(), (Schedule{2, {{}}}));
  EXPECT_EQ(parts.part(Rank{1}), (Schedule{2, {{}}}));
}

// On a line of three, two messages of two blocks end at rank 0 and cross the link into it. What rank 0 sends arrived in
// the step before.
TEST(ExchangeCost, is_counted_in_the_schedule_if_an_algorithm_has_no_closed_form) {
  const Placement line = in_place(parse_grid("line:3"));
  const ExchangeCost cost = cost_of(toy, {line, {}, Ports::one, Tie::balanced});
  EXPECT_EQ(cost.groups, (std::vector<StepGroup>{{1, 4, 2, Waits::first}, {1, 4, 2, Waits::first}}));
  EXPECT_EQ(cost.sent_blocks, 8.0 / 3);
}

}  // namespace
}  // namespace cubefold
