#pragma once

// Advection schemes are made of three maps over points of one mesh with values from another:
//
//   predict      f^(x) = f(x_back)
//   correct      f'(x) = f^(x) + (f(x) - f^(x_on)) / 2, limited to the stencil of f at x_back
//   compensate   f*(x) = f(x) + (f(x) - f^(x_on)) / 2
//
// x_back and x_on are where the flow comes from and goes to within dt. f lives on the mesh `from`, as
// does the velocity; f^ and f' live on `to`, which may be the same. So a field is carried to a new
// octree and advected in one go, without being interpolated twice.

#include "octavo/operators/sampled_fields.h"
#include "octavo/operators/trace.h"

namespace octavo {

// These are two meshes over one box, and for each leaf of the second the leaf of the first at its lowest corner
// (Transfer::origin; empty if they are one mesh).
template <int Dim>
struct MeshPair {
  MeshView<Dim> from, to;
  View<const LeafId> origin;

  bool same() const { return origin.size() == 0; }

  // This is the leaf as it is in the first mesh, or none if it is not there.
  LeafId before(LeafId leaf) const {
    if (same()) return leaf;
    const LeafId o = origin[leaf];
    return from.tree.leaf_key[o] == to.tree.leaf_key[leaf] ? o : LeafId::none();
  }
  MeshPair<Dim> turned_to_first() const { return {from, from, {}}; }
};

// These are the places that get values: the nodes or the faces of the second mesh. Most of them are in the
// first one as well, and what is known there need not be searched for.
template <int Dim>
struct NodePoints {
  MeshPair<Dim> meshes;

  std::size_t count() const { return meshes.to.node_count(); }
  Vec<Dim> position(std::size_t i) const { return meshes.to.position(NodeId(i)); }
  int selector(std::size_t) const { return 0; }
  bool may_correct(std::size_t) const { return true; }

  // This is the same place in the first mesh, or none.
  NodeId before(std::size_t i) const {
    if (meshes.same()) return NodeId(i);
    const auto at = meshes.to.corner_of(NodeId(i));
    const LeafId leaf = meshes.before(at.leaf);
    return leaf.is_none() ? NodeId::none() : meshes.from.node(leaf, at.corner);
  }
  // This gives its velocity there, if it is known.
  template <class V>
  bool velocity(View<const V> nodal, std::size_t i, V& u) const {
    const NodeId node = before(i);
    if (node.is_none()) return false;
    u = nodal[node];
    return true;
  }
};

// Parts of a large face that share one velocity are one point, at the middle of it. If they do not, they
// are points of their own, but too crooked for corrections.
template <int Dim>
struct FacePoints {
  MeshPair<Dim> meshes;
  bool shared = false;

  std::size_t count() const { return meshes.to.face_count(); }
  Vec<Dim> position(std::size_t i) const {
    const auto [leaf, side] = on(i);
    Vec<Dim> c = meshes.to.tree.center(leaf);
    c[side / 2] += (side % 2 == 1 ? 0.5 : -0.5) * meshes.to.tree.size(leaf);
    return c;
  }
  int selector(std::size_t i) const { return meshes.to.axis(FaceId(i)); }
  bool may_correct(std::size_t i) const { return shared || !meshes.to.is_part(FaceId(i)); }

  // This is the same face in the first mesh, or none.
  FaceId before(std::size_t i) const {
    if (meshes.same()) return FaceId(i);
    const auto [leaf, side] = on(i);
    const LeafId o = meshes.before(leaf);
    if (o.is_none()) return FaceId::none();
    const FaceId f = meshes.from.first_face(o, side);
    const bool whole =
        !meshes.from.is_part(f) || (shared && meshes.from.level(f) > meshes.from.tree.level(o));
    return whole ? f : FaceId::none();
  }
  template <class V>
  bool velocity(View<const V> nodal, std::size_t i, V& u) const {
    const auto [leaf, side] = on(i);
    const LeafId o = meshes.before(leaf);
    if (o.is_none()) return false;
    V sum{};
    for (int c = 0; c < child_count<Dim>; ++c)
      if (((c >> (side / 2)) & 1) == side % 2) sum += nodal[meshes.from.node(o, c)];
    u = sum / static_cast<Scalar<V>>(side_child_count<Dim>);
    return true;
  }

 private:
  // The point is the middle of a side of this leaf.
  typename MeshView<Dim>::FinerSide on(std::size_t i) const {
    const auto finer = meshes.to.finer(FaceId(i));
    if (!shared || !meshes.to.is_part(FaceId(i))) return finer;
    const FaceLeaves l = meshes.to.face_leaf[i];
    return {finer.side % 2 == 1 ? l.high : l.low, finer.side ^ 1};
  }
};

// Everything is carried along these paths: they follow nodal velocities on a mesh,
// for a time, between walls and obstacles.
template <int Dim, class Real, class Obstacles = NothingInTheWay<Dim>>
struct Characteristics {
  MeshView<Dim> from;
  View<const Vec<Dim, Real>> velocity;
  double dt;
  OpenWalls<Dim> walls;
  Obstacles obstacles;

  Tracer<Dim, Real, Obstacles> tracer() const { return {from, velocity, walls, obstacles}; }
};

template <int K, class Real>
struct Target {
  View<Real> field[K];
  void store(std::size_t i, const Vec<K, Real>& v) const {
    for (int k = 0; k < K; ++k) field[k][i] = v[k];
  }
  Vec<K, Real> load(std::size_t i) const {
    Vec<K, Real> v{};
    for (int k = 0; k < K; ++k) v[k] = field[k][i];
    return v;
  }
};

// Goes through points with the velocity at them. Each block has a tracer, and a locator for `other`.
template <int Dim, class Real, class Obstacles, class Points, class F>
void for_each_point(const char* label, const Characteristics<Dim, Real, Obstacles>& paths,
                    const Points& points, const MeshView<Dim>& other, F&& f) {
  parallel_blocks(
      label, points.count(),
      [&](std::size_t, std::size_t begin, std::size_t end) {
        auto tracer = paths.tracer();
        Locator<Dim> in_other(other.tree);
        for (std::size_t i = begin; i < end; ++i) {
          const Vec<Dim> x = points.position(i);
          Vec<Dim, Real> u;
          if (!points.velocity(paths.velocity, i, u)) u = tracer.velocity(x);
          f(i, x, u, tracer, in_other);
        }
      },
      std::size_t{1024});
}

// What comes from outside through an open wall has the value `outside`.
template <int Dim, class Real, class Obstacles, class Points, class Source, int K>
void predict(const char* label, const Characteristics<Dim, Real, Obstacles>& paths,
             const Points& points, const Source& source, const Vec<K, Real>& outside,
             const Target<K, Real>& out) {
  for_each_point(
      label, paths, points, paths.from,
      [&](std::size_t i, const Vec<Dim>& x, const Vec<Dim, Real>& u, auto& tracer, auto&) {
        const Vec<Dim> from = tracer.back(x, u, paths.dt);
        const bool outdoors = tracer.is_outside(from);
        out.store(i,
                  outdoors ? outside : source.sample(tracer.locate_end(from), points.selector(i)));
      });
}

// `there` is f^ as a source; `predicted` is where the same f^ is stored.
template <int Dim, class Real, class Obstacles, class Points, class Source, int K>
void correct(const char* label, const Characteristics<Dim, Real, Obstacles>& paths,
             const Points& points, const Source& source, const Source& there,
             const Target<K, Real>& predicted, const Target<K, Real>& out) {
  constexpr auto half = static_cast<Real>(0.5);
  for_each_point(
      label, paths, points, there.mesh,
      [&](std::size_t i, const Vec<Dim>& x, const Vec<Dim, Real>& u, auto& tracer, auto& in_there) {
        const Vec<K, Real> first = predicted.load(i);
        out.store(i, first);
        if (!points.may_correct(i)) return;
        const Vec<Dim> from = tracer.back(x, u, paths.dt), to = tracer.back(x, u, -paths.dt);
        if (tracer.is_outside(from) || tracer.is_outside(to)) return;
        const LeafPoint<Dim, Real> at = tracer.locate_end(from);
        if (source.is_beside_solid(at)) return;
        const int select = points.selector(i);
        const auto before = points.before(i);
        if (!before.is_none() && source.is_in_solid(before)) return;
        const Vec<K, Real> now =
            before.is_none() ? source.sample(tracer.locate_start(x), select) : source.own(before);
        const Vec<K, Real> back = there.sample(in_there.template locate<Real>(to), select);
        out.store(i, source.bounded(at, select).limit(first + (now - back) * half));
      });
}

// The points are those of the flow's own mesh, where f lives.
template <int Dim, class Real, class Obstacles, class Points, class Source, int K>
void compensate(const char* label, const Characteristics<Dim, Real, Obstacles>& paths,
                const Points& points, const Source& source, const Source& there,
                const Target<K, Real>& out) {
  constexpr auto half = static_cast<Real>(0.5);
  for_each_point(
      label, paths, points, there.mesh,
      [&](std::size_t i, const Vec<Dim>& x, const Vec<Dim, Real>& u, auto& tracer, auto& in_there) {
        const Vec<K, Real> now = source.own(i);
        out.store(i, now);
        if (!points.may_correct(i) || source.is_in_solid(i)) return;
        const Vec<Dim> to = tracer.back(x, u, -paths.dt);
        if (tracer.is_outside(to)) return;
        const LeafPoint<Dim, Real> at = in_there.template locate<Real>(to);
        if (there.is_beside_solid(at)) return;
        out.store(i, now + (now - there.sample(at, points.selector(i))) * half);
      });
}

// This is predict() from compensated values, limited to the stencil of those that were not compensated.
template <int Dim, class Real, class Obstacles, class Points, class Source, int K>
void predict_limited(const char* label, const Characteristics<Dim, Real, Obstacles>& paths,
                     const Points& points, const Source& compensated, const Source& source,
                     const Vec<K, Real>& outside, const Target<K, Real>& out) {
  for_each_point(
      label, paths, points, paths.from,
      [&](std::size_t i, const Vec<Dim>& x, const Vec<Dim, Real>& u, auto& tracer, auto&) {
        const Vec<Dim> from = tracer.back(x, u, paths.dt);
        if (tracer.is_outside(from)) return out.store(i, outside);
        const int select = points.selector(i);
        const LeafPoint<Dim, Real> at = tracer.locate_end(from);
        out.store(i, source.bounded(at, select).limit(compensated.sample(at, select)));
      });
}

}  // namespace octavo
