#include "octavo/shapes/mesh_distance.h"

#include <gtest/gtest.h>

#include "octavo/base/error.h"
#include "octavo/base/parallel.h"
#include "octavo/base/random.h"
#include "octavo/shapes/implicit.h"
#include "shapes/test_meshes.h"

namespace octavo {
namespace {

using Triangle = MeshDistance::Triangle;

Vec3d random_point(std::uint64_t i, std::uint32_t stream, double scale) {
  const Random random(11);
  return Vec3d{random.uniform(i, stream, 0), random.uniform(i, stream, 1),
               random.uniform(i, stream, 2)} *
         scale;
}

// Triangles all over the unit cube, of sizes from a thousandth to about 1.
TriangleMesh soup(std::uint32_t count) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    const double size = std::pow(10.0, -3 * Random(5).uniform(i));
    const Vec3d corner = random_point(i, 0, 1);
    for (std::uint32_t k = 1; k < 4; ++k)
      mesh.vertices.push_back(corner + random_point(i, k, size));
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

double slow_distance(const TriangleMesh& mesh, const Vec3d& p) {
  double best = HUGE_VAL;
  for (const auto& t : mesh.triangles) {
    const Vec3d& corner = mesh.vertices[t[0]];
    best = std::min(best, squared_distance(p, Triangle{corner, mesh.vertices[t[1]] - corner,
                                                       mesh.vertices[t[2]] - corner}));
  }
  return std::sqrt(best);
}

// One point for each region: above the inside, beyond each edge, beyond each corner.
TEST(TriangleDistance, AllRegions) {
  const Triangle t{{0, 0, 1}, {4, 0, 0}, {0, 3, 0}};
  EXPECT_DOUBLE_EQ(squared_distance({1, 1, 3}, t), 4);
  EXPECT_DOUBLE_EQ(squared_distance({1, 1, 1}, t), 0);
  EXPECT_DOUBLE_EQ(squared_distance({2, -3, 1}, t), 9);
  EXPECT_DOUBLE_EQ(squared_distance({-2, 1, 2}, t), 5);
  EXPECT_DOUBLE_EQ(squared_distance({2 + 3, 1.5 + 4, 1}, t), 25);
  EXPECT_DOUBLE_EQ(squared_distance({-3, -4, 1}, t), 25);
  EXPECT_DOUBLE_EQ(squared_distance({6, -1, 1}, t), 5);
  EXPECT_DOUBLE_EQ(squared_distance({-1, 5, 3}, t), 9);
}

TEST(TriangleDistance, SegmentsAndPoints) {
  EXPECT_DOUBLE_EQ(squared_distance({1, 2, 0}, Triangle{{0, 0, 0}, {2, 0, 0}, {1, 0, 0}}), 4);
  EXPECT_DOUBLE_EQ(squared_distance({-1, 2, 0}, Triangle{{0, 0, 0}, {2, 0, 0}, {1, 0, 0}}), 5);
  EXPECT_DOUBLE_EQ(squared_distance({0, 3, 4}, Triangle{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}), 25);
}

// A second route: the nearest of many points spread over the triangle.
TEST(TriangleDistance, AgreesWithSampling) {
  const Triangle t{{0.1, 0.2, 0.3}, {0.7, 0.1, -0.2}, {0.3, 0.9, 0.4}};
  for (std::uint32_t i = 0; i < 50; ++i) {
    const Vec3d p = random_point(i, 9, 3) - Vec3d::filled(1);
    double best = HUGE_VAL;
    for (int u = 0; u <= 300; ++u)
      for (int v = 0; v <= 300 - u; ++v)
        best =
            std::min(best, length(t.corner + t.edge_1 * (u / 300.0) + t.edge_2 * (v / 300.0) - p));
    EXPECT_NEAR(std::sqrt(squared_distance(p, t)), best, 5e-3);
    EXPECT_LE(std::sqrt(squared_distance(p, t)), best + 1e-12);
  }
}

TEST(MeshDistance, CubeIsABoxShape) {
  const MeshDistance distance(test::cube_mesh());
  const BoxShape<3> box{Vec3d::filled(0.5), Vec3d::filled(0.5)};
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const Vec3d p = random_point(i, 1, 4) - Vec3d::filled(1.5);
    EXPECT_NEAR(distance.distance(p), std::abs(box(p)), 1e-14);
  }
  EXPECT_EQ(distance.bounds().lo, Vec3d::filled(0));
  EXPECT_EQ(distance.bounds().hi, Vec3d::filled(1));
  EXPECT_EQ(distance.triangle_count(), 12u);
}

TEST(MeshDistance, EqualsTheSlowSearch) {
  for (const std::uint32_t count : {1u, 2u, 5u, 33u, 2000u}) {
    const TriangleMesh mesh = soup(count);
    const MeshDistance distance(mesh);
    for (std::uint32_t i = 0; i < 300; ++i) {
      const Vec3d p = random_point(i, 7, 3) - Vec3d::filled(1);
      ASSERT_EQ(distance.distance(p), slow_distance(mesh, p)) << count << " triangles, point " << i;
    }
  }
}

TEST(MeshDistance, WithinIsACheaperDistance) {
  const MeshDistance distance(soup(2000));
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const Vec3d p = random_point(i, 7, 3) - Vec3d::filled(1);
    const double d = distance.distance(p);
    EXPECT_TRUE(distance.within(p, d * (1 + 1e-12)));
    EXPECT_FALSE(distance.within(p, d * (1 - 1e-12)));
    EXPECT_EQ(distance.within(p, 0.3), d <= 0.3);
  }
}

TEST(MeshDistance, WithinIncludesItsLimit) {
  const MeshDistance distance(test::cube_mesh());
  EXPECT_TRUE(distance.within({0.5, 0.5, 3}, 2));
  EXPECT_FALSE(distance.within({0.5, 0.5, 3}, std::nextafter(2, 0)));
  EXPECT_TRUE(distance.within({0, 0.5, 0.5}, 0));
  EXPECT_FALSE(distance.within({0, 0.5, 0.5}, -1));
}

// Whatever the guess, the answer is the same, and the nearest triangle is named.
TEST(MeshDistance, GuessesChangeNothing) {
  const TriangleMesh mesh = soup(2000);
  const MeshDistance distance(mesh);
  std::uint32_t nearest = 7;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const Vec3d p = random_point(i, 7, 3) - Vec3d::filled(1);
    if (i % 3 == 0) nearest = i * 4000001u;  // often no triangle at all
    ASSERT_EQ(distance.distance(p, nearest), distance.distance(p));
    ASSERT_LT(nearest, 2000u);
    std::uint32_t again = nearest;
    distance.distance(p, again);
    ASSERT_EQ(again, nearest);
  }
}

// Seen from its middle and from afar all triangles of a sphere are about as far.
TEST(MeshDistance, SphereFromEverywhere) {
  const TriangleMesh mesh = test::ball_mesh(16);
  const MeshDistance distance(mesh);
  for (const double far : {0.0, 1e-6, 1e-3, 0.1, 1.0, 10.0, 1e4, 1e9, 1e20, 1e40}) {
    for (std::uint32_t i = 0; i < 20; ++i) {
      const Vec3d p = (random_point(i, 3, 2) - Vec3d::filled(1)) * far;
      ASSERT_EQ(distance.distance(p), slow_distance(mesh, p)) << far << ", point " << i;
    }
  }
}

TEST(MeshDistance, OfAPoint) {
  TriangleMesh mesh;
  mesh.vertices = {{1, 2, 3}};
  mesh.triangles = {{0, 0, 0}};
  EXPECT_DOUBLE_EQ(MeshDistance(mesh).distance({1, 5, 7}), 5);
  EXPECT_TRUE(std::isnan(MeshDistance(mesh).distance(Vec3d::filled(std::nan("")))));
}

// Far from the origin the single-precision boxes are coarse, but the distances stay exact.
TEST(MeshDistance, FarFromTheOrigin) {
  TriangleMesh mesh = soup(500);
  for (Vec3d& p : mesh.vertices) p = p * 1e-3 + Vec3d{12345.678, -9876.5, 4321.1};
  const MeshDistance distance(mesh);
  for (std::uint32_t i = 0; i < 200; ++i) {
    const Vec3d p = mesh.vertices[i] + random_point(i, 7, 1e-3);
    ASSERT_EQ(distance.distance(p), slow_distance(mesh, p));
  }
}

// Inputs that do not let themselves be cut: all the same, and sizes that halve again and again.
TEST(MeshDistance, HardToSplit) {
  TriangleMesh same, shrinking;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const double scale = std::ldexp(1.0, -static_cast<int>(i));
    for (const Vec3d& p : {Vec3d{1, 0, 0}, Vec3d{1, 1, 0}, Vec3d{1, 0, 1}}) {
      same.vertices.push_back(p);
      shrinking.vertices.push_back(p * scale);
    }
    same.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  shrinking.triangles = same.triangles;
  EXPECT_DOUBLE_EQ(MeshDistance(same).distance({3, 0.2, 0.2}), 2);
  const MeshDistance distance(shrinking);
  for (std::uint32_t i = 0; i < 100; ++i)
    ASSERT_EQ(distance.distance(random_point(i, 0, 2)),
              slow_distance(shrinking, random_point(i, 0, 2)));
}

TEST(MeshDistance, ManyThreadsMayAsk) {
  const MeshDistance distance(soup(500));
  std::vector<double> one(20000), many(20000);
  for (std::size_t i = 0; i < one.size(); ++i) one[i] = distance.distance(random_point(i, 2, 2));
  set_threads(4);
  parallel_for("ask", many.size(),
               [&](std::size_t i) { many[i] = distance.distance(random_point(i, 2, 2)); });
  set_threads(0);
  EXPECT_EQ(one, many);
}

TEST(MeshDistance, RefusesAnEmptyMesh) { EXPECT_THROW(MeshDistance(TriangleMesh{}), InputError); }

}  // namespace
}  // namespace octavo
