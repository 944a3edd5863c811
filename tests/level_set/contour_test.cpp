// The contour is a closed oriented manifold, whatever the tree and the level set, and encloses the volume of the leaves.

#include "octavo/level_set/contour.h"

#include <gtest/gtest.h>

#include "octavo/level_set/liquid_volume.h"
#include "octavo/shapes/mesh_checks.h"
#include "support/level_set_cases.h"

namespace octavo {
namespace {

template <class D>
class ContourTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(ContourTest, test::Dims);

template <int Dim, class Real>
struct ContourCase {
  explicit ContourCase(Octree<Dim> t) : tree(std::move(t)), mesh(tree) {}

  void build(const NodeField<Real>& level_set, const NodeField<Real>* solid = nullptr) {
    phi = level_set;
    surface.build(mesh, phi, solid);
    contour.build(surface);
    volume.measure(surface);
  }
  auto facts() const { return test::facts<Dim>(contour, mesh.tree().domain().box().center()); }

  Octree<Dim> tree;
  Mesh<Dim> mesh;
  NodeField<Real> phi;
  SurfaceLeaves<Dim, Real> surface;
  Contour<Dim, Real> contour;
  LiquidVolume<Dim, Real> volume;
};

template <int Dim, class Real>
void expect_closed(const ContourCase<Dim, Real>& c) {
  const auto facts = c.facts();
  const double box = c.tree.domain().volume();
  ASSERT_EQ(facts.breach, "");
  ASSERT_GT(facts.smallest, 0.0);
  ASSERT_NEAR(facts.volume, c.volume.total(), 1e-12 * box);
  ASSERT_NEAR(facts.area, c.volume.surface_area(),
              1e-12 * (facts.area + box / c.tree.domain().root_size));
  for (const Vec<Dim>& x : c.contour.vertices()) ASSERT_TRUE(c.tree.domain().box().contains(x));
}

template <int Dim, class Real>
void random_contours(int count) {
  std::size_t triangles = 0;
  test::for_random_trees<Dim>(count, [&](Octree<Dim> tree, std::uint64_t seed) {
    ContourCase<Dim, Real> c(std::move(tree));
    for (int kind = 0; kind < test::level_set_kinds; ++kind) {
      SCOPED_TRACE("kind " + std::to_string(kind));
      const auto phi = test::random_level_set<Dim, Real>(c.mesh, seed, kind);
      c.build(phi);
      expect_closed(c);
      triangles += c.contour.triangles().size();
      if (seed % 2 == 0) continue;
      SCOPED_TRACE("with a solid");
      const auto solid = test::random_level_set<Dim, Real>(
          c.mesh, seed + 1000, static_cast<int>((seed / 2) % test::level_set_kinds));
      c.build(phi, &solid);
      expect_closed(c);
    }
  });
  EXPECT_GT(triangles, static_cast<std::size_t>(count) * 100);
}

TYPED_TEST(ContourTest, RandomTreesAndLevelSets) {
  constexpr int Dim = TestFixture::dim;
  random_contours<Dim, double>(test::sanitized ? 12 : Dim == 2 ? 200 : 100);
  random_contours<Dim, float>(test::sanitized ? 6 : 30);
}

// The part of a box below a plane: corners count with alternating signs,
//
//   V = (sum over corners c of (-1)^|c| max(0, d - n.c)^Dim) / (Dim! prod n),
//
// for a normal n without a zero and corners from which all components point along n.
template <int Dim>
double volume_below(const Box<Dim>& box, const Vec<Dim>& at, const Vec<Dim>& normal) {
  double product = 1;
  for (int a = 0; a < Dim; ++a) product *= (a + 1) * std::abs(normal[a]);
  double sum = 0;
  int above = 0;
  for (int c = 0; c < child_count<Dim>; ++c) {
    Vec<Dim> x{};
    int sign = 1;
    for (int a = 0; a < Dim; ++a) {
      const bool far = ((c >> a) & 1) != 0;
      x[a] = far == (normal[a] > 0) ? box.hi[a] : box.lo[a];
      if (far) sign = -sign;
    }
    const double depth = dot(at - x, normal);
    sum += sign * std::pow(std::max(0.0, depth), Dim);
    above += depth <= 0 ? 1 : 0;
  }
  return above == 0 ? octavo::product(box.size()) : sum / product;
}

TYPED_TEST(ContourTest, PlanesAreExact) {
  constexpr int Dim = TestFixture::dim;
  test::for_random_trees<Dim>(test::sanitized ? 12 : 100, [&](Octree<Dim> tree,
                                                              std::uint64_t seed) {
    ContourCase<Dim, double> c(std::move(tree));
    const Random random(seed);
    const Box<Dim> box = c.tree.domain().box();
    Vec<Dim> normal{}, at{};
    for (int a = 0; a < Dim; ++a) {
      const auto axis = static_cast<std::uint32_t>(a);
      normal[a] = (random.uniform(1, axis) + 0.1) * (random.below(2, 2, axis) * 2 - 1);
      at[a] = box.lo[a] + box.size()[a] * random.uniform(3, axis);
    }
    normal = normal / length(normal);
    auto distance = [&](const Vec<Dim>& x) { return dot(x - at, normal); };
    c.build(
        test::nodal<Dim, double>(c.mesh, [&](NodeId, const Vec<Dim>& x) { return distance(x); }));
    ASSERT_NEAR(c.volume.total(), volume_below(box, at, normal), 1e-9 * c.tree.domain().volume());

    // Each leaf and each face have their part; a node close to the plane may count as on it.
    const MeshView<Dim> m = c.mesh.view();
    const auto tetrahedra = c.surface.tetrahedra();
    std::size_t inexact = 0;
    for (std::size_t i = 0; i < m.leaf_count(); ++i) {
      const LeafId leaf(i);
      const Vec<Dim> half = Vec<Dim>::filled(0.5 * m.tree.size(leaf));
      const double error = std::abs(
          c.volume.in_leaves()[leaf] -
          volume_below<Dim>({m.tree.center(leaf) - half, m.tree.center(leaf) + half}, at, normal));
      const double side = m.tree.volume(leaf) / m.tree.size(leaf);
      ASSERT_LE(error, 1e-8 * c.tree.domain().root_size * side) << i;
      if (error > 1e-12 * side) ++inexact;
    }
    ASSERT_LE(inexact, m.leaf_count() / 50);
    double through = 0;  // Gauss: the wet parts of the walls along x add up to the surface's shadow
    for (std::size_t i = 0; i < m.face_count(); ++i) {
      const FaceId f(i);
      const double wet = wet_part(tetrahedra, f);
      ASSERT_GE(wet, 0);
      ASSERT_LE(wet, 1 + 1e-14);
      if (m.axis(f) == 0 && m.is_wall(f))
        through += (m.face_leaf[f].low.is_none() ? 1 : -1) * wet * m.area(f);
    }
    ASSERT_NEAR(through, normal[0] * c.volume.surface_area(),
                1e-9 * std::pow(c.tree.domain().root_size, Dim - 1) * 100);
    const auto vertices = c.contour.vertices();
    for (std::size_t i = 0; i < vertices.size(); ++i)
      ASSERT_LE(distance(vertices[i]), 1e-12 + 1e-8 * c.tree.domain().root_size);
  });
}

// A tree with leaves of three sizes at the surface.
template <int Dim>
Octree<Dim> rough_tree(int level) {
  const Random random(17);
  return Octree<Dim>::build({}, [=](const Leaf<Dim>& l) {
    return l.level < level || (l.level < level + 2 && test::cell_noise(random, l) < 0.3);
  });
}

TYPED_TEST(ContourTest, BallsAreOfSecondOrder) {
  constexpr int Dim = TestFixture::dim;
  const double radius = 0.31, pi = 3.14159265358979323846;
  const double volume = Dim == 2 ? pi * radius * radius : 4 * pi / 3 * radius * radius * radius;
  const double area = Dim * volume / radius;
  double last_volume = 0, last_area = 0;
  for (const int level : {2, 3, 4}) {
    ContourCase<Dim, double> c(rough_tree<Dim>(Dim == 2 ? level + 2 : level));
    auto phi = test::nodal<Dim, double>(c.mesh, [&](NodeId, const Vec<Dim>& x) {
      return length(x - Vec<Dim>::filled(0.513)) - radius;
    });
    constrain(c.mesh, phi);
    c.build(phi);
    ASSERT_EQ(c.facts().breach, "");
    EXPECT_EQ(c.facts().euler, Dim == 2 ? 0 : 2);
    const double volume_error = std::abs(c.volume.total() / volume - 1);
    const double area_error = std::abs(c.volume.surface_area() / area - 1);
    if (last_volume > 0) {
      EXPECT_GT(std::log2(last_volume / volume_error), 1.7);
      EXPECT_GT(std::log2(last_area / area_error), 1.5);
    }
    std::printf("level %d: volume %.2g area %.2g\n", level, volume_error, area_error);
    last_volume = volume_error;
    last_area = area_error;
  }
}

// A ring has a hole; two balls are two pieces; a shell has an inside and an outside.
TEST(Contour, EulerCharacteristics) {
  auto euler = [](auto&& phi) {
    ContourCase<3, float> c(rough_tree<3>(4));
    auto field = test::nodal<3, float>(c.mesh, [&](NodeId, const Vec3d& x) {
      return phi(x - Vec3d{0.5, 0.5, 0.5});
    });
    constrain(c.mesh, field);
    c.build(field);
    EXPECT_EQ(c.facts().breach, "");
    return c.facts().euler;
  };
  EXPECT_EQ(euler([](const Vec3d& x) {
              return length(Vec2d{std::sqrt(x[0] * x[0] + x[1] * x[1]) - 0.28, x[2]}) - 0.12;
            }),
            0);
  EXPECT_EQ(euler([](const Vec3d& x) {
              return std::min(length(x - Vec3d{0.25, 0, 0}), length(x + Vec3d{0.25, 0, 0})) - 0.15;
            }),
            4);
  EXPECT_EQ(euler([](const Vec3d& x) { return std::abs(length(x) - 0.3) - 0.1; }), 4);
  EXPECT_EQ(euler([](const Vec3d& x) { return x[2]; }), 2);  // half of the box, with its caps
  EXPECT_EQ(euler([](const Vec3d&) { return -1; }), 2);      // all of it
  EXPECT_EQ(euler([](const Vec3d&) { return 1; }), 0);       // nothing
}

// Still water whose surface is in the plane of nodes has two triangles a leaf, in that very plane.
TEST(Contour, SurfaceThroughNodes) {
  ContourCase<3, float> c(Octree<3>::build({}, [](const Leaf<3>& l) { return l.level < 3; }));
  c.build(test::nodal<3, float>(c.mesh, [](NodeId, const Vec3d& x) { return x[2] - 0.5 + 1e-6; }));
  const auto facts = c.facts();
  EXPECT_EQ(facts.breach, "");
  EXPECT_EQ(c.contour.cap_begin(), 2u * 64);
  EXPECT_EQ(c.contour.triangles().size(), 2u * 64 * 2 + 4 * 2 * 32);
  EXPECT_NEAR(facts.volume, 0.5, 1e-14);
  EXPECT_EQ(c.volume.total(), 0.5);
  EXPECT_NEAR(facts.area, 1, 1e-14);

  // Where something hangs on the faces in the plane, centres are beside it by as much as counts as zero.
  ContourCase<3, float> rough(rough_tree<3>(3));
  rough.build(test::nodal<3, float>(rough.mesh, [](NodeId, const Vec3d& x) { return x[2] - 0.5; }));
  EXPECT_EQ(rough.facts().breach, "");
  EXPECT_NEAR(rough.volume.total(), 0.5, 1e-4 / 8);
  EXPECT_NEAR(rough.facts().volume, rough.volume.total(), 1e-14);
  EXPECT_NEAR(rough.facts().area, 1, 1e-6);
}

// Two balls that touch at a node stay two, two leaves that touch at an edge as well, and a film of no thickness is none.
TYPED_TEST(ContourTest, LiquidThatTouchesItself) {
  constexpr int Dim = TestFixture::dim;
  ContourCase<Dim, double> c(
      Octree<Dim>::build({}, [](const Leaf<Dim>& l) { return l.level < 4; }));
  const auto balls = test::nodal<Dim, double>(c.mesh, [](NodeId, Vec<Dim> x) {
    x = x - Vec<Dim>::filled(0.5);
    x[0] = std::abs(x[0]) - 0.1875;
    return length(x) - 0.1875;
  });
  c.build(balls);
  expect_closed(c);
  EXPECT_EQ(c.facts().euler, Dim == 2 ? 0 : 4);

  // Bubbles that touch are joined there.
  NodeField<double> inverse = balls;
  for (std::size_t i = 0; i < inverse.size(); ++i) inverse[NodeId(i)] *= -1;
  c.build(inverse);
  expect_closed(c);
  EXPECT_EQ(c.facts().euler, Dim == 2 ? 0 : 2 + 2);  // zero is air

  auto single_nodes = [&](auto&& is_dry) {
    c.build(test::nodal<Dim, double>(
        c.mesh, [&](NodeId, const Vec<Dim>& x) { return is_dry(x) ? 0.0 : -0.1; }));
    expect_closed(c);
    return c.volume.total();
  };
  const Vec<Dim> middle = Vec<Dim>::filled(0.5);
  EXPECT_EQ(single_nodes([&](const Vec<Dim>& x) { return x == middle; }), 1);
  EXPECT_NEAR(single_nodes([&](const Vec<Dim>& x) {
                return x == middle || (x[0] == 0.5625 && length(x - middle) < 0.07);
              }),
              1, 1e-4);
  EXPECT_NEAR(single_nodes([&](const Vec<Dim>& x) { return x[0] == 0.5; }), 1, 1e-3);
  EXPECT_NEAR(single_nodes([&](Vec<Dim> x) {  // the corners of one triangle
                x = (x - middle) * 16.0;
                const double top = x[Dim - 1];
                return (top == 0 || top == 1) && x[0] >= top && x[0] <= 1 &&
                       (Dim == 2 || x[1] == top);
              }),
              Dim == 2 ? 1 - 0.5 / 256 : 1, 1e-4);
}

// What is closed stays so as a mesh for renderers, where caps have vertices and normals of their own.
TEST(Contour, MeshForRenderers) {
  ContourCase<3, float> c(rough_tree<3>(3));
  auto phi = test::nodal<3, float>(c.mesh, [](NodeId, const Vec3d& x) {
    return length(x - Vec3d{0, 0.5, 0.5}) - 0.45;
  });
  constrain(c.mesh, phi);
  c.build(phi);
  Buffer<Vec3f> normals;
  c.contour.normals(c.surface, normals);
  const SurfaceMesh mesh = surface_mesh(c.contour, std::as_const(normals).view());
  EXPECT_TRUE(is_closed(mesh));
  EXPECT_EQ(mesh.triangles.size(), c.contour.triangles().size());
  for (const auto& t : mesh.triangles) {
    const Vec3d& p = mesh.vertices[t[0]];
    const Vec3d across = cross(mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p);
    const bool is_cap = p[0] == 0 && mesh.vertices[t[1]][0] == 0 && mesh.vertices[t[2]][0] == 0;
    for (const std::uint32_t v : t) {
      const Vec3d n = mesh.normals[v].cast<double>(), x = mesh.vertices[v];
      EXPECT_NEAR(length(n), 1, 1e-6);
      const Vec3d exact =
          is_cap ? Vec3d{-1, 0, 0} : (x - Vec3d{0, 0.5, 0.5}) / length(x - Vec3d{0, 0.5, 0.5});
      EXPECT_LT(length(n - exact), is_cap ? 1e-6 : 0.15);
    }
    EXPECT_TRUE(!is_cap || across[0] < 0);
  }

  // Velocities are those of the flow where the vertices are.
  NodeField<Vec3f> velocity(c.mesh);
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    const Vec3d x = c.mesh.view().position(NodeId(i));
    velocity[NodeId(i)] = Vec3f{static_cast<float>(x[1]), static_cast<float>(-x[0]), 1};
  }
  Buffer<Vec3f> at_vertices;
  c.contour.sample(c.surface, velocity, at_vertices);
  const SurfaceMesh moving =
      surface_mesh(c.contour, std::as_const(normals).view(), std::as_const(at_vertices).view());
  ASSERT_EQ(moving.velocities.size(), moving.vertices.size());
  for (std::size_t i = 0; i < moving.vertices.size(); ++i) {
    const Vec3d x = moving.vertices[i];
    EXPECT_LT(length(moving.velocities[i].cast<double>() - Vec3d{x[1], -x[0], 1}), 1e-6);
  }
}

TEST(Contour, NotANumber) {
  ContourCase<2, float> c(rough_tree<2>(2));
  NodeField<float> phi(c.mesh, 1);
  phi[NodeId(3)] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(c.build(phi), SimulationError);
  NodeField<float> solid(c.mesh, 1);
  std::swap(phi, solid);
  EXPECT_THROW(c.build(phi, &solid), SimulationError);
}

}  // namespace
}  // namespace octavo
