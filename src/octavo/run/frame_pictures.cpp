#include "octavo/run/frame_pictures.h"

#include "octavo/io/files.h"
#include "octavo/run/field_look.h"
#include "octavo/run/picture_settings.h"
#include "octavo/run/plane_picture.h"
#include "octavo/run/smoke_picture.h"

namespace octavo {
namespace {

// How fast it is at each node, m/s.
template <int Dim>
Buffer<float> speeds(View<const Vec<Dim, float>> velocity) {
  Buffer<float> speed(velocity.size());
  const View<float> out = speed.view();
  parallel_for("speeds", out.size(), [=](std::size_t i) { out[i] = length(velocity[i]); });
  return speed;
}

}  // namespace

template <int Dim>
std::vector<UndrawnPicture> FramePictures<Dim>::write(const RunFolder& folder, int frame,
                                                      double time, SmokeFields<Dim>& fields) {
  std::vector<UndrawnPicture> undrawn;
  for (const std::string& what : scene_.output.picture) try {
      write(folder, what, frame, draw(what, time, fields));
    } catch (const FileError& e) {  // the disk may be full
      undrawn.push_back({what, e.what()});
    } catch (const InputError& e) {  // a mesh may have gone since the run began
      undrawn.push_back({what, e.what()});
    }
  return undrawn;
}

template <int Dim>
void FramePictures<Dim>::write(const RunFolder& folder, const std::string& what, int frame,
                               const Image& image) {
  const std::filesystem::path path = folder.picture(what, frame);
  RunFolder::make_folder_of(path);
  if (!noted_)
    PictureSettings::of(AnyScene(scene_)).note_in({path.parent_path(), scene_.output.name, {}, {}});
  noted_ = true;
  write_png(path, image);
}

template <int Dim>
Image FramePictures<Dim>::draw(const std::string& what, double time, SmokeFields<Dim>& fields) {
  return what == "smoke" ? smoke(time, fields) : slice(what, time, fields);
}

template <int Dim>
Image FramePictures<Dim>::smoke(double time, const SmokeFields<Dim>& fields) {
  const Mesh<Dim>& mesh = fields.smoke().mesh();
  const View<const float> density = fields.smoke().density().view();
  if constexpr (Dim == 2) {
    return smoke_in_plane(scene_, files_, mesh.view(), density, time);
  } else {
    if (!stage_) stage_.emplace(scene_, files_);
    const SmokeField field{&mesh, density, fields.smoke().temperature().view()};
    return shown(smoke_picture(scene_, *stage_, field, time), tone_of(scene_.render));
  }
}

template <int Dim>
Image FramePictures<Dim>::slice(const std::string& what, double time, SmokeFields<Dim>& fields) {
  const Smoke<Dim>& smoke = fields.smoke();
  LeafPicture<Dim> picture{smoke.grid().tree().view()};
  SliceOptions options{.axis = static_cast<int>(scene_.render.slice.axis),
                       .position = scene_.render.slice.at,
                       .size = std::max(scene_.camera.resolution[0], scene_.camera.resolution[1]),
                       .min_level = scene_.grid.min_level,
                       .max_level = scene_.grid.max_level};
  Buffer<float> speed;
  if (what != "level") {
    picture.field = {.title = field_title(what), .mesh = smoke.mesh().view()};
    picture.field->map = field_colors(what);
    options.lines = false;
    if (what == "pressure") {
      picture.field->leaves = smoke.pressure().view();
    } else if (what == "velocity") {
      speed = speeds<Dim>(fields.velocity().view());
      picture.field->nodes = std::as_const(speed).view();
    } else {
      picture.field->nodes = fields.nodal(what)->view();
    }
  }
  picture.solid_distance = obstacle_distance(scene_, files_, time);
  return draw_slice(picture, options);
}

template class FramePictures<2>;
template class FramePictures<3>;

}  // namespace octavo
