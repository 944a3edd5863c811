// The same bytes of velocity and pressure for any number of threads, and whatever a projection has
// been used for before.

#include <gtest/gtest.h>

#include <cstring>

#include "octavo/pressure/projection.h"
#include "support/still_water.h"

namespace octavo {
namespace {

using test::PressureProblem;

template <class D>
class PressureDeterminismTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(PressureDeterminismTest, test::Dims);

// A pool with waves and a ball under it, refined at both.
template <int Dim>
struct Pool {
  PressureProblem<Dim, float> problem;

  static double surface(const Vec<Dim>& x) {
    return x[Dim - 1] - 0.6 - 0.03 * std::sin(9 * x[0] + Dim);
  }
  static double ball(const Vec<Dim>& x) { return length(x - Vec<Dim>::filled(0.37)) - 0.2; }
  explicit Pool(int finest)
      : problem(Octree<Dim>::build({}, [=](const Leaf<Dim>& l) {
          const double d = std::min(std::abs(surface(l.center)), std::abs(ball(l.center)));
          return l.level < 3 || (l.level < finest && d < (Dim == 2 ? 6.0 : 1.0) * l.size);
        })) {
    const MeshView<Dim> m = problem.mesh.view();
    problem.wall[0] = Wall::open;
    problem.on_leaves(problem.level_set, [&](LeafId l) { return surface(m.tree.center(l)); });
    problem.on_faces(problem.open_area, [&](FaceId f) {
      return std::clamp(0.5 + ball(m.center(f)) / m.size(f), 0.0, 1.0);
    });
    problem.on_faces(problem.solid_velocity, [&](FaceId f) { return 0.1 * m.axis(f); });
  }
};

struct Result {
  FaceField<float> velocity;
  LeafField<float> pressure;
  int iterations = 0;

  friend bool operator==(const Result& p, const Result& q) {
    auto same = [](const auto& x, const auto& y) {
      return x.size() == y.size() &&
             std::memcmp(x.view().data(), y.view().data(), x.size() * sizeof(float)) == 0;
    };
    return p.iterations == q.iterations && same(p.velocity, q.velocity) &&
           same(p.pressure, q.pressure);
  }
};

// The slower preconditioners are stopped half-way, which is as good a test.
template <int Dim>
Result solve(Projection<Dim>& projection, const Pool<Dim>& pool, Preconditioner preconditioner,
             PressureScheme scheme = {}) {
  const PressureProblem<Dim, float>& p = pool.problem;
  Result r{test::random_velocity(p, 1), LeafField<float>(p.mesh, 0.0f)};
  const ProjectionOptions options{0.01, 1000, scheme, preconditioner, {.max_iterations = 12}};
  r.iterations =
      projection.project(p.mesh, p.boundary(), options, r.velocity, r.pressure).iterations;
  return r;
}

TYPED_TEST(PressureDeterminismTest, SameBytesForAnyNumberOfThreads) {
  constexpr int Dim = TestFixture::dim;
  const Pool<Dim> pool((Dim == 2 ? 10 : 6) - (test::sanitized ? (Dim == 2 ? 2 : 1) : 0));
  ASSERT_GT(pool.problem.mesh.leaf_count(), test::sanitized ? 4096u : 20000u);
  for (const PressureScheme scheme : test::main_schemes())
    for (const auto preconditioner :
         {Preconditioner::multigrid, Preconditioner::mic0, Preconditioner::diagonal}) {
      SCOPED_TRACE(test::describe(scheme) + ", " + std::string(name(preconditioner)));
      auto run = [&](int count) {
        set_threads(count);
        Projection<Dim> projection;
        const Result result = solve(projection, pool, preconditioner, scheme);
        set_threads(0);
        return result;
      };
      const Result one = run(1);
      EXPECT_GT(one.iterations, 3);
      EXPECT_TRUE(run(2) == one);
      EXPECT_TRUE(run(5) == one);
    }
}

// Groups of rows at a tilted surface that crosses many changes of size, beside an inclined wall.
TYPED_TEST(PressureDeterminismTest, SameBytesWithGroupsOfRows) {
  constexpr int Dim = TestFixture::dim;
  PressureProblem<Dim, float> p(
      test::jumping_tree<Dim>(7, (Dim == 2 ? 5 : 3) - (test::sanitized ? 1 : 0), 3));
  const test::Plane<Dim> plane{test::tilted_up<Dim>(0.1), 0.53};
  const auto normal = test::tilted_up<Dim>(1.2, 0.3);
  test::set_open_parts(
      p, [&](const Vec<Dim>& x) { return dot(normal, x - Vec<Dim>::filled(0.5)) + 0.25; });
  p.on_leaves(p.level_set, [&](LeafId l) { return plane(p.tree.view().center(l)); });
  p.on_leaves(p.surface_pressure, [&](LeafId l) { return p.tree.view().center(l)[0]; });
  p.gravity = plane.up * -9.81;
  auto run = [&](int count) {
    set_threads(count);
    Result r{test::random_velocity(p, 1), LeafField<float>(p.mesh, 0.0f)};
    const PressureReport report = Projection<Dim>().project(
        p.mesh, p.boundary(), {.time_step = 0.01, .stop = {.relative = 1e-5}}, r.velocity,
        r.pressure);
    r.iterations = report.iterations;
    EXPECT_GT(report.cut_rows.degenerate, test::sanitized ? 1u : 5u);
    set_threads(0);
    return r;
  };
  const Result one = run(1);
  EXPECT_TRUE(run(2) == one);
  EXPECT_TRUE(run(5) == one);
}

// Memory of a larger and of a smaller mesh, of other preconditioners and schemes, leaves no trace.
TYPED_TEST(PressureDeterminismTest, SameBytesWhateverWasSolvedBefore) {
  constexpr int Dim = TestFixture::dim;
  const Pool<Dim> pool(Dim == 2 ? 8 : 5), small(Dim == 2 ? 6 : 4), large(Dim == 2 ? 9 : 6);
  Projection<Dim> used;
  for (const auto preconditioner :
       {Preconditioner::multigrid, Preconditioner::mic0, Preconditioner::diagonal}) {
    SCOPED_TRACE(name(preconditioner));
    Projection<Dim> fresh;
    const Result expected = solve(fresh, pool, preconditioner);
    for (const Pool<Dim>* before : {&small, &large}) {
      solve(used, *before, preconditioner, {GradientScheme::losasso04, {}});
      EXPECT_TRUE(solve(used, pool, preconditioner) == expected);
      EXPECT_TRUE(solve(used, pool, preconditioner) == expected);
    }
  }
}

}  // namespace
}  // namespace octavo
