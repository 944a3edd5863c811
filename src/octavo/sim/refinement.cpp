#include "octavo/sim/refinement.h"

#include "octavo/adapt/field_criteria.h"

namespace octavo {
namespace {

// By how much strictness has to grow for one level to be lost: of rules about fields, and of rules about
// shapes, which thin solids depend on.
constexpr double strictness_of_level = 8, strictness_of_shapes = 512;

// The rules about shapes and the further criteria, for a region.
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
    for (const auto& criterion : parameters.criteria)
      level = std::max(level, std::min(criterion(region), parameters.max_level) - coarser);
    return level;
  }

 private:
  static constexpr double moment = 1e-9;  // s: at the beginning there is no step yet

  bool touches(const RefinementRule<Dim>& rule, const Leaf<Dim>& region) const {
    const double reach = 0.5 * diagonal<Dim>(2 * region.reach) + rule.within;
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
  auto wanted_by = [&](const RefinementRule<Dim>& rule, double strict, int level, LeafId leaf) {
    const double above = rule.above * strict;
    switch (rule.by) {
      case RefineBy::vorticity:
        return VorticityAbove<Dim, Real>{mesh, view.velocity, above, level, keep_}(leaf);
      case RefineBy::density_band:
        return DensityBand<Dim, Real>{mesh,      view.density, rule.low * strict,
                                      rule.high, level,        keep_}(leaf);
      case RefineBy::density_detail:
        return DensityDetail<Dim, Real>{mesh, view.density, above, level}(leaf);
      case RefineBy::velocity_variation:
        return VelocityVariation<Dim, Real>{mesh, view.velocity, above, level, keep_}(leaf);
      default:
        return WantedLevels{};
    }
  };
  map_.build(tree, [&](LeafId leaf) {
    WantedLevels all;
    for (const RefinementRule<Dim>& rule : p.rules) {
      // What strictness takes the finest level from may have the next coarser one, unless it has grown
      // too far for that, too.
      double strict = strictness_;
      for (int level = std::min(rule.level, p.max_level); level > all.refine; --level) {
        all = finest(all, wanted_by(rule, strict, level, leaf));
        if (strict <= 1) break;
        strict = std::max(1.0, strict / strictness_of_level);
      }
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
  const int coarser = static_cast<int>(std::log(strictness_) / std::log(strictness_of_shapes));
  const ShapeRules<Dim, Real> shapes{parameters_, sources_, view, coarser};
  const int most = parameters_.max_level, least = parameters_.min_level;

  auto wanted_by = [&](const LevelMapView<Dim>& map) {
    return [&, fields = Upstream<Dim, Real>{map, view, view.mesh.view()}](Leaf<Dim> region) {
      if (region.level < least) return least;
      region.reach += parameters_.margin * region.size;
      const int by_field = fields(region);
      return std::clamp(by_field > region.level ? by_field : shapes(region), least, most);
    };
  };
  adapted_leaves(tree, wanted_by(map_.to_refine()), wanted_by(map_.to_keep()),
                 {parameters_.hysteresis, parameters_.grading, most}, keys);
}

template <int Dim, class Real>
void Refinement<Dim, Real>::next_leaves(const Octree<Dim>& tree,
                                        const RefinementView<Dim, Real>& view,
                                        Buffer<Key<Dim>>& keys) {
  keep_ = 0.5;
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
