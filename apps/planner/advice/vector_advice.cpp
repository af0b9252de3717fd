#include "planner/advice/vector_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "plan/vector_choice.hpp"
#include "program/network_times.hpp"
#include "program/program.hpp"
#include "program/table.hpp"

namespace cubefold::planner {

namespace {

using program::counted;
using program::size_text;

double fastest(const std::vector<LinearTime>& times, std::size_t bytes) {
  double least = std::numeric_limits<double>::infinity();
  for (const LinearTime& time : times) least = std::min(least, time.seconds(bytes));
  return least;
}

/// Returns a text such as "16 nodes", or "16 nodes with 4 ranks each".
std::string nodes_of(const NodeSharing& sharing) {
  const std::string nodes = counted(sharing.group_count(), "node");
  const std::size_t ranks = sharing.largest_group();
  return ranks == 1 ? nodes : fmt::format("{} with {} ranks each", nodes, ranks);
}

/// Says for which sizes the library would use its own methods.
std::string verdict(const VectorAdvice& advice) {
  const auto is_gain = [](const VectorRow& row) { return row.gain() >= VectorChooser::least_gain; };
  const auto count = std::ranges::count_if(advice.rows, is_gain);
  const std::string_view name = to_string(advice.question.collective);
  if (count == 0) return fmt::format("MPI's {} is predicted to be as fast; calls are left to it", name);
  const auto most = std::ranges::max_element(advice.rows, {}, &VectorRow::gain);
  return fmt::format(
      "cubefold's {} is predicted to gain at {} of {}, {:.2f} times at {}; other calls are left to MPI", name,
      count, counted(advice.rows.size(), "size"), most->gain(), size_text(most->vector_bytes));
}

}  // namespace

VectorAdvice advise_vectors(const VectorQuestion& question) {
  VectorAdvice advice{question, {}};
  const auto times = vector_times_of_mpi(question.collective, question.sharing, question.model);
  for (const std::size_t bytes : question.vector_sizes) {
    const VectorPlan plan = plan_vector(question.collective, question.sharing, bytes, question.model);
    advice.rows.push_back(
        {bytes, fastest(times, bytes), plan.choice().method, plan.choice().seconds, plan.bound_seconds()});
  }
  return advice;
}

std::string vector_advice_text(const VectorAdvice& advice) {
  const auto us = [](double seconds) { return fmt::format("{:.4g}", seconds * 1e6); };
  program::Table table(
      {{"vector", 10}, {"MPI", 12}, {"cubefold", 12}, {"gain", 8}, {"bound", 12}, {"method", 0, true}});
  for (const VectorRow& row : advice.rows) {
    table.add({size_text(row.vector_bytes), us(row.mpi_seconds), us(row.seconds),
               fmt::format("{:.2f}", row.gain()), us(row.bound_seconds), "  " + to_string(row.method)});
  }
  const VectorQuestion& question = advice.question;
  const Grid& grid = question.sharing.network();
  return fmt::format(
      "{} on {}: {}, {}-port\n{}\npredicted times in us\n\n{}\n{}.\nMPI is the fastest of the "
      "algorithms of MPI libraries, in the order of ranks.\n",
      to_string(question.collective), to_string(grid), nodes_of(question.sharing),
      to_string(question.model.network.ports), to_string(program::times_of(question.model)), table.text(),
      verdict(advice));
}

nlohmann::ordered_json vector_advice_json(const VectorAdvice& advice) {
  const VectorQuestion& question = advice.question;
  nlohmann::ordered_json json{{"grid", to_string(question.sharing.network())},
                              {"per_node", question.sharing.largest_group()},
                              {"collective", to_string(question.collective)},
                              {"ports", to_string(question.model.network.ports)}};
  json.update(as_json(program::times_of(question.model)));
  json["verdict"] = verdict(advice);
  auto& rows = json["rows"] = nlohmann::ordered_json::array();
  for (const VectorRow& row : advice.rows) {
    rows.push_back({{"vector_bytes", row.vector_bytes},
                    {"mpi_seconds", row.mpi_seconds},
                    {"method", to_string(row.method)},
                    {"cubefold_seconds", row.seconds},
                    {"bound_seconds", row.bound_seconds},
                    {"gain", row.gain()}});
  }
  return json;
}

}  // namespace cubefold::planner
