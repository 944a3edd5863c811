// Order of accuracy under a free surface: a ball of liquid in air, the pressure at its surface known.
// The velocity given is the gradient of a smooth pressure, as means over the faces; the projection has
// to find that pressure.

#include <gtest/gtest.h>

#include "octavo/pressure/projection.h"
#include "support/pressure_problem.h"
#include "support/refinement.h"

namespace octavo {
namespace {

using test::PressureProblem;

template <class D>
class FreeSurfaceTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(FreeSurfaceTest, test::Dims);

template <int Dim>
struct Ball {
  static double distance(const Vec<Dim>& x) {
    Vec<Dim> r = x;
    for (int a = 0; a < Dim; ++a) r[a] -= 0.47 + 0.05 * a;
    return length(r) - 0.33;
  }
  static double factor(int axis, double x) {
    return axis == 0 ? std::sin(3 * x + 0.4) : axis == 1 ? std::cos(2.5 * x) : std::exp(0.8 * x);
  }
  static double slope(int axis, double x) {
    return axis == 0   ? 3 * std::cos(3 * x + 0.4)
           : axis == 1 ? -2.5 * std::sin(2.5 * x)
                       : 0.8 * std::exp(0.8 * x);
  }
  static double pressure(const Vec<Dim>& x) {
    double p = 1;
    for (int a = 0; a < Dim; ++a) p *= factor(a, x[a]);
    return p;
  }
  static double gradient(const Vec<Dim>& x, int axis) {
    double g = slope(axis, x[axis]);
    for (int a = 0; a < Dim; ++a)
      if (a != axis) g *= factor(a, x[a]);
    return g;
  }
};

// Leaves of one size around the surface; patches a quarter as large inside.
template <int Dim>
Octree<Dim> band_tree() {
  const Random random(3);
  return Octree<Dim>::build({}, [=](const Leaf<Dim>& l) {
    const double d = Ball<Dim>::distance(l.center);
    if (l.level < 4) return l.level < 2 || d < 2.5 * l.size;
    return l.level < 6 && d < -2.5 / 16 && (l.level > 4 || test::cell_noise(random, l) < 0.3);
  });
}

// Leaves four times (3D: twice) as large on one side of a plane through the ball, and patches elsewhere: the
// surface crosses many changes of size.
template <int Dim>
Octree<Dim> crossed_tree() {
  const Random random(4);
  const int coarsest = Dim == 2 ? 4 : 3;
  return Octree<Dim>::build({}, [=](const Leaf<Dim>& l) {
    if (l.level < coarsest) return true;
    return l.level < coarsest + (Dim == 2 ? 2 : 1) &&
           (l.center[1] < 0.5 || test::cell_noise(random, l) < 0.3);
  });
}

struct SurfaceErrors {
  std::size_t leaves;
  double mean = 0, largest = 0;
};

template <int Dim>
SurfaceErrors measure(const Octree<Dim>& tree, GradientScheme scheme) {
  PressureProblem<Dim, double> p(tree);
  const MeshView<Dim> m = p.mesh.view();
  p.on_leaves(p.level_set, [&](LeafId l) { return Ball<Dim>::distance(m.tree.center(l)); });
  p.on_leaves(p.surface_pressure, [&](LeafId l) { return Ball<Dim>::pressure(m.tree.center(l)); });
  FaceField<double> u = p.face_field([&](FaceId f) {
    const int a = m.axis(f);
    return test::face_mean(m.center(f), m.size(f), a,
                           [a](const Vec<Dim>& x) { return Ball<Dim>::gradient(x, a); });
  });
  LeafField<double> pressure(p.mesh);
  const ProjectionOptions options{
      .time_step = 1, .scheme = {scheme, {}}, .stop = {.relative = 1e-9}};
  const PressureReport report =
      Projection<Dim, double>().project(p.mesh, p.boundary(), options, u, pressure);
  EXPECT_TRUE(report.converged()) << report.sentence();
  EXPECT_EQ(report.closed_components, 0u);

  SurfaceErrors e{.leaves = report.liquid_leaves};
  double volume = 0;
  for (std::size_t i = 0; i < pressure.size(); ++i) {
    const LeafId leaf(i);
    if (!p.faces(options.scheme).is_liquid(leaf)) continue;
    const double error = std::abs(pressure[leaf] - Ball<Dim>::pressure(m.tree.center(leaf)));
    e.mean += error * std::pow(m.tree.size(leaf), Dim);
    e.largest = std::max(e.largest, error);
    volume += std::pow(m.tree.size(leaf), Dim);
  }
  e.mean /= volume;
  return e;
}

template <int Dim>
std::vector<SurfaceErrors> measure_all(const Octree<Dim>& tree, GradientScheme scheme,
                                       int refinements = Dim == 2 ? 4 : 2) {
  const auto errors = test::refine_and_measure(
      tree, refinements, [=](const Octree<Dim>& t) { return measure<Dim>(t, scheme); });
  for (const SurfaceErrors& e : errors)
    printf("  %-10s %6zu liquid leaves: %.2e mean, %.2e largest\n",
           std::string(name(scheme)).c_str(), e.leaves, e.mean, e.largest);
  printf("  orders %.2f %.2f\n", test::mean_order(errors, &SurfaceErrors::mean),
         test::mean_order(errors, &SurfaceErrors::largest));
  return errors;
}

TYPED_TEST(FreeSurfaceTest, SecondOrderWithOneSizeAroundTheSurface) {
  constexpr int Dim = TestFixture::dim;
  for (const auto scheme : {GradientScheme::losasso06, GradientScheme::losasso06s}) {
    const auto e = measure_all(band_tree<Dim>(), scheme);
    EXPECT_GE(test::mean_order(e, &SurfaceErrors::mean), 1.8);
    EXPECT_GE(test::mean_order(e, &SurfaceErrors::largest), 1.6);
  }
}

TYPED_TEST(FreeSurfaceTest, SecondOrderWhereSizesChangeAtTheSurface) {
  constexpr int Dim = TestFixture::dim;
  const auto e = measure_all(crossed_tree<Dim>(), GradientScheme::losasso06s);
  EXPECT_GE(test::mean_order(e, &SurfaceErrors::mean), 1.8);
}

// The tests above can fail.
TYPED_TEST(FreeSurfaceTest, Losasso04IsOfFirstOrder) {
  constexpr int Dim = TestFixture::dim;
  const auto e = measure_all(crossed_tree<Dim>(), GradientScheme::losasso04, 2);
  EXPECT_LE(test::mean_order(e, &SurfaceErrors::mean), 1.5);
}

}  // namespace
}  // namespace octavo
