#include "program/json_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "files/whole_file.hpp"

namespace cubefold::program {

namespace {

[[noreturn]] void cannot_read(const std::string& path) {
  throw std::runtime_error(fmt::format("{}: cannot read: {}", path, std::generic_category().message(errno)));
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

nlohmann::ordered_json parsed(std::istream& input, const std::string& name) {
  try {
    return nlohmann::ordered_json::parse(input);
  } catch (const nlohmann::json::parse_error& error) {
    throw std::runtime_error(fmt::format("{}: not JSON at byte {}", name, error.byte));
  }
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
  if (path == "-") return parsed(std::cin, "standard input");
  std::ifstream file(path);
  if (!file) cannot_read(path);
  return parsed(file, path);
}

std::string read_text(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || file.peek() == std::ifstream::traits_type::eof()) {
    if (!file.eof()) cannot_read(path);
    return "";
  }
  text << file.rdbuf();
  if (file.bad()) cannot_read(path);
  return text.str();
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
