#pragma once

#include <string>
#include <vector>

#include "cubefold/transform/layout.hpp"

namespace cubefold::fft {

/// A picture in a document that shows where points are.
struct LayoutPicture {
  std::string file_name;
  std::string svg;
};

/// Returns an SVG picture of a line of points in rows of `columns` points. Each point has the colour of its process.
/// Below are the points in the memory of every process. All that it shows comes from point_at(). Requires one process
/// axis.
std::string line_picture(const Layout& layout, std::size_t columns, const std::string& caption);

/// A layout of an array of three dimensions, with its label.
struct LabelledLayout {
  std::string label;
  Layout layout;
};

/// Returns an SVG picture of layouts of a cube of extent^3 points, one below the other. The planes of the cube are side
/// by side. Each point has the colour of its process and shows its place in the memory of that process.
std::string cube_picture(const std::vector<LabelledLayout>& layouts, std::size_t extent,
                         const std::string& caption);

/// Returns all pictures of docs/fft.md.
std::vector<LayoutPicture> document_pictures();

}  // namespace cubefold::fft
