#pragma once

// Feedback keeps the volume of each body: an account says how much it ought to be, V*, and a controller how much the
// liquid has to expand (Kim, Liu, Llamas, Jiao, Rossignac 2007; Ando, Batty 2020). With the relative error
// x = (V - V*) / V* and its integral y,
//
//   y += x dt,      c = -(kp x + ki y) / (1 + x),      kp = min(ln(10) / T, 1 / (2 dt)),      ki = kp^2 / 16
//
// is the divergence to ask of the next projection, 1/s. An error of 1 % falls to a tenth in little less than T, and
// overshoots by 5 %, whatever the time step. The integral stands still while c is limited:
//
//   a body without a surface and an open wall   c = 0, for no velocity could have that divergence;
//   one with little surface for its volume      |c| <= h A / (4 V dt): its surface passes a quarter of a leaf at most;
//   any                                         no leaf expands faster than 2 / s.
//
// Leaves that touch solids take no part, and the others more for it, up to four times; if the others are less than a
// tenth of the body (a film on a floor), all take part.
//
// When bodies merge and split, each leaf brings what its former body ought to have there: with V(n) the volume of the
// leaves that were of body n, V* of a new body is the sum of v V*(n) / V(n) over its leaves. The sum over all is kept.

#include <algorithm>
#include <span>
#include <vector>

#include "octavo/level_set/bodies.h"

namespace octavo {

struct FeedbackParameters {
  double response_time = 0.25;  // s, in which an error falls to a tenth
  double largest_rate = 2;      // 1/s
  double leaf_part = 0.25;      // of the smallest leaf, that the surface may pass in a step
  double largest_share = 4;     // by which leaves that touch no solid stand in for the others
  double least_apart = 0.1;     // of a body in such leaves, below which all take part
};

struct VolumeAccount {
  double booked = 0;      // V*, m^3, in 2D m^2
  double integral = 0;    // y, s
  double divergence = 0;  // c, 1/s
  bool limited = false;   // c would have been more
};

// What a change of bodies has done to the accounts.
struct VolumeChange {
  double lost = 0;      // of bodies of which nothing is left
  double appeared = 0;  // in bodies that come from nowhere
};

class VolumeFeedback {
 public:
  explicit VolumeFeedback(const FeedbackParameters& parameters = {}) : parameters_(parameters) {}

  // All bodies ought to be as they are.
  void begin(std::span<const Body> bodies);

  // The bodies are others now: `was` says of each leaf of the mesh of which body it was before, if of any.
  VolumeChange follow(std::span<const Body> bodies, const LeafField<BodyId>& of_leaves,
                      const LeafField<BodyId>& was, const LeafField<double>& in_leaves);

  // What flows in, or out if it is negative, becomes a drop or comes back, is booked.
  void book(BodyId body, double volume) { accounts_[body].booked += volume; }

  // This finds the divergence of each body for a step; bodies are those of the accounts.
  void control(std::span<const Body> bodies, double dt);

  std::span<const VolumeAccount> accounts() const { return accounts_; }
  double booked() const;

  // This writes the divergence that leaves are to have, 1/s.
  template <int Dim, class Real>
  void wanted_divergence(const SurfaceLeaves<Dim, Real>& surface, const Bodies<Dim, Real>& bodies,
                         LeafField<Real>& out) const;

  // These restore what was saved of the accounts.
  void restore(std::vector<VolumeAccount> accounts) { accounts_ = std::move(accounts); }

 private:
  bool spares_solids(const Body& body) const {
    return body.volume_apart >= parameters_.least_apart * body.volume;
  }
  // This is by how much more the leaves that take part have to expand than the whole body.
  double share(const Body& body) const {
    if (!spares_solids(body)) return 1;
    return std::min(body.volume / body.volume_apart, parameters_.largest_share);
  }
  double limit(const Body& body, double dt) const;

  FeedbackParameters parameters_;
  std::vector<VolumeAccount> accounts_;
};

// This says of each leaf of a mesh of which body of the mesh before it was: origin(point) tells where what is at the
// centre of a leaf was then. If there was none, a body in the leaves beside counts.
template <int Dim, class Origin>
void former_bodies(const Mesh<Dim>& before, const LeafField<BodyId>& then, const Mesh<Dim>& mesh,
                   Origin&& origin, LeafField<BodyId>& out) {
  OCTAVO_CHECK(then.belongs_to(before));
  const MeshView<Dim> old = before.view(), now = mesh.view();
  const View<const BodyId> old_body = then.view();
  out.resize(mesh);
  const View<BodyId> was = out.view();
  parallel_for("former bodies", was.size(), [&, old, now, old_body, was](std::size_t i) {
    const LeafId leaf = old.tree.leaf_at(origin(now.tree.center(LeafId(i))));
    BodyId body = old_body[leaf];
    for (int side = 0; side < side_count<Dim> && body.is_none(); ++side)
      for (const FaceId face : old.faces(leaf, side)) {
        const auto [low, high] = old.face_leaf[face];
        const LeafId other = side % 2 == 1 ? high : low;
        if (body.is_none() && other.is_here()) body = old_body[other];
      }
    was[i] = body;
  });
}

}  // namespace octavo
