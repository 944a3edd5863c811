#include "octavo/render/smoke_medium.h"

#include "octavo/base/error.h"
#include "octavo/render/leaf_corners.h"
#include "octavo/render/node_light.h"
#include "octavo/render/solid_shadow.h"

namespace octavo {
namespace {

constexpr float dark = 9;  // optical depth behind which no light of the last order is looked for
constexpr int ambient_resolution = 48;

void check(const SmokeField& field, const SmokeLook& look, const Lighting& lighting,
           bool has_solids) {
  constexpr double most_bytes = 8e9;
  if (!(std::abs(look.anisotropy) < 1))
    throw InputError("an anisotropy must be between -1 and 1, not {}", look.anisotropy);
  OCTAVO_CHECK(field.density.size() == field.mesh->node_count());
  OCTAVO_CHECK(field.temperature.size() == 0 ||
               field.temperature.size() == field.mesh->node_count());
  const std::size_t lights = lighting.lights.size(), nodes = field.mesh->node_count();
  const double bytes = static_cast<double>(lights) * static_cast<double>(nodes) *
                       (has_solids ? 2 : 1) * sizeof(float);
  if (bytes > most_bytes)
    throw InputError("{} lights on {} nodes of smoke take {:.0f} GB, more than {:.0f}", lights,
                     nodes, bytes / 1e9, most_bytes / 1e9);
}

// Advection leaves a trace of smoke nearly everywhere. What would stop less than this part of the light if all of
// the box were full of it is not looked at.
float faintest(const SmokeField& field, const SmokeLook& look) {
  constexpr double part = 1e-5;
  const double longest = length(field.mesh->tree().domain().box().size());
  return look.extinction > 0 ? static_cast<float>(part / (look.extinction * longest)) : 0;
}

// It is the light of the sky that comes from about the same direction, for each of them: all together they have the
// mean of the sky. It is taken by many directions that spread evenly, each given to the nearest of them (Gonzalez
// 2010, "Measurement of areas on a sphere using Fibonacci and latitude-longitude lattices").
std::array<Light, cube_directions.size()> sky_around(const Sky& sky) {
  constexpr int count = 1 << 14;
  std::array<Light, cube_directions.size()> sum{};
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2 * i + 1.0) / count, r = std::sqrt(1 - z * z);
    const double turn = i * std::numbers::pi * (3 - std::sqrt(5.0));
    const Vec3d direction{r * std::cos(turn), r * std::sin(turn), z};
    std::size_t nearest = 0;
    for (std::size_t k = 1; k < sum.size(); ++k)
      if (dot(cube_directions[k], direction) > dot(cube_directions[nearest], direction))
        nearest = k;
    sum[nearest] += sky.at(direction) * (1.0f / count);
  }
  return sum;
}

}  // namespace

SmokeMedium::SmokeMedium(const SmokeField& field, const SmokeLook& look, const Lighting& lighting,
                         const Surfaces& surfaces)
    : field_(field), look_(look), lighting_(lighting), mesh_(field.mesh->view()) {
  check(field, look, lighting, !surfaces.empty());
  const MeshView<3> mesh = mesh_;
  const View<const float> density = field_.density;
  const float faint = faintest(field_, look_);
  occupied_ = occupancy(field.mesh->tree(), [=](LeafId leaf) -> std::uint8_t {
    for (int c = 0; c < 8; ++c)
      if (density[mesh.node(leaf, c)] > faint) return 1;
    return 0;
  });
  walk_ = OctreeWalk(mesh.tree, occupied_);
  find_bounds();
  if (empty_) return;
  if (look_.glow && field_.temperature.size() > 0)
    glow_ = GlowTable(*look_.glow, field_.temperature);
  light_nodes(surfaces);
  light_from_sky(surfaces);
}

void SmokeMedium::find_bounds() {
  constexpr double far = std::numeric_limits<double>::max();
  const OctreeView<3> tree = mesh_.tree;
  const View<const std::uint8_t> occupied = occupied_.leaf.view();
  const Box<3> none{Vec3d::filled(far), Vec3d::filled(-far)};
  bounds_ = parallel_reduce(
      "bounds of the smoke", tree.leaf_count(), none,
      [=](std::size_t i) {
        if (occupied[i] == 0) return none;
        const Vec3d lo = tree.domain.position(tree.lo(LeafId(i)));
        return Box<3>{lo, lo + Vec3d::filled(tree.size(LeafId(i)))};
      },
      [](const Box<3>& p, const Box<3>& q) {
        return Box<3>{min(p.lo, q.lo), max(p.hi, q.hi)};
      });
  empty_ = !(bounds_.lo[0] <= bounds_.hi[0]);
}

float SmokeMedium::transmittance(const Ray& ray, const Span& span) const {
  float depth = 0;
  const auto extinction = static_cast<float>(look_.extinction);
  const float enough = std::ldexp(dark, look_.orders - 1);
  walk_.along(ray, span, [&](const OctreeWalk::LeafCrossing& p) {
    const LeafCorners c = densities_of(mesh_, field_.density, p.leaf);
    depth += mean_along(c, p.begin, p.end) * static_cast<float>(p.to - p.from) * extinction;
    return depth < enough;
  });
  return std::exp(-depth);
}

float SmokeMedium::arriving(const Vec3d& point, std::size_t light) const {
  return empty_ ? 1 : transmittance({point, -lighting_.lights[light].direction}, {});
}

double SmokeMedium::reach(const Ray& ray) const {
  const Span inside = empty_ ? Span{0, 0} : clipped(ray, bounds_, {});
  return inside.empty() ? 0 : inside.to;
}

// Only nodes of leaves with smoke are looked at. What solids leave is kept apart: it is the same for all orders.
void SmokeMedium::light_nodes(const Surfaces& surfaces) {
  const NodeLight nodes(*field_.mesh, occupied_.leaf.view());
  for (const DistantLight& light : lighting_.lights) {
    if (lighting_.is_below_ground(light)) continue;
    Lamp& lamp = lamps_.emplace_back(Lamp{light});
    const Vec3d back = -light.direction;
    lamp.through = nodes.smooth([&](const Vec3d& p, double) {
      return transmittance({p, back}, {});
    });
    if (!surfaces.empty())
      lamp.visible = nodes.smooth([&](const Vec3d& p, double size) {
        return light_past(surfaces, {p, back}, 2 * size);
      });
  }
}

void SmokeMedium::light_from_sky(const Surfaces& surfaces) {
  const auto sky = sky_around(lighting_.sky);
  if (std::all_of(sky.begin(), sky.end(), [](const Light& l) { return l == Light{}; })) return;
  auto arriving = [&](const Vec3d& point) -> std::optional<Light> {
    Light sum{};
    Surroundings around;
    for (std::size_t i = 0; i < sky.size(); ++i) {
      const Ray ray{point, cube_directions[i]};
      const auto hit = surfaces.nearest(ray, {});
      around.add(hit);
      if (!hit) sum += sky[i] * transmittance(ray, {});
    }
    return around.is_solid() ? std::nullopt : std::optional(sum);
  };
  ambient_ = std::make_unique<AmbientVolume>(field_.room.value_or(mesh_.tree.domain.box()), bounds_,
                                             ambient_resolution, arriving);
}

std::size_t SmokeMedium::bytes() const {
  std::size_t sum = occupied_.leaf.size() + occupied_.branch.size();
  for (const Lamp& lamp : lamps_)
    sum += (lamp.through.size() + lamp.visible.size()) * sizeof(float);
  return sum + (ambient_ ? ambient_->bytes() : 0);
}

}  // namespace octavo
