#include "planner/mapping/phases.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <bit>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/lcc/pattern.hpp"
#include "lcc/lcc_text.hpp"
#include "planner/mapping/matrix_market.hpp"
#include "program/json.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

/// The parts of `matrix:FILE*WEIGHT`.
struct FileAndWeight {
  std::string path;
  double weight = 1;
};

FileAndWeight file_and_weight(const std::string& text) {
  const auto colon = text.find(':');
  const auto star = text.rfind('*');
  if (star == std::string::npos) return {text.substr(colon + 1), 1};
  FileAndWeight result{text.substr(colon + 1, star - colon - 1), 0};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + star + 1, end, result.weight);
  if (read.ec != std::errc{} || read.ptr != end || !is_amount(result.weight)) {
    throw std::invalid_argument(
        fmt::format("phase '{}': weight '{}' is {}", text, text.substr(star + 1), no_amount));
  }
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

DefinedPhase lcc_phase(const std::string& text, std::size_t rank_count) {
  const auto [path, weight] = file_and_weight(text);
  const Lcc lcc = read_lcc(path);
  if (lcc.bit_count() > 31 || rank_count != std::size_t{1} << lcc.bit_count()) {
    throw std::invalid_argument(fmt::format("{}: {} rows are for 2^{} ranks, not for {}", path,
                                            lcc.bit_count(), lcc.bit_count(), rank_count));
  }
  return {phase_of(lcc, "lcc:" + path, weight), {{"lcc", lines_of(to_string(lcc))}}};
}

DefinedPhase matrix_phase(const std::string& text, std::size_t rank_count) {
  const auto [path, weight] = file_and_weight(text);
  DefinedPhase result{{"matrix:" + path, weight, read_matrix_market(path, rank_count)}, {}};
  auto& list = result.definition["traffic"] = nlohmann::ordered_json::array();
  for (const Traffic& sent : result.phase.traffic) {
    list.push_back({label(sent.from), label(sent.to), sent.messages});
  }
  return result;
}

std::vector<DefinedPhase> phases_named(const std::string& text, std::size_t rank_count, const Grid& grid) {
  if (text.starts_with("lcc:")) return {lcc_phase(text, rank_count)};
  if (text.starts_with("matrix:")) return {matrix_phase(text, rank_count)};
  std::vector<DefinedPhase> result;
  for (Phase& phase : parse_phases(text, rank_count, &grid)) result.push_back({std::move(phase), {}});
  return result;
}

void check_phases(const std::string& text) {
  if (text.starts_with("lcc:") || text.starts_with("matrix:")) return;
  try {
    require_phase_names(text);
  } catch (const UnknownPhase& unknown) {
    throw std::invalid_argument(fmt::format("{}, matrix:FILE, lcc:FILE", unknown.what()));
  }
}

}  // namespace

std::vector<DefinedPhase> read_phases(const std::vector<std::string>& texts, std::size_t rank_count,
                                      const Grid& grid) {
  std::vector<DefinedPhase> result;
  for (const auto& text : texts) {
    for (DefinedPhase& phase : phases_named(text, rank_count, grid)) result.push_back(std::move(phase));
  }
  return result;
}

std::vector<Phase> phases_of(const std::vector<DefinedPhase>& phases) {
  std::vector<Phase> result;
  result.reserve(phases.size());
  for (const DefinedPhase& phase : phases) result.push_back(phase.phase);
  return result;
}

Lcc read_lcc(const std::string& path) {
  const auto text = program::read_text(path);
  try {
    return parse_lcc(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", path, error.what()));
  }
}

Lcc lcc_named(const std::string& text, const Grid& grid) {
  const int bits = dimension_count(grid);
  if (!text.starts_with("lcc:")) return parse_pattern(text, bits);
  Lcc lcc = read_lcc(text.substr(4));
  if (lcc.bit_count() == bits) return lcc;
  throw std::invalid_argument(fmt::format("{}: {} rows where {} has {} bits", text.substr(4), lcc.bit_count(),
                                          to_string(grid), bits));
}

CLI::Option* add_phases(CLI::App& command, std::vector<std::string>& phases) {
  return command
      .add_option("--phase", phases,
                  "Communication of the program, PHASE[*WEIGHT]: cube, cube:0-2, a pattern as\n"
                  "transpose:8x8 or bit-reversal, matrix:FILE.mtx or lcc:FILE; may be given\n"
                  "again")
      ->check(program::read_by(check_phases))
      ->type_name("PHASE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace cubefold::planner
