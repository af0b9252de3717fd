#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "program/cli_fwd.hpp"

namespace cubefold::program {

/// The words, separated by commas, in lines of at most 72 characters unless a word is longer.
std::string lines_of(const std::vector<std::string>& words);

/// What may follow --placement, in every program that has it.
std::string placement_help();

/// What may follow --algorithm: an example of every exchange method.
std::string algorithm_help();

/// Throws std::invalid_argument for what cannot follow --placement on any grid. The phases of `auto:` are not looked
/// at.
void check_placement(const std::string& text);

/// Exit status of a program whose options or input do not fit.
inline constexpr int exit_usage = 2;

/// What a program says instead of working: help and version on standard output with status 0, or the one line
/// `program: message` on standard error with status 2.
struct Answer {
  int status;
  std::string text;
};

/// Adds --version, reads the options and runs the callbacks of the app and of its subcommands; `help`, `help COMMAND`
/// and `version` are understood too. An answer if the options ask for one or do not fit, if a callback throws
/// std::invalid_argument, and one without text if it throws CLI::RuntimeError, which has its own status; what else
/// callbacks throw, other than CLI::ParseError, passes. A word that is unknown comes before anything else that is
/// wrong.
std::optional<Answer> read_options(CLI::App& app, int argc, char** argv);

/// The answer that is the program's one line of an error, of bounded length and without control characters.
Answer refusal(const CLI::App& app, const std::string& message);

/// Says it, where there is still a way to.
void print(const Answer& answer);

/// Calls print(), and sees to it that what it prints arrives: throws std::runtime_error if standard output cannot be
/// written.
void print_output(const std::function<void()>& print);

/// The frame of a program without MPI: reads the options, whose callbacks do the work. The exit status; any
/// exception is one line on standard error and status 2, and so is standard output that cannot be written.
int run(CLI::App& app, int argc, char** argv);

/// `1 process`, `16 processes`.
std::string counted(std::size_t count, const std::string& noun);

}  // namespace cubefold::program
