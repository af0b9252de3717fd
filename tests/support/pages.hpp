#pragma once

#include <string>

namespace cubefold {

/// Returns the text of a file in docs/, or an empty text if there is none.
std::string page_text(const std::string& name);

/// Expects that a page of docs/ has the table, whose lines all begin with '|' and end with a newline. If the
/// environment variable CUBEFOLD_WRITE_PAGES is set, which `./dev pages` does, it replaces the table that has the same
/// first line.
void expect_table(const std::string& name, const std::string& table);

}  // namespace cubefold
