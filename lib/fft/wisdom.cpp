#include "cubefold/fft/plan.hpp"

#include <fftw3.h>
#include <fmt/format.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include "fftw_rows.hpp"
#include "mpi/agreement.hpp"
#include "text/text_file.hpp"

namespace cubefold::fft {

namespace {

/// Returns the parts of a wisdom text, one for each precision. Each begins with a parenthesis at the beginning of a
/// line. FFTW reads only the first part of a text.
std::vector<std::string> expressions_of(const std::string& text) {
  std::vector<std::string> expressions;
  std::size_t begin = text.find('(');
  while (begin != std::string::npos) {
    const std::size_t end = text.find("\n(", begin);
    expressions.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
    begin = end == std::string::npos ? end : end + 1;
  }
  return expressions;
}

bool learn(const std::string& expression) {
  const bool is_float = std::string_view(expression).substr(0, expression.find('\n')).find("fftwf_wisdom") !=
                        std::string_view::npos;
  return (is_float ? fftwf_import_wisdom_from_string(expression.c_str())
                   : fftw_import_wisdom_from_string(expression.c_str())) != 0;
}

void learn_all(const std::string& text, const std::string& file) {
  const std::lock_guard lock(planner_mutex());
  const auto expressions = expressions_of(text);
  bool is_wisdom = !expressions.empty();
  for (const auto& expression : expressions) is_wisdom = is_wisdom && learn(expression);
  if (!is_wisdom) throw std::invalid_argument(fmt::format("{}: no wisdom of this version of FFTW", file));
}

}  // namespace

std::string wisdom() {
  const std::lock_guard lock(planner_mutex());
  const std::unique_ptr<char, decltype(&std::free)> of_double(fftw_export_wisdom_to_string(), &std::free);
  const std::unique_ptr<char, decltype(&std::free)> of_float(fftwf_export_wisdom_to_string(), &std::free);
  if (of_double == nullptr || of_float == nullptr) throw std::bad_alloc();
  return fmt::format("{}{}", of_double.get(), of_float.get());
}

void export_wisdom(const mpi::VirtualComm& comm, const std::string& file) {
  mpi::root_try(comm.virtual_comm(), [&] {
    try {
      replace_text_file(file, wisdom());
    } catch (const std::system_error&) {
      throw std::invalid_argument(fmt::format("{}: cannot be written", file));
    }
  });
}

void import_wisdom(const mpi::VirtualComm& comm, const std::string& file) {
  const auto text = mpi::text_of_root(comm.virtual_comm(), [&] {
    try {
      return read_text_file(file);
    } catch (const std::system_error&) {
      throw std::invalid_argument(fmt::format("{}: cannot be read", file));
    }
  });
  mpi::agree_on_outcome(comm.virtual_comm(), [&] { learn_all(text, file); });
}

}  // namespace cubefold::fft
