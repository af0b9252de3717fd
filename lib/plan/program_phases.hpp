#pragma once

#include <cstdint>
#include <vector>

#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"

/// Messages of communications that programs perform on any number of ranks. Messages from a rank to itself are left
/// out.
namespace cubefold {

/// The ranks with which a rank exchanges its halo. All of them differ by at most one on every axis: they differ on one
/// axis (faces), on one or two (edges), or on any number (full). With two axes, `edges` and `full` are the same.
enum class Stencil : std::uint8_t { faces, edges, full };

/// Returns the number of neighbours that the stencil has on a periodic grid of k axes: 2 k, 2 k^2 or 3^k - 1. It is
/// rounded for more than 33 axes.
double neighbour_count(std::size_t axis_count, Stencil stencil);

/// Returns the messages of a halo exchange in a Cartesian grid of ranks. The ranks are numbered as MPI_Cart_create
/// numbers them, with the last axis fastest; a wrapped axis is a periodic one. A rank sends one message to each of its
/// neighbours. On a periodic axis of extent 2 both neighbours are the same rank, which gets two messages. Costs O(ranks
/// * neighbour_count()).
std::vector<Traffic> halo_exchange(const std::vector<Axis>& shape, Stencil stencil);

/// Returns the messages of an all-to-all within each of rank_count / group_size groups: ranks first, first + stride,
/// ..., of which there are group_size. The groups of stride 1 are blocks of consecutive ranks. Requires that stride *
/// group_size divides rank_count. Costs O(rank_count * group_size).
std::vector<Traffic> all_to_all_in_groups(std::uint32_t rank_count, std::uint32_t group_size,
                                          std::uint32_t stride);

/// Returns the messages of one step of a ring algorithm: rank r sends to rank r + 1, and the last rank to rank 0.
std::vector<Traffic> ring_step(std::uint32_t rank_count);

/// Returns the messages of each step of an allreduce by recursive doubling. For 2^n ranks these are n steps, and step i
/// is an exchange in dimension i. For 2^n + m ranks with 0 < m < 2^n, there is a step before and one after them: each
/// even rank r < 2 m first sends its vector to rank r + 1 and at last gets the result from it. In between, the odd
/// ranks below 2 m and the ranks from 2 m on take part, numbered in ascending order.
///
/// Source: Thakur, Rabenseifner and Gropp 2005, Optimization of collective communication operations in MPICH.
std::vector<std::vector<Traffic>> recursive_doubling(std::uint32_t rank_count);

}  // namespace cubefold
