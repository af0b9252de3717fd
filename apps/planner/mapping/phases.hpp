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

/// A phase, and how others can make its traffic again. A phase that a pattern names needs no more than its name.
struct DefinedPhase {
  Phase phase;
  nlohmann::ordered_json
      definition;  ///< keys `lcc` (lines of text) or `traffic` (from, to, messages), or none
};

/// Reads what follows --phase, of ranks on the grid: PHASE[*WEIGHT], several joined by `+`, or a single
/// `matrix:FILE[*WEIGHT]` or `lcc:FILE[*WEIGHT]`. Throws what parse_phases(), parse_lcc() and read_matrix_market() do,
/// with the file.
std::vector<DefinedPhase> read_phases(const std::vector<std::string>& texts, std::size_t rank_count,
                                      const Grid& grid);

/// The phases alone.
std::vector<Phase> phases_of(const std::vector<DefinedPhase>& phases);

/// The linear-complement communication in a file. Throws with the path, the line and the rule.
Lcc read_lcc(const std::string& path);

/// A pattern's name or `lcc:FILE`, between the nodes of a grid. Throws with the path if the file is for another number
/// of them, and if that number is no power of two.
Lcc lcc_named(const std::string& text, const Grid& grid);

/// `--phase PHASE`, which may be given several times.
CLI::Option* add_phases(CLI::App& command, std::vector<std::string>& phases);

/// Reads the messages between so many ranks from a Matrix Market file: row i, column j is what rank i-1 sends rank j-1.
/// `matrix coordinate` or `matrix array`, `real`, `integer` or `pattern` (1 each), `general` or `symmetric` (the other
/// half is the same). Entries of 0 and those on the diagonal are left out. Throws std::runtime_error with file, line
/// and rule: for another header or size, an entry that is no amount, stands twice or is missing.
std::vector<Traffic> read_matrix_market(const std::string& path, std::size_t rank_count);

}  // namespace cubefold::planner
