#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "array_transform.hpp"
#include "program.hpp"
#include "window_exchange.hpp"

namespace cubefold::fft {

/// An exchange of two dimensions of equal extent, in place, with the transforms of the dimension that is whole on its
/// other side. A member has the points (a, x) for its own `side` values a and all side * member_count values x, each of
/// `inner` points; x = member * side + b is block (a, b) of a member. Point (a, b) of the block of member i on member j
/// changes places with point (b, a) of the block of member j on member i, so the points that a member sends leave the
/// places that it needs for those that it receives. Tile t has the pairs with the smaller number of a and b in range t
/// of tile_values values, so after the tiles 0 .. t all rows a of these ranges are complete. Members write the tile
/// into a window of memory that they share, and read it from there. The block of a member with itself needs no window.
/// One member alone has only this block.
struct SquareExchange {
  int axis = 0;
  std::size_t side = 0;
  std::size_t inner = 0;
  std::size_t tile_values = 0;
  ArrayTransform transform;  ///< in place in the order with whole rows
  std::size_t cut = 0;       ///< dimension of `transform` that counts the own values

  /// Rows are transformed before they are exchanged, and tiles come in descending order.
  bool transforms_first = false;

  std::size_t member = 0;
  std::size_t member_count = 1;

  bool operator==(const SquareExchange&) const = default;

  std::size_t tile_count() const;

  /// The own values first .. end - 1 of a tile, whose rows are complete in it.
  struct Tile {
    std::size_t first;
    std::size_t end;
  };
  Tile tile(std::size_t number) const;

  /// Returns the first place in the window of the block that a member sends to another one.
  std::size_t block_place(std::size_t from, std::size_t to) const;
  std::size_t window_points() const;
};

/// Returns the stages as a square exchange, if they are an exchange that makes dimension 0 local and spreads dimension
/// 1 in equal blocks, followed by the transforms of dimension 0 to the layout with dimension 1 in front of it; or both
/// in the other order from that layout; or for one member the transforms alone. Returns nothing otherwise, or if no
/// tile would be small beside the data, alike on all processes.
std::optional<SquareExchange> square_exchange(std::span<const Stage> stages, const Layout::Members& members,
                                              std::size_t batch, const TileRules& rules);

}  // namespace cubefold::fft
