#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cubefold::drawing {

/// An XML element as a value: attributes in order, then text, then children.
struct Element {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;
  std::vector<Element> children;
};

/// The element as text, whatever its attributes and texts contain; one element a line.
std::string to_text(const Element& element);

/// CSS of a picture: text and background, which all pictures have alike, and rules of its own, in the light and in the
/// dark.
std::string style_sheet(const std::string& light, const std::string& dark);

/// The outermost element of a picture: its size in pixels, its caption for those who cannot see it, its CSS, and a
/// background of class `background`.
Element frame(double width, double height, const std::string& caption, const std::string& style);

/// A text whose baseline begins there.
Element text_at(double x, double y, const std::string& text, const std::string& style_class);

/// About what a text takes up: fonts differ.
double text_width(const std::string& text, double font_size);

/// A length with two decimals at most, as SVG wants it.
std::string number(double length);

}  // namespace cubefold::drawing
