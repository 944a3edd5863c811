#pragma once

// From the rules of a simulation to the leaves of its next octree.
//
// Rules about fields are looked at in the leaves that exist and become a LevelMap; rules about shapes are
// asked about any region. A leaf asks for one level more than it has at most: once it is split, its
// children know better. A region that smoke will flow into within the step is asked about where that
// smoke is now, so that detail is there before it arrives.
//
// If the number of leaves is bounded, thresholds are multiplied by a strictness that rises by as little as
// it takes until the bound holds, and falls again, slowly, when a twelfth of it is free. A rule about fields
// is given up for one level after the other: for the next coarser one when strictness has grown eightfold.
// Rules about shapes are the last to give way: they lose a level each time it has grown 512-fold.
//
// What the view has to say comes last: it raises thresholds with the distance, and no rule gets leaves that are
// finer than it allows, but for those that are to hold always.

#include "octavo/adapt/adapt.h"
#include "octavo/adapt/level_map.h"
#include "octavo/mesh/field.h"
#include "octavo/sim/refinement_reasons.h"
#include "octavo/sim/smoke_parameters.h"
#include "octavo/sim/solids.h"
#include "octavo/sim/view_dependence.h"

namespace octavo {

// What rules look at.
template <int Dim, class Real>
struct RefinementView {
  const Mesh<Dim>& mesh;
  View<const Real> density;              // nodes
  View<const Vec<Dim, Real>> velocity;   // nodes
  const PosedObstacles<Dim>& obstacles;  // at the end of the step
  double time, dt;                       // at the beginning of the step
};

// What one criterion wants, for each leaf.
struct AskedLevels {
  std::string name;
  Buffer<std::int8_t> level;
  bool always = false;  // whatever the view allows
};

template <int Dim, class Real>
struct FieldRules;
template <int Dim, class Real>
struct ShapeRules;

template <int Dim, class Real>
class Refinement {
 public:
  Refinement(const RefinementParameters<Dim>& parameters, const std::vector<Source<Dim>>& sources,
             const Domain<Dim>& domain)
      : parameters_(parameters),
        sources_(sources),
        eyes_(parameters.view, domain, parameters.max_level) {}

  // The leaves of the next octree, into `keys`.
  void next_leaves(const Octree<Dim>& tree, const RefinementView<Dim, Real>& view,
                   Buffer<Key<Dim>>& keys);

  // Why the leaves that there are are as fine as they are.
  RefinementReasons reasons(const Octree<Dim>& tree, const RefinementView<Dim, Real>& view);

  double strictness() const { return strictness_; }
  void set_strictness(double s) { strictness_ = s; }
  std::size_t bytes() const { return map_.bytes() + eyes_.bytes(); }

 private:
  void map_fields(const Octree<Dim>& tree, const RefinementView<Dim, Real>& view);
  void collect(const Octree<Dim>& tree, const RefinementView<Dim, Real>& view,
               Buffer<Key<Dim>>& keys);
  void tighten(const Octree<Dim>& tree, const RefinementView<Dim, Real>& view,
               Buffer<Key<Dim>>& keys);

  std::vector<AskedLevels> asked_levels(const Octree<Dim>& tree,
                                        const RefinementView<Dim, Real>& view);
  FieldRules<Dim, Real> field_rules(const RefinementView<Dim, Real>& view) const;
  ShapeRules<Dim, Real> shape_rules(const RefinementView<Dim, Real>& view) const;

  // How much of the bound so many leaves are; nothing if there is none.
  double fill(std::size_t leaves) const {
    const auto most = static_cast<double>(parameters_.max_leaves);
    return most > 0 ? static_cast<double>(leaves) / most : 0;
  }

  const RefinementParameters<Dim>& parameters_;
  const std::vector<Source<Dim>>& sources_;
  ViewDependence<Dim> eyes_;
  LevelMap<Dim> map_;
  double strictness_ = 1;
  double keep_ = 0;  // the part of a threshold above which what is there is kept, at least
  static constexpr double small_step = 1.02;
  static constexpr double least_fill = 0.92;  // of the bound, below which strictness falls
};

}  // namespace octavo
