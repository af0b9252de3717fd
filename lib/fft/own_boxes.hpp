#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/fft/plan.hpp"
#include "mpi/exchange.hpp"
#include "process_axes.hpp"
#include "transform/box_exchange.hpp"

namespace cubefold::fft {

/// One end of a plan, as this process has it.
struct PlanEnd {
  std::string_view name;                  ///< `input` or `output`
  std::vector<std::size_t> lengths;       ///< of the array
  std::vector<std::size_t> memory_order;  ///< the dimensions in the plan's memory, the slowest first
  LocalBox box;                           ///< the plan's own points
  LocalStrides strides;
  std::size_t place_count;  ///< places of one array, of which some may be padding
  std::size_t number_bytes;
  std::size_t batch;
  bool is_interleaved;  ///< whether the numbers of a point in all arrays lie together

  /// The most bytes, about, that a process sends or receives in one round. MPI 3.1 has int counts, and this leaves room
  /// for pieces that are a number longer than others.
  std::size_t largest_round_bytes = 1 << 30;
};

struct BoxLists;

/// Returns the distances in the memory of a box of the program, which is row-major.
CUBEFOLD_API LocalStrides strides_of_box(const LocalBox& box, std::size_t batch, bool is_interleaved);

/// The exchange between the points of one end of a plan and boxes of the program, which every process names.
class CUBEFOLD_API OwnBoxes {
 public:
  /// Two arrays of scratch memory of work_bytes(). One of them may have numbers in the order of the plan.
  struct Work {
    std::byte* numbers;
    std::byte* free;
  };

  /// Compares the boxes of all processes and plans the exchange by the exchange plans of `all`, the axis of all
  /// processes in the order of their ranks in `comm`. All processes must call this. Throws std::invalid_argument on
  /// all processes with the same text unless the boxes have every point once.
  OwnBoxes(MPI_Comm comm, std::shared_ptr<ProcessAxis> all, const LocalBox& box, const PlanEnd& end);

  /// Returns whether the boxes are those of the plan on all processes, so that nothing is exchanged.
  bool are_of_plan() const { return exchange_ == nullptr; }

  std::size_t work_bytes() const;

  /// Moves the numbers from the program's box to one of the two arrays, which is Work::numbers of the result. All
  /// processes must call this.
  Work to_plan(const void* box, Work work);

  /// Moves the numbers from Work::numbers to the program's box. All processes must call this.
  void to_program(Work work, void* box);

  bool is_measuring() const;
  double last_exchange_seconds() const { return exchange_seconds_; }

  /// Returns some lines about the exchange. Does not communicate.
  std::string text() const;

 private:
  void plan_exchange(MPI_Comm comm, const BoxLists& lists, const LocalBox& box, const PlanEnd& end);
  void exchange(const BoxSide& from, const void* sent, const BoxSide& to, void* received);

  std::string name_;  ///< of the end
  std::shared_ptr<ProcessAxis> all_;
  std::optional<BoxSide> program_;
  std::optional<BoxSide> plan_;
  std::size_t plan_bytes_ = 0;  ///< bytes of the plan's array, with padding
  bool has_padding_ = false;
  std::shared_ptr<mpi::Exchange> exchange_;
  std::string traffic_;
  double exchange_seconds_ = 0;
};

}  // namespace cubefold::fft
