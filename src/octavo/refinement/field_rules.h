#pragma once

// The rules of refinement about fields are asked about a leaf that exists.

#include "octavo/adapt/field_criteria.h"
#include "octavo/refinement/refinement.h"

namespace octavo {

template <int Dim, class Real>
struct FieldRules {
  const RefinementParameters<Dim>& parameters;
  const RefinementSubject<Dim, Real>& subject;
  const ViewDependence<Dim>& view;
  MeshView<Dim> mesh;
  std::vector<View<const Real>> fields;  // that each rule looks at
  double strictness;                     // by which thresholds are multiplied
  double least_keep;  // the part of a threshold above which what is there is kept, at least

  // Strictness has to grow by this factor for one level to be lost.
  static constexpr double strictness_of_level = 8;

  // Where strictness takes away the finest level, a leaf may have the next coarser one, unless strictness has
  // grown too far for that, too. `known` is what others want already.
  WantedLevels wanted(std::size_t index, LeafId leaf, double weight,
                      WantedLevels known = {}) const {
    const RefinementRule<Dim>& rule = parameters.rules[index];
    WantedLevels all = known;
    double strict = strictness;
    for (int level = std::min(rule.level, parameters.max_level); level > all.refine; --level) {
      all = finest(all, above(index, strict * weight, level, leaf));
      if (strict <= 1) break;
      strict = std::max(1.0, strict / strictness_of_level);
    }
    return all;
  }

  double weight(LeafId leaf) const { return view.weight(mesh.tree.center(leaf)); }

  // What is seen is to be no larger than so many pixels.
  WantedLevels seen(LeafId leaf) const {
    if (!view.asks()) return {};
    const double largest = view.shown(leaf);
    const double least = view.seen_density() * strictness;
    if (!(largest > least_keep_of(0.5) * least)) return {};
    const int level = view.needed(mesh.tree.domain.leaf(mesh.tree.leaf_key[leaf]));
    return WantedLevels::from(largest > least ? level : 0, std::min(mesh.tree.level(leaf), level));
  }

 private:
  double least_keep_of(double keep) const { return std::max(keep, least_keep); }

  WantedLevels above(std::size_t index, double strict, int level, LeafId leaf) const {
    const RefinementRule<Dim>& rule = parameters.rules[index];
    const View<const Real> field = fields[index];
    const double threshold = rule.above * strict, keep = least_keep_of(rule.keep);
    switch (rule.by) {
      case RefineBy::vorticity:
        return VorticityAbove<Dim, Real>{mesh, subject.velocity, threshold, level, keep}(leaf);
      case RefineBy::band:
        return FieldBand<Dim, Real>{mesh, field, rule.low * strict, rule.high, level, keep}(leaf);
      case RefineBy::interface:
        return interface(rule, field, strict, level, leaf);
      case RefineBy::detail:
        return FieldDetail<Dim, Real>{mesh, field, threshold, level}(leaf);
      case RefineBy::velocity_variation:
        return VelocityVariation<Dim, Real>{mesh, subject.velocity, threshold, level, keep}(leaf);
      default:
        return {};
    }
  }

  // Strictness makes the band narrower, until a level is not worth having.
  WantedLevels interface(const RefinementRule<Dim>& rule, View<const Real> field, double strict,
                         int level, LeafId leaf) const {
    constexpr double least_leaves = 0.5;
    const double inside = rule.leaves[0] / strict, outside = rule.leaves[1] / strict;
    if (std::max(inside, outside) < least_leaves) return {};
    return InterfaceBand<Dim, Real>{mesh, field, inside, outside, level}(leaf);
  }
};

}  // namespace octavo
