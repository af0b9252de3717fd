#pragma once

#include <optional>
#include <string>

#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "program/cli_fwd.hpp"

/// The options of the user about the network.
struct ModelOptions {
  std::optional<cubefold::Ports> ports;  ///< empty: those of the machine file, or one
  cubefold::Tie tie = cubefold::Tie::balanced;
};

/// Adds --machine, --ports and --tie. --machine sets CUBEFOLD_MACHINE for this process, and all later code reads it.
void add_model_options(CLI::App& app, ModelOptions& options);

/// The model that plans use, and its source.
struct SourcedModel {
  cubefold::ExchangeModel model;
  std::string machine_file;  ///< empty if the model has default constants
};

/// Returns the model of the machine file that CUBEFOLD_MACHINE names. Without a machine file it has the constants of
/// `cubefold simulate`: 1 us for a start-up and 1 ns per byte. Throws as cubefold::mpi::machine_from_environment()
/// does. All processes must call this.
SourcedModel model_of(const cubefold::mpi::VirtualComm& comm, const ModelOptions& options);

/// Returns a text such as `alpha 1 us, gap 1 us, tau 1 ns/B, barrier 0 us, one-port, from machine.json`.
std::string to_string(const SourcedModel& model);
