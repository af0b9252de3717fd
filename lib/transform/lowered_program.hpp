#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "fused_stage.hpp"
#include "program.hpp"

namespace cubefold::fft {

/// The arrays that operations read and write. In place, the output is the input too.
enum class Buffer : std::uint8_t { input, output, work, second_work };

/// All members of a process axis exchange blocks of `block_count` complex points.
struct BlockExchange {
  int axis = 0;
  std::size_t block_count = 0;
  bool in_packets = false;  ///< packets leave while blocks are still computed, and are used as they arrive

  bool operator==(const BlockExchange&) const = default;
};

/// A stage of the program that works on points one by one, where its layouts have them. Without a stage the points go
/// to another buffer as they are.
struct PointwiseStage {
  std::optional<std::size_t> stage;

  bool operator==(const PointwiseStage&) const = default;
};

/// One step of a process from one buffer to another.
struct Operation {
  std::variant<FusedStage, BlockExchange, PointwiseStage> what;
  std::size_t real_count = 0;  ///< real numbers that the buffer written to has to hold
  bool can_be_in_place = false;
  Buffer from = Buffer::input;
  Buffer to = Buffer::output;
  std::size_t group_size = 1;    ///< this and the following operations run together, slice by slice
  std::optional<Slices> slices;  ///< of a fused stage that runs slice by slice
};

/// What one process does, from the first operation to the last.
struct LoweredProgram {
  std::vector<Operation> operations;
  std::size_t work_count = 0;         ///< real numbers of the first work buffer, an even number
  std::size_t second_work_count = 0;  ///< the same of the second
};

struct LoweringOptions {
  std::size_t batch = 1;
  std::size_t point_bytes = 16;
  std::vector<bool> in_packets;  ///< of each exchange stage; an empty list means none
  bool in_place = false;
};

/// Lowers a program for the process with these members. Transforms read from the blocks of the exchange before them and
/// write into the blocks of the exchange behind them; the points go through as few buffers as possible, and the input
/// is left as it is unless it is the output. Local: all processes choose the same order of points in blocks, since they
/// all take the one that suits process 0 best in place and apart. Requires a program without fault_of(). Cost: at most
/// 300 orders are tried.
LoweredProgram lower(const Program& program, const Layout::Members& members, const LoweringOptions& options);

/// Returns, for each exchange stage, the dimensions of the layout before in the order of a block's places, slowest
/// first.
using BlockOrders = std::vector<std::vector<std::size_t>>;

/// Returns the operations of the stages, in no buffers yet: fused stages, exchanges in the given orders, pointwise
/// stages.
std::vector<Operation> operations_of(const Program& program, const Layout::Members& members,
                                     const LoweringOptions& options, const BlockOrders& orders);

/// Returns the real numbers that a process's points take, of so many arrays.
std::size_t real_count(const Layout& layout, Element element, const Layout::Members& members,
                       std::size_t batch);

/// Returns the numbers of the exchange stages of a program.
std::vector<std::size_t> exchange_stages(const Program& program);

/// Returns the program that makes the kernel of a KernelStage, from kernel_input(): the stages before it, from its
/// first one.
Program kernel_program(const Program& program, std::size_t kernel_stage);

}  // namespace cubefold::fft
