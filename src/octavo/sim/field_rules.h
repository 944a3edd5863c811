#pragma once

// The rules of refinement about fields, asked about a leaf that exists.

#include "octavo/adapt/field_criteria.h"
#include "octavo/sim/refinement.h"

namespace octavo {

template <int Dim, class Real>
struct FieldRules {
  const RefinementParameters<Dim>& parameters;
  const RefinementView<Dim, Real>& view;
  const ViewDependence<Dim>& eyes;
  MeshView<Dim> mesh;
  double strictness;  // by which thresholds are multiplied
  double least_keep;  // the part of a threshold above which what is there is kept, at least

  // By how much strictness has to grow for one level to be lost.
  static constexpr double strictness_of_level = 8;

  // What strictness takes the finest level from may have the next coarser one, unless it has grown too far for
  // that, too. `known` is what others want already.
  WantedLevels wanted(const RefinementRule<Dim>& rule, LeafId leaf, double weight,
                      WantedLevels known = {}) const {
    WantedLevels all = known;
    double strict = strictness;
    for (int level = std::min(rule.level, parameters.max_level); level > all.refine; --level) {
      all = finest(all, above(rule, strict * weight, level, leaf));
      if (strict <= 1) break;
      strict = std::max(1.0, strict / strictness_of_level);
    }
    return all;
  }

  double weight(LeafId leaf) const { return eyes.weight(mesh.tree.center(leaf)); }

  // Smoke that is seen: no larger than so many pixels.
  WantedLevels seen(LeafId leaf) const {
    if (!eyes.asks()) return {};
    double largest = 0;
    for (int c = 0; c < child_count<Dim>; ++c)
      largest = std::max(largest, static_cast<double>(view.density[mesh.node(leaf, c)]));
    const double least = eyes.seen_density() * strictness;
    if (!(largest > least_keep_of(0.5) * least)) return {};
    const int level = eyes.needed(mesh.tree.domain.leaf(mesh.tree.leaf_key[leaf]));
    return WantedLevels::from(largest > least ? level : 0, std::min(mesh.tree.level(leaf), level));
  }

 private:
  double least_keep_of(double keep) const { return std::max(keep, least_keep); }

  WantedLevels above(const RefinementRule<Dim>& rule, double strict, int level, LeafId leaf) const {
    const double threshold = rule.above * strict, keep = least_keep_of(rule.keep);
    switch (rule.by) {
      case RefineBy::vorticity:
        return VorticityAbove<Dim, Real>{mesh, view.velocity, threshold, level, keep}(leaf);
      case RefineBy::density_band:
        return DensityBand<Dim, Real>{mesh,      view.density, rule.low * strict,
                                      rule.high, level,        keep}(leaf);
      case RefineBy::density_detail:
        return DensityDetail<Dim, Real>{mesh, view.density, threshold, level}(leaf);
      case RefineBy::velocity_variation:
        return VelocityVariation<Dim, Real>{mesh, view.velocity, threshold, level, keep}(leaf);
      default:
        return {};
    }
  }
};

}  // namespace octavo
