#include "octavo/run/checkpoint_grid.h"

#include <fmt/format.h>

#include "octavo/run/checkpoint.h"
#include "octavo/scene/build.h"
#include "octavo/scene/problems.h"

namespace octavo {
namespace {

// As much of the scene as tells what the grid and the fields are.
SceneFile scene_of(const SceneRecord& record) {
  std::string text;
  auto add = [&](const std::string& key, const std::string& name) {
    const auto value = record.values.find(key);
    if (value != record.values.end()) text += fmt::format("{} = {}\n", name, value->second);
  };
  if (!record.values.contains("domain.size")) throw InputError("it does not say what its box is");
  for (const char* name : {"title", "up"}) add(name, name);
  text += "[domain]\n";
  for (const char* name : {"size", "origin", "roots"}) add(fmt::format("domain.{}", name), name);
  for (int i = 0; record.values.contains(fmt::format("scalar[{}].name", i)); ++i) {
    text += "[[scalar]]\n";
    add(fmt::format("scalar[{}].name", i), "name");
  }
  try {
    return parse_scene(text, "scene", "");
  } catch (const SceneError&) {
    throw InputError("what it says about its scene makes no sense");
  }
}

template <class Place, int Dim>
Field<Place, float> field_in(const ArchiveReader& archive, const std::string& name,
                             const Mesh<Dim>& mesh) {
  Field<Place, float> field;
  field.resize(mesh);
  const Buffer<float> values = archive.array<float>(name);
  if (values.size() != field.size())
    throw InputError("its {} has {} values, and not the {} that its octree asks for", name,
                     values.size(), field.size());
  if (!all_finite(values.view())) throw InputError("its {} is not finite everywhere", name);
  std::copy(values.begin(), values.end(), field.view().begin());
  return field;
}

template <int Dim>
CheckpointGrid<Dim> grid_in(const ArchiveReader& archive, const CheckpointHeader& header,
                            const Scene<Dim>& scene) {
  const Buffer<std::uint64_t> bits = archive.array<std::uint64_t>("leaves");
  Buffer<Key<Dim>> keys(bits.size());
  for (std::size_t i = 0; i < bits.size(); ++i) keys[i] = {bits[i]};
  CheckpointGrid<Dim> c{Grid<Dim>(Octree<Dim>(domain_of(scene), std::move(keys))),
                        {},
                        {},
                        {},
                        scene.title,
                        static_cast<int>(scene.up),
                        header.time,
                        header.position.moment.frame,
                        header.position.moment.substep};
  const Mesh<Dim>& mesh = c.grid.mesh();
  for (const char* name : {"density", "temperature"})
    c.fields.emplace(name, field_in<NodeId>(archive, name, mesh));
  for (std::size_t i = 0; i < scene.scalar.size(); ++i)
    c.fields.emplace(scene.scalar[i].name,
                     field_in<NodeId>(archive, fmt::format("scalar {}", i), mesh));
  c.pressure = field_in<LeafId>(archive, "pressure", mesh);
  c.velocity = field_in<FaceId>(archive, "velocity", mesh);
  return c;
}

}  // namespace

AnyCheckpointGrid checkpoint_grid(const ArchiveReader& archive) {
  const CheckpointHeader header = read_checkpoint_header(archive);
  const SceneFile file = scene_of(header.scene);
  return std::visit(
      [&]<int Dim>(const Scene<Dim>& scene) -> AnyCheckpointGrid {
        if (header.dimensions != Dim)
          throw InputError("what it says about its dimensions makes no sense");
        return grid_in(archive, header, scene);
      },
      file.scene);
}

AnyCheckpointGrid read_checkpoint_grid(const std::filesystem::path& path) {
  const ArchiveReader archive(path);
  try {
    return checkpoint_grid(archive);
  } catch (const InputError& e) {
    throw InputError("the checkpoint '{}' cannot be used: {}", path.string(), e.what());
  }
}

}  // namespace octavo
