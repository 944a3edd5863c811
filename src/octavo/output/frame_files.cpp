#include "octavo/output/frame_files.h"

#include <fmt/format.h>

#include <deque>

#include "octavo/base/build_info.h"
#include "octavo/io/atomic_file.h"
#include "octavo/io/htg.h"
#include "octavo/io/ply.h"
#include "octavo/scene/scene_fields.h"

namespace octavo {
namespace {

template <int Dim>
VdbMetadata metadata_of(const Scene<Dim>& scene, int frame) {
  VdbMetadata all{{"creator", fmt::format("octavo {}", build_info().version)},
                  {"title", scene.title},
                  {"frame", std::int64_t{frame}},
                  {"fps", scene.output.fps},
                  {"time", frame_time(scene.output, frame)},
                  {"up_axis", std::string(axis_names[static_cast<std::size_t>(scene.up)])},
                  {"length_unit", std::string("m")},
                  {"time_unit", std::string("s")}};
  for (const FieldInfo& f : scene.simulation.own->fields())
    if (!f.unit.empty()) all.emplace(f.name + "_unit", f.unit);
  return all;
}

using AnyVolume = std::variant<Volume<float>, Volume<Vec3f>>;

// Level sets are known to so many voxels to each side of the surface, which is what other programs expect.
constexpr int level_set_band = 3;

// These are signed distances of at most `most` to either side.
NodeField<float> clamped(const auto& mesh, const NodeField<float>& level_set, float most) {
  NodeField<float> out(mesh);
  const View<float> to = out.view();
  const View<const float> from = level_set.view();
  parallel_for("clamp level set", to.size(),
               [=](std::size_t i) { to[i] = std::clamp(from[i], -most, most); });
  return out;
}

template <int Dim>
Volume<float> level_set_volume(const Scene<Dim>& scene, FrameFields<Dim>& fields,
                               const NodeField<float>& level_set) {
  const Octree<Dim>& tree = fields.mesh().tree();
  VolumeOptions<float> options;
  options.level = scene.output.level;
  options.tolerance = scene.output.tolerance;
  options.background = static_cast<float>(
      level_set_band * tree.domain().size(options.level.value_or(tree.deepest_level())));
  auto volume =
      make_volume(fields.mesh(), clamped(fields.mesh(), level_set, options.background), options);
  volume.is_level_set = true;
  return volume;
}

// This is for fields that are zero, or as outside, nearly everywhere.
template <int Dim>
Volume<float> sparse_volume(const Scene<Dim>& scene, const FieldInfo& info,
                            FrameFields<Dim>& fields) {
  VolumeOptions<float> options;
  options.background = static_cast<float>(info.outside);
  options.level = scene.output.level;
  options.tolerance = scene.output.tolerance;
  return std::visit(
      [&]<class F>(const F* field) -> Volume<float> {
        if constexpr (std::is_same_v<F, NodeField<float>>)
          if (info.is_level_set) return level_set_volume(scene, fields, *field);
        if constexpr (std::is_same_v<typename F::Value, float>)
          return make_volume(fields.mesh(), *field, options);
        else
          throw InvariantError(fmt::format("'{}' is a vector that is local", info.name));
      },
      fields.shown(info.name));
}

// This is for fields that are not.
template <int Dim>
AnyVolume full_volume(const Scene<Dim>& scene, const std::string& name, FrameFields<Dim>& fields,
                      const VolumeMask* within) {
  auto with = [&]<class T>(VolumeOptions<T> options) {
    options.level = scene.output.level;
    options.tolerance = scene.output.tolerance;
    options.within = within;
    return options;
  };
  return std::visit(
      [&]<class F>(const F* field) -> AnyVolume {
        if constexpr (std::is_same_v<typename F::Value, float>)
          return make_volume(fields.mesh(), *field, with(VolumeOptions<float>{}));
        else if (scene.output.staggered)
          return make_volume(fields.mesh(), fields.face_velocity(), with(VolumeOptions<Vec3f>{}));
        else
          return make_volume(fields.mesh(), *field, with(VolumeOptions<Vec3f>{}));
      },
      fields.shown(name));
}

// These are the values of a nodal field, or of a component of one, at the centres of leaves.
template <int Dim, class Value>
Buffer<float> at_centers(const Mesh<Dim>& mesh, View<const Value> nodal, int component = 0) {
  const MeshView<Dim> m = mesh.view();
  Buffer<float> values(m.leaf_count());
  const View<float> out = values.view();
  parallel_for("at centres", out.size(), [=](std::size_t i) {
    float sum = 0;
    for (int c = 0; c < child_count<Dim>; ++c) {
      const Value& v = nodal[m.node(LeafId(i), c)];
      if constexpr (std::is_same_v<Value, float>)
        sum += v;
      else
        sum += v[component];
    }
    out[i] = sum / child_count<Dim>;
  });
  return values;
}

}  // namespace

bool is_written(const OutputScene& output, int frame) {
  return frame >= output.frames[0] && frame <= output.frames[1] &&
         (frame - output.frames[0]) % output.every == 0;
}

// Smoke, or whatever it is, is where any field is that is not everywhere, written or not.
template <int Dim>
VdbFile volumes_of(const Scene<Dim>& scene, int frame, FrameFields<Dim>& fields) {
  const OutputScene& output = scene.output;
  auto is_sparse = [&](const std::string& name) { return fields.info(name).is_local; };
  std::map<std::string, Volume<float>> made;
  const bool masked = output.region == VolumeRegion::smoke &&
                      !std::all_of(output.volume.begin(), output.volume.end(), is_sparse);
  for (const auto& column : fields.simulation().fields().columns())
    if (const std::string& name = column.info.name;
        column.info.is_local && (masked || std::find(output.volume.begin(), output.volume.end(),
                                                     name) != output.volume.end()))
      made.emplace(name, sparse_volume(scene, column.info, fields));

  std::optional<VolumeMask> mask;
  if (masked) {
    std::vector<const VolumeLayout*> layouts;
    for (const auto& [name, volume] : made) layouts.push_back(&volume);
    mask.emplace(layouts);
  }
  std::vector<VdbVolume> volumes;
  for (const std::string& name : output.volume) {
    const std::string grid = name_in_volume(output.grid_names, fields.info(name));
    if (is_sparse(name))
      volumes.push_back({grid, std::move(made.at(name))});
    else
      volumes.push_back({grid, full_volume(scene, name, fields, mask ? &*mask : nullptr)});
  }
  return make_vdb(std::move(volumes), metadata_of(scene, frame), {output.half, output.compress});
}

template <int Dim>
void FrameFiles<Dim>::write(int frame, FrameFields<Dim>& fields, Background& background) const {
  if (!scene_.output.grid.empty()) write_grid(frame, fields);
  write_meshes(frame, fields);
  if (scene_.output.volume.empty()) return;
  const std::filesystem::path path = folder_.volume(frame);
  RunFolder::make_folder_of(path);
  auto file = std::make_shared<const VdbFile>(volumes_of(scene_, frame, fields));
  background.start([=] { write_vdb(path, *file); });
}

// This writes values at the centres of leaves; then it writes the list of all grids that are there, for ParaView.
template <int Dim>
void FrameFiles<Dim>::write_grid(int frame, FrameFields<Dim>& fields) const {
  const Mesh<Dim>& mesh = fields.mesh();
  std::vector<LeafArray> arrays;
  std::deque<Buffer<float>> kept;
  auto add = [&](const std::string& name, Buffer<float> values) {
    kept.push_back(std::move(values));
    arrays.push_back({name, std::as_const(kept.back()).view()});
  };
  for (const std::string& name : scene_.output.grid)
    std::visit(
        [&]<class F>(const F* field) {
          if constexpr (std::is_same_v<F, LeafField<float>>)
            arrays.push_back({name, field->view()});
          else if constexpr (std::is_same_v<typename F::Value, float>)
            add(name, at_centers(mesh, field->view()));
          else
            for (int a = 0; a < Dim; ++a)
              add(fmt::format("{}_{}", name, axis_names[static_cast<std::size_t>(a)]),
                  at_centers(mesh, field->view(), a));
        },
        fields.shown(name));
  const std::filesystem::path path = folder_.grid(frame);
  RunFolder::make_folder_of(path);
  write_htg(path, fields.simulation().grid().tree(), arrays);
  write_series(frame);
}

template <int Dim>
void FrameFiles<Dim>::write_series(int last) const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (int frame = scene_.output.frames[0]; frame <= last; ++frame) {
    const std::filesystem::path file = folder_.grid(frame);
    std::error_code error;
    if (is_written(scene_.output, frame) && std::filesystem::exists(file, error))
      text += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n",
                          frame_time(scene_.output, frame), file.filename().string());
  }
  write_file(folder_.grid_series(), text + "</Collection>\n</VTKFile>\n");
}

template <int Dim>
void FrameFiles<Dim>::write_meshes(int frame, FrameFields<Dim>& fields) const {
  for (const FrameMesh& m : fields.meshes()) {
    const std::filesystem::path path = folder_.mesh(m.name, frame);
    RunFolder::make_folder_of(path);
    write_ply(path, m.mesh);
  }
}

template class FrameFiles<2>;
template class FrameFiles<3>;
template VdbFile volumes_of(const Scene<2>&, int, FrameFields<2>&);
template VdbFile volumes_of(const Scene<3>&, int, FrameFields<3>&);

}  // namespace octavo
