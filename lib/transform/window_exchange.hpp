#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "array_transform.hpp"
#include "fused_stage.hpp"
#include "program.hpp"
#include "strided_view.hpp"

namespace cubefold::fft {

// The members of a process axis that are on one host exchange points tile by tile through a window of memory that they
// share. All of them have the same number of tiles of the same size, of which some may be empty.

/// Transforms of a dimension that is spread over the members, where every point comes back to the place that it had. It
/// stands for an exchange, the transforms, and an exchange back. A member's points are an array of outer x own values x
/// inner points. A tile has the columns of a range of outer and inner values. All members write their rows of the tile
/// into the window, each transforms its share of the columns there, and each takes its rows back.
struct SharedTransform {
  int axis = 0;
  std::size_t outer_count = 0;
  std::size_t inner_count = 0;
  std::vector<std::size_t> written;  ///< values of the dimension that this member has before, by place
  std::vector<std::size_t> taken;    ///< frequencies that it has afterwards, by place
  std::size_t length = 0;            ///< all values of the dimension
  Transform transform = Transform::forward;
  double factor = 1;

  /// The exponent of the twiddle is the frequency times the value of the inner dimension. Empty without twiddles.
  std::vector<std::size_t> twiddle_values;
  std::size_t twiddle_order = 0;

  std::size_t tile_outer = 0;  ///< outer values of a tile; 1, or tile_inner is inner_count
  std::size_t tile_inner = 0;
  std::size_t pitch = 0;   ///< points from row to row of the window
  std::size_t member = 0;  ///< number of this member
  std::size_t member_count = 1;

  bool operator==(const SharedTransform&) const = default;

  std::size_t inner_tiles() const { return (inner_count + tile_inner - 1) / tile_inner; }
  std::size_t tile_count() const { return (outer_count + tile_outer - 1) / tile_outer * inner_tiles(); }
  std::size_t window_points() const { return length * pitch; }

  /// The ranges of values of a tile.
  struct Tile {
    std::size_t first_outer;
    std::size_t outer;
    std::size_t first_inner;
    std::size_t inner;
    std::size_t columns() const { return outer * inner; }
  };
  Tile tile(std::size_t number) const;

  /// Returns the first of the columns, counted within a tile of so many columns, that are transformed as one of the
  /// parts of a tile. Parts begin at cache lines where there are enough columns.
  static std::size_t share_begin(std::size_t columns, std::size_t part, std::size_t part_count);
};

/// A pass from one view to another, of which one is that of a member's part of the window.
using WindowPass = std::variant<FusedStage, ArrayTransform>;

/// An exchange in which points change their places. Tiles cut one dimension, and a part of the window belongs to a
/// member. If tiles cut the dimension that the exchange makes local, a member writes its own part with the transforms
/// before the exchange, and copies what it receives from every part. If tiles cut the dimension that the exchange
/// spreads, a member writes into every part, and takes its own with the transforms after the exchange. Transforms of
/// complex points without twiddles are in place in the window.
struct WindowExchange {
  int axis = 0;
  std::vector<WindowPass> written;                 ///< from the array to the window
  std::optional<ArrayTransform> transformed = {};  ///< in place in the member's own part
  std::vector<WindowPass> taken;                   ///< from the window to the array
  std::size_t written_cut = 0;                     ///< dimension of `written` that tiles cut
  std::size_t taken_cut = 0;                       ///< dimension of `taken` that tiles cut
  std::size_t transformed_cut = 0;                 ///< dimension of `transformed` that tiles cut
  bool cuts_before = false;                        ///< whether members write their own parts
  std::size_t tile_values = 0;
  std::size_t tile_count = 0;
  std::size_t part_points = 0;  ///< points of a member's part of the window
  std::size_t cut_stride = 0;   ///< points of the window between two values of the dimension that tiles cut
  std::size_t member = 0;       ///< number of this member
  std::size_t member_count = 1;

  bool operator==(const WindowExchange&) const = default;

  std::size_t window_points() const { return member_count * part_points; }
};

/// The size of tiles, and the places of the arrays of the batch.
struct TileRules {
  std::size_t member_points = 0;       ///< points of a member's part of a tile, about
  std::size_t most_member_points = 0;  ///< a larger part is refused
  bool interleaved = false;            ///< whether the points of all arrays of the batch lie together
  std::size_t threads = 1;             ///< threads that share a tile

  bool operator==(const TileRules&) const = default;
};

/// Returns the three stages as one, if they are an exchange, transforms of the dimension that it makes local, and an
/// exchange to layouts in which all other dimensions keep their places. Returns nothing otherwise, alike on all
/// processes.
std::optional<SharedTransform> shared_transform(std::span<const Stage> stages, const Layout::Members& members,
                                                std::size_t batch, const TileRules& rules);

/// Returns the stages as an exchange through a window, if one of them is an exchange in which one dimension becomes
/// local, another one is spread, and the last one stays, and the others are transforms, either before it or after it.
/// There may be none. Points come from and go to their natural places. Returns nothing otherwise, or if no tile would
/// be small beside the data, alike on all processes.
std::optional<WindowExchange> window_exchange(std::span<const Stage> stages, const Layout::Members& members,
                                              std::size_t batch, const TileRules& rules);

/// Returns the stages, of which the last one is the exchange, as an exchange through a window in which the last
/// dimension may be spread, if `target` are places of the layout after it in which the dimension that becomes local has
/// its values beside one another. Points go there instead of to their natural places.
std::optional<WindowExchange> transposing_window_exchange(std::span<const Stage> stages,
                                                          const Layout::Members& members, std::size_t batch,
                                                          const TileRules& rules, const StridedView& target);

}  // namespace cubefold::fft
