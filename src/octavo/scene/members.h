#pragma once

// This says how the members of a scene are called in a file, what they mean and which values they may
// have. It is the one place from which files are read and written and the reference is made.
//
// A visitor is called with (name, member, help, rule) for every member. Help ends with the unit, if there
// is one. FieldValues and FieldGrids are a member for each field that the simulation has, and have no name.

#include <fmt/format.h>

#include "octavo/scene/scene.h"

namespace octavo {

inline constexpr Rule a_level = between(0, max_level);

template <class V, int Dim>
void members(V& v, SphereScene<Dim>& s) {
  v("center", s.center, "m", needed);
  v("radius", s.radius, "m", positive.needed());
}
template <class V, int Dim>
void members(V& v, BoxScene<Dim>& s) {
  v("low", s.low, "the corner with the smallest coordinates, m", needed);
  v("high", s.high, "the opposite one, m", needed);
}
template <class V, int Dim>
void members(V& v, EllipsoidScene<Dim>& s) {
  v("center", s.center, "m", needed);
  v("radii", s.radii, "along each axis, m", positive.needed());
}
template <class V, int Dim>
void members(V& v, TubeScene<Dim>& s) {
  v("from", s.from, "one end of the axis, m", needed);
  v("to", s.to, "the other end, m", needed);
  v("radius", s.radius, "m", positive.needed());
}
template <class V, int Dim>
void members(V& v, TorusScene<Dim>& s) {
  v("center", s.center, "m", needed);
  v("radius", s.radius, "of the ring, to the middle of the tube, m", positive.needed());
  v("tube", s.tube, "radius of the tube, m", positive.needed());
  v("axis", s.axis, "around which the ring goes; does not count in 2D", any_value);
}
template <class V, int Dim>
void members(V& v, PlaneScene<Dim>& s) {
  v("point", s.point, "of the plane, m", needed);
  v("normal", s.normal, "points out of the shape, which is all that is behind the plane", needed);
}
template <class V>
void members(V& v, MeshScene& s) {
  v("file", s.file, "obj, ply, stl, gltf, ...; relative to the scene file", needed);
  v("thickness", s.thickness, "of a thin sheet; 0: what the mesh encloses is solid, m",
    not_negative);
  v("scale", s.scale, "of the coordinates in the file", positive);
}

template <class V, int Dim>
void members(V& v, ShapeScene<Dim>& s) {
  v("sphere", s.sphere, "a ball; in 2D a disk", any_value);
  v("box", s.box, "along the axes", any_value);
  v("ellipsoid", s.ellipsoid, "along the axes", any_value);
  v("cylinder", s.cylinder, "with flat ends; in 2D a rectangle", any_value);
  v("capsule", s.capsule, "with round ends", any_value);
  v("torus", s.torus, "in 2D a ring", any_value);
  v("plane", s.plane, "all that is on one side of a plane", any_value);
  if constexpr (Dim == 3) v("mesh", s.mesh, "triangles of a file", any_value);
  v("union", s.unite, "what is in any of several shapes", any_value);
  v("intersection", s.intersect, "what is in all of several shapes", any_value);
  v("difference", s.subtract, "what is in the first of several shapes and not in the others",
    any_value);
  v("turn", s.turn,
    "about the pivot: a vector along the axis, as long as the angle; in 2D a number, degrees",
    any_value);
  v("pivot", s.pivot, "m", any_value);
  v("move", s.move, "after turning, m", any_value);
}

template <class V, int Dim>
void members(V& v, KeyframeScene<Dim>& s) {
  v("time", s.time, "s", needed);
  v("move", s.move, "from where the shape is, m", any_value);
  v("turn", s.turn, "degrees", any_value);
}
template <class V, int Dim>
void members(V& v, OscillationScene<Dim>& s) {
  v("move", s.move, "largest displacement, m", any_value);
  v("turn", s.turn, "largest turn, degrees", any_value);
  v("frequency", s.frequency, "Hz", positive);
  v("phase", s.phase, "at the beginning, degrees", any_value);
}
template <class V, int Dim>
void members(V& v, MotionScene<Dim>& s) {
  v("velocity", s.velocity, "m/s", any_value);
  v("spin", s.spin, "about the pivot, degrees/s", any_value);
  v("oscillate", s.oscillate, "to and fro", any_value);
  v("keyframes", s.keyframes, "linear between them, at rest before and after", any_value);
  v("pivot", s.pivot, "the point about which the shape turns, before it moves, m", any_value);
}

template <class V>
void members(V& v, SourceNoise& s) {
  v("amount", s.amount, "0: none; 1: down to nothing in places", between(0, 1));
  v("size", s.size, "of its features, m", positive);
  v("period", s.period, "how long they last, s", positive);
  v("seed", s.seed, "another seed, another noise", not_negative);
}

template <class V, int Dim>
void members(V& v, SourceScene<Dim>& s) {
  v("shape", s.shape, "where it is", needed);
  v("motion", s.motion, "of the shape", any_value);
  v("", s.values, "left alone if not given", any_value);
  v("velocity", s.velocity, "left alone if not given, m/s", any_value);
  v("scalars", s.scalars, "of further quantities, by name", any_value);
  v("add", s.add, "the values are rates, per second, instead of what is set", any_value);
  v("start", s.start, "s", not_negative);
  v("end", s.end, "s", up_to_infinity);
  v("noise", s.noise, "in space and time", any_value);
  v("edge", s.edge, "over which the shape's edge is soft, m; a leaf at least", not_negative);
}
template <class V, int Dim>
void members(V& v, ObstacleScene<Dim>& s) {
  v("shape", s.shape, "of the solid", needed);
  v("motion", s.motion, "of the shape", any_value);
  v("temperature", s.temperature, "if it heats or cools the air beside it, K", any_value);
}
template <class V, int Dim>
void members(V& v, InitialScene<Dim>& s) {
  v("shape", s.shape, "where it is; everywhere if there is none", any_value);
  v("edge", s.edge, "over which the shape's edge is soft, m", not_negative);
  v("volume", s.volume, "a .vdb file; relative to the scene file", any_value);
  v("", s.grids, "in the .vdb file; used if it is there", any_value);
  v("velocity_grid", s.velocity_grid,
    "in the .vdb file; used if it is there; \"vel\" finds \"velocity\", too", any_value);
  v("", s.values, "", any_value);
  v("velocity", s.velocity, "m/s", any_value);
  v("scalars", s.scalars, "of further quantities, by name", any_value);
}

template <class V, int Dim>
void members(V& v, DomainScene<Dim>& s) {
  v("size", s.size, "of the box; two numbers make a 2D scene, m", positive);
  v("origin", s.origin, "its lowest corner, m", any_value);
  v("roots", s.roots,
    "root cells along each axis, which must be cubes; the fewest that are if not given",
    between(1, 4096));
}
template <class V>
void members(V& v, WallsScene& s) {
  v("default", s.otherwise, "of the sides that are not named", any_value);
  v("left", s.left, "low x", any_value);
  v("right", s.right, "high x", any_value);
  v("front", s.front, "low y; high z if y is up", any_value);
  v("back", s.back, "high y; low z if y is up", any_value);
  v("bottom", s.bottom, "the low end of the axis that is up", any_value);
  v("top", s.top, "the high end of it", any_value);
}
template <class V, int Dim>
void members(V& v, RefinementParameters<Dim>& s) {
  v("min_level", s.min_level, "coarsest leaves; each level halves their size", a_level);
  v("max_level", s.max_level, "finest leaves", a_level);
  v("margin", s.margin, "around what is refined, cells", not_negative);
  v("hysteresis", s.hysteresis, "by which more is kept than refined, cells", not_negative);
  v("grading", s.grading, "largest difference in level between leaves that touch; 0: any",
    between(0, max_level));
  v("max_leaves", s.max_leaves, "thresholds rise until there are no more; 0: any number",
    not_negative);
}
template <class V, int Dim>
void members(V& v, RefineScene<Dim>& s) {
  v("by", s.by, "what is to be refined", needed);
  v("field", s.field, "density_band, density_detail: of another field than density", any_value);
  v("above", s.above, "vorticity, 1/s; density_detail; velocity_variation, 1/(m s)", not_negative);
  v("range", s.range, "density_band: of densities", up_to_infinity);
  v("leaves", s.leaves,
    "interface: the surface of the liquid has so many leaves of each level inside and outside of "
    "it",
    positive);
  v("within", s.within, "objects, sources, region: this far from them, m", not_negative);
  v("region", s.region, "region: inside of this shape", any_value);
  v("coarser", s.coarser, "levels less than max_level are enough there", a_level);
  v("level", s.level, "to be reached there at most", a_level);
  v("keep", s.keep,
    "what was refined is kept above this part of 'above', or of the range's low end; not for "
    "density_detail",
    between(0, 1));
  v("always", s.always, "objects, sources, region: also where [view] would allow less", any_value);
}
// This shows the keys of a kind to a visitor of members.
template <class V>
class KeysOf final : public KeyVisitor {
 public:
  explicit KeysOf(V& v) : v_(v) {}

 private:
  void visit(const char* name, Key key, const char* help, const Rule& rule) override {
    std::visit([&](auto* value) { v_(name, *value, help, rule); }, key);
  }

  V& v_;
};

template <class V, int Dim>
void members(V& v, FlowParameters<Dim>& s) {
  v("advection", s.advection, "how smoke and velocity are carried along", any_value);
  v("stepping", s.stepping,
    "how a step is put together; reflection keeps energy, at twice the work", any_value);
  v("pressure", s.pressure.scheme, "gradient of the pressure where sizes meet", any_value);
  v("gradient_distance", s.pressure.delta, "losasso04: what the gradient is divided by", any_value);
  v("surface_rows", s.pressure.surface_rows,
    "how the pressure meets the surface of a liquid where leaves of different sizes meet it",
    any_value);
  v("preconditioner", s.preconditioner, "of the pressure equation", any_value);
  v("tolerance", s.stop.relative, "of the pressure equation, of the divergence before",
    Rule{.least = 0, .most = 1, .above_least = true});
  v("max_iterations", s.stop.max_iterations, "of the pressure equation", between(1, 100000));
  v("obstacles", s.treatment, "closed by the open area of each face, or whole faces", any_value);
  v("cfl", s.cfl, "leaves that anything may pass in a step", positive);
  v("min_substeps", s.min_substeps, "of a frame", between(1, 1000));
  v("max_substeps", s.max_substeps, "of a frame", between(1, 1000));
  v("acceleration", s.acceleration, "of all air, m/s^2", any_value);
}
template <class V, int Dim>
void members(V& v, SimulationScene<Dim>& s) {
  members(v, s.flow);
  KeysOf<V> keys(v);
  s.own->keys(keys);
}
template <class V>
void members(V& v, ScalarParameters& s) {
  v("name", s.name, "in sources, outputs and probes", needed);
  v("outside", s.outside, "its value in the air outside", any_value);
  v("decay", s.decay, "towards that, 1/s", not_negative);
}

template <class V>
void members(V& v, OutputScene& s) {
  v("frames", s.frames, "the first and the last that are written; frame n is at n/fps s",
    between(0, 999999).only_for(Use::output));
  v("fps", s.fps, "frames per second", between(0.001, 1e6));
  v("name", s.name, "of the files; that of the scene file if not given", any_value);
  v("volume", s.volume,
    "fields in the .vdb files, none: no such files; all but pressure and scalars if not given",
    any_value.only_for(Use::output));
  v("grid_names", s.grid_names, "whose names of fields the .vdb files have",
    any_value.only_for(Use::output));
  v("half", s.half, "16 bits for each number in .vdb files", any_value.only_for(Use::output));
  v("compress", s.compress, ".vdb files by blosc", any_value.only_for(Use::output));
  v("staggered", s.staggered, "velocities in .vdb files on faces instead of centres",
    any_value.only_for(Use::output));
  v("level", s.level,
    "whose cells are the voxels of the .vdb files; that of the finest leaves if not given",
    a_level.only_for(Use::output));
  v("region", s.region,
    "where velocity and pressure are in .vdb files: near smoke, or in the whole box",
    any_value.only_for(Use::output));
  v("tolerance", s.tolerance,
    "by which values in .vdb files may differ, of the largest; what varies less is one value for 8 "
    "x 8 x 8 voxels",
    between(0, 1).only_for(Use::output));
  v("grid", s.grid, "fields in the .htg files; none: no such files",
    any_value.only_for(Use::output));
  v("picture", s.picture,
    "what is drawn of each frame: \"smoke\", the \"surface\" of a liquid, \"level\" for the "
    "leaves, or "
    "a field; none: no pictures",
    any_value.only_for(Use::output));
  v("every", s.every, "frames are written", between(1, 999999).only_for(Use::output));
  v("checkpoint_every", s.checkpoint_every,
    "frames a checkpoint is written; 0: only at the end and when interrupted",
    between(0, 999999).only_for(Use::output));
  v("checkpoints", s.checkpoints, "are kept, the last ones; 0: all",
    between(0, 999999).only_for(Use::output));
}
template <class V, int Dim>
void members(V& v, ProbeLine<Dim>& s) {
  v("from", s.from, "m", needed);
  v("to", s.to, "m", needed);
  v("points", s.points, "on it, with both ends", between(2, 1000000));
}
template <class V, int Dim>
void members(V& v, ProbePlane<Dim>& s) {
  v("normal", s.normal, "the axis across it", any_value);
  v("at", s.at, "where it is on that axis, m", needed);
  v("points", s.points, "along each of the other axes", between(1, 10000));
}
template <class V, int Dim>
void members(V& v, ProbeScene<Dim>& s) {
  v("name", s.name, "of the file: probe/NAME.csv", needed);
  v("fields", s.fields, "that are recorded; all but scalars if not given", any_value);
  v("points", s.points, "m", any_value);
  v("line", s.line, "points along a line", any_value);
  if constexpr (Dim == 3) v("plane", s.plane, "points of a plane across the box", any_value);
  v("every", s.every, "frames", between(1, 999999));
  v("frames", s.frames, "only these", between(0, 999999));
}
template <class V>
void members(V& v, CameraKeyScene& s) {
  v("time", s.time, "s", needed);
  v("position", s.position, "m", needed);
  v("target", s.target, "m", needed);
  v("field_of_view", s.field_of_view, "the camera's if not given, degrees", between(1, 170));
}
template <class V>
void members(V& v, CameraScene& s) {
  v("position", s.position, "where the whole box is in the picture if not given, m", any_value);
  v("target", s.target,
    "what is in the middle of the picture; the middle of the box if not given, m", any_value);
  v("field_of_view", s.field_of_view, "across the picture, degrees", between(1, 170));
  v("resolution", s.resolution, "width and height, pixels", between(1, 16384));
  v("keyframes", s.keyframes, "a smooth way through them instead of one position", any_value);
}
template <class V>
void members(V& v, ViewScene& s) {
  v("tau", s.tau,
    "by which thresholds of [[refine]] rise with the distance from the camera: (r - R) / R, times "
    "the tangent of half the diagonal field of view, times tau; 0: not",
    not_negative);
  v("front", s.front,
    "R, from the camera to where they begin to rise; where the box begins if not given, m",
    positive);
  v("match_image", s.match_image,
    "thresholds are also multiplied by the finest leaves over the pixels at that distance",
    any_value);
  v("at_90_degrees", s.at_90_degrees,
    "thresholds are those for 90 degrees, and follow the field of view", any_value);
  v("one_level_per_step", s.one_level_per_step, "no leaf is split or merged twice in a step",
    any_value);
  v("finest_pixels", s.finest_pixels,
    "no leaf appears smaller than so many pixels of the camera's resolution; 0: any", not_negative);
  v("coarsest_pixels", s.coarsest_pixels,
    "no leaf of smoke that is seen appears larger than so many pixels; 0: any", not_negative);
  v("seen_density", s.seen_density, "from which on smoke is seen", positive);
  v("outside", s.outside,
    "levels less than max_level for what is not in the picture; as fine as elsewhere if not given",
    a_level);
  v("margin", s.margin, "around the picture, of its width", between(0, 10));
  v("around", s.around, "for outside and hidden, what is so near to what is seen counts as seen, m",
    not_negative);
  v("hidden", s.hidden,
    "levels less than max_level for what is behind obstacles or dense smoke; as fine as elsewhere "
    "if not given",
    a_level);
  v("transmittance", s.transmittance, "smoke that lets less light through hides what is behind it",
    Rule{.least = 0, .most = 0.9, .above_least = true});
  v("look_ahead", s.look_ahead, "along the way of a moving camera, s", between(0, 1e6));
  v("camera", s.camera, "further ones; what any of them sees is seen", any_value);
}
template <class V>
void members(V& v, LightKeyScene& s) {
  v("time", s.time, "s", needed);
  v("direction", s.direction, "the light's if not given", any_value);
  v("color", s.color, "the light's if not given", between(0, 1));
  v("strength", s.strength, "the light's if not given", not_negative);
}
template <class V>
void members(V& v, LightScene& s) {
  v("direction", s.direction, "in which it shines; from the upper left in front if not given",
    any_value);
  v("color", s.color, "red, green, blue, from 0 to 1", between(0, 1));
  v("strength", s.strength, "1: white paper that faces it is white in the picture", not_negative);
  v("angle", s.angle, "across it as it is seen, the sun's is 0.5: how soft shadows are, degrees",
    between(0, 90));
  v("keyframes", s.keyframes, "linear between them, at rest before and after", any_value);
}
template <class V>
void members(V& v, GlowScene& s) {
  v("base", s.base, "what the simulation's temperature of 0 is, K", not_negative);
  v("per_kelvin", s.per_kelvin, "how much hotter each of the simulation's kelvins is, K",
    any_value);
  v("strength", s.strength,
    "of the light of thick smoke at 1500 K; hotter smoke is brighter as Planck's law says",
    not_negative);
}
template <class V>
void members(V& v, SliceScene& s) {
  v("axis", s.axis, "that is cut", any_value);
  v("at", s.at, "where; in the middle of the box if not given, m", any_value);
}
template <class V>
void members(V& v, RenderScene& s) {
  static const std::string extinction = fmt::format(
      "how much light smoke of density 1 stops; {} over the longest side of the box if not given, "
      "1/m",
      usual_opacity);
  v("extinction", s.extinction, extinction.c_str(), not_negative.only_for(Use::view_and_look));
  v("smoke_color", s.smoke_color, "the part of the light that smoke sends on",
    between(0, 1).only_for(Use::look));
  v("anisotropy", s.anisotropy, "of that: above 0 forwards, below 0 back",
    between(-0.95, 0.95).only_for(Use::look));
  v("orders", s.orders,
    "of scattering; 1: light is sent on once; more is an estimate that looks softer",
    between(1, 8).only_for(Use::look));
  v("glow", s.glow, "of hot smoke; none if there is no such table", any_value.only_for(Use::look));
  v("liquid", s.liquid, "what a liquid is drawn as", any_value.only_for(Use::look));
  v("liquid_color", s.liquid_color, "of a matte one, and in 2D: red, green, blue",
    between(0, 1).only_for(Use::look));
  v("obstacle_color", s.obstacle_color, "red, green, blue", between(0, 1).only_for(Use::look));
  v("ground", s.ground, "a plane below the box", any_value.only_for(Use::look));
  v("ground_color", s.ground_color,
    "red, green, blue; if not given, ground and sky are dark behind smoke and light behind a "
    "liquid",
    between(0, 1).only_for(Use::look));
  v("zenith", s.zenith, "the sky above", not_negative.only_for(Use::look));
  v("horizon", s.horizon, "the sky where it meets the ground", not_negative.only_for(Use::look));
  v("samples", s.samples, "rays for each pixel that has an edge or a solid in it",
    between(1, 65536).only_for(Use::look));
  v("exposure", s.exposure, "each stop doubles the light, stops",
    between(-20, 20).only_for(Use::look));
  v("transparent", s.transparent, "pictures without ground and sky, with an opacity",
    any_value.only_for(Use::look));
  v("denoise", s.denoise, "smooths what too few samples leave", any_value.only_for(Use::look));
  v("slice", s.slice, "where pictures of fields and of the grid cut the box; not in 2D",
    any_value.only_for(Use::look));
}

template <class V, int Dim>
void members(V& v, Scene<Dim>& s) {
  v("title", s.title, "what to look at", any_value.only_for(Use::output));
  v("up", s.up, "the axis against gravity, not x; always y in 2D", any_value);
  v("domain", s.domain, "the box that is simulated", any_value);
  v("walls", s.walls, "its sides: open or closed", any_value);
  v("grid", s.grid, "the octree", any_value);
  v("refine", s.refine,
    "where the octree is finer: near obstacles and sources and where smoke is, if there is no such "
    "table",
    any_value);
  v(s.simulation.kind.c_str(), s.simulation, s.simulation.help.c_str(), any_value);
  if constexpr (requires { v.fields(s.simulation.own->fields()); })
    v.fields(s.simulation.own->fields());
  v("scalar", s.scalar, "further quantities that are carried along", any_value);
  v("source", s.source, "makes smoke", any_value);
  v("obstacle", s.obstacle, "a solid", any_value);
  v("initial", s.initial, "what is there at the beginning", any_value);
  v("output", s.output, "what is written", any_value);
  v("probe", s.probe, "numbers at points, as tables", any_value.only_for(Use::output));
  v("camera", s.camera, "looks at it", any_value.only_for(Use::view_and_look));
  v("view", s.view, "the octree is made for what the camera sees; not if there is no such table",
    any_value);
  v("light", s.light, "shines on it; one from the upper left if there is none",
    any_value.only_for(Use::look));
  v("render", s.render, "how pictures of it look", any_value);
}

}  // namespace octavo
