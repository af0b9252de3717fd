#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cubefold::planner {

/// Reads the lines of a text one by one, without blank lines and comments, and reports errors in the current line.
class Lines {
 public:
  /// `name` is the name of the file in errors. A comment begins with `comment` and ends with its line. If `comment` is
  /// 0, the text has no comments.
  Lines(std::string name, std::string text, char comment = '#');

  /// Moves to the next line. Returns false at the end of the text. Errors then have the number of the last line.
  bool next();

  /// Returns the line without its comment and without blanks at its ends.
  std::string_view line() const { return line_; }

  /// Returns the number of the current line in the text. The first line of the text has number 1, and skipped lines
  /// count.
  std::size_t number() const { return number_; }

  /// Returns the words of the line, which blanks separate.
  std::vector<std::string_view> words() const;

  /// Returns the word as a whole number of at least 0. Fails if it is anything else; `what` is its name in the error.
  std::uint64_t whole_number(std::string_view word, std::string_view what) const;

  /// Returns the word as a finite number, which may have a fraction, an exponent and a sign. Fails if it is anything
  /// else; `what` is its name in the error.
  double real_number(std::string_view word, std::string_view what) const;

  /// Throws std::runtime_error with the text `NAME: line N: RULE`. N is number(), or 1 before the first line.
  [[noreturn]] void fail(const std::string& rule) const;

 private:
  std::string name_;
  std::string text_;
  char comment_;
  std::size_t next_ = 0;  ///< start of the next line
  std::size_t number_ = 0;
  std::string_view line_;
};

/// Returns the words of the text, which blanks separate.
std::vector<std::string_view> words_of(std::string_view text);

}  // namespace cubefold::planner
