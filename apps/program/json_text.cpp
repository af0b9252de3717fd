#include "program/json_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "files/whole_file.hpp"

namespace cubefold::program {

namespace {

std::string name_of(const std::string& path) {
  return path == "-" ? "standard input" : path;
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

/// All that is left of a stream. Chunk by chunk: only read() keeps what went wrong, as where a folder was opened.
std::optional<std::string> rest_of(std::istream& input) {
  std::string text;
  std::array<char, 1 << 16> chunk{};
  do {
    input.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(input.gcount()));
  } while (input);
  if (input.bad()) return std::nullopt;
  return text;
}

}  // namespace

std::string json_text(const nlohmann::ordered_json& value) {
  if (!value.is_object()) return member_text(value) + '\n';
  std::string text = "{";
  for (const auto& [key, member] : value.items()) {
    if (text.size() > 1) text += ',';
    text += fmt::format("\n  {}: {}", nlohmann::json(key).dump(), member_text(member));
  }
  return text + "\n}\n";
}

nlohmann::ordered_json read_json(const std::string& path) {
  const std::string text = read_text(path);
  try {
    return nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    throw std::runtime_error(fmt::format("{}: not JSON at byte {}", name_of(path), error.byte));
  } catch (const nlohmann::json::out_of_range&) {
    throw std::runtime_error(fmt::format("{}: a number in it is too large", name_of(path)));
  }
}

std::string read_text(const std::string& path) {
  std::ifstream file;
  if (path != "-") file.open(path);
  if (!file) cannot_read(path);
  const auto text = rest_of(path == "-" ? std::cin : file);
  // Standard input ends where reading fails; only C knows of it.
  if (!text || (path == "-" && std::ferror(stdin) != 0)) cannot_read(path);
  return *text;
}

void write_text(const std::string& path, const std::string& text) {
  if (path == "-") {
    fmt::print("{}", text);
    return;
  }
  files::WholeFile file(path, static_cast<int>(getpid()));
  file.begin(text, text.size());
  file.commit();
}

}  // namespace cubefold::program
