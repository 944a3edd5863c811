// Still water stays still: gravity pulls for one time step, and the pressure has to undo all of it, on
// random unrestricted trees. Around the surface, which is flat and cuts leaves anywhere, leaves have
// one size; elsewhere sizes jump.

#include <gtest/gtest.h>

#include "octavo/pressure/projection.h"
#include "support/pressure_problem.h"

namespace octavo {
namespace {

using test::PressureProblem;

template <class D>
class HydrostaticTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(HydrostaticTest, test::Dims);

constexpr double gravity = 9.81, time_step = 0.02, density = 1000;

// A tank of water up to a random height along the last axis.
template <int Dim>
struct Tank {
  Domain<Dim> domain;
  double height = 0;
  Octree<Dim> tree;

  explicit Tank(std::uint64_t seed) {
    const Random random(seed);
    for (int a = 0; a < Dim; ++a) {
      const auto axis = static_cast<std::uint32_t>(a);
      domain.origin[a] = random.uniform(1, axis) - 0.5;
      domain.roots[a] = 1 + random.below(2, 2, axis);
    }
    domain.root_size = 0.5 + random.uniform(3);
    height = (0.4 + 0.3 * random.uniform(4)) * domain.box().size()[Dim - 1];
    const int band = Dim == 2 ? 5 : 4;
    tree = Octree<Dim>::build(domain, [&](const Leaf<Dim>& l) {
      const double d = std::abs(depth(l.center));
      if (l.level < band && d < 3 * l.size) return true;
      if (d < 3 * domain.size(band)) return false;
      return l.level < band + 2 &&
             (l.level == 0 || test::cell_noise(random, l) < (Dim == 2 ? 0.3 : 0.12));
    });
  }
  double depth(const Vec<Dim>& x) const {  // below the surface
    return domain.origin[Dim - 1] + height - x[Dim - 1];
  }
};

// The largest velocity left, in units of g dt; and that pressures are rho g depth above that of the
// air, to a height of `error`.
template <int Dim, class Real>
double velocity_left(const Tank<Dim>& tank, GradientScheme scheme, double relative,
                     double error = 1e300, double air = 0) {
  PressureProblem<Dim, Real> p(tank.tree);
  const MeshView<Dim> m = p.mesh.view();
  p.on_leaves(p.level_set, [&](LeafId l) { return -tank.depth(m.tree.center(l)); });
  if (air != 0) p.on_leaves(p.surface_pressure, [&](LeafId) { return air; });
  FaceField<Real> u = p.face_field(
      [&](FaceId f) { return m.axis(f) == Dim - 1 && !m.is_wall(f) ? -gravity * time_step : 0.0; });
  LeafField<Real> pressure(p.mesh);
  const ProjectionOptions options{.time_step = time_step,
                                  .density = density,
                                  .scheme = {scheme, {}},
                                  .stop = {.relative = relative}};
  const PressureReport report =
      Projection<Dim, Real>().project(p.mesh, p.boundary(), options, u, pressure);
  EXPECT_TRUE(report.converged()) << report.sentence();
  double largest = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    if (p.faces({}).link(FaceId(i)).kind != FaceLink::none)
      largest = std::max(largest, std::abs(static_cast<double>(u[FaceId(i)])));
  for (std::size_t i = 0; i < pressure.size(); ++i) {
    const double depth = tank.depth(m.tree.center(LeafId(i)));
    EXPECT_NEAR(static_cast<double>(pressure[LeafId(i)]),
                depth > 0 ? air + density * gravity * depth : 0, error * density * gravity);
    if (::testing::Test::HasFailure()) break;
  }
  return largest / (gravity * time_step);
}

TYPED_TEST(HydrostaticTest, StillWaterStaysStill) {
  constexpr int Dim = TestFixture::dim;
  double worst = 0;
  for (std::uint64_t seed = 0; seed < (Dim == 2 ? 20 : 8); ++seed) {
    SCOPED_TRACE("tank " + std::to_string(seed));
    const Tank<Dim> tank(seed);
    for (const auto scheme : {GradientScheme::losasso06, GradientScheme::losasso06s}) {
      const double left = velocity_left<Dim, double>(tank, scheme, 1e-12, 1e-9);
      ASSERT_LE(left, 1e-9) << name(scheme);
      worst = std::max(worst, left);
    }
  }
  printf("  the largest velocity left is %.1e g dt\n", worst);
}

// The same under an atmosphere, which pushes everywhere alike.
TYPED_TEST(HydrostaticTest, StillWaterStaysStillUnderAir) {
  constexpr int Dim = TestFixture::dim;
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    EXPECT_LE((velocity_left<Dim, double>(Tank<Dim>(seed), GradientScheme::losasso06s, 1e-13, 1e-8,
                                          101325)),
              1e-8);
}

TYPED_TEST(HydrostaticTest, StillWaterStaysStillInFloat) {
  constexpr int Dim = TestFixture::dim;
  for (std::uint64_t seed = 0; seed < (Dim == 2 ? 10 : 4); ++seed) {
    SCOPED_TRACE("tank " + std::to_string(seed));
    ASSERT_LE((velocity_left<Dim, float>(Tank<Dim>(seed), GradientScheme::losasso06s, 1e-6)), 1e-4);
  }
}

// The test above can fail: losasso04 makes still water move wherever sizes change.
TYPED_TEST(HydrostaticTest, Losasso04MovesStillWater) {
  constexpr int Dim = TestFixture::dim;
  double least = 1e300;
  for (std::uint64_t seed = 0; seed < (Dim == 2 ? 10 : 4); ++seed)
    least = std::min(least,
                     velocity_left<Dim, double>(Tank<Dim>(seed), GradientScheme::losasso04, 1e-8));
  EXPECT_GT(least, 0.3);
  printf("  losasso04 leaves at least %.2f g dt\n", least);
}

}  // namespace
}  // namespace octavo
