#include "planner/advice/advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "plan/lossless_times.hpp"
#include "planner/advice/mpi_algorithms.hpp"
#include "planner/planning/placed_plan.hpp"
#include "program/network_times.hpp"
#include "program/program.hpp"
#include "program/table.hpp"

namespace cubefold::planner {

namespace {

using program::counted;
using program::size_text;

bool is_lossless(const AdviceQuestion& question) {
  return question.model.queues == Queues::lossless;
}

/// Predicts the time of an algorithm as plan_exchange() does, and says by its rule whether it is a lower bound.
PredictedTime predicted(const MpiAlgorithm& algorithm, std::size_t block_bytes, const ExchangeModel& model) {
  const StepTimes times{algorithm.cost.groups, model.alpha_seconds, model.gap_seconds,
                        model.tau_seconds_per_byte.front()};
  const auto& groups = algorithm.cost.groups;
  const bool oversubscribes = std::any_of(groups.begin(), groups.end(), [&](const StepGroup& group) {
    return group.startups > 1 && group.block_times() * static_cast<double>(block_bytes) >
                                     static_cast<double>(ExchangePlanOptions{}.burst_bytes);
  });
  return {algorithm.name, times.seconds(block_bytes, 0), oversubscribes};
}

/// Predicts the time of an algorithm on a lossless network. `scattered` takes as long as `linear`, since it waits for
/// the first of its messages only. With several ranks on a node, each has a CPU for its own messages.
PredictedTime predicted_by_data(const MpiAlgorithm& algorithm, const AdviceQuestion& question,
                                std::size_t block_bytes) {
  const ExchangeModel& model = question.model;
  const Placement nodes(question.groups.grid, {});
  const std::size_t per_node = question.groups.per_node;
  RouterSeconds routers;
  if (algorithm.name == "linear" || algorithm.name == "scattered") {
    const ExchangeMethod linear{ExchangeAlgorithm::linear, {}};
    const std::size_t node_block = block_bytes * per_node * per_node;
    routers = lossless_seconds(linear, exchange_cost(linear, nodes, model.network), nodes, node_block, model);
    routers.cpu *= static_cast<double>(per_node);
    for (double* seconds : {&routers.voq, &routers.transit, &routers.rr})
      *seconds = std::max(*seconds, routers.cpu);
  } else {
    const double copied = algorithm.name == "bruck" ? 2 * algorithm.cost.sent_blocks : 0;
    routers = stepwise_seconds(algorithm.cost, copied, nodes, block_bytes, model);
  }
  return {algorithm.name, routers.transit, false, routers};
}

AdviceRow row_of(const AdviceQuestion& question, const std::vector<MpiAlgorithm>& algorithms,
                 std::size_t block_bytes) {
  AdviceRow row;
  row.block_bytes = block_bytes;
  for (const MpiAlgorithm& algorithm : algorithms) {
    row.mpi.push_back(is_lossless(question) ? predicted_by_data(algorithm, question, block_bytes)
                                            : predicted(algorithm, block_bytes, question.model));
  }
  const std::size_t node_block = block_bytes * question.groups.per_node * question.groups.per_node;
  const PlacedPlan placed = placed_plan({question.groups.grid, "", node_block, question.model, {}});
  const ExchangeCandidate& choice = placed.plan.choice();
  row.ours = {to_string(choice.method), choice.seconds, choice.oversubscribes, choice.routers};
  row.placement = to_string(placed.placement.rule());
  row.bound_seconds = placed.plan.bound.seconds();
  return row;
}

std::string time_text(const PredictedTime& time) {
  const double us = time.seconds * 1e6;
  return fmt::format("{}{}", time.is_lower_bound ? ">=" : "",
                     us < 1000 ? fmt::format("{:.3g}", us) : fmt::format("{:.0f}", us));
}

std::string setting_text(const AdviceQuestion& question) {
  const ExchangeGroups& groups = question.groups;
  const std::string of_groups = groups.phase == "alltoall" ? "" : groups_text(groups);
  return fmt::format("{}{}: {} on {}, {}-port\n{}", of_groups, to_string(groups.grid),
                     counted(groups.group_size, "rank"), counted(groups.grid.node_count(), "node"),
                     to_string(question.model.network.ports), to_string(program::times_of(question.model)));
}

std::string accuracy_text() {
  std::vector<std::string> parts;
  parts.reserve(model_errors.size());
  for (const ModelError& error : model_errors)
    parts.push_back(fmt::format("{} {:.2f} to {:.2f}", error.algorithm, error.least, error.most));
  return fmt::format(
      "accuracy: on emulated links of 3 and 10 Mbit/s, blocks of 8 KiB and more took these multiples of the\n"
      "predicted time: {}. At the rates above\nnothing was measured.\n",
      fmt::join(parts, ", "));
}

std::string range_text(const GainRange& gains) {
  const std::string least = fmt::format("{:.1f}", gains.least);
  const std::string most = fmt::format("{:.1f}", gains.most);
  return least == most ? least : least + " to " + most;
}

/// Says how small the gain may be, or nothing if no time of MPI is a lower bound below the fastest one.
std::string long_queues_text(const Advice& advice) {
  double least = std::numeric_limits<double>::infinity();
  for (const AdviceRow& row : advice.rows) {
    const double gain = row.gain_with_long_queues();
    if (row.is_worth_it() && gain < row.gain()) least = std::min(least, gain);
  }
  if (std::isinf(least)) return "";
  return fmt::format("On lossless networks (InfiniBand, Tofu) they may reach it: cubefold then {}.\n",
                     least >= 1 ? fmt::format("is at least {:.2f} times as fast", least)
                                : fmt::format("takes up to {:.2f} times as long", 1 / least));
}

}  // namespace

const PredictedTime& AdviceRow::fastest_of_mpi() const {
  return *std::min_element(mpi.begin(), mpi.end(), [](const PredictedTime& a, const PredictedTime& b) {
    return std::pair(a.is_lower_bound, a.seconds) < std::pair(b.is_lower_bound, b.seconds);
  });
}

double AdviceRow::gain() const {
  return ours.seconds > 0 ? fastest_of_mpi().seconds / ours.seconds : 1;
}

GainRange AdviceRow::gains() const {
  if (ours.routers.transit == 0) return {gain(), gain()};
  GainRange gains{std::numeric_limits<double>::infinity(), 0};
  for (const auto router : {&RouterSeconds::voq, &RouterSeconds::transit, &RouterSeconds::rr}) {
    double fastest = std::numeric_limits<double>::infinity();
    for (const PredictedTime& time : mpi) fastest = std::min(fastest, time.routers.*router);
    gains.least = std::min(gains.least, fastest / (ours.routers.*router));
    gains.most = std::max(gains.most, fastest / (ours.routers.*router));
  }
  return gains;
}

double AdviceRow::gain_with_long_queues() const {
  const auto least = std::ranges::min(mpi, {}, &PredictedTime::seconds);
  return ours.seconds > 0 ? least.seconds / ours.seconds : 1;
}

Advice advise(const AdviceQuestion& question) {
  const auto algorithms =
      mpi_algorithms(question.groups.grid, question.model.network, question.groups.per_node);
  Advice advice{question, {}};
  for (const std::size_t block_bytes : question.block_sizes)
    advice.rows.push_back(row_of(question, algorithms, block_bytes));
  return advice;
}

std::string verdict(const Advice& advice) {
  if (advice.question.groups.grid.node_count() == 1)
    return "Nothing is to be gained: all ranks run on one node, and no link lies between them.";
  std::vector<AdviceRow> worth;
  std::copy_if(advice.rows.begin(), advice.rows.end(), std::back_inserter(worth),
               [](const AdviceRow& row) { return row.is_worth_it(); });
  if (worth.empty()) {
    return "Nothing is to be gained: one of MPI's algorithms takes less than 1.1 times as long at every "
           "size.";
  }
  GainRange all = worth.front().gains();
  for (const AdviceRow& row : worth) {
    all.least = std::min(all.least, row.gains().least);
    all.most = std::max(all.most, row.gains().most);
  }
  return fmt::format("{} of {}: cubefold is predicted to be {} times as fast as MPI's best{}.", worth.size(),
                     counted(advice.rows.size(), "block size"), range_text(all),
                     is_lossless(advice.question) ? ", by size and routers" : "");
}

namespace {

program::Table table_of(const Advice& advice) {
  std::vector<program::TableColumn> columns{{"block", 9}};
  for (const PredictedTime& time : advice.rows.front().mpi) columns.push_back({time.algorithm, 14});
  columns.insert(columns.end(),
                 {{"cubefold", 12}, {"bound", 12}, {"by", 0, true}, {"winner", 0, true}, {"gain"}});
  if (is_lossless(advice.question)) columns.push_back({"decided by", 0, true});
  program::Table table(std::move(columns));
  for (const AdviceRow& row : advice.rows) {
    std::vector<std::string> cells{size_text(row.block_bytes)};
    for (const PredictedTime& time : row.mpi) cells.push_back(time_text(time));
    cells.push_back(time_text(row.ours));
    cells.push_back(time_text({"", row.bound_seconds, false}));
    cells.push_back(row.ours.algorithm);
    cells.push_back(row.is_worth_it() ? "cubefold" : row.fastest_of_mpi().algorithm);
    if (is_lossless(advice.question)) {
      cells.push_back(range_text(row.gains()));
      cells.emplace_back(row.ours.routers.is_bound_by_cpu() ? "messages and copies" : "links and latency");
    } else {
      cells.push_back(row.is_worth_it() ? range_text(row.gains()) : "none");
    }
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace

std::string advice_text(const Advice& advice) {
  std::string text = setting_text(advice.question);
  text += "\npredicted times of the complete exchange in us\n\n";
  text += table_of(advice).text();
  if (is_lossless(advice.question)) {
    return fmt::format(
        "{}\n{}\n\nTimes are those of FIFO routers that serve packets under way first. Gains are over the "
        "fastest "
        "algorithm\nof MPI, from the least to the most of three kinds of routers. cubefold is the winner if "
        "that of these "
        "routers\nis at least 1.1 and no other is below 1.\n",
        text, verdict(advice));
  }
  return fmt::format(
      "{}\n{}\n\n>= marks algorithms that send much at once: they reach this time only if no message waits "
      "or is\n"
      "lost. The gain is over the fastest algorithm of MPI without this mark.\n{}{}",
      text, verdict(advice), long_queues_text(advice), accuracy_text());
}

nlohmann::ordered_json advice_json(const Advice& advice) {
  const AdviceQuestion& question = advice.question;
  nlohmann::ordered_json json{{"grid", to_string(question.groups.grid)},
                              {"nodes", question.groups.grid.node_count()},
                              {"per_node", question.groups.per_node},
                              {"groups", groups_json(question.groups)},
                              {"ports", to_string(question.model.network.ports)},
                              {"tie", to_string(question.model.network.tie)}};
  json.update(as_json(program::times_of(question.model)));
  json["queues"] = to_string(question.model.queues);
  json["verdict"] = verdict(advice);
  auto& errors = json["measured_over_predicted"] = nlohmann::ordered_json::array();
  for (const ModelError& error : model_errors)
    errors.push_back({{"algorithm", error.algorithm}, {"least", error.least}, {"most", error.most}});
  auto& rows = json["rows"] = nlohmann::ordered_json::array();
  for (const AdviceRow& row : advice.rows) {
    auto mpi = nlohmann::ordered_json::array();
    for (const PredictedTime& time : row.mpi) {
      mpi.push_back({{"algorithm", time.algorithm},
                     {"seconds", time.seconds},
                     {"is_lower_bound", time.is_lower_bound}});
    }
    rows.push_back({{"block_bytes", row.block_bytes},
                    {"mpi", std::move(mpi)},
                    {"cubefold",
                     {{"method", row.ours.algorithm},
                      {"placement", row.placement},
                      {"seconds", row.ours.seconds},
                      {"is_lower_bound", row.ours.is_lower_bound}}},
                    {"bound_seconds", row.bound_seconds},
                    {"winner", row.is_worth_it() ? "cubefold" : row.fastest_of_mpi().algorithm},
                    {"gain", row.gain()},
                    {"least_gain", row.gains().least},
                    {"most_gain", row.gains().most}});
  }
  return json;
}

}  // namespace cubefold::planner
