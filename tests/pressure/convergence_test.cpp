// Order of accuracy in a closed box, on trees with jumps of 8:1. The velocity given is a gradient,
// as exact means over the faces; the projection has to find its pressure and to leave nothing.

#include <gtest/gtest.h>

#include "octavo/pressure/projection.h"
#include "support/pressure_problem.h"
#include "support/refinement.h"

namespace octavo {
namespace {

using test::PressureProblem;

template <class D>
class ConvergenceTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(ConvergenceTest, test::Dims);

// p = cos(pi x) cos(2 pi y) (cos(pi z)): no flow through the walls of the unit box.
template <int Dim>
struct Cosines {
  static double frequency(int axis) { return (axis == 1 ? 2 : 1) * 3.14159265358979323846; }
  static double pressure(const Vec<Dim>& x) {
    double p = 1;
    for (int a = 0; a < Dim; ++a) p *= std::cos(frequency(a) * x[a]);
    return p;
  }
  // The mean over [x - h/2, x + h/2] of cos(k x) is cos(k x) sin(k h/2) / (k h/2).
  static double mean_slope(const Vec<Dim>& x, double h, int axis) {
    double g = -frequency(axis) * std::sin(frequency(axis) * x[axis]);
    for (int a = 0; a < Dim; ++a) {
      const double half = 0.5 * h * frequency(a);
      if (a != axis) g *= std::cos(frequency(a) * x[a]) * std::sin(half) / half;
    }
    return g;
  }
};

// Leaves of one level split at random, down to an eighth of their size.
template <int Dim>
Octree<Dim> tree_with_jumps() {
  const int coarsest = Dim == 2 ? 3 : 2;
  const Random random(2);
  return Octree<Dim>::build({}, [=](const Leaf<Dim>& l) {
    return l.level < coarsest || (l.level < coarsest + 3 && test::cell_noise(random, l) < 0.4);
  });
}

struct Errors {
  std::size_t leaves;
  double p_mean = 0, p_max = 0, slope_mean = 0, slope_max = 0;
};

template <int Dim>
Errors measure(const Octree<Dim>& tree, PressureScheme scheme) {
  const PressureProblem<Dim, double> p(tree);
  const MeshView<Dim> m = p.mesh.view();
  auto exact = [&](FaceId f) {
    return m.is_wall(f) ? 0.0 : Cosines<Dim>::mean_slope(m.center(f), m.size(f), m.axis(f));
  };
  FaceField<double> u = p.face_field(exact);
  LeafField<double> pressure(p.mesh);
  const ProjectionOptions options{.time_step = 1, .scheme = scheme, .stop = {.relative = 1e-9}};
  const PressureReport report =
      Projection<Dim, double>().project(p.mesh, p.boundary(), options, u, pressure);
  EXPECT_TRUE(report.converged()) << report.sentence();

  Errors e{.leaves = p.mesh.leaf_count()};
  for (std::size_t i = 0; i < pressure.size(); ++i) {
    const LeafId leaf(i);
    const double error = std::abs(pressure[leaf] - Cosines<Dim>::pressure(m.tree.center(leaf)));
    e.p_mean += error * std::pow(m.tree.size(leaf), Dim);
    e.p_max = std::max(e.p_max, error);
  }
  double weights = 0;
  test::for_all_gradients(
      p.faces(scheme), 1.0, [&](LeafId leaf) { return pressure[leaf]; },
      [&](FaceId f, const FaceLink& l, double gradient) {
        if (l.kind != FaceLink::pair) return;
        const double error = std::abs(gradient - exact(f));
        e.slope_mean += error * l.area * l.distance;
        e.slope_max = std::max(e.slope_max, error);
        weights += l.area * l.distance;
      });
  e.slope_mean /= weights;
  return e;
}

template <int Dim>
std::vector<Errors> measure_all(GradientScheme scheme) {
  const auto errors = test::refine_and_measure(tree_with_jumps<Dim>(), Dim == 2 ? 4 : 2,
                                               [=](const Octree<Dim>& tree) {
                                                 return measure<Dim>(tree, {scheme, {}});
                                               });
  for (const Errors& e : errors)
    printf("  %-10s %6zu leaves: pressure %.2e %.2e, gradient %.2e %.2e (mean, largest)\n",
           std::string(name(scheme)).c_str(), e.leaves, e.p_mean, e.p_max, e.slope_mean,
           e.slope_max);
  printf("  orders %28s %8.2f %8.2f %18.2f %8.2f\n", "", test::last_order(errors, &Errors::p_mean),
         test::last_order(errors, &Errors::p_max), test::last_order(errors, &Errors::slope_mean),
         test::last_order(errors, &Errors::slope_max));
  return errors;
}

// The largest error of the pressure falls as h^2 log(1/h): its order is below two by an amount that
// itself goes to zero, but slowly.
TYPED_TEST(ConvergenceTest, WholeFacesAreOfSecondOrder) {
  constexpr int Dim = TestFixture::dim;
  for (const auto scheme : {GradientScheme::losasso06, GradientScheme::losasso06s}) {
    const auto e = measure_all<Dim>(scheme);
    const bool shared = scheme == GradientScheme::losasso06s;
    EXPECT_GE(test::last_order(e, &Errors::p_mean), 1.9);
    EXPECT_GE(test::last_order(e, &Errors::p_max), shared && Dim == 2 ? 1.9 : 1.8);
    EXPECT_GE(test::last_order(e, &Errors::slope_mean), 1.8);
    EXPECT_GE(test::last_order(e, &Errors::slope_max), 0.8);
  }
}

TYPED_TEST(ConvergenceTest, Losasso04IsOfFirstOrder) {
  const auto e = measure_all<TestFixture::dim>(GradientScheme::losasso04);
  EXPECT_GE(test::last_order(e, &Errors::p_mean), 0.8);
  EXPECT_LE(test::last_order(e, &Errors::p_mean), 1.4);
  EXPECT_LE(test::last_order(e, &Errors::slope_max), 0.5);
}

}  // namespace
}  // namespace octavo
