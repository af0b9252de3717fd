// docs/fft.md has the tables and pictures that the library computes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fft/layout_picture.hpp"
#include "support/pages.hpp"
#include "transform/block_geometry.hpp"
#include "transform/layouts.hpp"
#include "transform/programs.hpp"

namespace cubefold::fft {
namespace {

constexpr std::size_t process_count = 4;
constexpr std::size_t length = 4096;  // 4 * 4^5, which suits every distribution

PlanOptions line(Distribution input, Distribution output) {
  PlanOptions options;
  options.input = input;
  options.output = output;
  return options;
}

constexpr Distribution distributions[] = {Distribution::block, Distribution::scrambled, Distribution::cyclic,
                                          Distribution::block_cyclic};

TEST(FftPage, has_the_exchanges_of_every_pair_of_distributions) {
  const std::string page = page_text("fft.md");
  for (const Distribution input : distributions) {
    std::string row = fmt::format("| {} |", to_string(input));
    for (const Distribution output : distributions)
      row += fmt::format(
          " {} |", volume_of(complex_program(length, process_count, line(input, output))).exchange_count);
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

TEST(FftPage, says_that_an_exchange_sends_all_points_of_a_process_but_its_own_block) {
  const std::size_t once = length / process_count / process_count * (process_count - 1);
  for (const Distribution input : distributions) {
    for (const Distribution output : distributions) {
      const Volume volume = volume_of(complex_program(length, process_count, line(input, output)));
      EXPECT_EQ(volume.sent_count, volume.exchange_count * once)
          << to_string(input) << " to " << to_string(output);
    }
  }
}

TEST(FftPage, has_exchanges_and_volume_of_slabs_and_pencils) {
  const std::string page = page_text("fft.md");
  constexpr std::size_t n = 16;
  constexpr std::size_t points_of_a_process = n * n * n / 16;
  for (const bool is_slab : {true, false}) {
    for (const bool transposed : {false, true}) {
      PlanOptions options;
      options.transposed_output = transposed;
      const std::vector<std::size_t> members =
          is_slab ? std::vector<std::size_t>{16} : std::vector<std::size_t>{4, 4};
      const Volume volume = volume_of(array_program({n, n, n}, members, options));
      const double sent = static_cast<double>(volume.sent_count) / points_of_a_process;
      const auto row = fmt::format("| {}, {} | {} | {:g} |", is_slab ? "slab" : "pencil",
                                   transposed ? "transposed" : "natural", volume.exchange_count, sent);
      EXPECT_NE(page.find(row), std::string::npos) << row;
    }
  }
}

TEST(FftPage, shows_the_pictures_that_the_layouts_give) {
  const std::string page = page_text("fft.md");
  for (const auto& [file_name, svg] : document_pictures()) {
    EXPECT_NE(page.find(fmt::format("(pictures/{})", file_name)), std::string::npos) << file_name;
    EXPECT_EQ(page_text(fmt::format("pictures/{}", file_name)), svg)
        << file_name << ": draw_layouts makes it again";
  }
}

TEST(LinePicture, shows_every_point_twice_in_the_colour_of_its_process) {
  const Layout layout = cyclic_layout(12, 3);
  const std::string svg = line_picture(layout, 4, "");
  const auto cells_of = [&](int process) {
    std::size_t count = 0;
    const auto mark = fmt::format("class=\"p{}\"", process);
    for (std::size_t at = svg.find(mark); at != std::string::npos; at = svg.find(mark, at + 1)) ++count;
    return count;
  };
  for (const int process : {0, 1, 2}) EXPECT_EQ(cells_of(process), 8U);
  EXPECT_EQ(cells_of(3), 0U);
}

}  // namespace
}  // namespace cubefold::fft
