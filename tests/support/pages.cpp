#include "support/pages.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace cubefold {

namespace {

std::string path_of(const std::string& name) {
  return std::string(CUBEFOLD_DOCUMENTS) + "/" + name;
}

/// Returns the text with `table` in place of the table that has the same first line. Returns the text itself if there
/// is none.
std::string with_table(std::string text, const std::string& table) {
  const auto begin = text.find(table.substr(0, table.find('\n') + 1));
  if (begin == std::string::npos) return text;
  auto end = begin;
  while (end < text.size() && text[end] == '|') end = text.find('\n', end) + 1;
  return text.replace(begin, end - begin, table);
}

}  // namespace

std::string page_text(const std::string& name) {
  std::ifstream file(path_of(name));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void expect_table(const std::string& name, const std::string& table) {
  const std::string text = page_text(name);
  const std::string wanted = with_table(text, table);
  if (wanted != text && std::getenv("CUBEFOLD_WRITE_PAGES") != nullptr) {
    std::ofstream(path_of(name)) << wanted;
  } else {
    EXPECT_NE(text.find("\n" + table), std::string::npos)
        << "./dev pages writes this table into docs/" << name << ":\n"
        << table;
  }
}

}  // namespace cubefold
