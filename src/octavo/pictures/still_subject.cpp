#include "octavo/pictures/still_subject.h"

#include "octavo/io/files.h"
#include "octavo/io/mesh_import.h"
#include "octavo/io/vdb_octree.h"
#include "octavo/output/checkpoint_grid.h"
#include "octavo/output/run_folder.h"
#include "octavo/pictures/volume_checks.h"
#include "octavo/scene/scene_file.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class MediumSubject : public StillSubject {
 public:
  Picture picture(const Scene<3>& scene, const Stage& stage,
                  const ShotOptions& shot) const override {
    return smoke_picture(scene, stage, field(), time_, shot);
  }

 protected:
  virtual SmokeField field() const = 0;
  double time_ = 0;
};

class VolumeSubject final : public MediumSubject {
 public:
  VolumeSubject(const fs::path& path, const VdbContents& contents, const SeenFields& names)
      : path_(path), contents_(contents), names_(names), smoke_(read_vdb_octree(path, names.haze)) {
    if (smoke_.finest > 1) note = coarse_note(path, smoke_.finest);
    const auto entry = contents.metadata.find("time");
    if (entry != contents.metadata.end()) time_ = std::atof(entry->second.c_str());
    if (const auto axis = contents.metadata.find("up_axis");
        axis != contents.metadata.end() && axis->second == "y")
      up = AxisName::y;
    for (const VdbGridInfo& grid : contents.grids)
      if (grid.name == names.heat)
        temperature_ = nodal_values(read_vdb_grid(path, grid.name), smoke_.grid.mesh());
  }
  Box<3> box() const override { return smoke_.grid.tree().domain().box(); }
  void require(const RenderScene& render) const override {
    require_smoke(contents_, path_, names_, render);
  }

 private:
  SmokeField field() const override {
    return {&smoke_.grid.mesh(), smoke_.field.view(), temperature_.view()};
  }

  fs::path path_;
  VdbContents contents_;
  SeenFields names_;
  VdbOctree smoke_;
  NodeField<float> temperature_;
};

class CheckpointSubject final : public MediumSubject {
 public:
  CheckpointSubject(const fs::path& path, CheckpointGrid<3> state) : state_(std::move(state)) {
    if (looking(FieldRole::haze).size() == 0) throw_no_smoke(path);
    time_ = state_.time;
    up = static_cast<AxisName>(state_.up_axis);
  }
  Box<3> box() const override { return state_.grid.tree().domain().box(); }

 private:
  SmokeField field() const override {
    return {&state_.grid.mesh(), looking(FieldRole::haze), looking(FieldRole::heat)};
  }
  View<const float> looking(FieldRole role) const {
    for (const auto& c : state_.fields.columns())
      if (const auto* nodes = c.as<NodeField<float>>(); nodes && c.info.role == role)
        return std::as_const(*nodes).view();
    return {};
  }

  CheckpointGrid<3> state_;
};

class MeshSubject final : public StillSubject {
 public:
  MeshSubject(const fs::path& path, const MeshLook& look)
      : mesh_(read_surface_mesh(path)), look_(look) {}

  Box<3> box() const override { return box_around(mesh_.vertices); }

  Picture picture(const Scene<3>& scene, const Stage& stage,
                  const ShotOptions& shot) const override {
    Surfaces surfaces;
    surfaces.add(mesh_, look(scene.render));
    surfaces.commit();
    const Camera camera = turned(stage.camera(0), shot.turn);
    return take_shot(scene, {camera, stage.lighting(0), surfaces}, {}, shot);
  }

 private:
  SurfaceLook look(const RenderScene& render) const {
    const Vec3d size = box().size();
    SurfaceLook look = look_of(look_.material.value_or(Material::matte),
                               obstacle_look(render).color, std::max({size[0], size[1], size[2]}));
    const MeshTexture texture = look_.texture.value_or(MeshTexture::color);
    if (texture == MeshTexture::color && !mesh_.colors.empty())
      look.texture = SurfaceLook::Texture::vertex_color;
    if (texture == MeshTexture::checker) look.texture = SurfaceLook::Texture::checkerboard;
    return look;
  }

  SurfaceMesh mesh_;
  MeshLook look_;
};

// Fields are named as the run that the file belongs to calls them, else as the first kind of
// simulation does.
SeenFields names_for(const fs::path& path) {
  const fs::path of_run = scene_of_run(path);
  if (of_run.empty()) return SeenFields(Scene<3>{});
  try {
    return std::visit([](const auto& scene) { return SeenFields(scene); },
                      read_scene(of_run, {}, SceneUse::pictures).scene);
  } catch (const InputError&) {  // something that the scene needs may be gone
    return SeenFields(Scene<3>{});
  }
}

// Smoke in two dimensions is one voxel thick.
std::unique_ptr<StillSubject> volume_of(const fs::path& path) {
  const VdbContents contents = vdb_contents(path);
  const SeenFields names = names_for(path);
  require_smoke(contents, path, names, {});
  for (const VdbGridInfo& grid : contents.grids)
    if (grid.name == names.haze && grid.lo[2] == grid.hi[2])
      throw InputError(
          "'{}' is one voxel thick, as volumes of 2D runs are; `octavo render` draws those from "
          "the folder of their run",
          path.string());
  return std::make_unique<VolumeSubject>(path, contents, names);
}

std::unique_ptr<StillSubject> checkpoint_of(const fs::path& path) {
  AnyCheckpointGrid state = read_checkpoint_grid(path);
  if (!std::holds_alternative<CheckpointGrid<3>>(state))
    throw InputError("'{}' is of a 2D run; `octavo slice` draws it", path.string());
  return std::make_unique<CheckpointSubject>(path, std::get<CheckpointGrid<3>>(std::move(state)));
}

}  // namespace

std::unique_ptr<StillSubject> still_subject(const fs::path& file, const MeshLook& look) {
  require_file(file, "file");
  const std::string ending = lower_extension(file);
  if ((ending == ".vdb" || ending == ".h5") && (look.material || look.texture))
    throw InputError("--material and --texture are for a mesh; '{}' is smoke", file.string());
  if (ending == ".htg")
    throw InputError("'{}' is a grid; `octavo slice {}` draws it", file.string(), file.string());
  if (ending == ".vdb") return volume_of(file);
  if (ending == ".h5") return checkpoint_of(file);
  return std::make_unique<MeshSubject>(file, look);
}

}  // namespace octavo
