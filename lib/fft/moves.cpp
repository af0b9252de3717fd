#include "moves.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace cubefold::fft {

namespace {

std::size_t members_of(const ExchangeStage& stage) {
  return stage.before.axis_members()[static_cast<std::size_t>(stage.axis)];
}

void add_once(std::vector<std::vector<std::size_t>>& orders, std::vector<std::size_t> order) {
  if (std::find(orders.begin(), orders.end(), order) == orders.end()) orders.push_back(std::move(order));
}

std::vector<std::size_t> with_last(std::vector<std::size_t> order, std::size_t digit) {
  std::erase(order, digit);
  order.push_back(digit);
  return order;
}

PassShape shape_between(const View& from, const View& to) {
  PassShape shape;
  shape.from_base = from.base;
  shape.to_base = to.base;
  shape.digits.push_back({from.batch, to.batch});
  return shape;
}

/// The pass that brings points from one view to another.
PassShape copy_shape(const View& from, const View& to) {
  PassShape shape = shape_between(from, to);
  const auto row_of = [](const View& view) {
    std::size_t best = 0;
    for (std::size_t d = 1; d < view.digits.size(); ++d)
      if (view.digits[d].row_length() >= view.digits[best].row_length()) best = d;
    return best;
  };
  const std::size_t read = row_of(from);
  const std::size_t written = row_of(to);
  for (std::size_t d = 0; d < from.digits.size(); ++d) {
    if (d == written && read != written) {
      shape.row = PassDigit{from.digits[d], to.digits[d]};
    } else {
      shape.digits.push_back({from.digits[d], to.digits[d]});
    }
  }
  return shape;
}

/// The one who makes moves: where the points are, and what is still to be done to them.
class Mover {
 public:
  Mover(const Program& program, const Layout::Members& members, std::size_t batch, const BlockOrders& blocks)
      : program_(program), members_(members), batch_(batch) {
    std::size_t number = 0;
    for (const Stage& stage : program.stages) {
      const auto* exchange = std::get_if<ExchangeStage>(&stage);
      shapes_.push_back(exchange != nullptr ? block_shape(*exchange, members, batch, blocks.orders[number],
                                                          blocks.rooms[number])
                                            : BlockShape{});
      if (exchange != nullptr) ++number;
    }
    become(natural_view(program.input, members, batch), program.input);
  }

  std::vector<Move> run() {
    for (std::size_t s = 0; s < program_.stages.size(); ++s)
      std::visit([&](const auto& stage) { move(stage, s); }, program_.stages[s]);
    settle();
    fit(program_.output_element);
    return std::move(moves_);
  }

 private:
  void become(View view, const Layout& layout) {
    view_ = std::move(view);
    layout_ = &layout;
  }

  bool is_natural() const { return view_ == natural_view(*layout_, members_, batch_); }

  /// The points are copied to where their layout has them.
  void settle() {
    const View natural = natural_view(*layout_, members_, batch_);
    if (view_ == natural) return;
    moves_.push_back({copy_shape(view_, natural), room_of(*layout_, Element::complex, members_, batch_)});
    view_ = natural;
  }

  /// Padded blocks may be more than the points take, even where those lie as they should.
  void fit(Element element) {
    const std::size_t room = room_of(*layout_, element, members_, batch_);
    if (moves_.empty() || !std::holds_alternative<BlockMove>(moves_.back().what) ||
        moves_.back().room <= room)
      return;
    moves_.push_back({copy_shape(view_, view_), room});
  }

  /// The view in the digits of a layout with the same places.
  View view_in(const Layout& layout) {
    if (!is_natural()) {
      auto view = recut(view_, digit_counts(layout, members_));
      if (view) return *view;
      settle();
    }
    return natural_view(layout, members_, batch_);
  }

  /// Where the points of a layout are to lie for the stage, if that is an exchange.
  std::optional<View> wanted_by(std::size_t stage, const Layout& layout) const {
    if (stage >= program_.stages.size()) return std::nullopt;
    const auto* exchange = std::get_if<ExchangeStage>(&program_.stages[stage]);
    if (exchange == nullptr || members_of(*exchange) == 1) return std::nullopt;
    return recut(shapes_[stage].sent, digit_counts(layout, members_));
  }

  void move(const TransformStage& stage, std::size_t number) {
    const View from = view_in(stage.before);
    const auto wanted = wanted_by(number + 1, stage.after);
    const View to = wanted ? *wanted : natural_view(stage.after, members_, batch_);
    const std::size_t frequency = stage.frequency();
    PassShape shape = shape_between(from, to);
    for (std::size_t d = 0; d < to.digits.size(); ++d) {
      const PassDigit digit{from.digits[stage.sources[d]], to.digits[d]};
      if (stage.twiddle && stage.twiddle->digit == d) shape.twiddled_with = shape.digits.size();
      if (d == frequency) {
        shape.row = digit;
      } else {
        shape.digits.push_back(digit);
      }
    }
    shape.kind = stage.kind == Kind::complex             ? RowKind::complex
                 : stage.transform == Transform::forward ? RowKind::real_to_complex
                                                         : RowKind::complex_to_real;
    shape.length = stage.length();
    shape.transform = stage.transform;
    shape.factor = stage.factor;
    if (stage.twiddle) add_twiddle(shape, stage);
    const bool in_place = can_be_in_place(shape);
    const std::size_t room =
        wanted ? sent_room(number + 1) : room_of(stage.after, element_after(stage), members_, batch_);
    moves_.push_back({std::move(shape), room, in_place});
    packed_for_ = wanted ? number + 1 : 0;
    become(to, stage.after);
    if (wanted) view_ = to;
  }

  void add_twiddle(PassShape& shape, const TransformStage& stage) const {
    shape.twiddle_order = stage.twiddle->order;
    const std::size_t d = stage.twiddle->digit;
    for (std::size_t i = 0; i < stage.after.digit_count(d, members_); ++i)
      shape.twiddle_values.push_back(stage.after.digit_at(d, i, members_));
  }

  std::size_t sent_room(std::size_t stage) const {
    return 2 * shapes_[stage].block_count * members_of(std::get<ExchangeStage>(program_.stages[stage]));
  }

  void move(const ExchangeStage& stage, std::size_t number) {
    if (!keeps_digits(stage)) throw std::logic_error("an exchange cuts digits anew");
    if (members_of(stage) == 1) {
      const View before = view_in(stage.before);
      View after{before.base, {}, before.batch};
      for (const std::size_t d : digits_before(stage)) after.digits.push_back(before.digits[d]);
      return become(std::move(after), stage.after);
    }
    const BlockShape& shape = shapes_[number];
    if (packed_for_ != number || number == 0) {
      const View from = view_in(stage.before);
      // Padding is sent too, so that it has to be there.
      const bool is_whole = room_of(stage.before, Element::complex, members_, batch_) == sent_room(number);
      if (!is_whole || !(from == shape.sent))
        moves_.push_back({copy_shape(from, shape.sent), sent_room(number)});
    }
    moves_.push_back({BlockMove{stage.axis, shape.block_count}, sent_room(number)});
    become(shape.received, stage.after);
  }

  template <typename Stage>
  void move(const Stage& stage, std::size_t number) {
    settle();
    const bool in_place = !std::is_same_v<Stage, UntangleStage>;
    moves_.push_back(
        {PointMove{number}, room_of(stage.after, element_after(stage), members_, batch_), in_place});
    become(natural_view(stage.after, members_, batch_), stage.after);
  }

  void move(const RealStage& stage, std::size_t number) {
    settle();
    if (stage.step == RealStep::unpaired) {
      fit(Element::complex);
    } else if (stage.step != RealStep::paired) {
      moves_.push_back({PointMove{number}, room_of(stage.after, element_after(stage), members_, batch_),
                        stage.step != RealStep::widened});
    }
    become(natural_view(stage.after, members_, batch_), stage.after);
  }

  const Program& program_;
  const Layout::Members& members_;
  std::size_t batch_;
  std::vector<BlockShape> shapes_;  ///< by stage
  std::vector<Move> moves_;
  View view_;
  const Layout* layout_ = nullptr;
  std::size_t packed_for_ = 0;
};

}  // namespace

std::size_t room_of(const Layout& layout, Element element, const Layout::Members& members,
                    std::size_t batch) {
  const std::size_t count = layout.local_count(members) * batch;
  return element == Element::complex ? 2 * count : count;
}

std::vector<std::vector<std::size_t>> block_orders(const Program& program, std::size_t number) {
  const auto& stage = std::get<ExchangeStage>(program.stages[number]);
  std::vector<std::size_t> before(stage.before.digits().size());
  std::iota(before.begin(), before.end(), 0);
  const std::vector<std::size_t> after = digits_before(stage);
  std::vector<std::vector<std::size_t>> orders;
  add_once(orders, before);
  add_once(orders, after);
  for (std::size_t d = 0; d < before.size(); ++d) {
    add_once(orders, with_last(before, d));
    add_once(orders, with_last(after, d));
  }
  return orders;
}

std::vector<Move> moves_of(const Program& program, const Layout::Members& members, std::size_t batch,
                           const BlockOrders& blocks) {
  return Mover(program, members, batch, blocks).run();
}

}  // namespace cubefold::fft
