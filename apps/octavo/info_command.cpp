#include "info_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "octavo/base/text.h"
#include "octavo/io/files.h"
#include "octavo/io/htg.h"
#include "octavo/io/mesh_import.h"
#include "octavo/io/vdb.h"
#include "octavo/output/checkpoint.h"
#include "octavo/output/run_folder.h"
#include "picture_series.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

template <int Count, class T>
Json json_of(const Vec<Count, T>& v) {
  Json list = Json::array();
  for (int a = 0; a < Count; ++a) list.push_back(v[a]);
  return list;
}

Json volume_info(const fs::path& path) {
  const VdbContents contents = vdb_contents(path);
  Json info{{"kind", "OpenVDB volume"}, {"metadata", contents.metadata}};
  for (const VdbGridInfo& g : contents.grids)
    info["grids"].push_back({{"name", g.name},
                             {"type", g.type},
                             {"class", g.grid_class},
                             {"half", g.half},
                             {"voxel_size", json_of(g.voxel_size)},
                             {"active_voxels", g.active_voxels},
                             {"lowest", json_of(g.lo)},
                             {"highest", json_of(g.hi)},
                             {"bytes", g.bytes}});
  return info;
}

Json grid_info(const fs::path& path) {
  const HtgContents contents = htg_contents(path);
  Json info{
      {"kind", "HyperTreeGrid"}, {"roots", json_of(contents.roots)}, {"cells", contents.cells}};
  for (const HtgContents::Array& a : contents.fields)
    info["fields"].push_back({{"name", a.name}, {"type", a.type}});
  return info;
}

Json checkpoint_info(const fs::path& path) {
  const CheckpointHeader h = read_checkpoint_header(ArchiveReader(path));
  return {{"kind", "checkpoint"},
          {"program", "octavo " + h.program},
          {"simulation", h.simulation},
          {"dimensions", h.dimensions},
          {"frame", h.position.moment.frame},
          {"step_of_next_frame", h.position.moment.substep},
          {"time", h.time},
          {"leaves", h.leaves},
          {"scene", h.scene.values}};
}

Json mesh_info(const fs::path& path) {
  const TriangleMesh mesh = read_triangle_mesh(path);
  const Box<3> box = box_around(mesh.vertices);
  return {{"kind", "triangle mesh"},
          {"vertices", mesh.vertices.size()},
          {"triangles", mesh.triangles.size()},
          {"low", json_of(box.lo)},
          {"high", json_of(box.hi)}};
}

Json files_info(const std::vector<fs::path>& files) {
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (const fs::path& file : files)
    if (const auto size = fs::file_size(file, error); !error) bytes += size;
  return {{"files", files.size()}, {"bytes", bytes}};
}

// The log says how far it got: the last frame, and the last thing that happened.
Json folder_info(const fs::path& path) {
  Json info{{"kind", "run folder"}};
  std::ifstream log(path / "log.jsonl");
  if (!log) throw InputError("'{}' is a folder without a run in it", path.string());
  Json last_start, last_frame, last;
  double seconds = 0;  // of all frames
  for (std::string line; std::getline(log, line);) {
    Json event = Json::parse(line, nullptr, false);
    if (event.is_discarded() || !event.contains("event")) continue;
    if (event["event"] == "start") last_start = event;
    if (event["event"] == "frame") {
      last_frame = event;
      seconds += event.value("wall_seconds", 0.0);
    }
    last = std::move(event);
  }
  const std::string event = last.is_object() ? last["event"].get<std::string>() : "";
  const bool ended = event == "done" || event == "interrupted" || event == "failed";
  info["state"] = ended ? event : "running, or killed";
  if (last_start.is_object()) info["last_frame"] = last_start.value("last_frame", Json());
  if (last_frame.is_object())
    for (const char* key : {"frame", "time", "step", "leaves", "peak_bytes"})
      info[key] = last_frame.value(key, Json());
  info["seconds"] = seconds;
  for (const CheckpointFile& c : checkpoints_in(path))
    info["checkpoints"].push_back(c.path.filename().string());
  for (const char* kind : {"volume", "grid", "mesh", "probe"}) {
    const std::vector<fs::path> files = files_in(path / kind);
    if (!files.empty()) info[kind] = files_info(files);
  }
  for (const auto& [name, series] : pictures_in(path / "image")) {
    std::vector<fs::path> files;
    for (const auto& [frame, file] : series) files.push_back(file);
    info["image"][name] = files_info(files);
  }
  for (const char* whole : {"movie.mp4", "sheet.png"}) {
    std::error_code error;
    if (const auto bytes = fs::file_size(path / whole, error); !error)
      info[whole] = {{"bytes", bytes}};
  }
  return info;
}

Json info_of(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return folder_info(path);
  require_file(path, "file");
  const std::string ending = lower_extension(path);
  for (const char* other : {".toml", ".csv", ".pvd", ".jsonl", ".png", ".mp4", ".txt", ".json"})
    if (ending == other)
      throw InputError(
          "'{}': there is nothing to say about {} files; only about run folders, .vdb, "
          ".htg and checkpoint (.h5) files and triangle meshes",
          path.string(), other);
  if (ending == ".vdb") return volume_info(path);
  if (ending == ".htg") return grid_info(path);
  if (ending == ".h5") return checkpoint_info(path);
  return mesh_info(path);
}

std::string text_of(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// It prints indented lines of keys and values, and lists of objects one after the other.
void print(const Json& value, const std::string& indent) {
  for (const auto& [key, inner] : value.items()) {
    if (inner.is_object() && !inner.empty()) {
      fmt::print("{}{}:\n", indent, printable(key));
      print(inner, indent + "  ");
    } else if (inner.is_array() && !inner.empty() && inner.front().is_object()) {
      for (const Json& item : inner) {
        fmt::print("{}{}:\n", indent, printable(key));
        print(item, indent + "  ");
      }
    } else {
      fmt::print("{}{:<16} {}\n", indent, printable(key),
                 printable(inner.is_string() ? inner.get<std::string>() : text_of(inner)));
    }
  }
}

}  // namespace

void add_info_options(CLI::App& command, InfoCommand& o) {
  command
      .add_option("file", o.file,
                  "A .vdb, .htg, checkpoint (.h5), triangle mesh, or the folder of a run")
      ->option_text("FILE")
      ->required();
  command.add_flag("--json", o.json, "Print one JSON object");
}

int run_info(const InfoCommand& o) {
  const Json info = info_of(o.file);
  if (o.json)
    fmt::print("{}\n", info.dump(-1, ' ', false, Json::error_handler_t::replace));
  else
    print(info, "");
  return 0;
}

}  // namespace octavo
