#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace cubefold::npy {

/// The two element types that a transform reads, little-endian: NumPy's `<f8` and `<c16`.
enum class Element : std::uint8_t { float64, complex128 };

std::size_t bytes_of(Element element);
const char* name_of(Element element);

/// What a .npy file of one axis holds, and where its data begin.
struct Header {
  Element element;
  std::size_t count;
  std::size_t data_offset;
};

/// Reads the header of NumPy format 1, 2 or 3 and compares it with the size of the file.
/// Throws std::runtime_error that says what is wrong, without the file's name.
Header read_header(std::istream& file);

/// The bytes before the data in a format 1 file of `count` complex128 or float64 numbers; a multiple of 64.
std::string header_text(Element element, std::size_t count);

}  // namespace cubefold::npy
