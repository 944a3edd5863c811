// Advection by itself, in a velocity that is given: solid rotation, whose exact solution is known.

#include "octavo/advection/advection.h"

#include <gtest/gtest.h>

#include <memory>
#include <numbers>

#include "octavo/mesh/transfer.h"
#include "support/random_tree.h"
#include "support/refinement.h"
#include "support/sanitized.h"

namespace octavo {
namespace {

template <class D>
class AdvectionTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(AdvectionTest, test::Dims);

// A blob that goes round the middle of the box once in 2 pi seconds.
template <int Dim>
struct Rotation {
  static constexpr double width = 0.07, orbit = 0.15;

  static Vec<Dim> center(double t) {
    Vec<Dim> c = Vec<Dim>::filled(0.5);
    c[0] += orbit * std::cos(t);
    c[1] += orbit * std::sin(t);
    return c;
  }
  static double blob(const Vec<Dim>& p, double t) {
    const double r = length(p - center(t)) / width;
    return std::exp(-0.5 * r * r);
  }
  static Vec<Dim> velocity(const Vec<Dim>& p) {
    Vec<Dim> u{};
    u[0] = -(p[1] - 0.5);
    u[1] = p[0] - 0.5;
    return u;
  }
};

// Where the grid is finer than elsewhere: nowhere, in a slab that stays, or around the blob.
enum class Tree { uniform, fixed, moving };

template <int Dim>
Octree<Dim> tree_at(Tree kind, int level, double t) {
  return Octree<Dim>::build({}, [=](const Leaf<Dim>& l) {
    if (l.level < level) return true;
    if (l.level > level) return false;
    if (kind == Tree::fixed) return std::abs(l.center[0] - 0.6) < 0.15;
    return kind == Tree::moving && length(l.center - Rotation<Dim>::center(t)) < 0.3;
  });
}

// One octree, its mesh and what lives on it.
template <int Dim, class Real>
struct Scene {
  std::unique_ptr<Octree<Dim>> tree;
  std::unique_ptr<Mesh<Dim>> mesh;
  NodeField<Vec<Dim, Real>> nodal;

  explicit Scene(Octree<Dim> t)
      : tree(std::make_unique<Octree<Dim>>(std::move(t))),
        mesh(std::make_unique<Mesh<Dim>>(*tree)),
        nodal(*mesh) {
    const MeshView<Dim> m = mesh->view();
    for (std::size_t i = 0; i < m.node_count(); ++i)
      nodal[NodeId(i)] = Rotation<Dim>::velocity(m.position(NodeId(i))).template cast<Real>();
  }
  Characteristics<Dim, Real> flow(double dt) const {
    return {mesh->view(), nodal.view(), dt, {tree->domain().box(), {}}, {}};
  }
  template <class F>
  double integral(F&& at_node) const {
    const MeshView<Dim> m = mesh->view();
    double sum = 0;
    for (std::size_t i = 0; i < m.leaf_count(); ++i)
      for (int c = 0; c < child_count<Dim>; ++c)
        sum += at_node(m.node(LeafId(i), c)) * std::pow(m.tree.size(LeafId(i)), Dim) /
               child_count<Dim>;
    return sum;
  }
};

struct Turned {
  double error = 0;  // L1
  double drift = 0;  // of the total, relative
  double least = 0, largest = 0;
};

// One turn, or a part of it.
template <int Dim>
Turned turn(AdvectionScheme scheme, Tree kind, int level, double part = 1) {
  const int steps = static_cast<int>((32 << (level - 5)) * part);
  const double dt = 2 * std::numbers::pi * part / steps;
  Scene<Dim, double> now(tree_at<Dim>(kind, level, 0));
  NodeField<double> f(*now.mesh);
  for (std::size_t i = 0; i < f.size(); ++i)
    f[NodeId(i)] = Rotation<Dim>::blob(now.mesh->view().position(NodeId(i)), 0);
  constrain(*now.mesh, f);
  const double total = now.integral([&](NodeId n) { return f[n]; });

  Advection<Dim, double> advection(scheme);
  for (int s = 1; s <= steps; ++s) {
    if (kind != Tree::moving) {
      advection.fields(now.flow(dt), MeshChange<Dim>{*now.mesh, *now.mesh}, {{&f, 0.0}});
      continue;
    }
    Scene<Dim, double> next(tree_at<Dim>(kind, level, s * dt));
    const Transfer<Dim> transfer(*now.mesh, *next.mesh);
    advection.fields(now.flow(dt), MeshChange<Dim>{*now.mesh, *next.mesh, transfer.origin()},
                     {{&f, 0.0}});
    now = std::move(next);
  }

  Turned r{0, 0, HUGE_VAL, -HUGE_VAL};
  const double t = steps * dt;
  r.error = now.integral([&](NodeId n) {
    return std::abs(f[n] - Rotation<Dim>::blob(now.mesh->view().position(n), t));
  });
  r.drift = now.integral([&](NodeId n) { return f[n]; }) / total - 1;
  for (std::size_t i = 0; i < f.size(); ++i) {
    r.least = std::min(r.least, f[NodeId(i)]);
    r.largest = std::max(r.largest, f[NodeId(i)]);
  }
  return r;
}

class AdvectionOrder : public ::testing::TestWithParam<std::tuple<AdvectionScheme, Tree>> {};

// First order for the paper's scheme, second for the others, on any tree: here 1.996 to 2.057, over the
// next halving 1.994 to 2.027.
TEST_P(AdvectionOrder, IsAsPromised) {
  const auto [scheme, kind] = GetParam();
  const int level = test::sanitized ? 6 : 7;
  const Turned coarse = turn<2>(scheme, kind, level, 0.5),
               fine = turn<2>(scheme, kind, level + 1, 0.5);
  const double order = test::order(coarse.error, fine.error);
  RecordProperty("order", std::to_string(order));
  if (scheme == AdvectionScheme::semi_lagrangian) {
    EXPECT_GT(order, test::sanitized ? 0.7 : 0.85);
    EXPECT_LT(order, 1.2);
  } else {
    EXPECT_GT(order, test::sanitized ? 1.95 : 1.99);
    EXPECT_LT(fine.error, test::sanitized ? 4e-4 : 1e-4);
  }
}

std::string case_name(const ::testing::TestParamInfo<AdvectionOrder::ParamType>& c) {
  static constexpr const char* trees[] = {"uniform", "fixed", "moving"};
  return std::string(name(std::get<0>(c.param))) + "_" +
         trees[static_cast<int>(std::get<1>(c.param))];
}

INSTANTIATE_TEST_SUITE_P(
    All, AdvectionOrder,
    ::testing::Combine(::testing::Values(AdvectionScheme::semi_lagrangian,
                                         AdvectionScheme::maccormack, AdvectionScheme::bfecc),
                       ::testing::Values(Tree::uniform, Tree::fixed, Tree::moving)),
    case_name);

TEST(Advection, IsOfSecondOrderIn3D) {
  if (test::sanitized) GTEST_SKIP() << "the same as in 2D, only larger";
  for (const auto scheme : {AdvectionScheme::maccormack, AdvectionScheme::bfecc}) {
    const Turned coarse = turn<3>(scheme, Tree::moving, 5, 0.25);
    const Turned fine = turn<3>(scheme, Tree::moving, 6, 0.25);
    EXPECT_GT(test::order(coarse.error, fine.error), 1.95) << name(scheme);
    EXPECT_LT(std::abs(fine.drift), 2.5e-4) << name(scheme);  // of a quarter of a turn
    EXPECT_GE(fine.least, 0);
    EXPECT_LE(fine.largest, 1);
  }
}

TEST(Advection, KeepsTheTotalOfABlobAndMakesNoNewExtrema) {
  for (const auto scheme : {AdvectionScheme::maccormack, AdvectionScheme::bfecc})
    for (const auto kind : {Tree::uniform, Tree::fixed, Tree::moving}) {
      const Turned r = turn<2>(scheme, kind, test::sanitized ? 6 : 7);
      EXPECT_LT(std::abs(r.drift), test::sanitized ? 4e-3 : 1e-3) << name(scheme);
      EXPECT_GE(r.least, 0) << name(scheme);
      EXPECT_LE(r.largest, 1) << name(scheme);
      EXPECT_GT(r.largest, test::sanitized ? 0.85 : 0.97) << name(scheme);
    }
}

// If nothing moves, nothing changes but by rounding. The paper's scheme smooths velocities even then.
TYPED_TEST(AdvectionTest, StillAirKeepsEverything) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(60, [](const Octree<Dim>& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    const Random random(seed);
    NodeField<double> f(mesh);
    for (std::size_t i = 0; i < f.size(); ++i) f[NodeId(i)] = random.uniform(i);
    constrain(mesh, f);
    FaceField<double> u(mesh);  // one velocity for all parts of a large face
    for (std::size_t i = 0, large = 0; i < u.size(); ++i) {
      if (mesh.view().begins_large_face(FaceId(i))) large = i;
      u[FaceId(i)] = random.uniform(large, 1);
    }
    const NodeField<Vec<Dim>> carried = nodal_velocity(mesh, u), still(mesh);
    const Characteristics<Dim, double> flow{
        mesh.view(), still.view(), 0.7, {tree.domain().box(), {}}, {}};
    for (const auto scheme : {AdvectionScheme::maccormack, AdvectionScheme::bfecc}) {
      Advection<Dim, double> advection(scheme, true);
      NodeField<double> g = f;
      FaceField<double> v = u;
      advection.fields(flow, MeshChange<Dim>{mesh, mesh}, {{&g, 0.0}});
      advection.velocity(flow, MeshChange<Dim>{mesh, mesh}, carried, v);
      for (std::size_t i = 0; i < f.size(); ++i) ASSERT_NEAR(g[NodeId(i)], f[NodeId(i)], 1e-10);
      for (std::size_t i = 0; i < u.size(); ++i)
        ASSERT_NEAR(v[FaceId(i)], u[FaceId(i)], 1e-10) << name(scheme);
    }
  });
}

// A field that is linear in space stays so under a uniform wind, on any tree and onto any other.
TYPED_TEST(AdvectionTest, CarriesLinearFieldsExactly) {
  constexpr int Dim = TestFixture::dim;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Octree<Dim> from_tree = test::random_tree<Dim>(seed);
    Octree<Dim> to_tree = Octree<Dim>::build(from_tree.domain(), [&](const Leaf<Dim>& l) {
      return l.level < 3 + static_cast<int>(seed % 2);
    });
    const Mesh<Dim> from(from_tree), to(to_tree);
    const Box<Dim> box = from_tree.domain().box();
    auto linear = [&](const Vec<Dim>& p) {
      double v = 1;
      for (int a = 0; a < Dim; ++a) v += (1.5 - a) * p[a];
      return v;
    };
    NodeField<double> f(from);
    for (std::size_t i = 0; i < f.size(); ++i)
      f[NodeId(i)] = linear(from.view().position(NodeId(i)));
    const Vec<Dim> wind = Vec<Dim>::filled(0.1);
    const NodeField<Vec<Dim>> nodal(from, wind);
    const Characteristics<Dim, double> flow{from.view(), nodal.view(), 1.0, {box, {}}, {}};
    const Transfer<Dim> transfer(from, to);
    for (int s = 0; s < 2;
         ++s) {  // bfecc sees walls from an old leaf away, which may be very large
      Advection<Dim, double> advection(static_cast<AdvectionScheme>(s));
      NodeField<double> g = f;
      advection.fields(flow, MeshChange<Dim>{from, to, transfer.origin()}, {{&g, 0.0}});

      // Closed walls hold back what would come from outside; schemes that look both ways see it from a
      // leaf away.
      const double apart = 0.1 + (s == 0 ? 0 : from_tree.domain().size(3));
      for (std::size_t i = 0; i < g.size(); ++i) {
        const Vec<Dim> p = to.view().position(NodeId(i)), q = p - wind;
        bool inside = true;
        for (int a = 0; a < Dim; ++a)
          inside = inside && p[a] - apart >= box.lo[a] && p[a] + apart <= box.hi[a];
        if (!inside) continue;
        ASSERT_NEAR(g[NodeId(i)], linear(q), 1e-12) << seed << " " << s;
      }
    }
  }
}

// What comes in through an open wall is air from outside; a closed wall lets nothing in.
TYPED_TEST(AdvectionTest, OpenWallsLetAirIn) {
  constexpr int Dim = TestFixture::dim;
  const Octree<Dim> tree = Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 3; });
  const Mesh<Dim> mesh(tree);
  Vec<Dim> wind{};
  wind[0] = 1;
  const NodeField<Vec<Dim>> nodal(mesh, wind);
  for (const bool open : {false, true}) {
    OpenWalls<Dim> walls{tree.domain().box(), {}};
    walls.open[0] = open;
    const Characteristics<Dim, double> flow{mesh.view(), nodal.view(), 0.25, walls, {}};
    NodeField<double> f(mesh, 1.0);
    Advection<Dim, double> advection(AdvectionScheme::maccormack);
    advection.fields(flow, MeshChange<Dim>{mesh, mesh}, {{&f, -3.0}});
    for (std::size_t i = 0; i < f.size(); ++i) {
      const double x = mesh.view().position(NodeId(i))[0];
      ASSERT_EQ(f[NodeId(i)], open && x < 0.25 ? -3 : 1) << x;
    }
  }
}

TEST(Advection, SchemesHaveNames) {
  EXPECT_EQ(advection_scheme_named("bfecc"), AdvectionScheme::bfecc);
  EXPECT_THROW(advection_scheme_named("flip"), InputError);
}

}  // namespace
}  // namespace octavo
