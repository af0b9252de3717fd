#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace cubefold::npy {

/// The element types that a transform reads, little-endian: NumPy's `<f4`, `<f8`, `<c8` and `<c16`.
enum class Element : std::uint8_t { float32, float64, complex64, complex128 };

std::size_t bytes_of(Element element);
const char* name_of(Element element);
bool is_complex(Element element);

/// Of float32 and complex64.
bool is_single(Element element);

/// Extents of an array, the last axis fastest.
using Shape = std::vector<std::size_t>;

/// Product of the extents. Throws std::invalid_argument where it is 2^64 or more.
std::size_t point_count(const Shape& shape);

/// As Python writes it: (4096,) or (128, 128).
std::string to_text(const Shape& shape);

/// What a .npy file holds, and where its data begin.
struct Header {
  Element element;
  Shape shape;  ///< one to three axes
  std::size_t data_offset;
  bool first_axis_fastest = false;  ///< Fortran order, as NumPy saves what numpy.fft.fftn returns
};

/// Reads the header of NumPy format 1, 2 or 3 and compares it with the size of the file.
/// Throws std::runtime_error that says what is wrong, without the file's name.
Header read_header(std::istream& file);

/// The bytes before the data in a format 1 file; a multiple of 64.
std::string header_text(Element element, const Shape& shape);

}  // namespace cubefold::npy
