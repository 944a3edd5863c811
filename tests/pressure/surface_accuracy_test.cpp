// How accurate the pressure is below a surface that crosses changes of size: a disc whose pressure is known, a drop with
// known curvature; and how many iterations that takes.

#include <gtest/gtest.h>

#include "support/refinement.h"
#include "support/still_water.h"

namespace octavo {
namespace {

using test::PressureProblem;
using test::Scatter;

constexpr PressureScheme with_rows(SurfaceRows rows) {
  return {GradientScheme::losasso06s, {}, rows};
}

// p = (r^2 - R^2)(1 + sin(3x) cos(2y) / 2) + p_I is p_I on a circle, or sphere: zero, or a smooth function.
template <int Dim>
struct Bowl {
  bool has_known;
  static constexpr double radius = 0.35;
  static Vec<Dim> from_center(const Vec<Dim>& x) { return x - Vec<Dim>::filled(0.5); }
  static double distance(const Vec<Dim>& x) { return length(from_center(x)) - radius; }
  static double factor(const Vec<Dim>& x) {
    return 1 + 0.5 * std::sin(3 * x[0]) * std::cos(2 * x[1]);
  }
  static double parabola(const Vec<Dim>& x) {
    return dot(from_center(x), from_center(x)) - radius * radius;
  }
  double known(const Vec<Dim>& x) const {
    return has_known ? std::sin(3 * x[0] + 0.4) * std::cos(2.5 * x[1]) : 0;
  }
  double known_slope(const Vec<Dim>& x, int axis) const {
    if (!has_known || axis > 1) return 0;
    return axis == 0 ? 3 * std::cos(3 * x[0] + 0.4) * std::cos(2.5 * x[1])
                     : -2.5 * std::sin(3 * x[0] + 0.4) * std::sin(2.5 * x[1]);
  }
  double pressure(const Vec<Dim>& x) const { return parabola(x) * factor(x) + known(x); }
  double slope(const Vec<Dim>& x, int axis) const {
    const double d = axis == 0   ? 1.5 * std::cos(3 * x[0]) * std::cos(2 * x[1])
                     : axis == 1 ? -std::sin(3 * x[0]) * std::sin(2 * x[1])
                                 : 0;
    return 2 * from_center(x)[axis] * factor(x) + parabola(x) * d + known_slope(x, axis);
  }
};

struct DiscErrors {
  std::size_t wet = 0;
  double mean = 0, largest = 0, slope = 0;  // of the pressure; the largest of a slope
};

template <int Dim>
DiscErrors measure_disc(const Octree<Dim>& tree, SurfaceRows rows, Bowl<Dim> bowl) {
  PressureProblem<Dim, double> p(tree);
  const MeshView<Dim> m = p.mesh.view();
  const auto faces_of = [&] { return p.faces(with_rows(rows)); };
  p.on_leaves(p.level_set, [&](LeafId l) { return bowl.distance(m.tree.center(l)); });
  p.on_leaves(p.surface_pressure, [&](LeafId l) { return bowl.known(m.tree.center(l)); });
  FaceField<double> u = p.face_field([&](FaceId f) {
    const int axis = m.axis(f);
    return test::face_mean(m.center(f), m.size(f), axis,
                           [=](const Vec<Dim>& x) { return bowl.slope(x, axis); });
  });
  LeafField<double> pressure(p.mesh);
  const PressureReport report = Projection<Dim, double>().project(
      p.mesh, p.boundary(), {.time_step = 1, .scheme = with_rows(rows), .stop = {1e-9}}, u,
      pressure);
  EXPECT_TRUE(report.converged()) << report.sentence();
  DiscErrors e{.wet = report.liquid_leaves};
  double wet = 0;
  for (std::size_t i = 0; i < pressure.size(); ++i) {
    const LeafId leaf(i);
    if (!faces_of().is_liquid(leaf)) continue;
    const double error = std::abs(pressure[leaf] - bowl.pressure(m.tree.center(leaf)));
    e.mean += error * volume(m, leaf);
    wet += volume(m, leaf);
    e.largest = std::max(e.largest, error);
  }
  e.mean /= wet;
  for (std::size_t i = 0; i < u.size(); ++i)
    if (faces_of().link(FaceId(i)).kind != FaceLink::none)
      e.slope = std::max(e.slope, std::abs(u[FaceId(i)]));
  return e;
}

struct Orders {
  double mean = 0, largest = 0, slope = 0;
  DiscErrors finest;  // the mean over trees
};

// Trees are scattered anew at every size, so that the surface crosses the more changes of size, the finer they are.
template <int Dim>
Orders orders(SurfaceRows rows, int base, int jumps, int refinements, int trees,
              bool has_known = false) {
  Orders o;
  for (int t = 0; t < trees; ++t) {
    std::vector<DiscErrors> e;
    for (int finer = 0; finer <= refinements; ++finer)
      e.push_back(measure_disc<Dim>(
          test::jumping_tree<Dim>(static_cast<std::uint64_t>(t), base + finer, jumps), rows,
          Bowl<Dim>{has_known}));
    o.mean += test::mean_order(e, &DiscErrors::mean) / trees;
    o.largest += test::mean_order(e, &DiscErrors::largest) / trees;
    o.slope += test::mean_order(e, &DiscErrors::slope) / trees;
    o.finest.wet += e.back().wet / static_cast<std::size_t>(trees);
    o.finest.mean += e.back().mean / trees;
    o.finest.largest += e.back().largest / trees;
    o.finest.slope += e.back().slope / trees;
  }
  printf(
      "  %dD, jumps of %d:1, %-11s %6zu wet leaves: pressure %.1e mean, %.1e largest, slope %.1e; "
      "orders %.2f %.2f %.2f\n",
      Dim, 1 << jumps, std::string(name(rows)).c_str(), o.finest.wet, o.finest.mean,
      o.finest.largest, o.finest.slope, o.mean, o.largest, o.slope);
  return o;
}

TEST(SurfaceAccuracyTest, SecondOrderUpToTheSurfaceOfADisc) {
  for (const int jumps : {1, 3}) {
    const int base = jumps == 1 ? 4 : 3;
    const Orders secant = orders<2>(SurfaceRows::secant, base, jumps, 3, 4);
    const Orders known = orders<2>(SurfaceRows::secant, base, jumps, 3, 4, true);
    const Orders clamped = orders<2>(SurfaceRows::clamped, base, jumps, 3, 4);
    const Orders ghost = orders<2>(SurfaceRows::ghost_fluid, base, jumps, 3, 4);
    for (const Orders& o : {secant, known}) {
      EXPECT_GE(o.mean, 1.8);
      EXPECT_GE(o.largest, 1.6);
      EXPECT_GE(o.slope, 0.5);
    }
    EXPECT_GE(secant.largest, 1.7);
    EXPECT_LE(secant.finest.largest, 0.25 * clamped.finest.largest);
    EXPECT_LE(ghost.largest, 1.3);
    EXPECT_LE(ghost.slope, 0.3);
  }
}

TEST(SurfaceAccuracyTest, Sphere) {
  for (const int jumps : {1, 2}) {
    const Orders secant = orders<3>(SurfaceRows::secant, 3, jumps, jumps == 1 ? 2 : 1, 2);
    const Orders clamped = orders<3>(SurfaceRows::clamped, 3, jumps, jumps == 1 ? 2 : 1, 2);
    EXPECT_GE(secant.mean, 1.7);
    EXPECT_LT(secant.finest.largest, clamped.finest.largest);
  }
}

// A drop whose curvature is known has one pressure and does not move, whatever sizes its surface crosses.
template <int Dim>
double drop_speed(int jumps, SurfaceRows rows) {
  PressureProblem<Dim, double> p(test::jumping_tree<Dim>(5, Dim == 2 ? 5 : 3, jumps));
  const double radius = 0.3, tension = 0.07;
  p.on_leaves(p.level_set, [&](LeafId l) {
    return length(p.tree.view().center(l) - Vec<Dim>::filled(0.5)) - radius;
  });
  p.on_leaves(p.surface_pressure, [&](LeafId) { return 1e5 + tension * (Dim - 1) / radius; });
  FaceField<double> u(p.mesh, 0.0);
  LeafField<double> pressure(p.mesh);
  const double density = 1000, dt = 0.01;
  const PressureReport r = Projection<Dim, double>().project(
      p.mesh, p.boundary(),
      {.time_step = dt, .density = density, .scheme = with_rows(rows), .stop = {1e-15}}, u,
      pressure);
  EXPECT_GT(r.liquid_leaves, 0u);
  double largest = 0;
  for (std::size_t i = 0; i < u.size(); ++i) largest = std::max(largest, std::abs(u[FaceId(i)]));
  return largest / (1e5 * dt / density / (2 * radius));
}

TEST(SurfaceAccuracyTest, ADropOfKnownCurvatureIsStill) {
  for (const int jumps : {1, 2, 3}) {
    const double disc = drop_speed<2>(jumps, SurfaceRows::secant),
                 sphere = drop_speed<3>(jumps, SurfaceRows::secant);
    EXPECT_LE(disc, 1e-10);
    EXPECT_LE(sphere, 1e-10);
    printf("  jumps of %d:1: %.1e and %.1e of p dt / (rho D)\n", 1 << jumps, disc, sphere);
  }
}

// Iterations until the residual has fallen by 1e-10, in the mean over trees.
template <int Dim>
double iterations(SurfaceRows rows, int base, int jumps, Scatter scatter, int trees) {
  double sum = 0;
  for (int t = 0; t < trees; ++t) {
    const Random random(static_cast<std::uint64_t>(t) + 100);
    PressureProblem<Dim, double> p(
        test::jumping_tree<Dim>(static_cast<std::uint64_t>(t), base, jumps, scatter));
    const test::Plane<Dim> plane{
        test::tilted_up<Dim>(1.5 * random.uniform(1), 6 * random.uniform(2)),
        0.4 + 0.3 * random.uniform(3)};
    const auto residual = test::project_at_rest(p, plane, with_rows(rows)).report.history.residual;
    std::size_t count = 0;
    while (count + 1 < residual.size() && residual[count] > 1e-10 * residual[0]) ++count;
    sum += static_cast<double>(count);
  }
  return sum / trees;
}

template <int Dim>
void expect_few_iterations(int base, double more) {
  for (const Scatter scatter : {Scatter::cells, Scatter::blocks})
    for (const int jumps : {1, 2, 3}) {
      const double ghost = iterations<Dim>(SurfaceRows::ghost_fluid, base, jumps, scatter, 4),
                   secant = iterations<Dim>(SurfaceRows::secant, base, jumps, scatter, 4);
      printf("  %dD, %s, jumps of %d:1: %.1f iterations, with a ghost fluid %.1f\n", Dim,
             scatter == Scatter::cells ? "cells" : "blocks", 1 << jumps, secant, ghost);
      EXPECT_LE(secant, ghost + more);
    }
}

TEST(SurfaceAccuracyTest, TakesFewMoreIterationsThanAGhostFluid) {
  expect_few_iterations<2>(5, 3);
  expect_few_iterations<3>(3, 7);
}

}  // namespace
}  // namespace octavo
