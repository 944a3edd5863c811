// Curvatures: none of planes, signs, bounds; the mean of corners at centres of leaves.

#include "octavo/level_set/curvature.h"

#include <gtest/gtest.h>

#include "level_set/surface_cases.h"

namespace octavo {
namespace {

template <class D>
class CurvatureTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(CurvatureTest, test::Dims);

TYPED_TEST(CurvatureTest, PlanesHaveNoneAndAirHasTheOppositeSign) {
  constexpr int Dim = TestFixture::dim;
  Curvature<Dim, double> curvature;
  LeafField<double> kappa;
  const auto ball = test::Ball<Dim>::off_center(0);
  const auto tree = test::surface_tree<Dim>(4, 2, 1, ball);
  const Mesh<Dim> mesh(tree);
  const test::Plane<Dim> plane(tree.domain().box(), 4);
  for (const auto scheme : {CurvatureScheme::least_squares, CurvatureScheme::losasso04}) {
    auto phi = test::nodal_field(mesh, plane);
    EXPECT_GT(curvature(mesh, phi, kappa, scheme).leaves, 10u);
    for (std::size_t i = 0; i < mesh.leaf_count(); ++i)
      if (scheme == CurvatureScheme::least_squares) {
        EXPECT_NEAR(kappa[LeafId(i)], 0, 1e-7);
      }
    phi = test::nodal_field(mesh, [&](const Vec<Dim>& x) { return -ball(x); });
    curvature(mesh, phi, kappa, scheme);
    double sum = 0;
    for (std::size_t i = 0; i < mesh.leaf_count(); ++i) sum += kappa[LeafId(i)];
    EXPECT_LT(sum, 0);
  }
}

TEST(CurvatureInput, NamesAreFound) {
  EXPECT_EQ(curvature_scheme_named("losasso04"), CurvatureScheme::losasso04);
  EXPECT_EQ(name(curvature_scheme_named("least_squares")), "least_squares");
  EXPECT_THROW(curvature_scheme_named("cubic"), InputError);
}

TYPED_TEST(CurvatureTest, AFieldWithoutASurfaceHasNone) {
  constexpr int Dim = TestFixture::dim;
  const auto tree = test::random_tree<Dim>(1);
  const Mesh<Dim> mesh(tree);
  const NodeField<float> phi(mesh, -1.0f);
  Curvature<Dim, float> curvature;
  LeafField<float> kappa;
  for (const auto scheme : {CurvatureScheme::least_squares, CurvatureScheme::losasso04}) {
    EXPECT_EQ(curvature(mesh, phi, kappa, scheme).leaves, 0u);
    for (std::size_t i = 0; i < mesh.leaf_count(); ++i) EXPECT_EQ(kappa[LeafId(i)], 0);
  }
}

TYPED_TEST(CurvatureTest, RandomTreesAndFieldsGiveBoundedCurvatures) {
  constexpr int Dim = TestFixture::dim;
  Curvature<Dim, double> curvature;
  LeafField<double> kappa;
  test::for_random_trees<Dim>(test::tree_count / 50, [&](const auto& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    const Random random(seed);
    std::uint64_t next = 0;
    const auto phi =
        test::nodal_field(mesh, [&](const Vec<Dim>&) { return random.uniform(++next) - 0.5; });
    for (const auto scheme : {CurvatureScheme::least_squares, CurvatureScheme::losasso04}) {
      curvature(mesh, phi, kappa, scheme);
      for (std::size_t i = 0; i < mesh.leaf_count(); ++i)
        ASSERT_LE(std::abs(kappa[LeafId(i)]),
                  (Dim - 1) / mesh.view().tree.size(LeafId(i)) * (1 + 1e-12));
    }
  });
}

TYPED_TEST(CurvatureTest, CentresHaveTheMeanOfTheirCornersWhichIsExactForPlanes) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(20, [&](const auto& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    const test::Plane<Dim> plane(tree.domain().box(), seed);
    const auto phi = test::nodal_field(mesh, plane);
    LeafField<double> at_centers;
    at_leaf_centers(mesh, phi, at_centers);
    for (std::size_t i = 0; i < mesh.leaf_count(); ++i)
      EXPECT_NEAR(at_centers[LeafId(i)], plane(mesh.view().tree.center(LeafId(i))), 1e-12);
  });
}

}  // namespace
}  // namespace octavo
