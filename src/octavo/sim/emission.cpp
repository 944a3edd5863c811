#include "octavo/sim/emission.h"

#include "octavo/base/noise.h"
#include "octavo/mesh/leaves_at_node.h"

namespace octavo {
namespace {

template <int Dim>
class Emitter {
 public:
  Emitter(const Source<Dim>& source, double time)
      : source_(source), pose_(source.motion.pose(time)), noise_(source.noise.seed), time_(time) {}

  // How far a point is from the source, m.
  double distance(const Vec<Dim>& p) const { return source_.shape(pose_.inverse(p)); }

  // How much of a cube lies inside, 0 to 1, if its centre is at that distance: a ramp across one of size `fine`,
  // and by a soft edge if that is wider. In larger cubes curvature and corners count: they have the mean of their
  // children.
  double part(const Vec<Dim>& center, double distance, double size, double fine) const {
    if (source_.edge >= 2 * size) return part_inside(distance, source_.edge);
    if (size < 1.5 * fine)
      return source_.edge > size ? part_inside(distance, source_.edge)
                                 : std::clamp(0.5 - distance / size, 0.0, 1.0);
    if (std::abs(distance) > reach(size)) return distance > 0 ? 0.0 : 1.0;
    double sum = 0;
    for (int c = 0; c < child_count<Dim>; ++c) {
      Vec<Dim> p = center;
      for (int a = 0; a < Dim; ++a) p[a] += ((c >> a & 1) != 0 ? 0.25 : -0.25) * size;
      sum += part(p, this->distance(p), 0.5 * size, fine);
    }
    return sum / child_count<Dim>;
  }
  // A cube whose centre is farther away than that lies on one side.
  double reach(double size) const { return 0.5 * (std::sqrt(double{Dim}) * size + source_.edge); }

  double strength(const Vec<Dim>& p) const {
    const SourceNoise& n = source_.noise;
    if (n.amount <= 0) return 1;
    return 1 - n.amount * noise_(p / n.size, time_ / n.period);
  }

 private:
  const Source<Dim>& source_;
  Pose<Dim> pose_;
  Noise<Dim> noise_;
  double time_;
};

// The sizes of the smallest and the largest leaf.
struct Sizes {
  double fine, coarse;
};
template <int Dim>
Sizes sizes_of(const Octree<Dim>& octree) {
  const OctreeView<Dim> tree = octree.view();
  const int coarsest = parallel_reduce(
      "coarsest level", tree.leaf_count(), max_level,
      [=](std::size_t i) { return tree.level(LeafId(i)); },
      [](int p, int q) { return std::min(p, q); });
  return {tree.domain.size(octree.deepest_level()), tree.domain.size(coarsest)};
}

// The size of the smallest leaf at a node.
template <int Dim>
double smallest_size(const MeshView<Dim>& mesh, NodeId node) {
  int level = 0;
  for_each_leaf_at(mesh, node,
                   [&](LeafId leaf) { level = std::max(level, mesh.tree.level(leaf)); });
  return mesh.tree.domain.size(level);
}

// How far to go from what is there to what is wanted for a place that takes part by `part`. What earlier steps
// have brought counts, so that edges of sources do not fill up the more steps are taken.
double missing(double there, double wanted, double outside, double part) {
  const double has = wanted != outside ? (there - outside) / (wanted - outside) : 1;
  return has < 1 ? std::max(0.0, (part - std::max(0.0, has)) / (1 - std::max(0.0, has))) : part;
}

// Calls act(i, part, point) for the places that take part. Along the curve, places within the distance
// of the last answer need no new one.
template <int Dim, class Position, class Size, class Act>
void for_each_inside(const char* label, std::size_t count, const Sizes& sizes,
                     const Emitter<Dim>& emitter, Position&& position, Size&& size, Act&& act) {
  const double widest = emitter.reach(sizes.coarse);
  parallel_blocks(
      label, count,
      [&](std::size_t, std::size_t begin, std::size_t end) {
        Vec<Dim> asked{};
        double answer = -1;
        for (std::size_t i = begin; i < end; ++i) {
          const Vec<Dim> p = position(i);
          if (answer > 0 && length(p - asked) + widest < answer) continue;
          const double d = emitter.distance(p);
          asked = p;
          answer = d;
          const double part = d > widest ? 0.0 : emitter.part(p, d, size(i), sizes.fine);
          if (part > 0) act(i, part, p);
        }
      },
      std::size_t{1024});
}

}  // namespace

template <int Dim, class Real>
void emit(const Mesh<Dim>& mesh, const Source<Dim>& source, double from, double to,
          const EmissionTargets<Real>& targets) {
  const double duration = source.active_for(from, to);
  if (duration <= 0) return;
  const Emitter<Dim> emitter(source, to);
  const MeshView<Dim> m = mesh.view();
  const Sizes sizes = sizes_of(mesh.tree());

  // Set: a mean of what is outside and what is wanted. Add: a rate.
  auto blend = [&](Real old, double value, double outside, double part, double strength) {
    const auto o = static_cast<double>(old);
    if (source.add) return static_cast<Real>(o + duration * part * strength * value);
    const double wanted = outside + strength * (value - outside);
    return static_cast<Real>(o + missing(o, wanted, outside, part) * (wanted - o));
  };
  struct Wanted {
    View<Real> field;
    double value, outside;
  };
  std::vector<Wanted> nodal;
  auto want = [&](const std::optional<double>& value, const EmissionTarget<Real>& target) {
    if (value) nodal.push_back({target.field->view(), *value, target.outside});
  };
  want(source.density, targets.density);
  want(source.temperature, targets.temperature);
  for (std::size_t s = 0; s < std::min(source.scalars.size(), targets.scalars.size()); ++s)
    want(source.scalars[s], targets.scalars[s]);

  if (!nodal.empty())
    for_each_inside(
        "emit", mesh.node_count(), sizes, emitter,
        [&](std::size_t i) { return m.position(NodeId(i)); },
        [&](std::size_t i) { return smallest_size(m, NodeId(i)); },
        [&](std::size_t i, double part, const Vec<Dim>& p) {
          const double strength = emitter.strength(p);
          for (const Wanted& w : nodal)
            w.field[i] = blend(w.field[i], w.value, w.outside, part, strength);
        });
  if (!source.velocity) return;
  const View<Real> u = targets.velocity->view();
  for_each_inside(
      "emit velocity", mesh.face_count(), sizes, emitter,
      [&](std::size_t i) { return m.center(FaceId(i)); },
      [&](std::size_t i) { return m.size(FaceId(i)); },
      [&](std::size_t i, double part, const Vec<Dim>&) {
        u[i] = blend(u[i], (*source.velocity)[m.axis(FaceId(i))], 0.0, part, 1.0);
      });
}

template void emit(const Mesh<2>&, const Source<2>&, double, double, const EmissionTargets<float>&);
template void emit(const Mesh<3>&, const Source<3>&, double, double, const EmissionTargets<float>&);
template void emit(const Mesh<2>&, const Source<2>&, double, double,
                   const EmissionTargets<double>&);
template void emit(const Mesh<3>&, const Source<3>&, double, double,
                   const EmissionTargets<double>&);

}  // namespace octavo
