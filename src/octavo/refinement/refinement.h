#pragma once

// The rules of a simulation are turned into the leaves of its next octree.
//
// Rules about fields are looked at in the leaves that exist and become a LevelMap; rules about shapes are
// asked about any region. A leaf asks for one level more than it has at most: once it is split, its
// children know better. A region that smoke will flow into within the step is asked about where that
// smoke is now, so that detail is there before it arrives.
//
// If the number of leaves is bounded, thresholds are multiplied by a strictness that rises by as little as
// it takes until the bound holds, and falls again, slowly, when a twelfth of it is free. A rule about fields
// is given up for one level after the other: for the next coarser one when strictness has grown eightfold.
// Rules about shapes are the last to give way: they lose a level each time it has grown 512-fold. What a
// strictness asks for is given up as soon as it is known to be far more than the bound, so that looking for
// the right one takes no more memory than a run within the bound.
//
// What the view has to say comes last: it raises thresholds with the distance, and no rule gets leaves that are
// finer than it allows, but for those that are to hold always.

#include <functional>
#include <string>
#include <vector>

#include "octavo/adapt/adapt.h"
#include "octavo/adapt/level_map.h"
#include "octavo/mesh/field.h"
#include "octavo/obstacles/solids.h"
#include "octavo/refinement/refinement_parameters.h"
#include "octavo/refinement/refinement_reasons.h"
#include "octavo/refinement/view_dependence.h"
#include "octavo/sources/source.h"

namespace octavo {

// Rules look at fields on nodes by their names (an unknown name gives none), at the velocity on nodes, and at
// what there is to see.
template <int Dim, class Real>
struct RefinementSubject {
  const Mesh<Dim>& mesh;
  std::function<View<const Real>(const std::string&)> field;
  View<const Vec<Dim, Real>> velocity;
  const FindVisibility<Dim>& visibility;
  const PosedObstacles<Dim>& obstacles;  // at the end of the step
  double time, dt;                       // at the beginning of the step
};

// A leaf takes so many bytes in a simulation of the least kind, with all that a step needs: no run takes less.
template <int Dim>
constexpr double least_bytes_per_leaf = Dim == 2 ? 250 : 280;

// A beginning is first looked at with this level everywhere: it is fine enough to see most of it.
template <int Dim>
int first_level(const RefinementParameters<Dim>& parameters, const Domain<Dim>& domain);

// One criterion wants these levels, one for each leaf.
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
        view_(parameters.view, domain, parameters.max_level) {}

  // Puts the leaves of the next octree into `keys`.
  void next_leaves(const Octree<Dim>& tree, const RefinementSubject<Dim, Real>& subject,
                   Buffer<Key<Dim>>& keys);

  // The reasons say why the leaves that there are are as fine as they are.
  RefinementReasons reasons(const Octree<Dim>& tree, const RefinementSubject<Dim, Real>& subject);

  double strictness() const { return strictness_; }
  void set_strictness(double s) { strictness_ = s; }
  std::size_t bytes() const { return map_.bytes() + view_.bytes(); }

 private:
  void map_fields(const Octree<Dim>& tree, const RefinementSubject<Dim, Real>& subject);
  bool collect(const Octree<Dim>& tree, const RefinementSubject<Dim, Real>& subject,
               Buffer<Key<Dim>>& keys);
  void collect_within_memory(const Octree<Dim>& tree, const RefinementSubject<Dim, Real>& subject,
                             Buffer<Key<Dim>>& keys);
  bool adapt_leaves(const Octree<Dim>& tree, const RefinementSubject<Dim, Real>& subject,
                    std::size_t most_new, Buffer<Key<Dim>>& keys);
  void tighten(const Octree<Dim>& tree, const RefinementSubject<Dim, Real>& subject,
               Buffer<Key<Dim>>& keys);

  std::vector<AskedLevels> asked_levels(const Octree<Dim>& tree,
                                        const RefinementSubject<Dim, Real>& subject);
  std::vector<View<const Real>> fields_of(const RefinementSubject<Dim, Real>& subject) const;
  FieldRules<Dim, Real> field_rules(const RefinementSubject<Dim, Real>& subject) const;
  ShapeRules<Dim, Real> shape_rules(const RefinementSubject<Dim, Real>& subject) const;

  // This is how much of the bound so many leaves are; it is 0 if there is no bound.
  double fill(std::size_t leaves) const {
    const auto most = static_cast<double>(parameters_.max_leaves);
    return most > 0 ? static_cast<double>(leaves) / most : 0;
  }

  const RefinementParameters<Dim>& parameters_;
  const std::vector<Source<Dim>>& sources_;
  ViewDependence<Dim> view_;
  LevelMap<Dim> map_;
  double strictness_ = 1;
  double keep_ = 0;  // the part of a threshold above which what is there is kept, at least
  static constexpr double small_step = 1.02;
  static constexpr double least_fill = 0.92;  // of the bound, below which strictness falls
  static constexpr std::size_t most_fill =
      8;  // times the bound, beyond which leaves are not counted
};

}  // namespace octavo
