// Divergence of velocities on faces, shared velocities of large faces, and bad input.

#include "octavo/operators/divergence.h"

#include <gtest/gtest.h>

#include "support/pressure_problem.h"

namespace octavo {
namespace {

using test::PressureProblem;

template <class D>
class DivergenceTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(DivergenceTest, test::Dims);

// u_a = k_a x_a + something that does not depend on x_a, at face centres: divergence sum k_a.
template <int Dim>
double expanding(const MeshView<Dim>& m, FaceId f) {
  const int a = m.axis(f);
  const Vec<Dim> x = m.center(f);
  return (a + 1) * x[a] - 3 * x[(a + 1) % Dim];
}

TYPED_TEST(DivergenceTest, ExactForLinearVelocities) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(300, [](const Octree<Dim>& tree, std::uint64_t seed) {
    PressureProblem<Dim, double> p(tree);
    const MeshView<Dim> m = p.mesh.view();
    const auto u = p.face_field([&](FaceId f) { return expanding(m, f); });
    const double expected = Dim == 2 ? 3 : 6;
    LeafField<double> div;
    divergence(p.mesh, p.boundary(), u, div);
    for (std::size_t i = 0; i < div.size(); ++i)
      ASSERT_NEAR(div[LeafId(i)], expected, 1e-13 / m.tree.size(LeafId(i)));

    // A solid that moves with the fluid is not felt, however much of a face it covers.
    const Random random(seed);
    p.on_faces(p.open_area, [&](FaceId f) { return random.uniform(f); });
    p.on_faces(p.solid_velocity, [&](FaceId f) { return u[f]; });
    divergence(p.mesh, p.boundary(), u, div);
    for (std::size_t i = 0; i < div.size(); ++i)
      ASSERT_NEAR(div[LeafId(i)], expected, 1e-13 / m.tree.size(LeafId(i)));
  });
}

// Over all leaves, what flows between them cancels and what passes the walls is left.
TYPED_TEST(DivergenceTest, OutflowsSumToTheFlowThroughWalls) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(300, [](const Octree<Dim>& tree, std::uint64_t seed) {
    PressureProblem<Dim, double> p(tree);
    const MeshView<Dim> m = p.mesh.view();
    const Random random(seed);
    p.on_faces(p.open_area, [&](FaceId f) { return random.uniform(f, 1); });
    p.on_faces(p.solid_velocity, [&](FaceId f) { return random.uniform(f, 2) - 0.5; });
    const auto u = p.face_field([&](FaceId f) { return random.uniform(f, 3) - 0.5; });
    double sum = 0, walls = 0, size = 0;
    for (std::size_t i = 0; i < m.leaf_count(); ++i)
      sum += outflow<Dim, double>(m, p.boundary(), u.view(), LeafId(i));
    for (std::size_t i = 0; i < m.face_count(); ++i) {
      const FaceId f(i);
      const double w = p.open_area[f], through = w * u[f] + (1 - w) * p.solid_velocity[f];
      ASSERT_DOUBLE_EQ((flux<Dim, double>(m, p.boundary(), u.view(), f)), m.area(f) * through);
      size += m.area(f);
      if (m.is_wall(f)) walls += (m.face_leaf[f].high.is_none() ? 1 : -1) * m.area(f) * through;
    }
    ASSERT_NEAR(sum, walls, 1e-14 * size);
  });
}

TYPED_TEST(DivergenceTest, AirHasNone) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, double> p(test::random_tree<Dim>(2));
  const MeshView<Dim> m = p.mesh.view();
  p.on_leaves(p.level_set, [](LeafId leaf) { return leaf % 2 == 0 ? -1.0 : 1.0; });
  const auto u = p.face_field([&](FaceId f) { return expanding(m, f); });
  LeafField<double> div;
  divergence(p.mesh, p.boundary(), u, div);
  for (std::size_t i = 0; i < div.size(); ++i) {
    if (i % 2 == 0)
      ASSERT_GT(div[LeafId(i)], 2.0);
    else
      ASSERT_EQ(div[LeafId(i)], 0.0);
  }
}

// Sharing leaves what flows through a large face as it is, and either gives its open parts one
// velocity or leaves all of them alone; where there is nothing but fluid, the former.
TYPED_TEST(DivergenceTest, SharedVelocitiesKeepTheFlow) {
  constexpr int Dim = TestFixture::dim;
  std::size_t shared = 0, alone = 0;
  test::for_random_problems<Dim, double>(
      300, [&](const PressureProblem<Dim, double>& p, std::uint64_t seed) {
        const auto rows = seed % 2 == 0 ? SurfaceRows::secant : SurfaceRows::ghost_fluid;
        const auto faces = p.faces({GradientScheme::losasso06s, {}, rows});
        const bool plain =
            !faces.boundary.has_solids() && (!faces.boundary.has_surface() || faces.has_cut_rows());
        const Random random(seed);
        const auto before = p.face_field([&](FaceId f) { return random.uniform(f) - 0.5; });
        auto after = before;
        share_velocity(faces, after.view());
        for (std::size_t i = 0; i < before.size(); ++i) {
          if (!faces.begins_large_face(FaceId(i))) continue;
          double was = 0, is = 0, area = 0;
          FaceId first;
          bool wet = false;
          for (const FaceId f : faces.large_face_from(FaceId(i)))
            wet = wet || (faces.is_in_row(f) && faces.link(f).kind != FaceLink::none);
          for (const FaceId f : faces.large_face_from(FaceId(i))) {
            if (!wet || !faces.is_in_row(f)) {
              ASSERT_EQ(after[f], before[f]);
              continue;
            }
            const double open = faces.boundary.open_fraction(f) * p.mesh.view().area(f);
            if (first.is_none()) first = f;
            const bool same = after[f] == after[first];
            ASSERT_TRUE(same || (after[f] == before[f] && after[first] == before[first] && !plain));
            if (f != first) ++(same ? shared : alone);
            was += open * before[f];
            is += open * after[f];
            area += open;
          }
          ASSERT_NEAR(is, was, 1e-15 * area);
        }
        auto again = after;
        share_velocity(faces, again.view());
        for (std::size_t i = 0; i < after.size(); ++i)
          ASSERT_NEAR(again[FaceId(i)], after[FaceId(i)], 1e-15);
      });
  EXPECT_GT(shared, 1000u);
  printf("  %zu faces share a velocity, %zu do not\n", shared, alone);
}

TYPED_TEST(DivergenceTest, BoundariesOfAnotherMeshAreRefused) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, double> p(test::random_tree<Dim>(2));
  const MeshView<Dim> m = p.mesh.view();
  EXPECT_NO_THROW(p.boundary().check(m));
  Buffer<double>* const fields[] = {&p.open_area, &p.solid_velocity, &p.level_set,
                                    &p.surface_pressure};
  for (Buffer<double>* field : fields) {
    field->resize(3);
    EXPECT_THROW(p.boundary().check(m), InputError);
    field->resize(0);
  }
  p.on_faces(p.open_area, [](FaceId) { return 1; });
  p.on_leaves(p.level_set, [](LeafId) { return 1; });
  EXPECT_NO_THROW(p.boundary().check(m));
}

TEST(PressureScheme, NamesReadBackAndUnknownOnesListAll) {
  for (const auto scheme :
       {GradientScheme::losasso04, GradientScheme::losasso06, GradientScheme::losasso06s})
    EXPECT_EQ(gradient_scheme_named(name(scheme)), scheme);
  for (int d = 0; d < 4; ++d) {
    const auto delta = static_cast<GradientDistance>(d);
    EXPECT_EQ(gradient_distance_named(name(delta)), delta);
  }
  auto said = [](auto&& f) -> std::string {
    try {
      f();
    } catch (const InputError& e) {
      return e.what();
    }
    return "nothing";
  };
  const std::string scheme = said([] { gradient_scheme_named("losasso05"); });
  for (const std::string_view word : {"losasso05", "losasso04", "losasso06", "losasso06s"})
    EXPECT_NE(scheme.find(word), std::string::npos) << scheme;
  const std::string delta = said([] { gradient_distance_named(""); });
  for (const std::string_view word : gradient_distance_names)
    EXPECT_NE(delta.find(word), std::string::npos) << delta;
}

}  // namespace
}  // namespace octavo
