#include "job_nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi-ext.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "processes.hpp"

namespace cubefold::mpi {

namespace {

constexpr int most_logical_axes = 3;
constexpr int tofu_axes = 6;  // x, y, z, a, b, c

/// The shape of a job, and the place of this process in it.
struct FujitsuPlace {
  Grid shape;
  GridNode node;
};

/// Returns the first `count` numbers. Negative ones become 0, which no grid has as an extent.
template <std::size_t size>
std::vector<std::uint32_t> first_of(const std::array<int, size>& numbers, int count) {
  std::vector<std::uint32_t> result;
  result.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    result.push_back(static_cast<std::uint32_t>(std::max(numbers.at(static_cast<std::size_t>(i)), 0)));
  return result;
}

/// Returns the place of this process among the logical axes of the job, or nothing if the functions tell none.
std::optional<FujitsuPlace> logical_place(MPI_Comm comm) {
  int axes = 0;
  std::array<int, most_logical_axes> shape{};
  std::array<int, most_logical_axes> at{};
  if (FJMPI_Topology_get_dimension(&axes) != FJMPI_SUCCESS || axes < 1 || axes > most_logical_axes)
    return std::nullopt;
  if (FJMPI_Topology_get_shape(&shape[0], &shape[1], &shape[2]) != FJMPI_SUCCESS) return std::nullopt;
  if (FJMPI_Topology_get_coords(comm, rank_in(comm), FJMPI_LOGICAL, axes, at.data()) != FJMPI_SUCCESS)
    return std::nullopt;
  Grid grid(first_of(shape, axes), Ends::open);
  for (int axis = 0; axis < axes; ++axis) {
    const int x = at.at(static_cast<std::size_t>(axis));
    if (x >= 0 && static_cast<std::uint32_t>(x) < grid.extent(axis)) continue;
    throw std::invalid_argument(fmt::format("FJMPI_Topology_get_coords: process {} is at {}, outside of {}",
                                            rank_in(comm), fmt::join(at.begin(), at.begin() + axes, " "),
                                            to_string(grid)));
  }
  const GridNode node = grid.node_at(first_of(at, axes));
  return FujitsuPlace{std::move(grid), node};
}

/// Collective: returns the place of this process among the six axes of the network, which end at the largest coordinate
/// of a process. The nodes of a unit have a ring of three along b, and lines along a and c. Returns nothing on all
/// processes if some process has no coordinates.
std::optional<FujitsuPlace> tofu_place(MPI_Comm comm) {
  std::array<int, tofu_axes> at{};
  const int code = FJMPI_Topology_get_coords(comm, rank_in(comm), FJMPI_TOFU_REL, tofu_axes, at.data());
  const bool is_known = code == FJMPI_SUCCESS && std::ranges::min(at) >= 0;
  std::array<int, tofu_axes + 1> largest{};
  std::ranges::copy(at, largest.begin());
  largest.back() = is_known ? 0 : 1;
  check(MPI_Allreduce(MPI_IN_PLACE, largest.data(), tofu_axes + 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
  if (largest.back() != 0) return std::nullopt;
  return agree_on_outcome(comm, [&] {
    constexpr std::size_t b = 4;
    std::vector<Axis> axes;
    for (std::size_t axis = 0; axis < tofu_axes; ++axis) {
      const auto extent = static_cast<std::uint32_t>(largest.at(axis)) + 1;
      axes.push_back({extent, axis == b && extent == 3 ? Ends::wrapped : Ends::open});
    }
    Grid grid(axes);
    const GridNode node = grid.node_at(first_of(at, tofu_axes));
    return std::optional(FujitsuPlace{std::move(grid), node});
  });
}

bool has_extents_of(const Grid& grid, const Grid& shape) {
  const auto extent = [](const Axis& axis) { return axis.extent; };
  return grid.route_table() == nullptr && std::ranges::equal(grid.axes(), shape.axes(), {}, extent, extent);
}

}  // namespace

std::optional<JobPlaces> places_by_fujitsu(MPI_Comm comm, const Grid* named) {
  std::optional<FujitsuPlace> place = tofu_place(comm);
  const bool is_tofu = place && (named == nullptr || has_extents_of(*named, place->shape));
  int fits = 1;
  if (!is_tofu) {
    agree_on_outcome(comm, [&] {
      place = logical_place(comm);
      fits = place && (named == nullptr || has_extents_of(*named, place->shape)) ? 1 : 0;
    });
    check(MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  }
  if (fits == 0) return std::nullopt;
  JobPlaces places = places_given(comm, named == nullptr ? place->shape : *named, place->node);
  agree_on_outcome(comm, [&] {
    const char* ends = named != nullptr ? "the ends of the axes are those of the named grid"
                       : is_tofu        ? "the axes are those of the network"
                                        : "the ends of the axes are not known and taken as open";
    places.job.source = fmt::format("FJMPI_Topology_get_coords; {}", ends);
  });
  return places;
}

}  // namespace cubefold::mpi
