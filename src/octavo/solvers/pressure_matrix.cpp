#include "octavo/solvers/pressure_matrix.h"

#include <bit>
#include <numeric>

namespace octavo {
namespace {

// What is known of one family once those below it are: for every side of every member the open
// fraction and whether there is a cell of its own size, and the surface terms.
template <int Dim, class Real>
struct FamilyFaces {
  static constexpr int width = child_count<Dim>;
  Real open[side_count<Dim>][width];
  std::uint8_t beside[side_count<Dim>];       // members with a cell of their own size there,
  std::uint8_t beside_leaf[side_count<Dim>];  // with a leaf of their own size
  double dirichlet[width];                    // in units of h^(Dim-2)
  std::uint8_t leaves, active;                // liquid leaves; cells with liquid in them
  bool all_open;
  std::uint64_t joints;
};

}  // namespace

template <int Dim, class Real>
struct PressureMatrix<Dim, Real>::Builder {
  PressureFaces<Dim, Real> faces;
  FamiliesView<Dim> families;
  View<float> side_fraction, dirichlet;
  View<std::uint8_t> active;  // of every family: members with liquid

  bool is_active(Cell c) const {
    if (c.is_outside()) return false;
    return c.is_leaf() ? faces.boundary.is_liquid(c.leaf()) : active[c.branch()] != 0;
  }
  float fraction_of(Cell branch, int side) const {
    return side_fraction[std::size_t{branch.branch()} * side_count<Dim> +
                         static_cast<std::size_t>(side)];
  }

  // A leaf's side: the open fraction of a face to a leaf that is not smaller, and what surfaces
  // add.
  template <bool Plain>
  Real measure_leaf(LeafId leaf, int side, bool beside, double& surface_terms) const {
    const MeshView<Dim>& mesh = faces.mesh;
    if (Plain && beside) return Real{1};
    const FaceRange range = mesh.faces(leaf, side);
    double open = 0;
    for (const FaceId face : range) {
      const FaceLink l = faces.link(face);
      if (l.kind == FaceLink::surface)
        surface_terms += l.area / l.distance / full_coefficient(mesh.tree.size(leaf));
      else if (l.kind == FaceLink::pair)
        open = l.area / mesh.area(face);
    }
    return static_cast<Real>(open);
  }

  template <bool Plain>
  FamilyFaces<Dim, Real> measure(FamilyId family) const {
    FamilyFaces<Dim, Real> r{};
    Cell own[width];
    for (int digit = 0; digit < width; ++digit) {
      own[digit] = families.member(family, digit);
      const bool wet = is_active(own[digit]);
      if (wet) r.active = static_cast<std::uint8_t>(r.active | 1u << digit);
      if (wet && own[digit].is_leaf()) r.leaves = static_cast<std::uint8_t>(r.leaves | 1u << digit);
      if (own[digit].is_branch())
        r.dirichlet[digit] = static_cast<double>(dirichlet[own[digit].branch()]);
    }
    r.all_open = true;
    for (int side = 0; side < side_count<Dim>; ++side) {
      const FamilyId next = families.neighbor_of(family, side);
      for (int digit = 0; digit < width; ++digit) {
        if (((r.active >> digit) & 1) == 0) continue;
        const bool outer = FamiliesView<Dim>::is_outer(digit, side);
        const int other = FamiliesView<Dim>::across(digit, side);
        Cell across = Cell::outside();
        if (!outer)
          across = own[other];
        else if (next != families.nothing)
          across = families.member(next, other);
        const Real open = measure_side<Plain>(own[digit], across, side, r.dirichlet[digit]);
        r.open[side][digit] = open;
        if (across.is_outside()) continue;
        const auto bit = static_cast<std::uint8_t>(1u << digit);
        r.beside[side] = static_cast<std::uint8_t>(r.beside[side] | bit);
        if (across.is_leaf())
          r.beside_leaf[side] = static_cast<std::uint8_t>(r.beside_leaf[side] | bit);
        else if (own[digit].is_leaf() && open > 0)
          r.joints |= std::uint64_t{1} << (digit * side_count<Dim> + side);
        if (open != Real{1} && is_active(across)) r.all_open = false;
      }
    }
    return r;
  }

  template <bool Plain>
  Real measure_side(Cell own, Cell across, int side, double& surface_terms) const {
    if (own.is_branch()) return static_cast<Real>(fraction_of(own, side));
    if (across.is_branch()) {
      if (!Plain && faces.boundary.has_surface())
        (void)measure_leaf<Plain>(own.leaf(), side, true, surface_terms);
      return static_cast<Real>(fraction_of(across, side ^ 1));
    }
    return measure_leaf<Plain>(own.leaf(), side, across.is_leaf(), surface_terms);
  }

  // The mean over the members that touch a side of the family.
  float mean_on_side(const FamilyFaces<Dim, Real>& r, int side) const {
    float sum = 0;
    for (int digit = 0; digit < width; ++digit)
      if (FamiliesView<Dim>::is_outer(digit, side)) sum += static_cast<float>(r.open[side][digit]);
    return sum / static_cast<float>(side_child_count<Dim>);
  }
};

template <int Dim, class Real>
template <bool Plain>
void PressureMatrix<Dim, Real>::measure_level(const Builder& builder, const FamilyLevel& level) {
  const View<std::uint8_t> leaves = leaves_.view();
  const View<double> diagonal = diagonal_.view();
  const View<float> coarse = coarse_diagonal_.view();
  const View<std::uint32_t> block = block_.view();
  const View<std::uint64_t> joints = joint_mask_.view();
  parallel_for("measure faces", level.end - level.begin, [=](std::size_t i) {
    const FamilyId family(level.begin + i);
    const FamilyFaces<Dim, Real> r = builder.template measure<Plain>(family);
    leaves[family] = r.leaves;
    builder.active[family] = r.active;
    joints[family] = r.joints;
    block[family] = r.all_open ? MatrixView::no_block : 0;
    double surface_terms = 0;
    for (int digit = 0; digit < width; ++digit) {
      const PlaceId place = FamiliesView<Dim>::place(family, digit);
      double all = r.dirichlet[digit], fine = r.dirichlet[digit];
      for (int side = 0; side < side_count<Dim>; ++side) {
        const auto open = static_cast<double>(r.open[side][digit]);
        if ((r.beside[side] >> digit) & 1) all += open;
        if ((r.beside_leaf[side] >> digit) & 1) fine += open;
      }
      coarse[place] = (r.active >> digit) & 1 ? static_cast<float>(all) : 0.0f;
      diagonal[place] = (r.leaves >> digit) & 1 ? fine : 0.0;
      surface_terms += r.dirichlet[digit];
    }
    // Known pressures are half as far away, in sizes, from the centre of a cell twice as large.
    builder.dirichlet[family] = static_cast<float>(surface_terms / (Dim == 2 ? 2 : 4));
    for (int side = 0; side < side_count<Dim>; ++side)
      builder
          .side_fraction[std::size_t{family} * side_count<Dim> + static_cast<std::size_t>(side)] =
          builder.mean_on_side(r, side);
  });
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::build(const Mesh<Dim>& mesh,
                                      const FlowBoundary<Dim, Real>& boundary,
                                      PressureScheme scheme) {
  const MeshView<Dim> m = mesh.view();
  boundary.check(m);
  families_.build(mesh);
  const FamiliesView<Dim> families = families_.view();
  const std::size_t count = families.family_count() + 1, places = count * width;
  leaves_.resize(count);
  diagonal_.resize(places);
  coarse_diagonal_.resize(places);
  block_.resize(count);
  side_fraction_.resize(count * side_count<Dim>);
  dirichlet_.resize(count);
  joint_mask_.resize(count);
  Buffer<std::uint8_t> active(count);

  const Builder builder{
      {m, boundary, scheme}, families, side_fraction_.view(), dirichlet_.view(), active.view()};
  const bool plain = !boundary.has_solids() && !boundary.has_surface();
  const auto& levels = families_.levels();
  for (auto level = levels.rbegin(); level != levels.rend(); ++level)
    plain ? measure_level<true>(builder, *level) : measure_level<false>(builder, *level);

  // The family that stands for nothing.
  leaves_[count - 1] = 0;
  block_[count - 1] = MatrixView::no_block;
  joint_mask_[count - 1] = 0;
  for (std::size_t p = places - width; p < places; ++p) {
    diagonal_[p] = 0;
    coarse_diagonal_[p] = 0;
  }
  has_dirichlet_ = dirichlet_[levels.front().begin] > 0;

  fill_blocks(builder);
  joints_.build(builder.faces, families_, joint_mask_.view(), side_fraction_.view());
  const View<const std::uint8_t> leaves = leaves_.view();
  liquid_leaves_ = parallel_reduce(
      "count liquid leaves", count, std::size_t{0},
      [=](std::size_t f) { return static_cast<std::size_t>(std::popcount(leaves[f])); },
      std::plus<>());
}

// Numbers the families that are not all open, and stores their fractions.
template <int Dim, class Real>
void PressureMatrix<Dim, Real>::fill_blocks(const Builder& builder) {
  const std::size_t count = block_.size();
  std::vector<std::vector<std::uint32_t>> parts(block_count(count));
  const View<std::uint32_t> block = block_.view();
  parallel_blocks("list blocks", count, [&](std::size_t b, std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f)
      if (block[f] != MatrixView::no_block) parts[b].push_back(static_cast<std::uint32_t>(f));
  });
  Buffer<std::uint32_t> list;
  concatenate("list blocks", parts, list);
  fraction_.resize(list.size() * MatrixView::block_size);
  const View<Real> fraction = fraction_.view();
  const View<const std::uint32_t> families = list.view();
  parallel_for("fill blocks", list.size(), [=](std::size_t i) {
    const FamilyId family(families[i]);
    block[family] = static_cast<std::uint32_t>(i);
    const FamilyFaces<Dim, Real> r = builder.template measure<false>(family);
    Real* out = &fraction[i * MatrixView::block_size];
    for (int axis = 0; axis < Dim; ++axis)
      for (int digit = 0; digit < width; ++digit) {
        const int outer = 2 * axis + ((digit >> axis) & 1), inner = outer ^ 1;
        out[(2 * axis) * width + digit] = r.open[inner][digit];
        out[(2 * axis + 1) * width + digit] =
            (r.beside[outer] >> digit) & 1 ? r.open[outer][digit] : Real{0};
      }
  });
}

namespace {

// sum_j c_ij q_j over the members' siblings and cousins of their own size.
template <int Dim, class Real>
void add_neighbors(const PressureMatrixView<Dim, Real>& m, const Real* q, std::size_t family,
                   double* sum) {
  constexpr int width = child_count<Dim>;
  const Real* own = q + family * width;
  const std::uint32_t block = m.block[family];
  const bool open = block == m.no_block;
  const Real* fraction = open ? nullptr : &m.fraction[std::size_t{block} * m.block_size];
  for (int axis = 0; axis < Dim; ++axis) {
    const Real* low =
        q +
        std::size_t{
            m.families.neighbor[family * side_count<Dim> + static_cast<std::size_t>(2 * axis)]} *
            width;
    const Real* high =
        q + std::size_t{m.families.neighbor[family * side_count<Dim> +
                                            static_cast<std::size_t>(2 * axis + 1)]} *
                width;
    for (int digit = 0; digit < width; ++digit) {
      const int other = digit ^ (1 << axis);
      const Real* outside = (digit >> axis) & 1 ? high : low;
      const auto inner = static_cast<double>(own[other]);
      const auto outer = static_cast<double>(outside[other]);
      sum[digit] += open
                        ? inner + outer
                        : static_cast<double>(fraction[(2 * axis) * width + digit]) * inner +
                              static_cast<double>(fraction[(2 * axis + 1) * width + digit]) * outer;
    }
  }
}

}  // namespace

template <int Dim, class Real>
double PressureMatrix<Dim, Real>::apply(View<const Real> q, View<double> out) {
  const MatrixView m = view();
  double energy = 0;
  for (const FamilyLevel& level : families_.levels()) {
    if (level.depth < 0) continue;
    const double scale = full_coefficient(level.size);
    energy += parallel_reduce(
        "apply pressure matrix", level.end - level.begin, 0.0,
        [=](std::size_t i) {
          const std::size_t family = level.begin + i;
          double* y = &out[family * width];
          double sum[width] = {}, dot = 0;
          if (m.leaves[family] != 0) add_neighbors(m, q.data(), family, sum);
          for (int digit = 0; digit < width; ++digit) {
            const std::size_t place = family * width + static_cast<std::size_t>(digit);
            const auto own = static_cast<double>(q[place]);
            const double value = (m.leaves[family] >> digit) & 1
                                     ? scale * (m.diagonal[place] * own - sum[digit])
                                     : 0.0;
            y[digit] = value;
            dot += own * value;
          }
          return dot;
        },
        std::plus<>());
  }
  if (joints_.empty()) return energy;

  return energy + apply_joints(q, out);
}

// Through large faces: first what flows, then into the smaller leaves, then out of the larger one.
template <int Dim, class Real>
double PressureMatrix<Dim, Real>::apply_joints(View<const Real> q, View<double> out) {
  const MatrixView m = view();
  const JointsView<Dim, Real> joints = joints_.view();
  joint_flow_.resize(joints.count());
  const View<double> flow = joint_flow_.view();
  const double energy = parallel_sum("flow through joints", joints.count(), [=](std::size_t j) {
    const auto large = static_cast<double>(q[joints.joint[j].large]);
    double sum = 0, squares = 0;
    for (const JointMember<Real>& member : joints.members(j)) {
      const auto small = static_cast<double>(q[member.place]);
      sum += static_cast<double>(member.weight) * small;
      squares += static_cast<double>(member.weight) * small * small;
    }
    const double rise = joints.weight[j] * large - sum;
    flow[j] = joints.whole_faces ? joints.gamma[j] * rise : rise;
    return joints.whole_faces ? flow[j] * rise : large * (rise - sum) + squares;
  });
  parallel_for("flow into small leaves", joints.row_count(), [=](std::size_t r) {
    const PlaceId place = joints.row[r].place;
    if (((m.leaves[place.value / width] >> (place.value % width)) & 1) == 0) return;
    double in = 0;
    for (const JointEntry<Real>& e : joints.entries(r))
      in += static_cast<double>(e.weight) *
            (joints.whole_faces ? flow[e.joint]
                                : static_cast<double>(q[joints.joint[e.joint].large]) -
                                      static_cast<double>(q[place]));
    out[place] -= in;
  });
  for_each_large_leaf("flow out of large leaves", joints, 0, joints.count(),
                      [=](PlaceId large, std::size_t begin, std::size_t end) {
                        for (std::size_t j = begin; j < end; ++j)
                          out[large] += joints.whole_faces ? joints.weight[j] * flow[j] : flow[j];
                      });
  return energy;
}

template <int Dim, class Real>
void PressureMatrix<Dim, Real>::full_diagonal(View<double> out) const {
  const MatrixView m = view();
  const JointsView<Dim, Real> joints = joints_.view();
  for (const FamilyLevel& level : families_.levels()) {
    const double scale = full_coefficient(level.size);
    parallel_for("diagonal", (level.end - level.begin) * width, [=](std::size_t i) {
      const std::size_t place = level.begin * width + i;
      out[place] = scale * m.diagonal[place];
    });
  }
  if (joints_.empty()) return;
  parallel_for("diagonal of small leaves", joints.row_count(), [=](std::size_t r) {
    const PlaceId place = joints.row[r].place;
    if (((m.leaves[place.value / width] >> (place.value % width)) & 1) == 0) return;
    for (const JointEntry<Real>& e : joints.entries(r)) {
      const auto w = static_cast<double>(e.weight);
      out[place] += joints.whole_faces ? joints.gamma[e.joint] * w * w : w;
    }
  });
  for_each_large_leaf("diagonal of large leaves", joints, 0, joints.count(),
                      [=](PlaceId large, std::size_t begin, std::size_t end) {
                        for (std::size_t j = begin; j < end; ++j) {
                          const double w = joints.weight[j];
                          out[large] += joints.whole_faces ? joints.gamma[j] * w * w : w;
                        }
                      });
}

template <int Dim, class Real>
PressureMatrixView<Dim, Real> PressureMatrix<Dim, Real>::view() const {
  return {families_.view(),        leaves_.view(), diagonal_.view(),
          coarse_diagonal_.view(), block_.view(),  fraction_.view()};
}

template <int Dim, class Real>
std::size_t PressureMatrix<Dim, Real>::bytes() const {
  return families_.bytes() + joints_.bytes() + leaves_.bytes() + diagonal_.bytes() +
         coarse_diagonal_.bytes() + block_.bytes() + fraction_.bytes() + side_fraction_.bytes() +
         dirichlet_.bytes() + joint_mask_.bytes() + joint_flow_.bytes();
}

template class PressureMatrix<2, float>;
template class PressureMatrix<3, float>;
template class PressureMatrix<2, double>;
template class PressureMatrix<3, double>;

}  // namespace octavo
