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

/// Returns the element as text, with one element on each line. Special characters of attributes and texts are escaped.
std::string to_text(const Element& element);

/// Returns the CSS of a picture. It consists of the rules for text and background, which all pictures share, and the
/// given rules for light and for dark backgrounds.
std::string style_sheet(const std::string& light, const std::string& dark);

/// Returns the outermost element of a picture. It has the size in pixels, a caption for screen readers, the CSS, and a
/// background of class `background`.
Element frame(double width, double height, const std::string& caption, const std::string& style);

/// Returns a text whose baseline begins at (x, y).
Element text_at(double x, double y, const std::string& text, const std::string& style_class);

/// Returns a line from (x1, y1) to (x2, y2).
Element line(const std::string& style_class, double x1, double y1, double x2, double y2);

/// Returns the approximate width of a text. The exact width depends on the font.
double text_width(const std::string& text, double font_size);

/// Returns a length with at most two decimals, as SVG expects it.
std::string number(double length);

}  // namespace cubefold::drawing
