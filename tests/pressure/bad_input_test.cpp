// Problems with nothing in them, values that are not numbers, and callers' mistakes.

#include <gtest/gtest.h>

#include <limits>

#include "octavo/pressure/projection.h"
#include "support/preconditioners.h"
#include "support/pressure_problem.h"

namespace octavo {
namespace {

using test::PressureProblem;

template <class D>
class BadInputTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(BadInputTest, test::Dims);

ProjectionOptions options(Preconditioner preconditioner = Preconditioner::multigrid,
                          PressureScheme scheme = {}) {
  return {1, 1, scheme, preconditioner, {}};
}

template <class Field>
bool same_bytes(const Field& p, const Field& q) {
  return p.size() == q.size() &&
         std::memcmp(p.view().data(), q.view().data(), p.size() * sizeof(p.view()[0])) == 0;
}

TYPED_TEST(BadInputTest, NoLiquid) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, float> p(test::random_tree<Dim>(2));
  p.on_leaves(p.level_set, [](LeafId) { return 1; });
  p.wall.fill(Wall::open);
  for (const Preconditioner preconditioner : test::preconditioners) {
    FaceField<float> u = test::random_velocity(p, 1);
    const FaceField<float> before = u;
    LeafField<float> pressure(p.mesh, 7.0f);
    const PressureReport r =
        Projection<Dim>().project(p.mesh, p.boundary(), options(preconditioner), u, pressure);
    EXPECT_TRUE(r.converged()) << name(preconditioner);
    EXPECT_EQ(r.iterations, 0);
    EXPECT_EQ(r.liquid_leaves, 0u);
    EXPECT_EQ(r.closed_components, 0u);
    EXPECT_EQ(r.divergence_after, 0);
    EXPECT_TRUE(same_bytes(u, before));
    EXPECT_TRUE(same_bytes(pressure, LeafField<float>(p.mesh, 0.0f)));
  }
}

TYPED_TEST(BadInputTest, AllSolid) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, float> p(test::random_tree<Dim>(2));
  p.on_faces(p.open_area, [](FaceId) { return 0; });
  p.on_faces(p.solid_velocity, [&](FaceId f) { return p.mesh.view().axis(f) + 1; });
  for (const Preconditioner preconditioner : test::preconditioners) {
    FaceField<float> u = test::random_velocity(p, 1);
    LeafField<float> pressure(p.mesh);
    const PressureReport r =
        Projection<Dim>().project(p.mesh, p.boundary(), options(preconditioner), u, pressure);
    EXPECT_TRUE(r.converged()) << name(preconditioner) << ": " << r.sentence();
    EXPECT_EQ(r.iterations, 0);
    EXPECT_EQ(r.liquid_leaves, 0u);
    for (std::size_t i = 0; i < u.size(); ++i) ASSERT_EQ(u[FaceId(i)], p.solid_velocity[i]);
    EXPECT_TRUE(same_bytes(pressure, LeafField<float>(p.mesh, 0.0f)));
  }
}

// One leaf of any size. Closed, with a flow out of one wall: all of it is forced. Open: the pressure
// by hand, q = -outflow / (2 Dim * area / (h/2)).
TYPED_TEST(BadInputTest, OneLeaf) {
  constexpr int Dim = TestFixture::dim;
  for (const double size : {1.0, 0.3, 0.7, 1.1, 3e-3, 1e5})
    for (const Preconditioner preconditioner : test::preconditioners) {
      SCOPED_TRACE(testing::Message() << "size " << size << ", " << name(preconditioner));
      Domain<Dim> domain;
      domain.root_size = size;
      PressureProblem<Dim, double> p((Octree<Dim>(domain)));
      FaceField<double> u(p.mesh, 0.0);
      const FaceId outlet = p.mesh.view().first_face(LeafId(0), 1);
      u[outlet] = 0.37;
      const FaceField<double> before = u;
      LeafField<double> pressure(p.mesh);
      const PressureReport closed = Projection<Dim, double>().project(
          p.mesh, p.boundary(), options(preconditioner), u, pressure);
      EXPECT_TRUE(closed.converged()) << closed.sentence();
      EXPECT_EQ(closed.closed_components, 1u);
      EXPECT_NEAR(closed.forced_divergence, 0.37 / size, 1e-14 / size);
      EXPECT_TRUE(same_bytes(u, before));
      EXPECT_NEAR(pressure[LeafId(0)], 0, 1e-300);

      p.wall.fill(Wall::open);
      const PressureReport open = Projection<Dim, double>().project(
          p.mesh, p.boundary(), options(preconditioner), u, pressure);
      EXPECT_TRUE(open.converged()) << open.sentence();
      EXPECT_EQ(open.closed_components, 0u);
      EXPECT_NEAR(pressure[LeafId(0)], -0.37 * size / (4 * Dim), 1e-6 * size);
      EXPECT_LT(open.divergence_after, 1e-6 * open.divergence_before);
    }
}

TYPED_TEST(BadInputTest, WhatIsNotANumberIsReportedAndNothingTouched) {
  constexpr int Dim = TestFixture::dim;
  using Limits = std::numeric_limits<float>;
  for (const float bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()})
    for (int where = 0; where < 6; ++where) {
      SCOPED_TRACE(where);
      if (where == 2 && std::isinf(bad)) continue;  // no fraction, which is another mistake
      PressureProblem<Dim, float> p(test::random_tree<Dim>(2));
      p.on_faces(p.open_area, [](FaceId) { return 1; });
      p.on_faces(p.solid_velocity, [](FaceId) { return 0; });
      p.on_leaves(p.level_set, [](LeafId) { return -1; });
      p.on_leaves(p.surface_pressure, [](LeafId) { return 0; });
      FaceField<float> u = test::random_velocity(p, 1);
      LeafField<float> pressure(p.mesh, 2.0f);
      const View<float> fields[] = {u.view(),           pressure.view(),
                                    p.open_area.view(), p.solid_velocity.view(),
                                    p.level_set.view(), p.surface_pressure.view()};
      fields[where][fields[where].size() / 2] = bad;
      const FaceField<float> u_before = u;
      const LeafField<float> pressure_before = pressure;
      const PressureReport r =
          Projection<Dim>().project(p.mesh, p.boundary(), options(), u, pressure);
      EXPECT_EQ(r.outcome, SolveOutcome::not_finite);
      EXPECT_FALSE(r.converged());
      EXPECT_NE(r.sentence().find("not a number"), std::string::npos) << r.sentence();
      EXPECT_TRUE(same_bytes(u, u_before));
      EXPECT_TRUE(same_bytes(pressure, pressure_before));
    }
}

TYPED_TEST(BadInputTest, MistakesAreInputErrors) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, float> p(test::random_tree<Dim>(2));
  FaceField<float> u(p.mesh, 0.0f);
  LeafField<float> pressure(p.mesh, 0.0f);
  Projection<Dim> projection;
  auto project = [&](const ProjectionOptions& o) {
    projection.project(p.mesh, p.boundary(), o, u, pressure);
  };
  EXPECT_NO_THROW(project(options()));
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, infinity}) {
    ProjectionOptions step = options(), fluid = options();
    step.time_step = bad;
    fluid.density = bad;
    EXPECT_THROW(project(step), InputError) << bad;
    EXPECT_THROW(project(fluid), InputError) << bad;
  }
  const auto other_tree = test::random_tree<Dim>(3);
  const Mesh<Dim> other(other_tree);
  ASSERT_NE(other.face_count(), p.mesh.face_count());
  FaceField<float> other_u(other, 0.0f);
  LeafField<float> other_pressure(other, 0.0f);
  EXPECT_THROW(projection.project(p.mesh, p.boundary(), options(), other_u, pressure), InputError);
  EXPECT_THROW(projection.project(p.mesh, p.boundary(), options(), u, other_pressure), InputError);
  Buffer<float>* const fields[] = {&p.open_area, &p.solid_velocity, &p.level_set,
                                   &p.surface_pressure};
  for (Buffer<float>* field : fields) {
    field->resize(other.leaf_count() + 1000);
    EXPECT_THROW(project(options()), InputError);
    field->resize(0);
  }
  for (const float bad : {-1e-3f, 1.001f}) {
    p.on_faces(p.open_area, [=](FaceId f) { return f == 0 ? bad : 1.0f; });
    EXPECT_THROW(project(options()), InputError) << bad;
  }
  p.on_faces(p.open_area, [=](FaceId f) { return f == 0 ? nan : 1.0; });
  PressureSolver<Dim> solver;
  EXPECT_THROW(solver.set_up(p.mesh, p.boundary(), {}), InputError);
  p.open_area.resize(0);
  for (const StopRule bad : {StopRule{-1e-6, 0, 10}, StopRule{nan, 0, 10}, StopRule{1e-6, -1, 10},
                             StopRule{1e-6, nan, 10}, StopRule{1e-6, 0, -1}}) {
    ProjectionOptions stop = options();
    stop.stop = bad;
    EXPECT_THROW(project(stop), InputError);
  }
  EXPECT_NO_THROW(project(options()));
}

TEST(BadInput, UnknownPreconditionersAreAnsweredWithAllNames) {
  for (const Preconditioner p : test::preconditioners) EXPECT_EQ(preconditioner_named(name(p)), p);
  try {
    preconditioner_named("amg");
    FAIL();
  } catch (const InputError& e) {
    for (const std::string_view word : {"amg", "multigrid", "mic0", "diagonal"})
      EXPECT_NE(std::string_view(e.what()).find(word), std::string_view::npos) << e.what();
  }
}

}  // namespace
}  // namespace octavo
