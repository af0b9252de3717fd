#pragma once

#include <string>
#include <vector>

#include "cubefold/transform/layout.hpp"

namespace cubefold::fft {

/// A picture of a document: where points are.
struct LayoutPicture {
  std::string file_name;
  std::string svg;
};

/// A line of points in rows of `columns`, each point in the colour of its process, and below it the memory of every
/// process, point by point. As SVG; everything in it comes from point_at(). Requires one process axis.
std::string line_picture(const Layout& layout, std::size_t columns, const std::string& caption);

/// A layout of an array of three dimensions, with what it is.
struct LabelledLayout {
  std::string label;
  Layout layout;
};

/// Layouts of a cube of extent^3 points below each other: its planes side by side, each point in the colour of its
/// process, with the place that it has in that process's memory.
std::string cube_picture(const std::vector<LabelledLayout>& layouts, std::size_t extent,
                         const std::string& caption);

/// All pictures of docs/fft.md.
std::vector<LayoutPicture> document_pictures();

}  // namespace cubefold::fft
