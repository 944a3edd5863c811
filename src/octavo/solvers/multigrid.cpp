#include "octavo/solvers/multigrid.h"

#include "octavo/solvers/family_lanes.h"

namespace octavo {
namespace {

constexpr float over_relaxation = 1.15f;
constexpr float joint_damping = 0.5f;  // of the diagonal term; 1 would be safe without neighbours
constexpr std::size_t family_block = 512;

// What a kernel needs to know of a level.
template <int Dim, class Real>
struct LevelView {
  static constexpr std::size_t width = child_count<Dim>;
  PressureMatrixView<Dim, Real> matrix;
  const float* inverse_diagonal;
  float* x;
  float* b;
  float full, scale;  // h^(Dim-2), and its inverse

  // b + sum of neighbours, in units of h^(Dim-2).
  FamilyLanes<Dim> pull(std::size_t family) const {
    const std::uint32_t block = matrix.block[family];
    const Real* fraction = block == matrix.no_block
                               ? nullptr
                               : &matrix.fraction[std::size_t{block} * matrix.block_size];
    FamilyLanes<Dim> s = sum_neighbors<Dim, Real>(
        x, &matrix.families.neighbor[family * side_count<Dim>], family, fraction);
    for (int p = 0; p < register_count<Dim>; ++p)
      s.part[p] += all_lanes(scale) * load_lanes(b + at(family, p));
    return s;
  }
  static std::size_t at(std::size_t family, int part) {
    return family * width + 4 * static_cast<std::size_t>(part);
  }

  void relax(std::size_t family, const FamilyLanes<Dim>& color) const {
    const FamilyLanes<Dim> s = pull(family);
    for (int p = 0; p < register_count<Dim>; ++p) {
      const std::size_t i = at(family, p);
      const Lanes old = load_lanes(x + i);
      store_lanes(x + i,
                  old + color.part[p] * (s.part[p] * load_lanes(inverse_diagonal + i) - old));
    }
  }

  void start(std::size_t family, const FamilyLanes<Dim>& color) const {
    for (int p = 0; p < register_count<Dim>; ++p) {
      const std::size_t i = at(family, p);
      store_lanes(x + i, color.part[p] * all_lanes(scale) * load_lanes(b + i) *
                             load_lanes(inverse_diagonal + i));
    }
  }

  // The sum of the members' residuals.
  float residual(std::size_t family) const {
    const FamilyLanes<Dim> s = pull(family);
    float sum = 0;
    for (int p = 0; p < register_count<Dim>; ++p) {
      const std::size_t i = at(family, p);
      const Lanes inverse = load_lanes(inverse_diagonal + i);
      sum +=
          sum_lanes(where_positive(inverse, (s.part[p] * inverse - load_lanes(x + i)) / inverse));
    }
    return full * sum;
  }
};

template <int Dim, class Real>
LevelView<Dim, Real> level_view(const PressureMatrix<Dim, Real>& matrix, const FamilyLevel& level,
                                const Buffer<float>& inverse_diagonal, Buffer<float>& x,
                                Buffer<float>& b) {
  const double full = matrix.full_coefficient(level.size);
  return {matrix.view(), inverse_diagonal.data(),  x.data(),
          b.data(),      static_cast<float>(full), static_cast<float>(1 / full)};
}

}  // namespace

template <int Dim, class Real>
void Multigrid<Dim, Real>::build(const PressureMatrix<Dim, Real>& matrix) {
  matrix_ = &matrix;
  const auto m = matrix.view();
  const JointsView<Dim, Real> joints = matrix.joints().view();
  const std::size_t places = matrix.place_count();
  x_.resize(places);
  b_.resize(places);
  inverse_diagonal_.resize(places);
  flow_.resize(joints.count());
  flow_so_far_.resize(joints.count());
  rise_.resize(joints.count());
  row_diagonal_.resize(joints.row_count());
  row_b_.resize(joints.row_count());
  for (std::size_t p = places - width; p < places; ++p) x_[p] = b_[p] = 0;

  const View<float> inverse = inverse_diagonal_.view(), row_diagonal = row_diagonal_.view();
  parallel_for("copy diagonal", places, [=](std::size_t p) { inverse[p] = m.coarse_diagonal[p]; });
  for (const FamilyLevel& level : matrix.families().levels()) {
    const auto [begin, end] = matrix.joints().rows_of_depth(level.depth);
    const auto scale = static_cast<float>(1 / matrix.full_coefficient(level.size));
    parallel_for("diagonal of joints", end - begin, [=, begin = begin](std::size_t i) {
      const std::size_t r = begin + i;
      float sum = 0;
      for (const JointEntry<Real>& e : joints.entries(r)) {
        const auto w = static_cast<float>(e.weight);
        sum += joints.whole_faces ? joint_damping * w *
                                        static_cast<float>(joints.gamma_at(e.joint, level.depth) *
                                                           joints.weight[e.joint])
                                  : w;
      }
      row_diagonal[r] = sum;
      inverse[joints.row[r].place] += scale * sum;
    });
  }
  parallel_for("invert diagonal", places,
               [=](std::size_t p) { inverse[p] = inverse[p] > 0 ? 1.0f / inverse[p] : 0.0f; });
}

template <int Dim, class Real>
int Multigrid<Dim, Real>::sweeps(std::size_t level) const {
  // Levels that hold few of the cells get more, which costs little.
  const FamilyLevel& l = matrix_->families().levels()[level];
  if (level == 0) return 8;
  return 4 * (l.end - l.begin) * width <= matrix_->place_count() ? 3 : 2;
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::apply(View<const double> r) {
  const View<float> b = b_.view(), so_far = flow_so_far_.view();
  parallel_for("copy residual", r.size(), [=](std::size_t p) { b[p] = static_cast<float>(r[p]); });
  parallel_for("no flow yet", so_far.size(), [=](std::size_t j) { so_far[j] = 0; });
  const std::size_t levels = matrix_->families().levels().size();
  for (std::size_t l = levels; l-- > 0;) descend(l);
  for (std::size_t l = 0; l < levels; ++l) ascend(l);
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::descend(std::size_t level) {
  meet_joints_downward(level);
  relax(level, false, true);
  leave_joints_downward(level);
  if (level > 0) restrict_residual(level);
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::ascend(std::size_t level) {
  if (level > 0) prolong(level);
  meet_joints_upward(level);
  relax(level, true, false);
  leave_joints_upward(level);
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::relax(std::size_t level, bool upward, bool from_zero) {
  const FamilyLevel& l = matrix_->families().levels()[level];
  const auto view = level_view<Dim, Real>(*matrix_, l, inverse_diagonal_, x_, b_);
  for (int half = 0; half < 2 * sweeps(level); ++half) {
    const bool red = (half % 2 == 0) != upward, start = from_zero && half == 0;
    const FamilyLanes<Dim> color = color_lanes<Dim>(red, over_relaxation);
    parallel_blocks(
        start ? "relax from zero" : "relax", l.end - l.begin,
        [&](std::size_t, std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; ++i)
            start ? view.start(l.begin + i, color) : view.relax(l.begin + i, color);
        },
        family_block);
  }
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::restrict_residual(std::size_t level) {
  const FamilyLevel& l = matrix_->families().levels()[level];
  const auto view = level_view<Dim, Real>(*matrix_, l, inverse_diagonal_, x_, b_);
  parallel_blocks(
      "restrict residual", l.end - l.begin,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t f = l.begin + begin; f < l.begin + end; ++f)
          view.b[view.matrix.families.parent[f]] = view.residual(f);
      },
      family_block);
}

template <int Dim, class Real>
void Multigrid<Dim, Real>::prolong(std::size_t level) {
  const FamilyLevel& l = matrix_->families().levels()[level];
  const auto view = level_view<Dim, Real>(*matrix_, l, inverse_diagonal_, x_, b_);
  parallel_blocks(
      "prolong correction", l.end - l.begin,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t f = l.begin + begin; f < l.begin + end; ++f) {
          const Lanes above = all_lanes(view.x[view.matrix.families.parent[f]]);
          for (int p = 0; p < register_count<Dim>; ++p) {
            const std::size_t i = view.at(f, p);
            store_lanes(view.x + i,
                        load_lanes(view.x + i) +
                            where_positive(load_lanes(view.inverse_diagonal + i), above));
          }
        }
      },
      family_block);
}

// Flow that deeper levels have found enters the leaves of this one.
template <int Dim, class Real>
void Multigrid<Dim, Real>::meet_joints_downward(std::size_t level) {
  const int depth = matrix_->families().levels()[level].depth;
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const auto leaves = matrix_->view().leaves;
  const View<float> b = b_.view();
  const View<const float> so_far = flow_so_far_.view();
  const auto [begin, end] = matrix_->joints().rows_of_depth(depth);
  if (joints.whole_faces)
    parallel_for("flow into leaves", end - begin, [=, begin = begin](std::size_t i) {
      const PlaceId place = joints.row[begin + i].place;
      if (((leaves[place.value / width] >> (place.value % width)) & 1) == 0) return;
      for (const JointEntry<Real>& e : joints.entries(begin + i))
        b[place] += static_cast<float>(e.weight) * so_far[e.joint];
    });
  const auto [first, last] = matrix_->joints().of_depth(depth);
  for_each_large_leaf("flow out of leaves", joints, first, last,
                      [=](PlaceId large, std::size_t j, std::size_t j_end) {
                        for (; j < j_end; ++j)
                          b[large] -= joints.whole_faces
                                          ? static_cast<float>(joints.weight[j]) * so_far[j]
                                          : so_far[j];
                      });
}

// The flow that this level's correction causes, and what it does to this level's residual.
template <int Dim, class Real>
void Multigrid<Dim, Real>::leave_joints_downward(std::size_t level) {
  const int depth = matrix_->families().levels()[level].depth;
  const auto [begin, end] = matrix_->joints().rows_of_depth(depth);
  if (begin == end) return;
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const View<float> b = b_.view(), so_far = flow_so_far_.view(), flow = flow_.view();
  const View<float> row_b = row_b_.view();
  const View<const float> x = x_.view(), row_diagonal = row_diagonal_.view();
  parallel_for("flow at joints", matrix_->joints().of_depth(depth).first, [=](std::size_t j) {
    const auto members = joints.members(j, depth);
    if (members.size() == 0) return;
    float sum = 0;
    for (const auto& member : members) sum += static_cast<float>(member.weight) * x[member.place];
    flow[j] = joints.whole_faces ? -static_cast<float>(joints.gamma_at(j, depth)) * sum : -sum;
    so_far[j] += flow[j];
  });
  parallel_for("flow into cells", end - begin, [=, begin = begin](std::size_t i) {
    const std::size_t r = begin + i;
    const PlaceId place = joints.row[r].place;
    float in = 0;
    for (const JointEntry<Real>& e : joints.entries(r))
      in += static_cast<float>(e.weight) * (joints.whole_faces ? flow[e.joint] : -x[place]);
    row_b[r] = b[place];
    // The diagonal term stands for the flow while relaxing; here the flow itself is known.
    b[place] += in + row_diagonal[r] * x[place];
  });
}

// With the larger leaves' corrections known, the flow is put into the right-hand side.
template <int Dim, class Real>
void Multigrid<Dim, Real>::meet_joints_upward(std::size_t level) {
  const int depth = matrix_->families().levels()[level].depth;
  const auto [begin, end] = matrix_->joints().rows_of_depth(depth);
  if (begin == end) return;
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const View<float> b = b_.view(), flow = flow_.view();
  const View<const float> x = x_.view(), row_b = row_b_.view(), rise = rise_.view(),
                          row_diagonal = row_diagonal_.view();
  parallel_for("flow at joints", matrix_->joints().of_depth(depth).first, [=](std::size_t j) {
    const auto members = joints.members(j, depth);
    if (members.size() == 0) return;
    float sum = 0;
    for (const auto& member : members) sum += static_cast<float>(member.weight) * x[member.place];
    if (joints.whole_faces)
      flow[j] = static_cast<float>(joints.gamma_at(j, depth)) * (rise[j] - sum);
  });
  parallel_for("flow into cells", end - begin, [=, begin = begin](std::size_t i) {
    const std::size_t r = begin + i;
    const PlaceId place = joints.row[r].place;
    float in = 0;
    for (const JointEntry<Real>& e : joints.entries(r))
      in += static_cast<float>(e.weight) *
            (joints.whole_faces ? flow[e.joint] : rise[e.joint] - x[place]);
    b[place] = row_b[r] + in + row_diagonal[r] * x[place];
  });
}

// Leaves of this level have their final correction.
template <int Dim, class Real>
void Multigrid<Dim, Real>::leave_joints_upward(std::size_t level) {
  const int depth = matrix_->families().levels()[level].depth;
  if (depth < 0 || matrix_->joints().empty()) return;
  const JointsView<Dim, Real> joints = matrix_->joints().view();
  const auto leaves = matrix_->view().leaves;
  const View<float> rise = rise_.view();
  const View<const float> x = x_.view();
  const auto [first, last] = matrix_->joints().of_depth(depth);
  parallel_for("pressure of large leaves", last - first, [=, first = first](std::size_t i) {
    const std::size_t j = first + i;
    rise[j] = x[joints.joint[j].large] *
              (joints.whole_faces ? static_cast<float>(joints.weight[j]) : 1.0f);
  });
  if (!joints.whole_faces) return;
  parallel_for("pressure of small leaves", first, [=](std::size_t j) {
    if (joints.members(j, depth + 1).size() == 0) return;
    for (const auto& member : joints.members(j, depth))
      if ((leaves[member.place.value / width] >> (member.place.value % width)) & 1)
        rise[j] -= static_cast<float>(member.weight) * x[member.place];
  });
}

template <int Dim, class Real>
std::size_t Multigrid<Dim, Real>::bytes() const {
  return x_.bytes() + b_.bytes() + inverse_diagonal_.bytes() + flow_.bytes() +
         flow_so_far_.bytes() + rise_.bytes() + row_diagonal_.bytes() + row_b_.bytes();
}

template class Multigrid<2, float>;
template class Multigrid<3, float>;
template class Multigrid<2, double>;
template class Multigrid<3, double>;

}  // namespace octavo
