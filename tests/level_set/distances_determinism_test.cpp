// The same bytes for any number of threads: distances by both schemes, velocities in the air, curvatures.

#include <gtest/gtest.h>

#include "level_set/surface_cases.h"
#include "octavo/level_set/curvature.h"
#include "octavo/level_set/extrapolation.h"
#include "octavo/level_set/signed_distance.h"
#include "octavo/level_set/solid_continuation.h"

namespace octavo {
namespace {

// A running hash of what is fed to it (FNV-1a).
template <class T>
void add(std::uint64_t& hash, View<const T> values) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
  for (std::size_t i = 0; i < values.size() * sizeof(T); ++i)
    hash = (hash ^ bytes[i]) * 1099511628211ull;
}

template <int Dim>
std::uint64_t run(int thread_count) {
  set_threads(thread_count);
  const auto ball = test::Ball<Dim>::off_center(1);
  const auto tree = test::surface_tree<Dim>(Dim == 2 ? 7 : 4, 2, 1, ball);
  const Mesh<Dim> mesh(tree);
  EXPECT_GT(mesh.node_count(), test::sanitized ? 3000u : 8192u);
  std::uint64_t hash = 14695981039346656037ull;
  NodeField<float> phi;
  SignedDistance<Dim, float> redistance;
  for (const auto scheme : {DistanceScheme::losasso04, DistanceScheme::second_order}) {
    phi = test::nodal_field<Dim, float>(mesh, [&](const Vec<Dim>& x) {
      return ball(x) * (1.5 + x[0]) + 0.01 * std::sin(40 * x[1]);
    });
    redistance(mesh, phi, {.scheme = scheme});
    add(hash, std::as_const(phi).view());
  }

  LeafField<float> level_set, kappa;
  at_leaf_centers(mesh, phi, level_set);
  FlowBoundary<Dim, float> boundary;
  boundary.level_set = std::as_const(level_set).view();
  Buffer<std::uint8_t> known;
  mark_liquid_faces(mesh, boundary, known);
  FaceField<float> velocity(mesh);
  const Random random(3);
  for (std::size_t i = 0; i < velocity.size(); ++i)
    velocity.view()[i] = static_cast<float>(random.uniform(i));
  Extrapolation<Dim, float> extrapolate;
  extrapolate(mesh, phi, std::as_const(known).view(), velocity);
  add(hash, std::as_const(velocity).view());

  Curvature<Dim, float> curvature;
  for (const auto scheme : {CurvatureScheme::losasso04, CurvatureScheme::least_squares}) {
    curvature(mesh, phi, kappa, scheme);
    add(hash, std::as_const(kappa).view());
  }

  const auto solid = test::nodal_field<Dim, float>(mesh, test::Plane<Dim>(tree.domain().box(), 2));
  SolidContinuation<Dim, float> go_on;
  go_on(mesh, solid, phi, {.contact_angle = 1.0});
  add(hash, std::as_const(phi).view());
  set_threads(0);
  return hash;
}

TEST(DistancesDeterminism, SameBytesForAnyNumberOfThreads2D) {
  const std::uint64_t one = run<2>(1);
  EXPECT_EQ(run<2>(2), one);
  EXPECT_EQ(run<2>(5), one);
}

TEST(DistancesDeterminism, SameBytesForAnyNumberOfThreads3D) {
  const std::uint64_t one = run<3>(1);
  EXPECT_EQ(run<3>(2), one);
  EXPECT_EQ(run<3>(5), one);
}

}  // namespace
}  // namespace octavo
