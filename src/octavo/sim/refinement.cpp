#include "octavo/sim/refinement.h"

#include "octavo/adapt/field_criteria.h"

namespace octavo {
namespace {

// The rules about shapes, for a region.
template <int Dim, class Real>
struct ShapeRules {
  const RefinementParameters<Dim>& parameters;
  const std::vector<Source<Dim>>& sources;
  const RefinementView<Dim, Real>& view;
  int coarser;  // levels given up to keep the number of leaves

  int operator()(const Leaf<Dim>& region) const {
    int level = 0;
    for (const RefinementRule<Dim>& rule : parameters.rules) {
      const int wanted = std::max(0, std::min(rule.level, parameters.max_level) - coarser);
      if (wanted > level && touches(rule, region)) level = wanted;
    }
    return level;
  }

 private:
  static constexpr double moment = 1e-9;  // s: at the beginning there is no step yet

  bool touches(const RefinementRule<Dim>& rule, const Leaf<Dim>& region) const {
    const double reach = diagonal<Dim>(region.reach) + rule.within;
    switch (rule.by) {
      case RefineBy::objects:
        return !view.obstacles.empty() && std::abs(view.obstacles.distance(region.center)) <= reach;
      case RefineBy::sources:
        for (const Source<Dim>& s : sources)
          if (s.active_for(view.time, view.time + std::max(view.dt, moment)) > 0) {
            const Vec<Dim> p = s.motion.pose(view.time + view.dt).inverse(region.center);
            if (s.shape(p) <= reach) return true;
          }
        return false;
      case RefineBy::region:
        return rule.region.has_value() && (*rule.region)(region.center) <= reach;
      default:
        return false;
    }
  }
};

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
  const MeshView<Dim> mesh = view.mesh.view();
  const RefinementParameters<Dim>& p = parameters_;
  const double strictness = strictness_;
  map_.build(tree, [&](LeafId leaf) {
    WantedLevels all;
    for (const RefinementRule<Dim>& rule : p.rules) {
      const int level = std::min(rule.level, p.max_level);
      const double above = rule.above * strictness;
      if (level <= all.refine) continue;
      WantedLevels wanted;
      if (rule.by == RefineBy::vorticity)
        wanted = VorticityAbove<Dim, Real>{mesh, view.velocity, above, level}(leaf);
      else if (rule.by == RefineBy::density_band)
        wanted = DensityBand<Dim, Real>{mesh, view.density, rule.low * strictness, rule.high,
                                        level}(leaf);
      else if (rule.by == RefineBy::density_detail)
        wanted = DensityDetail<Dim, Real>{mesh, view.density, above, level}(leaf);
      else if (rule.by == RefineBy::velocity_variation)
        wanted = VelocityVariation<Dim, Real>{mesh, view.velocity, above, level}(leaf);
      all = finest(all, wanted);
    }

    // A leaf sees too little of itself to know which of its parts are worth more than one level.
    const int most = mesh.tree.level(leaf) + 1;
    return WantedLevels::from(std::min<int>(all.refine, most), std::min<int>(all.keep, most));
  });
}

template <int Dim, class Real>
void Refinement<Dim, Real>::collect(const Octree<Dim>& tree, const RefinementView<Dim, Real>& view,
                                    Buffer<Key<Dim>>& keys) {
  map_fields(tree, view);
  const int coarser = static_cast<int>(std::log2(strictness_) / 3);
  const ShapeRules<Dim, Real> shapes{parameters_, sources_, view, coarser};
  const int most = parameters_.max_level, least = parameters_.min_level;

  // Leaves of the finest level can only be kept, and need not be asked for more.
  auto wanted_by = [&](const LevelMapView<Dim>& map) {
    return [&, fields = Upstream<Dim, Real>{map, view, view.mesh.view()}](Leaf<Dim> region) {
      if (region.level >= most) return most;
      if (region.level < least) return least;
      region.reach += parameters_.margin * region.size;
      const int by_field = fields(region);
      return std::clamp(by_field > region.level ? by_field : shapes(region), least, most);
    };
  };
  adapted_leaves(tree, wanted_by(map_.to_refine()), wanted_by(map_.to_keep()),
                 {parameters_.hysteresis, parameters_.grading}, keys);
}

template <int Dim, class Real>
void Refinement<Dim, Real>::next_leaves(const Octree<Dim>& tree,
                                        const RefinementView<Dim, Real>& view,
                                        Buffer<Key<Dim>>& keys) {
  constexpr double rise = 1.1, fall = 1.02, hopeless = 1e30;
  if (view.dt > 0) strictness_ = std::max(1.0, strictness_ / fall);
  collect(tree, view, keys);
  if (parameters_.max_leaves == 0) return;
  while (keys.size() > parameters_.max_leaves && strictness_ < hopeless) {
    strictness_ *= rise;
    collect(tree, view, keys);
  }
}

template class Refinement<2, float>;
template class Refinement<3, float>;
template class Refinement<2, double>;
template class Refinement<3, double>;

}  // namespace octavo
