#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "drawing/svg.hpp"
#include "fft/plot.hpp"

/// This header has the parts that curves and heat maps share: titles, lines and labels.

namespace cubefold::fft_program {

inline constexpr double margin = 16;
inline constexpr double title_height = 50;
inline constexpr double label_width = 52;   ///< width of the labels left of the axis
inline constexpr double label_height = 40;  ///< height of the labels below the axis

/// Describes the area of the drawing without its labels.
struct Area {
  double left;
  double top;
  double width;
  double height;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

drawing::Element path(const std::string& style_class, const std::string& d);

/// Returns an empty picture with its title and note.
drawing::Element picture(double width, double height, const PlotText& text);

/// Adds the numbers of columns below the drawing, and the noun that they count.
void add_column_labels(drawing::Element& svg, const Area& area, std::size_t column_count,
                       const std::string& noun);

/// Adds the numbers of rows left of the drawing.
void add_row_labels(drawing::Element& svg, const Area& area, std::size_t row_count);

/// Maps magnitudes to [0, 1]. The scale is linear from 0 to the largest magnitude, or logarithmic over the decades of
/// the data, at most twelve.
class PlotScale {
 public:
  PlotScale(const std::vector<double>& magnitudes, bool logarithmic);

  /// Returns the place of a magnitude in [0, 1]. It is 0 for magnitudes below the scale.
  double place_of(double magnitude) const;

  struct Tick {
    double place;
    std::string text;
  };
  std::vector<Tick> ticks() const;

 private:
  bool logarithmic_;
  double low_ = 0;  ///< smallest exponent of ten on a logarithmic scale
  double high_ = 1;
};

/// Returns about `count` round numbers from 0 to `last`.
std::vector<double> round_steps(double last, int count);

}  // namespace cubefold::fft_program
