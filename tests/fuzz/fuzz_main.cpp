// The target of libFuzzer: `cubefold-fuzz PARSER [OPTION...] [FOLDER...]`, where options and folders are libFuzzer's.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/parser.hpp"

namespace {

const cubefold::fuzz::FuzzedParser* parser = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const char* name = *argc > 1 ? (*argv)[1] : "";
  parser = cubefold::fuzz::parser_named(name);
  if (parser != nullptr) {
    // libFuzzer would take the name for a folder.
    (*argv)[1] = (*argv)[0];
    ++*argv;
    --*argc;
    return 0;
  }
  std::fprintf(stderr, "cubefold-fuzz: there is no parser '%s'; known:", name);
  for (const auto* known : cubefold::fuzz::fuzzed_parsers()) std::fprintf(stderr, " %s", known->name.data());
  std::fprintf(stderr, "\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libFuzzer's bytes are the characters of a text
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto defect = defect_of(*parser, text);
  if (!defect) return 0;
  std::fprintf(stderr, "%s: %s\n", parser->name.data(), defect->c_str());
  std::abort();
}
