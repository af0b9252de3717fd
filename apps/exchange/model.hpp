#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "program/cli_fwd.hpp"

/// Holds the options about the network.
struct ModelOptions {
  std::optional<cubefold::Ports> ports;  ///< empty: as in the machine file, or else one
  cubefold::Tie tie = cubefold::Tie::balanced;
};

/// Adds --machine (add_machine_option()), --ports and --tie.
void add_model_options(CLI::App& app, ModelOptions& options);

/// Holds the model that plans use, and its source.
struct SourcedModel {
  cubefold::ExchangeModel model;
  std::string machine_file;  ///< empty if the model has default constants
};

/// Returns the model of the machine file that CUBEFOLD_MACHINE names. Without a machine file it has the default
/// of program::NetworkTimes. Throws as cubefold::mpi::machine_from_environment() does. All processes must call this.
SourcedModel model_of(const cubefold::mpi::VirtualComm& comm, const ModelOptions& options);

/// Returns the text of program::NetworkTimes, the ports and the source, as in `..., one-port, from machine.json`.
std::string to_string(const SourcedModel& model);

/// Predicts the bytes that methods put on each directed link. It counts each schedule once and uses the result for all
/// block sizes.
class PredictedLinks {
 public:
  PredictedLinks(cubefold::Placement placement, const cubefold::NetworkRules& network)
      : placement_(std::move(placement)), network_(network) {}

  /// Returns {from, to, bytes} for all links, with nodes as numbers. Links without load are included. Returns nothing
  /// for more than 1024 processes, whose schedules would not fit into memory. Costs O(hops of all messages) the first
  /// time, and O(links) later.
  std::optional<nlohmann::ordered_json> of(const cubefold::ExchangeMethod& method, std::size_t block_bytes);

 private:
  const std::vector<std::uint64_t>& blocks_of(const cubefold::ExchangeMethod& method);

  cubefold::Placement placement_;
  cubefold::NetworkRules network_;
  std::vector<std::pair<cubefold::ExchangeMethod, std::vector<std::uint64_t>>> blocks_;  ///< by link_index()
};
