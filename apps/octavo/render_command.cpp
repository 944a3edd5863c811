#include "render_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "octavo/base/error.h"
#include "octavo/base/text.h"
#include "octavo/run/interrupt.h"
#include "octavo/run/render_frames.h"
#include "octavo/run/render_still.h"
#include "words.h"

namespace octavo {
namespace {

// The place of a name in a list that the options have been checked against.
template <class Enum, std::size_t Count>
Enum chosen(const std::string& name, const std::array<std::string_view, Count>& names,
            Enum otherwise) {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? otherwise : static_cast<Enum>(at - names.begin());
}

template <std::size_t Count>
CLI::IsMember one_of(const std::array<std::string_view, Count>& names) {
  return CLI::IsMember(std::vector<std::string>(names.begin(), names.end()));
}

// Options that are short for keys of the scene.
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

int render_folder(const RenderCommand& o, const std::vector<std::string>& words) {
  if (!o.material.empty() || !o.texture.empty())
    throw InputError("--material and --texture are for a mesh; '{}' is a folder", o.input);
  if (!o.scene.empty())
    throw InputError("--scene is for one file; a run folder has its own scene.toml");
  RenderOptions options;
  options.folder = o.input;
  options.output = o.output;
  options.frames = frame_range(o.frames);
  options.set = overrides(o);
  options.format = chosen(o.format, picture_format_names, PictureFormat::png);
  options.turntable = o.turntable;
  options.grid = o.grid;
  options.preview = o.preview;
  options.overwrite = o.overwrite;
  options.movie = !o.no_movie;
  options.progress = progress_kind(o.json, o.quiet);
  std::vector<std::string> kept = words;
  std::erase(kept, "--overwrite");  // what has been rendered by then is not to be rendered again
  options.command = command_text(kept);
  catch_interrupts();
  const RenderResult result = render_run(options);
  if (result.interrupted) return 3;
  return result.failed.empty() && result.missing.empty() ? 0 : 1;
}

int render_file(const RenderCommand& o) {
  if (o.grid)
    throw InputError("--grid is for a run folder; `octavo slice` draws the leaves of one file");
  StillOptions options;
  options.file = o.input;
  options.scene = o.scene;
  options.output = o.output;
  options.set = overrides(o);
  options.format = chosen(o.format, picture_format_names, PictureFormat::png);
  if (const auto frames = frame_range(o.frames)) options.count = (*frames)[1] - (*frames)[0] + 1;
  if (o.turntable != 0) options.turntable = o.turntable;
  options.preview = o.preview;
  options.overwrite = o.overwrite;
  options.material = chosen(o.material, material_names, Material::matte);
  options.texture = chosen(o.texture, mesh_texture_names, MeshTexture::color);
  options.progress = progress_kind(o.json, o.quiet);
  catch_interrupts();
  render_still(options);
  return interrupted() ? 3 : 0;
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
                  "First and last frame; of one file: how many pictures from all around")
      ->option_text("1:120");
  command.add_option("--set", o.set, "Change a key of the scene, e.g. camera.field_of_view=30")
      ->option_text("KEY=VALUE ...")
      ->allow_extra_args(false);
  command.add_option("--scene", o.scene, "For one file: camera, lights and looks")
      ->option_text("SCENE.toml");
  command.add_option("--resolution", o.resolution, "Width and height in pixels")
      ->option_text("1280x720");
  command.add_option("--samples", o.samples, "Rays for each pixel with an edge or a solid in it")
      ->check(CLI::Range(1, 65536));
  command.add_option("--format", o.format, "png, png16 (16 bits) or exr (linear light)")
      ->check(one_of(picture_format_names))
      ->capture_default_str();
  command.add_option("--turntable", o.turntable,
                     "How far the camera goes around in all frames, degrees");
  command.add_option("--material", o.material, "Of a mesh: matte, glass or water")
      ->check(one_of(material_names));
  command
      .add_option("--texture", o.texture, "Of a mesh: plain, color (of its vertices) or checker")
      ->check(one_of(mesh_texture_names));
  command.add_flag("--grid", o.grid,
                   "Draw the leaves on the plane [render] slice, too; the run needs [output] grid "
                   "= [\"density\"]");
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
  return std::filesystem::is_directory(o.input, error) ? render_folder(o, words) : render_file(o);
}

}  // namespace octavo
