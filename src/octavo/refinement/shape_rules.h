#pragma once

// The rules of refinement about shapes, and the criteria of one's own, are asked about a region.

#include "octavo/refinement/refinement.h"

namespace octavo {

template <int Dim, class Real>
struct ShapeRules {
  const RefinementParameters<Dim>& parameters;
  const std::vector<Source<Dim>>& sources;
  const RefinementSubject<Dim, Real>& subject;
  int coarser;  // levels given up to keep the number of leaves

  int operator()(const Leaf<Dim>& region) const {
    int level = of_rules(region, [](const RefinementRule<Dim>&) { return true; });
    for (const auto& criterion : parameters.criteria)
      level = std::max(level, wanted(criterion, region));
    return level;
  }

  // This is the level wanted by the rules that do not care what the view allows.
  int always(const Leaf<Dim>& region) const {
    return of_rules(region, [](const RefinementRule<Dim>& rule) { return rule.always; });
  }

  // This is the level that one of them wants.
  int wanted(const RefinementRule<Dim>& rule, const Leaf<Dim>& region) const {
    return touches(rule, region) ? level_of(rule.level) : 0;
  }
  int wanted(const std::function<int(const Leaf<Dim>&)>& criterion, const Leaf<Dim>& region) const {
    return level_of(criterion(region));
  }

 private:
  static constexpr double moment = 1e-9;  // s: at the beginning there is no step yet

  template <class Which>
  int of_rules(const Leaf<Dim>& region, Which&& which) const {
    int level = 0;
    for (const RefinementRule<Dim>& rule : parameters.rules)
      if (which(rule) && level_of(rule.level) > level)
        level = std::max(level, wanted(rule, region));
    return level;
  }

  int level_of(int wanted) const {
    return std::max(0, std::min(wanted, parameters.max_level) - coarser);
  }

  bool touches(const RefinementRule<Dim>& rule, const Leaf<Dim>& region) const {
    const double reach = 0.5 * diagonal<Dim>(2 * region.reach) + rule.within;
    switch (rule.by) {
      case RefineBy::objects:
        return !subject.obstacles.empty() &&
               std::abs(subject.obstacles.distance(region.center)) <= reach;
      case RefineBy::sources:
        for (const Source<Dim>& s : sources)
          if (s.active_for(subject.time, subject.time + std::max(subject.dt, moment)) > 0) {
            const Vec<Dim> p = s.motion.pose(subject.time + subject.dt).inverse(region.center);
            if (s.shape(p) <= reach + 0.5 * s.edge) return true;
          }
        return false;
      case RefineBy::region:
        return rule.region.has_value() && (*rule.region)(region.center) <= reach;
      default:
        return false;
    }
  }
};

}  // namespace octavo
