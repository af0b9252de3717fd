#include <variant>

#include "fft/layout_picture.hpp"
#include "transform/layouts.hpp"
#include "transform/programs.hpp"

namespace cubefold::fft {

namespace {

// The pictures show 64 points on 4 processes: 8 x 8 points, and 2^(n+2s) points with n = s = 2 for block-cyclic. A row
// of a picture has as many points as a process.
constexpr std::size_t processes = 4;
constexpr std::size_t side = 8;
constexpr std::size_t points = side * side;
constexpr std::size_t columns = points / processes;

constexpr std::size_t extent = 4;

/// Returns the picture of the layouts of the array before the first exchange and after each exchange.
std::string stages_picture(const std::vector<std::size_t>& axis_members,
                           const std::vector<std::string>& labels, const std::string& caption) {
  PlanOptions options;
  options.transposed_output = true;
  const Program program = array_program({extent, extent, extent}, axis_members, options);
  std::vector<LabelledLayout> layouts{{labels.at(0), program.input}};
  for (const Stage& stage : program.stages) {
    if (const auto* exchange = std::get_if<ExchangeStage>(&stage))
      layouts.push_back({labels.at(layouts.size()), exchange->after});
  }
  return cube_picture(layouts, extent, caption);
}

}  // namespace

std::vector<LayoutPicture> document_pictures() {
  return {
      {"fft-block.svg", line_picture(block_layout(side, side, processes), columns,
                                     "64 points over 4 processes in blocks: 16 consecutive points each")},
      {"fft-cyclic.svg", line_picture(cyclic_layout(points, processes), columns,
                                      "64 points over 4 processes, cyclic: point j with process j mod 4")},
      {"fft-block-cyclic.svg",
       line_picture(block_cyclic_layout(points, processes), columns,
                    "64 points over 4 processes, block-cyclic: 4 blocks of 4 points each, 16 points apart")},
      {"fft-scrambled.svg",
       line_picture(scrambled_layout(side, side, processes), columns,
                    "64 frequencies over 4 processes, scrambled: k mod 8 in blocks of two")},
      {"fft-slab.svg",
       stages_picture({processes}, {"slabs: dimension 0 is spread", "transposed: dimension 1 is spread"},
                      "A cube of 4 x 4 x 4 points in slabs over 4 processes, before and after the exchange")},
      {"fft-pencil.svg",
       stages_picture(
           {2, 2},
           {"pencils along dimension 2: dimensions 0 and 1 are spread",
            "along dimension 1, after an exchange within each pair", "along dimension 0: transposed output"},
           "A cube of 4 x 4 x 4 points in pencils over 2 x 2 processes, before and after each of two "
           "exchanges")}};
}

}  // namespace cubefold::fft
