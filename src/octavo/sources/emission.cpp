#include "octavo/sources/emission.h"

#include "octavo/mesh/leaves_at_node.h"
#include "octavo/sources/source_coverage.h"

namespace octavo {
namespace {

// These are the sizes of the smallest and the largest leaf.
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

// This is the size of the smallest leaf at a node.
template <int Dim>
double smallest_size(const MeshView<Dim>& mesh, NodeId node) {
  int level = 0;
  for_each_leaf_at(mesh, node,
                   [&](LeafId leaf) { level = std::max(level, mesh.tree.level(leaf)); });
  return mesh.tree.domain.size(level);
}

// This is how far to go from what is there to what is wanted for a place that takes part by `part`. What
// earlier steps have brought counts, so that edges of sources do not fill up the more steps are taken.
double missing(double there, double wanted, double outside, double part) {
  const double has = wanted != outside ? (there - outside) / (wanted - outside) : 1;
  return has < 1 ? std::max(0.0, (part - std::max(0.0, has)) / (1 - std::max(0.0, has))) : part;
}

// Calls act(i, part, size, point) for the places that take part. Along the curve, places within the distance
// of the last answer need no new one.
template <int Dim, class Position, class Size, class Act>
void for_each_inside(const char* label, std::size_t count, double coarse,
                     const Emitter<Dim>& emitter, Position&& position, Size&& size, Act&& act) {
  const double widest = emitter.reach(coarse);
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
          if (d > widest) continue;
          const double h = size(i), part = emitter.part(p, d, h);
          if (part > 0) act(i, part, h, p);
        }
      },
      std::size_t{1024});
}

// This does one source, after others that act in the same step.
template <int Dim, class Real>
class Emission {
 public:
  Emission(const Mesh<Dim>& mesh, double coarse, const Emitter<Dim>& emitter, double duration,
           std::span<const Emitter<Dim>> before)
      : mesh_(mesh.view()),
        coarse_(coarse),
        emitter_(emitter),
        source_(emitter.source()),
        duration_(duration),
        before_(before) {}

  void to_nodes(const EmissionTargets<Real>& targets) {
    for (const EmissionTarget<Real>& target : targets.nodal) want(target);
    if (nodal_.empty()) return;
    for_each_inside(
        "emit", mesh_.node_count(), coarse_, emitter_,
        [&](std::size_t i) { return mesh_.position(NodeId(i)); },
        [&](std::size_t i) { return smallest_size(mesh_, NodeId(i)); },
        [&](std::size_t i, double part, double size, const Vec<Dim>& p) {
          const double strength = emitter_.strength(p);
          for (const Wanted& w : nodal_) {
            const double wanted = w.outside + strength * (w.value - w.outside);
            blend(w.field[i], source_.add ? strength * w.value : wanted, w.outside, part,
                  [&] { return brought(w.before, p, size); });
          }
        });
  }

  void to_faces(const EmissionTargets<Real>& targets) {
    if (!source_.velocity) return;
    const View<Real> u = targets.velocity->view();
    const auto before = setting([](const Source<Dim>& s) { return s.velocity; });
    for_each_inside(
        "emit velocity", mesh_.face_count(), coarse_, emitter_,
        [&](std::size_t i) { return mesh_.center(FaceId(i)); },
        [&](std::size_t i) { return mesh_.size(FaceId(i)); },
        [&](std::size_t i, double part, double size, const Vec<Dim>& p) {
          blend(u[i], (*source_.velocity)[mesh_.axis(FaceId(i))], 0.0, part,
                [&] { return brought(before, p, size); });
        });
  }

 private:
  using Emitters = std::vector<const Emitter<Dim>*>;
  struct Wanted {
    View<Real> field;
    double value, outside;
    Emitters before;  // others that set this field
  };

  void want(const EmissionTarget<Real>& target) {
    const auto value = [&](const Source<Dim>& s) { return s.value(target.name); };
    if (const std::optional<double> v = value(source_))
      nodal_.push_back({target.field->view(), *v, target.outside, setting(value)});
  }
  template <class Value>
  Emitters setting(Value&& value) const {
    Emitters all;
    for (const Emitter<Dim>& e : before_)
      if (!e.source().add && value(e.source())) all.push_back(&e);
    return all;
  }
  static double brought(const Emitters& before, const Vec<Dim>& p, double size) {
    double sum = 0;
    for (const Emitter<Dim>* e : before) sum += e->part(p, e->distance(p), size);
    return sum;
  }

  // A value that is set becomes a mean of what is outside and what is wanted; one that is added is a rate.
  // Where two sources touch, each has a part of the leaves between them, and together they have all of it.
  template <class Brought>
  void blend(Real& there, double value, double outside, double part, Brought&& brought) const {
    const auto o = static_cast<double>(there);
    if (source_.add) {
      there = static_cast<Real>(o + duration_ * part * value);
      return;
    }
    const double whole = part < 1 ? std::min(1.0, part + brought()) : 1.0;
    there = static_cast<Real>(o + missing(o, value, outside, whole) * (value - o));
  }

  MeshView<Dim> mesh_;
  double coarse_;
  const Emitter<Dim>& emitter_;
  const Source<Dim>& source_;
  double duration_;
  std::span<const Emitter<Dim>> before_;
  std::vector<Wanted> nodal_;
};

}  // namespace

template <int Dim, class Real>
void emit(const Mesh<Dim>& mesh, std::span<const Source<Dim>> sources, double from, double to,
          const EmissionTargets<Real>& targets) {
  if (sources.empty()) return;
  const Sizes sizes = sizes_of(mesh.tree());
  std::vector<Emitter<Dim>> emitters;
  for (const Source<Dim>& source : sources)
    if (source.active_for(from, to) > 0)
      emitters.emplace_back(source, to, mesh.tree().domain(), sizes.fine);
  for (std::size_t k = 0; k < emitters.size(); ++k) {
    const double duration = emitters[k].source().active_for(from, to);
    Emission<Dim, Real> one(mesh, sizes.coarse, emitters[k], duration,
                            std::span<const Emitter<Dim>>(emitters).first(k));
    one.to_nodes(targets);
    one.to_faces(targets);
  }
}

#define OCTAVO_INSTANTIATE(Dim, Real)                                                \
  template void emit(const Mesh<Dim>&, std::span<const Source<Dim>>, double, double, \
                     const EmissionTargets<Real>&);
OCTAVO_INSTANTIATE(2, float)
OCTAVO_INSTANTIATE(3, float)
OCTAVO_INSTANTIATE(2, double)
OCTAVO_INSTANTIATE(3, double)
#undef OCTAVO_INSTANTIATE

}  // namespace octavo
