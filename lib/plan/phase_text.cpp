#include "phase_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "cubefold/plan/phase.hpp"

namespace cubefold {

namespace {

template <typename Number>
Number read_number(const PhaseText& text, std::string_view digits) {
  Number value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size())
    text.fail(fmt::format("'{}' is not a number", digits));
  return value;
}

}  // namespace

PhaseText::PhaseText(std::string_view text) : text_(text) {
  const auto star = text.rfind('*');
  const auto pattern = text.substr(0, star);
  const auto colon = pattern.find(':');
  name_ = pattern.substr(0, colon);
  if (colon != std::string_view::npos) argument_ = pattern.substr(colon + 1);
  if (star == std::string_view::npos) return;
  const auto digits = text.substr(star + 1);
  weight_ = read_number<double>(*this, digits);
  if (!is_amount(weight_)) fail(fmt::format("weight {} is {}", digits, no_amount));
}

std::string PhaseText::pattern() const {
  return argument_ ? fmt::format("{}:{}", name_, *argument_) : std::string(name_);
}

std::string PhaseText::name_of_part(int part) const {
  return fmt::format("{}:{}", name_, part);
}

void PhaseText::fail(const std::string& rule) const {
  throw std::invalid_argument(fmt::format("phase '{}': {}", text_, rule));
}

void PhaseText::require_no_argument(std::string_view hint) const {
  if (argument_) fail(fmt::format("it takes nothing after its name; {}", hint));
}

std::uint32_t PhaseText::number(std::string_view digits) const {
  return read_number<std::uint32_t>(*this, digits);
}

std::pair<int, int> PhaseText::range(int count, std::string_view part) const {
  if (!argument_) return {0, count};
  const auto dash = argument_->find('-');
  const int first = read_number<int>(*this, argument_->substr(0, dash));
  const int last =
      dash == std::string_view::npos ? first : read_number<int>(*this, argument_->substr(dash + 1));
  if (last < first) fail(fmt::format("{} {} comes before {}", part, last, first));
  if (count == 0) fail(fmt::format("a single rank has no {}s", part));
  if (first < 0 || last >= count) {
    fail(first == last ? fmt::format("{} {} is not in 0 .. {}", part, first, count - 1)
                       : fmt::format("{}s {} to {} are not in 0 .. {}", part, first, last, count - 1));
  }
  return {first, last + 1};
}

std::pair<std::uint32_t, std::uint32_t> PhaseText::rows_and_columns(std::string_view shape,
                                                                    std::size_t rank_count) const {
  const auto by = shape.find('x');
  if (by == std::string_view::npos) fail(fmt::format("'{}' is not ROWSxCOLUMNS", shape));
  const auto rows = number(shape.substr(0, by));
  const auto columns = number(shape.substr(by + 1));
  const auto product = std::uint64_t{rows} * columns;
  if (product != rank_count)
    fail(fmt::format("{} x {} are {} ranks, not {}", rows, columns, product, rank_count));
  return {rows, columns};
}

std::vector<Axis> PhaseText::axes(std::string_view shape, std::size_t rank_count) const {
  std::vector<Axis> axes;
  for (std::size_t begin = 0; begin <= shape.size();) {
    const auto end = std::min(shape.find('x', begin), shape.size());
    auto extent = shape.substr(begin, end - begin);
    const bool is_periodic = extent.ends_with('w');
    if (is_periodic) extent.remove_suffix(1);
    axes.push_back({number(extent), is_periodic ? Ends::wrapped : Ends::open});
    begin = end + 1;
  }
  if (axes.size() > most_axes) fail(fmt::format("{} axes are more than {}", axes.size(), most_axes));
  if (const auto problem = Grid::problem_of(axes)) fail(*problem);
  const auto count = Grid(axes).node_count();
  if (count != rank_count) fail(fmt::format("{} are {} ranks, not {}", shape, count, rank_count));
  return axes;
}

}  // namespace cubefold
