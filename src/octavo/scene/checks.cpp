#include "octavo/scene/checks.h"

#include <set>

#include "octavo/io/vdb.h"
#include "octavo/scene/enum_names.h"

namespace octavo {
namespace {

// [1, 2, 3]
template <int Count, class T>
std::string text(const Vec<Count, T>& v) {
  std::string all = "[";
  for (int a = 0; a < Count; ++a) all += fmt::format("{}{}", a == 0 ? "" : ", ", v[a]);
  return all + "]";
}

template <int Dim>
class Checker {
 public:
  Checker(const Scene<Dim>& scene, MeshFiles& files, Reading& reading)
      : scene_(scene), files_(files), reading_(reading), before_(reading.problems) {}

  void run() {
    domain();
    grid();
    walls();
    for (std::size_t i = 0; i < scene_.refine.size(); ++i) refine(i);
    scalars();
    for (std::size_t i = 0; i < scene_.source.size(); ++i) source(i);
    for (std::size_t i = 0; i < scene_.obstacle.size(); ++i) obstacle(i);
    for (std::size_t i = 0; i < scene_.initial.size(); ++i) initial(i);
    smoke();
    output();
    for (std::size_t i = 0; i < scene_.probe.size(); ++i) probe(i);
    camera();
  }

 private:
  // Unless the reader has had to complain about the same table: then it is the same mistake.
  template <class... Args>
  void wrong(const std::string& path, fmt::format_string<Args...> sentence, Args&&... args) {
    const auto dot = path.find_last_of('.');
    if (before_.within(dot == std::string::npos ? path : path.substr(0, dot))) return;
    reading_.wrong(path, sentence, std::forward<Args>(args)...);
  }
  bool unread(const std::string& path) const { return before_.within(path); }
  static std::string item(const char* list, std::size_t i) {
    return fmt::format("{}[{}]", list, i);
  }

  void domain() {
    if (unread("domain")) return;
    const DomainScene<Dim>& d = scene_.domain;
    const auto roots = roots_of(d);
    if (!roots)
      return wrong("domain.size",
                   "the box cannot be made of cubes: its sides, {} m, have no common "
                   "measure",
                   text(d.size));
    const double edge = d.size[0] / (*roots)[0];
    for (int a = 1; a < Dim; ++a)
      if (std::abs(d.size[a] / (*roots)[a] - edge) > 1e-6 * edge)
        return wrong("domain.roots", "root cells must be cubes, but a box of {} m in {} is not",
                     text(d.size), text(*roots));
    try {
      domain_of(scene_).check();
      box_ = domain_of(scene_).box();
    } catch (const InputError& e) {
      wrong(d.roots ? "domain.roots" : "domain.size", "{}", e.what());
    }
    if (unread("up")) return;
    if (static_cast<int>(scene_.up) == 0 || static_cast<int>(scene_.up) >= Dim)
      wrong("up", "'up' must be {}", Dim == 2 ? "\"y\" in 2D" : "\"y\" or \"z\"");
  }

  void grid() {
    const auto& g = scene_.grid;
    if (g.min_level > g.max_level)
      wrong("grid.min_level", "'grid.min_level' is {}, above 'grid.max_level', which is {}",
            g.min_level, g.max_level);
    if (!box_) return;
    SmokeParameters<Dim> p;
    p.refinement = g;
    try {
      p.check(domain_of(scene_));
    } catch (const InputError& e) {
      if (g.min_level <= g.max_level) wrong("grid.min_level", "{}", e.what());
    }
  }

  void walls() {
    if (Dim == 3) return;
    if (scene_.walls.front) wrong("walls.front", "a 2D scene has no front");
    if (scene_.walls.back) wrong("walls.back", "a 2D scene has no back");
  }

  void refine(std::size_t i) {
    const RefineScene<Dim>& r = scene_.refine[i];
    const std::string path = item("refine", i);
    const bool has_threshold = r.by == RefineBy::vorticity || r.by == RefineBy::density_detail ||
                               r.by == RefineBy::velocity_variation;
    if (has_threshold && !(r.above > 0))
      wrong(path, "refining by {} needs a positive value for 'above'", name(r.by));
    if (r.by == RefineBy::density_band && !(r.range[0] > 0 && r.range[0] < r.range[1]))
      wrong(path + ".range",
            "the range must go from a positive number to a larger one, not {} to {}", r.range[0],
            r.range[1]);
    if (r.by == RefineBy::region && !r.region)
      wrong(path, "refining by region needs a shape as 'region'");
    if (r.region) shape(*r.region, path + ".region");
    if (r.by == RefineBy::objects && scene_.obstacle.empty() && !unread("obstacle"))
      wrong(path, "there is no [[obstacle]] to refine near");
    if (r.by == RefineBy::sources && scene_.source.empty() && !unread("source"))
      wrong(path, "there is no [[source]] to refine near");
  }

  void scalars() {
    std::set<std::string> taken{"density", "temperature", "velocity", "pressure", "level", "vel"};
    for (std::size_t i = 0; i < scene_.scalar.size(); ++i) {
      const std::string& n = scene_.scalar[i].name;
      const std::string path = item("scalar", i) + ".name";
      if (!is_word(n)) wrong(path, "'{}' is no name; letters, digits, _ and - make one", n);
      if (!taken.insert(n).second) wrong(path, "the name '{}' is taken", n);
    }
  }
  static bool is_word(const std::string& s) {
    return !s.empty() && s.size() <= 64 &&
           s.find_first_not_of(
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
               std::string::npos;
  }
  void known_scalars(const std::map<std::string, double>& values, const std::string& path) {
    if (unread("scalar")) return;
    std::vector<std::string> names;
    for (const auto& s : scene_.scalar) names.push_back(s.name);
    for (const auto& [key, value] : values)
      if (std::find(names.begin(), names.end(), key) == names.end())
        wrong(path + "." + key, "there is no [[scalar]] named '{}'{}", key,
              did_you_mean(key, names));
  }

  // Whether it is a shape; then also what it is made of.
  bool shape(const ShapeScene<Dim>& s, const std::string& path) {
    const int kinds = (s.sphere ? 1 : 0) + (s.box ? 1 : 0) + (s.ellipsoid ? 1 : 0) +
                      (s.cylinder ? 1 : 0) + (s.capsule ? 1 : 0) + (s.torus ? 1 : 0) +
                      (s.plane ? 1 : 0) + (s.mesh ? 1 : 0) + (s.unite.empty() ? 0 : 1) +
                      (s.intersect.empty() ? 0 : 1) + (s.subtract.empty() ? 0 : 1);
    if (kinds != 1) {
      wrong(path,
            "a shape must be one of sphere, box, ellipsoid, cylinder, capsule, torus, plane{}, "
            "union, intersection or difference; this is {}",
            Dim == 3 ? ", mesh" : "", kinds == 0 ? "none of them" : "several");
      return false;
    }
    bool good = true;
    auto parts = [&](const std::vector<ShapeScene<Dim>>& list, const char* kind) {
      for (std::size_t i = 0; i < list.size(); ++i)
        good = shape(list[i], fmt::format("{}.{}[{}]", path, kind, i)) && good;
    };
    parts(s.unite, "union");
    parts(s.intersect, "intersection");
    parts(s.subtract, "difference");
    if (s.subtract.size() == 1) {
      wrong(path + ".difference", "a difference needs two shapes at least");
      good = false;
    }
    if (!good) return false;
    try {
      shape_of(s, files_);
    } catch (const InputError& e) {
      wrong(s.mesh ? path + ".mesh.file" : path, "{}", e.what());
      return false;
    }
    return true;
  }

  // Whether it is a motion.
  bool motion(const MotionScene<Dim>& m, const std::string& path) {
    const bool steady = !(m.velocity == Vec<Dim>{}) || !(m.spin == Turn<Dim>{});
    if ((steady ? 1 : 0) + (m.oscillate ? 1 : 0) + (m.keyframes.empty() ? 0 : 1) > 1) {
      wrong(
          path,
          "a motion is steady (velocity, spin), an oscillation or keyframes, not several of them");
      return false;
    }
    try {
      motion_of(m);
      return true;
    } catch (const InputError& e) {
      wrong(path, "{}", e.what());
      return false;
    }
  }

  // Both are looked at, whatever the first one is.
  template <class Item>
  bool moving_shape(const Item& what, const std::string& path) {
    const bool is_shape = shape(what.shape, path + ".shape");
    return motion(what.motion, path + ".motion") && is_shape;
  }

  // A shape that is never in the box does nothing, which nobody means.
  void in_the_box(const ShapeScene<Dim>& s, const MotionScene<Dim>& m, const std::string& path,
                  const char* what) {
    if (!box_ || unread(path) || !motion_of(m).is_still()) return;
    const Box<Dim> b = shape_of(s, files_).bounds();
    for (int a = 0; a < Dim; ++a)
      if (b.hi[a] <= box_->lo[a] || b.lo[a] >= box_->hi[a])
        return wrong(path + ".shape", "the {} is outside of the box, which goes from {} to {} m",
                     what, text(box_->lo), text(box_->hi));
  }

  void source(std::size_t i) {
    const SourceScene<Dim>& s = scene_.source[i];
    const std::string path = item("source", i);
    if (moving_shape(s, path)) in_the_box(s.shape, s.motion, path, "source");
    known_scalars(s.scalars, path + ".scalars");
    if (!s.density && !s.temperature && !s.velocity && s.scalars.empty())
      wrong(path, "a source needs a density, a temperature, a velocity or scalars");
    if (!(s.start < s.end))
      wrong(path + ".end", "the source ends at {} s, before it starts at {} s", s.end, s.start);
  }

  void obstacle(std::size_t i) {
    const ObstacleScene<Dim>& o = scene_.obstacle[i];
    const std::string path = item("obstacle", i);
    if (moving_shape(o, path)) in_the_box(o.shape, o.motion, path, "obstacle");
  }

  void initial(std::size_t i) {
    const InitialScene<Dim>& s = scene_.initial[i];
    const std::string path = item("initial", i);
    if (s.shape) shape(*s.shape, path + ".shape");
    known_scalars(s.scalars, path + ".scalars");
    const bool values = s.density || s.temperature || s.velocity || !s.scalars.empty();
    if (!s.volume.empty() && values)
      wrong(path, "values come from the volume or are given, not both");
    if (s.volume.empty() && !values)
      wrong(path, "[[initial]] needs a volume, or a density, a temperature, a velocity or scalars");
    if (!s.volume.empty()) volume(s, path);
  }

  void volume(const InitialScene<Dim>& s, const std::string& path) {
    if (Dim == 2) return wrong(path + ".volume", "a 2D scene cannot read volumes");
    try {
      std::vector<std::string> names;
      for (const auto& grid : vdb_contents(files_.path(s.volume)).grids) names.push_back(grid.name);
      const std::array wanted{s.density_grid, s.temperature_grid, s.velocity_grid};
      if (std::find_first_of(names.begin(), names.end(), wanted.begin(), wanted.end()) ==
          names.end())
        wrong(path + ".volume", "none of the grids {} is in '{}'; there are {}",
              joined({wanted.begin(), wanted.end()}), s.volume.path, joined(names, "and"));
    } catch (const InputError& e) {
      wrong(path + ".volume", "{}", e.what());
    }
  }

  void smoke() {
    SmokeParameters<Dim> p = scene_.smoke;
    p.up_axis = Dim - 1;
    p.refinement = {};
    try {
      p.check(Domain<Dim>{});
    } catch (const InputError& e) {
      wrong("smoke", "{}", e.what());
    }
  }

  std::vector<std::string> fields() const {
    std::vector<std::string> all{"density", "temperature", "velocity", "pressure"};
    for (const auto& s : scene_.scalar) all.push_back(s.name);
    return all;
  }
  void known_fields(const std::vector<std::string>& wanted, const std::string& path) {
    if (unread("scalar")) return;
    const std::vector<std::string> all = fields();
    std::set<std::string> seen;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const std::string at = fmt::format("{}[{}]", path, i);
      if (std::find(all.begin(), all.end(), wanted[i]) == all.end())
        wrong(at, "there is no field '{}'; there are {}{}", wanted[i], joined(all, "and"),
              did_you_mean(wanted[i], all));
      else if (!seen.insert(wanted[i]).second)
        wrong(at, "'{}' is there twice", wanted[i]);
    }
  }

  void output() {
    const OutputScene& o = scene_.output;
    if (o.frames[0] > o.frames[1])
      wrong("output.frames", "frames go from {} to {}; the first must not be above the last",
            o.frames[0], o.frames[1]);
    if (!o.name.empty() && !is_word(o.name))
      wrong("output.name", "'{}' is no name; letters, digits, _ and - make one", o.name);
    known_fields(o.volume, "output.volume");
    known_fields(o.grid, "output.grid");
  }

  void probe(std::size_t i) {
    const ProbeScene<Dim>& p = scene_.probe[i];
    const std::string path = item("probe", i);
    if (!is_word(p.name))
      wrong(path + ".name", "'{}' is no name; letters, digits, _ and - make one", p.name);
    if (!probe_names_.insert(p.name).second)
      wrong(path + ".name", "the name '{}' is taken", p.name);
    known_fields(p.fields, path + ".fields");
    const int kinds = (p.points.empty() ? 0 : 1) + (p.line ? 1 : 0) + (p.plane ? 1 : 0);
    if (kinds != 1)
      wrong(path, "a probe needs points, a line{}, and only one of them",
            Dim == 3 ? " or a plane" : "");
    if (!box_) return;
    auto inside = [&](const Vec<Dim>& x, const std::string& at) {
      if (!box_->contains(x))
        wrong(at, "the point {} is outside of the box, which goes from {} to {} m", text(x),
              text(box_->lo), text(box_->hi));
    };
    for (std::size_t k = 0; k < p.points.size(); ++k)
      inside(p.points[k], fmt::format("{}.points[{}]", path, k));
    if (p.line) {
      inside(p.line->from, path + ".line.from");
      inside(p.line->to, path + ".line.to");
    }
    if (p.plane) {
      const int a = static_cast<int>(p.plane->normal);
      if (!(p.plane->at >= box_->lo[a] && p.plane->at <= box_->hi[a]))
        wrong(path + ".plane.at", "the plane is outside of the box, which goes from {} to {} m",
              box_->lo[a], box_->hi[a]);
    }
  }

  void camera() {
    if (scene_.camera && scene_.camera->position == scene_.camera->target)
      wrong("camera.target", "the camera is where it looks at");
    for (std::size_t i = 0; i < scene_.light.size(); ++i)
      if (scene_.light[i].direction == Vec3d{})
        wrong(item("light", i) + ".direction", "a light needs a direction");
  }

  const Scene<Dim>& scene_;
  MeshFiles& files_;
  Reading& reading_;
  const Problems before_;  // what the reader has found
  std::optional<Box<Dim>> box_;
  std::set<std::string> probe_names_;
};

}  // namespace

template <int Dim>
void check_scene(const Scene<Dim>& scene, MeshFiles& files, Reading& reading) {
  Checker<Dim>(scene, files, reading).run();
}

template void check_scene(const Scene<2>&, MeshFiles&, Reading&);
template void check_scene(const Scene<3>&, MeshFiles&, Reading&);

}  // namespace octavo
