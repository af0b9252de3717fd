// This program writes the pictures of docs/fft.md into a folder.

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "fft/layout_picture.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: draw_layouts FOLDER\n");
    return 2;
  }
  for (const auto& picture : cubefold::fft::document_pictures()) {
    std::ofstream file(std::filesystem::path(argv[1]) / picture.file_name);
    if (!(file << picture.svg << std::flush)) {
      fmt::print(stderr, "draw_layouts: {} cannot be written\n", picture.file_name);
      return 1;
    }
  }
  return 0;
}
