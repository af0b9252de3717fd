#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/lcc/lcc.hpp"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"
#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// Phases, with all data that other programs need to compute their messages again. The name of a pattern is sufficient.
struct DefinedPhases {
  std::vector<Phase> phases;

  /// One for each phase: key `lcc` (lines of text) or `traffic` (from, to, messages); null for a pattern.
  std::vector<nlohmann::ordered_json> definitions;
};

/// Reads the values of --phase for ranks on the grid. A value is `matrix:FILE[*WEIGHT]`, `profile:FILE[*WEIGHT]`, which
/// stands for all phases of the file, `lcc:FILE[*WEIGHT]`, or one or more PHASE[*WEIGHT] joined by `+`. Throws as
/// parse_phases(), read_lcc(), read_matrix_market() and read_profile() do, and std::invalid_argument for a weight that
/// is not an amount or a communication of another number of ranks.
DefinedPhases read_phases(const std::vector<std::string>& texts, std::size_t rank_count, const Grid& grid);

/// Reads a linear-complement communication from a file. Throws std::invalid_argument with the path, the line and the
/// rule, and std::runtime_error if the file cannot be read.
Lcc read_lcc(const std::string& path);

/// Returns the communication between the nodes of a grid that the text names: a pattern, or `lcc:FILE`. Throws
/// std::invalid_argument if the number of nodes is no power of two, and with the path if the file is for another number
/// of nodes. Also throws as parse_pattern() and read_lcc() do.
Lcc lcc_named(const std::string& text, const Grid& grid);

/// Adds `--phase PHASE`, which may be given several times.
CLI::Option* add_phases(CLI::App& command, std::vector<std::string>& phases);

/// Reads the messages between `rank_count` ranks from a Matrix Market file. Row i, column j has the number of messages
/// that rank i - 1 sends rank j - 1. The header is `matrix` with `coordinate` or `array`, with `real`, `double`,
/// `integer`, `unsigned-integer` or `pattern` (every entry is 1), and with `general`, `symmetric` or `hermitian` (the
/// file has only the lower triangle). The result has no entries of 0 and no entries on the diagonal. Throws
/// std::runtime_error with file, line and rule for another header or size, and for an entry that is not an amount, is
/// listed twice or is missing.
std::vector<Traffic> read_matrix_market(const std::string& path, std::size_t rank_count);

}  // namespace cubefold::planner
