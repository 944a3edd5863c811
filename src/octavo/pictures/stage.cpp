#include "octavo/pictures/stage.h"

#include "octavo/scene/build.h"
#include "octavo/scene/cameras.h"
#include "octavo/scene/scene_fields.h"

namespace octavo {
namespace {

Light light_of(const Vec3d& color) { return color.cast<float>(); }

// It is a keyframe of a light with everything in it.
LightScene at_key(const LightScene& light, const LightKeyScene& key) {
  LightScene now = light;
  now.direction = normalized(key.direction.value_or(*light.direction));
  now.color = key.color.value_or(light.color);
  now.strength = key.strength.value_or(light.strength);
  return now;
}

DistantLight light_at(const LightScene& light, double time) {
  LightScene now = light;
  Vec3d direction = *light.direction;
  if (const auto& keys = light.keyframes; !keys.empty()) {
    std::size_t after = 0;
    while (after < keys.size() && keys[after].time <= time) ++after;
    const LightKeyScene& from = keys[after == 0 ? 0 : after - 1];
    const LightKeyScene& to = keys[std::min(after, keys.size() - 1)];
    const LightScene a = at_key(light, from), b = at_key(light, to);
    const double span = to.time - from.time, part = span > 0 ? (time - from.time) / span : 0;
    direction = *a.direction + (*b.direction - *a.direction) * part;
    if (!(length(direction) > 1e-6)) direction = *a.direction;  // halfway to the opposite
    now.color = a.color + (b.color - a.color) * part;
    now.strength = a.strength + (b.strength - a.strength) * part;
  }
  return {normalized(direction), light_of(now.color * now.strength), now.angle};
}

// White smoke shows in front of what is dark; of a clear liquid one sees what it mirrors and what is behind it.
struct Surroundings {
  Vec3d ground{0.08, 0.08, 0.08}, zenith{0.03, 0.045, 0.075}, horizon{0.1, 0.12, 0.15};

  explicit Surroundings(const Scene<3>& scene) {
    if (!SeenFields(scene).liquid.empty()) {
      ground = {0.2, 0.19, 0.18};
      zenith = {0.08, 0.18, 0.42};
      horizon = {0.36, 0.43, 0.52};
    }
    ground = scene.render.ground_color.value_or(ground);
    zenith = scene.render.zenith.value_or(zenith);
    horizon = scene.render.horizon.value_or(horizon);
  }
};

void place(SurfaceMesh& mesh, const Pose<3>& pose, double scale) {
  for (Vec3d& v : mesh.vertices) v = pose.apply(v * scale);
  for (Vec3f& n : mesh.normals) n = pose.turned(n.cast<double>()).cast<float>();
}

}  // namespace

SurfaceLook obstacle_look(const RenderScene& render) {
  SurfaceLook look;
  look.color = light_of(render.obstacle_color);
  return look;
}

SurfaceLook look_of(Material material, const Light& color, double size) {
  SurfaceLook look;
  look.color = color;
  look.smooth = true;
  if (material == Material::matte) return look;
  look.kind = SurfaceLook::Kind::glass;
  look.ior = material == Material::water ? 1.33 : 1.5;
  constexpr Light water{0.7f, 0.18f, 0.09f};  // optical depths, of red most
  if (material == Material::water) look.absorption = water / static_cast<float>(size);
  return look;
}

Stage::Stage(const Scene<3>& scene, MeshFiles& files, const std::optional<Box<3>>& seen)
    : scene_(scene),
      box_(domain_of(scene).box()),
      seen_(seen.value_or(box_)),
      up_(upright({0, 0, 1}, scene.up)) {
  const std::vector<Obstacle<3>> obstacles = obstacles_of(scene, files);
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    Solid& solid = solids_.emplace_back();
    solid.motion = obstacles[i].motion;
    const ShapeScene<3>& shape = scene.obstacle[i].shape;
    if (shape.mesh) {
      solid.mesh = files.surface(shape.mesh->file);
      place(*solid.mesh, pose_of(shape), shape.mesh->scale);
    } else {
      solid.shape = obstacles[i].shape;
    }
  }
}

Camera Stage::camera(double time) const {
  return camera_path(scene_.camera, seen_, scene_.up).at(time);
}

Lighting Stage::lighting(double time) const {
  const RenderScene& r = scene_.render;
  Lighting lighting;
  const Surroundings around(scene_);
  const Light horizon = light_of(around.horizon);
  lighting.sky = {up_, light_of(around.zenith), horizon, horizon * 0.5f};
  std::vector<LightScene> lights = scene_.light;
  if (lights.empty()) lights.emplace_back().color = {1, 0.96, 0.9};
  for (LightScene& l : lights) {
    if (!l.direction) l.direction = upright({1, 1, -2}, scene_.up);
    lighting.lights.push_back(light_at(l, time));
  }
  if (r.ground && !r.transparent) {
    const Vec3d size = box_.size();
    lighting.ground = Ground{dot(box_.lo, up_), light_of(around.ground),
                             6 * std::max({size[0], size[1], size[2]})};
  }
  return lighting;
}

SmokeLook Stage::look() const {
  const RenderScene& r = scene_.render;
  SmokeLook look;
  look.extinction = extinction_of(scene_);
  look.albedo = light_of(r.smoke_color);
  look.anisotropy = r.anisotropy;
  look.orders = r.orders;
  if (r.glow) look.glow = Glow{r.glow->base, r.glow->per_kelvin, r.glow->strength};
  return look;
}

SurfaceLook Stage::liquid_look() const {
  const Vec3d size = box_.size();
  return look_of(scene_.render.liquid, light_of(scene_.render.liquid_color),
                 std::max({size[0], size[1], size[2]}));
}

Surfaces Stage::surfaces(double time) const {
  Surfaces surfaces;
  add_obstacles(surfaces, time);
  surfaces.commit();
  return surfaces;
}

void Stage::add_obstacles(Surfaces& surfaces, double time) const {
  const SurfaceLook look = obstacle_look(scene_.render);
  for (const Solid& s : solids_) {
    const Pose<3> pose = s.motion.pose(time);
    if (s.mesh) {
      SurfaceMesh mesh = *s.mesh;
      place(mesh, pose, 1);
      surfaces.add(std::move(mesh), look);
    } else {
      surfaces.add(moved(*s.shape, pose), box_, look);
    }
  }
}

}  // namespace octavo
