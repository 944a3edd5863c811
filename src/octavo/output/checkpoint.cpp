#include "octavo/output/checkpoint.h"

#include <array>
#include <sstream>

#include "octavo/base/build_info.h"

namespace octavo {
namespace {

constexpr const char* kind_of_file = "octavo checkpoint 2";
constexpr const char* earlier_kind = "octavo smoke checkpoint 1";

// These are names of the types of arrays, in the order of SavedValues.
constexpr std::array<const char*, 4> types{"float", "double", "int32", "uint64"};
static_assert(types.size() == std::variant_size_v<SavedValues>);

std::string number_entry(const std::string& name) { return "number " + name; }
std::string array_entry(const std::string& name) { return "array " + name; }

// Keys are numbers of 64 bits.
template <int Dim>
View<const std::uint64_t> bits_of(View<const Key<Dim>> keys) {
  static_assert(sizeof(Key<Dim>) == sizeof(std::uint64_t));
  return {reinterpret_cast<const std::uint64_t*>(keys.data()), keys.size()};
}

int whole(const ArchiveReader& archive, const std::string& name) {
  const auto value = archive.number<std::int64_t>(name);
  if (value < 0 || value > 1'000'000'000)
    throw InputError("its number '{}' makes no sense: {}", name, value);
  return static_cast<int>(value);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// `text` is as it stands in a scene file.
std::string without_quotes(const std::string& text) {
  return text.size() >= 2 ? text.substr(1, text.size() - 2) : text;
}

bool is_earlier(const ArchiveReader& archive) { return archive.text("kind") == earlier_kind; }

}  // namespace

template <int Dim>
void write_checkpoint(const std::filesystem::path& path, const std::string& kind,
                      const SavedState<Dim>& state, const RunPosition& position,
                      const SceneRecord& scene, const FrameOrigins& origins) {
  ArchiveWriter out;
  out.add_text("kind", kind_of_file);
  out.add_text("program", build_info().version);
  out.add_text("simulation", kind);
  out.add_text("scene", scene.text());
  out.add_text("origins", origins.text());
  out.add_number("dimensions", std::int64_t{Dim});
  out.add_number("frame", std::int64_t{position.moment.frame});
  out.add_number("substep", std::int64_t{position.moment.substep});
  out.add_number("substeps", std::int64_t{position.substeps});
  out.add_number("dt", position.dt);
  out.add_number("time", state.time);
  out.add_number("steps", state.steps);
  out.add_array("leaves", bits_of(state.leaves));
  std::string numbers, arrays;
  for (const SavedNumber& n : state.numbers) {
    numbers += n.name + "\n";
    out.add_number(number_entry(n.name), n.value);
  }
  for (const SavedArray& a : state.arrays) {
    arrays += fmt::format("{} {}\n", types[a.values.index()], a.name);
    std::visit([&](const auto& values) { out.add_array(array_entry(a.name), values); }, a.values);
  }
  out.add_text("numbers", numbers);
  out.add_text("arrays", arrays);
  out.commit(path);
}

CheckpointHeader read_checkpoint_header(const ArchiveReader& archive) {
  if (!archive.has("kind") || (archive.text("kind") != kind_of_file && !is_earlier(archive)))
    throw InputError("it is no checkpoint of this program");
  CheckpointHeader h;
  h.simulation = is_earlier(archive) ? "smoke" : archive.text("simulation");
  h.dimensions = whole(archive, "dimensions");
  h.position.moment = {whole(archive, "frame"), whole(archive, "substep")};
  h.position.substeps = whole(archive, "substeps");
  h.position.dt = archive.number<double>("dt");
  h.time = archive.number<double>("time");
  h.leaves = archive.size("leaves");
  h.program = archive.text("program");
  h.scene = SceneRecord::from(archive.text("scene"));
  if (archive.has("origins")) h.origins = FrameOrigins::from(archive.text("origins"));
  const bool within = h.position.moment.substep > 0;
  if (h.position.moment.substep > h.position.substeps || (within && !(h.position.dt > 0)))
    throw InputError("where it is within its frame makes no sense");
  return h;
}

template <int Dim>
StoredState<Dim>::StoredState(const ArchiveReader& archive, const CheckpointHeader& header) {
  if (header.dimensions != Dim)
    throw InputError("it is of a simulation in {} dimensions", header.dimensions);
  leaves_ = archive.array<std::uint64_t>("leaves");
  state_.leaves = {reinterpret_cast<const Key<Dim>*>(leaves_.data()), leaves_.size()};
  state_.time = archive.number<double>("time");
  state_.steps = archive.number<std::uint64_t>("steps");
  if (is_earlier(archive)) {
    for (const char* name : {"solids_since", "solids_time", "strictness"})
      state_.numbers.push_back({name, archive.number<double>(name)});
    for (const char* name : {"velocity", "pressure"}) add_array(archive, "float", name, name);
    for (const FieldInfo& f : kind_named(header.simulation).table<Dim>()->fields())
      add_array(archive, "float", f.name, f.name);
    for (int i = 0; archive.has(fmt::format("scalar {}", i)); ++i) {
      const auto name = header.scene.values.find(fmt::format("scalar[{}].name", i));
      if (name == header.scene.values.end()) throw InputError("it has a scalar without a name");
      add_array(archive, "float", fmt::format("scalar {}", i), without_quotes(name->second));
    }
    return;
  }
  for (const std::string& name : lines_of(archive.text("numbers")))
    state_.numbers.push_back({name, archive.number<double>(number_entry(name))});
  for (const std::string& line : lines_of(archive.text("arrays"))) {
    const auto space = line.find(' ');
    if (space == std::string::npos) throw InputError("its list of arrays makes no sense");
    const std::string name = line.substr(space + 1);
    add_array(archive, line.substr(0, space), array_entry(name), name);
  }
}

template <int Dim>
void StoredState<Dim>::add_array(const ArchiveReader& archive, const std::string& type,
                                 const std::string& entry, const std::string& name) {
  auto add = [&]<class T>(Buffer<T> values) {
    state_.arrays.push_back({name, std::as_const(values).view()});
    values_.push_back(std::move(values));
  };
  if (type == types[0])
    add(archive.array<float>(entry));
  else if (type == types[1])
    add(archive.array<double>(entry));
  else if (type == types[2])
    add(archive.array<std::int32_t>(entry));
  else if (type == types[3])
    add(archive.array<std::uint64_t>(entry));
  else
    throw InputError("its array '{}' has values of an unknown type", name);
}

template void write_checkpoint(const std::filesystem::path&, const std::string&,
                               const SavedState<2>&, const RunPosition&, const SceneRecord&,
                               const FrameOrigins&);
template void write_checkpoint(const std::filesystem::path&, const std::string&,
                               const SavedState<3>&, const RunPosition&, const SceneRecord&,
                               const FrameOrigins&);
template class StoredState<2>;
template class StoredState<3>;

}  // namespace octavo
