// Passes the seeds of one parser, and every beginning of them, to the parser: `replay_corpus PARSER FOLDER`. Prints
// defects and exits with 1 if there is one, or if there are no seeds.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz/parser.hpp"

namespace {

using cubefold::fuzz::FuzzedParser;

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool has_defect(const FuzzedParser& parser, const std::string& seed, std::string_view text) {
  const auto defect = defect_of(parser, text);
  if (defect)
    std::printf("%s: the first %zu bytes: the parser %s\n", seed.c_str(), text.size(), defect->c_str());
  return defect.has_value();
}

/// Returns the number of defects. Of long seeds, at most 200 beginnings are tried.
int defect_count(const FuzzedParser& parser, const std::filesystem::path& seed) {
  const std::string text = content(seed);
  int defects = has_defect(parser, seed, text) ? 1 : 0;
  const std::size_t step = text.size() / 200 + 1;
  for (std::size_t size = 0; size < text.size(); size += step)
    defects += has_defect(parser, seed, std::string_view(text).substr(0, size)) ? 1 : 0;
  return defects;
}

}  // namespace

int main(int argc, char** argv) {
  const FuzzedParser* parser = argc == 3 ? cubefold::fuzz::parser_named(argv[1]) : nullptr;
  if (parser == nullptr) {
    std::printf("usage: replay_corpus PARSER FOLDER\n");
    return 2;
  }
  int seeds = 0;
  int defects = 0;
  for (const auto& seed : std::filesystem::directory_iterator(argv[2])) {
    ++seeds;
    defects += defect_count(*parser, seed.path());
  }
  std::printf("%s: %d seeds, %d defects\n", argv[1], seeds, defects);
  return seeds > 0 && defects == 0 ? 0 : 1;
}
