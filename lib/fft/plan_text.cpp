#include "plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <variant>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold::fft {

namespace {

std::string text_of(const ExchangeSeconds& seconds) {
  std::string text = fmt::format("predicted {:.4g} ms", seconds.predicted * 1e3);
  if (seconds.bound > 0)
    text += fmt::format(", the bound {:.4g} ms, {:.3g} times that", seconds.bound * 1e3,
                        seconds.predicted / seconds.bound);
  return text;
}

std::optional<ExchangeSeconds> predicted(const ProcessAxis& axis, std::size_t block_bytes) {
  if (!axis.machine) return std::nullopt;
  const auto plan =
      plan_exchange(axis.comm->placement(), block_bytes, exchange_model(*axis.machine, Tie::balanced));
  return ExchangeSeconds{plan.choice().seconds, plan.bound.seconds()};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

/// How the exchange is done, with its time, which is said once, as all times here. A method that was asked for may take
/// another time than what would be planned; that stays as it is.
std::vector<std::string> exchange_lines(ProcessAxis& axis, std::size_t block_bytes) {
  auto lines = lines_of(axis.plans->explain_equal(block_bytes));
  const auto seconds = predicted(axis, block_bytes);
  if (!seconds) return lines;
  const auto said = std::find_if(lines.begin(), lines.end(),
                                 [](const std::string& line) { return line.starts_with("predicted "); });
  if (said == lines.end())
    lines.insert(lines.begin(), text_of(*seconds));
  else if (said->starts_with(fmt::format("predicted {:.4g} ms;", seconds->predicted * 1e3)))
    *said = text_of(*seconds);
  return lines;
}

std::string exchange_text(ProcessAxis& axis, std::size_t block_bytes) {
  std::string text =
      fmt::format("  {} processes, {}: blocks of {} bytes to {} others, {} bytes sent by each\n",
                  axis.members, axis.name, block_bytes, axis.members - 1, block_bytes * (axis.members - 1));
  for (const std::string& line : exchange_lines(axis, block_bytes)) text += fmt::format("  {}\n", line);
  return text;
}

std::string messages_text(const Alternative& alternative) {
  return fmt::format("{} message{} and {} bytes sent by each process", alternative.message_count,
                     alternative.message_count == 1 ? "" : "s", alternative.sent_bytes);
}

std::string alternative_text(const Alternative& alternative) {
  std::string text = fmt::format("alternative {}: ", name_of(alternative));
  if (alternative.seconds) text += fmt::format("{}, ", text_of(*alternative.seconds));
  return text + messages_text(alternative) + "\n";
}

}  // namespace

std::string stages_text(const Program& program, const std::vector<std::size_t>& block_bytes,
                        const ProcessAxes& axes, MPI_Comm comm) {
  std::string text;
  std::size_t number = 0;
  for (const Stage& stage : program.stages) {
    mpi::together(comm, [&] {
      text += fmt::format("{}\n", describe(stage));
      const auto* exchange = std::get_if<ExchangeStage>(&stage);
      if (exchange == nullptr) return;
      ProcessAxis& axis = *axes[static_cast<std::size_t>(exchange->axis)];
      if (axis.members > 1) text += exchange_text(axis, block_bytes[number++]);
    });
  }
  return text;
}

std::string choice_text(const Choice& choice) {
  const Alternative& taken = choice.taken();
  std::string text = fmt::format("all: {}\n", messages_text(taken));
  if (taken.seconds && taken.message_count > 0)
    text += fmt::format("all exchanges: {}\n", text_of(*taken.seconds));
  text += fmt::format("taken: {}, {}\n", name_of(taken), choice.why);
  for (std::size_t i = 1; i < choice.alternatives.size(); ++i)
    text += alternative_text(choice.alternatives[i]);
  return text;
}

}  // namespace cubefold::fft
