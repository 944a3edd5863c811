// A plume that was set up mirrored or turned by 90 degrees ends up mirrored or turned, on trees that
// follow it.

#include <gtest/gtest.h>

#include "octavo/mesh/interpolate.h"
#include "support/smoke_scene.h"

namespace octavo {
namespace {

// Where a point goes: x and y (2D: x only) exchanged or turned around, the vertical left alone.
template <int Dim>
using Map = std::function<Vec<Dim>(const Vec<Dim>&)>;

template <int Dim>
Map<Dim> mirror() {
  return [](const Vec<Dim>& p) {
    Vec<Dim> q = p;
    q[0] = 1 - p[0];
    return q;
  };
}
Map<3> quarter_turn() {
  return [](const Vec<3>& p) { return Vec<3>{1 - p[1], p[0], p[2]}; };
}

// Not symmetric in itself: the source is off the middle, and the obstacle is to one side of it.
template <int Dim>
std::unique_ptr<Smoke<Dim, double>> run(const Map<Dim>& map, int level, int steps,
                                        AdvectionScheme scheme,
                                        TimeStepping stepping = TimeStepping::projection) {
  SmokeParameters<Dim> p = test::plume<Dim>(level);
  p.advection = scheme;
  p.stepping = stepping;
  p.stop = {.relative = 1e-10};
  p.sources[0].shape = sphere_shape<Dim>(map(test::point<Dim>(0.45, 0.52, 0.15)), 0.1);
  p.obstacles[0].shape = sphere_shape<Dim>(map(test::point<Dim>(0.55, 0.45, 0.45)), 0.11);
  auto smoke = std::make_unique<Smoke<Dim, double>>(Domain<Dim>{}, p);
  for (int s = 0; s < steps; ++s) smoke->step(Dim == 2 ? 0.025 : 0.04);
  return smoke;
}

template <int Dim>
void expect_same(const Smoke<Dim, double>& plain, const Smoke<Dim, double>& mapped,
                 const Map<Dim>& map) {
  ASSERT_EQ(plain.mesh().leaf_count(), mapped.mesh().leaf_count());
  const MeshView<Dim> m = plain.mesh().view(), n = mapped.mesh().view();
  for (std::size_t i = 0; i < m.leaf_count(); ++i) {
    const LeafId other = n.tree.leaf_at(map(m.tree.center(LeafId(i))));
    ASSERT_EQ(m.tree.level(LeafId(i)), n.tree.level(other));
  }
  double largest = 0;
  for (std::size_t i = 0; i < m.node_count(); ++i) {
    const Vec<Dim> p = m.position(NodeId(i));
    const double there = sample<double>(n, mapped.density().view(), map(p));
    ASSERT_NEAR(plain.density()[NodeId(i)], there, 1e-6) << p[0];
    largest = std::max(largest, there);
  }
  EXPECT_GT(largest, 0.9);
}

TEST(Symmetry, MirroredPlume2D) {
  for (const auto scheme : {AdvectionScheme::semi_lagrangian, AdvectionScheme::maccormack}) {
    const auto plain = run<2>([](const Vec<2>& p) { return p; }, 7, 50, scheme);
    expect_same<2>(*plain, *run<2>(mirror<2>(), 7, 50, scheme), mirror<2>());
  }
}

TEST(Symmetry, MirroredPlumeByReflection) {
  const auto scheme = AdvectionScheme::maccormack;
  const auto stepping = TimeStepping::reflection;
  const auto plain = run<2>([](const Vec<2>& p) { return p; }, 6, 30, scheme, stepping);
  expect_same<2>(*plain, *run<2>(mirror<2>(), 6, 30, scheme, stepping), mirror<2>());
}

TEST(Symmetry, MirroredAndTurnedPlume3D) {
  const auto scheme = AdvectionScheme::maccormack;
  const auto plain = run<3>([](const Vec<3>& p) { return p; }, 5, 50, scheme);
  expect_same<3>(*plain, *run<3>(mirror<3>(), 5, 50, scheme), mirror<3>());
  expect_same<3>(*plain, *run<3>(quarter_turn(), 5, 50, scheme), quarter_turn());
}

}  // namespace
}  // namespace octavo
