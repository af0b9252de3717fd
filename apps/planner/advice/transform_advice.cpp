#include "planner/advice/transform_advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "cubefold/plan/exchange_plan.hpp"
#include "program/network_times.hpp"
#include "program/program.hpp"
#include "program/table.hpp"
#include "transform/plan_choice.hpp"

namespace cubefold::planner {

namespace {

using program::counted;
using program::size_text;

bool is_real(const TransformQuestion& question) {
  return question.options.kind == fft::Kind::real;
}

double local_seconds(const TransformQuestion& question) {
  double points = 1;
  for (const std::size_t length : question.lengths) points *= static_cast<double>(length);
  const double flops = 5 * points * std::log2(points) / (is_real(question) ? 2 : 1);
  return flops / static_cast<double>(question.machine.grid.node_count()) / question.flops_per_second;
}

std::string ms_text(double seconds) {
  return fmt::format("{:.3g}", seconds * 1e3);
}

std::string range_text(double least, double most) {
  const std::string from = ms_text(least);
  const std::string to = ms_text(most);
  return from == to ? from : from + " to " + to;
}

/// Returns the share of the exchanges in the time of the first way, in per cent.
double exchange_share(const TransformRow& row) {
  const double exchange = row.way.seconds->predicted;
  return exchange > 0 ? 100 * exchange / (exchange + row.local_seconds) : 0;
}

std::string question_text(const TransformQuestion& question) {
  const ExchangeModel model = exchange_model(question.machine, Tie::balanced);
  const std::size_t nodes = question.machine.grid.node_count();
  return fmt::format(
      "{}: {} on {}, {}-port\n{}\n{} {} points in double precision, {}; {:.3g} Gflop/s a rank\n",
      to_string(question.machine.grid), counted(nodes, "rank"), counted(nodes, "node"),
      to_string(question.machine.ports), to_string(program::times_of(model)),
      fmt::join(question.lengths, "x"), is_real(question) ? "real" : "complex",
      question.options.transposed_output ? "transposed order" : "natural order",
      question.flops_per_second / 1e9);
}

}  // namespace

double TransformRow::least_exchange_seconds() const {
  return way.seconds->routers.transit > 0 ? way.seconds->routers.least() : way.seconds->predicted;
}

double TransformRow::most_exchange_seconds() const {
  return way.seconds->routers.transit > 0 ? way.seconds->routers.most() : way.seconds->predicted;
}

TransformAdvice advise_transform(const TransformQuestion& question) {
  fft::require_fit(question.lengths, question.options);
  const std::size_t nodes = question.machine.grid.node_count();
  const fft::Network network{Placement(question.machine.grid, {}), question.machine, nodes};
  const auto choice = fft::choose(question.lengths, question.options, sizeof(std::complex<double>), network);
  TransformAdvice advice{question, {}};
  for (const fft::Alternative& way : choice.alternatives)
    advice.rows.push_back({way, local_seconds(question)});
  return advice;
}

std::string transform_advice_text(const TransformAdvice& advice) {
  program::Table table({{"way", 0, true},
                        {"messages"},
                        {"sent", 12},
                        {"local", 10},
                        {"exchange", 18},
                        {"bound", 10},
                        {"total", 18}});
  for (const TransformRow& row : advice.rows) {
    const double least = row.least_exchange_seconds();
    const double most = row.most_exchange_seconds();
    table.add({fft::name_of(row.way), std::to_string(row.way.message_count), size_text(row.way.sent_bytes),
               ms_text(row.local_seconds), range_text(least, most), ms_text(row.way.seconds->bound),
               range_text(row.local_seconds + least, row.local_seconds + most)});
  }
  const TransformRow& first = advice.rows.front();
  return fmt::format(
      "{}predicted times in ms; messages and bytes that a rank sends\n\n{}\n{} takes least: {:.0f} % of its "
      "time "
      "are exchanges.\nTwo times are those of the routers that take least and most. Local work and exchanges "
      "do "
      "not overlap here.\n",
      question_text(advice.question), table.text(), fft::name_of(first.way), exchange_share(first));
}

nlohmann::ordered_json transform_advice_json(const TransformAdvice& advice) {
  const TransformQuestion& question = advice.question;
  nlohmann::ordered_json json{{"grid", to_string(question.machine.grid)},
                              {"nodes", question.machine.grid.node_count()},
                              {"ports", to_string(question.machine.ports)},
                              {"lengths", question.lengths},
                              {"kind", is_real(question) ? "real" : "complex"},
                              {"transposed_output", question.options.transposed_output},
                              {"flops_per_second", question.flops_per_second}};
  json.update(as_json(program::times_of(exchange_model(question.machine, Tie::balanced))));
  json["queues"] = to_string(question.machine.queues);
  auto& rows = json["rows"] = nlohmann::ordered_json::array();
  for (const TransformRow& row : advice.rows) {
    rows.push_back({{"way", fft::name_of(row.way)},
                    {"messages", row.way.message_count},
                    {"sent_bytes", row.way.sent_bytes},
                    {"local_seconds", row.local_seconds},
                    {"exchange_seconds", row.way.seconds->predicted},
                    {"least_exchange_seconds", row.least_exchange_seconds()},
                    {"most_exchange_seconds", row.most_exchange_seconds()},
                    {"bound_seconds", row.way.seconds->bound}});
  }
  return json;
}

}  // namespace cubefold::planner
