#include "octavo/pictures/render_still.h"

#include "octavo/base/text.h"
#include "octavo/io/checksum.h"
#include "octavo/output/interrupt.h"
#include "octavo/output/run_folder.h"
#include "octavo/pictures/picture_reel.h"
#include "octavo/pictures/picture_settings.h"
#include "octavo/scene/scene_file.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// A thing by itself stands on a ground, in the middle of a box that is as large as a scene's may be at least.
SceneFile scene_around(const StillSubject& subject, const std::vector<std::string>& set) {
  const Box<3> box = subject.box();
  const Vec3d size = box.size();
  const double longest = std::max({size[0], size[1], size[2], 1e-6});
  const int vertical = static_cast<int>(subject.up);
  Vec3d origin = box.center() - Vec3d::filled(0.5 * longest);
  origin[vertical] = box.lo[vertical];
  auto list = [](const Vec3d& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); };
  return parse_scene(
      fmt::format("up = \"{}\"\ndomain = {{ origin = {}, size = {}, roots = [1, 1, 1] }}\n"
                  "grid = {{ min_level = 0, max_level = 0 }}\noutput = {{ volume = [] }}\n",
                  axis_names[static_cast<std::size_t>(vertical)], list(origin),
                  list(Vec3d::filled(longest))),
      "the scene", ".", set);
}

// It is the scene that is asked for, or that of the run folder that the file is in; it is empty if there is
// none.
fs::path scene_path(const StillOptions& options) {
  return options.scene.empty() ? scene_of_run(options.file) : options.scene;
}
SceneFile scene_for(const StillOptions& options, const StillSubject& subject) {
  const fs::path path = scene_path(options);
  return path.empty() ? scene_around(subject, options.set)
                      : read_scene(path, options.set, SceneUse::pictures);
}

// It is what is asked for, or the file's name in the working folder unless that is taken.
fs::path output_of(const StillOptions& options) {
  fs::path out = options.output;
  if (out.empty()) {
    out = options.file.stem().string() + ending_of(options.format);
    std::error_code error;
    if (options.count == 1 && !options.overwrite && fs::exists(out, error))
      throw InputError("'{}' is there already; --overwrite replaces it, -o takes another name",
                       out.string());
  }
  require_picture_path(out, options.format);
  return out;
}

// It is one file and its scene, and the pictures of it.
class Still {
 public:
  explicit Still(const StillOptions& options)
      : options_(options),
        out_(output_of(options)),
        subject_(still_subject(options.file, options.look)),
        file_(scene_for(options, *subject_)),
        progress_(options.progress, options.count) {
    if (!std::holds_alternative<Scene<3>>(file_.scene))
      throw InputError("the scene has two dimensions, '{}' has three", options.file.string());
    if (options.preview) make_preview(scene().camera, scene().render);
    subject_->require(scene().render);
    if (!subject_->note.empty()) progress_.note(subject_->note);
  }

  bool render() {
    const Stopwatch watch;
    if (options_.count > 1) enter();
    const Stage stage(scene(), *file_.files,
                      scene_path(options_).empty() ? std::optional(subject_->box()) : std::nullopt);
    const std::vector<int> left = pictures_left();
    for (std::size_t i = 0; i < left.size() && !interrupted(); ++i)
      render(stage, left[i], static_cast<int>(left.size() - i) - 1);
    bool complete = !interrupted();
    if (complete && options_.movie && options_.count > 1)
      complete = write_reel(all_pictures(), {movie(), {}, scene().output.fps}, progress_);
    if (complete)
      progress_.finish(written(), watch.seconds());
    else
      progress_.say(fmt::format("interrupted; to continue: {}", options_.command));
    return complete;
  }

 private:
  Scene<3>& scene() { return std::get<Scene<3>>(file_.scene); }

  fs::path folder() const { return out_.has_parent_path() ? out_.parent_path() : fs::path("."); }
  fs::path movie() const { return folder() / (out_.stem().string() + ".mp4"); }
  fs::path picture(int number) const {
    if (options_.count == 1) return out_;
    return out_.parent_path() / frame_file(out_.stem().string(), number, out_.extension().string());
  }
  std::string written() const {
    if (options_.count == 1) return out_.string();
    return fmt::format("{} .. {}", picture(1).string(), picture(options_.count).string());
  }
  FrameSeries all_pictures() const {
    FrameSeries all;
    for (int i = 1; i <= options_.count; ++i) all[i] = picture(i);
    return all;
  }

  // Pictures from all around that are there must be of the same thing, and look the same.
  void enter() {
    PictureSettings settings = PictureSettings::of(file_.scene);
    settings.note("turntable", fmt::format("{} in {} frames", options_.turntable, options_.count));
    settings.note("format", name(options_.format, picture_format_names));
    if (options_.look.material)
      settings.note("material", name(*options_.look.material, material_names));
    if (options_.look.texture)
      settings.note("texture", name(*options_.look.texture, mesh_texture_names));
    std::vector<int> wanted;
    for (int i = 1; i <= options_.count; ++i) wanted.push_back(i);
    const std::string file = printable(fs::absolute(options_.file).lexically_normal().string());
    const OutdatedPictures outdated =
        settings.enter({folder(), out_.stem().string(), wanted,
                        options_.movie ? std::vector{movie()} : std::vector<fs::path>{}, file,
                        [sum = file_checksum(options_.file)](int) { return sum; }},
                       options_.overwrite);
    progress_.outdated(outdated.removed);
  }
  template <class Enum, std::size_t Count>
  static std::string name(Enum value, const std::array<std::string_view, Count>& names) {
    return std::string(names[static_cast<std::size_t>(value)]);
  }

  std::vector<int> pictures_left() {
    std::vector<int> left;
    std::error_code error;
    for (int i = 1; i <= options_.count; ++i)
      if (options_.count == 1 || !fs::exists(picture(i), error)) left.push_back(i);
    progress_.skipped(options_.count - static_cast<int>(left.size()));
    return left;
  }

  void render(const Stage& stage, int number, int left) {
    const Stopwatch watch;
    const double turn =
        options_.count == 1 ? 0 : options_.turntable * (number - 1) / options_.count;
    const Picture shot = subject_->picture(scene(), stage, {turn, interrupted});
    if (shot.pixels.empty()) return;
    write_picture(picture(number), shot, scene().render, options_.format);
    progress_.picture(number, picture(number).string(), watch.seconds(), left);
    progress_.log(picture_event(number, picture(number), watch.seconds()));
  }

  const StillOptions& options_;
  fs::path out_;
  std::unique_ptr<StillSubject> subject_;
  SceneFile file_;
  Progress progress_;
};

}  // namespace

bool render_still(const StillOptions& options) { return Still(options).render(); }

}  // namespace octavo
