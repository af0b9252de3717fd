#include "files/output.hpp"

#include <utility>

#include "files/whole_file.hpp"

namespace cubefold::files {

Output::Output(std::string path) : path_(std::move(path)), stream_(stream_of(path_)) {
  if (!stream_) WholeFile{path_};
}

void Output::write(std::string_view bytes) {
  if (stream_) return stream_->write(bytes);
  WholeFile file(path_);
  file.write(bytes);
  file.commit();
}

std::optional<Output> open_output(const std::string& path) {
  return path.empty() ? std::nullopt : std::optional<Output>(path);
}

}  // namespace cubefold::files
