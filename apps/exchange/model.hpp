#pragma once

#include <optional>
#include <string>

#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "program/cli_fwd.hpp"

/// What the user says of the network.
struct ModelOptions {
  std::optional<cubefold::Ports> ports;  ///< nothing: the machine file's, or one
  cubefold::Tie tie = cubefold::Tie::balanced;
};

/// --machine, --ports and --tie. --machine sets CUBEFOLD_MACHINE for this process, which everything below reads.
void add_model_options(CLI::App& app, ModelOptions& options);

/// What plans reckon with, and where it comes from.
struct SourcedModel {
  cubefold::ExchangeModel model;
  std::string machine_file;  ///< empty: default constants
};

/// Collective: the model of the machine file that CUBEFOLD_MACHINE names, or the constants of `cubefold simulate`: 1 us
/// for a start-up, 1 ns per byte. Throws as cubefold::mpi::machine_from_environment() does.
SourcedModel model_of(const cubefold::mpi::VirtualComm& comm, const ModelOptions& options);

/// `alpha 1 us, gap 1 us, tau 1 ns/B, barrier 0 us, one-port, from machine.json`.
std::string to_string(const SourcedModel& model);
