#include "render_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "octavo/base/error.h"
#include "octavo/base/text.h"
#include "octavo/output/interrupt.h"
#include "octavo/pictures/render_frames.h"
#include "octavo/pictures/render_still.h"
#include "words.h"

namespace octavo {
namespace {

// It is the place of a name in a list that the options have been checked against; it is none if there is no
// name.
template <class Enum, std::size_t Count>
std::optional<Enum> chosen(const std::string& name,
                           const std::array<std::string_view, Count>& names) {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? std::nullopt : std::optional(static_cast<Enum>(at - names.begin()));
}

template <std::size_t Count>
CLI::IsMember one_of(const std::array<std::string_view, Count>& names) {
  return CLI::IsMember(std::vector<std::string>(names.begin(), names.end()));
}

// These options are short for keys of the scene.
std::vector<std::string> overrides(const RenderCommand& o) {
  std::vector<std::string> set = o.set;
  if (o.samples > 0) set.push_back(fmt::format("render.samples={}", o.samples));
  if (o.resolution.empty()) return set;
  const std::string_view view = o.resolution;
  const auto cross = view.find('x');
  const auto width = whole_number(view.substr(0, cross));
  const auto height =
      cross == std::string_view::npos ? std::nullopt : whole_number(view.substr(cross + 1));
  if (!width || !height)
    throw InputError("--resolution takes width and height, like 1280x720, not '{}'", o.resolution);
  set.push_back(fmt::format("camera.resolution=[{}, {}]", *width, *height));
  return set;
}

// What has been rendered by then is not to be rendered again.
std::string continuing_render(std::vector<std::string> words) {
  std::erase(words, "--overwrite");
  return command_text(words);
}

int render_folder(const RenderCommand& o, const std::vector<std::string>& words) {
  if (!o.material.empty() || !o.texture.empty())
    throw InputError("--material and --texture are for a mesh; '{}' is a folder", o.input);
  RenderOptions options;
  options.folder = o.input;
  options.output = o.output;
  options.frames = frame_range(o.frames);
  options.look = o.scene;
  options.set = overrides(o);
  options.format = *chosen<PictureFormat>(o.format, picture_format_names);
  options.turntable = o.turntable;
  options.grid = o.grid;
  options.preview = o.preview;
  options.overwrite = o.overwrite;
  options.movie = !o.no_movie;
  options.progress = progress_kind(o.json, o.quiet);
  options.command = continuing_render(words);
  catch_interrupts();
  const RenderResult result = render_run(options);
  if (result.interrupted) return 3;
  return result.failed.empty() && result.missing.empty() ? 0 : 1;
}

// One file has so many pictures; the first is always number 1.
int picture_count(const RenderCommand& o) {
  const auto frames = frame_range(o.frames);
  if (frames && ((*frames)[0] != 1 || (*frames)[1] > 100000))
    throw InputError("--frames {}: of one file it is how many pictures are made, like 48",
                     o.frames);
  const int count = frames ? (*frames)[1] : 1;
  if (count == 1 && o.turntable != 0)
    throw InputError("--turntable of one file needs --frames: how many pictures are made");
  if (count == 1 && o.no_movie)
    throw InputError("--no-movie of one file needs --frames: one picture makes no movie");
  return count;
}

int render_file(const RenderCommand& o, const std::vector<std::string>& words) {
  if (o.grid)
    throw InputError("--grid is for a run folder; `octavo slice` draws the leaves of one file");
  const int count = picture_count(o);
  StillOptions options;
  options.file = o.input;
  options.scene = o.scene;
  options.output = o.output;
  options.set = overrides(o);
  options.format = *chosen<PictureFormat>(o.format, picture_format_names);
  options.count = count;
  options.movie = !o.no_movie;
  if (o.turntable != 0) options.turntable = o.turntable;
  options.preview = o.preview;
  options.overwrite = o.overwrite;
  options.look = {chosen<Material>(o.material, material_names),
                  chosen<MeshTexture>(o.texture, mesh_texture_names)};
  options.progress = progress_kind(o.json, o.quiet);
  options.command = count > 1 ? continuing_render(words) : command_text(words);
  catch_interrupts();
  return render_still(options) ? 0 : 3;
}

}  // namespace

void add_render_options(CLI::App& command, RenderCommand& o) {
  command
      .add_option(
          "input", o.input,
          "A run folder; or a .vdb, a checkpoint (.h5) or a triangle mesh (.ply, .obj, ...)")
      ->option_text("DIR|FILE")
      ->required();
  command
      .add_option("-o,--output", o.output,
                  "Folder of the pictures, default: image/ of the run; for one file the picture")
      ->option_text("PATH");
  command
      .add_option("--frames", o.frames,
                  "First and last frame; of one file: how many pictures, from all around")
      ->option_text("1:120");
  command.add_option("--set", o.set, "Change a key of the scene, e.g. camera.field_of_view=30")
      ->option_text("KEY=VALUE ...")
      ->allow_extra_args(false);
  command
      .add_option("--scene", o.scene,
                  "Camera, lights and looks of another scene; for one file all of it")
      ->option_text("SCENE.toml");
  command.add_option("--resolution", o.resolution, "Width and height in pixels")
      ->option_text("1280x720");
  command.add_option("--samples", o.samples, "Rays for each pixel with an edge or a solid in it")
      ->check(CLI::Range(1, 65536));
  command.add_option("--format", o.format, "png, png16 (16 bits) or exr (linear light)")
      ->check(one_of(picture_format_names))
      ->capture_default_str();
  command.add_option("--turntable", o.turntable,
                     "How far the camera goes around in all frames of the run, degrees");
  command.add_option("--material", o.material, "Of a mesh: matte, glass or water")
      ->check(one_of(material_names));
  command
      .add_option("--texture", o.texture, "Of a mesh: plain, color (of its vertices) or checker")
      ->check(one_of(mesh_texture_names));
  command.add_flag("--grid", o.grid,
                   "Draw the leaves on the plane [render] slice, too; the run needs a list of "
                   "fields as output.grid");
  command.add_flag("--preview", o.preview, "Small and quick, into preview/");
  command.add_flag("--overwrite", o.overwrite, "Render what is there already, too");
  command.add_flag("--no-movie", o.no_movie, "Neither movie.mp4 nor the contact sheet sheet.png");
  command.add_flag("--json", o.json, "Print one JSON object for each picture");
  command.add_flag("--quiet", o.quiet, "Print nothing but warnings and errors");
}

int run_render(const RenderCommand& o, const std::vector<std::string>& words) {
  if (!(std::abs(o.turntable) <= 1e6))
    throw InputError("--turntable takes an angle in degrees, not {}", o.turntable);
  std::error_code error;
  if (!std::filesystem::exists(o.input, error)) throw InputError("'{}' does not exist", o.input);
  return std::filesystem::is_directory(o.input, error) ? render_folder(o, words)
                                                       : render_file(o, words);
}

}  // namespace octavo
