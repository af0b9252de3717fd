#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace cubefold::npy {

/// The element types that a transform reads, little-endian: `<f4`, `<f8`, `<c8` and `<c16` of NumPy.
enum class Element : std::uint8_t { float32, float64, complex64, complex128 };

std::size_t bytes_of(Element element);
const char* name_of(Element element);
bool is_complex(Element element);

/// Returns whether the element is float32 or complex64.
bool is_single(Element element);

/// The extents of an array, with the last axis fastest.
using Shape = std::vector<std::size_t>;

/// Returns the product of the extents. Throws std::invalid_argument if it is 2^64 or more.
std::size_t point_count(const Shape& shape);

/// Returns the shape as Python writes it: (4096,) or (128, 128).
std::string to_text(const Shape& shape);

/// The header of a .npy file, and the position of its data.
struct Header {
  Element element;
  Shape shape;  ///< has one to three axes
  std::size_t data_offset;
  bool first_axis_fastest = false;  ///< Fortran order, which NumPy saves for results of numpy.fft.fftn
};

/// Reads the header of a file of NumPy format 1, 2 or 3, and compares it with the size of the file. Throws
/// std::runtime_error with the reason, without the name of the file.
Header read_header(std::istream& file);

/// Returns the bytes before the data in a file of NumPy format 1. Their number is a multiple of 64.
std::string header_text(Element element, const Shape& shape);

}  // namespace cubefold::npy
