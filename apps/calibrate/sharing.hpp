#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "calibrate/bench.hpp"
#include "cubefold/schedule/conflict.hpp"

/// Tells how much longer messages take when others travel at the same time. The factor is 1 if they share no link or
/// port, and 2 if they share all.
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
