#include "octavo/scene/scene_file.h"

#include <fstream>
#include <sstream>

#include "octavo/base/text.h"
#include "octavo/io/files.h"
#include "octavo/scene/checks.h"
#include "octavo/scene/nesting.h"
#include "octavo/scene/override_key.h"
#include "octavo/scene/reader.h"
#include "octavo/scene/scene_fields.h"
#include "octavo/scene/writer.h"

namespace octavo {
namespace {

// Two numbers for the size of the box make a 2D scene.
bool is_2d(const toml::table& table) {
  const toml::array* size = table["domain"]["size"].as_array();
  return size != nullptr && size->size() == 2;
}

// This is the kind whose table is there.
const Kind& kind_in(const toml::table& table, Problems& problems) {
  const Kind* found = nullptr;
  for (const Kind& kind : kinds()) {
    const toml::node* node = table.get(kind.name);
    if (node == nullptr) continue;
    if (found != nullptr)
      problems.add(kind.name, place_of(*node),
                   "a scene is about [{}] or about [{}], not about both", found->name, kind.name);
    else
      found = &kind;
  }
  return found != nullptr ? *found : kinds().front();
}

template <int Dim>
Scene<Dim> read_as(const toml::table& table, const std::string& name, MeshFiles& files) {
  Reading reading;
  Scene<Dim> scene;
  scene.simulation = SimulationScene<Dim>(kind_in(table, reading.problems));
  reading.problems.report(name);
  Reader reader(reading, table, "");
  members(reader, scene);
  reader.finish();
  if (!table["output"]["volume"]) scene.output.volume = usual_fields(scene, false);
  for (ProbeScene<Dim>& p : scene.probe)
    if (p.fields.empty()) p.fields = usual_fields(scene, true);
  check_scene(scene, files, reading);
  reading.problems.report(name);
  return scene;
}

template <int Dim>
toml::table table_of(const Scene<Dim>& scene) {
  Writer writer;
  members(writer, const_cast<Scene<Dim>&>(scene));  // which only reads it
  return writer.take();
}

void flatten(const toml::node& node, const std::string& path,
             std::map<std::string, std::string>& values) {
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, inner] : *table)
      flatten(inner, path.empty() ? std::string(key.str()) : fmt::format("{}.{}", path, key.str()),
              values);
  } else if (const toml::array* array = node.as_array(); array && array->get_as<toml::table>(0)) {
    for (std::size_t i = 0; i < array->size(); ++i)
      flatten(*array->get(i), fmt::format("{}[{}]", path, i), values);
  } else if (array == nullptr || !array->empty()) {
    std::ostringstream text;
    node.visit([&](const auto& value) { text << value; });
    values[path] = text.str();
  }
}

// This visits all members for names of files.
class FileFinder {
 public:
  FileFinder(const std::function<void(const std::string&, FileName&)>& f, std::string path)
      : f_(f), path_(std::move(path)) {}

  template <class T>
  void operator()(const char* name, T& member, const char* /*help*/, const Rule&) {
    look(member, path_.empty() ? name : path_ + "." + name);
  }

 private:
  void look(FileName& file, const std::string& path) {
    if (!file.empty()) f_(path, file);
  }
  template <class T>
  void look(std::optional<T>& value, const std::string& path) {
    if (value) look(*value, path);
  }
  template <class T>
  void look(std::vector<T>& values, const std::string& path) {
    for (std::size_t i = 0; i < values.size(); ++i) look(values[i], fmt::format("{}[{}]", path, i));
  }
  template <class T>
  void look(T& value, const std::string& path) {
    if constexpr (requires(FileFinder & v) { members(v, value); }) {
      FileFinder inner(f_, path);
      members(inner, value);
    }
  }

  const std::function<void(const std::string&, FileName&)>& f_;
  std::string path_;
};

// `source` is what the places of all nodes in it say.
toml::table parsed(std::string_view text, const std::string& name, const std::string& source) {
  require_shallow(text, name);
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& e) {
    throw PlacedSceneError("{}:{}:{}: {}", printable(name), e.source().begin.line,
                           e.source().begin.column, e.description());
  }
}

void leave_out(toml::table& table, std::initializer_list<const char*> parts) {
  for (const char* part : parts) table.erase(part);
}

SceneFile scene_of(toml::table table, const std::string& name, const std::filesystem::path& folder,
                   const std::vector<std::string>& overrides) {
  for (const std::string& o : overrides) override_key(table, o);
  SceneFile file{Scene<3>{}, std::filesystem::path(name).stem().string(),
                 std::make_shared<MeshFiles>(folder)};
  if (is_2d(table))
    file.scene = read_as<2>(table, name, *file.files);
  else
    file.scene = read_as<3>(table, name, *file.files);
  return file;
}

std::string text_of(const std::filesystem::path& path) {
  constexpr std::uintmax_t most = 64u << 20;
  require_file(path, "scene");
  std::error_code error;
  if (std::filesystem::file_size(path, error) > most)
    throw SceneError("'{}' is too large for a scene", path.string());
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw SceneError("'{}' cannot be read", path.string());
  return text.str();
}

}  // namespace

SceneFile parse_scene(std::string_view text, const std::string& name,
                      const std::filesystem::path& folder,
                      const std::vector<std::string>& overrides) {
  return scene_of(parsed(text, name, name), name, folder, overrides);
}

SceneFile read_scene(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                     SceneUse use) {
  toml::table table = parsed(text_of(path), path.string(), path.string());
  if (use == SceneUse::pictures) leave_out(table, {"source", "initial", "refine"});
  return scene_of(std::move(table), path.string(), path.parent_path(), overrides);
}

SceneFile read_scene_with_look(const std::filesystem::path& path, const std::filesystem::path& look,
                               const std::vector<std::string>& overrides) {
  toml::table table = parsed(text_of(path), path.string(), path.string());
  toml::table other = parsed(text_of(look), look.string(), look_mark + look.string());
  leave_out(table, {"source", "initial", "refine", "camera", "light", "render"});
  for (const char* part : {"camera", "light", "render"})
    if (toml::node* node = other.get(part))
      node->visit([&](auto& value) { table.insert(part, std::move(value)); });
  return scene_of(std::move(table), path.string(), path.parent_path(), overrides);
}

std::string scene_text(const AnyScene& scene) {
  std::ostringstream text;
  std::visit([&](const auto& s) { text << table_of(s) << '\n'; }, scene);
  return text.str();
}

std::map<std::string, std::string> scene_values(const AnyScene& scene) {
  std::map<std::string, std::string> values;
  std::visit([&](const auto& s) { flatten(table_of(s), "", values); }, scene);
  return values;
}

void for_each_file(AnyScene& scene, const std::function<void(const std::string&, FileName&)>& f) {
  std::visit(
      [&](auto& s) {
        FileFinder finder(f, "");
        members(finder, s);
      },
      scene);
}

}  // namespace octavo
