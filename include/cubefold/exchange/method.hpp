#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/schedule/step_sync.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Lists the algorithms for complete exchanges in the order in which they are compared and listed. If two cost the
/// same, the first one is chosen. The section "Adding an algorithm" of docs/exchange-steps.md says what it needs.
#define CUBEFOLD_EXCHANGE_ALGORITHMS(LINE) \
  LINE(direct)                             \
  LINE(axes)                               \
  LINE(axis_rotated)                       \
  LINE(store_and_forward)                  \
  LINE(bruck)                              \
  LINE(linear)                             \
  LINE(swing)                              \
  LINE(cc_cube)                            \
  LINE(binary)                             \
  LINE(quadrant)                           \
  LINE(modified_quadrant)                  \
  LINE(cyclic)                             \
  LINE(hybrid)                             \
  LINE(mixed_radix)                        \
  LINE(shifted)

enum class ExchangeAlgorithm : std::uint8_t {
#define CUBEFOLD_ENUMERATOR(name) name,
  CUBEFOLD_EXCHANGE_ALGORITHMS(CUBEFOLD_ENUMERATOR)
#undef CUBEFOLD_ENUMERATOR
};

/// Describes an algorithm for programs and documents.
struct ExchangeAlgorithmInfo {
  std::string_view name;      ///< name that to_string() writes: `axis-rotated`
  std::string_view examples;  ///< methods of this algorithm, separated by commas: `cc-cube, cc-cube:8`
  std::string_view summary;   ///< description in a clause without a full stop
  std::size_t fewest_numbers = 0;
  std::size_t most_numbers = 0;
  /// True if, on any grid, no two messages of a step share a link or a port.
  bool is_free_of_conflicts = true;
  bool depends_on_placement = false;  ///< whether the placement changes the cost
  bool needs_axes = true;             ///< false if it works on grids with a route table, too
  bool is_compared = true;            ///< false if it is compared and chosen on request only
};

/// Describes a complete exchange: an algorithm and its numbers. hybrid and bruck have one radix, mixed_radix has one
/// radix for each phase, a pipelined cc_cube has the packets of each stage, and all others have no number.
struct ExchangeMethod {
  ExchangeAlgorithm algorithm = ExchangeAlgorithm::cc_cube;
  std::vector<std::uint32_t> numbers;

  bool operator==(const ExchangeMethod&) const = default;
};

/// Describes a network: how many messages a node sends and receives at a time, and the direction that messages take
/// when both ways round a ring are equally short.
struct NetworkRules {
  Ports ports = Ports::one;
  Tie tie = Tie::balanced;

  bool operator==(const NetworkRules&) const = default;
};

/// Returns the methods that fit a grid, each with the numbers that are worth comparing; cc-cube is listed without a
/// number, and so not pipelined. Leaves out mixed_radix, which has no sensible default, and shifted, which others
/// always beat. Leaves out direct, axes and axis_rotated if an axis longer than 256 is not a power of two, since they
/// would take seconds to minutes. With a route table, leaves out all that need axes, and direct if the search for its
/// steps would take more than seconds. Costs O(axes), or O(p^2) with a route table.
CUBEFOLD_API std::vector<ExchangeMethod> exchange_methods(const Grid& grid);

/// Returns those of exchange_methods() whose algorithms are compared without a request. The others were not the fastest
/// on any network that was measured.
CUBEFOLD_API std::vector<ExchangeMethod> compared_methods(const Grid& grid);

/// Returns all algorithms in the order of ExchangeAlgorithm.
CUBEFOLD_API std::vector<ExchangeAlgorithmInfo> exchange_algorithms();

/// Returns the method as text, such as `direct`, `cc-cube`, `axis-rotated`, `hybrid:4` or `mixed-radix:4-2`.
CUBEFOLD_API std::string to_string(const ExchangeMethod& method);

/// Parses what to_string() writes. Numbers must be positive. Throws std::invalid_argument that quotes the text. The
/// error lists the names if the name is unknown, and says how many numbers the method takes if their count is wrong.
CUBEFOLD_API ExchangeMethod parse_exchange_method(std::string_view text);

/// Returns the method's schedule on the placement's grid: what all ranks send. The descriptor of each algorithm states
/// its cost and its conflicts. Throws std::invalid_argument if the grid or the method's numbers do not fit: with a
/// route table, the grid fits methods only that do not need axes.
CUBEFOLD_API Schedule exchange_schedule(const ExchangeMethod& method, const Placement& placement,
                                        const NetworkRules& rules);

/// Returns part_of(exchange_schedule(), rank) without building the messages of others. Throws what exchange_schedule()
/// throws, and std::invalid_argument for a rank that the placement does not have.
CUBEFOLD_API Schedule exchange_part(const ExchangeMethod& method, const Placement& placement,
                                    const NetworkRules& rules, Rank rank);

/// Holds the cost of a schedule: for each step the blocks on the busiest link or port, and the start-ups.
/// simulate_steps() counts the same numbers in the schedule under the same ports and tie rule.
struct ExchangeCost {
  std::vector<StepGroup> groups;
  double sent_blocks = 0;  ///< blocks that a rank sends, on average

  /// Appends steps. The last group takes them in if they have the same blocks and start-ups, and if either both groups
  /// are Waits::each, or the new one is Waits::none and the last one is not Waits::each.
  CUBEFOLD_API void add(const StepGroup& group);

  CUBEFOLD_API std::size_t step_count() const;

  /// Returns the start-ups of all steps together.
  CUBEFOLD_API std::uint64_t startup_count() const;

  /// Returns the blocks on the busiest link, over its rate, or port, summed over the steps.
  CUBEFOLD_API double block_times() const;

  bool operator==(const ExchangeCost&) const = default;
};

/// Returns the cost of exchange_schedule(). All algorithms have closed forms where the grid has axes, which take
/// O(p log p) time at most, and O(p^2) for `shifted`. Elsewhere `direct` is counted in its schedule. Throws what
/// exchange_schedule() throws, with the name of the method in the message.
CUBEFOLD_API ExchangeCost exchange_cost(const ExchangeMethod& method, const Placement& placement,
                                        const NetworkRules& rules);

}  // namespace cubefold
