#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/schedule/conflict.hpp"
#include "cubefold/topology/route.hpp"
#include "program/cli_fwd.hpp"

/// The options that several subcommands have, each worded once.
namespace cubefold::planner {

/// The network, by position: `torus:8x8`.
void add_grid(CLI::App& command, std::string& grid);

/// `--placement RULE`.
void add_placement(CLI::App& command, std::string& placement);

/// `--block BYTES`, required; KiB and MiB may follow.
void add_block(CLI::App& command, std::size_t& block_bytes);

/// `--tie positive|balanced`. Published link loads are for balanced ties.
void add_tie(CLI::App& command, Tie& tie);

/// `--ports one|all`.
CLI::Option* add_ports(CLI::App& command, Ports& ports);

/// An option of a time in seconds from 0, as `--alpha S`, and `--tau S/B`, times of a byte on each axis.
CLI::Option* add_seconds(CLI::App& command, const std::string& name, double& seconds,
                         const std::string& help);
CLI::Option* add_tau(CLI::App& command, std::vector<double>& seconds_per_byte);

/// `--json FILE|-`.
void add_json(CLI::App& command, std::string& json);

}  // namespace cubefold::planner
