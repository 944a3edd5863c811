// What is there at the beginning, as functions of a point.

#include <algorithm>

#include "octavo/scene/build.h"
#include "octavo/scene/initial_grids.h"

namespace octavo {
namespace {

template <int Dim, class T>
using PointFunction = std::function<T(const Vec<Dim>&)>;

// One [[initial]]: where it is, and the values it has there; what it says nothing about has no function.
template <int Dim>
struct Layer {
  std::optional<Shape<Dim>> shape;
  double edge = 0;
  PointFunction<Dim, double> density, temperature;
  PointFunction<Dim, Vec<Dim>> velocity;
  std::vector<PointFunction<Dim, double>> scalars;

  // 1 inside, 0 outside, in between over the soft edge.
  double part(const Vec<Dim>& x) const {
    if (!shape) return 1;
    const double distance = (*shape)(x);
    if (edge <= 0) return distance <= 0 ? 1 : 0;
    return part_inside(distance, edge);
  }
};

template <int Dim, class T>
PointFunction<Dim, T> constant(const std::optional<T>& value) {
  if (!value) return {};
  return [v = *value](const Vec<Dim>&) { return v; };
}

// The grids of a file that are there.
void add_volume(const std::filesystem::path& path, const InitialScene<3>& s, Layer<3>& layer) {
  const VdbContents contents = vdb_contents(path);
  const InitialGrids grids(contents, s);
  auto read = [&](const VdbGridInfo& grid) { return read_vdb_grid(path, grid.name); };
  if (grids.density != nullptr)
    layer.density = [g = read(*grids.density)](const Vec3d& x) { return g.number_at(x); };
  if (grids.temperature != nullptr)
    layer.temperature = [g = read(*grids.temperature)](const Vec3d& x) { return g.number_at(x); };
  if (grids.velocity != nullptr)
    layer.velocity = [g = read(*grids.velocity)](const Vec3d& x) { return g.vector_at(x); };
}

template <int Dim>
Layer<Dim> layer_of(const Scene<Dim>& scene, const InitialScene<Dim>& s, MeshFiles& files) {
  Layer<Dim> layer;
  if (s.shape) layer.shape = shape_of(*s.shape, files);
  layer.edge = s.edge;
  layer.density = constant<Dim>(s.density);
  layer.temperature = constant<Dim>(s.temperature);
  layer.velocity = constant<Dim>(s.velocity);
  for (const ScalarParameters& p : scene.scalar) {
    const auto at = s.scalars.find(p.name);
    layer.scalars.push_back(
        constant<Dim>(at == s.scalars.end() ? std::nullopt : std::optional<double>(at->second)));
  }
  if constexpr (Dim == 3)
    if (!s.volume.empty()) add_volume(files.path(s.volume), s, layer);
  return layer;
}

// All layers one over the other. `of` picks a function of a layer.
template <int Dim, class T, class Pick>
PointFunction<Dim, T> stacked(const std::shared_ptr<const std::vector<Layer<Dim>>>& layers,
                              T bottom, Pick of) {
  const bool any = std::any_of(layers->begin(), layers->end(),
                               [&](const Layer<Dim>& l) { return static_cast<bool>(of(l)); });
  if (!any) return {};
  return [=](const Vec<Dim>& x) {
    T value = bottom;
    for (const Layer<Dim>& layer : *layers)
      if (const auto& f = of(layer)) value = value + (f(x) - value) * layer.part(x);
    return value;
  };
}

}  // namespace

template <int Dim>
typename Smoke<Dim>::Start start_of(const Scene<Dim>& scene, MeshFiles& files) {
  std::vector<Layer<Dim>> list;
  for (const InitialScene<Dim>& s : scene.initial) list.push_back(layer_of(scene, s, files));
  const auto layers = std::make_shared<const std::vector<Layer<Dim>>>(std::move(list));

  typename Smoke<Dim>::Start start;
  start.density = stacked(
      layers, 0.0, [](const auto& l) -> const auto& { return l.density; });
  start.temperature = stacked(
      layers, scene.smoke.ambient, [](const auto& l) -> const auto& { return l.temperature; });
  start.velocity = stacked(
      layers, Vec<Dim>{}, [](const auto& l) -> const auto& { return l.velocity; });
  for (std::size_t i = 0; i < scene.scalar.size(); ++i)
    start.scalars.push_back(stacked(
        layers,
        scene.scalar[i].outside, [i](const auto& l) -> const auto& { return l.scalars[i]; }));
  return start;
}

template Smoke<2>::Start start_of(const Scene<2>&, MeshFiles&);
template Smoke<3>::Start start_of(const Scene<3>&, MeshFiles&);

}  // namespace octavo
