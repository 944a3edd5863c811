#include "octavo/pictures/render_frames.h"

#include <algorithm>

#include "octavo/base/text.h"
#include "octavo/draw/grid_overlay.h"
#include "octavo/io/files.h"
#include "octavo/io/htg_read.h"
#include "octavo/io/png.h"
#include "octavo/output/frame_files.h"
#include "octavo/output/frame_names.h"
#include "octavo/output/frame_origins.h"
#include "octavo/output/interrupt.h"
#include "octavo/pictures/frame_subject.h"
#include "octavo/pictures/picture_reel.h"
#include "octavo/pictures/picture_settings.h"
#include "octavo/scene/scene_fields.h"
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
        subject_(frame_subject(scene, options.folder)) {
    if (Dim == 2) require_plain_options();
    if (options.preview) make_preview(scene_.camera, scene_.render);
    choose_frames();
    require_content();
    if (options.grid) require_grids();
    output_ = !options.output.empty() ? options.output
                                      : options.folder / (options.preview ? "preview" : "image");
  }

  RenderResult go() {
    PictureSettings settings = PictureSettings::of(AnyScene(scene_));
    settings.note("grid", options_.grid ? "true" : "false");
    if (options_.turntable != 0)
      settings.note("turntable", fmt::format("{} in {} frames from {}", options_.turntable,
                                             frame_count(), scene_.output.frames[0]));
    settings.note("format",
                  std::string(picture_format_names[static_cast<std::size_t>(options_.format)]));
    const OutdatedPictures outdated = settings.enter(place(), options_.overwrite);
    Progress progress(options_.progress, wanted_.back());
    progress.outdated(outdated.removed);
    progress.begin(wanted_.front() - 1);
    const Stopwatch watch;
    const std::vector<int> left = frames_left();
    for (std::size_t i = 0; i < left.size() && !interrupted(); ++i)
      render(left[i], static_cast<int>(left.size() - i) - 1, progress);
    result_.interrupted = interrupted();
    if (!result_.interrupted && options_.movie)
      result_.interrupted =
          !write_reel(all_pictures(outdated.frames),
                      {beside("movie.mp4"), beside("sheet.png"), scene_.output.fps}, progress);
    report(progress, watch.seconds());
    return result_;
  }

 private:
  PictureFolder place() const {
    const FrameOrigins origins = frame_origins_in(options_.folder);
    const fs::path run = fs::absolute(options_.folder).lexically_normal();
    return {output_,
            scene_.output.name,
            wanted_,
            options_.movie ? std::vector{beside("movie.mp4"), beside("sheet.png")}
                           : std::vector<fs::path>{},
            options_.output.empty() ? inside_its_run : printable(run.string()),
            [origins](int frame) { return origins.of(frame); }};
  }

  FrameSeries all_pictures(const std::set<int>& but) const {
    FrameSeries all = frames_in(output_, scene_.output.name, ending_of(options_.format));
    for (const int frame : but) all.erase(frame);
    return all;
  }

  void require_plain_options() const {
    if (options_.format != PictureFormat::png || options_.grid || options_.turntable != 0)
      throw InputError(
          "pictures of 2D runs are PNG files with 8 bits, without --grid and --turntable");
  }

  // It chooses all that were written, up to the last that is there; those that are asked for may be missing at the
  // end, too.
  void choose_frames() {
    const FrameSeries& files = subject_->files();
    const Vec<2, int> range =
        options_.frames.value_or(Vec<2, int>{files.begin()->first, files.rbegin()->first});
    for (int frame = range[0]; frame <= range[1]; ++frame)
      if (files.contains(frame) || is_written(scene_.output, frame)) wanted_.push_back(frame);
    if (wanted_.empty())
      throw InputError("the run has no frames from {} to {}; it has those from {} to {}", range[0],
                       range[1], files.begin()->first, files.rbegin()->first);
  }

  // What pictures are made from must be there, as the first file has it that can be read.
  void require_content() const {
    for (const int frame : wanted_) {
      const auto file = subject_->files().find(frame);
      if (file != subject_->files().end() && subject_->require(file->second)) return;
    }
  }

  fs::path grid(int frame) const {
    return options_.folder / "grid" / frame_file(scene_.output.name, frame, ".htg");
  }
  void require_grids() const {
    std::error_code error;
    for (const int frame : wanted_)
      if (fs::exists(grid(frame), error)) return;
    throw InputError(
        "--grid draws the leaves of the files grid/{}.*.htg, and there are none in '{}': `octavo "
        "run` writes them if [output] has grid = [\"{}\"]",
        scene_.output.name, options_.folder.string(), main_field(scene_));
  }

  fs::path picture(int frame) const {
    return output_ / frame_file(scene_.output.name, frame, ending_of(options_.format));
  }

  // These can be rendered and are not there yet.
  std::vector<int> frames_left() {
    std::vector<int> left;
    std::error_code error;
    for (const int frame : wanted_)
      if (!subject_->files().contains(frame))
        result_.missing.push_back(frame);
      else if (fs::exists(picture(frame), error))
        ++result_.skipped;
      else
        left.push_back(frame);
    return left;
  }

  void render(int frame, int left, Progress& progress) {
    const Stopwatch watch;
    try {
      if (!draw(frame, subject_->files().at(frame), progress)) return;
    } catch (const InputError& e) {
      result_.failed.push_back(frame);
      return progress.say(fmt::format("frame {} cannot be rendered: {}", frame, e.what()));
    }
    progress.picture(frame, picture(frame).string(), watch.seconds(), left);
    progress.log(picture_event(frame, picture(frame), watch.seconds()));
  }

  // It is false if it was interrupted.
  bool draw(int frame, const fs::path& file, Progress& progress) {
    const double time = frame_time(scene_.output, frame);
    if constexpr (Dim == 3) {
      if (!stage_) stage_.emplace(scene_, files_);
      Picture shot = subject_->draw(file, time, *stage_, {turn_of(frame), interrupted}, progress);
      if (shot.pixels.empty()) return false;
      if (options_.grid) draw_grid(frame, time, shot);
      write_picture(picture(frame), shot, scene_.render, options_.format);
    } else {
      write_png(picture(frame), subject_->draw(file, time, files_, {}, progress));
    }
    return true;
  }

  void draw_grid(int frame, double time, Picture& shot) const {
    require_file(grid(frame), "grid file");
    const auto octree = read_htg(grid(frame));
    const SliceScene& slice = scene_.render.slice;
    draw_grid_overlay(shot, CameraRays(turned(stage_->camera(time), turn_of(frame))),
                      std::get<HtgGrid<3>>(octree).tree.view(),
                      {.axis = static_cast<int>(slice.axis),
                       .position = slice.at,
                       .min_level = scene_.grid.min_level,
                       .max_level = scene_.grid.max_level});
  }

  // The frames of the scene count, so that those that are rendered one by one fit together.
  int frame_count() const { return scene_.output.frames[1] - scene_.output.frames[0] + 1; }
  double turn_of(int frame) const {
    return options_.turntable * (frame - scene_.output.frames[0]) / frame_count();
  }

  fs::path beside(const char* name) const {
    return options_.output.empty() && !options_.preview ? options_.folder / name : output_ / name;
  }

  void report(Progress& progress, double seconds) const {
    if (!result_.missing.empty())
      progress.say(
          fmt::format("frames without a {}: {}", subject_->what(), frame_list(result_.missing)));
    if (!result_.failed.empty())
      progress.say(
          fmt::format("frames that could not be rendered: {}", frame_list(result_.failed)));
    progress.skipped(result_.skipped);
    if (result_.interrupted)
      progress.say(fmt::format("interrupted; to continue: {}", options_.command));
    else
      progress.finish(output_.string(), seconds);
  }

  Scene<Dim>& scene_;
  const RenderOptions& options_;
  MeshFiles& files_;
  std::unique_ptr<FrameSubject<Dim>> subject_;
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
  const fs::path scene_file = options.folder / "scene.toml";
  SceneFile file = options.look.empty()
                       ? read_scene(scene_file, options.set, SceneUse::pictures)
                       : read_scene_with_look(scene_file, options.look, options.set);
  return std::visit(
      [&]<int Dim>(Scene<Dim>& scene) { return Rendering<Dim>(file, scene, options).go(); },
      file.scene);
}

}  // namespace octavo
