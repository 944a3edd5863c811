#include "octavo/run/render_frames.h"

#include <algorithm>

#include "octavo/io/files.h"
#include "octavo/io/htg_read.h"
#include "octavo/io/movie.h"
#include "octavo/io/vdb_octree.h"
#include "octavo/render/grid_overlay.h"
#include "octavo/render/montage.h"
#include "octavo/run/frame_files.h"
#include "octavo/run/interrupt.h"
#include "octavo/run/picture_settings.h"
#include "octavo/run/plane_picture.h"
#include "octavo/run/run_folder.h"
#include "octavo/scene/scene_file.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

template <int Dim>
class Rendering {
 public:
  Rendering(const SceneFile& file, Scene<Dim>& scene, const RenderOptions& options)
      : scene_(scene),
        options_(options),
        files_(*file.files),
        volumes_(frames_in(options.folder / "volume", scene.output.name, ".vdb")) {
    if (Dim == 2) require_plain_options();
    if (options.preview) make_preview(scene_.camera, scene_.render);
    choose_frames();
    output_ = !options.output.empty() ? options.output
                                      : options.folder / (options.preview ? "preview" : "image");
  }

  RenderResult go() {
    PictureSettings settings = PictureSettings::of(AnyScene(scene_));
    settings.note("grid", options_.grid ? "true" : "false");
    settings.note("turntable", fmt::format("{}", options_.turntable));
    settings.note("format",
                  std::string(picture_format_names[static_cast<std::size_t>(options_.format)]));
    settings.enter({output_, scene_.output.name, wanted_,
                    options_.movie ? std::vector{beside("movie.mp4"), beside("sheet.png")}
                                   : std::vector<fs::path>{}},
                   options_.overwrite);
    Progress progress(options_.progress, wanted_.back());
    progress.begin(wanted_.front() - 1);
    const Stopwatch watch;
    for (const int frame : wanted_) {
      if (interrupted()) break;
      render(frame, progress);
    }
    result_.interrupted = interrupted();
    if (!result_.interrupted) finish(progress);
    report(progress, watch.seconds());
    return result_;
  }

 private:
  void require_plain_options() const {
    if (options_.format != PictureFormat::png || options_.grid || options_.turntable != 0)
      throw InputError(
          "pictures of 2D runs are PNG files with 8 bits, without --grid and --turntable");
  }

  // All that were written, up to the last that is there; those that are asked for may be missing at the end,
  // too.
  void choose_frames() {
    if (volumes_.empty())
      throw InputError(
          "there are no volumes in '{}': `octavo run` writes them unless [output] has volume = []",
          options_.folder.string());
    const Vec<2, int> range =
        options_.frames.value_or(Vec<2, int>{volumes_.begin()->first, volumes_.rbegin()->first});
    for (int frame = range[0]; frame <= range[1]; ++frame)
      if (volumes_.contains(frame) || is_written(scene_.output, frame)) wanted_.push_back(frame);
    if (wanted_.empty())
      throw InputError("the run has no frames from {} to {}; it has those from {} to {}", range[0],
                       range[1], volumes_.begin()->first, volumes_.rbegin()->first);
  }

  fs::path picture(int frame) const {
    return output_ /
           fmt::format("{}.{:04}{}", scene_.output.name, frame, ending_of(options_.format));
  }

  void render(int frame, Progress& progress) {
    const auto volume = volumes_.find(frame);
    std::error_code error;
    if (volume == volumes_.end()) {
      result_.missing.push_back(frame);
      return;
    }
    if (fs::exists(picture(frame), error)) {
      ++result_.skipped;
      return;
    }
    const Stopwatch watch;
    try {
      if (!draw(frame, volume->second, progress)) return;
    } catch (const InputError& e) {
      result_.failed.push_back(frame);
      return progress.say(fmt::format("frame {} cannot be rendered: {}", frame, e.what()));
    }
    progress.picture(frame, picture(frame).string(), watch.seconds());
    progress.log(picture_event(frame, picture(frame), watch.seconds()));
  }

  // False if it was interrupted.
  bool draw(int frame, const fs::path& volume, Progress& progress) {
    const double time = frame_time(scene_.output, frame);
    if constexpr (Dim == 3) {
      if (!stage_) stage_.emplace(scene_, files_);
      const VdbOctree smoke = read_vdb_octree(volume, "density");
      if (smoke.finest > 1) progress.note(coarse_note(volume, smoke.finest));
      NodeField<float> temperature;
      if (scene_.render.glow)
        temperature = nodal_values(read_vdb_grid(volume, "temperature"), smoke.grid.mesh());
      const SmokeField field{&smoke.grid.mesh(), smoke.field.view(),
                             std::as_const(temperature).view()};
      Picture shot = smoke_picture(scene_, *stage_, field, time, {turn_of(frame), interrupted});
      if (shot.pixels.empty()) return false;
      if (options_.grid) draw_grid(frame, time, shot);
      write_picture(picture(frame), shot, scene_.render, options_.format);
    } else {
      write_png(picture(frame),
                smoke_in_plane(scene_, files_, read_vdb_grid(volume, "density"), time));
    }
    return true;
  }

  void draw_grid(int frame, double time, Picture& shot) const {
    const fs::path file =
        options_.folder / "grid" / fmt::format("{}.{:04}.htg", scene_.output.name, frame);
    require_file(file, "grid file");
    const auto grid = read_htg(file);
    const SliceScene& slice = scene_.render.slice;
    draw_grid_overlay(shot, CameraRays(turned(stage_->camera(time), turn_of(frame))),
                      std::get<HtgGrid<3>>(grid).tree.view(),
                      {.axis = static_cast<int>(slice.axis),
                       .position = slice.at,
                       .min_level = scene_.grid.min_level,
                       .max_level = scene_.grid.max_level});
  }

  double turn_of(int frame) const {
    const int first = wanted_.front(), count = wanted_.back() - first + 1;
    return options_.turntable * (frame - first) / count;
  }

  // From all pictures there are.
  void finish(Progress& progress) {
    std::vector<fs::path> pictures;
    std::vector<std::string> labels;
    for (const auto& [frame, path] :
         frames_in(output_, scene_.output.name, ending_of(options_.format))) {
      pictures.push_back(path);
      labels.push_back(fmt::format("{}", frame));
    }
    if (options_.format == PictureFormat::exr || !options_.movie || pictures.size() < 2) return;
    try {
      write_sheet(pictures, labels);
      const double fps = std::clamp(scene_.output.fps, 0.01, 1000.0);
      result_.interrupted =
          !write_movie(beside("movie.mp4"), pictures, {.fps = fps, .stopped = interrupted});
    } catch (const InputError& e) {
      progress.say(fmt::format("warning: there is no movie: {}", e.what()));
    } catch (const FileError& e) {
      progress.say(fmt::format("warning: there is no movie: {}", e.what()));
    }
  }

  fs::path beside(const char* name) const {
    return options_.output.empty() && !options_.preview ? options_.folder / name : output_ / name;
  }

  // A dozen or so, evenly chosen, the last one among them.
  void write_sheet(const std::vector<fs::path>& pictures,
                   const std::vector<std::string>& labels) const {
    constexpr std::size_t most = 12;
    const std::size_t count = std::min(pictures.size(), most);
    std::vector<Image> chosen;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t k = count == 1 ? 0 : i * (pictures.size() - 1) / (count - 1);
      chosen.push_back(read_png(pictures[k]));
      names.push_back(labels[k]);
    }
    write_png(beside("sheet.png"), sheet(chosen, names));
  }

  void report(Progress& progress, double seconds) const {
    auto list = [](const std::vector<int>& frames) {
      std::string all;
      for (const int f : frames) all += fmt::format("{}{}", all.empty() ? "" : ", ", f);
      return all;
    };
    if (!result_.missing.empty())
      progress.say(fmt::format("frames without a volume: {}", list(result_.missing)));
    if (!result_.failed.empty())
      progress.say(fmt::format("frames that could not be rendered: {}", list(result_.failed)));
    if (result_.skipped > 0)
      progress.note(fmt::format("{} picture{} there already; --overwrite renders all again",
                                result_.skipped, result_.skipped == 1 ? " was" : "s were"));
    if (result_.interrupted)
      progress.say(fmt::format("interrupted; to continue: {}", options_.command));
    else
      progress.finish(output_.string(), seconds);
  }

  Scene<Dim>& scene_;
  const RenderOptions& options_;
  MeshFiles& files_;
  std::map<int, fs::path> volumes_;
  std::vector<int> wanted_;
  fs::path output_;
  std::optional<Stage> stage_;
  RenderResult result_;
};

}  // namespace

RenderResult render_run(const RenderOptions& options) {
  std::error_code error;
  if (!fs::exists(options.folder / "scene.toml", error))
    throw InputError("'{}' is no run folder: it has no scene.toml", options.folder.string());
  SceneFile file = read_scene(options.folder / "scene.toml", options.set);
  return std::visit(
      [&]<int Dim>(Scene<Dim>& scene) { return Rendering<Dim>(file, scene, options).go(); },
      file.scene);
}

}  // namespace octavo
