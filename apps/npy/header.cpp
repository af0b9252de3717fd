#include "npy/header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <istream>
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
  for (std::size_t i = bytes.size(); i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
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

/// Text of the file, fit for an error message of one line.
std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result(text.substr(0, longest));
  for (char& c : result) {
    if (std::isprint(static_cast<unsigned char>(c)) == 0) c = '?';
  }
  return text.size() > longest ? result + "..." : result;
}

std::string_view without_leading_spaces(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// What follows `'key':` in a Python dictionary.
std::string_view after_key(std::string_view dictionary, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string name = fmt::format("{0}{1}{0}", quote, key);
    const auto place = dictionary.find(name);
    if (place == std::string_view::npos) continue;
    const auto rest = without_leading_spaces(dictionary.substr(place + name.size()));
    if (rest.starts_with(':')) return without_leading_spaces(rest.substr(1));
  }
  fail(fmt::format("not a .npy file of plain numbers: its header has no readable '{}'", key));
}

/// What stands between the bracket or quotation mark that the text begins with and the closing one.
std::string_view enclosed(std::string_view text, std::string_view openings, std::string_view closings,
                          std::string_view key) {
  const auto kind = text.empty() ? std::string_view::npos : openings.find(text.front());
  const auto end = kind == std::string_view::npos ? kind : text.find(closings[kind], 1);
  if (end == std::string_view::npos) {
    fail(fmt::format("not a .npy file of plain numbers: its header has no readable '{}'", key));
  }
  return text.substr(1, end - 1);
}

Element element_of(std::string_view dictionary) {
  const auto descr = enclosed(after_key(dictionary, "descr"), "'\"", "'\"", "descr");
  if (descr == "<f8") return Element::float64;
  if (descr == "<c16") return Element::complex128;
  fail(fmt::format("element type '{}' is not float64 ('<f8') or complex128 ('<c16')", quoted(descr)));
}

/// `(64,)`, and `(64L,)` as Python 2 wrote it.
std::size_t count_of(std::string_view dictionary) {
  const auto shape = enclosed(after_key(dictionary, "shape"), "(", ")", "shape");
  std::size_t count = 0;
  const auto [end, error] = std::from_chars(shape.data(), shape.data() + shape.size(), count);
  auto rest = shape.substr(static_cast<std::size_t>(end - shape.data()));
  if (rest.starts_with('L')) rest.remove_prefix(1);
  rest = without_leading_spaces(rest);
  if (error != std::errc{} || !rest.starts_with(',') || !without_leading_spaces(rest.substr(1)).empty()) {
    fail(fmt::format("shape ({}) does not have one axis", quoted(shape)));
  }
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
  Header header{element_of(dictionary), count_of(dictionary), static_cast<std::size_t>(file.tellg())};
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
