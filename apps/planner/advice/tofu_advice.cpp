#include "planner/advice/tofu_advice.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "program/program.hpp"
#include "program/table.hpp"

namespace cubefold::planner {

namespace {

double seconds_of_one_port(const Advice& advice, std::size_t block_bytes) {
  const auto nodes = static_cast<double>(advice.question.groups.grid.node_count());
  return (nodes - 1) * static_cast<double>(block_bytes) * advice.question.model.slowest_tau();
}

}  // namespace

bool is_tofu(std::string_view grid) {
  return grid.starts_with("tofu:");
}

program::NetworkTimes times_of_tofu() {
  return {.tau_seconds_per_byte = {1 / 6.8e9}, .alpha_seconds = 2.4e-6, .gap_seconds = {}};
}

std::vector<TofuExpectation> expected_on_tofu(const Advice& advice) {
  if (advice.question.groups.per_node > 1) return {};
  std::vector<TofuExpectation> rows;
  for (const AdviceRow& row : advice.rows) {
    if (row.block_bytes < FujitsuDefault::least_bytes) continue;
    const double one_port = seconds_of_one_port(advice, row.block_bytes);
    rows.push_back({row.block_bytes, FujitsuDefault::least * one_port, FujitsuDefault::most * one_port,
                    row.ours.seconds});
  }
  return rows;
}

std::string tofu_text(const Advice& advice) {
  const auto rows = expected_on_tofu(advice);
  if (rows.empty()) return "";
  program::Table table({{"block"}, {"Fujitsu's default"}, {"cubefold"}, {"gain"}});
  for (const TofuExpectation& row : rows) {
    table.add({program::size_text(row.block_bytes),
               fmt::format("{:.0f} to {:.0f}", row.least_seconds * 1e6, row.most_seconds * 1e6),
               fmt::format("{:.0f}", row.our_seconds * 1e6),
               fmt::format("{:.1f} to {:.1f}", row.least_seconds / row.our_seconds,
                           row.most_seconds / row.our_seconds)});
  }
  return fmt::format(
      "\nMPI's algorithms above are not those of Fujitsu's MPI. Its default took {} to {} times one port's "
      "time\n"
      "on 64 and 512 nodes of Fugaku, by measurements of others, from 16 KiB on (docs/fugaku.md). That leads "
      "to,\n"
      "in us, for MPI's sends on as many ports as --ports says:\n\n{}",
      FujitsuDefault::least, FujitsuDefault::most, table.text());
}

nlohmann::ordered_json tofu_json(const Advice& advice) {
  auto rows = nlohmann::ordered_json::array();
  for (const TofuExpectation& row : expected_on_tofu(advice)) {
    rows.push_back({{"block_bytes", row.block_bytes},
                    {"least_seconds", row.least_seconds},
                    {"most_seconds", row.most_seconds},
                    {"cubefold_seconds", row.our_seconds}});
  }
  return rows;
}

}  // namespace cubefold::planner
