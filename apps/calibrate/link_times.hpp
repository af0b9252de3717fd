#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "calibrate/bench.hpp"
#include "cubefold/topology/route.hpp"

/// Returns the message size for measuring the rate of an axis. Its transfer takes long compared with the cost of a
/// message and is short compared with a measurement. All processes must call this.
std::size_t long_message_bytes(const Bench& bench, int axis);

/// Measures the seconds per byte of one axis. All neighbours of a class stream long messages at the same time, one way.
/// The result is computed from the difference of a long and a short stream, so it contains neither the latency nor the
/// bytes that a link accepts at once. The result is the time of the slowest pair of the slowest class. All processes
/// must call this. Requires links on the axis.
Estimate measured_tau(const Bench& bench, int axis);

/// Measures the seconds that a message in a stream costs in addition to tau times its bytes. The result is the larger
/// value of two message sizes, and at least 0. All processes must call this. Requires links on the axis.
Estimate measured_gap(const Bench& bench, int axis, double tau);

/// Measures half the time of a round trip of one byte between neighbours. Some pairs of neighbours on every axis are
/// measured, one pair after the other. All processes must call this. Requires at least two nodes.
Estimate measured_alpha(const Bench& bench);

/// Measures the time of MPI_Barrier as the mean of several in a row. All processes must call this.
Estimate measured_barrier(const Bench& bench);
/// Describes how much longer messages take when others travel at the same time. The factor is 1 if they share no link
/// or port, and 2 if they share all.
struct Slowdown {
  Estimate factor;

  bool is_none() const { return factor.value < 1.5; }
};

/// Compares nodes that send to two neighbours at once, or receive from two, with nodes that send to one. Returns
/// nothing if no node has two links. `taus` has the seconds per byte of each axis. All processes must call this.
std::optional<Slowdown> slowdown_of_two_ports(const Bench& bench, const std::vector<double>& taus);

/// Compares messages over the wrap links of an axis with messages between neighbours, while others travel on the axis.
/// All processes must call this. Requires a wrap link.
Slowdown slowdown_of_wrap_links(const Bench& bench, int axis, double tau, cubefold::Ports ports);
