#include "octavo/sim/refinement.h"

#include "octavo/sim/field_rules.h"
#include "octavo/sim/shape_rules.h"

namespace octavo {
namespace {

// By how much strictness has to grow for rules about shapes, which thin solids depend on, to lose a level.
constexpr double strictness_of_shapes = 512;

// What a region wants from the map: where it is, and where what will be in it at the end of the step is.
template <int Dim, class Real>
struct Upstream {
  LevelMapView<Dim> map;
  const RefinementView<Dim, Real>& view;
  MeshView<Dim> mesh;

  int operator()(const Leaf<Dim>& region) const {
    const int here = map(region);
    if (here > region.level || view.dt <= 0) return here;
    const Vec<Dim> u =
        sample<Vec<Dim, Real>>(mesh, view.velocity, region.center).template cast<double>();
    Leaf<Dim> before = region;
    before.center -= u * view.dt;
    return map(before);
  }
};

}  // namespace

template <int Dim, class Real>
void Refinement<Dim, Real>::map_fields(const Octree<Dim>& tree,
                                       const RefinementView<Dim, Real>& view) {
  const FieldRules<Dim, Real> rules = field_rules(view);
  map_.build(tree, [&](LeafId leaf) {
    const double weight = rules.weight(leaf);
    WantedLevels all = rules.seen(leaf);
    for (const RefinementRule<Dim>& rule : parameters_.rules)
      all = rules.wanted(rule, leaf, weight, all);

    // A leaf sees too little of itself to know which of its parts are worth more than one level.
    const int most = rules.mesh.tree.level(leaf) + 1;
    return WantedLevels::from(std::min<int>(all.refine, most), std::min<int>(all.keep, most));
  });
}

template <int Dim, class Real>
FieldRules<Dim, Real> Refinement<Dim, Real>::field_rules(
    const RefinementView<Dim, Real>& view) const {
  return {parameters_, view, eyes_, view.mesh.view(), strictness_, keep_};
}

template <int Dim, class Real>
ShapeRules<Dim, Real> Refinement<Dim, Real>::shape_rules(
    const RefinementView<Dim, Real>& view) const {
  const int coarser = static_cast<int>(std::log(strictness_) / std::log(strictness_of_shapes));
  return {parameters_, sources_, view, coarser};
}

template <int Dim, class Real>
void Refinement<Dim, Real>::collect(const Octree<Dim>& tree, const RefinementView<Dim, Real>& view,
                                    Buffer<Key<Dim>>& keys) {
  map_fields(tree, view);
  const ShapeRules<Dim, Real> shapes = shape_rules(view);
  const int most = parameters_.max_level, least = parameters_.min_level;

  // Whether the view allows what is wanted is asked only if it is finer than what is there.
  auto wanted_by = [&](const LevelMapView<Dim>& map, double slack) {
    return [&, slack, fields = Upstream<Dim, Real>{map, view, view.mesh.view()}](Leaf<Dim> region) {
      if (region.level < least) return least;
      const Leaf<Dim> itself = region;
      region.reach += parameters_.margin * region.size;
      const int by_field = fields(region);
      const int level =
          std::clamp(by_field > region.level ? by_field : shapes(region), least, most);
      if (level <= region.level || !eyes_.limits()) return level;
      const int allowed = std::min(level, eyes_.finest_allowed(itself, slack).level);
      return allowed > region.level ? allowed : std::max(least, shapes.always(region));
    };
  };
  AdaptOptions options{parameters_.hysteresis, parameters_.grading, most};
  options.one_level = parameters_.view.one_level_per_step && view.dt > 0;
  adapted_leaves(tree, wanted_by(map_.to_refine(), eyes_.refine),
                 wanted_by(map_.to_keep(), eyes_.keep), options, keys);
}

template <int Dim, class Real>
void Refinement<Dim, Real>::next_leaves(const Octree<Dim>& tree,
                                        const RefinementView<Dim, Real>& view,
                                        Buffer<Key<Dim>>& keys) {
  keep_ = 0;
  eyes_.look(view.time + view.dt, view.mesh, view.density, view.obstacles);
  const double before = strictness_;
  if (view.dt > 0 && fill(tree.leaf_count()) < least_fill)
    strictness_ = std::max(1.0, before / small_step);
  collect(tree, view, keys);
  if (fill(keys.size()) <= 1) return;

  // Too soon: what was strict enough until now may still be.
  if (strictness_ < before) {
    strictness_ = before;
    collect(tree, view, keys);
  }
  if (fill(keys.size()) > 1) tighten(tree, view, keys);
}

// A strictness with which the bound holds and not much of it is left unused; the less is asked for, the more
// tries it has taken. The number of leaves is taken for a power of the strictness, that of -0.7 at first,
// which errs on the side of too few, then that which the tries show; between the last that was too low and
// the last that was too high. Nothing is kept meanwhile that would not be refined again.
template <int Dim, class Real>
void Refinement<Dim, Real>::tighten(const Octree<Dim>& tree, const RefinementView<Dim, Real>& view,
                                    Buffer<Key<Dim>>& keys) {
  const double most = 70, small = std::log(small_step);  // of logarithms of strictness
  const double goal = std::log(0.5 * (1 + least_fill));
  keep_ = 1;

  // Logarithms of a strictness and of what it fills.
  struct Try {
    double strictness, fill;
  };
  auto attempt = [&](double strictness) {
    strictness_ = std::exp(strictness);
    collect(tree, view, keys);
    return Try{strictness, std::log(fill(keys.size()))};
  };

  Try low = attempt(std::log(strictness_)), high{most, 0};
  if (low.fill <= 0) return;
  double slope = -0.7, enough = std::log(least_fill);
  Try now = low;
  while (now.fill > 0 || now.fill < enough) {
    if (high.strictness - low.strictness <= small) break;
    double next = low.strictness + std::max((goal - low.fill) / slope, small);
    if (next >= high.strictness) next = 0.5 * (low.strictness + high.strictness);
    now = attempt(next);
    slope = std::min((now.fill - low.fill) / (now.strictness - low.strictness), -0.05);
    (now.fill <= 0 ? high : low) = now;
    enough -= 0.05;
  }
  if (now.fill > 0) attempt(high.strictness);
}

template class Refinement<2, float>;
template class Refinement<3, float>;
template class Refinement<2, double>;
template class Refinement<3, double>;

}  // namespace octavo
