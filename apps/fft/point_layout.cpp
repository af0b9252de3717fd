#include "fft/point_layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <utility>

namespace cubefold::fft_program {

PointLayout brick_layout(const npy::Shape& shape, const std::vector<std::size_t>& bricks,
                         std::size_t process_count, std::size_t rank) {
  std::size_t count = 1;
  for (const std::size_t extent : bricks) count *= extent;
  if (bricks.size() != shape.size() || count != process_count) {
    throw std::invalid_argument(fmt::format("--boxes {} is no grid of {} bricks in {} dimensions",
                                            fmt::join(bricks, "x"), process_count, shape.size()));
  }
  std::vector<fft::IndexDimension> dimensions(shape.size());
  fft::Layout::Members members(shape.size());
  std::size_t weight = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    dimensions[d] = {shape[d], weight, fft::Spread::block, static_cast<int>(d)};
    weight *= shape[d];
    members[d] = rank % bricks[d];
    rank /= bricks[d];
  }
  return {fft::Layout(std::move(dimensions), bricks), std::move(members)};
}

fft::LocalBox box_of(const PointLayout& at) {
  fft::LocalBox box;
  for (std::size_t d = 0; d < at.layout.dimensions().size(); ++d) {
    const auto runs = at.layout.runs(d, at.members);
    box.extents.push_back(runs.empty() ? 0 : runs[0].count);
    box.offsets.push_back(runs.empty() ? 0 : runs[0].first);
  }
  return box;
}

}  // namespace cubefold::fft_program
