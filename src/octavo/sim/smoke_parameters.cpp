#include "octavo/sim/smoke_parameters.h"

#include "octavo/mesh/solid_mark.h"

#include <cmath>

namespace octavo {
namespace {

void check_finite(double value, const char* what) {
  if (!std::isfinite(value)) throw InputError("{} must be a finite number, not {}", what, value);
}

void check_not_negative(double value, const char* what) {
  if (!(value >= 0) || !std::isfinite(value))
    throw InputError("{} must be zero or a positive number, not {}", what, value);
}

void check_positive(double value, const char* what) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError("{} must be a positive number, not {}", what, value);
}

template <int Dim>
void check_source(const Source<Dim>& s, std::size_t scalars) {
  if (s.density) check_finite(*s.density, "the density of a source");
  if (s.temperature) check_finite(*s.temperature, "the temperature of a source");
  for (const auto& v : s.scalars)
    if (v) check_finite(*v, "a scalar of a source");
  for (int a = 0; s.velocity && a < Dim; ++a)
    check_finite((*s.velocity)[a], "the velocity of a source");
  if (s.scalars.size() > scalars)
    throw InputError("a source has {} scalars, but the simulation has {}", s.scalars.size(),
                     scalars);
  check_finite(s.start, "the start of a source");
  if (!(s.end > s.start))
    throw InputError("a source that starts at {} s must end after that, not at {} s", s.start,
                     s.end);
  if (!(s.noise.amount >= 0 && s.noise.amount <= 1))
    throw InputError("the amount of noise must be between 0 and 1, not {}", s.noise.amount);
  check_positive(s.noise.size, "the size of noise");
  check_positive(s.noise.period, "the period of noise");
  check_not_negative(s.edge, "the edge of a source");
}

template <int Dim>
void check_rule(const RefinementRule<Dim>& r) {
  const bool has_threshold = r.by == RefineBy::vorticity || r.by == RefineBy::density_detail ||
                             r.by == RefineBy::velocity_variation;
  if (has_threshold && (!(r.above > 0) || !std::isfinite(r.above)))
    throw InputError("refinement by {} needs a positive threshold, not {}", name(r.by), r.above);
  if (r.by == RefineBy::density_band && !(r.low > 0 && r.high > r.low))
    throw InputError(
        "a band of densities must go from a positive value to a larger one, not from {} to {}",
        r.low, r.high);
  if (r.by == RefineBy::region && !r.region) throw InputError("refinement by region needs a shape");
  check_not_negative(r.within, "the distance of a refinement");
  if (!(r.keep >= 0 && r.keep <= 1))
    throw InputError(
        "the part of a threshold above which what was refined is kept goes from 0 to 1: not {}",
        r.keep);
  if (r.always && !is_about_shapes(r.by))
    throw InputError("refinement by {} cannot be kept from the view", name(r.by));
  if (r.level < 0) throw InputError("a level cannot be negative: {}", r.level);
}

void check_view(const ViewParameters& v, int dim) {
  check_not_negative(v.tau, "the coefficient tau of the view");
  if (v.front) check_positive(*v.front, "the distance of the front plane");
  check_not_negative(v.finest_pixels, "the pixels of the finest leaves");
  check_not_negative(v.coarsest_pixels, "the pixels of the coarsest leaves");
  if (v.coarsest_pixels > 0 && v.coarsest_pixels < 2 * v.finest_pixels)
    throw InputError(
        "leaves cannot be at least {} and at most {} pixels large: sizes are apart by factors of "
        "two",
        v.finest_pixels, v.coarsest_pixels);
  check_positive(v.seen_density, "the density from which on smoke is seen");
  check_not_negative(v.margin, "the margin of the picture");
  for (const auto& levels : {v.outside, v.hidden})
    if (levels && *levels < 0)
      throw InputError("leaves that are not seen cannot be finer: {} levels less", *levels);
  if (v.hidden && dim == 2) throw InputError("in 2D nothing is hidden from the camera");
  if (!(v.transmittance > 0 && v.transmittance < 1))
    throw InputError("the transmittance of what hides must be between 0 and 1, not {}",
                     v.transmittance);
  check_not_negative(v.extinction, "the extinction of smoke");
  check_not_negative(v.around, "the distance around what is seen");
  check_not_negative(v.look_ahead, "the time to look ahead");
  for (const CameraPath& path : v.cameras) {
    const CameraRays first(path.at(0));  // throws if it is none
    for (const CameraKey& key : path.keys) CameraRays{path.at(key.time)};
  }
}

template <int Dim>
void check_refinement(const RefinementParameters<Dim>& p, const Domain<Dim>& domain) {
  if (p.min_level < 0 || p.min_level > p.max_level || p.max_level > max_level)
    throw InputError("levels must go from 0 to at most {}, the coarsest first: not {} to {}",
                     max_level, p.min_level, p.max_level);
  check_not_negative(p.margin, "the margin of refinement");
  check_not_negative(p.hysteresis, "the hysteresis of refinement");
  if (p.grading < 0) throw InputError("the grading cannot be negative: {}", p.grading);
  for (const auto& rule : p.rules) check_rule(rule);
  check_view(p.view, Dim);
  for (const auto& criterion : p.criteria)
    if (!criterion) throw InputError("a criterion of refinement is an empty function");
  const double coarsest = domain.root_count() * std::pow(2.0, Dim * p.min_level);
  if (p.max_leaves > 0 && coarsest > static_cast<double>(p.max_leaves))
    throw InputError("level {} everywhere is {} leaves already, more than the {} allowed",
                     p.min_level, coarsest, p.max_leaves);
  if (coarsest > 4e9)
    throw InputError("level {} everywhere would be {:.3g} leaves", p.min_level, coarsest);
}

}  // namespace

template <int Dim>
void SmokeParameters<Dim>::check(const Domain<Dim>& domain) const {
  domain.check();
  check_positive(cfl, "the CFL number");
  if (min_substeps < 1 || max_substeps < min_substeps)
    throw InputError(
        "the fewest steps of a frame must be 1 or more, and the most no fewer: not {} and {}",
        min_substeps, max_substeps);
  check_finite(weight, "the weight of smoke");
  check_finite(lift, "the lift of warm air");
  check_finite(ambient, "the ambient temperature");
  if (up_axis < 0 || up_axis >= Dim)
    throw InputError("up is an axis from 0 to {}, not {}", Dim - 1, up_axis);
  check_not_negative(confinement, "vorticity confinement");
  for (int a = 0; a < Dim; ++a) check_finite(acceleration[a], "an acceleration");
  check_not_negative(cooling, "the rate of cooling");
  check_not_negative(density_decay, "the decay of density");
  for (const ScalarParameters& s : scalars) {
    check_finite(s.outside, "the value of a scalar outside");
    check_not_negative(s.decay, "the decay of a scalar");
  }
  if (stepping == TimeStepping::reflection && !pressure.shares_velocity())
    throw InputError("time stepping by reflection needs the pressure scheme losasso06s, not {}",
                     name(pressure.scheme));
  if (obstacles.size() > most_solids)
    throw InputError("there can be at most {} obstacles, not {}; unite some", most_solids,
                     obstacles.size());
  for (const Obstacle<Dim>& o : obstacles)
    if (o.temperature) check_finite(*o.temperature, "the temperature of an obstacle");
  for (const Source<Dim>& s : sources) check_source(s, scalars.size());
  check_refinement(refinement, domain);
}

template struct SmokeParameters<2>;
template struct SmokeParameters<3>;

}  // namespace octavo
