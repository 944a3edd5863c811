#pragma once

// A scene is what a run is made of, as it stands in a scene file. Its structs are plain, with defaults, in SI units
// and angles in degrees. members.h says how each member is called in a file and what it means.

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "octavo/base/cloned.h"
#include "octavo/scene/kinds.h"

namespace octavo {

// Shapes -------------------------------------------------------------------------------------------

template <int Dim>
struct SphereScene {
  Vec<Dim> center{};
  double radius = 0;
};
template <int Dim>
struct BoxScene {
  Vec<Dim> low{}, high{};
};
template <int Dim>
struct EllipsoidScene {
  Vec<Dim> center{}, radii{};
};
template <int Dim>
struct TubeScene {
  Vec<Dim> from{}, to{};
  double radius = 0;
};
enum class AxisName { x, y, z };
inline constexpr std::array<std::string_view, 3> axis_names{"x", "y", "z"};

template <int Dim>
struct TorusScene {
  Vec<Dim> center{};
  double radius = 0, tube = 0;
  AxisName axis = AxisName::z;
};
template <int Dim>
struct PlaneScene {
  Vec<Dim> point{}, normal{};
};
struct MeshScene {
  FileName file;
  double thickness = 0, scale = 1;
};

// The shape is one of the kinds, then turned and moved.
template <int Dim>
struct ShapeScene {
  std::optional<SphereScene<Dim>> sphere;
  std::optional<BoxScene<Dim>> box;
  std::optional<EllipsoidScene<Dim>> ellipsoid;
  std::optional<TubeScene<Dim>> cylinder, capsule;
  std::optional<TorusScene<Dim>> torus;
  std::optional<PlaneScene<Dim>> plane;
  std::optional<MeshScene> mesh;
  std::vector<ShapeScene> unite, intersect, subtract;
  Turn<Dim> turn{};  // degrees
  Vec<Dim> pivot{}, move{};
};

// Motion -------------------------------------------------------------------------------------------

template <int Dim>
struct KeyframeScene {
  double time = 0;
  Vec<Dim> move{};
  Turn<Dim> turn{};
};
template <int Dim>
struct OscillationScene {
  Vec<Dim> move{};
  Turn<Dim> turn{};
  double frequency = 1, phase = 0;
};
template <int Dim>
struct MotionScene {
  Vec<Dim> velocity{};
  Turn<Dim> spin{};
  std::optional<OscillationScene<Dim>> oscillate;
  std::vector<KeyframeScene<Dim>> keyframes;
  Vec<Dim> pivot{};
};

// What is in the box -------------------------------------------------------------------------------

// These are numbers for fields of the simulation, by their names; in files there is a key for each field.
struct FieldValues {
  std::map<std::string, double> by_name;

  bool empty() const { return by_name.empty(); }
};

// Fields of the simulation, by their names, are called like this in a volume file; in files there
// is NAME_grid for each.
struct FieldGrids {
  std::map<std::string, std::string> by_name;

  std::string of(const std::string& field) const {
    const auto at = by_name.find(field);
    return at == by_name.end() ? field : at->second;
  }
};

template <int Dim>
struct SourceScene {
  ShapeScene<Dim> shape;
  MotionScene<Dim> motion;
  FieldValues values;
  std::optional<Vec<Dim>> velocity;
  std::map<std::string, double> scalars;
  bool add = false;
  double start = 0, end = std::numeric_limits<double>::infinity();
  SourceNoise noise;
  double edge = 0;
};

template <int Dim>
struct ObstacleScene {
  ShapeScene<Dim> shape;
  MotionScene<Dim> motion;
  std::optional<double> temperature;
};

// These values are there at the beginning, in a shape or in the volumes of a file.
template <int Dim>
struct InitialScene {
  std::optional<ShapeScene<Dim>> shape;
  double edge = 0;
  FileName volume;
  FieldGrids grids;
  std::string velocity_grid = "vel";
  FieldValues values;
  std::optional<Vec<Dim>> velocity;
  std::map<std::string, double> scalars;
};

template <int Dim>
struct RefineScene {
  RefineBy by = RefineBy::objects;
  std::optional<std::string> field;
  double above = 0;
  Vec<2> range{0.1, 0.3};
  Vec<2> leaves{3, 3};
  double within = 0;
  std::optional<ShapeScene<Dim>> region;
  int level = max_level, coarser = 0;
  double keep = 0.5;
  bool always = false;
};

template <int Dim>
struct DomainScene {
  Vec<Dim> size = Vec<Dim>::filled(1.0), origin{};
  std::optional<Vec<Dim, int>> roots;
};

enum class WallKind { closed, open };
inline constexpr std::array<std::string_view, 2> wall_kind_names{"closed", "open"};

struct WallsScene {
  WallKind otherwise = WallKind::closed;
  std::optional<WallKind> left, right, front, back, bottom, top;
};

// Outputs ------------------------------------------------------------------------------------------

enum class GridNames { houdini, blender };
inline constexpr std::array<std::string_view, 2> grid_names_names{"houdini", "blender"};

enum class VolumeRegion { smoke, box };
inline constexpr std::array<std::string_view, 2> volume_region_names{"smoke", "box"};

struct OutputScene {
  Vec<2, int> frames{1, 120};
  double fps = 24;
  std::string name;  // of the files; that of the scene file if none
  std::vector<std::string> volume;
  GridNames grid_names = GridNames::houdini;
  bool half = true, compress = true, staggered = false;
  std::optional<int> level;
  VolumeRegion region = VolumeRegion::smoke;
  double tolerance = 1.0 / 2048;
  std::vector<std::string> grid;     // fields of the .htg; none: no such files
  std::vector<std::string> picture;  // smoke, surface, level, or a field; none: no pictures
  int every = 1;
  int checkpoint_every = 10, checkpoints = 2;
};

template <int Dim>
struct ProbeLine {
  Vec<Dim> from{}, to{};
  int points = 100;
};
template <int Dim>
struct ProbePlane {
  AxisName normal = AxisName::y;
  double at = 0;
  Vec<2, int> points{64, 64};
};
template <int Dim>
struct ProbeScene {
  std::string name;
  std::vector<std::string> fields;
  std::vector<Vec<Dim>> points;
  std::optional<ProbeLine<Dim>> line;
  std::optional<ProbePlane<Dim>> plane;
  int every = 1;
  std::vector<int> frames;  // these only
};

// Pictures -----------------------------------------------------------------------------------------

struct CameraKeyScene {
  double time = 0;
  Vec3d position{}, target{};
  std::optional<double> field_of_view;
};
struct CameraScene {
  std::optional<Vec3d> position, target;  // the whole box is in the picture if there are none
  double field_of_view = 40;
  Vec<2, int> resolution{960, 540};
  std::vector<CameraKeyScene> keyframes;
};
struct LightKeyScene {
  double time = 0;
  std::optional<Vec3d> direction, color;
  std::optional<double> strength;
};
struct LightScene {
  std::optional<Vec3d> direction;  // else from the upper left, in front
  Vec3d color{1, 1, 1};
  double strength = 2.5, angle = 2;
  std::vector<LightKeyScene> keyframes;
};
struct GlowScene {
  double base = 800, per_kelvin = 1000, strength = 1;
};
struct SliceScene {
  AxisName axis = AxisName::y;
  std::optional<double> at;
};
enum class Material { matte, glass, water };
inline constexpr std::array<std::string_view, 3> material_names{"matte", "glass", "water"};
inline constexpr double usual_opacity =
    60;  // of smoke of density 1 along the longest side of the box
struct RenderScene {
  std::optional<double> extinction;  // that which makes smoke so opaque if not given
  Vec3d smoke_color{0.95, 0.95, 0.95};
  double anisotropy = 0;
  int orders = 3;
  std::optional<GlowScene> glow;
  Material liquid = Material::water;
  Vec3d liquid_color{0.07, 0.2, 0.4};
  Vec3d obstacle_color{0.2, 0.18, 0.16};
  bool ground = true;
  std::optional<Vec3d> ground_color, zenith, horizon;  // those that suit what is seen if not given
  int samples = 16;
  double exposure = 0;
  bool transparent = false, denoise = false;
  SliceScene slice;
};

// The view decides on the grid by these, with the scene's camera and further ones.
struct ViewScene : ViewParameters {
  std::vector<CameraScene> camera;
};

// A simulation is of this kind. In files one table, of the name of its kind, has the keys of any flow and those
// of the kind.
template <int Dim>
struct SimulationScene {
  std::string kind, help;
  FlowParameters<Dim> flow;  // only what has no other place
  Cloned<KindTable<Dim>> own;

  explicit SimulationScene(const Kind& k = kinds().front())
      : kind(k.name), help(k.help), own(k.table<Dim>()) {}
};

template <int Dim>
struct Scene {
  std::string title;
  AxisName up = Dim == 2 ? AxisName::y : AxisName::z;
  DomainScene<Dim> domain;
  WallsScene walls;
  RefinementParameters<Dim> grid;  // rules are in `refine`
  std::vector<RefineScene<Dim>> refine;
  SimulationScene<Dim> simulation{};
  std::vector<ScalarParameters> scalar;
  std::vector<SourceScene<Dim>> source;
  std::vector<ObstacleScene<Dim>> obstacle;
  std::vector<InitialScene<Dim>> initial;
  OutputScene output;
  std::vector<ProbeScene<Dim>> probe;
  CameraScene camera;
  std::optional<ViewScene> view;
  std::vector<LightScene> light;
  RenderScene render;
};

using AnyScene = std::variant<Scene<2>, Scene<3>>;

}  // namespace octavo
