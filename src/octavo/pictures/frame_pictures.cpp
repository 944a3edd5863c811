#include "octavo/pictures/frame_pictures.h"

#include "octavo/io/files.h"
#include "octavo/io/png.h"
#include "octavo/pictures/field_look.h"
#include "octavo/pictures/liquid_picture.h"
#include "octavo/pictures/picture_files.h"
#include "octavo/pictures/picture_settings.h"
#include "octavo/pictures/plane_picture.h"
#include "octavo/pictures/smoke_picture.h"
#include "octavo/scene/scene_fields.h"

namespace octavo {
namespace {

// It is how fast it is at each node, m/s.
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
                                                      const std::string& origin, double time,
                                                      FrameFields<Dim>& fields) {
  std::vector<UndrawnPicture> undrawn;
  for (const std::string& what : scene_.output.picture) try {
      const Image image = draw(what, time, fields);
      const std::filesystem::path path = folder.picture(what, frame);
      RunFolder::make_folder_of(path);
      write_png(path, image);
      if (is_main_picture(what)) note(folder, what, frame, origin);
    } catch (const FileError& e) {  // the disk may be full
      undrawn.push_back({what, e.what()});
    } catch (const InputError& e) {  // a mesh may have gone since the run began
      undrawn.push_back({what, e.what()});
    }
  return undrawn;
}

// This comes afterwards: what was there before must not be taken for this one.
template <int Dim>
void FramePictures<Dim>::note(const RunFolder& folder, const std::string& what, int frame,
                              const std::string& origin) const {
  PictureSettings::of(AnyScene(scene_))
      .note_in({folder.picture(what, frame).parent_path(),
                scene_.output.name,
                {},
                {},
                inside_its_run,
                [&](int) { return origin; }},
               frame);
}

template <int Dim>
Image FramePictures<Dim>::draw(const std::string& what, double time, FrameFields<Dim>& fields) {
  if (what == "smoke") return smoke(time, fields);
  return what == "surface" ? surface(time, fields) : slice(what, time, fields);
}

template <int Dim>
const Stage& FramePictures<Dim>::stage() requires(Dim == 3) {
  if (!stage_) stage_.emplace(scene_, files_);
  return *stage_;
}

template <int Dim>
Image FramePictures<Dim>::smoke(double time, const FrameFields<Dim>& fields) {
  const Mesh<Dim>& mesh = fields.mesh();
  const View<const float> density = fields.looking(FieldRole::haze);
  if constexpr (Dim == 2) {
    return smoke_in_plane(scene_, files_, mesh.view(), density, time);
  } else {
    const SmokeField field{&mesh, density, fields.looking(FieldRole::heat)};
    return shown(smoke_picture(scene_, stage(), field, time), tone_of(scene_.render));
  }
}

template <int Dim>
Image FramePictures<Dim>::surface(double time, FrameFields<Dim>& fields) {
  if constexpr (Dim == 2) {
    return liquid_in_plane(scene_, files_, fields.mesh().view(), fields.looking(FieldRole::liquid),
                           time);
  } else {
    LiquidMeshes liquid;
    for (const FrameMesh& m : fields.meshes()) {
      if (m.name == surface_mesh_name) liquid.surface = m.mesh;
      if (m.name == drops_mesh_name) liquid.drops = m.mesh;
    }
    return shown(liquid_picture(scene_, stage(), std::move(liquid), time), tone_of(scene_.render));
  }
}

template <int Dim>
Image FramePictures<Dim>::slice(const std::string& what, double time, FrameFields<Dim>& fields) {
  LeafPicture<Dim> picture{fields.simulation().grid().tree().view()};
  SliceOptions options{.axis = static_cast<int>(scene_.render.slice.axis),
                       .position = scene_.render.slice.at,
                       .size = std::max(scene_.camera.resolution[0], scene_.camera.resolution[1]),
                       .min_level = scene_.grid.min_level,
                       .max_level = scene_.grid.max_level};
  Buffer<float> speed;
  if (what != "level") {
    const FieldInfo& info = fields.info(what);
    picture.field = {.title = field_title(info), .mesh = fields.mesh().view()};
    picture.field->map = field_colors(info);
    options.lines = false;
    std::visit(
        [&]<class F>(const F* field) {
          if constexpr (std::is_same_v<F, LeafField<float>>) {
            picture.field->leaves = field->view();
          } else if constexpr (std::is_same_v<typename F::Value, float>) {
            picture.field->nodes = field->view();
          } else {
            speed = speeds<Dim>(field->view());
            picture.field->nodes = std::as_const(speed).view();
          }
        },
        fields.shown(what));
  }
  picture.solid_distance = obstacle_distance(scene_, files_, time);
  return draw_slice(picture, options);
}

template class FramePictures<2>;
template class FramePictures<3>;

}  // namespace octavo
