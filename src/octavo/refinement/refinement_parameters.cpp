#include "octavo/refinement/refinement_parameters.h"

#include "octavo/base/checks.h"

namespace octavo {
namespace {

template <int Dim>
void check_rule(const RefinementRule<Dim>& r) {
  const bool has_threshold = r.by == RefineBy::vorticity || r.by == RefineBy::detail ||
                             r.by == RefineBy::velocity_variation;
  if (has_threshold && (!(r.above > 0) || !std::isfinite(r.above)))
    throw InputError("refinement by {} needs a positive threshold, not {}", name(r.by), r.above);
  if (r.by == RefineBy::band && !(r.low > 0 && r.high > r.low))
    throw InputError(
        "a band of densities must go from a positive value to a larger one, not from {} to {}",
        r.low, r.high);
  if (r.by == RefineBy::region && !r.region) throw InputError("refinement by region needs a shape");
  check_not_negative("the distance of a refinement", r.within);
  if (!(r.keep >= 0 && r.keep <= 1))
    throw InputError(
        "the part of a threshold above which what was refined is kept goes from 0 to 1: not {}",
        r.keep);
  if (r.always && !is_about_shapes(r.by))
    throw InputError("refinement by {} cannot be kept from the view", name(r.by));
  if (r.level < 0) throw InputError("a level cannot be negative: {}", r.level);
}

void check_view(const ViewParameters& v, int dim) {
  check_not_negative("the coefficient tau of the view", v.tau);
  if (v.front) check_positive("the distance of the front plane", *v.front);
  check_not_negative("the pixels of the finest leaves", v.finest_pixels);
  check_not_negative("the pixels of the coarsest leaves", v.coarsest_pixels);
  if (v.coarsest_pixels > 0 && v.coarsest_pixels < 2 * v.finest_pixels)
    throw InputError(
        "leaves cannot be at least {} and at most {} pixels large: sizes are apart by factors of "
        "two",
        v.finest_pixels, v.coarsest_pixels);
  check_positive("the density from which on smoke is seen", v.seen_density);
  check_not_negative("the margin of the picture", v.margin);
  for (const auto& levels : {v.outside, v.hidden})
    if (levels && *levels < 0)
      throw InputError("leaves that are not seen cannot be finer: {} levels less", *levels);
  if (v.hidden && dim == 2) throw InputError("in 2D nothing is hidden from the camera");
  if (!(v.transmittance > 0 && v.transmittance < 1))
    throw InputError("the transmittance of what hides must be between 0 and 1, not {}",
                     v.transmittance);
  check_not_negative("the extinction of smoke", v.extinction);
  check_not_negative("the distance around what is seen", v.around);
  check_not_negative("the time to look ahead", v.look_ahead);
  for (const CameraPath& path : v.cameras) {
    const CameraRays first(path.at(0));  // throws if it is none
    for (const CameraKey& key : path.keys) CameraRays{path.at(key.time)};
  }
}

}  // namespace

template <int Dim>
void RefinementParameters<Dim>::check(const Domain<Dim>& domain) const {
  if (min_level < 0 || min_level > max_level || max_level > octavo::max_level)
    throw InputError("levels must go from 0 to at most {}, the coarsest first: not {} to {}",
                     octavo::max_level, min_level, max_level);
  check_not_negative("the margin of refinement", margin);
  check_not_negative("the hysteresis of refinement", hysteresis);
  if (grading < 0) throw InputError("the grading cannot be negative: {}", grading);
  for (const RefinementRule<Dim>& rule : rules) check_rule(rule);
  check_view(view, Dim);
  for (const auto& criterion : criteria)
    if (!criterion) throw InputError("a criterion of refinement is an empty function");
  const double coarsest = domain.root_count() * std::pow(2.0, Dim * min_level);
  if (max_leaves > 0 && coarsest > static_cast<double>(max_leaves))
    throw InputError("level {} everywhere is {} leaves already, more than the {} allowed",
                     min_level, coarsest, max_leaves);
  if (coarsest > 4e9)
    throw InputError("level {} everywhere would be {:.3g} leaves", min_level, coarsest);
}

template struct RefinementParameters<2>;
template struct RefinementParameters<3>;

}  // namespace octavo
