#include "cubefold/plan/phase.hpp"

#include "cubefold/lcc/pattern.hpp"
#include "fuzz/parser.hpp"
#include "fuzz/text_in_file.hpp"
#include "lcc/lcc_text.hpp"
#include "planner/mapping/phases.hpp"
#include "planner/mapping/profile_file.hpp"

namespace cubefold::fuzz {

namespace {

constexpr std::size_t rank_count = 16;

void require_few_ranks(const std::vector<Traffic>& traffic) {
  for (const Traffic& sent : traffic) {
    require(label(sent.from) < rank_count && label(sent.to) < rank_count, "a rank does not exist");
    require(is_amount(sent.messages), "a number of messages is no amount");
  }
}

void read_phase(std::string_view text) {
  require_phase_names(text);
  const Grid grid = parse_grid("torus:4x4");
  for (const Phase& phase : parse_phases(text, rank_count, &grid)) require_few_ranks(phase.traffic);
}

void read_pattern(std::string_view text) {
  require(parse_pattern(text, 6).bit_count() == 6, "the pattern has another number of bits");
}

void read_lcc(std::string_view text) {
  const Lcc lcc = parse_lcc(text);
  require(to_string(read_back(parse_lcc, to_string(lcc))) == to_string(lcc),
          "the text of the communication is another one");
}

void read_matrix_market(std::string_view text) {
  const TextInFile file(text);
  require_few_ranks(planner::read_matrix_market(file.path(), rank_count));
}

void read_profile(std::string_view text) {
  const TextInFile file(text);
  for (const Phase& phase : planner::read_profile(file.path(), rank_count, 1))
    require_few_ranks(phase.traffic);
}

}  // namespace

const FuzzedParser phase_parser{"phase", read_phase};
const FuzzedParser pattern_parser{"pattern", read_pattern};
const FuzzedParser lcc_parser{"lcc", read_lcc};
const FuzzedParser matrix_market_parser{"matrix_market", read_matrix_market,
                                        Refusals::invalid_argument_or_runtime_error};
const FuzzedParser profile_parser{"profile", read_profile, Refusals::invalid_argument_or_runtime_error};

}  // namespace cubefold::fuzz
