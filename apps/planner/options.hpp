#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/topology/route.hpp"
#include "program/cli_fwd.hpp"

/// Options that several subcommands share.
namespace cubefold::planner {

/// The longest file of a subnet manager or a launcher that is read.
inline constexpr std::size_t most_input_bytes = std::size_t{1} << 28;

/// Adds the network as a positional argument such as `torus:8x8`.
void add_grid(CLI::App& command, std::string& grid);

/// Adds the network as a positional argument, which may also be one of those of nothing_to_gain().
void add_grid_or_switched(CLI::App& command, std::string& grid);

/// Adds `--placement RULE`.
void add_placement(CLI::App& command, std::string& placement);

/// Adds the required option `--block BYTES`, which accepts KiB and MiB.
void add_block(CLI::App& command, std::size_t& block_bytes);

/// Adds `--phase PHASE` for exchange_groups().
void add_exchange_phase(CLI::App& command, std::string& phase);

/// Adds `--tie positive|balanced`. Published link loads are for balanced ties.
void add_tie(CLI::App& command, Tie& tie);

/// Adds `--ports one|all`.
CLI::Option* add_ports(CLI::App& command, Ports& ports);

/// Adds an option such as `--alpha S` for a time of at least 0 seconds.
CLI::Option* add_seconds(CLI::App& command, const std::string& name, double& seconds,
                         const std::string& help);

/// Adds `--tau S/B[,S/B...]`, with one time for all axes or one for each axis, of at least 0 seconds per byte.
CLI::Option* add_tau(CLI::App& command, std::vector<double>& seconds_per_byte);

/// Adds `--json FILE|-`.
void add_json(CLI::App& command, std::string& json);

}  // namespace cubefold::planner
