#include "octavo/run/render_still.h"

#include "octavo/io/movie.h"
#include "octavo/io/vdb_octree.h"
#include "octavo/render/path_tracer.h"
#include "octavo/run/checkpoint_grid.h"
#include "octavo/run/interrupt.h"
#include "octavo/scene/scene_file.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// How a thing by itself is looked at: on a ground, from where all of it can be seen.
std::string scene_around(const Box<3>& box, AxisName up) {
  const Vec3d size = box.size(), above = up == AxisName::z ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
  const double longest = std::max({size[0], size[1], size[2], 1e-9});
  const int vertical = static_cast<int>(up);
  Vec3d origin = box.center() - Vec3d::filled(0.5 * longest);
  origin[vertical] = box.lo[vertical];
  const Camera camera = framing(box, above, CameraScene{}.field_of_view, CameraScene{}.resolution);
  auto list = [](const Vec3d& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); };
  return fmt::format(
      "up = \"{}\"\n[domain]\norigin = {}\nsize = {}\n[camera]\nposition = {}\ntarget = {}\n",
      axis_names[static_cast<std::size_t>(up)], list(origin), list(Vec3d::filled(longest)),
      list(camera.position), list(camera.target));
}

// What is in the file, and a way to take a picture of it.
class Subject {
 public:
  Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  virtual Box<3> box() const = 0;
  virtual Picture picture(const Scene<3>& scene, const Stage& stage,
                          const ShotOptions& shot) const = 0;

  AxisName up = AxisName::z;
};

class SmokeSubject : public Subject {
 public:
  Picture picture(const Scene<3>& scene, const Stage& stage,
                  const ShotOptions& shot) const override {
    return smoke_picture(scene, stage, field(), time_, shot);
  }

 protected:
  virtual SmokeField field() const = 0;
  double time_ = 0;
};

class VolumeSubject final : public SmokeSubject {
 public:
  explicit VolumeSubject(const fs::path& path) : smoke_(read_vdb_octree(path, "density")) {
    const VdbContents contents = vdb_contents(path);
    const auto entry = contents.metadata.find("time");
    if (entry != contents.metadata.end()) time_ = std::atof(entry->second.c_str());
    if (const auto axis = contents.metadata.find("up_axis");
        axis != contents.metadata.end() && axis->second == "y")
      up = AxisName::y;
    for (const VdbGridInfo& grid : contents.grids)
      if (grid.name == "temperature")
        temperature_ = nodal_values(read_vdb_grid(path, grid.name), smoke_.grid.mesh());
  }
  Box<3> box() const override { return smoke_.grid.tree().domain().box(); }

 private:
  SmokeField field() const override {
    return {&smoke_.grid.mesh(), smoke_.field.view(), temperature_.view()};
  }

  VdbOctree smoke_;
  NodeField<float> temperature_;
};

class CheckpointSubject final : public SmokeSubject {
 public:
  explicit CheckpointSubject(CheckpointGrid<3> state) : state_(std::move(state)) {
    time_ = state_.time;
    up = static_cast<AxisName>(state_.up_axis);
  }
  Box<3> box() const override { return state_.grid.tree().domain().box(); }

 private:
  SmokeField field() const override {
    return {&state_.grid.mesh(), state_.fields.at("density").view(),
            state_.fields.at("temperature").view()};
  }

  CheckpointGrid<3> state_;
};

class MeshSubject final : public Subject {
 public:
  MeshSubject(const fs::path& path, const StillOptions& options)
      : mesh_(read_surface_mesh(path)), options_(options) {}

  Box<3> box() const override { return box_around(mesh_.vertices); }

  Picture picture(const Scene<3>& scene, const Stage& stage,
                  const ShotOptions& shot) const override {
    Surfaces surfaces;
    surfaces.add(mesh_, look(scene.render));
    surfaces.commit();
    const Camera camera = turned(stage.camera(0), shot.turn);
    PathOptions paths;
    paths.samples = scene.render.samples;
    paths.background = !scene.render.transparent;
    paths.stop = shot.stop;
    return path_traced(CameraRays(camera), camera.resolution, surfaces, stage.lighting(0), nullptr,
                       paths);
  }

 private:
  SurfaceLook look(const RenderScene& render) const {
    SurfaceLook look = obstacle_look(render);
    look.smooth = true;
    if (options_.texture == MeshTexture::color && !mesh_.colors.empty())
      look.texture = SurfaceLook::Texture::vertex_color;
    if (options_.texture == MeshTexture::checker) look.texture = SurfaceLook::Texture::checkerboard;
    if (options_.material == Material::matte) return look;
    look.kind = SurfaceLook::Kind::glass;
    look.ior = options_.material == Material::water ? 1.33 : 1.5;
    return look;
  }

  SurfaceMesh mesh_;
  const StillOptions& options_;
};

std::unique_ptr<Subject> subject_of(const StillOptions& options) {
  const std::string ending = options.file.extension().string();
  if (ending == ".vdb") return std::make_unique<VolumeSubject>(options.file);
  if (ending != ".h5") return std::make_unique<MeshSubject>(options.file, options);
  AnyCheckpointGrid state = read_checkpoint_grid(options.file);
  if (!std::holds_alternative<CheckpointGrid<3>>(state))
    throw InputError("'{}' is of a 2D run; `octavo slice` draws it", options.file.string());
  return std::make_unique<CheckpointSubject>(std::get<CheckpointGrid<3>>(std::move(state)));
}

// That which is asked for, or that of the run folder that the file is in.
SceneFile scene_for(const StillOptions& options, const Subject& subject) {
  fs::path path = options.scene;
  const fs::path of_run = fs::absolute(options.file).parent_path().parent_path() / "scene.toml";
  std::error_code error;
  if (path.empty() && fs::exists(of_run.parent_path() / "log.jsonl", error) &&
      fs::exists(of_run, error))
    path = of_run;
  return path.empty()
             ? parse_scene(scene_around(subject.box(), subject.up), "the scene", ".", options.set)
             : read_scene(path, options.set);
}

// What is asked for, or the file's name in the working folder unless that is taken.
fs::path output_of(const StillOptions& options) {
  fs::path out = options.output;
  if (out.empty()) {
    out = options.file.stem().string() + ending_of(options.format);
    std::error_code error;
    if (!options.overwrite && fs::exists(out, error))
      throw InputError("'{}' is there already; --overwrite replaces it, -o takes another name",
                       out.string());
  }
  require_picture_path(out, options.format);
  return out;
}

fs::path numbered(const fs::path& path, int number, int count) {
  if (count == 1) return path;
  return path.parent_path() /
         fmt::format("{}.{:04}{}", path.stem().string(), number, path.extension().string());
}

}  // namespace

std::vector<fs::path> render_still(const StillOptions& options) {
  const fs::path out = output_of(options);
  const std::unique_ptr<Subject> subject = subject_of(options);
  SceneFile file = scene_for(options, *subject);
  auto* scene = std::get_if<Scene<3>>(&file.scene);
  if (scene == nullptr) throw InputError("the scene has two dimensions, what it is for has three");
  if (options.preview) make_preview(scene->camera, scene->render);
  const Stage stage(*scene, *file.files);
  Progress progress(options.progress, options.count);
  std::vector<fs::path> written;
  for (int i = 0; i < options.count && !interrupted(); ++i) {
    const Stopwatch watch;
    const double turn = options.count == 1 ? 0 : options.turntable * i / options.count;
    const Picture picture = subject->picture(*scene, stage, {turn, interrupted});
    if (picture.pixels.empty()) break;
    written.push_back(numbered(out, i + 1, options.count));
    write_picture(written.back(), picture, scene->render, options.format);
    progress.picture(i + 1, written.back().string(), watch.seconds());
    progress.log(picture_event(i + 1, written.back(), watch.seconds()));
  }
  if (options.count > 1 && !interrupted() && options.format != PictureFormat::exr) {
    const fs::path movie = out.parent_path() / (out.stem().string() + ".mp4");
    if (write_movie(movie, written, {.fps = 24, .stopped = interrupted})) written.push_back(movie);
  }
  return written;
}

}  // namespace octavo
