#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "calibrate/bench.hpp"
#include "cubefold/schedule/conflict.hpp"

/// How much longer messages take when others travel, or travel there, at the same time: 1 where they share nothing, 2
/// where they share all.
struct Slowdown {
  Estimate factor;

  bool is_none() const { return factor.value < 1.5; }
};

/// Nodes that send to two neighbours at once, or receive from two, against those that send to one. Nothing where no
/// node has two links. The taus are those of the axes. Collective.
std::optional<Slowdown> slowdown_of_two_ports(const Bench& bench, const std::vector<double>& taus);

/// Messages over the wrap links of an axis against messages to neighbours, while others travel on the axis. Collective;
/// requires a wrap link.
Slowdown slowdown_of_wrap_links(const Bench& bench, int axis, double tau, cubefold::Ports ports);
