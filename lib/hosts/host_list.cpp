#include "host_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "text/words.hpp"

namespace cubefold {

namespace {

/// Expands one entry of a list.
class EntryReader {
 public:
  /// The list may have at most `most` hosts.
  EntryReader(std::string_view entry, std::size_t most) : entry_(entry), most_(most) {}

  /// Returns the names of the entry if the entries before it have `listed` names.
  std::vector<std::string> names(std::size_t listed) {
    const std::size_t most = most_ - listed;
    std::vector<std::string> result{""};
    for (std::string_view rest = entry_; !rest.empty();) {
      const std::size_t open = rest.find_first_of("[]");
      append({std::string(rest.substr(0, open))}, result, most);
      if (open == std::string_view::npos) return result;
      const std::size_t close = rest.find_first_of("[]", open + 1);
      if (rest[open] == ']' || close == std::string_view::npos || rest[close] == '[')
        fail("brackets are not closed, or nested");
      append(numbers(rest.substr(open + 1, close - open - 1), most), result, most);
      rest.remove_prefix(close + 1);
    }
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& rule) const {
    constexpr std::size_t most_bytes = 60;
    throw std::invalid_argument(fmt::format("host list '{}{}': {}", entry_.substr(0, most_bytes),
                                            entry_.size() > most_bytes ? "..." : "", rule));
  }

  [[noreturn]] void fail_for_number() const { fail(fmt::format("more than {} hosts in a list", most_)); }

  /// Replaces every name by the same name with each of the endings.
  void append(const std::vector<std::string>& endings, std::vector<std::string>& names,
              std::size_t most) const {
    if (endings.size() > most / names.size()) fail_for_number();
    std::vector<std::string> result;
    result.reserve(names.size() * endings.size());
    for (const std::string& name : names) {
      for (const std::string& ending : endings) {
        if (name.size() + ending.size() > most_host_name_bytes)
          fail(fmt::format("a name of more than {} bytes", most_host_name_bytes));
        result.push_back(name + ending);
      }
    }
    names = std::move(result);
  }

  std::vector<std::string> numbers(std::string_view ranges, std::size_t most) const {
    std::vector<std::string> result;
    for (const std::string_view range : split(ranges, ',')) {
      const auto ends = split(range, '-');
      const auto first = whole_number(ends.front());
      const auto last = whole_number(ends.back());
      if (ends.size() > 2 || !first || !last || *last < *first)
        fail(fmt::format("'{}' is not a range of whole numbers below 2^32", range));
      if (*last - *first >= most - std::min(result.size(), most)) fail_for_number();
      const std::size_t digits = ends.front().size();
      if (digits > most_host_name_bytes)
        fail(fmt::format("a name of more than {} bytes", most_host_name_bytes));
      for (std::uint64_t number = *first; number <= *last; ++number)
        result.push_back(fmt::format("{:0{}}", number, digits));
    }
    return result;
  }

  std::string_view entry_;
  std::size_t most_;
};

}  // namespace

std::vector<std::string_view> entries_of_host_list(std::string_view list) {
  std::vector<std::string_view> entries;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : '\n';
    const bool ends = c == '\n' || (!inside && (c == ',' || c == ' ' || c == '\t' || c == '\r'));
    if (c == '[' || c == ']') inside = c == '[';
    if (!ends) continue;
    if (i > begin) entries.push_back(list.substr(begin, i - begin));
    begin = i + 1;
    inside = false;
  }
  return entries;
}

std::vector<std::string> expand_host_list(std::string_view list, std::size_t most) {
  std::vector<std::string> names;
  for (const std::string_view entry : entries_of_host_list(list)) {
    const auto more = EntryReader(entry, most).names(names.size());
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

}  // namespace cubefold
