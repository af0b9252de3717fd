#include "line_stages.hpp"

#include <utility>

namespace cubefold::fft {

namespace {

/// j1 and j2, and later k1 and k2, with their weights.
struct Cut {
  Digit high;  ///< of weight N2 (j1), or k1 in its place
  Digit low;   ///< of weight 1 (j2)
  Digit k1;
  Digit k2;
};

Cut cut_of(const Factors& factors) {
  const auto [n1, n2] = factors;
  return {.high = {n1, n2}, .low = {n2, 1}, .k1 = {n1, 1}, .k2 = {n2, n1}};
}

Digit spread(Digit digit, Spread how) {
  digit.spread = how;
  return digit;
}

TransformStage first_transforms(const Line& line, const Cut& cut, const LineInput& input) {
  const Digit low = spread(cut.low, input.column_spread);
  const auto& [n1, n2] = line.factors;
  return {.before = input.columns_first ? line_layout(low, cut.high, line.process_count)
                                        : line_layout(cut.high, low, line.process_count),
          .after = line_layout(cut.high, low, line.process_count),
          .digit = input.columns_first ? 1U : 0U,
          .sources = input.columns_first ? std::vector<std::size_t>{1, 0} : std::vector<std::size_t>{0, 1},
          .transform = line.transform,
          .twiddle = Twiddle{.digit = 1, .order = n1 * n2},
          .factor = line.factor};
}

TransformStage second_transforms(const Line& line, const Cut& cut, const LineOutput& output) {
  const Digit k1 = spread(cut.k1, output.row_spread);
  return {.before = line_layout(spread(cut.high, output.row_spread), cut.low, line.process_count),
          .after = output.rows_first ? line_layout(k1, cut.k2, line.process_count)
                                     : line_layout(cut.k2, k1, line.process_count),
          .digit = 1,
          .sources = output.rows_first ? std::vector<std::size_t>{0, 1} : std::vector<std::size_t>{1, 0},
          .transform = line.transform,
          .twiddle = std::nullopt};
}

}  // namespace

Layout line_layout(const Digit& slow, const Digit& fast, std::size_t process_count) {
  return {{slow, fast}, {process_count}};
}

std::vector<Stage> line_stages(const Line& line, const LineInput& input, const LineOutput& output) {
  const Cut cut = cut_of(line.factors);
  const TransformStage first = first_transforms(line, cut, input);
  const TransformStage second = second_transforms(line, cut, output);
  std::vector<Stage> stages;
  if (input.rows) {
    const Layout rows = line_layout(spread(cut.high, Spread::block), cut.low, line.process_count);
    stages.emplace_back(ExchangeStage{.before = rows, .after = first.before});
  }
  stages.emplace_back(first);
  stages.emplace_back(ExchangeStage{.before = first.after, .after = second.before});
  stages.emplace_back(second);
  if (output.last) {
    const Layout last = line_layout(spread(cut.k2, *output.last), cut.k1, line.process_count);
    stages.emplace_back(ExchangeStage{.before = second.after, .after = last});
  }
  return stages;
}

Program program_of(std::vector<Stage> stages) {
  Layout input = layout_before(stages.front());
  Layout output = layout_after(stages.back());
  return {.input = std::move(input), .stages = std::move(stages), .output = std::move(output)};
}

}  // namespace cubefold::fft
