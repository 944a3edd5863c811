#include "octavo/output/checkpoint_grid.h"

#include <fmt/format.h>

#include "octavo/output/checkpoint.h"
#include "octavo/scene/build.h"
#include "octavo/scene/problems.h"
#include "octavo/scene/scene_fields.h"
#include "octavo/scene/scene_file.h"

namespace octavo {
namespace {

void require_known_kind(const std::string& name) {
  for (const Kind& kind : kinds())
    if (kind.name == name) return;
  throw InputError("it is of a simulation of a kind that this program does not know, '{}'", name);
}

// This is as much of the scene as tells what the grid and the fields are.
SceneFile scene_of(const CheckpointHeader& header) {
  const auto& values = header.scene.values;
  std::string text;
  auto add = [&](const std::string& key, const std::string& name) {
    const auto value = values.find(key);
    if (value != values.end()) text += fmt::format("{} = {}\n", name, value->second);
  };
  if (!values.contains("domain.size")) throw InputError("it does not say what its box is");
  for (const char* name : {"title", "up"}) add(name, name);
  text += "[domain]\n";
  for (const char* name : {"size", "origin", "roots"}) add(fmt::format("domain.{}", name), name);
  text += "[grid]\n";
  for (const char* name : {"min_level", "max_level"}) add(fmt::format("grid.{}", name), name);
  text += "[output]\nvolume = []\n";
  text += fmt::format("[{}]\n", header.simulation);
  const std::string table = header.simulation + ".";
  for (const auto& [key, value] : values)
    if (key.starts_with(table)) add(key, key.substr(table.size()));
  for (int i = 0; values.contains(fmt::format("scalar[{}].name", i)); ++i) {
    text += "[[scalar]]\n";
    for (const char* name : {"name", "outside", "decay"})
      add(fmt::format("scalar[{}].{}", i, name), name);
  }
  try {
    return parse_scene(text, "scene", "");
  } catch (const SceneError&) {
    throw InputError("what it says about its scene makes no sense");
  }
}

template <class F, int Dim>
void add_field(const FieldInfo& info, const SavedState<Dim>& state, CheckpointGrid<Dim>& c) {
  const View<const float> values = state.template array<float>(info.name);
  F& field = c.fields.template add<F>(info);
  field.resize(c.grid.mesh());
  if (values.size() != field.size())
    throw InputError("its {} has {} values, and not the {} that its octree asks for", info.name,
                     values.size(), field.size());
  if (!all_finite(values)) throw InputError("its {} is not finite everywhere", info.name);
  std::copy(values.begin(), values.end(), field.view().begin());
}

template <int Dim>
CheckpointGrid<Dim> grid_in(const ArchiveReader& archive, const CheckpointHeader& header,
                            const Scene<Dim>& scene) {
  const StoredState<Dim> stored(archive, header);
  const SavedState<Dim>& state = stored.state();
  Buffer<Key<Dim>> keys(state.leaves.size());
  std::copy(state.leaves.begin(), state.leaves.end(), keys.begin());
  CheckpointGrid<Dim> c{Grid<Dim>(Octree<Dim>(domain_of(scene), std::move(keys))),
                        {},
                        scene.title,
                        static_cast<int>(scene.up),
                        header.time,
                        header.position.moment.frame,
                        header.position.moment.substep};
  for (const FieldInfo& info : fields_of(scene)) {
    if (!info.is_state) continue;
    if (info.place == FieldPlace::node) add_field<NodeField<float>>(info, state, c);
    if (info.place == FieldPlace::leaf) add_field<LeafField<float>>(info, state, c);
    if (info.place == FieldPlace::face) add_field<FaceField<float>>(info, state, c);
  }
  return c;
}

}  // namespace

AnyCheckpointGrid checkpoint_grid(const ArchiveReader& archive) {
  const CheckpointHeader header = read_checkpoint_header(archive);
  require_known_kind(header.simulation);
  const SceneFile file = scene_of(header);
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
