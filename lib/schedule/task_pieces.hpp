#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "cubefold/schedule/task_schedule.hpp"
#include "layer.hpp"
#include "task_round.hpp"
#include "turn_table.hpp"

namespace cubefold {

/// Some of a task's layers, after those of the pieces before it.
struct Piece {
  std::uint32_t begin;
  std::variant<TaskRound, TurnTable> steps;
};

struct TaskPieces {
  std::vector<Piece> pieces;
  TaskMethod method;
};

/// The first step after all pieces.
std::uint32_t end_of(const std::vector<Piece>& pieces);

/// Pieces for all layers. One-port: each round by its formula ([Calmant] 4.2), or the last of them by a table where
/// that takes fewer steps; it is content with `bound`.
TaskPieces find_pieces(const std::vector<std::vector<Layer>>& layers_by_axis, Ports ports,
                       std::uint32_t bound);

}  // namespace cubefold
