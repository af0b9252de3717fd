#include "exchange/model.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cubefold/simulation/steps.hpp"
#include "cubefold/topology/route.hpp"
#include "mpi/job_files.hpp"
#include "program/mpi_program.hpp"
#include "program/network_times.hpp"
#include "program/values.hpp"
#include "timing/link_bytes.hpp"

void add_model_options(CLI::App& app, ModelOptions& options) {
  cubefold::program::add_machine_option(app,
                                        "Machine file of cubefold-calibrate, for plans and predictions.\n"
                                        "Default: the file that the environment variable CUBEFOLD_MACHINE\n"
                                        "names, or else links of 100 Gbit/s and a latency of 1.5 us");
  cubefold::program::add_parsed(app, "--ports", options.ports, cubefold::parse_ports,
                                "Messages that a node sends at a time: one, or all (one over each\n"
                                "link). Default: the value of the machine file, or else one");
  cubefold::timing::add_tie_option(app, options.tie);
}

SourcedModel model_of(const cubefold::mpi::VirtualComm& comm, const ModelOptions& options) {
  SourcedModel result{cubefold::program::model_of({}, {cubefold::Ports::one, options.tie}), {}};
  // The times of a machine are those of its axes, to which the slots of nodes are not counted.
  std::optional<cubefold::Machine> machine;
  if (comm.sharing() == nullptr)
    machine = cubefold::mpi::machine_from_environment(comm.cart_comm(), comm.grid());
  if (machine) result = {exchange_model(*machine, options.tie), machine->file};
  result.model.network.ports = options.ports.value_or(result.model.network.ports);
  return result;
}

std::string to_string(const SourcedModel& model) {
  return fmt::format("{}, {}-port, {}", to_string(cubefold::program::times_of(model.model)),
                     to_string(model.model.network.ports),
                     model.machine_file.empty() ? "by default: there is no machine file to predict from"
                                                : fmt::format("from {}", model.machine_file));
}

namespace {

constexpr std::size_t most_processes = 1024;

}  // namespace

const std::vector<std::uint64_t>& PredictedLinks::blocks_of(const cubefold::ExchangeMethod& method) {
  for (const auto& [known, blocks] : blocks_) {
    if (known == method) return blocks;
  }
  const auto schedule = exchange_schedule(method, placement_, network_);
  const cubefold::StepModel routes{.ports = network_.ports, .tie = network_.tie};
  return blocks_.emplace_back(method, simulate_steps(placement_, schedule, 1, routes).link_bytes).second;
}

std::optional<nlohmann::ordered_json> PredictedLinks::of(const cubefold::ExchangeMethod& method,
                                                         std::size_t block_bytes) {
  if (placement_.rank_count() > most_processes) return std::nullopt;
  const auto& grid = placement_.grid();
  const auto& blocks = blocks_of(method);
  auto json = nlohmann::ordered_json::array();
  for (const cubefold::Link& link : links_of(grid)) {
    json.push_back({{"from", static_cast<std::size_t>(link.from)},
                    {"to", static_cast<std::size_t>(end_of(grid, link))},
                    {"bytes", blocks[link_index(grid, link)] * block_bytes}});
  }
  return json;
}
