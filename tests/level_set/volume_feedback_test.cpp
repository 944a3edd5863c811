// The feedback on volumes by itself: what it does to volumes that follow it exactly.

#include "octavo/level_set/volume_feedback.h"

#include <gtest/gtest.h>

#include "support/level_set_cases.h"

namespace octavo {
namespace {

Body free_body(double volume) {
  return {.first_leaf = LeafId(0),
          .volume = volume,
          .open_area = 1,
          .open_size = 0.1,
          .volume_apart = volume};
}

struct Response {
  double seconds = -1;   // to a tenth of the error, for good
  double overshoot = 0;  // of the error
};

// An error of a hundredth, and how it goes; time steps come from next_dt(step).
template <class NextDt>
Response step_response(double error, NextDt&& next_dt) {
  VolumeFeedback feedback;
  Body body = free_body(1);
  feedback.begin({&body, 1});
  body.volume = 1 + error;
  Response r;
  double time = 0;
  for (int step = 0; time < 10; ++step) {
    const double dt = next_dt(step);
    feedback.control({&body, 1}, dt);
    body.volume *= 1 + feedback.accounts()[0].divergence * dt;
    time += dt;
    const double left = (body.volume - 1) / error;
    r.overshoot = std::max(r.overshoot, -left);
    if (std::abs(left) > 0.1)
      r.seconds = -1;
    else if (r.seconds < 0)
      r.seconds = time;
    body.volume_apart = body.volume;
  }
  EXPECT_NEAR(body.volume, 1, 3e-6);
  return r;
}

TEST(VolumeFeedback, StepIsAnsweredInTimeWhateverTheTimeStep) {
  for (const double error : {0.01, -0.01})
    for (const double steps : {24, 48, 240, 1000, 5000}) {
      const Response r = step_response(error, [=](int) { return 1 / steps; });
      std::printf("dt 1/%g: %.3f s, overshoot %.1f %%\n", steps, r.seconds, 100 * r.overshoot);
      EXPECT_GT(r.seconds, 0);
      EXPECT_LE(r.seconds, 0.3);
      EXPECT_LE(r.overshoot, 0.06);
    }
  const Random random(3);
  const Response varied = step_response(0.01, [&](int step) {
    return 1 / (random.below(2, static_cast<std::uint64_t>(step)) == 0 ? 24.0 : 1000.0);
  });
  EXPECT_LE(varied.seconds, 0.3);
  EXPECT_LE(varied.overshoot, 0.06);
}

TEST(VolumeFeedback, LeakIsMadeUpFor) {
  VolumeFeedback feedback;
  Body body = free_body(1);
  feedback.begin({&body, 1});
  const double dt = 1.0 / 240;
  double worst = 0;
  for (int step = 0; step < 2400; ++step) {
    feedback.control({&body, 1}, dt);
    body.volume *= 1 + (feedback.accounts()[0].divergence - 0.01) * dt;
    body.volume_apart = body.volume;
    worst = std::max(worst, 1 - body.volume);
  }
  EXPECT_LT(worst, 1.2e-3);
  EXPECT_NEAR(body.volume, 1, 1e-5);
}

// A body without a surface cannot change; what it lacks meanwhile does not add up.
TEST(VolumeFeedback, UnderALid) {
  VolumeFeedback feedback;
  Body body = free_body(1);
  feedback.begin({&body, 1});
  body.volume = body.volume_apart = 1.01;
  body.open_area = 0;
  for (int step = 0; step < 240; ++step) {
    feedback.control({&body, 1}, 1.0 / 24);
    ASSERT_EQ(feedback.accounts()[0].divergence, 0);
    ASSERT_TRUE(feedback.accounts()[0].limited);
  }
  EXPECT_EQ(feedback.accounts()[0].integral, 0);
  body.open_area = 1;
  double overshoot = 0;
  for (int step = 0; step < 240; ++step) {
    feedback.control({&body, 1}, 1.0 / 24);
    body.volume *= 1 + feedback.accounts()[0].divergence / 24;
    body.volume_apart = body.volume;
    overshoot = std::max(overshoot, 1 - body.volume);
  }
  EXPECT_LT(overshoot, 6e-4);
}

// The surface of a pocket passes a quarter of a leaf a step at most, and no leaf expands faster than allowed.
TEST(VolumeFeedback, Limits) {
  const double dt = 1.0 / 24;
  VolumeFeedback feedback;
  Body pocket = free_body(1);
  feedback.begin({&pocket, 1});
  pocket.volume = pocket.volume_apart = 1.5;
  pocket.open_area = 0.3;
  feedback.control({&pocket, 1}, dt);
  EXPECT_NEAR(feedback.accounts()[0].divergence, -0.25 * 0.1 * 0.3 / (1.5 * dt), 1e-12);
  pocket.open_area = 100;
  feedback.control({&pocket, 1}, dt);
  EXPECT_EQ(feedback.accounts()[0].divergence, -2);
  pocket.volume_apart = 0.5 * pocket.volume;
  feedback.control({&pocket, 1}, dt);
  EXPECT_EQ(feedback.accounts()[0].divergence, -1);
  EXPECT_EQ(feedback.accounts()[0].integral, 0);
}

// Balls that move through a uniform grid, merge and part again: what they ought to have is kept by their sum.
template <class D>
class MovingBodies : public test::BothDims<D> {};
TYPED_TEST_SUITE(MovingBodies, test::Dims);

TYPED_TEST(MovingBodies, MergeAndSplit) {
  constexpr int Dim = TestFixture::dim;
  const Octree<Dim> tree = Octree<Dim>::build({}, [](const Leaf<Dim>& l) {
    return l.level < (l.center[0] < 0.5 ? (Dim == 2 ? 6 : 4) : (Dim == 2 ? 5 : 5));
  });
  const Mesh<Dim> mesh(tree);
  SurfaceLeaves<Dim, double> surface;
  LiquidVolume<Dim, double> volume;
  VolumeFeedback feedback;
  std::array<Bodies<Dim, double>, 2> bodies;
  LeafField<BodyId> was;
  double booked = 0;
  std::vector<std::size_t> counts;
  for (int step = 0; step <= 40; ++step) {
    const double apart = std::abs(step - 20) * 0.012 + 0.08;
    NodeField<double> phi = test::nodal<Dim, double>(mesh, [&](NodeId, const Vec<Dim>& x) {
      Vec<Dim> left = Vec<Dim>::filled(0.45), right = left;
      left[0] -= apart;
      right[0] += apart;
      return std::min(length(x - left) - 0.12, length(x - right) - 0.15);
    });
    constrain(mesh, phi);
    surface.build(mesh, phi);
    volume.measure(surface);
    Bodies<Dim, double>&now = bodies[static_cast<std::size_t>(step % 2)],
                &before = bodies[static_cast<std::size_t>((step + 1) % 2)];
    now.find(surface, volume, {});
    if (counts.empty() || counts.back() != now.list().size()) counts.push_back(now.list().size());
    if (step == 0) {
      feedback.begin(now.list());
      feedback.book(BodyId(0), 0.001);
      booked = feedback.booked();
      EXPECT_NEAR(booked, volume.total() + 0.001, 1e-12);
      continue;
    }
    former_bodies(
        mesh, before.of_leaves(), mesh, [](const Vec<Dim>& x) { return x; }, was);
    const VolumeChange change =
        feedback.follow(now.list(), now.of_leaves(), was, volume.in_leaves());
    ASSERT_EQ(change.lost, 0);
    ASSERT_EQ(change.appeared, 0);
    ASSERT_NEAR(feedback.booked(), booked, 1e-12 * booked);
    feedback.control(now.list(), 1.0 / 48);

    // All leaves with liquid get the same divergence as long as there are no solids.
    LeafField<double> wanted;
    feedback.wanted_divergence(surface, now, wanted);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const BodyId b = now.of_leaves()[LeafId(i)];
      ASSERT_EQ(wanted[LeafId(i)], b.is_none() ? 0 : feedback.accounts()[b].divergence);
    }
  }
  EXPECT_EQ(counts, (std::vector<std::size_t>{2, 1, 2}));

  // Of a body that is gone its account is lost, one that comes from nowhere has what it has.
  was.fill(BodyId::none());
  const Bodies<Dim, double>& last = bodies[0];
  const VolumeChange change =
      feedback.follow(last.list(), last.of_leaves(), was, volume.in_leaves());
  EXPECT_NEAR(change.lost, booked, 1e-12);
  EXPECT_NEAR(change.appeared, volume.total(), 1e-12);
  EXPECT_NEAR(feedback.booked(), volume.total(), 1e-12);
}

// Leaves with solid corners want nothing, and the others more; a film on a solid has no others.
TEST(VolumeFeedback, BesideSolids) {
  const Octree<2> tree = Octree<2>::build({}, [](const Leaf<2>& l) { return l.level < 5; });
  const Mesh<2> mesh(tree);
  for (const bool film : {false, true}) {
    const double top = film ? 0.3145 : 0.4;
    const auto phi =
        test::nodal<2, double>(mesh, [&](NodeId, const Vec2d& x) { return x[1] - top; });
    const auto solid =
        test::nodal<2, double>(mesh, [](NodeId, const Vec2d& x) { return x[1] - 0.2815; });
    SurfaceLeaves<2, double> surface;
    LiquidVolume<2, double> volume;
    Bodies<2, double> bodies;
    VolumeFeedback feedback;
    surface.build(mesh, phi, &solid);
    volume.measure(surface);
    bodies.find(surface, volume, {});
    ASSERT_EQ(bodies.list().size(), 1u);
    feedback.begin(bodies.list());
    feedback.book(BodyId(0), 0.01 * volume.total());
    feedback.control(bodies.list(), 1.0 / 48);
    const double c = feedback.accounts()[0].divergence;
    EXPECT_GT(c, 0);
    LeafField<double> wanted;
    feedback.wanted_divergence(surface, bodies, wanted);
    double growth = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      growth += wanted[LeafId(i)] * volume.in_leaves()[LeafId(i)];
    EXPECT_NEAR(growth, c * volume.total(), 1e-12);
    const double beside = wanted[tree.view().leaf_at(Vec2d{0.5, 0.301})];
    EXPECT_EQ(beside, film ? c : 0);
  }
}

}  // namespace
}  // namespace octavo
