#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold::program {

/// Holds the times of a network's links and messages. The default is the network of all programs to which neither
/// options nor a machine file give one: links of 100 Gbit/s and a latency of 1.5 us.
struct NetworkTimes {
  std::vector<double> tau_seconds_per_byte{8 / 100e9};  ///< one for all axes, or one for each
  double alpha_seconds = 1.5e-6;                        ///< latency of a message
  std::optional<double> gap_seconds;                    ///< LogGP g; empty: equal to alpha
  double barrier_seconds = 0;

  double gap() const { return gap_seconds.value_or(alpha_seconds); }
};

NetworkTimes times_of(const ExchangeModel& model);

/// Returns the model of the times. Where queues are lossless, a gap that is not given is a quarter of alpha: the
/// latency of such networks has two CPUs, adapters and links.
ExchangeModel model_of(const NetworkTimes& times, const NetworkRules& rules, Queues queues = Queues::unknown);

/// Returns the seconds per byte of a rate in bits per second such as `200gbit` or `800mbit`. Throws
/// std::invalid_argument for other texts, and for rates that are not above 0.
double parse_rate(const std::string& text);

/// Returns the seconds of a time such as `1.5us` or `800ns`. Throws std::invalid_argument for other texts, and for
/// times below 0.
double parse_time(const std::string& text);

/// Returns the seconds of a time, or of a number without a unit, which is one of seconds. Throws as parse_time() does.
double parse_time_or_seconds(const std::string& text);

/// Returns a text such as `links of 100 Gbit/s (tau 8e-11 s/B), latency 1.5 us (alpha), gap 1.5 us, barrier 0 us`.
std::string to_string(const NetworkTimes& times);

/// Returns rate_bits_per_second (one for all axes, or one for each; null if bytes take no time), latency_seconds,
/// gap_seconds and barrier_seconds, with tau (seconds per byte) and alpha (the latency) beside them.
nlohmann::ordered_json as_json(const NetworkTimes& times);

}  // namespace cubefold::program
