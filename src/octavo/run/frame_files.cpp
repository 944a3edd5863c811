#include "octavo/run/frame_files.h"

#include <fmt/format.h>

#include <deque>

#include "octavo/base/build_info.h"
#include "octavo/io/atomic_file.h"
#include "octavo/io/htg.h"

namespace octavo {
namespace {

std::string name_in_volume(GridNames names, const std::string& field) {
  return field == "velocity" && names == GridNames::houdini ? "vel" : field;
}

template <int Dim>
VdbMetadata metadata_of(const Scene<Dim>& scene, int frame) {
  return {{"creator", fmt::format("octavo {}", build_info().version)},
          {"title", scene.title},
          {"frame", std::int64_t{frame}},
          {"fps", scene.output.fps},
          {"time", frame_time(scene.output, frame)},
          {"up_axis", std::string(axis_names[static_cast<std::size_t>(scene.up)])},
          {"length_unit", std::string("m")},
          {"time_unit", std::string("s")},
          {"temperature_unit", std::string("K")}};
}

// Fields that are zero, or as outside, nearly everywhere.
template <int Dim>
Volume<float> sparse_volume(const Scene<Dim>& scene, const std::string& name,
                            SmokeFields<Dim>& fields) {
  VolumeOptions<float> options;
  options.background = static_cast<float>(fields.outside(name));
  options.level = scene.output.level;
  options.tolerance = scene.output.tolerance;
  return make_volume(fields.smoke().mesh(), *fields.nodal(name), options);
}

// Those that are not.
template <int Dim>
std::variant<Volume<float>, Volume<Vec3f>> full_volume(const Scene<Dim>& scene,
                                                       const std::string& name,
                                                       SmokeFields<Dim>& fields,
                                                       const VolumeMask* within) {
  auto with = [&]<class T>(VolumeOptions<T> options) {
    options.level = scene.output.level;
    options.tolerance = scene.output.tolerance;
    options.within = within;
    return options;
  };
  const Smoke<Dim>& smoke = fields.smoke();
  if (name == "pressure")
    return make_volume(smoke.mesh(), smoke.pressure(), with(VolumeOptions<float>{}));
  if (scene.output.staggered)
    return make_volume(smoke.mesh(), smoke.velocity(), with(VolumeOptions<Vec3f>{}));
  return make_volume(smoke.mesh(), fields.velocity(), with(VolumeOptions<Vec3f>{}));
}

// The values of a nodal field, or of a component of one, at the centres of leaves.
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

bool is_sparse(const std::string& field) { return field != "velocity" && field != "pressure"; }

}  // namespace

bool is_written(const OutputScene& output, int frame) {
  return frame >= output.frames[0] && frame <= output.frames[1] &&
         (frame - output.frames[0]) % output.every == 0;
}

// Smoke is where any field is that is not everywhere, written or not.
template <int Dim>
VdbFile volumes_of(const Scene<Dim>& scene, int frame, SmokeFields<Dim>& fields) {
  const OutputScene& output = scene.output;
  std::vector<std::string> sparse{"density", "temperature"};
  for (const ScalarParameters& s : scene.scalar) sparse.push_back(s.name);
  std::map<std::string, Volume<float>> made;
  const bool masked = output.region == VolumeRegion::smoke &&
                      !std::all_of(output.volume.begin(), output.volume.end(), is_sparse);
  for (const std::string& name : sparse)
    if (masked ||
        std::find(output.volume.begin(), output.volume.end(), name) != output.volume.end())
      made.emplace(name, sparse_volume(scene, name, fields));

  std::optional<VolumeMask> mask;
  if (masked) {
    std::vector<const VolumeLayout*> layouts;
    for (const auto& [name, volume] : made) layouts.push_back(&volume);
    mask.emplace(layouts);
  }
  std::vector<VdbVolume> volumes;
  for (const std::string& name : output.volume) {
    const std::string grid = name_in_volume(output.grid_names, name);
    if (is_sparse(name))
      volumes.push_back({grid, std::move(made.at(name))});
    else
      volumes.push_back({grid, full_volume(scene, name, fields, mask ? &*mask : nullptr)});
  }
  return make_vdb(std::move(volumes), metadata_of(scene, frame), {output.half, output.compress});
}

template <int Dim>
void FrameFiles<Dim>::write(int frame, SmokeFields<Dim>& fields, Background& background) const {
  if (!scene_.output.grid.empty()) write_grid(frame, fields);
  if (scene_.output.volume.empty()) return;
  const std::filesystem::path path = folder_.volume(frame);
  RunFolder::make_folder_of(path);
  auto file = std::make_shared<const VdbFile>(volumes_of(scene_, frame, fields));
  background.start([=] { write_vdb(path, *file); });
}

// Values at the centres of leaves; then the list of all grids that are there, for ParaView.
template <int Dim>
void FrameFiles<Dim>::write_grid(int frame, SmokeFields<Dim>& fields) const {
  const Mesh<Dim>& mesh = fields.smoke().mesh();
  std::vector<LeafArray> arrays;
  std::deque<Buffer<float>> kept;
  auto add = [&](const std::string& name, Buffer<float> values) {
    kept.push_back(std::move(values));
    arrays.push_back({name, std::as_const(kept.back()).view()});
  };
  for (const std::string& name : scene_.output.grid) {
    if (name == "velocity")
      for (int a = 0; a < Dim; ++a)
        add(fmt::format("velocity_{}", axis_names[static_cast<std::size_t>(a)]),
            at_centers(mesh, fields.velocity().view(), a));
    else if (name == "pressure")
      arrays.push_back({name, fields.smoke().pressure().view()});
    else
      add(name, at_centers(mesh, fields.nodal(name)->view()));
  }
  const std::filesystem::path path = folder_.grid(frame);
  RunFolder::make_folder_of(path);
  write_htg(path, fields.smoke().grid().tree(), arrays);
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

template class FrameFiles<2>;
template class FrameFiles<3>;
template VdbFile volumes_of(const Scene<2>&, int, SmokeFields<2>&);
template VdbFile volumes_of(const Scene<3>&, int, SmokeFields<3>&);

}  // namespace octavo
