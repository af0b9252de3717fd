#include "text/whole_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "text/text_file.hpp"

namespace cubefold {
namespace {

/// A folder for files, which is removed at the end.
class WholeFileTest : public testing::Test {
 protected:
  WholeFileTest() { std::filesystem::create_directory(folder); }
  ~WholeFileTest() override { std::filesystem::remove_all(folder); }

  std::string path(const std::string& name) const { return folder + "/" + name; }

  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  std::string text(const std::string& name) const { return read_text_file(path(name)); }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      result.push_back(entry.path().filename());
    std::sort(result.begin(), result.end());
    return result;
  }

  const std::string folder = testing::TempDir() + "whole_file." + std::to_string(getpid());
};

using Names = std::vector<std::string>;

TEST_F(WholeFileTest, follows_no_link_and_takes_no_file_that_stands_under_a_temporary_name) {
  write("victim", "victim");
  write("file.6.part", "of another process");
  std::filesystem::create_symlink("victim", path("file.5.part"));
  std::filesystem::create_symlink("missing", path("file.7.part"));
  WholeFile file(path("file"), 5);
  EXPECT_EQ(file.number(), 8);
  file.write("text");
  file.commit();
  EXPECT_EQ(text("file"), "text");
  EXPECT_EQ(text("victim"), "victim");
  EXPECT_EQ(text("file.6.part"), "of another process");
  EXPECT_EQ(names(), (Names{"file", "file.5.part", "file.6.part", "file.7.part", "victim"}));
}

TEST_F(WholeFileTest, is_not_written_through_a_link_that_took_its_temporary_name) {
  write("victim", "victim");
  WholeFile file(path("file"), 5);
  std::filesystem::remove(path("file.5.part"));
  std::filesystem::create_symlink("victim", path("file.5.part"));
  EXPECT_THROW(file.write("text"), std::system_error);
  EXPECT_EQ(text("victim"), "victim");
}

TEST_F(WholeFileTest, names_path_and_reason_when_it_cannot_be_made) {
  try {
    WholeFile{path("missing/file")};
    ADD_FAILURE();
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.what(), path("missing/file") + ": cannot create: No such file or directory");
  }
}

/// Sets the umask while it exists.
class Umask {
 public:
  explicit Umask(mode_t mask) : earlier_(umask(mask)) {}
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;
  ~Umask() { umask(earlier_); }

 private:
  mode_t earlier_;
};

mode_t mode_of(const std::string& path) {
  struct stat found {};
  EXPECT_EQ(stat(path.c_str(), &found), 0);
  return found.st_mode & 07777U;
}

TEST_F(WholeFileTest, has_the_permissions_that_the_umask_leaves) {
  for (const mode_t mask : {0U, 022U, 027U, 077U}) {
    const Umask umask_of_user(mask);
    WholeFile file(path("file"), 5);
    EXPECT_EQ(mode_of(path("file.5.part")), 0666U & ~mask);
    file.commit();
    replace_text_file(path("other"), "text");
    EXPECT_EQ(mode_of(path("file")), 0666U & ~mask);
    EXPECT_EQ(mode_of(path("other")), 0666U & ~mask);
  }
}

TEST_F(WholeFileTest, tells_its_temporary_name) {
  static std::string seen;
  report_temporary_names([](const std::string& name) { seen = name; });
  const WholeFile file(path("file"), 5);
  report_temporary_names(nullptr);
  EXPECT_EQ(seen, path("file.5.part"));
}

TEST_F(WholeFileTest, is_removed_if_it_is_not_completed) {
  { WholeFile(path("file")).write("text"); }
  EXPECT_EQ(names(), Names{});
}

using ReplacedTextFile = WholeFileTest;

TEST_F(ReplacedTextFile, is_where_the_symbolic_links_lead) {
  std::filesystem::create_directory(path("folder"));
  write("folder/old", "old");
  std::filesystem::create_symlink("folder/old", path("link"));
  std::filesystem::create_symlink("folder/new", path("dangling"));
  replace_text_file(path("link"), "replaced");
  replace_text_file(path("dangling"), "made");
  EXPECT_EQ(text("folder/old"), "replaced");
  EXPECT_EQ(text("folder/new"), "made");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")) && std::filesystem::is_symlink(path("dangling")));
  EXPECT_EQ(names(), (Names{"dangling", "folder", "link"}));
}

TEST_F(ReplacedTextFile, is_written_through_if_it_is_no_regular_file) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe", path("link"));
  const int reader = open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  for (const char* name : {"pipe", "link"}) {
    replace_text_file(path(name), "text");
    std::array<char, 16> read_text{};
    EXPECT_EQ(read(reader, read_text.data(), read_text.size()), 4);
    EXPECT_STREQ(read_text.data(), "text");
  }
  close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
  EXPECT_EQ(names(), (Names{"link", "pipe"}));
}

TEST_F(ReplacedTextFile, may_not_be_a_folder_or_in_a_missing_one) {
  for (const auto& [file, reason] : {std::pair(folder, std::errc::is_a_directory),
                                     std::pair(path("missing/file"), std::errc::no_such_file_or_directory)}) {
    try {
      replace_text_file(file, "text");
      ADD_FAILURE() << file;
    } catch (const std::system_error& error) {
      EXPECT_EQ(error.code(), reason);
    }
  }
}

TEST_F(ReplacedTextFile, is_whole_when_two_threads_replace_it) {
  const std::vector<std::string> texts{std::string(50000, 'a'), std::string(70000, 'b')};
  const auto replace_often = [this](const std::string& text) {
    for (int i = 0; i < 100; ++i) replace_text_file(path("file"), text);
  };
  std::thread other(replace_often, texts[0]);
  EXPECT_NO_THROW(replace_often(texts[1]));
  other.join();
  EXPECT_NE(std::find(texts.begin(), texts.end(), text("file")), texts.end());
  EXPECT_EQ(names(), Names{"file"});
}

}  // namespace
}  // namespace cubefold
