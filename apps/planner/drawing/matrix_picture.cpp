#include "planner/drawing/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "drawing/svg.hpp"

namespace cubefold::planner {

using drawing::Element;
using drawing::frame;
using drawing::line;
using drawing::number;
using drawing::style_sheet;
using drawing::text_at;
using drawing::text_width;
using drawing::to_text;

namespace {

constexpr double matrix_margin = 16;
constexpr double matrix_title_height = 62;  ///< height of the title and the labels of columns
constexpr double matrix_caption_height = 34;
constexpr double matrix_panel_gap = 36;
constexpr double cell = 22;
constexpr double gap_before_b = 10;
constexpr double row_label_width = 26;

constexpr const char* matrix_light =
    ".one{fill:#26828e}.zero{fill:#eceef1}.axis{stroke:#5a6270;stroke-width:1.5}.label{text-anchor:middle}"
    ".title{font-size:15px;font-weight:600}.small{font-size:12px}.label{font-size:11px}";
constexpr const char* matrix_dark = ".one{fill:#58c765}.zero{fill:#2a2e35}.axis{stroke:#a9b1bd}";

Element bit_at(double x, double y, bool is_one) {
  constexpr double inset = 1;
  return {"rect",
          {{"class", is_one ? "one" : "zero"},
           {"x", number(x + inset)},
           {"y", number(y + inset)},
           {"width", number(cell - 2 * inset)},
           {"height", number(cell - 2 * inset)}},
          "",
          {}};
}

class MatrixDrawing {
 public:
  explicit MatrixDrawing(const MatrixPicture& picture)
      : picture_(picture), size_(cell * picture.panels.front().lcc.bit_count()) {
    width_ = row_label_width + size_ + gap_before_b + cell;
    for (const MatrixPanel& panel : picture.panels) {
      width_ = std::max({width_, text_width(panel.title, 15), text_width(panel.note, 12)});
    }
  }

  std::string text() const {
    const auto count = static_cast<double>(picture_.panels.size());
    const double width = 2 * matrix_margin + std::max(count * (width_ + matrix_panel_gap) - matrix_panel_gap,
                                                      text_width(picture_.caption, 12));
    const double height = 2 * matrix_margin + matrix_title_height + size_ + matrix_caption_height;
    Element svg = frame(width, height, picture_.caption, style_sheet(matrix_light, matrix_dark));
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) svg.children.push_back(panel(i));
    svg.children.push_back(text_at(matrix_margin, height - matrix_margin, picture_.caption, "small"));
    return to_text(svg);
  }

 private:
  Element panel(std::size_t index) const {
    const MatrixPanel& panel = picture_.panels[index];
    const double left = matrix_margin + static_cast<double>(index) * (width_ + matrix_panel_gap);
    Element group{"g",
                  {{"class", "panel"}},
                  "",
                  {text_at(left, matrix_margin + 15, panel.title, "title"),
                   text_at(left, matrix_margin + 34, panel.note, "small")}};
    append_bits(panel.lcc, left + row_label_width, matrix_margin + matrix_title_height, group.children);
    append_axes(left + row_label_width, matrix_margin + matrix_title_height, group.children);
    return group;
  }

  void append_bits(const Lcc& lcc, double left, double top, std::vector<Element>& out) const {
    const bool gives_source = lcc.gives() == Gives::source;
    const double column_b = left + size_ + gap_before_b;
    for (int i = 0; i < lcc.bit_count(); ++i) {
      const double y = top + i * cell;
      out.push_back(text_at(left - 12, y + 15, fmt::format("{}{}", gives_source ? 'x' : 'y', i), "label"));
      out.push_back(text_at(left + (i + 0.5) * cell, top - 6,
                            fmt::format("{}{}", gives_source ? 'y' : 'x', i), "label"));
      for (int j = 0; j < lcc.bit_count(); ++j) out.push_back(bit_at(left + j * cell, y, lcc.a().at(i, j)));
      out.push_back(bit_at(column_b, y, ((lcc.b() >> i) & 1) != 0));
    }
    out.push_back(text_at(column_b + cell / 2, top - 6, "b", "label"));
  }

  void append_axes(double left, double top, std::vector<Element>& out) const {
    const auto is_long = [](int bits) { return bits > 1; };
    if (std::ranges::none_of(picture_.axis_bits, is_long)) return;
    double at = 0;
    for (const int bits : picture_.axis_bits) {
      at += bits * cell;
      if (at >= size_) return;
      out.push_back(line("axis", left + at, top, left + at, top + size_));
      out.push_back(line("axis", left, top + at, left + size_, top + at));
    }
  }

  const MatrixPicture& picture_;
  double size_;
  double width_;
};

}  // namespace

Lcc between_nodes(const Lcc& lcc, const Placement& placement) {
  BitMatrix to_node(lcc.bit_count());
  for (int i = 0; i < lcc.bit_count(); ++i) {
    const auto image =
        static_cast<std::uint32_t>(placement.node_of(static_cast<Rank>(std::uint32_t{1} << i)));
    for (int row = 0; row < lcc.bit_count(); ++row) {
      if (((image >> row) & 1) != 0) to_node.set(row, i);
    }
  }
  for (std::uint32_t rank = 0; rank < placement.rank_count(); ++rank) {
    if (to_node * rank == static_cast<std::uint64_t>(placement.node_of(static_cast<Rank>(rank)))) continue;
    throw std::invalid_argument(
        fmt::format("placement '{}' is no linear map of bits", to_string(placement.rule())));
  }
  const auto to_rank = to_node.inverse();
  if (!to_rank) throw std::logic_error("between_nodes: a placement is no bijection");
  return Lcc(to_node * lcc.a() * *to_rank, to_node * lcc.b(), lcc.gives());
}

std::string to_svg(const MatrixPicture& picture) {
  return MatrixDrawing(picture).text();
}

}  // namespace cubefold::planner
