#include "program/program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "cubefold/version.h"

namespace cubefold::program {

namespace {

/// What users typed so far: `cubefold routes` for a subcommand.
std::string command(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* subcommand : app.get_subcommands()) name += " " + command(*subcommand);
  return name;
}

Answer answer(const CLI::App& app, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::RuntimeError*>(&error) != nullptr) return {error.get_exit_code(), ""};
  if (error.get_exit_code() != 0) {
    return refusal(app, fmt::format("{} (see {} --help)", error.what(), command(app)));
  }
  std::ostringstream text;
  app.exit(error, text, text);
  return {0, text.str()};
}

void flush_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw std::runtime_error("cannot write to standard output: " + std::generic_category().message(errno));
}

int answer_and_flush(CLI::App& app, int argc, char** argv) {
  int status = 0;
  if (const auto answer = read_options(app, argc, argv)) {
    print(*answer);
    status = answer->status;
  }
  flush_output();
  return status;
}

}  // namespace

std::optional<Answer> read_options(CLI::App& app, int argc, char** argv) {
  app.set_version_flag("--version", fmt::format("{} {}", app.get_name(), CUBEFOLD_VERSION));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return answer(app, error);
  }
  return std::nullopt;
}

Answer refusal(const CLI::App& app, const std::string& message) {
  return {exit_usage, fmt::format("{}: {}\n", app.get_name(), message)};
}

void print(const Answer& answer) {
  fmt::print(answer.status == 0 ? stdout : stderr, "{}", answer.text);
}

int run(CLI::App& app, int argc, char** argv) {
  // A write beyond the file size limit should fail like one to a full disk, not kill the process.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return answer_and_flush(app, argc, argv);
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

}  // namespace cubefold::program
