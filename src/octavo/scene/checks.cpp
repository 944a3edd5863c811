#include "octavo/scene/checks.h"

#include <set>

#include "octavo/scene/enum_names.h"
#include "octavo/scene/initial_grids.h"
#include "octavo/scene/output_checks.h"
#include "octavo/scene/picture_checks.h"
#include "octavo/scene/shape_checks.h"

namespace octavo {
namespace {

template <int Dim>
class Checker {
 public:
  Checker(const Scene<Dim>& scene, MeshFiles& files, Reading& reading)
      : scene_(scene), files_(files), say_(reading), shapes_(files, say_) {}

  void run() {
    domain();
    grid();
    walls();
    for (std::size_t i = 0; i < scene_.refine.size(); ++i) refine(i);
    scalars();
    for (std::size_t i = 0; i < scene_.source.size(); ++i) source(i);
    for (std::size_t i = 0; i < scene_.obstacle.size(); ++i) obstacle(i);
    for (std::size_t i = 0; i < scene_.initial.size(); ++i) initial(i);
    simulation();
    check_outputs(scene_, box_, say_);
    check_pictures(scene_, box_, say_);
  }

 private:
  void domain() {
    if (say_.unread("domain")) return;
    const DomainScene<Dim>& d = scene_.domain;
    const auto roots = roots_of(d);
    if (!roots)
      return say_.wrong("domain.size",
                        "the box cannot be made of cubes: its sides, {} m, have no common "
                        "measure",
                        text(d.size));
    const double edge = d.size[0] / (*roots)[0];
    for (int a = 1; a < Dim; ++a)
      if (std::abs(d.size[a] / (*roots)[a] - edge) > 1e-6 * edge)
        return say_.wrong("domain.roots",
                          "root cells must be cubes, but a box of {} m in {} is not", text(d.size),
                          text(*roots));
    constexpr double smallest = 1e-6;  // m
    if (const double cell = edge * std::pow(0.5, scene_.grid.max_level); cell < smallest)
      return say_.wrong("domain.size",
                        "the finest leaves would be {:.2g} m large; {} m is the least", cell,
                        smallest);
    try {
      domain_of(scene_).check();
      box_ = domain_of(scene_).box();
    } catch (const InputError& e) {
      say_.wrong(d.roots ? "domain.roots" : "domain.size", "{}", e.what());
    }
    if (say_.unread("up")) return;
    if (static_cast<int>(scene_.up) == 0 || static_cast<int>(scene_.up) >= Dim)
      say_.wrong("up", "'up' must be {}", Dim == 2 ? "\"y\" in 2D" : "\"y\" or \"z\"");
  }

  void grid() {
    const auto& g = scene_.grid;
    if (g.min_level > g.max_level)
      say_.wrong("grid.min_level", "'grid.min_level' is {}, above 'grid.max_level', which is {}",
                 g.min_level, g.max_level);
    if (!box_) return;
    FlowParameters<Dim> p;
    p.refinement = g;
    try {
      p.check(domain_of(scene_));
    } catch (const InputError& e) {
      if (g.min_level <= g.max_level) say_.wrong("grid.min_level", "{}", e.what());
    }
  }

  void walls() {
    if (Dim == 3) return;
    if (scene_.walls.front) say_.wrong("walls.front", "a 2D scene has no front");
    if (scene_.walls.back) say_.wrong("walls.back", "a 2D scene has no back");
  }

  void refine(std::size_t i) {
    const RefineScene<Dim>& r = scene_.refine[i];
    const std::string path = item("refine", i);
    const bool has_threshold = r.by == RefineBy::vorticity || r.by == RefineBy::detail ||
                               r.by == RefineBy::velocity_variation;
    if (has_threshold && !(r.above > 0))
      say_.wrong(path, "refining by {} needs a positive value for 'above'", name(r.by));
    if (r.by == RefineBy::band && !(r.range[0] > 0 && r.range[0] < r.range[1]))
      say_.wrong(path + ".range",
                 "the range must go from a positive number to a larger one, not {} to {}",
                 r.range[0], r.range[1]);
    refined_field(r, path);
    refined_interface(r, path);
    if (r.by == RefineBy::region && !r.region)
      say_.wrong(path, "refining by region needs a shape as 'region'");
    if (r.region) shapes_.shape(*r.region, path + ".region");
    if (r.always && !is_about_shapes(r.by))
      say_.wrong(path + ".always", "refining by {} cannot be kept from the view; {} can",
                 name(r.by), "objects, sources and region");
    if (r.by == RefineBy::objects && scene_.obstacle.empty() && !say_.unread("obstacle"))
      say_.wrong(path, "there is no [[obstacle]] to refine near");
    if (r.by == RefineBy::sources && scene_.source.empty() && !say_.unread("source"))
      say_.wrong(path, "there is no [[source]] to refine near");
  }

  void refined_field(const RefineScene<Dim>& r, const std::string& path) {
    if (!r.field || say_.unread("scalar")) return;
    const std::vector<std::string> names = names_of(nodal_fields(scene_));
    if (!looks_at_field(r.by))
      say_.wrong(path + ".field", "refining by {} looks at no field", name(r.by));
    else if (std::find(names.begin(), names.end(), *r.field) == names.end())
      say_.wrong(path + ".field", "there is no field '{}' to refine by; there are {}{}", *r.field,
                 joined(names, "and"), did_you_mean(*r.field, names));
  }

  void refined_interface(const RefineScene<Dim>& r, const std::string& path) {
    if (r.by != RefineBy::interface) return;
    const std::string wanted = r.field.value_or(main_field(scene_));
    for (const FieldInfo& f : nodal_fields(scene_))
      if (f.is_level_set && f.name == wanted) return;
    say_.wrong(path, "there is no liquid whose surface could be refined");
  }

  void scalars() {
    std::set<std::string> taken{
        "velocity", "velocity_x", "velocity_y", "velocity_z", "pressure",
        "vel",      "smoke",      "surface",    "level"};  // three are pictures
    for (const FieldInfo& f : scene_.simulation.own->fields())
      taken.insert({f.name, f.houdini, f.blender});
    for (std::size_t i = 0; i < scene_.scalar.size(); ++i) {
      const std::string& n = scene_.scalar[i].name;
      const std::string path = item("scalar", i) + ".name";
      say_.require_word(path, n);
      if (!taken.insert(n).second) say_.wrong(path, "the name '{}' is taken", n);
    }
  }
  void known_scalars(const std::map<std::string, double>& values, const std::string& path) {
    if (say_.unread("scalar")) return;
    std::vector<std::string> names;
    for (const auto& s : scene_.scalar) names.push_back(s.name);
    for (const auto& [key, value] : values)
      if (std::find(names.begin(), names.end(), key) == names.end())
        say_.wrong(path + "." + key, "there is no [[scalar]] named '{}'{}", key,
                   did_you_mean(key, names));
  }

  void source(std::size_t i) {
    const SourceScene<Dim>& s = scene_.source[i];
    const std::string path = item("source", i);
    shapes_.moving(s.shape, s.motion, path, "source", box_);
    known_scalars(s.scalars, path + ".scalars");
    level_sets(s.values, path);
    for (const FieldInfo& f : scene_.simulation.own->fields())
      if (f.place != FieldPlace::node && s.values.by_name.contains(f.name))
        say_.wrong(path + "." + f.name, "a source cannot set '{}', which is not on nodes", f.name);
    for (const FieldInfo& f : scene_.simulation.own->fields())
      if (f.is_level_set && s.add && s.values.by_name.contains(f.name))
        say_.wrong(path + ".add", "'{}' is filled or emptied, and not added", f.name);
    if (s.values.empty() && !s.velocity && s.scalars.empty())
      say_.wrong(path, "a source needs {}", any_value_of_fields());
    if (!(s.start < s.end))
      say_.wrong(path + ".end", "the source ends at {} s, before it starts at {} s", s.end,
                 s.start);
  }

  void obstacle(std::size_t i) {
    const ObstacleScene<Dim>& o = scene_.obstacle[i];
    const std::string path = item("obstacle", i);
    shapes_.moving(o.shape, o.motion, path, "obstacle", box_);
  }

  void initial(std::size_t i) {
    const InitialScene<Dim>& s = scene_.initial[i];
    const std::string path = item("initial", i);
    if (s.shape) shapes_.shape(*s.shape, path + ".shape");
    known_scalars(s.scalars, path + ".scalars");
    level_sets(s.values, path);
    const bool values = !s.values.empty() || s.velocity || !s.scalars.empty();
    if (!s.volume.empty() && values)
      say_.wrong(path, "values come from the volume or are given, not both");
    if (s.volume.empty() && !values)
      say_.wrong(path, "[[initial]] needs a volume, or {}", any_value_of_fields());
    if (!s.volume.empty()) volume(s, path);
  }

  void volume(const InitialScene<Dim>& s, const std::string& path) {
    if (Dim == 2) return say_.wrong(path + ".volume", "a 2D scene cannot read volumes");
    try {
      const VdbContents contents = vdb_contents(files_.path(s.volume));
      const InitialGrids grids(contents, scene_, s);
      std::vector<std::string> names;
      for (const auto& grid : contents.grids) names.push_back(grid.name);
      if (grids.all.empty())
        say_.wrong(path + ".volume", "none of the grids {} is in '{}'; there are {}",
                   joined(grids.wanted), s.volume.path, joined(names, "and"));
      for (const auto& [field, grid, key] : grids.all) {
        const bool vectors = field == "velocity";
        if (grid->type.starts_with("vec3") != vectors)
          say_.wrong(path + "." + key, "the grid '{}' has {}", grid->name,
                     vectors ? "numbers, not vectors" : "vectors, not numbers");
      }
    } catch (const InputError& e) {
      say_.wrong(path + ".volume", "{}", e.what());
    }
  }

  void simulation() {
    try {
      scene_.simulation.flow.check(Domain<Dim>{});
      scene_.simulation.own->check(scene_.simulation.flow);
    } catch (const InputError& e) {
      say_.wrong(scene_.simulation.kind, "{}", e.what());
    }
  }

  void level_sets(const FieldValues& values, const std::string& path) {
    for (const FieldInfo& f : scene_.simulation.own->fields())
      if (const auto at = values.by_name.find(f.name);
          f.is_level_set && at != values.by_name.end() && at->second != 0 && at->second != 1)
        say_.wrong(path + "." + f.name,
                   "'{}' is 1 for what is filled, or 0 for what is emptied, not {}", f.name,
                   at->second);
  }

  static bool is_vowel(char c) { return std::string_view("aeiou").find(c) != std::string::npos; }
  // The text looks like "a density, a temperature, a velocity or scalars".
  std::string any_value_of_fields() const {
    std::vector<std::string> words;
    for (const FieldInfo& f : scene_.simulation.own->fields())
      words.push_back((is_vowel(f.name.front()) ? "an " : "a ") + f.name);
    words.insert(words.end(), {"a velocity", "scalars"});
    return joined(words);
  }

  const Scene<Dim>& scene_;
  MeshFiles& files_;
  Complaints say_;
  ShapeChecks<Dim> shapes_;
  std::optional<Box<Dim>> box_;
};

}  // namespace

template <int Dim>
void check_scene(const Scene<Dim>& scene, MeshFiles& files, Reading& reading) {
  Checker<Dim>(scene, files, reading).run();
}

template void check_scene(const Scene<2>&, MeshFiles&, Reading&);
template void check_scene(const Scene<3>&, MeshFiles&, Reading&);

}  // namespace octavo
