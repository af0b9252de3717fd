#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "array_transform.hpp"
#include "fused_stage.hpp"
#include "program.hpp"
#include "square_exchange.hpp"
#include "window_exchange.hpp"

namespace cubefold::fft {

/// The arrays that operations read and write. In place, the output is also the input.
enum class Buffer : std::uint8_t { input, output, work, second_work };

/// An exchange of blocks of `block_count` complex points among all members of a process axis.
struct BlockExchange {
  int axis = 0;
  std::size_t block_count = 0;
  bool in_packets = false;  ///< whether packets leave while blocks are computed, and are used as they arrive

  bool operator==(const BlockExchange&) const = default;
};

/// A stage of the program that works on single points in the places of its layouts. Without a stage, the operation
/// copies the points to another buffer.
struct PointwiseStage {
  std::optional<std::size_t> stage;

  bool operator==(const PointwiseStage&) const = default;
};

/// One step of a process, which reads one buffer and writes one buffer.
struct Operation {
  std::variant<FusedStage, BlockExchange, PointwiseStage, ArrayTransform, SharedTransform, WindowExchange,
               SquareExchange>
      what;
  std::size_t real_count = 0;  ///< real numbers that must fit into buffer `to`
  bool can_be_in_place = false;
  Buffer from = Buffer::input;
  Buffer to = Buffer::output;
  std::size_t group_size = 1;    ///< number of operations, from this one on, that run together slice by slice
  std::optional<Slices> slices;  ///< slices of a fused stage in a group
};

/// The operations of one process in order.
struct LoweredProgram {
  std::vector<Operation> operations;
  std::size_t work_count = 0;         ///< real numbers in the first work buffer, an even number
  std::size_t second_work_count = 0;  ///< real numbers in the second work buffer, an even number

  /// Says for each exchange stage whether it goes through a window, alike on all processes.
  std::vector<bool> through_window = {};
};

struct LoweringOptions {
  std::size_t batch = 1;
  std::size_t point_bytes = 16;
  std::vector<bool> in_packets;  ///< one entry for each exchange stage; an empty list stands for all false
  bool in_place = false;
  bool interleaved = false;  ///< whether the numbers of one point of all arrays lie together at both ends

  /// Joins transforms of several dimensions to one ArrayTransform. The result may be rounded differently then.
  bool joins_transforms = false;

  /// Leaves to an ArrayTransform a dimension that is not transformed, if the transforms are of several dimensions: it
  /// transforms planes, and another one the columns.
  bool separates_columns = false;

  std::size_t threads = 1;  ///< threads that share operations, for which separates_columns should be true

  /// Takes square exchanges, which are in place, where they suit. Those among several members need windows.
  bool takes_squares = false;

  /// The points of a thread in a tile, about, if all processes can share windows of memory, and 0 otherwise. Exchanges
  /// for which a window does not suit are exchanges of blocks. A tile has at most a 32nd of the points of a
  /// process, unless these are few.
  std::size_t tile_points = 0;
};

/// Lowers a program for the process with these coordinates. Transforms read from the blocks of the exchange before them
/// and write into the blocks of the exchange after them. The points go through as few buffers as possible. The input
/// stays as it is unless it is also the output. Does not communicate: all processes choose the same order of points in
/// blocks, because each takes the order that suits process 0 best, in place and between two arrays together. Requires a
/// program without fault_of(). Tries at most 300 combinations of orders.
LoweredProgram lower(const Program& program, const Layout::Members& members, const LoweringOptions& options);

/// For each exchange stage, the dimensions of the layout before in the order of a block's places, slowest first.
using BlockOrders = std::vector<std::vector<std::size_t>>;

/// Returns the operations of the stages without buffers: fused stages, exchanges with the given orders in blocks, and
/// pointwise stages.
std::vector<Operation> operations_of(const Program& program, const Layout::Members& members,
                                     const LoweringOptions& options, const BlockOrders& orders);

/// Returns whether each exchange stage goes through a window.
std::vector<bool> exchanges_through_windows(const Program& program, const Layout::Members& members,
                                            const LoweringOptions& options);

/// Returns how often the points of a process go through memory: once for an operation that reads and writes every point
/// once, where a row, a plane or a tile stays in a processor's own cache, and twice for an exchange of blocks, which
/// MPI copies on their way.
std::size_t passes_over_memory(const LoweredProgram& lowered, std::size_t point_bytes);

/// Returns the number of real numbers in a process's points of `batch` arrays.
std::size_t real_count(const Layout& layout, Kind kind, const Layout::Members& members, std::size_t batch);

/// Returns the indices of the exchange stages in Program::stages.
std::vector<std::size_t> exchange_stages(const Program& program);

/// Returns the program that computes the kernel of a KernelStage from kernel_input(). It has the stages from
/// first_stage up to the one before the KernelStage.
Program kernel_program(const Program& program, std::size_t kernel_stage);

}  // namespace cubefold::fft
