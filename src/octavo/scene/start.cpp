// These functions of a point say what is there at the beginning.

#include <algorithm>

#include "octavo/scene/build.h"
#include "octavo/scene/initial_grids.h"

namespace octavo {
namespace {

template <int Dim, class T>
using PointFunction = std::function<T(const Vec<Dim>&)>;

// This is one [[initial]]: where it is, and the values it has there. What it says nothing about has no function.
template <int Dim>
struct Layer {
  std::optional<Shape<Dim>> shape;
  double edge = 0;
  double far = 1;  // farther than anything in the box, m
  bool is_volume = false;
  std::map<std::string, PointFunction<Dim, double>> values;  // of fields by name
  PointFunction<Dim, Vec<Dim>> velocity;

  // The part is 1 inside and 0 outside, and in between over the soft edge.
  double part(const Vec<Dim>& x) const {
    if (!shape) return 1;
    const double distance = (*shape)(x);
    if (edge <= 0) return distance <= 0 ? 1 : 0;
    return part_inside(distance, edge);
  }

  // This puts the shape to what is inside of a level set, or takes it away; a file has the level set itself.
  double united(double level_set, const PointFunction<Dim, double>& value,
                const Vec<Dim>& x) const {
    if (is_volume) return std::min(level_set, value(x));
    const double distance = shape ? (*shape)(x) : -far;
    return value(x) != 0 ? std::min(level_set, distance) : std::max(level_set, -distance);
  }
};

template <int Dim, class T>
PointFunction<Dim, T> constant(const T& value) {
  return [value](const Vec<Dim>&) { return value; };
}

// This adds the grids of a file that are there.
void add_volume(const std::filesystem::path& path, const Scene<3>& scene, const InitialScene<3>& s,
                Layer<3>& layer) {
  const VdbContents contents = vdb_contents(path);
  for (const InitialGrids::Grid& grid : InitialGrids(contents, scene, s).all) {
    const VolumeGrid g = read_vdb_grid(path, grid.info->name);
    if (grid.field == "velocity")
      layer.velocity = [g](const Vec3d& x) { return g.vector_at(x); };
    else
      layer.values[grid.field] = [g](const Vec3d& x) { return g.number_at(x); };
  }
}

template <int Dim>
Layer<Dim> layer_of(const Scene<Dim>& scene, const InitialScene<Dim>& s, MeshFiles& files) {
  Layer<Dim> layer;
  if (s.shape) layer.shape = shape_of(*s.shape, files);
  layer.edge = s.edge;
  layer.far = length(scene.domain.size);
  layer.is_volume = !s.volume.empty();
  for (const auto& given : {s.values.by_name, s.scalars})
    for (const auto& [name, value] : given) layer.values[name] = constant<Dim>(value);
  if (s.velocity) layer.velocity = constant<Dim>(*s.velocity);
  if constexpr (Dim == 3)
    if (!s.volume.empty()) add_volume(files.path(s.volume), scene, s, layer);
  return layer;
}

// All layers lie one over the other. `of` picks a function of a layer, or none; put(value, layer, function, point) is
// the value with one more layer on it.
template <int Dim, class T, class Pick, class Put>
PointFunction<Dim, T> stacked(const std::shared_ptr<const std::vector<Layer<Dim>>>& layers,
                              T bottom, Pick of, Put put) {
  std::vector<std::pair<const Layer<Dim>*, const PointFunction<Dim, T>*>> picked;
  for (const Layer<Dim>& l : *layers)
    if (const PointFunction<Dim, T>* f = of(l)) picked.emplace_back(&l, f);
  if (picked.empty()) return {};
  return [layers, picked, bottom, put](const Vec<Dim>& x) {
    T value = bottom;
    for (const auto& [layer, f] : picked) value = put(value, *layer, *f, x);
    return value;
  };
}

// Where a layer is, its value takes the place of what is below it.
struct Blended {
  template <int Dim, class T>
  T operator()(const T& below, const Layer<Dim>& layer, const PointFunction<Dim, T>& f,
               const Vec<Dim>& x) const {
    return below + (f(x) - below) * layer.part(x);
  }
};

// Layers of a level set are united with what is below them, or taken from it.
struct United {
  template <int Dim>
  double operator()(double below, const Layer<Dim>& layer, const PointFunction<Dim, double>& f,
                    const Vec<Dim>& x) const {
    return layer.united(below, f, x);
  }
};

}  // namespace

template <int Dim>
FlowStart<Dim> start_of(const Scene<Dim>& scene, MeshFiles& files) {
  std::vector<Layer<Dim>> list;
  for (const InitialScene<Dim>& s : scene.initial) list.push_back(layer_of(scene, s, files));
  const auto layers = std::make_shared<const std::vector<Layer<Dim>>>(std::move(list));

  FlowStart<Dim> start;
  for (const FieldInfo& f : carried_fields(scene)) {
    auto named = [name = f.name](const Layer<Dim>& l) {
      const auto at = l.values.find(name);
      return at == l.values.end() ? nullptr : &at->second;
    };
    start.values[f.name] =
        f.is_level_set ? stacked<Dim, double>(layers, length(scene.domain.size), named, United{})
                       : stacked<Dim, double>(layers, f.outside, named, Blended{});
  }
  start.velocity = stacked<Dim, Vec<Dim>>(
      layers, Vec<Dim>{}, [](const Layer<Dim>& l) { return l.velocity ? &l.velocity : nullptr; },
      Blended{});
  return start;
}

template FlowStart<2> start_of(const Scene<2>&, MeshFiles&);
template FlowStart<3> start_of(const Scene<3>&, MeshFiles&);

}  // namespace octavo
