#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cubefold::planner {

/// An XML element as a value: attributes in order, then text, then children.
struct Element {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;
  std::vector<Element> children;
};

/// The element as text, whatever its attributes and texts contain; one element a line.
std::string to_text(const Element& element);

/// A length with two decimals at most, as SVG wants it.
std::string number(double length);

}  // namespace cubefold::planner
