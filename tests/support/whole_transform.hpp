#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "cubefold/transform/layout.hpp"
#include "support/long_points.hpp"

namespace cubefold::fft {

/// Returns the points of a process in the places of its layout. Padding is 0.
template <typename Value>
Array<Value> part_of(const Array<Value>& whole, const Layout& layout, const Layout::Members& members) {
  Array<Value> part(layout.local_count(members));
  for (std::size_t i = 0; i < part.size(); ++i) {
    const std::size_t point = layout.point_at(members, i);
    if (point < layout.point_count() && point < whole.size()) part[i] = whole[point];
  }
  return part;
}

/// Returns the whole array, combined from the parts of all processes. All processes must call this.
template <typename Value>
Array<Value> whole_of(const Array<Value>& part, const Layout& layout, const Layout::Members& members,
                      MPI_Comm comm) {
  Array<Value> whole(layout.point_count());
  for (std::size_t i = 0; i < layout.local_count(members); ++i) {
    const std::size_t point = layout.point_at(members, i);
    if (point < whole.size()) whole[point] = part[i];
  }
  // Exactly one process has each point, and all others have zeros there, so the bitwise or is the point.
  const auto words = static_cast<int>(whole.size() * sizeof(Value) / sizeof(std::uint32_t));
  MPI_Allreduce(MPI_IN_PLACE, whole.data(), words, MPI_UINT32_T, MPI_BOR, comm);
  return whole;
}

}  // namespace cubefold::fft
