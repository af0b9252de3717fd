#include "program/json_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace cubefold::program {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& rule) {
  throw std::runtime_error(fmt::format("{}: {}", name_of(path), rule));
}

[[noreturn]] void cannot_read(const std::string& path) {
  const int error = errno;
  throw std::runtime_error(
      fmt::format("{}: cannot read: {}", name_of(path), std::generic_category().message(error)));
}

std::string elements_text(const nlohmann::ordered_json& array) {
  std::string text = "[";
  for (const auto& element : array) {
    if (text.size() > 1) text += ',';
    text += "\n    " + element.dump();
  }
  return text + "\n  ]";
}

std::string member_text(const nlohmann::ordered_json& value) {
  const bool one_element_a_line = value.is_array() && !value.empty() && value.front().is_structured();
  return one_element_a_line ? elements_text(value) : value.dump();
}

/// Returns the rest of a stream, or a little more than `most_bytes` of it. It reads chunk by chunk, because only read()
/// keeps the error, for example if a folder was opened.
std::optional<std::string> rest_of(std::istream& input, std::size_t most_bytes) {
  std::string text;
  std::array<char, 1 << 16> chunk{};
  do {
    input.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(input.gcount()));
  } while (input && text.size() <= most_bytes);
  if (input.bad()) return std::nullopt;
  return text;
}

}  // namespace

std::string name_of(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

std::string json_text(const nlohmann::ordered_json& value) {
  if (!value.is_object()) return member_text(value) + '\n';
  std::string text = "{";
  for (const auto& [key, member] : value.items()) {
    if (text.size() > 1) text += ',';
    text += fmt::format("\n  {}: {}", nlohmann::json(key).dump(), member_text(member));
  }
  return text + "\n}\n";
}

std::string read_text(const std::string& path, std::size_t most_bytes) {
  std::ifstream file;
  if (path != "-") file.open(path);
  if (!file) cannot_read(path);
  const auto text = rest_of(path == "-" ? std::cin : file, most_bytes);
  // Standard input ends at an error; only C reports it.
  if (!text || (path == "-" && std::ferror(stdin) != 0)) cannot_read(path);
  if (text->size() > most_bytes) refuse(path, fmt::format("has more than {} bytes", most_bytes));
  return *text;
}

}  // namespace cubefold::program
