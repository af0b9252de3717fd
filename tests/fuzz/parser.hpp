#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

/// Passes texts that come from outside to the parsers that read them, and tells refusals from defects.
namespace cubefold::fuzz {

/// Lists the parsers. A source file of this folder defines the descriptor NAME_parser of each. A new parser needs its
/// descriptor, its line in this list, and a folder of seeds, corpus/NAME.
#define CUBEFOLD_FUZZED_PARSERS(LINE) \
  LINE(slurm)                         \
  LINE(slurm_yaml)                    \
  LINE(ibnetdiscover)                 \
  LINE(forwarding_tables)             \
  LINE(coordinates)                   \
  LINE(name_pattern)                  \
  LINE(host_list)                     \
  LINE(hosts_json)                    \
  LINE(job_hosts)                     \
  LINE(grid)                          \
  LINE(placement)                     \
  LINE(pattern)                       \
  LINE(phase)                         \
  LINE(lcc)                           \
  LINE(matrix_market)                 \
  LINE(profile)                       \
  LINE(machine)                       \
  LINE(tuning)                        \
  LINE(network)                       \
  LINE(schedule)                      \
  LINE(verify)                        \
  LINE(launchers)                     \
  LINE(link_loads)                    \
  LINE(npy_header)

/// Says which exceptions are refusals of a text.
enum class Refusals { invalid_argument, invalid_argument_or_runtime_error };

/// Describes a parser to the programs that feed it.
struct FuzzedParser {
  std::string_view name;

  /// Reads a text. Throws std::logic_error, which is no refusal, if a property of the result does not hold.
  void (*read)(std::string_view text);

  Refusals refusals = Refusals::invalid_argument;

  /// The memory that the parser may take besides 100 times the bytes of the text: for the largest result that a short
  /// text can name.
  std::size_t constant_bytes = std::size_t{16} << 20;
};

#define CUBEFOLD_DECLARED(name) extern const FuzzedParser name##_parser;
CUBEFOLD_FUZZED_PARSERS(CUBEFOLD_DECLARED)
#undef CUBEFOLD_DECLARED

std::span<const FuzzedParser* const> fuzzed_parsers();

/// Returns the parser of this name, or nullptr.
const FuzzedParser* parser_named(std::string_view name);

/// Passes the text to the parser and returns what is wrong with it: an exception that is no refusal, or more memory
/// than 100 times the text and the constant. Returns nothing if the parser reads or refuses the text as it should.
std::optional<std::string> defect_of(const FuzzedParser& parser, std::string_view text);

/// Returns whether a text names a network with a route table that takes longer than some milliseconds, or a file. The
/// parsers read such texts too, but a program that tries millions of them cannot wait for it. Networks of more nodes
/// than a route table has are refused at once, and are not costly.
bool names_costly_network(std::string_view text);

/// Throws std::logic_error with the text if a property does not hold.
inline void require(bool holds, const char* property) {
  if (!holds) throw std::logic_error(property);
}

/// Returns parse(text) of a text that the library wrote, which no parser may refuse.
template <typename Parse>
auto read_back(Parse&& parse, const std::string& text) {
  try {
    return parse(text);
  } catch (const std::invalid_argument& error) {
    throw std::logic_error("the library refuses what it wrote: " + std::string(error.what()));
  }
}

}  // namespace cubefold::fuzz
