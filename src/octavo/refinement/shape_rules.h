#pragma once

// The rules of refinement about shapes, and the criteria of one's own, are asked about a region.

#include <algorithm>

#include "octavo/refinement/refinement.h"

namespace octavo {

// A source is asked about where it is at the end of the step.
template <int Dim>
struct PosedSource {
  const Source<Dim>* source;
  Pose<Dim> pose;

  double distance(const Vec<Dim>& p) const { return source->shape(pose.inverse(p)); }
};

// These are the sources that act during a step.
template <int Dim>
std::vector<PosedSource<Dim>> posed_sources(const std::vector<Source<Dim>>& sources, double time,
                                            double dt) {
  constexpr double moment = 1e-9;  // s: at the beginning there is no step yet
  std::vector<PosedSource<Dim>> posed;
  for (const Source<Dim>& s : sources)
    if (s.active_for(time, time + std::max(dt, moment)) > 0)
      posed.push_back({&s, s.motion.pose(time + dt)});
  return posed;
}

template <int Dim, class Real>
struct ShapeRules {
  const RefinementParameters<Dim>& parameters;
  std::vector<PosedSource<Dim>> sources;
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
        return std::any_of(sources.begin(), sources.end(), [&](const PosedSource<Dim>& s) {
          return s.distance(region.center) <= reach + 0.5 * s.source->edge;
        });
      case RefineBy::region:
        return rule.region.has_value() && (*rule.region)(region.center) <= reach;
      default:
        return false;
    }
  }
};

}  // namespace octavo
