#include "octavo/shapes/mesh_shape.h"

#include <gtest/gtest.h>

#include "octavo/base/parallel.h"
#include "octavo/shapes/implicit.h"
#include "octavo/shapes/mesh_checks.h"
#include "octavo/shapes/mesh_distance.h"
#include "octavo/shapes/winding_number.h"
#include "shapes/shape_checks.h"
#include "shapes/test_meshes.h"

namespace octavo {
namespace {

using test::ball_mesh;
using test::complaint;
using test::cube_around_origin;
using test::cube_mesh;
using test::expect_safe;
using test::nan;
using test::random_point;

const Box<3> around{{-1, -1, -1}, {2, 2, 2}};
const BoxShape<3> unit_box{{0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}};

// A mesh of the unit cube, however it is put together, is the box.
void expect_cube(const TriangleMesh& mesh) {
  const Shape<3> shape = closed_mesh_shape(mesh);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Vec3d p = random_point(i, 0, around);
    ASSERT_NEAR(shape(p), unit_box(p), 1e-14) << "point " << i;
  }
  EXPECT_EQ(shape.bounds().lo, Vec3d::filled(0));
  EXPECT_EQ(shape.bounds().hi, Vec3d::filled(1));
  expect_safe(shape, around);
}

TEST(ClosedMesh, CubeIsABox) { expect_cube(cube_mesh()); }
TEST(ClosedMesh, InsideOut) { expect_cube(test::inverted(cube_mesh())); }
TEST(ClosedMesh, Twice) { expect_cube(test::joined(cube_mesh(), cube_mesh())); }
TEST(ClosedMesh, Separated) { expect_cube(test::separated(cube_mesh())); }

TEST(ClosedMesh, DegenerateTrianglesDoNotCount) {
  expect_cube(test::with_degenerate(cube_mesh()));
  TriangleMesh mesh = cube_mesh();  // a segment far outside
  mesh.vertices.push_back({5, 5, 5});
  mesh.vertices.push_back({6, 5, 5});
  mesh.triangles.push_back({8, 9, 9});
  mesh.triangles.push_back({8, 8, 8});
  expect_cube(mesh);
}

// An edge of one side meets two of the next; a triangle without an area fills the gap that is none.
TEST(ClosedMesh, StitchedWithDegenerateTriangles) {
  TriangleMesh mesh = cube_mesh();
  mesh.vertices.push_back({0.3, 0, 0});  // on the edge from 0 to 1
  mesh.triangles[0] = {0, 3, 8};
  mesh.triangles.push_back({8, 3, 1});
  EXPECT_FALSE(is_closed(mesh));
  mesh.triangles.push_back({0, 8, 1});
  EXPECT_TRUE(is_closed(mesh));
  expect_cube(mesh);
}

TEST(ClosedMesh, SphereIsASphere) {
  const Shape<3> shape = closed_mesh_shape(ball_mesh(40));
  const SphereShape<3> ball{{}, 1};
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Vec3d p = random_point(i, 0, cube_around_origin<3>(1.5));
    ASSERT_NEAR(shape(p), ball(p), 2e-3);  // the mesh is inside by up to that
  }
  expect_safe(shape, cube_around_origin<3>(1.5));
}

// Points near the surface and far from it, one after the other along a curve and not: what a thread
// remembers of the last point never changes a sign or a bit.
TEST(ClosedMesh, OrderDoesNotMatter) {
  const TriangleMesh mesh = test::joined(ball_mesh(20), test::inverted(ball_mesh(10, 0.6)));
  const Shape<3> shape = closed_mesh_shape(mesh);
  const MeshDistance distance(mesh);
  const WindingNumber winding(mesh);
  Vec3d p{};
  for (std::uint64_t i = 0; i < 20000; ++i) {
    p = i % 50 == 0 ? random_point(i, 0, cube_around_origin<3>(1.2))
                    : p + random_point(i, 1, cube_around_origin<3>(0.05));
    const double d = distance.distance(p);
    ASSERT_EQ(shape(p), std::abs(winding(p)) > 0.5 ? -d : d) << "point " << i;
  }
}

// More meshes than a thread has memories, asked in turns.
TEST(ClosedMesh, ManyMeshesAtOnce) {
  std::vector<Shape<3>> shapes;
  for (int k = 0; k < 40; ++k)
    shapes.push_back(closed_mesh_shape(test::shifted(cube_mesh(), {0.1 * k, 0, 0})));
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Vec3d p = random_point(i, 0, around);
    for (int k = 0; k < 40; ++k)
      ASSERT_NEAR(shapes[static_cast<std::size_t>(k)](p), unit_box(p - Vec3d{0.1 * k, 0, 0}),
                  1e-14);
  }
}

TEST(ClosedMesh, ManyThreadsMayAsk) {
  const Shape<3> shape = unite({closed_mesh_shape(ball_mesh(12)),
                                sheet_mesh_shape(test::shifted(cube_mesh(), {0.5, 0, 0}), 0.1)});
  std::vector<double> one(20000), many(20000);
  const auto at = [&](std::size_t i) {
    return shape(random_point(i, 2, cube_around_origin<3>(2)));
  };
  for (std::size_t i = 0; i < one.size(); ++i) one[i] = at(i);
  set_threads(4);
  parallel_for("ask", many.size(), [&](std::size_t i) { many[i] = at(i); });
  set_threads(0);
  EXPECT_EQ(one, many);
}

TEST(ClosedMesh, MovedAndCombined) {
  const Pose<3> pose = Pose<3>::about({0.5, 0.5, 0.5}, {0.3, 0.5, -0.2}, {0.1, 0.2, 0.3});
  const Shape<3> there = moved(closed_mesh_shape(cube_mesh()), pose),
                 hollow = subtract(there, sphere_shape(pose.apply({0.5, 0.5, 0.5}), 0.4));
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Vec3d p = random_point(i, 0, around), from_center = p - Vec3d::filled(0.5);
    ASSERT_NEAR(there(pose.apply(p)), unit_box(p), 1e-14);
    ASSERT_NEAR(hollow(pose.apply(p)), std::max(unit_box(p), 0.4 - length(from_center)), 1e-14);
  }
}

// A bowl is closed by a lid where the winding number is one half; the value passes through zero
// there, and nowhere promises more than there is.
TEST(OpenMesh, HoleIsClosedWithoutAJump) {
  for (const double rim : {0.0, 0.5, 0.95}) {
    const TriangleMesh mesh = test::cut_above(ball_mesh(24), rim - 1e-9);
    const Shape<3> shape = closed_mesh_shape(mesh);
    const MeshDistance distance(mesh);
    const WindingNumber winding(mesh);
    for (std::uint64_t i = 0; i < 4000; ++i) {
      const Vec3d p = random_point(i, 0, cube_around_origin<3>(1.2)),
                  q = p + random_point(i, 1, cube_around_origin<3>(0.1));
      ASSERT_LE(std::abs(shape(p)), distance.distance(p));
      ASSERT_EQ(shape(p) < 0, shape.bounds().contains(p) && std::abs(winding(p)) > 0.5);
      ASSERT_LE(std::abs(shape(p) - shape(q)), length(p - q) + 0.02 * distance.distance(p));
      if (!shape.bounds().contains(p)) {
        ASSERT_GT(shape(p), 0);
      }
    }
    const Vec3d lid{0, 0, rim};
    EXPECT_LT(shape(lid - Vec3d{0, 0, 0.2}), 0);
    EXPECT_GT(shape(lid + Vec3d{0, 0, 0.2}), 0);
    EXPECT_LT(shape({0, 0, -0.9}), -0.04);
  }
}

// A small hole changes little elsewhere.
TEST(OpenMesh, SmallHole) {
  TriangleMesh mesh = ball_mesh(24);
  mesh.triangles.pop_back();
  EXPECT_FALSE(is_closed(mesh));
  const Shape<3> shape = closed_mesh_shape(mesh);
  const SphereShape<3> ball{{}, 1};
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Vec3d p = random_point(i, 0, cube_around_origin<3>(1.5));
    if (std::abs(ball(p)) < 0.05) continue;
    ASSERT_EQ(shape(p) < 0, ball(p) < 0);
    ASSERT_NEAR(shape(p) / ball(p), 0.8, 0.12);
  }
}

TEST(OpenMesh, ASheetHasNoInside) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  const Shape<3> shape = closed_mesh_shape(mesh);
  for (std::uint64_t i = 0; i < 1000; ++i) ASSERT_GE(shape(random_point(i, 0, around)), 0);
}

TEST(SheetMesh, IsAsThickAsAsked) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {2, 3, 0}, {1, 1, 2}};
  const Shape<3> sheet = sheet_mesh_shape(mesh, 0.2);
  EXPECT_DOUBLE_EQ(sheet({0.3, 0.4, 0}), -0.1);
  EXPECT_DOUBLE_EQ(sheet({0.3, 0.4, 0.5}), 0.4);
  EXPECT_DOUBLE_EQ(sheet({0.3, 0.4, -0.5}), 0.4);
  EXPECT_DOUBLE_EQ(sheet({4, 0.5, 4}), 4.9);
  EXPECT_EQ(sheet.bounds().lo, (Vec3d{-0.1, -0.1, -0.1}));
  EXPECT_EQ(sheet.bounds().hi, (Vec3d{1.1, 1.1, 0.1}));
  expect_safe(sheet, around);
  test::expect_distance_of<3>(
      sheet,
      [](const Vec3d& p) {
        const Vec3d q{std::clamp(p[0], 0.0, 1.0), std::clamp(p[1], 0.0, 1.0), 0};
        return length(p - q) < 0.1;
      },
      Box<3>{Vec3d::filled(-0.3), Vec3d::filled(1.3)});
}

TEST(SheetMesh, ClosedMeshesBecomeShells) {
  const Shape<3> shell = sheet_mesh_shape(cube_mesh(), 0.1);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Vec3d p = random_point(i, 0, around);
    ASSERT_NEAR(shell(p), std::abs(unit_box(p)) - 0.05, 1e-14);
  }
}

TEST(MeshChecks, Closed) {
  EXPECT_TRUE(is_closed(cube_mesh()));
  EXPECT_TRUE(is_closed(test::separated(cube_mesh())));
  EXPECT_TRUE(is_closed(test::inverted(cube_mesh())));
  EXPECT_TRUE(is_closed(test::joined(cube_mesh(), test::shifted(cube_mesh(), {1, 0, 0}))));
  EXPECT_FALSE(is_closed(test::cut_above(ball_mesh(4), 0.5)));
  TriangleMesh mesh = cube_mesh();
  mesh.triangles.pop_back();
  EXPECT_FALSE(is_closed(mesh));
  mesh = cube_mesh();
  std::swap(mesh.triangles[3][0], mesh.triangles[3][1]);  // looks inwards
  EXPECT_FALSE(is_closed(mesh));
}

TEST(MeshShape, BadMeshesAreNamed) {
  const auto says = [](auto f, const char* text) {
    const std::string said = complaint(f);
    EXPECT_NE(said.find(text), std::string::npos) << "'" << said << "' for '" << text << "'";
  };
  says([] { closed_mesh_shape({}); }, "a mesh without triangles");
  says([] { sheet_mesh_shape({}, 1); }, "a mesh without triangles");
  TriangleMesh mesh = cube_mesh();
  mesh.vertices[3][1] = nan;
  says([&] { closed_mesh_shape(mesh); },
       "a vertex of a mesh must have finite numbers, not (1, nan, 0)");
  says([&] { sheet_mesh_shape(mesh, 1); }, "a vertex of a mesh");
  mesh = cube_mesh();
  mesh.triangles[2][1] = 8;
  says([&] { closed_mesh_shape(mesh); }, "triangle 2 of a mesh has the vertex 8, but there are 8");
  mesh = cube_mesh();
  for (auto& t : mesh.triangles) t[2] = t[0];
  says([&] { closed_mesh_shape(mesh); }, "none of its 12 triangles has an area");
  for (const double thickness : {0.0, -1.0, nan, HUGE_VAL})
    says([&] { sheet_mesh_shape(cube_mesh(), thickness); }, "the thickness of a sheet");
}

}  // namespace
}  // namespace octavo
