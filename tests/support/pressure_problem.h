#pragma once

// Meshes with what bounds a fluid on them, and the pressure operator by its slow route: face by face,
// as operators/pressure_gradient.h states it, with nothing but a loop over faces.

#include <cmath>
#include <string>
#include <vector>

#include "octavo/mesh/field.h"
#include "octavo/operators/divergence.h"
#include "octavo/operators/pressure_gradient.h"
#include "support/random_tree.h"

namespace octavo::test {

// A mesh and its boundary, which may be changed at will before boundary() is asked for.
template <int Dim, class Real>
struct PressureProblem {
  Octree<Dim> tree;
  Mesh<Dim> mesh;
  std::array<Wall, static_cast<std::size_t>(side_count<Dim>)> wall{};
  Buffer<Real> open_area, solid_velocity, level_set, surface_pressure;
  Vec<Dim> gravity{};

  explicit PressureProblem(Octree<Dim> t) : tree(std::move(t)), mesh(tree) {}
  PressureProblem(const PressureProblem&) = delete;
  PressureProblem& operator=(const PressureProblem&) = delete;

  FlowBoundary<Dim, Real> boundary() const {
    return {
        wall,   open_area.view(), solid_velocity.view(), level_set.view(), surface_pressure.view(),
        gravity};
  }
  PressureFaces<Dim, Real> faces(PressureScheme scheme) const {
    return {mesh.view(), boundary(), scheme};
  }

  // Sets a buffer to f(FaceId), or to f(LeafId), everywhere.
  template <class F>
  void on_faces(Buffer<Real>& values, F&& f) const {
    values.resize(mesh.face_count());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Real>(f(FaceId(i)));
  }
  template <class F>
  void on_leaves(Buffer<Real>& values, F&& f) const {
    values.resize(mesh.leaf_count());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Real>(f(LeafId(i)));
  }
  template <class F>
  FaceField<Real> face_field(F&& f) const {
    FaceField<Real> field(mesh);
    for (std::size_t i = 0; i < field.size(); ++i)
      field[FaceId(i)] = static_cast<Real>(f(FaceId(i)));
    return field;
  }
};

// Whether a leaf has an equation: it is liquid, and not all covered by solids.
template <int Dim, class Real>
bool holds_liquid(const PressureFaces<Dim, Real>& faces, LeafId leaf) {
  if (!faces.is_liquid(leaf)) return false;
  for (int side = 0; side < side_count<Dim>; ++side)
    for (const FaceId f : faces.mesh.faces(leaf, side))
      if (faces.boundary.open_fraction(f) > 0) return true;
  return false;
}

// What a random boundary has: solids in half of the cases, a surface in half, any wall open or not.
// Open areas are 0, 1 or between; a level set is noise, with zeros and surfaces very close to a
// centre among it.
template <int Dim, class Real>
void set_random_boundary(PressureProblem<Dim, Real>& p, std::uint64_t seed) {
  const Random random(seed * 31 + 5);
  for (std::uint32_t s = 0; s < side_count<Dim>; ++s)
    p.wall[s] = random.uniform(s, 0, 1) < 0.25 ? Wall::open : Wall::closed;
  if (random.below(2, 0, 2) == 1) {
    p.on_faces(p.open_area, [&](FaceId f) {
      const int kind = random.below(4, f, 0, 3);
      return kind == 0 ? 0.0 : kind == 1 ? 0.01 + 0.98 * random.uniform(f, 0, 4) : 1.0;
    });
    p.on_faces(p.solid_velocity, [&](FaceId f) { return random.uniform(f, 0, 5) - 0.5; });
  }
  if (random.below(2, 1, 2) == 1) {
    p.on_leaves(p.level_set, [&](LeafId leaf) {
      const int kind = random.below(12, leaf, 0, 6);
      const double h = p.tree.view().size(leaf), noise = random.uniform(leaf, 0, 7) - 0.65;
      return kind == 0 ? 0.0 : kind == 1 ? -1e-5 * h : noise * h;
    });
    p.on_leaves(p.surface_pressure, [&](LeafId leaf) { return random.uniform(leaf, 0, 8) - 0.5; });
  }
}

// Leaves no face closed altogether, so that the fluid is one piece, or pieces that touch air.
template <int Dim, class Real>
void open_every_face(PressureProblem<Dim, Real>& p) {
  for (Real& w : p.open_area) w = std::max(w, static_cast<Real>(0.05));
}

// A velocity that is noise on every face but closed walls.
template <int Dim, class Real>
FaceField<Real> random_velocity(const PressureProblem<Dim, Real>& p, std::uint64_t seed) {
  const Random random(seed * 17 + 3);
  const MeshView<Dim> m = p.mesh.view();
  return p.face_field([&](FaceId f) {
    if (m.is_wall(f)) {
      const int side = 2 * m.axis(f) + (m.face_leaf[f].high.is_none() ? 1 : 0);
      if (p.wall[static_cast<std::size_t>(side)] == Wall::closed) return 0.0;
    }
    return 2 * random.uniform(f) - 1;
  });
}

// With sanitizers there are a third of the random problems.
constexpr int problem_count(int count) { return sanitized ? (count + 2) / 3 : count; }

// Calls f(problem, seed) for random trees with random boundaries, and says which one fails.
template <int Dim, class Real, class F>
void for_random_problems(int count, F&& f, double size = 150) {
  for (int i = 0; i < problem_count(count); ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    SCOPED_TRACE("random problem " + std::to_string(i));
    PressureProblem<Dim, Real> problem(random_tree<Dim>(seed, size));
    set_random_boundary(problem, seed);
    f(problem, seed);
    if (::testing::Test::HasFailure()) return;
  }
}

inline std::string describe(PressureScheme s) {
  return std::string(name(s.scheme)) +
         (s.whole_faces() ? ", " + std::string(name(s.surface_rows)) + " at the surface"
                          : " with distance " + std::string(name(s.delta)));
}

// All schemes that work face by face, losasso04 with each of its distances.
inline std::vector<PressureScheme> all_schemes() {
  std::vector<PressureScheme> all{{GradientScheme::losasso06, {}, SurfaceRows::ghost_fluid},
                                  {GradientScheme::losasso06s, {}, SurfaceRows::ghost_fluid}};
  for (int d = 0; d < 4; ++d)
    all.push_back({GradientScheme::losasso04, static_cast<GradientDistance>(d)});
  return all;
}

// The three of them, losasso04 with the distance along the normal.
inline std::vector<PressureScheme> main_schemes() {
  return {{GradientScheme::losasso04, {}},
          {GradientScheme::losasso06, {}, SurfaceRows::ghost_fluid},
          {GradientScheme::losasso06s, {}, SurfaceRows::ghost_fluid}};
}

// Those that have rows at the surface.
inline std::vector<PressureScheme> cut_row_schemes() {
  return {{GradientScheme::losasso06s, {}, SurfaceRows::secant},
          {GradientScheme::losasso06s, {}, SurfaceRows::clamped},
          {GradientScheme::losasso06, {}, SurfaceRows::secant}};
}

// The faces that share_velocity() gives one velocity, each group by its first face: group[f] is that
// face, or f itself. Found out by sharing noise.
template <int Dim, class Real>
std::vector<FaceId> shared_groups(const PressureFaces<Dim, Real>& faces) {
  std::vector<FaceId> group(faces.mesh.face_count());
  Buffer<Real> noise(group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    group[i] = FaceId(i);
    noise[i] = static_cast<Real>(Random(99).uniform(i));
  }
  share_velocity(faces, noise.view());
  for (std::size_t i = 0; i < group.size(); ++i)
    if (faces.begins_large_face(FaceId(i)))
      for (const FaceId f : faces.large_face_from(FaceId(i)))
        for (const FaceId g : faces.large_face_from(FaceId(i)))
          if (g < f && group[f] == f && noise[g] == noise[f]) group[f] = g;
  return group;
}

// Calls visit(face, link, gradient) for all faces of the mesh.
template <int Dim, class Real, class Pressure, class Visit>
void for_all_gradients(const PressureFaces<Dim, Real>& faces, double scale, Pressure&& pressure,
                       Visit&& visit) {
  for (std::size_t i = 0; i < faces.mesh.face_count(); ++i)
    if (faces.begins_large_face(FaceId(i)))
      for_each_gradient(faces, FaceId(i), scale, pressure, visit);
}

// A q over leaves: what flows out of every liquid leaf down the gradient of q.
template <int Dim, class Real>
std::vector<double> slow_apply(const PressureFaces<Dim, Real>& faces,
                               const std::vector<double>& q) {
  std::vector<double> out(q.size(), 0.0);
  for_all_gradients(
      faces, 0.0, [&](LeafId leaf) { return q[leaf]; },
      [&](FaceId face, const FaceLink& l, double gradient) {
        if (l.kind != FaceLink::pair && l.kind != FaceLink::surface) return;
        const auto [low, high] = faces.mesh.face_leaf[face];
        if (l.kind == FaceLink::pair || l.liquid_is_low) out[low] -= l.area * gradient;
        if (l.kind == FaceLink::pair || !l.liquid_is_low) out[high] += l.area * gradient;
      });
  return out;
}

// Of every leaf, the sum of area / distance over its faces: the size of its row of the matrix.
// `surfaces_only` leaves out faces between liquid leaves.
template <int Dim, class Real>
std::vector<double> row_sizes(const PressureFaces<Dim, Real>& faces, bool surfaces_only = false) {
  std::vector<double> size(faces.mesh.leaf_count(), 0.0);
  for (std::size_t i = 0; i < faces.mesh.face_count(); ++i) {
    const FaceLink l = faces.link(FaceId(i));
    const auto [low, high] = faces.mesh.face_leaf[i];
    if (l.kind == FaceLink::pair && !surfaces_only) {
      size[low] += l.area / l.distance;
      size[high] += l.area / l.distance;
    }
    if (l.kind == FaceLink::surface) size[l.liquid_is_low ? low : high] += l.area / l.distance;
  }
  return size;
}

}  // namespace octavo::test
