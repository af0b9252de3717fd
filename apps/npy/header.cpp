#include "npy/header.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <istream>
#include <regex>
#include <stdexcept>
#include <string_view>

namespace cubefold::npy {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t largest_dictionary = 1 << 20;

[[noreturn]] void fail(const std::string& rule) {
  throw std::runtime_error(rule);
}

std::string read_bytes(std::istream& file, std::size_t count) {
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  if (static_cast<std::size_t>(file.gcount()) != count) fail("not a .npy file: it ends within the header");
  return bytes;
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) {
    value = (value << 8) | static_cast<unsigned char>(*byte);
  }
  return value;
}

std::string read_dictionary(std::istream& file) {
  if (read_bytes(file, magic.size()) != magic) fail("not a .npy file: it does not begin with \\x93NUMPY");
  const std::string version = read_bytes(file, 2);
  if (version[0] < 1 || version[0] > 3) fail(fmt::format("unknown .npy format version {}", int{version[0]}));
  const std::size_t length = little_endian(read_bytes(file, version[0] == 1 ? 2 : 4));
  if (length > largest_dictionary) fail(fmt::format("not a .npy file: its header claims {} bytes", length));
  return read_bytes(file, length);
}

std::string value_of(const std::string& dictionary, const std::string& key, const std::string& pattern) {
  std::smatch found;
  if (!std::regex_search(dictionary, found, std::regex("'" + key + "'\\s*:\\s*" + pattern))) {
    fail(fmt::format("not a .npy file of plain numbers: its header has no readable '{}'", key));
  }
  return found[1];
}

Element element_of(const std::string& descr) {
  if (descr == "<f8") return Element::float64;
  if (descr == "<c16") return Element::complex128;
  fail(fmt::format("element type '{}' is not float64 ('<f8') or complex128 ('<c16')", descr));
}

std::size_t count_of(const std::string& shape) {
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(shape.data(), shape.data() + shape.size(), count);
  const std::string_view rest(end, static_cast<std::size_t>(shape.data() + shape.size() - end));
  if (error != std::errc{} || rest != ",") fail(fmt::format("shape ({}) does not have one axis", shape));
  return count;
}

void require_data(std::istream& file, const Header& header) {
  file.seekg(0, std::ios::end);
  const auto present = static_cast<std::size_t>(file.tellg()) - header.data_offset;
  if (present / bytes_of(header.element) < header.count) {
    fail(fmt::format("truncated: {} numbers of {} bytes are promised, {} bytes are there", header.count,
                     bytes_of(header.element), present));
  }
}

}  // namespace

std::size_t bytes_of(Element element) {
  return element == Element::float64 ? 8 : 16;
}

const char* name_of(Element element) {
  return element == Element::float64 ? "float64" : "complex128";
}

Header read_header(std::istream& file) {
  const std::string dictionary = read_dictionary(file);
  Header header{element_of(value_of(dictionary, "descr", "'([^']*)'")),
                count_of(value_of(dictionary, "shape", "\\(([^)]*)\\)")),
                static_cast<std::size_t>(file.tellg())};
  require_data(file, header);
  return header;
}

std::string header_text(Element element, std::size_t count) {
  constexpr std::size_t alignment = 64;
  constexpr std::size_t before_dictionary = magic.size() + 4;
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}",
                                       element == Element::float64 ? "<f8" : "<c16", count);
  const std::size_t unpadded = before_dictionary + dictionary.size() + 1;
  dictionary.append((alignment - unpadded % alignment) % alignment, ' ');
  dictionary += '\n';

  std::string text(magic);
  text += {1, 0, static_cast<char>(dictionary.size() & 0xff), static_cast<char>(dictionary.size() >> 8)};
  return text + dictionary;
}

}  // namespace cubefold::npy
