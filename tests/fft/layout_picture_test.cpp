#include "fft/layout_picture.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "transform/layouts.hpp"

namespace cubefold::fft {
namespace {

TEST(DocumentPictures, have_names_of_their_own_and_are_complete) {
  const auto pictures = document_pictures();
  EXPECT_GE(pictures.size(), 6U);
  for (const auto& [file_name, svg] : pictures) {
    EXPECT_TRUE(svg.starts_with("<svg ")) << file_name;
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << file_name;
    EXPECT_EQ(std::ranges::count(pictures, file_name, &LayoutPicture::file_name), 1) << file_name;
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
