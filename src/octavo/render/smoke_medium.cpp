#include "octavo/render/smoke_medium.h"

#include <atomic>

#include "octavo/mesh/interpolate.h"

namespace octavo {
namespace {

constexpr float opaque = 1e-3f;  // what lets less through than this hides what is behind it
constexpr float dark = 9;  // optical depth behind which no light of the last order is looked for
constexpr float thin = 0.25f;        // optical depth of a piece over which light is averaged
constexpr float most_pieces = 1024;  // of a leaf
constexpr int ambient_resolution = 48;
constexpr std::size_t glow_steps = 512;

using Corners = std::array<float, 8>;

Corners corners_of(const MeshView<3>& mesh, View<const float> nodal, LeafId leaf) {
  Corners c{};
  for (int i = 0; i < 8; ++i) c[static_cast<std::size_t>(i)] = nodal[mesh.node(leaf, i)];
  return c;
}

// Files of others may have anything in them.
Corners densities_of(const MeshView<3>& mesh, View<const float> nodal, LeafId leaf) {
  constexpr float most = 1e6f;
  Corners c = corners_of(mesh, nodal, leaf);
  for (float& d : c) d = d > 0 ? std::min(d, most) : 0;
  return c;
}

float value_at(const Corners& c, const Vec3f& local) {
  return multilinear<3>(local, [&](int i) { return c[static_cast<std::size_t>(i)]; });
}

// Simpson's rule over the part of a ray in a leaf.
float mean_along(const Corners& c, const Vec3f& begin, const Vec3f& end) {
  return std::max(
      0.0f, (value_at(c, begin) + 4 * value_at(c, (begin + end) * 0.5f) + value_at(c, end)) / 6);
}

// Through the faces and corners of a cube; with weights of 1/15 and 3/40 the mean over all directions is exact for
// polynomials up to the fifth degree.
constexpr std::array<Vec3d, 14> directions{{{1, 0, 0},
                                            {-1, 0, 0},
                                            {0, 1, 0},
                                            {0, -1, 0},
                                            {0, 0, 1},
                                            {0, 0, -1},
                                            {1, 1, 1},
                                            {-1, 1, 1},
                                            {1, -1, 1},
                                            {-1, -1, 1},
                                            {1, 1, -1},
                                            {-1, 1, -1},
                                            {1, -1, -1},
                                            {-1, -1, -1}}};

// Whether the light at the end of a ray is hidden by a solid. A place just inside of one, about which smoke beside it
// asks, is as light as where the ray comes out.
bool hidden(const Surfaces& surfaces, const Ray& ray, double reach) {
  const auto hit = surfaces.nearest(ray, {});
  if (!hit) return false;
  if (!hit->inside || hit->distance > reach) return true;
  return surfaces.blocked(hit->onward(ray.direction), {});
}

}  // namespace

// What is the same along a whole ray: by light and order, the part that is sent towards the ray's origin.
struct SmokeMedium::RayLight {
  std::vector<Light> weight;

  RayLight(const SmokeLook& look, const Lighting& lighting, const Vec3d& direction) {
    for (const DistantLight& l : lighting.lights) {
      double part = 0.25, anisotropy = look.anisotropy;
      for (int order = 0; order < look.orders; ++order, part /= 2, anisotropy /= 2)
        weight.push_back(
            scaled(look.albedo, l.strength) *
            static_cast<float>(part * phase(-dot(l.direction, direction), anisotropy)));
    }
  }
};

SmokeMedium::SmokeMedium(const SmokeField& field, const SmokeLook& look, const Lighting& lighting,
                         const Surfaces& surfaces)
    : field_(field), look_(look), lighting_(lighting), mesh_(field.mesh->view()) {
  const MeshView<3> mesh = mesh_;
  const View<const float> density = field_.density;
  OCTAVO_CHECK(density.size() == mesh.node_count());
  occupied_ = occupancy(field.mesh->tree(), [=](LeafId leaf) -> std::uint8_t {
    for (int c = 0; c < 8; ++c)
      if (density[mesh.node(leaf, c)] > 0) return 1;
    return 0;
  });
  walk_ = OctreeWalk(mesh.tree, occupied_);
  find_bounds();
  if (empty_) return;
  prepare_glow();
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

// The colours of all temperatures that there are.
void SmokeMedium::prepare_glow() {
  if (!look_.glow || field_.temperature.size() == 0) return;
  const View<const float> temperature = field_.temperature;
  OCTAVO_CHECK(temperature.size() == mesh_.node_count());
  auto most = [&](float sign) {
    return parallel_max("hottest smoke", temperature.size(), -1e5, [=](std::size_t i) {
      const auto t = static_cast<double>(sign * temperature[i]);
      return std::abs(t) <= 1e5 ? t : -1e5;
    });
  };
  glow_low_ = -most(-1);
  const double range = most(1) - glow_low_;
  glow_scale_ = range > 0 ? (glow_steps - 1) / range : 0;
  for (std::size_t i = 0; i < glow_steps; ++i)
    glow_.push_back(
        emitted(*look_.glow, glow_low_ + static_cast<double>(i) * range / (glow_steps - 1)));
}

Light SmokeMedium::glow_at(float temperature) const {
  const double x = (static_cast<double>(temperature) - glow_low_) * glow_scale_;
  if (!(x > 0)) return glow_.front();
  const auto i = static_cast<std::size_t>(std::min(x, static_cast<double>(glow_steps - 2)));
  const auto part = static_cast<float>(std::min(x - static_cast<double>(i), 1.0));
  return glow_[i] + (glow_[i + 1] - glow_[i]) * part;
}

float SmokeMedium::transmittance(const Ray& ray, const Span& span) const {
  float depth = 0;
  const auto extinction = static_cast<float>(look_.extinction);
  const float enough = std::ldexp(dark, look_.orders - 1);
  walk_.along(ray, span, [&](const OctreeWalk::Passage& p) {
    const Corners c = densities_of(mesh_, field_.density, p.leaf);
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

Marched SmokeMedium::march(const Ray& ray, const Span& span) const {
  Marched sum;
  if (empty_) return sum;
  const RayLight lights(look_, lighting_, ray.direction);
  const auto extinction = static_cast<float>(look_.extinction);
  std::vector<Corners> arriving(light_.size()), visible(visible_.size());
  walk_.along(ray, span, [&](const OctreeWalk::Passage& p) {
    const Corners density = densities_of(mesh_, field_.density, p.leaf);
    const float length = static_cast<float>(p.to - p.from) * extinction;
    const float depth = mean_along(density, p.begin, p.end) * length;
    if (!(depth > 0)) return true;
    for (std::size_t l = 0; l < light_.size(); ++l)
      arriving[l] = corners_of(mesh_, light_[l].view(), p.leaf);
    for (std::size_t l = 0; l < visible_.size(); ++l)
      visible[l] = corners_of(mesh_, visible_[l].view(), p.leaf);
    Corners temperature{};
    if (!glow_.empty()) temperature = corners_of(mesh_, field_.temperature, p.leaf);
    const Light sky_begin = ambient_->at(ray.at(p.from)), sky_end = ambient_->at(ray.at(p.to));
    auto source = [&](float part, const Vec3f& local) {
      Light j = scaled(sky_begin + (sky_end - sky_begin) * part, look_.albedo);
      const Light* weight = lights.weight.data();
      for (std::size_t l = 0; l < light_.size(); ++l) {
        const float seen = visible_.empty() ? 1 : value_at(visible[l], local);
        float light = value_at(arriving[l], local);
        for (int order = 0; order < look_.orders; ++order, light = std::sqrt(light))
          j += *weight++ * (light * seen);
      }
      if (!glow_.empty()) j += glow_at(value_at(temperature, local));
      return j;
    };

    // Within a piece light is averaged by where it is stopped.
    const int pieces = static_cast<int>(std::clamp(std::ceil(depth / thin), 1.0f, most_pieces));
    const float step = 0.5f / static_cast<float>(pieces);
    const Vec3f way = p.end - p.begin;
    auto density_at = [&](float part) {
      return std::max(0.0f, value_at(density, p.begin + way * part));
    };
    float d0 = density_at(0);
    Light j0 = source(0, p.begin);
    for (int i = 0; i < pieces && sum.transmittance > opaque; ++i) {
      const float middle = static_cast<float>(2 * i + 1) * step, end = middle + step;
      const float d1 = density_at(middle), d2 = density_at(end), mass = d0 + 4 * d1 + d2;
      const Light j1 = source(middle, p.begin + way * middle),
                  j2 = source(end, p.begin + way * end);
      if (mass > 0) {
        const float through = std::exp(-mass / 6 * length * 2 * step);
        sum.light +=
            (j0 * d0 + j1 * (4 * d1) + j2 * d2) * (sum.transmittance * (1 - through) / mass);
        sum.transmittance *= through;
      }
      d0 = d2;
      j0 = j2;
    }
    return sum.transmittance > opaque;
  });
  if (sum.transmittance <= opaque) sum.transmittance = 0;
  return sum;
}

// For the nodes of leaves that are chosen, the level of the finest of them, plus 1; 0 for all others.
template <class Choose>
Buffer<std::uint8_t> SmokeMedium::node_levels(Choose&& choose) const {
  Buffer<std::uint8_t> levels(mesh_.node_count());
  const View<std::uint8_t> out = levels.view();
  parallel_for("no nodes", out.size(), [=](std::size_t i) { out[i] = 0; });
  parallel_for("nodes of leaves", mesh_.leaf_count(), [&, out](std::size_t i) {
    if (!choose(LeafId(i))) return;
    const auto level = static_cast<std::uint8_t>(mesh_.tree.level(LeafId(i)) + 1);
    for (int c = 0; c < 8; ++c) {
      const std::atomic_ref finest(out[mesh_.node(LeafId(i), c)]);
      std::uint8_t before = finest.load(std::memory_order_relaxed);
      while (before < level &&
             !finest.compare_exchange_weak(before, level, std::memory_order_relaxed)) {
      }
    }
  });
  return levels;
}

// Shadows of solids and of dense smoke are sharp, and a value for each node would show them as stairs. So where a shadow
// ends between the nodes of a leaf, they get the mean over a leaf around them.
template <class Value>
Buffer<float> SmokeMedium::smooth_at_nodes(View<const std::uint8_t> wanted, Value&& value) const {
  constexpr float sharp = 0.3f;
  Buffer<float> values(mesh_.node_count());
  const View<float> out = values.view();
  auto size = [&](std::size_t i) { return mesh_.tree.domain.size(wanted[i] - 1); };
  parallel_for("light volume", out.size(), [&](std::size_t i) {
    out[i] = wanted[i] == 0 ? 1 : value(mesh_.position(NodeId(i)), size(i));
  });
  const Buffer<std::uint8_t> edge = node_levels([&](LeafId leaf) {
    if (occupied_.leaf[leaf] == 0) return false;
    const Corners c = corners_of(mesh_, out, leaf);
    const auto [least, most] = std::minmax_element(c.begin(), c.end());
    return *most - *least > sharp;
  });
  parallel_for("edges of shadows", out.size(), [&](std::size_t i) {
    if (edge[i] == 0) return;
    const Vec3d p = mesh_.position(NodeId(i));
    const double h = size(i);
    float sum = 0;
    for (int k = 0; k < 27; ++k)
      sum += value(p + Vec3d{k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0} * (h / 3), h);
    out[i] = sum / 27;
  });
  constrain_where(wanted, out);
  return values;
}

// Only nodes of leaves with smoke are looked at. What solids hide is kept apart: it is the same for all orders.
void SmokeMedium::light_nodes(const Surfaces& surfaces) {
  const Buffer<std::uint8_t> wanted =
      node_levels([occupied = occupied_.leaf.view()](LeafId leaf) { return occupied[leaf] != 0; });
  for (const DistantLight& light : lighting_.lights) {
    light_.push_back(smooth_at_nodes(wanted.view(), [&](const Vec3d& p, double) {
      return transmittance({p, -light.direction}, {});
    }));
    if (!surfaces.empty())
      visible_.push_back(smooth_at_nodes(wanted.view(), [&](const Vec3d& p, double size) {
        return hidden(surfaces, {p, -light.direction}, 2 * size) ? 0.0f : 1.0f;
      }));
  }
}

// A node that hangs on a leaf with smoke has what is between the leaf's corners.
void SmokeMedium::constrain_where(View<const std::uint8_t> mark, View<float> value) const {
  const View<const HangingNode<3>> hanging = mesh_.hanging;
  for (int g = 0; g < Mesh<3>::hanging_groups; ++g) {
    const auto [first, last] = field_.mesh->hanging_group(g);
    parallel_for("constrain light", last - first, [=, first = first](std::size_t i) {
      const HangingNode<3>& h = hanging[first + i];
      float sum = 0;
      for (int j = 0; j < HangingNode<3>::source_count; ++j) {
        if (mark[h.source[j]] == 0) return;
        sum += value[h.source[j]] * h.template weight<float>(j);
      }
      value[h.node] = sum;
    });
  }
}

void SmokeMedium::light_from_sky(const Surfaces& surfaces) {
  auto arriving = [&](const Vec3d& point) -> std::optional<Light> {
    Light sum{};
    for (const Vec3d& d : directions) {
      const Ray ray{point, normalized(d)};
      const float weight = dot(d, d) > 1 ? 3.0f / 40 : 1.0f / 15;
      const auto hit = surfaces.nearest(ray, {});
      if (hit && hit->inside) return {};
      if (!hit) sum += lighting_.sky.at(ray.direction) * (weight * transmittance(ray, {}));
    }
    return sum;
  };
  ambient_ = std::make_unique<AmbientVolume>(field_.room.value_or(mesh_.tree.domain.box()), bounds_,
                                             ambient_resolution, arriving);
}

std::size_t SmokeMedium::bytes() const {
  std::size_t sum = occupied_.leaf.size() + occupied_.branch.size();
  for (const auto* fields : {&light_, &visible_})
    for (const Buffer<float>& f : *fields) sum += f.size() * sizeof(float);
  return sum + (ambient_ ? ambient_->bytes() : 0);
}

}  // namespace octavo
