#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "program/cli_fwd.hpp"

namespace cubefold::program {

/// Returns the words, separated by commas, in lines of at most 72 characters. A longer word has a line alone.
std::string lines_of(const std::vector<std::string>& words);

/// Returns the help texts of networks and of --placement, which all programs share. They name their help_topics().
std::string grid_help();
std::string placement_help();

/// Returns the examples in the help of --algorithm, one of every exchange method.
std::string algorithm_help();

/// Throws std::invalid_argument for a text that is not a placement on any grid. The phases of `auto:` are not checked.
void check_placement(const std::string& text);

/// This is the exit status of a program whose options or input are wrong.
inline constexpr int exit_usage = 2;

/// Holds the output of a program that does no work. It is the help or the version on standard output with status 0, or
/// the one line `program: message` on standard error with status 2.
struct Answer {
  int status;
  std::string text;
};

/// Adds --version, which prints the notes below the version, reads the options and runs the callbacks of the app and of
/// its subcommands. `help`, `help COMMAND`, `help TOPIC` for help_topics() and `version` work too. Returns an answer if
/// the options ask for one or do not fit, or if a callback throws std::invalid_argument. Returns an answer without text
/// if a callback throws CLI::RuntimeError, which has its own status. Other exceptions of callbacks propagate, except
/// CLI::ParseError. An unknown word is reported before any other error.
std::optional<Answer> read_options(CLI::App& app, int argc, char** argv,
                                   const std::string& version_notes = "");

/// Returns an error answer of one line, with bounded length and without control characters.
Answer refusal(const CLI::App& app, const std::string& message);

/// Prints the answer. Errors of the output are ignored.
void print(const Answer& answer);

/// Calls print() and checks its output. Throws std::runtime_error if standard output cannot be written.
void print_output(const std::function<void()>& print);

/// Runs a program without MPI: reads the options, whose callbacks do the work. Returns the exit status. If a callback
/// throws, or if standard output cannot be written, this prints one line on standard error and returns 2.
int run(CLI::App& app, int argc, char** argv);

/// Returns a text such as `1 process` or `16 processes`.
std::string counted(std::size_t count, const std::string& noun);

/// Returns the date and time in UTC, as `2026-01-31T12:00:00Z`. If the environment variable SOURCE_DATE_EPOCH is set,
/// returns that time, in seconds since 1970, so that outputs can be reproduced. Throws std::invalid_argument if its
/// value is no such time.
std::string now();

/// Returns a text such as `8 B`, `1 KiB`, `3 MiB` or `1000 B`.
std::string size_text(std::size_t bytes);

}  // namespace cubefold::program
