#include "npy/header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <istream>
#include <optional>
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

/// Returns a part of a text from the file that fits into an error message of one line.
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

/// Returns the text after `'key':` in a Python dictionary.
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

/// Returns the text between the bracket or quotation mark at its beginning and the matching closing one.
std::string_view enclosed(std::string_view text, std::string_view openings, std::string_view closings,
                          std::string_view key) {
  const auto kind = text.empty() ? std::string_view::npos : openings.find(text.front());
  const auto end = kind == std::string_view::npos ? kind : text.find(closings[kind], 1);
  if (end == std::string_view::npos) {
    fail(fmt::format("not a .npy file of plain numbers: its header has no readable '{}'", key));
  }
  return text.substr(1, end - 1);
}

struct ElementFacts {
  Element element;
  std::string_view descr;
  const char* name;
  std::size_t bytes;
};

constexpr std::array<ElementFacts, 4> elements{{{Element::float32, "<f4", "float32", 4},
                                                {Element::float64, "<f8", "float64", 8},
                                                {Element::complex64, "<c8", "complex64", 8},
                                                {Element::complex128, "<c16", "complex128", 16}}};

const ElementFacts& facts_of(Element element) {
  return elements.at(static_cast<std::size_t>(element));
}

Element element_of(std::string_view dictionary) {
  const auto descr = enclosed(after_key(dictionary, "descr"), "'\"", "'\"", "descr");
  for (const ElementFacts& facts : elements) {
    if (descr == facts.descr) return facts.element;
  }
  fail(fmt::format(
      "element type '{}' is not float32 ('<f4'), float64 ('<f8'), complex64 ('<c8') or complex128 ('<c16')",
      quoted(descr)));
}

/// Takes a number from the front of the text, such as `64` or, as Python 2 wrote it, `64L`. Returns nothing if there is
/// none.
std::optional<std::size_t> take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with('L')) text.remove_prefix(1);
  text = without_leading_spaces(text);
  return number;
}

/// Returns the numbers of a list such as `8, 8`, or an empty shape if the text is not a list of numbers.
Shape numbers_of(std::string_view text) {
  Shape shape;
  for (text = without_leading_spaces(text); !text.empty(); text = without_leading_spaces(text)) {
    const auto number = take_number(text);
    const bool goes_on = text.starts_with(',');
    if (!number || (!goes_on && (!text.empty() || shape.empty()))) return {};
    if (goes_on) text.remove_prefix(1);
    shape.push_back(*number);
  }
  return shape;
}

/// Returns the shape in the dictionary of a header, which is written as `(64,)` or `(8, 8)`.
Shape shape_of(std::string_view dictionary) {
  constexpr std::size_t most_axes = 3;
  const auto text = enclosed(after_key(dictionary, "shape"), "(", ")", "shape");
  Shape shape = numbers_of(text);
  if (shape.empty() || shape.size() > most_axes) {
    fail(fmt::format("shape ({}) is not that of an array with one to three axes", quoted(text)));
  }
  return shape;
}

bool is_in_fortran_order(std::string_view dictionary, const Shape& shape) {
  return shape.size() > 1 && after_key(dictionary, "fortran_order").starts_with("True");
}

void require_data(std::istream& file, const Header& header) {
  file.seekg(0, std::ios::end);
  const auto present = static_cast<std::size_t>(file.tellg()) - header.data_offset;
  const std::size_t promised = point_count(header.shape);
  if (present / bytes_of(header.element) < promised) {
    fail(fmt::format("truncated: {} numbers of {} bytes are promised, {} bytes are there", promised,
                     bytes_of(header.element), present));
  }
}

}  // namespace

std::size_t bytes_of(Element element) {
  return facts_of(element).bytes;
}

const char* name_of(Element element) {
  return facts_of(element).name;
}

bool is_complex(Element element) {
  return element == Element::complex64 || element == Element::complex128;
}

bool is_single(Element element) {
  return element == Element::float32 || element == Element::complex64;
}

std::size_t point_count(const Shape& shape) {
  std::size_t count = 1;
  for (const std::size_t extent : shape) {
    if (__builtin_mul_overflow(count, extent, &count)) {
      throw std::invalid_argument(fmt::format("shape {} has 2^64 points or more", to_text(shape)));
    }
  }
  return count;
}

std::string to_text(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

Header read_header(std::istream& file) {
  const std::string dictionary = read_dictionary(file);
  Header header{element_of(dictionary), shape_of(dictionary), static_cast<std::size_t>(file.tellg())};
  header.first_axis_fastest = is_in_fortran_order(dictionary, header.shape);
  require_data(file, header);
  return header;
}

std::string header_text(Element element, const Shape& shape) {
  constexpr std::size_t alignment = 64;
  constexpr std::size_t before_dictionary = magic.size() + 4;
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                       facts_of(element).descr, to_text(shape));
  const std::size_t unpadded = before_dictionary + dictionary.size() + 1;
  dictionary.append((alignment - unpadded % alignment) % alignment, ' ');
  dictionary += '\n';

  std::string text(magic);
  text += {1, 0, static_cast<char>(dictionary.size() & 0xff), static_cast<char>(dictionary.size() >> 8)};
  return text + dictionary;
}

}  // namespace cubefold::npy
