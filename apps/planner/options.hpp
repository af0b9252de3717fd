#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/simulation/machine.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "program/cli_fwd.hpp"
#include "program/network_times.hpp"

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

/// Adds the required option `--size BYTES` of a vector, which accepts KiB and MiB.
void add_vector_size(CLI::App& command, std::size_t& vector_bytes);

/// Adds `--per-node K`, the number of ranks on each node, up to `most`. Returns the option.
CLI::Option* add_per_node(CLI::App& command, std::size_t& per_node, std::size_t most);

inline constexpr const char* vector_method_help =
    "The algorithm: bucket, direct, halving-cube, halving-swing, halving-ordered, and for\n"
    "allreduce whole-cube, whole-swing and whole-ordered; :N is the number of channels, as bucket:4";

/// Adds `--phase PHASE` for exchange_groups().
CLI::Option* add_exchange_phase(CLI::App& command, std::string& phase);

/// Adds `--tie positive|balanced`. Published link loads are for balanced ties.
void add_tie(CLI::App& command, Tie& tie);

/// Adds `--ports one|all`.
CLI::Option* add_ports(CLI::App& command, Ports& ports);

/// Adds `--queues lossless|lossy|unknown`.
CLI::Option* add_queues(CLI::App& command, Queues& queues);

/// Adds `--rate` and `--latency`, and `--tau` and `--alpha`, which give the same in seconds. Returns the options.
std::vector<CLI::Option*> add_links(CLI::App& command, program::NetworkTimes& times);

/// Adds `--gap`, and `--barrier`.
CLI::Option* add_gap(CLI::App& command, program::NetworkTimes& times);
CLI::Option* add_barrier(CLI::App& command, program::NetworkTimes& times);

/// The constants of a network, which are given one by one or by a machine file.
struct ModelOptions {
  program::NetworkTimes times;
  NetworkRules rules;
  Queues queues = Queues::lossless;
  std::string machine;
};

/// Adds `--machine FILE`, which excludes the options that give its values one by one. Returns the option.
CLI::Option* add_machine(CLI::App& command, std::string& machine, const std::vector<CLI::Option*>& values);

/// Returns the model of a network. Throws std::invalid_argument if the machine file was made for another network.
ExchangeModel model_of(const ModelOptions& options, const Grid& network);

/// Adds `--json FILE|-` for the schedule of a choice and `--table FILE|-` for all candidates.
void add_schedule_files(CLI::App& command, std::string& json, std::string& table);

/// Adds `--json FILE|-`.
void add_json(CLI::App& command, std::string& json);

}  // namespace cubefold::planner
