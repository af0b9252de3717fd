#include "calibrate/check/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "calibrate/check/prediction.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "timing/runs.hpp"

namespace cubefold::map_check {

using nlohmann::ordered_json;
using program::counted;

namespace {

constexpr std::size_t most_suspects_in_text = 8;
constexpr std::size_t most_swaps_in_text = 8;

/// Returns the coordinates of a host, or the number of its node where links do not follow from axes.
std::string place_text(const JobHosts& job, const Host& host) {
  const Grid& network = job.map.network();
  if (network.route_table() != nullptr) return fmt::format("({})", static_cast<std::size_t>(host.node));
  return fmt::format("({})", fmt::join(network.coordinates(host.node), " "));
}

std::string host_text(const JobHosts& job, std::size_t number) {
  const Host& host = job.host(number);
  return fmt::format("{} {}", host.name, place_text(job, host));
}

std::string measured_text(const MapCheck& check) {
  std::size_t streams = 0;
  for (const Observation& observation : check.observations()) streams += observation.round.size();
  return fmt::format("{} in {}", counted(streams, "stream"), counted(check.observations().size(), "round"));
}

std::string swaps_text(const JobHosts& job, const Judgement& judgement) {
  std::string text = judgement.swaps.size() == 1 ? "Likely swapped:\n" : "Likely swapped, one of:\n";
  const std::size_t shown = std::min(judgement.swaps.size(), most_swaps_in_text);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [one, other] = judgement.swaps[i];
    text += fmt::format("  {} and {}\n", host_text(job, one), host_text(job, other));
  }
  if (shown < judgement.swaps.size()) text += fmt::format("  and {} more\n", judgement.swaps.size() - shown);
  return text;
}

std::string suspects_text(const JobHosts& job, const Judgement& judgement) {
  std::string text =
      "No swap of two hosts explains this. Hosts whose streams contradict the file most often:\n";
  const std::size_t shown = std::min(judgement.suspects.size(), most_suspects_in_text);
  for (std::size_t i = 0; i < shown; ++i)
    text += fmt::format("  {}\n", host_text(job, judgement.suspects[i]));
  if (shown < judgement.suspects.size())
    text += fmt::format("  and {} more\n", judgement.suspects.size() - shown);
  return text;
}

/// Returns for each stream of a round what the map predicts.
std::vector<std::string_view> expectations(const MapCheck& check, const Round& round) {
  Routes routes(check.network());
  const Prediction prediction = predict(routes, check.node_of_host(), round);
  std::vector<std::string_view> texts;
  for (const bool meets : prediction.meets_at_host) texts.emplace_back(meets ? "common end" : "alone");
  for (const auto& streams : prediction.slow_sets)
    for (const std::size_t stream : streams) texts[stream] = "shares link";
  return texts;
}

timing::Times factors_of(const Observation& observation, std::size_t stream) {
  timing::Times factors;
  for (std::size_t i = 0; i < observation.seconds.size(); ++i)
    factors.seconds.push_back(observation.factor(i, stream));
  return factors;
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::swapped:
      return "swapped";
    case Verdict::contradicted:
      return "contradicted";
  }
  return "";
}

ordered_json observation_as_json(const JobHosts& job, const MapCheck& check, const Observation& observation) {
  const auto expected = expectations(check, observation.round);
  ordered_json streams = ordered_json::array();
  for (std::size_t i = 0; i < observation.round.size(); ++i) {
    const auto& [from, to] = observation.round[i];
    std::vector<double> seconds;
    for (const auto& repetition : observation.seconds) seconds.push_back(repetition[i]);
    streams.push_back({{"from", job.host(from).name},
                       {"to", job.host(to).name},
                       {"expected", expected[i]},
                       {"alone_seconds", observation.alone_seconds[i]},
                       {"seconds", seconds}});
  }
  return streams;
}

}  // namespace

std::string judgement_text(const JobHosts& job, const std::string& file, const MapCheck& check,
                           const Judgement& judgement) {
  const std::string hosts =
      fmt::format("{} on {}", counted(job.positions.size(), "host"), to_string(job.map.network()));
  if (check.observations().empty())
    return fmt::format("{}: no swap of two of its {} would change which messages meet\n", file, hosts);
  if (judgement.verdict == Verdict::agrees)
    return fmt::format("{} agrees with the measurements: {}, {}\n", file, hosts, measured_text(check));
  const std::string first =
      fmt::format("{} contradicts the measurements: {}, {}, {}\n", file, hosts, measured_text(check),
                  counted(judgement.contradictions, "contradiction"));
  return first +
         (judgement.verdict == Verdict::swapped ? swaps_text(job, judgement) : suspects_text(job, judgement));
}

std::string table_of_streams(const JobHosts& job, const MapCheck& check) {
  std::size_t width = 4;
  for (std::size_t i = 0; i < job.positions.size(); ++i) width = std::max(width, host_text(job, i).size());
  std::string text = fmt::format("{:>5}  {:<{}}  {:<{}}  {:<11}{:>10}{:>8}{:>8}{:>10}\n", "round", "from",
                                 width, "to", width, "expected", "alone ms", "median", "least", "greatest");
  std::size_t number = 0;
  for (const Observation& observation : check.observations()) {
    ++number;
    const auto expected = expectations(check, observation.round);
    for (std::size_t i = 0; i < observation.round.size(); ++i) {
      const timing::Times factors = factors_of(observation, i);
      text += fmt::format("{:>5}  {:<{}}  {:<{}}  {:<11}{:>10.3f}{:>8.2f}{:>8.2f}{:>10.2f}\n", number,
                          host_text(job, observation.round[i].from), width,
                          host_text(job, observation.round[i].to), width, expected[i],
                          observation.alone_seconds[i] * 1e3, factors.median(), factors.minimum(),
                          factors.maximum());
    }
  }
  return text;
}

ordered_json report_as_json(const JobHosts& job, const std::string& file, const MapCheck& check,
                            const Judgement& judgement) {
  const auto name = [&](std::size_t host) { return job.host(host).name; };
  ordered_json swaps = ordered_json::array();
  for (const auto& [one, other] : judgement.swaps) swaps.push_back({name(one), name(other)});
  ordered_json suspects = ordered_json::array();
  for (const std::size_t host : judgement.suspects) suspects.push_back(name(host));
  ordered_json rounds = ordered_json::array();
  for (const Observation& observation : check.observations())
    rounds.push_back(observation_as_json(job, check, observation));
  ordered_json report = program::file_facts();
  report.update({{"file", file},
                 {"network", to_string(job.map.network())},
                 {"hosts", job.positions.size()},
                 {"verdict", name_of(judgement.verdict)},
                 {"contradictions", judgement.contradictions},
                 {"unexplained", judgement.unexplained},
                 {"swaps", swaps},
                 {"suspects", suspects},
                 {"rounds", rounds}});
  return report;
}

}  // namespace cubefold::map_check
