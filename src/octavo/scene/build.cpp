#include "octavo/scene/build.h"

#include <cmath>
#include <numbers>

#include "octavo/io/mesh_import.h"
#include "octavo/scene/cameras.h"
#include "octavo/scene/scene_fields.h"
#include "octavo/shapes/mesh_shape.h"

namespace octavo {
namespace {

constexpr double degree = std::numbers::pi / 180;

template <int Dim>
std::vector<Shape<Dim>> shapes_of(const std::vector<ShapeScene<Dim>>& scenes, MeshFiles& files) {
  std::vector<Shape<Dim>> shapes;
  for (const ShapeScene<Dim>& s : scenes) shapes.push_back(shape_of(s, files));
  return shapes;
}

// The shape is as it is before it is turned and moved.
template <int Dim>
Shape<Dim> kind_of(const ShapeScene<Dim>& s, MeshFiles& files) {
  if (s.sphere) return sphere_shape<Dim>(s.sphere->center, s.sphere->radius);
  if (s.box) return box_shape<Dim>(s.box->low, s.box->high);
  if (s.ellipsoid) return ellipsoid_shape<Dim>(s.ellipsoid->center, s.ellipsoid->radii);
  if (s.cylinder) return cylinder_shape<Dim>(s.cylinder->from, s.cylinder->to, s.cylinder->radius);
  if (s.capsule) return capsule_shape<Dim>(s.capsule->from, s.capsule->to, s.capsule->radius);
  if (s.torus)
    return torus_shape<Dim>(s.torus->center, s.torus->radius, s.torus->tube,
                            static_cast<int>(s.torus->axis));
  if (s.plane) return half_space_shape<Dim>(s.plane->point, s.plane->normal);
  if constexpr (Dim == 3)
    if (s.mesh) return files.shape(*s.mesh);
  if (!s.unite.empty()) return unite(shapes_of(s.unite, files));
  if (!s.intersect.empty()) return intersect(shapes_of(s.intersect, files));
  if (s.subtract.size() < 2) throw InvariantError("a shape of no kind");
  const std::vector<Shape<Dim>> parts = shapes_of(s.subtract, files);
  return subtract(parts[0], unite(std::vector<Shape<Dim>>(parts.begin() + 1, parts.end())));
}

}  // namespace

const SurfaceMesh& MeshFiles::surface(const FileName& file) {
  if (const auto at = surfaces_.find(file.path); at != surfaces_.end()) return at->second;
  return surfaces_.emplace(file.path, read_surface_mesh(path(file))).first->second;
}

Shape<3> MeshFiles::shape(const MeshScene& s) {
  const std::tuple key{s.file.path, s.thickness, s.scale};
  if (const auto at = shapes_.find(key); at != shapes_.end()) return at->second;
  TriangleMesh mesh = triangles_of(surface(s.file));
  for (Vec3d& v : mesh.vertices) v = v * s.scale;
  const Shape<3> shape =
      s.thickness > 0 ? sheet_mesh_shape(mesh, s.thickness) : closed_mesh_shape(mesh);
  return shapes_.emplace(key, shape).first->second;
}

template <int Dim>
Pose<Dim> pose_of(const ShapeScene<Dim>& s) {
  return Pose<Dim>::about(s.pivot, s.turn * degree, s.move);
}

template <int Dim>
Shape<Dim> shape_of(const ShapeScene<Dim>& s, MeshFiles& files) {
  const Pose<Dim> pose = pose_of(s);
  const Shape<Dim> kind = kind_of(s, files);
  return pose == Pose<Dim>{} ? kind : moved(kind, pose);
}

template <int Dim>
Motion<Dim> motion_of(const MotionScene<Dim>& s) {
  if (!s.keyframes.empty()) {
    KeyframeMotion<Dim> motion{.pivot = s.pivot};
    for (const KeyframeScene<Dim>& k : s.keyframes)
      motion.keyframes.push_back({k.time, k.move, k.turn * degree});
    return Motion<Dim>(std::move(motion));
  }
  if (s.oscillate) {
    const OscillationScene<Dim>& o = *s.oscillate;
    return Motion<Dim>(PeriodicMotion<Dim>{{o.move, o.frequency, o.phase * degree},
                                           {o.turn * degree, o.frequency, o.phase * degree},
                                           s.pivot});
  }
  if (s.velocity == Vec<Dim>{} && s.spin == Turn<Dim>{}) return {};
  return Motion<Dim>(SteadyMotion<Dim>{s.velocity, s.spin * degree, s.pivot});
}

// The cells are cubes as large as the shortest side, or a part of it.
template <int Dim>
std::optional<Vec<Dim, int>> roots_of(const DomainScene<Dim>& s) {
  constexpr double rounding = 1e-6;
  constexpr int most = 64;
  if (s.roots) return s.roots;
  double shortest = s.size[0];
  for (int a = 1; a < Dim; ++a) shortest = std::min(shortest, s.size[a]);
  for (int parts = 1; parts <= most; ++parts) {
    Vec<Dim, int> roots{};
    bool fits = true;
    for (int a = 0; a < Dim && fits; ++a) {
      const double n = s.size[a] / shortest * parts;
      fits = n < 4096 && std::abs(n - std::round(n)) < rounding * n;
      if (fits) roots[a] = static_cast<int>(std::lround(n));
    }
    if (fits) return roots;
  }
  return {};
}

template <int Dim>
Domain<Dim> domain_of(const Scene<Dim>& scene) {
  Domain<Dim> d;
  d.origin = scene.domain.origin;
  d.roots = roots_of(scene.domain).value();
  d.root_size = scene.domain.size[0] / d.roots[0];
  return d;
}

template <int Dim>
double extinction_of(const Scene<Dim>& scene) {
  double longest = scene.domain.size[0];
  for (int a = 1; a < Dim; ++a) longest = std::max(longest, scene.domain.size[a]);
  return scene.render.extinction.value_or(usual_opacity / longest);
}

namespace {

// Left is low x and right is high x as one sees the box from the front: from low y, or, if y is up, from high z.
template <int Dim>
void set_walls(const WallsScene& scene, FlowParameters<Dim>& p) {
  auto wall = [](WallKind kind) { return kind == WallKind::open ? Wall::open : Wall::closed; };
  p.walls.fill(wall(scene.otherwise));
  auto set = [&](int axis, std::optional<WallKind> low, std::optional<WallKind> high) {
    if (low) p.walls[static_cast<std::size_t>(2 * axis)] = wall(*low);
    if (high) p.walls[static_cast<std::size_t>(2 * axis + 1)] = wall(*high);
  };
  set(0, scene.left, scene.right);
  set(p.up_axis, scene.bottom, scene.top);
  if constexpr (Dim == 3) {
    if (p.up_axis == 2)
      set(1, scene.front, scene.back);
    else
      set(2, scene.back, scene.front);
  }
}

// These are the rules of the scene; else they are what most scenes want.
template <int Dim>
std::vector<RefinementRule<Dim>> rules_of(const Scene<Dim>& scene, MeshFiles& files) {
  std::vector<RefinementRule<Dim>> rules;
  for (const RefineScene<Dim>& r : scene.refine) {
    const int level = std::max(0, std::min(r.level, scene.grid.max_level - r.coarser));
    RefinementRule<Dim> rule{.by = r.by,
                             .field = r.field.value_or(main_field(scene)),
                             .above = r.above,
                             .low = r.range[0],
                             .high = r.range[1],
                             .leaves = r.leaves,
                             .within = r.within,
                             .level = level,
                             .keep = r.keep,
                             .always = r.always};
    if (r.region) rule.region = shape_of(*r.region, files);
    rules.push_back(rule);
  }
  if (!rules.empty()) return rules;
  constexpr double any = std::numeric_limits<double>::infinity();
  rules = {{.by = RefineBy::objects}, {.by = RefineBy::sources}};
  const std::vector<FieldInfo> fields = nodal_fields(scene);
  const auto surface =
      std::find_if(fields.begin(), fields.end(), [](const FieldInfo& f) { return f.is_level_set; });
  if (surface != fields.end())
    rules.push_back({.by = RefineBy::interface, .field = surface->name});
  else if (const std::string field = main_field(scene); !field.empty())
    rules.push_back({.by = RefineBy::band, .field = field, .low = 0.02, .high = any});
  return rules;
}

}  // namespace

template <int Dim>
std::vector<Obstacle<Dim>> obstacles_of(const Scene<Dim>& scene, MeshFiles& files) {
  std::vector<Obstacle<Dim>> obstacles;
  for (const ObstacleScene<Dim>& o : scene.obstacle)
    obstacles.push_back({shape_of(o.shape, files), motion_of(o.motion), o.temperature});
  return obstacles;
}

template <int Dim>
FlowParameters<Dim> flow_of(const Scene<Dim>& scene, MeshFiles& files) {
  FlowParameters<Dim> p = scene.simulation.flow;
  p.refinement = scene.grid;
  p.refinement.rules = rules_of(scene, files);
  p.refinement.view = view_of(scene);
  p.up_axis = static_cast<int>(scene.up);
  p.scalars = scene.scalar;
  set_walls(scene.walls, p);
  for (const SourceScene<Dim>& s : scene.source) {
    p.sources.push_back({shape_of(s.shape, files), motion_of(s.motion), s.values.by_name,
                         s.velocity, s.add, s.start, s.end, s.noise, s.edge});
    p.sources.back().values.insert(s.scalars.begin(), s.scalars.end());
  }
  p.obstacles = obstacles_of(scene, files);
  return p;
}

template <int Dim>
std::unique_ptr<Simulation<Dim>> simulation_of(const Scene<Dim>& scene, MeshFiles& files) {
  return scene.simulation.own->make(domain_of(scene), flow_of(scene, files));
}

#define OCTAVO_INSTANTIATE(Dim)                                                    \
  template Pose<Dim> pose_of(const ShapeScene<Dim>&);                              \
  template Shape<Dim> shape_of(const ShapeScene<Dim>&, MeshFiles&);                \
  template Motion<Dim> motion_of(const MotionScene<Dim>&);                         \
  template std::optional<Vec<Dim, int>> roots_of(const DomainScene<Dim>&);         \
  template Domain<Dim> domain_of(const Scene<Dim>&);                               \
  template double extinction_of(const Scene<Dim>&);                                \
  template std::vector<Obstacle<Dim>> obstacles_of(const Scene<Dim>&, MeshFiles&); \
  template FlowParameters<Dim> flow_of(const Scene<Dim>&, MeshFiles&);             \
  template std::unique_ptr<Simulation<Dim>> simulation_of(const Scene<Dim>&, MeshFiles&);
OCTAVO_INSTANTIATE(2)
OCTAVO_INSTANTIATE(3)
#undef OCTAVO_INSTANTIATE

}  // namespace octavo
