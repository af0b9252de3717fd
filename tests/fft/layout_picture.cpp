#include "fft/layout_picture.hpp"

#include <fmt/format.h>

#include "drawing/svg.hpp"

namespace cubefold::fft {

namespace {

using drawing::Element;
using drawing::frame;
using drawing::number;
using drawing::style_sheet;
using drawing::text_at;

constexpr double margin = 14;
constexpr double cell_width = 30;
constexpr double cell_height = 24;
constexpr double title_height = 26;
constexpr double label_width = 86;
constexpr double gap = 22;

constexpr const char* light =
    ".p0{fill:#9ecae1}.p1{fill:#fdc086}.p2{fill:#a8d8a0}.p3{fill:#d6b8dc}"
    ".title{font-size:14px;font-weight:600}.label{font-size:12px}"
    ".point{font-size:11px;text-anchor:middle;fill:#1c1f24}";
constexpr const char* dark = ".point{fill:#1c1f24}";

/// A process with its number and its coordinates on the process axes. The first axis is slowest in the number.
struct Process {
  std::size_t number;
  Layout::Members members;
};

std::vector<Process> processes_of(const Layout& layout) {
  std::vector<Process> processes{{0, {}}};
  for (const std::size_t count : layout.axis_members()) {
    std::vector<Process> longer;
    for (const Process& process : processes) {
      for (std::size_t member = 0; member < count; ++member) {
        longer.push_back({longer.size(), process.members});
        longer.back().members.push_back(member);
      }
    }
    processes = std::move(longer);
  }
  return processes;
}

/// The process and the place of a point.
struct Home {
  std::size_t process = 0;
  std::size_t place = 0;
};

/// Returns where each point is, by point_at() of every place of every process.
std::vector<Home> homes_of(const Layout& layout) {
  std::vector<Home> homes(layout.index_count());
  for (const Process& process : processes_of(layout)) {
    for (std::size_t place = 0; place < layout.local_count(process.members); ++place)
      homes.at(layout.point_at(process.members, place)) = {process.number, place};
  }
  return homes;
}

void append_cell(double x, double y, std::size_t process, std::size_t shown, std::vector<Element>& out) {
  constexpr double inset = 1;
  out.push_back({"rect",
                 {{"class", fmt::format("p{}", process)},
                  {"x", number(x + inset)},
                  {"y", number(y + inset)},
                  {"width", number(cell_width - 2 * inset)},
                  {"height", number(cell_height - 2 * inset)}},
                 "",
                 {}});
  out.push_back(text_at(x + cell_width / 2, y + cell_height - 8, fmt::format("{}", shown), "point"));
}

double left_of(std::size_t column) {
  return margin + label_width + static_cast<double>(column) * cell_width;
}

double below(double top, std::size_t row) {
  return top + static_cast<double>(row) * cell_height;
}

void append_points(const Layout& layout, std::size_t columns, double top, std::vector<Element>& out) {
  const auto homes = homes_of(layout);
  for (std::size_t point = 0; point < homes.size(); ++point)
    append_cell(left_of(point % columns), below(top, point / columns), homes[point].process, point, out);
}

void append_memories(const Layout& layout, double top, std::vector<Element>& out) {
  for (const Process& process : processes_of(layout)) {
    const double y = below(top, process.number);
    out.push_back(text_at(margin, y + cell_height - 8, fmt::format("process {}", process.number), "label"));
    for (std::size_t place = 0; place < layout.local_count(process.members); ++place)
      append_cell(left_of(place), y, process.number, layout.point_at(process.members, place), out);
  }
}

void append_planes(const Layout& layout, std::size_t extent, double top, std::vector<Element>& out) {
  const auto homes = homes_of(layout);
  for (std::size_t point = 0; point < homes.size(); ++point) {
    const std::size_t plane = point / (extent * extent);
    const double x =
        left_of(plane * extent + point % extent) + static_cast<double>(plane) * gap - label_width;
    append_cell(x, below(top, point / extent % extent), homes[point].process, homes[point].place, out);
  }
}

}  // namespace

std::string line_picture(const Layout& layout, std::size_t columns, const std::string& caption) {
  const std::size_t rows = layout.index_count() / columns;
  const double width = left_of(columns) + margin;
  const double memory_top = below(margin + title_height, rows) + gap;
  const double height = below(memory_top + title_height, processes_of(layout).size()) + margin;
  Element svg = frame(width, height, caption, style_sheet(light, dark));
  svg.children.push_back(text_at(margin, margin + 14, "points, by the process that has them", "title"));
  append_points(layout, columns, margin + title_height, svg.children);
  svg.children.push_back(text_at(margin, memory_top + 14, "memory, by the point at each place", "title"));
  append_memories(layout, memory_top + title_height, svg.children);
  return to_text(svg);
}

std::string cube_picture(const std::vector<LabelledLayout>& layouts, std::size_t extent,
                         const std::string& caption) {
  const double width =
      2 * margin + static_cast<double>(extent * extent) * cell_width + static_cast<double>(extent - 1) * gap;
  const double panel_height = title_height + static_cast<double>(extent) * cell_height + gap;
  Element svg = frame(width, 2 * margin + static_cast<double>(layouts.size()) * panel_height, caption,
                      style_sheet(light, dark));
  double top = margin;
  for (const auto& [label, layout] : layouts) {
    svg.children.push_back(text_at(margin, top + 14, label, "title"));
    append_planes(layout, extent, top + title_height, svg.children);
    top += panel_height;
  }
  svg.children.push_back(
      text_at(margin, top, "planes of dimension 0 side by side; number: place in the memory of the process",
              "label"));
  return to_text(svg);
}

}  // namespace cubefold::fft
