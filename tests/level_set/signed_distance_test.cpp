// Signed distances: planes are exact; a surface stays where it is; corners, gaps, noise; bands; boxes without a surface.

#include "octavo/level_set/signed_distance.h"

#include <gtest/gtest.h>

#include "level_set/surface_cases.h"

namespace octavo {
namespace {

template <class D>
class SignedDistanceTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(SignedDistanceTest, test::Dims);

// The largest error of the distances to a plane on a tree, in diagonals of its box.
template <class Real, int Dim>
double plane_error(const Octree<Dim>& tree, const test::Plane<Dim>& plane, DistanceScheme scheme,
                   SignedDistance<Dim, Real>& redistance) {
  const Mesh<Dim> mesh(tree);
  auto phi = test::nodal_field<Dim, Real>(mesh, [&](const auto& x) { return 1.7 * plane(x); });
  const auto report = redistance(mesh, phi, {.scheme = scheme, .band = test::everywhere});
  if (report.surface_nodes == 0) return 0;
  double worst = 0;
  for (std::size_t i = 0; i < mesh.node_count(); ++i) {
    const double exact = plane(mesh.view().position(NodeId(i)));
    worst = std::max(worst, std::abs(static_cast<double>(phi[NodeId(i)]) - exact));
  }
  return worst / length(tree.domain().box().size());
}

TYPED_TEST(SignedDistanceTest, PlanesAreExactEverywhereInAnyTree) {
  constexpr int Dim = TestFixture::dim;
  SignedDistance<Dim, double> redistance;
  SignedDistance<Dim, float> in_float;
  double worst_in_float = 0, worst_losasso = 0;
  test::for_random_trees<Dim>(test::tree_count / 5, [&](const auto& tree, std::uint64_t seed) {
    const test::Plane<Dim> plane(tree.domain().box(), seed);
    EXPECT_LT(plane_error(tree, plane, DistanceScheme::second_order, redistance), 1e-10);
    worst_losasso =
        std::max(worst_losasso, plane_error(tree, plane, DistanceScheme::losasso04, redistance));

    // In float, differences over the smallest leaves are noise over large ones.
    if (tree.deepest_level() <= 6)
      worst_in_float = std::max(worst_in_float,
                                plane_error(tree, plane, DistanceScheme::second_order, in_float));
  });
  EXPECT_LT(worst_in_float, 1e-4);
  EXPECT_GT(worst_losasso, 0.1) << "the scheme that ignores directions is exact";
}

TYPED_TEST(SignedDistanceTest, TheOldSchemeIsExactForLevelPlanesAmongEqualLeaves) {
  constexpr int Dim = TestFixture::dim;
  const auto tree = Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 4; });
  test::Plane<Dim> plane(tree.domain().box(), 1);
  plane.normal = Vec<Dim>{};
  plane.normal[Dim - 1] = 1;
  SignedDistance<Dim, double> redistance;
  EXPECT_LT(plane_error(tree, plane, DistanceScheme::losasso04, redistance), 1e-14);
}

// Where the sign changes along the edges of leaves, by a level set that is linear between nodes: as a part of each edge,
// or NaN.
template <int Dim>
std::vector<double> crossings(const MeshView<Dim>& m, View<const double> phi) {
  std::vector<double> parts;
  for (std::size_t i = 0; i < m.leaf_count(); ++i)
    for (int c = 0; c < child_count<Dim>; ++c)
      for (int a = 0; a < Dim; ++a) {
        if (((c >> a) & 1) != 0) continue;
        const double p = phi[m.node(LeafId(i), c)], q = phi[m.node(LeafId(i), c | 1 << a)];
        parts.push_back((p < 0) == (q < 0) ? std::nan("") : p / (p - q) * m.tree.size(LeafId(i)));
      }
  return parts;
}

// By how much the crossings have moved; those that came or went are where nodes hang that are hardly on one side.
test::Errors moved(const std::vector<double>& before, const std::vector<double>& after) {
  test::Errors errors;
  std::size_t changed = 0;
  for (std::size_t k = 0; k < before.size(); ++k)
    if (std::isnan(before[k]) != std::isnan(after[k]))
      ++changed;
    else if (!std::isnan(after[k]))
      errors.add(after[k] - before[k]);
  EXPECT_LT(changed, 2 + errors.count / 20);
  return errors;
}

TYPED_TEST(SignedDistanceTest, TheSurfaceStaysWhereItIs) {
  constexpr int Dim = TestFixture::dim;
  for (const int jump : {0, 1, 3}) {
    if (jump == 3 && Dim == 3) continue;
    for (int base = Dim == 2 ? 5 : 4; base <= (Dim == 2 ? 6 : 5) - (test::sanitized ? 1 : 0);
         ++base) {
      const double h = 1.0 / (1 << base);
      const auto ball = test::Ball<Dim>::off_center(5);
      const auto tree = test::surface_tree<Dim>(base, jump, 5, ball);
      const Mesh<Dim> mesh(tree);
      auto phi = test::nodal_field(mesh, [&](const Vec<Dim>& x) {
        return 0.5 * (dot(x - ball.center, x - ball.center) / ball.radius - ball.radius);
      });
      const auto before = crossings(mesh.view(), std::as_const(phi).view());
      SignedDistance<Dim, double> redistance;
      auto measure = [&] {
        redistance(mesh, phi);
        return moved(before, crossings(mesh.view(), std::as_const(phi).view()));
      };
      const test::Errors once = measure();
      for (int k = 0; k < 20; ++k) redistance(mesh, phi);
      const test::Errors often = measure();
      fmt::print("{}D, jump {}, h 1/{}: moved once {:.2g} {:.2g}, 22 times {:.2g} {:.2g} h^2/R\n",
                 Dim, jump, 1 << base, once.mean() * 0.3 / h / h, once.largest * 0.3 / h / h,
                 often.mean() * 0.3 / h / h, often.largest * 0.3 / h / h);

      // The chords of the multilinear interpolant are h^2 / 8 R off the circle.
      EXPECT_LT(once.mean(), 0.125 * h * h / ball.radius);
      EXPECT_LT(once.largest, 2.5 * h * h / ball.radius);
      EXPECT_LT(often.mean(), 0.125 * h * h / ball.radius);
      EXPECT_LT(often.largest, 2.5 * h * h / ball.radius);
    }
  }
}

TYPED_TEST(SignedDistanceTest, ADistanceThatIsExactAmongEqualLeavesIsKept) {
  constexpr int Dim = TestFixture::dim;
  const auto ball = test::Ball<Dim>::off_center(2);
  const auto tree = test::surface_tree<Dim>(Dim == 2 ? 6 : 4, 0, 0, ball);
  const Mesh<Dim> mesh(tree);
  const auto exact = test::nodal_field(mesh, ball);
  auto phi = exact;
  SignedDistance<Dim, double> redistance;
  for (int k = 0; k < 30; ++k) redistance(mesh, phi, {.band = test::everywhere});
  const double h = tree.domain().size(tree.deepest_level());
  for (std::size_t i = 0; i < mesh.node_count(); ++i) {
    const NodeId node(i);
    if (std::abs(exact[node]) < 0.5 * h) {
      EXPECT_EQ(phi[node], exact[node]);
    }
    if (std::abs(exact[node]) < 2 * h) {
      EXPECT_NEAR(phi[node], exact[node], 0.05 * h);
    }
  }
}

template <int Dim>
double distance_to_cube(const Vec<Dim>& x, const Vec<Dim>& center, double half) {
  double inside = -1e300;
  Vec<Dim> outside{};
  for (int a = 0; a < Dim; ++a) {
    const double d = std::abs(x[a] - center[a]) - half;
    inside = std::max(inside, d);
    outside[a] = std::max(d, 0.0);
  }
  return inside < 0 ? inside : length(outside);
}

TYPED_TEST(SignedDistanceTest, CornersDoNotBreakIt) {
  constexpr int Dim = TestFixture::dim;
  const Vec<Dim> center = Vec<Dim>::filled(0.487);
  auto exact = [&](const Vec<Dim>& x) { return distance_to_cube<Dim>(x, center, 0.223); };
  for (const int jump : {0, 2}) {
    const int base = Dim == 2 ? 6 : 4;
    const double h = 1.0 / (1 << base);
    const auto tree = test::surface_tree<Dim>(base, jump, 1, exact);
    const Mesh<Dim> mesh(tree);
    auto phi = test::nodal_field(mesh, exact);
    SignedDistance<Dim, double> redistance;
    for (const int times : {1, 20}) {
      for (int k = 0; k < times; ++k) redistance(mesh, phi, {.band = test::everywhere});
      test::Errors errors, far;
      for (std::size_t i = 0; i < mesh.node_count(); ++i) {
        const double d = exact(mesh.view().position(NodeId(i)));
        (std::abs(d) < 3 * h ? errors : far).add(phi[NodeId(i)] - d);
      }
      fmt::print("cube {}D, jump {}, {} times: L1 {:.2g} h, Linf {:.2g} h, far {:.2g} {:.2g} h\n",
                 Dim, jump, times, errors.mean() / h, errors.largest / h, far.mean() / h,
                 far.largest / h);
      EXPECT_LT(errors.mean(), (Dim == 2 ? 0.03 : 0.25) * h);
      EXPECT_LT(errors.largest, (Dim == 2 ? 0.8 : 2) * h);
      EXPECT_LT(far.largest, 1.5 * h);
    }
  }
}

TYPED_TEST(SignedDistanceTest, TwoBodiesThatAreNearStayApart) {
  constexpr int Dim = TestFixture::dim;
  const int base = Dim == 2 ? 6 : 5;
  const double h = 1.0 / (1 << base);
  for (const double gap : {0.8, 1.5, 2.6}) {
    Vec<Dim> left = Vec<Dim>::filled(0.493), right = left;
    left[0] = 0.5 - 0.2 - gap * h / 2;
    right[0] = 0.5 + 0.2 + gap * h / 2;
    auto exact = [&](const Vec<Dim>& x) {
      return std::min(length(x - left), length(x - right)) - 0.2;
    };
    const auto tree = test::surface_tree<Dim>(base, 0, 1, exact);
    const Mesh<Dim> mesh(tree);
    auto phi = test::nodal_field(mesh, exact);
    const auto signs_before = phi;
    SignedDistance<Dim, double> redistance;
    for (int k = 0; k < 10; ++k) redistance(mesh, phi);
    test::Errors errors;
    for (std::size_t i = 0; i < mesh.node_count(); ++i) {
      const double d = exact(mesh.view().position(NodeId(i)));
      EXPECT_EQ(phi[NodeId(i)] < 0, signs_before[NodeId(i)] < 0);
      if (std::abs(d) < 3 * h) errors.add(phi[NodeId(i)] - d);
    }
    fmt::print("{}D, gap {} h: L1 {:.2g} h, Linf {:.2g} h\n", Dim, gap, errors.mean() / h,
               errors.largest / h);
    EXPECT_LT(errors.mean(), 0.01 * h);
    EXPECT_LT(errors.largest, 0.3 * h);
  }
}

TYPED_TEST(SignedDistanceTest, NoiseKeepsItsSignsAndStaysFinite) {
  constexpr int Dim = TestFixture::dim;
  SignedDistance<Dim, double> redistance;
  test::for_random_trees<Dim>(test::tree_count / 10, [&](const auto& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    const Random random(seed);
    std::uint64_t next = 0;
    auto phi = test::nodal_field(mesh, [&](const Vec<Dim>&) {
      const double value = random.uniform(++next) - 0.5;
      return std::abs(value) < 0.05 ? 0.0 : value;
    });
    const auto before = phi;
    for (const auto scheme : {DistanceScheme::second_order, DistanceScheme::losasso04})
      for (int k = 0; k < 3; ++k) {
        redistance(mesh, phi, {.scheme = scheme});
        for (std::size_t i = 0; i < mesh.node_count(); ++i) {
          const NodeId node(i);
          ASSERT_TRUE(std::isfinite(phi[node]));
          if (NodeEdges<Dim>(mesh.view(), node).hangs) continue;
          ASSERT_EQ(phi[node] < 0, before[node] < 0);
        }
      }
  });
}

TYPED_TEST(SignedDistanceTest, BeyondTheBandThereIsItsWidth) {
  constexpr int Dim = TestFixture::dim;
  const auto tree = Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 5; });
  const Mesh<Dim> mesh(tree);
  const double h = 1.0 / 32;
  const test::Plane<Dim> plane(tree.domain().box(), 3);
  SignedDistance<Dim, double> redistance;
  for (const auto scheme : {DistanceScheme::second_order, DistanceScheme::losasso04})
    for (const DistanceBand band : {DistanceBand{.leaves = 3}, DistanceBand{.metres = 6.5 * h}}) {
      auto phi = test::nodal_field(mesh, plane);
      const auto report = redistance(mesh, phi, {.scheme = scheme, .band = band});
      const double width = band.reach(h);
      std::size_t clamped = 0;
      for (std::size_t i = 0; i < mesh.node_count(); ++i) {
        const double exact = plane(mesh.view().position(NodeId(i))), found = phi[NodeId(i)];
        EXPECT_EQ(found < 0, exact < 0);
        if (scheme == DistanceScheme::second_order && std::abs(exact) < width) {
          EXPECT_NEAR(found, exact, 1e-13);
        }
        if (std::abs(found) == width) ++clamped;
        EXPECT_LT(std::abs(found), width + 5 * h);
        if (std::abs(exact) > width + 5 * h) {
          EXPECT_EQ(std::abs(found), width);
        }
      }
      EXPECT_EQ(clamped + report.nodes, mesh.node_count());
      EXPECT_GT(clamped, 100u);
    }
}

TYPED_TEST(SignedDistanceTest, WithoutASurfaceThereIsTheWidthOfTheBand) {
  constexpr int Dim = TestFixture::dim;
  const auto tree = test::random_tree<Dim>(3);
  const Mesh<Dim> mesh(tree);
  SignedDistance<Dim, float> redistance;
  const auto diagonal = static_cast<float>(length(tree.domain().box().size()));
  for (const auto scheme : {DistanceScheme::second_order, DistanceScheme::losasso04})
    for (const float sign : {-1.0f, 1.0f}) {
      NodeField<float> phi(mesh, 0.01f * sign);
      auto report = redistance(mesh, phi, {.scheme = scheme, .band = test::everywhere});
      for (std::size_t i = 0; i < mesh.node_count(); ++i)
        EXPECT_FLOAT_EQ(phi[NodeId(i)], sign * diagonal);
      EXPECT_EQ(report.surface_nodes, 0u);
      EXPECT_EQ(report.nodes, 0u);
      EXPECT_EQ(report.slope_error, 0.0);
      redistance(mesh, phi, {.scheme = scheme, .band = {.metres = 0.25, .leaves = 0}});
      for (std::size_t i = 0; i < mesh.node_count(); ++i)
        EXPECT_FLOAT_EQ(phi[NodeId(i)], sign * 0.25f);
    }
}

TEST(SignedDistanceInput, MistakesGetASentence) {
  const Octree<2> tree;
  const Mesh<2> mesh(tree);
  NodeField<double> phi(mesh, 1.0);
  SignedDistance<2, double> redistance;
  EXPECT_THROW(redistance(mesh, phi, {.band = {.metres = -1}}), InputError);
  EXPECT_THROW(redistance(mesh, phi, {.band = {.leaves = 1}}), InputError);
  EXPECT_THROW(redistance(mesh, phi, {.band = {.metres = std::nan("")}}), InputError);
  EXPECT_EQ(distance_scheme_named("losasso04"), DistanceScheme::losasso04);
  EXPECT_EQ(name(distance_scheme_named("second_order")), "second_order");
  EXPECT_THROW(distance_scheme_named("fast"), InputError);
}

}  // namespace
}  // namespace octavo
