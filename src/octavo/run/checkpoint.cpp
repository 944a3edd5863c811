#include "octavo/run/checkpoint.h"

#include "octavo/base/build_info.h"

namespace octavo {
namespace {

constexpr const char* kind_of_file = "octavo smoke checkpoint 1";

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

std::string scalar_name(std::size_t i) { return fmt::format("scalar {}", i); }

}  // namespace

template <int Dim>
void write_checkpoint(const std::filesystem::path& path, const Smoke<Dim>& smoke,
                      const RunPosition& position, const SceneRecord& scene) {
  const SmokeState<Dim> state = smoke.state();
  ArchiveWriter out;
  out.add_text("kind", kind_of_file);
  out.add_text("program", build_info().version);
  out.add_text("scene", scene.text());
  out.add_number("dimensions", std::int64_t{Dim});
  out.add_number("frame", std::int64_t{position.moment.frame});
  out.add_number("substep", std::int64_t{position.moment.substep});
  out.add_number("substeps", std::int64_t{position.substeps});
  out.add_number("dt", position.dt);
  out.add_number("time", state.time);
  out.add_number("steps", state.steps);
  out.add_number("solids_since", state.solids_since);
  out.add_number("solids_time", state.solids_time);
  out.add_number("strictness", state.strictness);
  out.add_array("leaves", bits_of(state.leaves));
  out.add_array("velocity", state.velocity);
  out.add_array("pressure", state.pressure);
  out.add_array("density", state.density);
  out.add_array("temperature", state.temperature);
  for (std::size_t i = 0; i < state.scalars.size(); ++i)
    out.add_array(scalar_name(i), state.scalars[i]);
  out.commit(path);
}

CheckpointHeader read_checkpoint_header(const ArchiveReader& archive) {
  if (!archive.has("kind") || archive.text("kind") != kind_of_file)
    throw InputError("it is no checkpoint of this program");
  CheckpointHeader h;
  h.dimensions = whole(archive, "dimensions");
  h.position.moment = {whole(archive, "frame"), whole(archive, "substep")};
  h.position.substeps = whole(archive, "substeps");
  h.position.dt = archive.number<double>("dt");
  h.time = archive.number<double>("time");
  h.leaves = archive.size("leaves");
  h.program = archive.text("program");
  h.scene = SceneRecord::from(archive.text("scene"));
  const bool within = h.position.moment.substep > 0;
  if (h.position.moment.substep > h.position.substeps || (within && !(h.position.dt > 0)))
    throw InputError("where it is within its frame makes no sense");
  return h;
}

template <int Dim>
void restore_checkpoint(const ArchiveReader& archive, Smoke<Dim>& smoke) {
  const auto bits = archive.array<std::uint64_t>("leaves");
  const auto velocity = archive.array<float>("velocity"),
             pressure = archive.array<float>("pressure");
  const auto density = archive.array<float>("density");
  const auto temperature = archive.array<float>("temperature");
  SmokeState<Dim> state;
  state.time = archive.number<double>("time");
  state.steps = archive.number<std::uint64_t>("steps");
  state.solids_since = archive.number<double>("solids_since");
  state.solids_time = archive.number<double>("solids_time");
  state.strictness = archive.number<double>("strictness");
  state.leaves = {reinterpret_cast<const Key<Dim>*>(bits.data()), bits.size()};
  state.velocity = velocity.view();
  state.pressure = pressure.view();
  state.density = density.view();
  state.temperature = temperature.view();
  std::vector<Buffer<float>> scalars;
  while (archive.has(scalar_name(scalars.size())))
    scalars.push_back(archive.array<float>(scalar_name(scalars.size())));
  for (const Buffer<float>& s : scalars) state.scalars.push_back(s.view());
  smoke.restore(state);
}

template void write_checkpoint(const std::filesystem::path&, const Smoke<2>&, const RunPosition&,
                               const SceneRecord&);
template void write_checkpoint(const std::filesystem::path&, const Smoke<3>&, const RunPosition&,
                               const SceneRecord&);
template void restore_checkpoint(const ArchiveReader&, Smoke<2>&);
template void restore_checkpoint(const ArchiveReader&, Smoke<3>&);

}  // namespace octavo
