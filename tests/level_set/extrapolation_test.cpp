// Velocities carried from the liquid into the air: constants exactly, linear ones to first order, along normals.

#include "octavo/level_set/extrapolation.h"

#include <gtest/gtest.h>

#include "level_set/surface_cases.h"
#include "octavo/level_set/leaf_centers.h"

namespace octavo {
namespace {

template <class D>
class ExtrapolationTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(ExtrapolationTest, test::Dims);

// A velocity on the faces whose leaves are liquid; nonsense on the others.
template <int Dim, class Velocity>
struct Case {
  const Mesh<Dim>& mesh;
  NodeField<double> phi;
  LeafField<double> level_set;
  FlowBoundary<Dim, double> boundary;
  Buffer<std::uint8_t> known;
  FaceField<double> velocity;

  template <class Distance>
  Case(const Mesh<Dim>& m, const Distance& distance, const Velocity& u) : mesh(m), velocity(m) {
    phi = test::nodal_field(mesh, distance);
    at_leaf_centers(mesh, phi, level_set);
    boundary.level_set = std::as_const(level_set).view();
    boundary.wall.fill(Wall::open);
    mark_liquid_faces(mesh, boundary, known);
    const MeshView<Dim> view = mesh.view();
    for (std::size_t i = 0; i < mesh.face_count(); ++i) {
      const FaceId face(i);
      velocity[face] = known[i] != 0 ? u(view.center(face))[view.axis(face)] : 1e30;
    }
  }
  bool has_liquid() const {
    return std::any_of(known.begin(), known.end(), [](auto mark) { return mark != 0; });
  }
};

TYPED_TEST(ExtrapolationTest, ConstantsAreExactOnAnyTree) {
  constexpr int Dim = TestFixture::dim;
  Extrapolation<Dim, double> extrapolate;
  std::size_t deferred = 0;
  test::for_random_trees<Dim>(test::tree_count / 10, [&](const auto& tree, std::uint64_t seed) {
    const Mesh<Dim> mesh(tree);
    const Random random(seed);
    Vec<Dim> constant{};
    for (int a = 0; a < Dim; ++a) constant[a] = random.uniform(static_cast<std::uint64_t>(a)) + 1;
    auto uniform = [=](const Vec<Dim>&) { return constant; };
    std::uint64_t next = 10;
    auto noise = [&](const Vec<Dim>&) { return random.uniform(++next) - 0.5; };
    for (const bool noisy : {false, true}) {
      const test::Plane<Dim> plane(tree.domain().box(), seed);
      Case c(
          mesh, [&](const Vec<Dim>& x) { return noisy ? noise(x) : plane(x); }, uniform);
      if (!c.has_liquid()) continue;
      const auto report =
          extrapolate(mesh, c.phi, std::as_const(c.known).view(), c.velocity, test::everywhere);
      EXPECT_EQ(report.known + report.reached, mesh.node_count());
      deferred += report.deferred;
      for (std::size_t i = 0; i < mesh.face_count(); ++i)
        ASSERT_NEAR(c.velocity[FaceId(i)], constant[mesh.view().axis(FaceId(i))], 1e-11);
    }
  });
  EXPECT_GT(deferred, 100u) << "no node had to wait";
}

TYPED_TEST(ExtrapolationTest, LinearVelocitiesAreOfFirstOrder) {
  constexpr int Dim = TestFixture::dim;
  for (const int jump : {0, 2}) {
    test::Errors before;
    for (int base = Dim == 2 ? 5 : 3; base <= (Dim == 2 ? 7 : 5) - (test::sanitized ? 1 : 0);
         ++base) {
      const double h = 1.0 / (1 << base);
      const auto ball = test::Ball<Dim>::off_center(1);
      const auto tree = test::surface_tree<Dim>(base, jump, 1, ball);
      const Mesh<Dim> mesh(tree);
      auto linear = [](const Vec<Dim>& x) {
        Vec<Dim> u{};
        for (int a = 0; a < Dim; ++a) u[a] = 1 + x[a] - 2 * x[(a + 1) % Dim];
        return u;
      };
      Case c(mesh, ball, linear);
      const auto exact = c.velocity;
      Extrapolation<Dim, double> extrapolate;
      extrapolate(mesh, c.phi, std::as_const(c.known).view(), c.velocity, {.metres = 4 * h});
      test::Errors errors;
      for (std::size_t i = 0; i < mesh.face_count(); ++i) {
        const FaceId face(i);
        const Vec<Dim> x = mesh.view().center(face);
        if (c.known[i] != 0) {
          EXPECT_EQ(c.velocity[face], exact[face]);
        } else if (ball(x) < 2.5 * h) {
          const Vec<Dim> foot = x - (x - ball.center) * (ball(x) / length(x - ball.center));
          errors.add(c.velocity[face] - linear(foot)[mesh.view().axis(face)]);
        }
      }
      fmt::print("extrapolation {}D, jump {}, h 1/{}: L1 {:.2g} h, Linf {:.2g} h\n", Dim, jump,
                 1 << base, errors.mean() / h, errors.largest / h);
      EXPECT_LT(errors.mean(), 1.5 * h);
      EXPECT_LT(errors.largest, 8 * h);
      if (before.count > 0) {
        EXPECT_GT(test::order(before.mean(), errors.mean()), 0.8);
      }
      before = errors;
    }
  }
}

TYPED_TEST(ExtrapolationTest, ValuesGoAlongTheNormalOfAPlane) {
  constexpr int Dim = TestFixture::dim;
  const auto tree = Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 4; });
  const Mesh<Dim> mesh(tree);
  const auto phi = test::nodal_field(mesh, [](const Vec<Dim>& x) { return x[Dim - 1] - 0.47; });
  NodeField<Vec<Dim, double>> value(mesh, Vec<Dim>::filled(77));
  Buffer<std::uint8_t> known(mesh.node_count());
  auto at = [&](NodeId node) {
    const Vec<Dim> x = mesh.view().position(node);
    return Vec<Dim>::filled(std::sin(7 * x[0]));
  };
  for (std::size_t i = 0; i < mesh.node_count(); ++i) {
    known[i] = phi[NodeId(i)] < 0 ? 1 : 0;
    if (known[i] != 0) value[NodeId(i)] = at(NodeId(i));
  }
  Extrapolation<Dim, double> extrapolate;
  const auto report = extrapolate(mesh, phi, std::as_const(known).view(), value, {.leaves = 4});
  EXPECT_EQ(report.deferred, 0u);
  for (std::size_t i = 0; i < mesh.node_count(); ++i) {
    const double expected = phi[NodeId(i)] <= 0.25 ? at(NodeId(i))[0] : 0.0;
    EXPECT_NEAR(value[NodeId(i)][0], expected, 1e-13);
  }
}

TYPED_TEST(ExtrapolationTest, PartsOfALargeFaceInTheAirShareOneVelocityIfAsked) {
  constexpr int Dim = TestFixture::dim;
  const auto ball = test::Ball<Dim>::off_center(1);
  const auto tree = test::surface_tree<Dim>(4, 2, 2, ball);
  const Mesh<Dim> mesh(tree);
  auto swirl = [](const Vec<Dim>& x) {
    Vec<Dim> u{};
    u[0] = -x[1];
    u[1] = x[0];
    return u;
  };
  Extrapolation<Dim, double> extrapolate;
  for (const bool shared : {true, false}) {
    Case c(mesh, ball, swirl);
    extrapolate(mesh, c.phi, std::as_const(c.known).view(), c.velocity, test::everywhere, shared);
    std::size_t different = 0, parts = 0;
    for (std::size_t i = 0; i < mesh.face_count(); ++i) {
      const FaceId face(i), first = mesh.view().large_face(face).first;
      if (c.known[i] != 0 || face == first) continue;
      ++parts;
      if (c.velocity[face] != c.velocity[first]) ++different;
    }
    EXPECT_GT(parts, 20u);
    if (shared) {
      EXPECT_EQ(different, 0u);
    } else {
      EXPECT_GT(different, parts / 4);
    }
  }
}

TYPED_TEST(ExtrapolationTest, WithoutLiquidThereIsNoVelocity) {
  constexpr int Dim = TestFixture::dim;
  const auto tree = test::random_tree<Dim>(5);
  const Mesh<Dim> mesh(tree);
  Case c(
      mesh, [](const Vec<Dim>&) { return 1.0; }, [](const Vec<Dim>&) { return Vec<Dim>{}; });
  EXPECT_FALSE(c.has_liquid());
  Extrapolation<Dim, double> extrapolate;
  const auto report =
      extrapolate(mesh, c.phi, std::as_const(c.known).view(), c.velocity, test::everywhere);
  EXPECT_EQ(report.known + report.reached, 0u);
  for (std::size_t i = 0; i < mesh.face_count(); ++i) EXPECT_EQ(c.velocity[FaceId(i)], 0);
}

}  // namespace
}  // namespace octavo
