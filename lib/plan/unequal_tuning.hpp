#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cubefold/export.h"
#include "exchange_tuning.hpp"

namespace cubefold {

/// A backend that exchanges blocks of unequal sizes.
enum class UnequalBackend : std::uint8_t {
  mpi,     ///< MPI_Alltoallv
  linear,  ///< all blocks at once, which suits processes that send little but one long block each
  narrow,  ///< the steps for equal blocks; a process is fewer than 4 steps ahead of its first unfinished message
  wide,     ///< the same with 16 steps, which suits short blocks and long queues
  by_size,  ///< every block at the time at which schedule_by_size() finds its links free
  nodes,    ///< one message for all blocks from the ranks of one node to another node
};

/// The sizes of a call with blocks of unequal sizes.
struct UnequalSizes {
  std::uint64_t largest_bytes;  ///< of one block that travels to another rank
  std::uint64_t process_bytes;  ///< most bytes that one process sends or receives, with the block for itself
  std::uint64_t sent_bytes;     ///< most bytes that one process sends, with the block for itself
};

/// Chooses the backend of calls with blocks of unequal sizes, by measured calls or by a rule. Calls are of one class if
/// their process_bytes have the same bit width, their largest_bytes too, and if the blocks of both or of neither may
/// travel at once. Each class has its own measurements.
///
/// MPI_Alltoallv can be used below 2^31 bytes of a process. Blocks can travel by size between up to 128 ranks, if they
/// are shorter than 2^31 bytes, and if the p^2 sizes, 4 bytes each, have at most a quarter of the least process_bytes
/// of the class. Blocks may travel at once if sent_bytes has at most one bit more than largest_bytes, and process_bytes
/// at most three: every process then sends fewer than 4 of the longest blocks and receives fewer than 16. If none of
/// the given backends can be used, UnequalBackend::narrow is. A tuning does not communicate; all processes that pass
/// the same sizes and times get the same backends.
class CUBEFOLD_API UnequalTuning {
 public:
  static constexpr std::size_t most_ranks_by_size = 128;

  /// A backend with the name of its candidate.
  using NamedBackend = std::pair<UnequalBackend, std::string>;

  /// Calls measure all backends in `round_count` rounds at least. If it is 0, calls measure nothing and use the last of
  /// the backends that can be used.
  UnequalTuning(std::vector<NamedBackend> backends, std::size_t round_count, std::size_t rank_count)
      : backends_(std::move(backends)), round_count_(round_count), rank_count_(rank_count) {}

  /// The backends that calls of a class may use, with their measurements.
  struct Measured {
    std::vector<UnequalBackend> backends;
    ExchangeTuning tuning;
  };

  struct SizeClass {
    std::size_t process_width;  ///< bit width of process_bytes
    std::size_t largest_width;  ///< bit width of largest_bytes
    bool may_travel_at_once;

    bool operator<(const SizeClass& other) const {
      return std::tie(process_width, largest_width, may_travel_at_once) <
             std::tie(other.process_width, other.largest_width, other.may_travel_at_once);
    }
  };

  using Measurements = std::map<SizeClass, Measured>;

  /// Returns whether MPI_Alltoallv can be used for such sizes, on all processes alike.
  static bool mpi_can_count(const UnequalSizes& sizes) { return mpi_can_count(class_of(sizes)); }

  /// Returns whether measurements for such sizes must be added before begin().
  bool needs_measurement(const UnequalSizes& sizes) const { return !measured_.contains(class_of(sizes)); }

  /// Returns measurements for such sizes, without any call so far. Only this function and those that return texts take
  /// memory.
  Measurements new_measurements(const UnequalSizes& sizes) const;

  /// Adds measurements, which all processes must do or none.
  void add(Measurements&& added) { measured_.merge(added); }

  /// Returns the backend of the next call. Requires measurements for these sizes.
  UnequalBackend begin(const UnequalSizes& sizes);

  /// Takes the time of that call on this process, if it has succeeded.
  void end(double seconds);

  /// Returns the time of the last call if it is measured, infinite if it failed, or 0 if it is not measured.
  double pending_seconds() const { return pending_seconds_; }

  /// Takes the largest pending_seconds() of all processes.
  void record_last_time(double seconds);

  /// Returns whether no backend is chosen yet for such sizes.
  bool is_measuring(const UnequalSizes& sizes) const;

  /// Returns the rule, or the state of the measurements for such sizes if there are any.
  std::string text(const UnequalSizes& sizes) const;
  std::string rule() const;

 private:
  static SizeClass class_of(const UnequalSizes& sizes) {
    const auto largest_width = static_cast<std::size_t>(std::bit_width(sizes.largest_bytes));
    const auto sent_width = static_cast<std::size_t>(std::bit_width(sizes.sent_bytes));
    const auto process_width = static_cast<std::size_t>(std::bit_width(sizes.process_bytes));
    return {process_width, largest_width,
            sent_width <= largest_width + 1 && process_width <= largest_width + 3};
  }
  static bool mpi_can_count(const SizeClass& size_class);
  bool allows(UnequalBackend backend, const SizeClass& size_class) const;

  std::vector<NamedBackend> backends_;
  std::size_t round_count_;
  std::size_t rank_count_;
  Measurements measured_;
  std::optional<SizeClass> pending_;  ///< class that lacks the time of the last call
  double pending_seconds_ = 0;
  double scale_ = 1;  ///< from the bytes of that call to the most bytes of its class
};

}  // namespace cubefold
