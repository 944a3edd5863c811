// What a projection promises, on random unrestricted trees with random solids and surfaces.

#include "octavo/pressure/projection.h"

#include <gtest/gtest.h>

#include "octavo/operators/divergence.h"
#include "support/pressure_problem.h"

namespace octavo {
namespace {

using test::PressureProblem;

template <class D>
class ProjectionTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(ProjectionTest, test::Dims);

// Random problems with no force in them: known pressures are zero, solids at rest.
template <int Dim, class F>
void for_passive_problems(int count, F&& f) {
  test::for_random_problems<Dim, double>(
      count, [&](PressureProblem<Dim, double>& p, std::uint64_t seed) {
        p.solid_velocity.resize(0);
        p.surface_pressure.resize(0);
        for (const PressureScheme scheme : test::main_schemes()) {
          SCOPED_TRACE(test::describe(scheme));
          f(p, scheme, seed);
        }
      });
}

ProjectionOptions options(PressureScheme scheme, double relative) {
  return {.time_step = 1, .scheme = scheme, .stop = {.relative = relative}};
}

template <int Dim>
FaceField<double> project(const PressureProblem<Dim, double>& p, PressureScheme scheme,
                          const FaceField<double>& before, double relative = 1e-10) {
  FaceField<double> u = before;
  LeafField<double> pressure(p.mesh);
  const PressureReport report = Projection<Dim, double>().project(
      p.mesh, p.boundary(), options(scheme, relative), u, pressure);
  EXPECT_TRUE(report.converged()) << report.sentence();
  return u;
}

// sum W u v over the faces on which a pressure acts, W = area * distance.
template <int Dim>
double dot_product(const PressureFaces<Dim, double>& faces, const FaceField<double>& u,
                   const FaceField<double>& v) {
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const FaceLink l = faces.link(FaceId(i));
    if (l.kind == FaceLink::pair || l.kind == FaceLink::surface)
      sum += l.area * l.distance * u[FaceId(i)] * v[FaceId(i)];
  }
  return sum;
}

FaceField<double> difference(const FaceField<double>& u, const FaceField<double>& v) {
  FaceField<double> d = u;
  for (std::size_t i = 0; i < d.size(); ++i) d[FaceId(i)] -= v[FaceId(i)];
  return d;
}

TYPED_TEST(ProjectionTest, OnceIsEnough) {
  constexpr int Dim = TestFixture::dim;
  for_passive_problems<Dim>(
      60, [](const PressureProblem<Dim, double>& p, PressureScheme scheme, std::uint64_t seed) {
        const auto faces = p.faces(scheme);
        const auto before = test::random_velocity(p, seed);
        const auto once = project(p, scheme, before, 1e-11);
        const auto twice = project(p, scheme, once);
        const auto change = difference(twice, once);
        ASSERT_LE(std::sqrt(dot_product(faces, change, change)),
                  1e-10 * std::sqrt(dot_product(faces, before, before)));
      });
}

// The divergence of every liquid leaf, counted here from the fluxes of its faces.
TYPED_TEST(ProjectionTest, RemovesDivergenceFromEveryLiquidLeaf) {
  constexpr int Dim = TestFixture::dim;
  for_passive_problems<Dim>(50, [](const PressureProblem<Dim, double>& p, PressureScheme scheme,
                                   std::uint64_t seed) {
    for (const double relative : {1e-4, 1e-6, 1e-10}) {
      const auto before = test::random_velocity(p, seed);
      FaceField<double> u = before;
      LeafField<double> pressure(p.mesh);
      const PressureReport report = Projection<Dim, double>().project(
          p.mesh, p.boundary(), options(scheme, relative), u, pressure);
      ASSERT_TRUE(report.converged());
      const MeshView<Dim> m = p.mesh.view();
      double worst_before = 0, worst_after = 0;
      for (std::size_t i = 0; i < m.leaf_count(); ++i) {
        const LeafId leaf(i);
        if (!p.boundary().is_liquid(leaf)) {
          ASSERT_EQ(pressure[leaf], 0);
          continue;
        }
        auto divergence_of = [&](const FaceField<double>& v) {
          double sum = 0;
          for (int side = 0; side < side_count<Dim>; ++side)
            for (const FaceId f : m.faces(leaf, side))
              sum += (side % 2 == 1 ? 1 : -1) * m.area(f) * p.boundary().open_fraction(f) * v[f];
          return std::abs(sum) / std::pow(m.tree.size(leaf), Dim);
        };
        worst_before = std::max(worst_before, divergence_of(before));
        worst_after = std::max(worst_after, divergence_of(u));
        const double rounding = 1e-14 / m.tree.size(leaf);
        ASSERT_LE(divergence_of(u), 1.01 * relative * report.history.divergence[0] + rounding)
            << "leaf " << i;
      }
      ASSERT_NEAR(report.divergence_before, worst_before, 1e-12 * worst_before);
      ASSERT_NEAR(report.divergence_after, worst_after, 1e-13 * worst_before);
    }
  });
}

// Velocities 1e60 times smaller or larger, beyond the range of a float, give the same iterations.
TYPED_TEST(ProjectionTest, UnitsDoNotMatter) {
  constexpr int Dim = TestFixture::dim;
  const Random random(3);
  PressureProblem<Dim, double> p(Octree<Dim>::build({}, [=](const Leaf<Dim>& l) {
    return l.level < 3 || (l.level < 5 && test::cell_noise(random, l) < 0.3);
  }));
  const FaceField<double> before = test::random_velocity(p, 1);
  for (const Preconditioner preconditioner :
       {Preconditioner::multigrid, Preconditioner::mic0, Preconditioner::diagonal}) {
    SCOPED_TRACE(name(preconditioner));
    auto iterations = [&](double unit) {
      FaceField<double> u = before;
      for (std::size_t i = 0; i < u.size(); ++i) u[FaceId(i)] *= unit;
      LeafField<double> pressure(p.mesh);
      const PressureReport r = Projection<Dim, double>().project(
          p.mesh, p.boundary(), {1, 1, {}, preconditioner, {.relative = 1e-8}}, u, pressure);
      EXPECT_TRUE(r.converged()) << r.sentence();
      return r.iterations;
    };
    const int usual = iterations(1);
    EXPECT_GT(usual, 3);
    EXPECT_EQ(iterations(0x1p-200), usual);
    EXPECT_EQ(iterations(0x1p200), usual);
  }
}

// What is taken away is orthogonal to what is left, so that energy never grows.
TYPED_TEST(ProjectionTest, OrthogonalInTheNormOfTheScheme) {
  constexpr int Dim = TestFixture::dim;
  for_passive_problems<Dim>(
      60, [](const PressureProblem<Dim, double>& p, PressureScheme scheme, std::uint64_t seed) {
        if (scheme.scheme == GradientScheme::losasso06) return;
        const auto faces = p.faces(scheme);
        FaceField<double> before = test::random_velocity(p, seed);
        if (scheme.shares_velocity()) share_velocity(faces, before.view());
        const auto after = project(p, scheme, before);
        const double energy = dot_product(faces, before, before);
        ASSERT_NEAR(dot_product(faces, after, difference(before, after)), 0, 1e-9 * energy);
        ASSERT_LE(dot_product(faces, after, after), (1 + 1e-10) * energy);
      });
}

// losasso06s leaves one velocity on all faces that share one, and finds the same from the shared field;
// the other schemes leave many.
TYPED_TEST(ProjectionTest, SharesVelocities) {
  constexpr int Dim = TestFixture::dim;
  std::size_t equal = 0, different = 0;
  for_passive_problems<Dim>(40, [&](const PressureProblem<Dim, double>& p, PressureScheme scheme,
                                    std::uint64_t seed) {
    const auto group =
        test::shared_groups(p.faces({GradientScheme::losasso06s, {}, SurfaceRows::ghost_fluid}));
    const auto before = test::random_velocity(p, seed);
    FaceField<double> shared = before;
    share_velocity(p.faces(scheme), shared.view());
    const auto after = project(p, scheme, before), same = project(p, scheme, shared);
    for (std::size_t i = 0; i < after.size(); ++i) {
      const FaceId f(i), first = group[i];
      if (first == f) continue;
      if (scheme.shares_velocity()) {
        ASSERT_EQ(after[f], after[first]);
        ASSERT_NEAR(after[f], same[f], 1e-8);
        ++equal;
      } else if (after[f] != after[first]) {
        ++different;
      }
    }
  });
  EXPECT_GT(equal, 1000u);
  EXPECT_GT(different, 1000u);
}

// Which faces are left alone: those in air and at closed walls; those inside solids move with them.
TYPED_TEST(ProjectionTest, TouchesOnlyWhatThePressureActsOn) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_problems<Dim, double>(
      100, [](const PressureProblem<Dim, double>& p, std::uint64_t seed) {
        const PressureScheme scheme{GradientScheme::losasso04, {}};
        const auto faces = p.faces(scheme);
        const Random random(seed);
        const auto before = p.face_field([&](FaceId f) { return random.uniform(f) - 0.5; });
        const auto after = project(p, scheme, before, 1e-4);
        for (std::size_t i = 0; i < before.size(); ++i) {
          const FaceId f(i);
          const FaceLink::Kind kind = faces.link(f).kind;
          if (faces.boundary.open_fraction(f) == 0) {
            ASSERT_EQ(after[f], faces.boundary.solid_speed(f));
          } else if (kind == FaceLink::none || kind == FaceLink::closed) {
            ASSERT_EQ(after[f], before[f]);
          }
        }
      });
}

// Seen from a moving frame, everything is the same: a velocity added to fluid, solids and walls
// comes back, and the pressure does not change.
TYPED_TEST(ProjectionTest, TheSameInAMovingFrame) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_problems<Dim, double>(
      60, [](PressureProblem<Dim, double>& p, std::uint64_t seed) {
        const MeshView<Dim> m = p.mesh.view();
        test::open_every_face(p);
        p.wall.fill(Wall::closed);
        if (p.open_area.empty())
          p.on_faces(p.open_area, [](FaceId f) { return f % 3 == 0 ? 0.3 : 1; });
        p.on_faces(p.solid_velocity, [&](FaceId f) { return m.is_wall(f) ? 0 : 0.2 * (f % 5); });
        for (const PressureScheme scheme : test::main_schemes()) {
          SCOPED_TRACE(test::describe(scheme));
          FaceField<double> u = test::random_velocity(p, seed), v = u;
          const Buffer<double> solid = p.solid_velocity;
          LeafField<double> pressure(p.mesh), same(p.mesh);
          const auto first = Projection<Dim, double>().project(p.mesh, p.boundary(),
                                                               options(scheme, 1e-10), u, pressure);
          for (std::size_t i = 0; i < v.size(); ++i) {
            v[FaceId(i)] += 3 - m.axis(FaceId(i));
            p.solid_velocity[i] += 3 - m.axis(FaceId(i));
          }
          const auto second = Projection<Dim, double>().project(p.mesh, p.boundary(),
                                                                options(scheme, 1e-10), v, same);
          p.solid_velocity = solid;
          ASSERT_TRUE(first.converged() && second.converged());
          double largest = 0;
          for (std::size_t i = 0; i < pressure.size(); ++i)
            largest = std::max(largest, std::abs(pressure[LeafId(i)]));
          for (std::size_t i = 0; i < pressure.size(); ++i)
            ASSERT_NEAR(pressure[LeafId(i)], same[LeafId(i)], 1e-5 * largest);
          for (std::size_t i = 0; i < v.size(); ++i) {
            if (p.faces(scheme).link(FaceId(i)).kind == FaceLink::none) continue;
            ASSERT_NEAR(v[FaceId(i)] - (3 - m.axis(FaceId(i))), u[FaceId(i)], 1e-5);
          }
        }
      });
}

// p = rho / dt q: twice the density or half the step doubles the pressure and moves nothing else.
TYPED_TEST(ProjectionTest, PressureScalesWithDensityOverTimeStep) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, double> p(test::random_tree<Dim>(4));
  p.wall[0] = Wall::open;
  auto solve = [&](double dt, double rho, FaceField<double>& u) {
    LeafField<double> pressure(p.mesh);
    u = test::random_velocity(p, 4);
    ProjectionOptions scaled = options({}, 1e-10);
    scaled.time_step = dt;
    scaled.density = rho;
    Projection<Dim, double>().project(p.mesh, p.boundary(), scaled, u, pressure);
    return pressure;
  };
  FaceField<double> u, v;
  const auto pressure = solve(1, 1, u), large = solve(0.01, 1000, v);
  for (std::size_t i = 0; i < pressure.size(); ++i)
    ASSERT_NEAR(large[LeafId(i)], 1e5 * pressure[LeafId(i)], 1e-10 * std::abs(large[LeafId(i)]));
  for (std::size_t i = 0; i < u.size(); ++i) ASSERT_NEAR(u[FaceId(i)], v[FaceId(i)], 1e-12);
}

// A box that is open all around can have any divergence.
TYPED_TEST(ProjectionTest, GivesTheDivergenceThatIsWanted) {
  constexpr int Dim = TestFixture::dim;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Octree<Dim> tree = test::random_tree<Dim>(seed);
    const Mesh<Dim> mesh(tree);
    FlowBoundary<Dim, double> boundary;
    boundary.wall.fill(Wall::open);
    const Random random(seed);
    FaceField<double> u(mesh);
    for (std::size_t i = 0; i < u.size(); ++i) u[FaceId(i)] = random.uniform(i, 1) - 0.5;
    LeafField<double> wanted(mesh), pressure(mesh), found;
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[LeafId(i)] = random.uniform(i, 2) - 0.5;
    const PressureReport report = Projection<Dim, double>().project(
        mesh, boundary, options({}, 1e-10), u, pressure, std::as_const(wanted).view());
    ASSERT_TRUE(report.converged()) << report.sentence();
    divergence<Dim, double>(mesh, boundary, u, found);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      ASSERT_NEAR(found[LeafId(i)], wanted[LeafId(i)],
                  1e-9 * std::max(1.0, report.divergence_before));
    EXPECT_LE(report.divergence_after, 1e-9 * std::max(1.0, report.divergence_before));
  }
}

TYPED_TEST(ProjectionTest, RefusesAWantedDivergenceOfAnotherMesh) {
  constexpr int Dim = TestFixture::dim;
  const Octree<Dim> tree = test::random_tree<Dim>(3);
  const Mesh<Dim> mesh(tree);
  FaceField<double> u(mesh);
  LeafField<double> pressure(mesh);
  const std::vector<double> wanted(mesh.leaf_count() + 1);
  EXPECT_THROW((Projection<Dim, double>().project(mesh, {}, options({}, 1e-6), u, pressure,
                                                  {wanted.data(), wanted.size()})),
               InputError);
}

}  // namespace
}  // namespace octavo
