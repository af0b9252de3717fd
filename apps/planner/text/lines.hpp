#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/words.hpp"

namespace cubefold::planner {

/// Reads the lines of a text one by one, without blank lines and comments, and reports errors in the current line.
class Lines {
 public:
  /// `name` is the name of the file in errors. A comment begins with `comment` and ends with its line. If `comment` is
  /// 0, the text has no comments.
  Lines(std::string name, std::string text, char comment = '#');
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  /// Moves to the next line. Returns false at the end of the text. Errors then have the number of the last line.
  bool next();

  /// Returns the line without its comment and without blanks at its ends.
  std::string_view line() const { return line_; }

  /// Returns the number of the current line in the text. The first line of the text has number 1, and skipped lines
  /// count.
  std::size_t number() const { return number_; }

  std::vector<std::string_view> words() const { return words_of_line(line_); }

  /// Returns the word as a whole number of at least 0. Fails if it is anything else; `what` is its name in the error.
  std::uint64_t whole_number(std::string_view word, std::string_view what) const;

  /// Returns the word as a finite number, which may have a fraction, an exponent and a sign. The letter of the exponent
  /// may be the D of Fortran. Fails if it is anything else; `what` is its name in the error.
  double real_number(std::string_view word, std::string_view what) const;

  /// Throws std::runtime_error with the text `NAME: line N: RULE`. N is number(), or 1 before the first line.
  [[noreturn]] void fail(const std::string& rule) const;

 private:
  std::string name_;
  std::string text_;
  std::string_view rest_;  ///< what follows the current line
  char comment_;
  std::size_t number_ = 0;
  std::string_view line_;
};

}  // namespace cubefold::planner
