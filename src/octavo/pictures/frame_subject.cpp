#include "octavo/pictures/frame_subject.h"

#include "octavo/io/ply.h"
#include "octavo/io/vdb_octree.h"
#include "octavo/pictures/liquid_picture.h"
#include "octavo/pictures/plane_picture.h"
#include "octavo/pictures/smoke_picture.h"
#include "octavo/pictures/volume_checks.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

FrameSeries volumes_in(const fs::path& run, const OutputScene& output) {
  FrameSeries files = frames_in(run / "volume", output.name, ".vdb");
  if (files.empty())
    throw InputError(
        "there are no volumes in '{}': `octavo run` writes them unless [output] has volume = []",
        run.string());
  return files;
}

FrameSeries surfaces_in(const fs::path& run, const OutputScene& output) {
  const std::string name = output.name + "." + surface_mesh_name;
  FrameSeries files = frames_in(run / "mesh", name, ".ply");
  if (files.empty())
    throw InputError(
        "there are no surfaces of a liquid in '{}': `octavo run` writes them, as mesh/{}.*.ply",
        run.string(), name);
  return files;
}

template <int Dim>
class Volumes : public FrameSubject<Dim> {
 public:
  Volumes(const Scene<Dim>& scene, const fs::path& run)
      : FrameSubject<Dim>("volume", volumes_in(run, scene.output)), scene_(scene) {}

  bool require(const fs::path& file) const override {
    std::optional<VdbContents> contents;
    try {
      contents = vdb_contents(file);
    } catch (const InputError&) {
      return false;
    }
    if (Dim == 2 && !names_.liquid.empty())
      require_liquid(*contents, file, names_);
    else
      require_smoke(*contents, file, names_, scene_.render);
    return true;
  }

 protected:
  const Scene<Dim>& scene_;
  const SeenFields names_{scene_};
};

class PlaneVolumes final : public Volumes<2> {
 public:
  using Volumes<2>::Volumes;

  Image draw(const fs::path& file, double time, MeshFiles& meshes, const ShotOptions&,
             Progress&) const override {
    if (names_.liquid.empty())
      return smoke_in_plane(scene_, meshes, read_vdb_grid(file, names_.haze), time);
    return liquid_in_plane(scene_, meshes, read_vdb_grid(file, names_.liquid), time);
  }
};

class SmokeVolumes final : public Volumes<3> {
 public:
  using Volumes<3>::Volumes;

  Picture draw(const fs::path& file, double time, const Stage& stage, const ShotOptions& options,
               Progress& progress) const override {
    const VdbOctree smoke = read_vdb_octree(file, names_.haze);
    if (smoke.finest > 1) progress.note(coarse_note(file, smoke.finest));
    NodeField<float> temperature;
    if (scene_.render.glow)
      temperature = nodal_values(read_vdb_grid(file, names_.heat), smoke.grid.mesh());
    const SmokeField field{&smoke.grid.mesh(), smoke.field.view(),
                           std::as_const(temperature).view()};
    return smoke_picture(scene_, stage, field, time, options);
  }
};

// There is nothing to require of meshes: all of them have what is needed.
class LiquidSurfaces final : public FrameSubject<3> {
 public:
  LiquidSurfaces(const Scene<3>& scene, const fs::path& run)
      : FrameSubject<3>("surface", surfaces_in(run, scene.output)),
        scene_(scene),
        drops_(frames_in(run / "mesh", scene.output.name + "." + drops_mesh_name, ".ply")) {}

  bool require(const fs::path&) const override { return true; }
  Picture draw(const fs::path& file, double time, const Stage& stage, const ShotOptions& options,
               Progress&) const override {
    LiquidMeshes liquid{read_ply(file)};
    if (const auto drops = drops_.find(frame_name(file)->frame); drops != drops_.end())
      liquid.drops = read_ply(drops->second);
    return liquid_picture(scene_, stage, std::move(liquid), time, options);
  }

 private:
  const Scene<3>& scene_;
  FrameSeries drops_;
};

}  // namespace

template <>
std::unique_ptr<FrameSubject<2>> frame_subject(const Scene<2>& scene, const fs::path& run) {
  return std::make_unique<PlaneVolumes>(scene, run);
}

template <>
std::unique_ptr<FrameSubject<3>> frame_subject(const Scene<3>& scene, const fs::path& run) {
  if (SeenFields(scene).liquid.empty()) return std::make_unique<SmokeVolumes>(scene, run);
  return std::make_unique<LiquidSurfaces>(scene, run);
}

}  // namespace octavo
