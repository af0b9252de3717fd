#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "../mpi/c_handles.hpp"
#include "c_options.hpp"
#include "cubefold/cubefold_fft.h"
#include "cubefold/fft/plan.hpp"
#include "cubefold/fft/wisdom.hpp"
#include "cubefold/mpi/agreement.hpp"

using namespace cubefold::fft;  // NOLINT(google-build-using-namespace): all of this file is about it
using cubefold::mpi::guarded;
using cubefold::mpi::valid_out;
using cubefold::mpi::VirtualComm;

struct cubefold_fft_s {
  using Planned = std::variant<Plan<double>, Plan<float>>;

  std::optional<Planned> plan;  // when it is made
  std::string text;             // what cubefold_fft_explain gave last
};

namespace {

/// Collective.
cubefold_fft_s::Planned planned(const VirtualComm& comm, Wish wish) {
  if (wish.precision == Precision::float_) return Plan<float>(comm, std::move(wish.lengths), wish.options);
  return Plan<double>(comm, std::move(wish.lengths), wish.options);
}

/// What `use` gives for the plan, of either precision.
template <typename Use>
auto with_plan(cubefold_fft handle, Use use) {
  if (handle == nullptr) throw std::invalid_argument("the cubefold_fft is NULL");
  return std::visit(use, *handle->plan);
}

template <typename Real>
const Layout& layout_at(const Plan<Real>& plan, int end) {
  return chosen_end(end) == End::input ? plan.input() : plan.output();
}

template <typename Real>
void execute(Plan<Real>& plan, const void* input, void* output) {
  using Complex = std::complex<Real>;
  if (plan.options().kind == Kind::complex) {
    plan.execute(static_cast<const Complex*>(input), static_cast<Complex*>(output));
  } else if (plan.options().transform == Transform::forward) {
    plan.execute(static_cast<const Real*>(input), static_cast<Complex*>(output));
  } else {
    plan.execute(static_cast<const Complex*>(input), static_cast<Real*>(output));
  }
}

const char* valid_name(const char* file) {
  if (file == nullptr) throw std::invalid_argument("the name of the file is NULL");
  return file;
}

}  // namespace

int cubefold_fft_create(cubefold_comm comm, int dimension_count, const size_t* lengths,
                        const cubefold_fft_options* options, cubefold_fft* plan) {
  return guarded("cubefold_fft_create", [&] {
    if (plan != nullptr) *plan = nullptr;
    const VirtualComm& virtual_comm = cubefold::mpi::valid(comm);
    Wish wish;
    std::unique_ptr<cubefold_fft_s> made;
    cubefold::mpi::collective_try(virtual_comm.virtual_comm(), [&] {
      valid_out(plan);
      wish = wish_of(dimension_count, lengths, options);
      made = std::make_unique<cubefold_fft_s>();
    });
    made->plan = planned(virtual_comm, std::move(wish));
    *plan = made.release();
  });
}

int cubefold_fft_free(cubefold_fft* plan) {
  return guarded("cubefold_fft_free", [&] {
    const std::unique_ptr<cubefold_fft_s> freed(std::exchange(*valid_out(plan), nullptr));
    if (freed && freed->plan) std::visit([](auto& planned) { planned.settle(); }, *freed->plan);
  });
}

int cubefold_fft_local_count(cubefold_fft plan, int end, size_t* count) {
  return guarded("cubefold_fft_local_count", [&] {
    *valid_out(count) = with_plan(plan, [&](const auto& planned) {
      return chosen_end(end) == End::input ? planned.input_count() : planned.output_count();
    });
  });
}

int cubefold_fft_local_box(cubefold_fft plan, int end, size_t* extents, size_t* offsets) {
  return guarded("cubefold_fft_local_box", [&] {
    with_plan(plan, [&](const auto& planned) {
      const LocalBox box = chosen_end(end) == End::input ? planned.input_box() : planned.output_box();
      std::copy(box.extents.begin(), box.extents.end(), valid_out(extents));
      std::copy(box.offsets.begin(), box.offsets.end(), valid_out(offsets));
    });
  });
}

int cubefold_fft_owner(cubefold_fft plan, int end, size_t point, int* rank, size_t* place) {
  return guarded("cubefold_fft_owner", [&] {
    with_plan(plan, [&](const auto& planned) {
      const Layout& layout = layout_at(planned, end);
      if (point >= layout.point_count())
        throw std::invalid_argument(fmt::format("point {} is none of {}", point, layout.point_count()));
      *valid_out(rank) = static_cast<int>(label(planned.rank_of(layout.owner(point))));
      *valid_out(place) = layout.place_of(point);
    });
  });
}

int cubefold_fft_point_at(cubefold_fft plan, int end, size_t place, size_t* point) {
  return guarded("cubefold_fft_point_at", [&] {
    *valid_out(point) = with_plan(plan, [&](const auto& planned) {
      const Layout& layout = layout_at(planned, end);
      const std::size_t count = layout.local_count(planned.members());
      if (place >= count) throw std::invalid_argument(fmt::format("place {} is none of {}", place, count));
      const std::size_t index = layout.point_at(planned.members(), place);
      return index < layout.point_count() ? index : CUBEFOLD_FFT_NO_POINT;
    });
  });
}

int cubefold_fft_execute(cubefold_fft plan, const void* input, void* output) {
  return guarded("cubefold_fft_execute",
                 [&] { with_plan(plan, [&](auto& planned) { execute(planned, input, output); }); });
}

int cubefold_fft_workspace_bytes(cubefold_fft plan, size_t* bytes) {
  return guarded("cubefold_fft_workspace_bytes", [&] {
    *valid_out(bytes) = with_plan(plan, [](const auto& planned) { return planned.workspace_bytes(); });
  });
}

int cubefold_fft_use_workspace(cubefold_fft plan, void* memory) {
  return guarded("cubefold_fft_use_workspace",
                 [&] { with_plan(plan, [&](auto& planned) { planned.use_workspace(memory); }); });
}

int cubefold_fft_explain(cubefold_fft plan, const char** text) {
  return guarded("cubefold_fft_explain", [&] {
    *valid_out(text) = "";
    std::string explained = with_plan(plan, [](const auto& planned) { return planned.explain(); });
    plan->text = std::move(explained);
    *text = plan->text.c_str();
  });
}

int cubefold_fft_last_times(cubefold_fft plan, cubefold_fft_times* times) {
  return guarded("cubefold_fft_last_times", [&] {
    *valid_out(times) = with_plan(plan, [](const auto& planned) {
      const auto last = planned.times();
      return cubefold_fft_times{last.transform_seconds, last.exchange_seconds, last.overlap_seconds};
    });
  });
}

int cubefold_fft_export_wisdom(cubefold_comm comm, const char* file) {
  return guarded("cubefold_fft_export_wisdom", [&] {
    const VirtualComm& virtual_comm = cubefold::mpi::valid(comm);
    std::string name;
    cubefold::mpi::collective_try(virtual_comm.virtual_comm(), [&] { name = valid_name(file); });
    export_wisdom(virtual_comm, name);
  });
}

int cubefold_fft_import_wisdom(cubefold_comm comm, const char* file) {
  return guarded("cubefold_fft_import_wisdom", [&] {
    const VirtualComm& virtual_comm = cubefold::mpi::valid(comm);
    std::string name;
    cubefold::mpi::collective_try(virtual_comm.virtual_comm(), [&] { name = valid_name(file); });
    import_wisdom(virtual_comm, name);
  });
}
