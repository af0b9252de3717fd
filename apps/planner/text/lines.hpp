#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cubefold::planner {

/// The lines of a text that hold more than blanks and a comment, one by one, and complaints about the one at hand.
class Lines {
 public:
  /// The name is the file's in complaints. A comment begins with the given character and ends with its line; 0: there
  /// are none.
  Lines(std::string name, std::string text, char comment = '#');

  /// Goes on to the next line. False at the end of the text, which then is the line of complaints.
  bool next();

  /// The line without comment and without blanks at its ends.
  std::string_view line() const { return line_; }

  /// Counted from 1, lines that are skipped included.
  std::size_t number() const { return number_; }

  /// The line's parts between blanks.
  std::vector<std::string_view> words() const;

  /// The word as a whole number. Fails, naming what it should be, for anything else.
  std::uint64_t whole_number(std::string_view word, std::string_view what) const;

  /// The same for a number that may have a fraction, an exponent and a sign; it must be finite.
  double real_number(std::string_view word, std::string_view what) const;

  /// Throws std::runtime_error: `NAME: line N: RULE`. Nothing is wrong ahead of line 1, even of an empty text.
  [[noreturn]] void fail(const std::string& rule) const;

 private:
  std::string name_;
  std::string text_;
  char comment_;
  std::size_t next_ = 0;  ///< where the next line begins
  std::size_t number_ = 0;
  std::string_view line_;
};

/// The text's parts between blanks.
std::vector<std::string_view> words_of(std::string_view text);

}  // namespace cubefold::planner
