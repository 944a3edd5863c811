#include "octavo/refinement/view_dependence.h"

#include <algorithm>
#include <cmath>

#include "octavo/camera/solid_sight.h"
#include "octavo/refinement/haze_sight.h"

namespace octavo {
namespace {

// A moving camera is looked at so many times while it looks ahead.
constexpr int steps_ahead = 8;

template <int Dim>
Region region_of(const Leaf<Dim>& leaf) {
  return {in_space(leaf.center), leaf.reach};
}

}  // namespace

template <int Dim>
ViewDependence<Dim>::ViewDependence(const ViewParameters& parameters, const Domain<Dim>& domain,
                                    int finest)
    : parameters_(parameters), domain_(domain), finest_(finest) {}

// The front is where the box begins, if the camera is outside and not too close.
template <int Dim>
double ViewDependence<Dim>::front_of(const Camera& camera) const {
  if (parameters_.front) return *parameters_.front;
  const Box<Dim> box = domain_.box();
  const Frustum frustum(camera, 0);
  double begins = std::numeric_limits<double>::infinity(), longest = 0;
  for (int corner = 0; corner < child_count<Dim>; ++corner)
    begins = std::min(begins, frustum.depth(in_space(box.corner(corner))));
  for (int a = 0; a < Dim; ++a) longest = std::max(longest, box.size()[a]);
  return std::max(begins, longest / 20);
}

template <int Dim>
void ViewDependence<Dim>::look(double time, const Mesh<Dim>& mesh,
                               const FindVisibility<Dim>& visibility,
                               const PosedObstacles<Dim>& obstacles) {
  place_cameras(time);
  if (!any() || !(asks() || parameters_.looks_behind())) return;
  visibility_.resize(mesh.leaf_count());
  std::fill(visibility_.begin(), visibility_.end(), Visibility{});
  if (visibility) visibility(mesh, visibility_.view());
  if (parameters_.looks_behind()) look_through(mesh, obstacles);
}

template <int Dim>
void ViewDependence<Dim>::place_cameras(double time) {
  viewpoints_.clear();
  std::vector<Camera> cameras;
  for (const CameraPath& path : parameters_.cameras) {
    const bool ahead = path.moves() && parameters_.look_ahead > 0;
    for (int i = 0; i <= (ahead ? steps_ahead : 0); ++i)
      cameras.push_back(path.at(time + parameters_.look_ahead * i / steps_ahead));
  }
  for (const Camera& camera : cameras) {
    const double front = front_of(camera);
    const double phi =
        parameters_.match_image ? resolution_ratio(camera, front, domain_.size(finest_)) : 1;
    viewpoints_.push_back(
        {camera,
         Frustum(camera, parameters_.margin),
         ViewWeight({parameters_.tau, front, phi, parameters_.at_90_degrees}, camera),
         {}});
  }
}

// Each camera sees as far as to a solid, or to where so much is in the way that no light is left.
template <int Dim>
void ViewDependence<Dim>::look_through(const Mesh<Dim>& mesh,
                                       const PosedObstacles<Dim>& obstacles) {
  if constexpr (Dim == 3) {
    const HazeSight haze(mesh, std::as_const(visibility_).view(), parameters_);
    for (Viewpoint& viewpoint : viewpoints_) {
      const SolidSight solid([&](const Vec3d& p) { return obstacles.distance(p); },
                             SightMap::tile_width(viewpoint.camera, parameters_.margin));
      viewpoint.sight.build(viewpoint.camera, parameters_.margin, [&](const Ray& ray) {
        constexpr double endless = std::numeric_limits<double>::infinity();
        const Span span = clipped(ray, domain_.box(), {});
        if (span.empty()) return endless;
        const double wall = obstacles.empty() ? span.to : solid(ray, span);
        const double end = wall < span.to ? wall : endless;
        return std::min(end, haze(ray, {span.from, wall}));
      });
    }
  }
}

template <int Dim>
double ViewDependence<Dim>::weight(const Vec<Dim>& point) const {
  if (!weighs()) return 1;
  double least = std::numeric_limits<double>::infinity();
  for (const Viewpoint& viewpoint : viewpoints_)
    least = std::min(least, viewpoint.weight(in_space(point)));
  return least;
}

// This is the finest level whose leaves are not smaller.
template <int Dim>
int ViewDependence<Dim>::level_of_size(double size) const {
  if (!(size > 0)) return finest_;
  return std::clamp(std::ilogb(domain_.root_size / size * (1 + 1e-9)), 0, finest_);
}

template <int Dim>
AllowedLevel ViewDependence<Dim>::allowed(const Viewpoint& viewpoint, const Region& region,
                                          double slack) const {
  const ViewParameters& p = parameters_;
  AllowedLevel limit{finest_, ViewLimit::none};
  auto lower = [&](int level, ViewLimit by) {
    if (level < limit.level) limit = {std::max(0, level), by};
  };
  if (p.finest_pixels > 0)
    lower(level_of_size(p.finest_pixels / slack *
                        viewpoint.frustum.pixel_size(viewpoint.frustum.distance(region))),
          ViewLimit::pixels);
  const Region around{region.center, region.half + p.around};
  if (p.outside && !viewpoint.frustum.touches(around))
    lower(finest_ - *p.outside, ViewLimit::outside);
  else if (p.looks_behind() && limit.level > finest_ - *p.hidden &&
           viewpoint.sight.hides(viewpoint.frustum, around))
    lower(finest_ - *p.hidden, ViewLimit::hidden);
  return limit;
}

template <int Dim>
AllowedLevel ViewDependence<Dim>::finest_allowed(const Leaf<Dim>& region, double slack) const {
  if (!limits()) return {finest_, ViewLimit::none};
  AllowedLevel most{-1, ViewLimit::none};
  for (const Viewpoint& viewpoint : viewpoints_) {
    const AllowedLevel one = allowed(viewpoint, region_of(region), slack);
    if (one.level > most.level) most = one;
    if (most.level == finest_) break;
  }
  return most;
}

// This is the coarsest level whose leaves are not larger.
template <int Dim>
int ViewDependence<Dim>::needed(const Leaf<Dim>& leaf) const {
  int level = 0;
  const Region region = region_of(leaf);
  for (const Viewpoint& viewpoint : viewpoints_) {
    if (!viewpoint.frustum.touches(region) || viewpoint.sight.hides(viewpoint.frustum, region))
      continue;
    const double largest = parameters_.coarsest_pixels *
                           viewpoint.frustum.pixel_size(viewpoint.frustum.distance(region));
    int fine = level_of_size(largest);
    if (fine < finest_ && domain_.size(fine) > largest * (1 + 1e-9)) ++fine;
    level = std::max(level, fine);
  }
  return level;
}

template <int Dim>
std::size_t ViewDependence<Dim>::bytes() const {
  std::size_t sum = visibility_.bytes();
  for (const Viewpoint& viewpoint : viewpoints_) sum += sizeof(Viewpoint) + viewpoint.sight.bytes();
  return sum;
}

template class ViewDependence<2>;
template class ViewDependence<3>;

}  // namespace octavo
