#include "program/program.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "cubefold/embedding/placement_rule.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/version.h"
#include "files/output.hpp"
#include "program/help_topics.hpp"
#include "program/shown.hpp"
#include "program/values.hpp"
#include "text/known_names.hpp"

namespace cubefold::program {

namespace {

/// Returns the command as the user typed it, such as `cubefold routes` for a subcommand.
std::string command(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* subcommand : app.get_subcommands()) name += " " + command(*subcommand);
  return name;
}

/// Returns the last command of the line, which is `exchange` for `cubefold plan exchange`.
const CLI::App& last_command(const CLI::App& app) {
  const auto typed = app.get_subcommands();
  return typed.empty() ? app : last_command(*typed.front());
}

std::string unknown_option(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
    for (const auto& name : option->get_snames()) known.push_back("-" + name);
  }
  const std::string name = word.substr(0, word.find('='));
  const auto nearest = nearest_name(name, {known.begin(), known.end()});
  return fmt::format("unknown option '{}'{}", name,
                     nearest ? fmt::format("; did you mean '{}'?", *nearest) : "");
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  const auto commands = app.get_subcommands(nullptr);
  std::vector<std::string_view> known;
  known.reserve(commands.size());
  for (const CLI::App* command : commands) known.push_back(command->get_name());
  return unknown_name("command", word, known);
}

/// Describes the first word that no command knows. CLI11 would report a missing option instead.
struct UnknownWord {
  std::string message;
  bool is_command;
};

std::optional<UnknownWord> unknown_word(const CLI::App& app) {
  const auto typed = app.get_subcommands();
  const auto words = app.remaining();
  if (words.empty()) return typed.empty() ? std::nullopt : unknown_word(*typed.front());
  const std::string& word = words.front();
  if (word.size() > 1 && word.front() == '-') return UnknownWord{unknown_option(app, word), false};
  const bool is_command = typed.empty() && !app.get_subcommands(nullptr).empty();
  return UnknownWord{is_command ? unknown_command(app, word) : fmt::format("unexpected argument '{}'", word),
                     is_command};
}

/// Returns the message of CLI11, with a clearer text for an option that has too few or too many values.
std::string message_of(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return text;
  const std::string name = text.substr(0, text.find(':'));
  const CLI::Option* option = last_command(app).get_option_no_throw(name);
  if (option == nullptr) return text;
  if (option->count() > 1) return fmt::format("{} is given {} times", name, option->count());
  return name + ": a value is missing";
}

Answer mistake(const CLI::App& app, const std::string& message) {
  return refusal(app, fmt::format("{} (see {} --help)", message, command(app)));
}

bool asks_for_help(const CLI::App& app) {
  const auto typed = app.get_subcommands();
  return app.get_help_ptr()->count() > 0 || (!typed.empty() && asks_for_help(*typed.front()));
}

/// Returns the answer to an unknown word or to a request for help. These come before any error about values or missing
/// options.
std::optional<Answer> first_answer(const CLI::App& app) {
  const auto unknown = unknown_word(app);
  if (unknown && (unknown->is_command || !asks_for_help(app))) return mistake(app, unknown->message);
  if (asks_for_help(app)) return Answer{0, app.help()};
  return std::nullopt;
}

Answer answer(const CLI::App& app, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::RuntimeError*>(&error) != nullptr) return {error.get_exit_code(), ""};
  if (auto first = first_answer(app)) return *first;
  if (error.get_exit_code() != 0) return mistake(app, message_of(app, error));
  std::ostringstream text;
  app.exit(error, text, text);
  return {0, text.str()};
}

/// Returns the words of the command line. `help` and `version` may be words as well as options.
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return words;
  if (words.front() == "version") words.front() = "--version";
  if (words.front() != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

/// Returns the text of `help TOPIC`, or nothing if the words ask for something else.
std::optional<Answer> topic_in(const std::vector<std::string>& words) {
  if (words.size() != 2 || words.front() != "help") return std::nullopt;
  for (const HelpTopic& topic : help_topics())
    if (words.back() == topic.name) return Answer{0, std::string(topic.text)};
  return std::nullopt;
}

[[noreturn]] void cannot_print(const std::error_code& error) {
  throw std::runtime_error("cannot write to standard output: " + error.message());
}

}  // namespace

std::string lines_of(const std::vector<std::string>& words) {
  constexpr std::size_t longest_line = 72;
  std::string lines;
  std::size_t line_begin = 0;
  for (const std::string& word : words) {
    if (!lines.empty()) lines += ", ";
    if (!lines.empty() && lines.size() + word.size() - line_begin > longest_line) {
      lines.back() = '\n';
      line_begin = lines.size();
    }
    lines += word;
  }
  return lines;
}

std::string grid_help() {
  return "The network, as torus:8x8 or mesh:4x4x4 (see cubefold help grid)";
}

std::string placement_help() {
  return fmt::format("Node of each rank: {}, nodes=3-1-0-2\nor auto:PHASES (see cubefold help placement)",
                     fmt::join(embedding_names(), ", "));
}

std::string algorithm_help() {
  std::vector<std::string> examples;
  for (const auto& algorithm : exchange_algorithms()) examples.emplace_back(algorithm.examples);
  return lines_of(examples);
}

void check_placement(const std::string& text) {
  if (!text.starts_with("auto:")) parse_placement(text);
}

std::optional<Answer> read_options(CLI::App& app, int argc, char** argv, const std::string& version_notes) {
  app.set_version_flag("--version", fmt::format("{} {}{}", app.get_name(), CUBEFOLD_VERSION, version_notes));
  if (auto topic = topic_in({argv + 1, argv + argc})) return topic;
  auto words = words_of(argc, argv);
  std::reverse(words.begin(), words.end());  // CLI11 takes words in reverse order
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return answer(app, error);
  } catch (const std::invalid_argument& error) {
    return first_answer(app).value_or(refusal(app, error.what()));
  }
  return std::nullopt;
}

Answer refusal(const CLI::App& app, const std::string& message) {
  constexpr std::size_t most_bytes = 1000;
  return {exit_usage, fmt::format("{}: {}\n", app.get_name(), shown(message, most_bytes))};
}

void print(const Answer& answer) {
  std::fputs(answer.text.c_str(), answer.status == 0 ? stdout : stderr);
}

void print_output(const std::function<void()>& print) {
  try {
    print();
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) == 0) throw;
    cannot_print(error.code());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) cannot_print({errno, std::generic_category()});
}

int run(CLI::App& app, int argc, char** argv) {
  // A write beyond the file size limit should fail like a write to a full disk, and not end the process.
  std::signal(SIGXFSZ, SIG_IGN);
  files::remove_incomplete_files_at_signal();
  try {
    int status = 0;
    print_output([&] {
      const auto answer = read_options(app, argc, argv);
      if (!answer) return;
      print(*answer);
      status = answer->status;
    });
    return status;
  } catch (const std::bad_alloc&) {
    print(refusal(app, "out of memory"));
  } catch (const std::length_error&) {
    print(refusal(app, "out of memory"));
  } catch (const std::exception& error) {
    print(refusal(app, error.what()));
  }
  return exit_usage;
}

std::string counted(std::size_t count, const std::string& noun) {
  if (count == 1) return "1 " + noun;
  return fmt::format("{} {}{}", count, noun, noun.ends_with('s') ? "es" : "s");
}

std::string now() {
  constexpr std::uint64_t end_of_year_9999 = 253402300799;
  const char* given =
      std::getenv("SOURCE_DATE_EPOCH");  // NOLINT(concurrency-mt-unsafe): no thread sets variables
  if (given == nullptr || *given == '\0') return fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr)));
  const auto seconds = whole_number_in(given);
  if (seconds && *seconds <= end_of_year_9999)
    return fmt::format("{:%FT%TZ}", fmt::gmtime(static_cast<std::time_t>(*seconds)));
  throw std::invalid_argument(
      fmt::format("SOURCE_DATE_EPOCH: '{}' is not a number of seconds since 1970", shown(given)));
}

std::string size_text(std::size_t bytes) {
  constexpr std::size_t kib = 1024;
  if (bytes >= kib * kib && bytes % (kib * kib) == 0) return fmt::format("{} MiB", bytes / kib / kib);
  if (bytes >= kib && bytes % kib == 0) return fmt::format("{} KiB", bytes / kib);
  return fmt::format("{} B", bytes);
}

}  // namespace cubefold::program
