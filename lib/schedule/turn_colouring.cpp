#include "turn_colouring.hpp"

#include <algorithm>

namespace cubefold {

std::vector<Turn> turns_of(const std::vector<Layer>& layers, const std::vector<std::uint32_t>& moduli) {
  std::vector<Turn> turns;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    for (std::uint32_t residue = 0; residue < moduli[layer]; ++residue) {
      for (std::uint32_t turn = 0; turn < layers[layer].turn_count(); ++turn) {
        turns.push_back({layer, residue, moduli[layer], turn});
      }
    }
  }
  return turns;
}

namespace {

// Sums on a line are as many consecutive numbers as its highest layer has residues.
bool meet_on_a_line(const Turn& a, const Turn& b, const Layer& layer) {
  const auto up = (a.residue - b.residue) & (a.modulus - 1);
  const auto distance = std::min(up, a.modulus - up);
  if (distance >= layer.residue_count()) return false;
  if (layer.kind == LayerKind::ring_pair) return a.turn == b.turn;
  return !layer.alternates || distance % 2 == 0;
}

}  // namespace

bool meet(const Turn& a, const Turn& b, const std::vector<Layer>& layers) {
  if ((a.residue - b.residue) % std::min(a.modulus, b.modulus) == 0) return true;
  if (layers[a.layer].axis != layers[b.layer].axis) return false;
  return a.layer != b.layer || meet_on_a_line(a, b, layers[a.layer]);
}

namespace {

constexpr std::uint32_t no_step = static_cast<std::uint32_t>(-1);

class Colouring {
 public:
  Colouring(const std::vector<Turn>& turns, const std::vector<Layer>& layers, std::uint32_t step_count,
            std::size_t branches)
      : step_count_(step_count),
        branches_left_(branches),
        meeting_(turns.size()),
        steps_(turns.size(), no_step),
        free_count_(turns.size(), step_count),
        taken_(turns.size() * step_count) {
    for (std::size_t a = 0; a < turns.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (!meet(turns[a], turns[b], layers)) continue;
        meeting_[a].push_back(b);
        meeting_[b].push_back(a);
      }
    }
  }

  /// Completes the colouring. Steps that no turn has yet are all alike: only the first of them is tried.
  bool extend(std::uint32_t used_count) {
    const auto turn = most_constrained();
    if (turn == steps_.size()) return true;
    for (std::uint32_t step = 0; step < std::min(used_count + 1, step_count_); ++step) {
      if (taken_[turn * step_count_ + step] != 0) continue;
      if (branches_left_ == 0) return false;
      --branches_left_;
      if (assign(turn, step) && extend(std::max(used_count, step + 1))) return true;
      unassign(turn);
    }
    return false;
  }

  std::vector<std::uint32_t> steps() && { return std::move(steps_); }

 private:
  std::size_t most_constrained() const {
    std::size_t best = steps_.size();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i] != no_step) continue;
      if (best == steps_.size() || free_count_[i] < free_count_[best] ||
          (free_count_[i] == free_count_[best] && meeting_[i].size() > meeting_[best].size())) {
        best = i;
      }
    }
    return best;
  }

  /// Whether every turn that meets this one still has a step.
  bool assign(std::size_t turn, std::uint32_t step) {
    steps_[turn] = step;
    bool all_have_steps = true;
    for (const auto other : meeting_[turn]) {
      if (taken_[other * step_count_ + step]++ == 0) --free_count_[other];
      if (steps_[other] == no_step && free_count_[other] == 0) all_have_steps = false;
    }
    return all_have_steps;
  }

  void unassign(std::size_t turn) {
    const auto step = steps_[turn];
    steps_[turn] = no_step;
    for (const auto other : meeting_[turn]) {
      if (--taken_[other * step_count_ + step] == 0) ++free_count_[other];
    }
  }

  std::uint32_t step_count_;
  std::size_t branches_left_;
  std::vector<std::vector<std::size_t>> meeting_;
  std::vector<std::uint32_t> steps_;
  std::vector<std::uint32_t> free_count_;
  std::vector<std::uint16_t> taken_;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> colour_turns(const std::vector<Turn>& turns,
                                                       const std::vector<Layer>& layers,
                                                       std::uint32_t step_count, std::size_t branches) {
  Colouring colouring(turns, layers, step_count, branches);
  if (!colouring.extend(0)) return std::nullopt;
  return std::move(colouring).steps();
}

}  // namespace cubefold
