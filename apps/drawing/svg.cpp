#include "drawing/svg.hpp"

#include <fmt/format.h>

#include <cmath>

namespace cubefold::drawing {

namespace {

/// Returns the text with escaped special characters. Control characters other than tab and ends of lines are left out,
/// because XML 1.0 cannot express them.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') {
      result += ' ';
    } else {
      result += c;
    }
  }
  return result;
}

void append(std::string& out, const Element& element) {
  out += '<';
  out += element.name;
  for (const auto& [name, value] : element.attributes) out += fmt::format(" {}=\"{}\"", name, escaped(value));
  if (element.text.empty() && element.children.empty()) {
    out += "/>\n";
    return;
  }
  out += '>';
  out += escaped(element.text);
  if (!element.children.empty()) out += "\n";
  for (const Element& child : element.children) append(out, child);
  out += fmt::format("</{}>\n", element.name);
}

}  // namespace

std::string to_text(const Element& element) {
  std::string out;
  append(out, element);
  return out;
}

std::string style_sheet(const std::string& light, const std::string& dark) {
  return fmt::format(
      "text{{font-family:system-ui,'DejaVu Sans',sans-serif;fill:#1c1f24}}.background{{fill:#ffffff}}{}"
      "@media (prefers-color-scheme:dark){{text{{fill:#e6e8eb}}.background{{fill:#14171b}}{}}}",
      light, dark);
}

Element frame(double width, double height, const std::string& caption, const std::string& style) {
  return {"svg",
          {{"xmlns", "http://www.w3.org/2000/svg"},
           {"viewBox", fmt::format("0 0 {} {}", number(width), number(height))},
           {"width", number(width)},
           {"height", number(height)},
           {"role", "img"}},
          "",
          {{"title", {}, caption, {}},
           {"style", {}, style, {}},
           {"rect", {{"class", "background"}, {"width", "100%"}, {"height", "100%"}}, "", {}}}};
}

Element text_at(double x, double y, const std::string& text, const std::string& style_class) {
  return {"text", {{"x", number(x)}, {"y", number(y)}, {"class", style_class}}, text, {}};
}

Element line(const std::string& style_class, double x1, double y1, double x2, double y2) {
  return {"line",
          {{"class", style_class},
           {"x1", number(x1)},
           {"y1", number(y1)},
           {"x2", number(x2)},
           {"y2", number(y2)}},
          "",
          {}};
}

double text_width(const std::string& text, double font_size) {
  return static_cast<double>(text.size()) * font_size * 0.6;
}

std::string number(double length) {
  const double rounded = std::round(length * 100) / 100;
  return fmt::format("{:g}", rounded == 0 ? 0.0 : rounded);
}

}  // namespace cubefold::drawing
