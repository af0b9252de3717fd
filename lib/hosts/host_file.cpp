#include "host_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <stdexcept>

#include "host_list.hpp"
#include "host_name.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

std::size_t positive_number(std::string_view word, std::string_view what) {
  const auto number = whole_number(word);
  if (number && *number > 0) return *number;
  throw std::invalid_argument(fmt::format("{} '{}' is not a positive whole number", what, word));
}

/// The words NAME=VALUE of a line.
struct LineOptions {
  std::optional<std::size_t> slots;
  std::optional<std::size_t> most_slots;
};

void read_option(std::string_view word, LineOptions& options) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const auto is_one_of = [name](const auto& names) { return std::ranges::find(names, name) != names.end(); };
  constexpr std::array<std::string_view, 4> most{"max_slots", "max-slots", "slots_max", "slots-max"};
  constexpr std::array<std::string_view, 4> left_out{"user", "port", "binding", "ifname"};
  if (name == "slots") {
    options.slots = positive_number(word.substr(equals + 1), "the number of slots");
  } else if (is_one_of(most)) {
    options.most_slots = positive_number(word.substr(equals + 1), "the largest number of slots");
  } else if (!is_one_of(left_out)) {
    throw std::invalid_argument(fmt::format("'{}' behind the host is not slots=N or max_slots=N", word));
  }
}

/// Adds the hosts of one entry, such as `n0:2` or `joe@n[0-3]`. A number alone is no host: it may be a coordinate, or
/// slots without their word.
void add_entry(std::string_view entry, std::vector<JobHost>& hosts) {
  if (const std::size_t at = entry.find('@'); at != std::string_view::npos) entry.remove_prefix(at + 1);
  if (!hosts.empty() && whole_number(entry))
    throw std::invalid_argument(fmt::format("'{}' behind the host is not slots=N", entry));
  std::size_t slots = 0;
  if (const std::size_t mark = entry.find_last_of(":*"); mark != std::string_view::npos) {
    slots = positive_number(entry.substr(mark + 1), "the number of slots");
    entry = entry.substr(0, mark);
  }
  if (entry.empty()) throw std::invalid_argument("a number of slots has no host before it");
  for (std::string& name : expand_host_list(entry)) hosts.push_back({std::move(name), slots});
}

void set_slots(const LineOptions& options, std::vector<JobHost>& hosts) {
  if (options.slots && options.most_slots && *options.most_slots < *options.slots) {
    throw std::invalid_argument(
        fmt::format("slots={} is above max_slots={}", *options.slots, *options.most_slots));
  }
  const auto slots = options.slots ? options.slots : options.most_slots;
  for (JobHost& host : hosts) {
    if (slots && host.slots > 0 && host.slots != *slots) {
      throw std::invalid_argument(
          fmt::format("host '{}' has {} slots and {} slots", host.name, host.slots, *slots));
    }
    if (slots) host.slots = *slots;
  }
}

void require_printable(const std::vector<JobHost>& hosts) {
  for (const JobHost& host : hosts) {
    if (std::ranges::all_of(host.name, [](char c) { return c > ' ' && c <= '~'; })) continue;
    throw std::invalid_argument(
        fmt::format("the host '{}' has control characters, or characters beyond ASCII", host.name));
  }
}

/// Collects the hosts of a file, each once.
class HostTable {
 public:
  void add(const JobHost& host) {
    const auto [place, is_new] = number_of_.emplace(host.name, hosts_.size());
    if (is_new) hosts_.push_back({host.name, 0});
    if (hosts_.size() > most_listed_hosts)
      throw std::invalid_argument(fmt::format("more than {} hosts", most_listed_hosts));
    hosts_[place->second].slots += std::max<std::size_t>(host.slots, 1);
    has_counts_ = has_counts_ || !is_new || host.slots > 0;
  }

  std::vector<JobHost> take() && {
    if (hosts_.empty()) throw std::invalid_argument("it names no host");
    if (!has_counts_)
      for (JobHost& host : hosts_) host.slots = 0;
    return std::move(hosts_);
  }

 private:
  std::vector<JobHost> hosts_;
  std::map<std::string, std::size_t, HostNameOrder> number_of_;
  bool has_counts_ = false;
};

[[noreturn]] void refuse_counts(std::string_view text) {
  throw std::invalid_argument(
      fmt::format("'{}' is not a list of counts such as 4 or 3(x2),2", text.substr(0, 60)));
}

/// Returns how often a part such as `3(x2)` repeats its number, and removes that from the part.
std::size_t take_repetition(std::string_view& part, std::string_view text) {
  const std::size_t open = part.find('(');
  if (open == std::string_view::npos) return 1;
  std::string_view inside = part.substr(open + 1);
  part = part.substr(0, open);
  if (!inside.starts_with('x') || !inside.ends_with(')')) refuse_counts(text);
  const auto times = whole_number(inside.substr(1, inside.size() - 2));
  if (!times || *times == 0) refuse_counts(text);
  return *times;
}

}  // namespace

std::string without_blanks_at_equals(std::string_view line) {
  std::string result;
  for (const std::string_view word : words_of_line(line)) {
    const bool joins = result.empty() || result.ends_with('=') || word.starts_with('=');
    result += joins ? "" : " ";
    result += word;
  }
  return result;
}

std::vector<JobHost> hosts_of_line(std::string_view line) {
  const std::string joined = without_blanks_at_equals(line);
  std::vector<JobHost> hosts;
  LineOptions options;
  for (const std::string_view word : words_of_line(joined)) {
    if (word.find('=') == std::string_view::npos) {
      for (const std::string_view entry : entries_of_host_list(word)) add_entry(entry, hosts);
    } else if (!hosts.empty()) {
      read_option(word, options);
    } else {
      throw std::invalid_argument(fmt::format("'{}' has no host before it", word));
    }
  }
  set_slots(options, hosts);
  require_printable(hosts);
  return hosts;
}

std::vector<JobHost> parse_host_file(std::string_view text) {
  HostTable table;
  for_each_line(text, [&](std::size_t number, std::string_view line) {
    try {
      for (const JobHost& host : hosts_of_line(line.substr(0, line.find('#')))) table.add(host);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("line {}: {}", number, error.what()));
    }
  });
  return std::move(table).take();
}

std::vector<std::size_t> parse_counts(std::string_view text) {
  std::vector<std::size_t> counts;
  for (std::string_view part : split(text, ',')) {
    const std::size_t times = take_repetition(part, text);
    const auto count = whole_number(part);
    if (!count || *count == 0 || times > most_listed_hosts - counts.size()) refuse_counts(text);
    counts.insert(counts.end(), times, *count);
  }
  return counts;
}

std::string counts_text(const std::vector<std::size_t>& counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size();) {
    std::size_t end = i;
    while (end < counts.size() && counts[end] == counts[i]) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", counts[i]);
    if (end - i > 1) text += fmt::format("(x{})", end - i);
    i = end;
  }
  return text;
}

}  // namespace cubefold
