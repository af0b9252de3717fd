#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/export.h"
#include "exchange_tuning.hpp"

namespace cubefold {

/// One way to exchange blocks of unequal sizes.
enum class UnequalWay : std::uint8_t {
  mpi,     ///< MPI_Alltoallv
  narrow,  ///< the steps for equal blocks; a process is at most 4 steps ahead of its first unfinished message
  wide,    ///< the same with 16 steps ahead, which suits short blocks and long queues
  by_size,  ///< every block at the time at which schedule_by_size() finds its links free
};

/// The sizes of a call with blocks of unequal sizes, without blocks from a rank to itself.
struct UnequalSizes {
  std::uint64_t largest_bytes;  ///< of one block
  std::uint64_t process_bytes;  ///< most bytes that one process sends or receives
};

/// Chooses the way of calls with blocks of unequal sizes, by measured calls or by a rule. Calls are of one class if
/// their process_bytes have the same bit width, and their largest_bytes too. Each class has its own measurements.
///
/// MPI_Alltoallv is used below 2^31 bytes of a process. Blocks travel by size between up to 128 ranks, if they are
/// shorter than 2^31 bytes, and if the p^2 sizes, 4 bytes each, have at most a quarter of the bytes of a process. If
/// none of the given ways can be used, UnequalWay::narrow is. A tuning does not communicate; all processes that pass
/// the same sizes and times get the same ways.
class CUBEFOLD_API UnequalTuning {
 public:
  static constexpr std::size_t most_ranks_by_size = 128;

  /// The bit widths of process_bytes and largest_bytes.
  using SizeClass = std::pair<std::size_t, std::size_t>;

  /// A way with the name of its candidate.
  using NamedWay = std::pair<UnequalWay, std::string>;

  /// With `round_count` = 0 nothing is measured, and calls use the last of the ways that can be used. Otherwise calls
  /// measure all ways in so many rounds at least.
  UnequalTuning(std::vector<NamedWay> ways, std::size_t round_count, std::size_t rank_count)
      : ways_(std::move(ways)), round_count_(round_count), rank_count_(rank_count) {}

  /// The ways that calls of a class may use, with their measurements.
  class Place {
   private:
    friend class UnequalTuning;
    struct Measured {
      std::vector<UnequalWay> ways;
      ExchangeTuning tuning;
    };
    std::map<SizeClass, Measured> measured_;
  };

  /// Returns whether a place for calls with such sizes must be added before begin().
  bool lacks(const UnequalSizes& sizes) const { return !measured_.contains(class_of(sizes)); }

  /// Returns a place for such sizes. Only this function and those that return texts take memory.
  Place place_for(const UnequalSizes& sizes) const;

  /// Adds a place, which all processes must do or none.
  void add(Place&& place) { measured_.merge(place.measured_); }

  /// Returns the way of the next call. Requires a place for these sizes.
  UnequalWay begin(const UnequalSizes& sizes);

  /// Takes the time of that call on this process, if it has succeeded.
  void end(double seconds);

  /// Returns the time of the last call if it is measured, infinite if it failed, or 0 if it is not measured.
  double pending_seconds() const { return pending_seconds_; }

  /// Takes the largest pending_seconds() of all processes.
  void settle(double seconds);

  /// Returns whether the next call with such sizes would be measured.
  bool is_measuring(const UnequalSizes& sizes) const;

  /// Returns the rule, or the state of the measurements for such sizes if there are any.
  std::string text(const UnequalSizes& sizes) const;
  std::string rule() const;

 private:
  static SizeClass class_of(const UnequalSizes& sizes) {
    return {std::bit_width(sizes.process_bytes), std::bit_width(sizes.largest_bytes)};
  }
  bool allows(UnequalWay way, const SizeClass& size_class) const;

  std::vector<NamedWay> ways_;
  std::size_t round_count_;
  std::size_t rank_count_;
  std::map<SizeClass, Place::Measured> measured_;
  Place::Measured* pending_ = nullptr;  ///< measurements that lack the time of the last call
  double pending_seconds_ = 0;
  double scale_ = 1;  ///< from the bytes of that call to the most bytes of its class
};

}  // namespace cubefold
