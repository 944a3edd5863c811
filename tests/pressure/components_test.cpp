// Closed parts of the fluid: found, counted, and each left with the divergence that is forced upon it.

#include "octavo/pressure/components.h"

#include <gtest/gtest.h>

#include "octavo/operators/divergence.h"
#include "octavo/pressure/projection.h"
#include "support/pressure_problem.h"

namespace octavo {
namespace {

using test::PressureProblem;

template <class D>
class ComponentsTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(ComponentsTest, test::Dims);

// The parts of the fluid by flooding: for each leaf the number of its part, -1 in air and inside of
// solids, and whether a part is closed.
struct Parts {
  std::vector<int> of_leaf;
  std::vector<bool> closed;

  std::size_t closed_count() const {
    return static_cast<std::size_t>(std::count(closed.begin(), closed.end(), true));
  }
};

template <int Dim, class Real>
Parts flood(const PressureFaces<Dim, Real>& faces) {
  const MeshView<Dim>& m = faces.mesh;
  Parts parts{std::vector<int>(m.leaf_count(), -1), {}};
  for (std::size_t start = 0; start < m.leaf_count(); ++start) {
    if (parts.of_leaf[start] >= 0 || !test::holds_liquid(faces, LeafId(start))) continue;
    const int part = static_cast<int>(parts.closed.size());
    bool closed = true;
    std::vector<LeafId> waiting{LeafId(start)};
    parts.of_leaf[start] = part;
    while (!waiting.empty()) {
      const LeafId leaf = waiting.back();
      waiting.pop_back();
      for (int side = 0; side < side_count<Dim>; ++side)
        for (const FaceId f : m.faces(leaf, side)) {
          const FaceLink l = faces.link(f);
          if (l.kind == FaceLink::surface) closed = false;
          if (l.kind != FaceLink::pair) continue;
          for (const LeafId other : {m.face_leaf[f].low, m.face_leaf[f].high})
            if (parts.of_leaf[other] < 0) {
              parts.of_leaf[other] = part;
              waiting.push_back(other);
            }
        }
    }
    parts.closed.push_back(closed);
  }
  return parts;
}

// Mean over each closed part of value(leaf), per volume.
template <int Dim, class Value>
std::vector<double> means(const MeshView<Dim>& mesh, const Parts& parts, Value&& value) {
  std::vector<double> sum(parts.closed.size(), 0.0), total(parts.closed.size(), 0.0);
  for (std::size_t i = 0; i < parts.of_leaf.size(); ++i)
    if (parts.of_leaf[i] >= 0) {
      const auto part = static_cast<std::size_t>(parts.of_leaf[i]);
      sum[part] += value(LeafId(i));
      total[part] += volume(mesh, LeafId(i));
    }
  for (std::size_t c = 0; c < sum.size(); ++c) sum[c] = parts.closed[c] ? sum[c] / total[c] : 0.0;
  return sum;
}

// Projects, and compares all that is said of closed parts with what flooding finds: their number,
// the divergence forced upon each, that it is left evenly, and that pressures have zero mean.
template <int Dim>
void expect_forced_divergence(const PressureProblem<Dim, double>& p, PressureScheme scheme,
                              const FaceField<double>& before) {
  const auto faces = p.faces(scheme);
  const MeshView<Dim> m = p.mesh.view();
  const Parts parts = flood(faces);
  const auto forced = means(m, parts, [&](LeafId leaf) {
    return outflow<Dim, double>(m, p.boundary(), before.view(), leaf);
  });
  double largest = 0;
  for (const double f : forced) largest = std::max(largest, std::abs(f));

  FaceField<double> u = before;
  LeafField<double> pressure(p.mesh);
  const PressureReport r = Projection<Dim, double>().project(
      p.mesh, p.boundary(), {1, 1, scheme, {}, {.relative = 1e-8}}, u, pressure);
  ASSERT_EQ(r.closed_components, parts.closed_count());
  ASSERT_TRUE(r.converged()) << r.sentence();
  ASSERT_NEAR(r.forced_divergence, largest, 1e-11 * r.divergence_before);
  // As asked for: 1e-8 of what was there before, surface pressures included.
  const double tolerance = 1.5e-8 * std::max(r.history.divergence.front(), r.divergence_before);
  double highest = 0;
  for (std::size_t i = 0; i < m.leaf_count(); ++i) {
    if (parts.of_leaf[i] < 0) continue;
    const double left =
        outflow<Dim, double>(m, p.boundary(), u.view(), LeafId(i)) / volume(m, LeafId(i));
    ASSERT_NEAR(left, forced[static_cast<std::size_t>(parts.of_leaf[i])], tolerance)
        << "leaf " << i;
    highest = std::max(highest, std::abs(pressure[LeafId(i)]));
  }
  for (const double mean : means(m, parts, [&](LeafId l) { return pressure[l] * volume(m, l); }))
    ASSERT_NEAR(mean, 0, 1e-12 * highest);
}

TYPED_TEST(ComponentsTest, RandomProblemsWithMovingSolids) {
  constexpr int Dim = TestFixture::dim;
  std::size_t closed = 0;
  test::for_random_problems<Dim, double>(
      100, [&](PressureProblem<Dim, double>& p, std::uint64_t seed) {
        const Random random(seed);
        for (std::size_t i = 0; i < p.open_area.size(); ++i)
          if (random.uniform(i, 9) < (Dim == 2 ? 0.4 : 0.6)) p.open_area[i] = 0;
        closed += flood(p.faces({})).closed_count();
        std::vector<PressureScheme> schemes = test::main_schemes();
        schemes.push_back({GradientScheme::losasso06s, {}, SurfaceRows::secant});
        for (const PressureScheme scheme : schemes) {
          SCOPED_TRACE(test::describe(scheme));
          expect_forced_divergence(p, scheme, test::random_velocity(p, seed));
        }
      });
  EXPECT_GT(closed, static_cast<std::size_t>(test::problem_count(150)));
}

// Boxes of one to four root cells along each axis, half of the faces closed: the number of parts alone,
// without a solution.
TYPED_TEST(ComponentsTest, BoxesOfSeveralRootCells) {
  constexpr int Dim = TestFixture::dim;
  Projection<Dim, double> projection;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Random random(seed);
    Domain<Dim> domain;
    for (int a = 0; a < Dim; ++a)
      domain.roots[a] = 1 + random.below(4, 1, static_cast<std::uint32_t>(a));
    PressureProblem<Dim, double> p(Octree<Dim>::build(domain, [&](const Leaf<Dim>& l) {
      return l.level < 3 && test::cell_noise(random, l) < 0.25;
    }));
    p.on_faces(p.open_area,
               [&](FaceId f) { return random.uniform(f, 2) < (Dim == 2 ? 0.5 : 0.7) ? 0 : 1; });
    const PressureScheme scheme{GradientScheme::losasso04, {}};
    FaceField<double> u = test::random_velocity(p, seed);
    LeafField<double> pressure(p.mesh);
    const PressureReport r = projection.project(
        p.mesh, p.boundary(), {1, 1, scheme, {}, {.max_iterations = 0}}, u, pressure);
    ASSERT_EQ(r.closed_components, flood(p.faces(scheme)).closed_count());
  }
}

// Three chambers behind walls of no thickness, each with its own inflow, and nowhere to go.
TYPED_TEST(ComponentsTest, ChambersWithInflow) {
  constexpr int Dim = TestFixture::dim;
  const Random random(5);
  PressureProblem<Dim, double> p(Octree<Dim>::build({}, [=](const Leaf<Dim>& l) {
    return l.level < 2 || (l.level < 5 && test::cell_noise(random, l) < 0.3);
  }));
  const MeshView<Dim> m = p.mesh.view();
  p.on_faces(p.open_area, [&](FaceId f) {
    const double x = m.center(f)[0];
    return m.axis(f) == 0 && (x == 0.25 || x == 0.75) ? 0 : 1;
  });
  // Through the floor, downward: 0.5 m/s in the first chamber, up 0.1 in the second, none in the third.
  FaceField<double> u = test::random_velocity(p, 1);
  for (std::size_t i = 0; i < u.size(); ++i) {
    const FaceId f(i);
    const double x = m.center(f)[0];
    if (m.axis(f) == Dim - 1 && m.face_leaf[f].low.is_none())
      u[f] = x < 0.25 ? -0.5 : x < 0.75 ? 0.1 : 0;
  }
  for (const PressureScheme scheme : test::main_schemes()) {
    SCOPED_TRACE(test::describe(scheme));
    EXPECT_EQ(flood(p.faces(scheme)).closed_count(), 3u);
    expect_forced_divergence(p, scheme, u);
  }
  LeafField<double> pressure(p.mesh);
  const PressureReport r =
      Projection<Dim, double>().project(p.mesh, p.boundary(), {1, 1, {}, {}, {}}, u, pressure);
  EXPECT_NEAR(r.forced_divergence, 0.5, 1e-12);  // 0.5 m/s out of a chamber one metre high
  EXPECT_EQ(r.closed_components, 3u);
}

// Leaves cut off one by one, or two by two, by solids that squeeze them.
TYPED_TEST(ComponentsTest, Pockets) {
  constexpr int Dim = TestFixture::dim;
  for (const std::uint64_t seed : {2u, 4u, 7u}) {
    SCOPED_TRACE(seed);
    PressureProblem<Dim, double> p(test::random_tree<Dim>(seed));
    const MeshView<Dim> m = p.mesh.view();
    // Leaves 3, 10, 17 ... alone; 5 and 6, 12 and 13, ... together, if they are neighbours.
    auto pocket = [](LeafId leaf) {
      return leaf.is_none() || leaf % 7 < 3 || leaf % 7 == 4 ? 0 : 1 + leaf / 7 * 2 + leaf % 7 / 5;
    };
    p.on_faces(p.open_area, [&](FaceId f) {
      return pocket(m.face_leaf[f].low) == pocket(m.face_leaf[f].high) ? 1 : 0;
    });
    for (const bool moving : {false, true}) {
      SCOPED_TRACE(moving ? "moving" : "at rest");
      p.on_faces(p.solid_velocity, [&](FaceId f) { return moving && f % 2 == 0 ? 0.3 : 0.0; });
      EXPECT_GT(flood(p.faces({})).closed_count(), p.mesh.leaf_count() / 40);
      for (const PressureScheme scheme : test::main_schemes())
        expect_forced_divergence(p, scheme, test::random_velocity(p, 1));
    }
  }
}

// Dead-end slots between plates that all end at one large leaf: what a piston pushes out of one of
// them has to come out of that slot, not out of all.
TYPED_TEST(ComponentsTest, SlotsThatEndAtALargeLeaf) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, double> p(Octree<Dim>::build(
      {}, [](const Leaf<Dim>& l) { return l.level < 1 || (l.level < 3 && l.center[0] < 0.5); }));
  const MeshView<Dim> m = p.mesh.view();
  p.on_faces(p.open_area, [&](FaceId f) {
    return m.center(f)[0] < 0.5 && (m.axis(f) == 1 || m.is_wall(f)) ? 0 : 1;
  });
  p.wall[1] = Wall::open;
  const auto u = test::random_velocity(p, 1);
  for (const bool pistons : {false, true})
    for (const PressureScheme scheme : test::main_schemes()) {
      SCOPED_TRACE(test::describe(scheme) + (pistons ? " with pistons" : ""));
      p.on_faces(p.solid_velocity, [&](FaceId f) {
        return pistons && m.is_wall(f) && m.axis(f) == 0 && m.center(f)[1] < 0.3 ? 0.2 : 0.0;
      });
      expect_forced_divergence(p, scheme, u);
    }
}

}  // namespace
}  // namespace octavo
