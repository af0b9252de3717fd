#include "text/text_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace cubefold {
namespace {

/// A file that is removed at the end.
class TextFile : public testing::Test {
 protected:
  ~TextFile() override { std::filesystem::remove(file); }

  const std::string file = testing::TempDir() + "text_file." + std::to_string(getpid());
};

std::errc error_of(const std::string& file) {
  try {
    read_text_file(file);
  } catch (const std::system_error& error) {
    return static_cast<std::errc>(error.code().value());
  }
  return {};
}

TEST_F(TextFile, is_read_byte_by_byte_whatever_its_length) {
  for (const std::size_t length : {0U, 1U, 65535U, 65536U, 65537U, 200000U}) {
    std::string text(length, '\0');
    for (std::size_t i = 0; i < length; ++i) text[i] = static_cast<char>(i * 7 % 251);
    std::ofstream(file, std::ios::binary) << text;
    EXPECT_EQ(read_text_file(file), text) << length;
  }
}

TEST_F(TextFile, may_not_be_a_folder_or_missing) {
  EXPECT_EQ(error_of(testing::TempDir()), std::errc::is_a_directory);
  EXPECT_EQ(error_of(file), std::errc::no_such_file_or_directory);
}

// The file has a hole of that size and takes no space.
TEST_F(TextFile, is_refused_beyond_the_limit_before_it_is_read) {
  std::ofstream(file) << "begin";
  std::filesystem::resize_file(file, most_text_file_bytes + 1);
  EXPECT_EQ(error_of(file), std::errc::file_too_large);
}

}  // namespace
}  // namespace cubefold
